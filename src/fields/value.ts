import type { Field, Fields } from './field.ts'

export interface RichText {
  readonly value: string
  readonly format: string
}

export interface Period {
  readonly value: number
  readonly value2: number
}

/** A part as it is kept: its fields, and an identity of its own. */
export interface PartValue {
  readonly uuid: string
  readonly [field: string]: Value | undefined
}

/** The stored value of one field: references and attachments as ids, decimals and geometries as written. */
export type Value = string | number | boolean | RichText | Period | PartValue | readonly Value[]

export type Values = Readonly<Record<string, Value>>

/** A value as sent, before references are looked up and files stored. */
export type Draft =
  | string
  | number
  | boolean
  | RichText
  | Period
  | ReferenceDraft
  | FileDraft
  | PartDraft
  | readonly Draft[]

export type ReferenceDraft =
  | { readonly ref: 'id'; readonly id: number }
  | { readonly ref: 'name'; readonly name: string }
  /** If the id is also given, both must mean the same. */
  | { readonly ref: 'uuid'; readonly uuid: string; readonly id?: number }

export type FileDraft = NewFile | KeptFile | FileByUuid

/** If the id is also given, both must mean the same. */
interface FileByUuid {
  readonly file: 'uuid'
  readonly uuid: string
  readonly id?: number
}

export interface NewFile {
  readonly file: 'new'
  readonly mime: string
  readonly bytes: Uint8Array
  /** Set if its sender named it. */
  readonly name?: string
  readonly uuid?: string
}

/** A file the farm has, by its id; named by its address it also has the name that stands there. */
export interface KeptFile {
  readonly file: 'kept'
  readonly id: number
  /** The last segment of the address that it was named by. */
  readonly name?: string
  /** New texts; missing ones stay. */
  readonly texts?: Partial<FileTexts>
}

export interface FileTexts {
  readonly alt: string | null
  readonly title: string | null
  readonly description: string | null
}

export interface PartDraft {
  readonly part: Drafts
  /** The fields that its writer was not shown: the part keeps them of the one whose place it takes. */
  readonly keeps?: readonly string[]
}

/** The draft of each kind. */
export interface DraftOf {
  readonly text: string
  readonly 'long-text': string
  readonly 'rich-text': RichText
  readonly timestamp: number
  readonly period: Period
  readonly 'yes-no': boolean
  readonly whole: number
  /** In digits, as stored (see exact-decimal.ts). */
  readonly decimal: string
  readonly choice: string
  readonly reference: ReferenceDraft
  readonly geometry: string
  readonly attachment: FileDraft
  readonly part: PartDraft
}

export type Drafts = Readonly<Record<string, Draft>>

/** The stored value of each kind: mostly the draft itself, for references the id. */
export interface ValueOfKind extends Omit<DraftOf, 'reference' | 'attachment' | 'part'> {
  readonly reference: number
  readonly attachment: number
  readonly part: PartValue
}

type OneValue<F extends Field> = F extends { readonly kind: 'part'; readonly fields: infer Inside extends Fields }
  ? ValuesOfFields<Inside>
  : F['kind'] extends keyof ValueOfKind
    ? ValueOfKind[F['kind']]
    : never

type ValueOf<F extends Field> = F extends { readonly many: true } ? readonly OneValue<F>[] : OneValue<F>

/** The values of a record with these fields; a renamed field does not compile. */
export type ValuesOfFields<F extends Fields> = { readonly [Name in keyof F]?: ValueOf<F[Name]> }
