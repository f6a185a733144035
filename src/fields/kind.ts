import type { FieldKind, FieldOf } from './field.ts'
import type { InputPlace } from './place.ts'
import type { DraftOf, Value } from './value.ts'

/**
 * Kinds whose values stand for something of the farm: a word of a list, a record, a file, or fields of their own. Their files say what is
 * valid; each room says in its own table what they are there.
 */
export type LinkedKind = 'choice' | 'reference' | 'attachment' | 'part'

/** All other kinds. A draft is the value that is kept, and the file of the kind says everything but its control in the app. */
export type PlainKind = Exclude<FieldKind, LinkedKind>

/** What the file of a plain kind says about it. `kinds.ts` has the table. */
export interface KindRules<K extends PlainKind> {
  /** Whether a field of the kind can have several values. */
  readonly several: boolean
  /** Whether a value is one line of text, without characters that would break it. */
  readonly isLine: boolean
  /** Gives undefined where the draft is not valid, which the place has noted. */
  readonly validate: (field: FieldOf<K>, draft: DraftOf[K], place: InputPlace) => DraftOf[K] | undefined
  /** A key in text order (see key.ts), by which storage compares and sorts. */
  readonly key: (value: DraftOf[K]) => string
  /** What the app is told of a field beside its label. */
  readonly bounds: (field: FieldOf<K>) => ValueBounds
  readonly older: OlderRules<K>
  readonly newer: NewerRules<K>
  readonly cell: CellRules<K>
  /** What a text in a map is in JSON; undefined where no text in a map can stand for such a value. */
  readonly mapText: ((text: string) => unknown) | undefined
}

interface ValueBounds {
  readonly max_length?: number
  readonly min?: number
  readonly max?: number
}

export type JsonSchema = { readonly [keyword: string]: unknown }

/** How the record interface (1.x) has a kind. */
interface OlderRules<K extends PlainKind> {
  /** The type that `/farm.json` names. */
  readonly type: (field: FieldOf<K>) => string
  /** What a client sends for one value, left empty. */
  readonly template: (field: FieldOf<K>) => unknown
  readonly read: (field: FieldOf<K>, input: unknown, place: InputPlace) => DraftOf[K] | undefined
  readonly spell: (value: DraftOf[K], field: FieldOf<K>) => unknown
  /** How an empty field is spelled. */
  readonly none: (field: FieldOf<K>) => unknown
  /** The schema of one value in an answer: the name of a component of the description, or a schema. */
  readonly shown: (field: FieldOf<K>) => string | JsonSchema
  /** The same of one value as a writer is advised to give it; the interface forgives more than this. */
  readonly given: (field: FieldOf<K>) => string | JsonSchema
  readonly filter: OlderFilter
}

/** What the record interface can be asked about a field. */
export interface OlderFilter {
  /** Whether the value in a query is compared as the text that it is, or read first. */
  readonly by: 'text' | 'value'
  /** Which operators are offered beside equality. */
  readonly offers: 'text' | 'order' | 'inequality' | 'nothing'
  /** The schema of a value that it equals. */
  readonly equals: JsonSchema
  /** The component of the description that the operators of an order take; those of text take text. */
  readonly compares?: string
}

/** How the newer generation (`/api`) has a kind. */
interface NewerRules<K extends PlainKind> {
  readonly read: (input: unknown, place: InputPlace) => DraftOf[K] | undefined
  readonly spell: (value: DraftOf[K], field: FieldOf<K>) => unknown
  /** The schema of one value. */
  readonly schema: (field: FieldOf<K>) => JsonSchema
  /** How filters compare it: as a whole, or each of its members. */
  readonly compares: ComparisonWord | Readonly<Record<string, MemberComparison>>
  /** What members are called there, where the value calls them otherwise. */
  readonly names?: ReadonlyMap<string, string>
}

export type ComparisonWord = 'text' | 'time' | 'number' | 'decimal' | 'yes or no'

export interface MemberComparison {
  readonly as: ComparisonWord
  /** Under the key of the value in the index, or only in the record itself. */
  readonly in: 'index' | 'record'
}

/** How a kind stands in the cell of a sheet. */
interface CellRules<K extends PlainKind> {
  readonly spell: (value: DraftOf[K], field: FieldOf<K>, form: TimeForm) => string
  /** What a cell is in JSON; undefined where it is none, which has been noted. */
  readonly read: (field: FieldOf<K>, cell: string, on: CellInput) => unknown
}

/** How times are written in a sheet. */
export interface TimeForm {
  readonly times: 'iso' | 'unix'
  /** The time zone of the farm. */
  readonly zone: string
}

/** One cell that is read. */
export interface CellInput {
  readonly reader: CellReader
  readonly spot: CellFaults
}

/** What is wrong with a cell is noted here. */
export interface CellFaults {
  readonly fault: (message: string, allowed?: readonly string[]) => undefined
  /** What the record says there so far. */
  readonly before: Value | undefined
}

/** Reads the cells of one column by the order of its dates and its decimal sign. */
export interface CellReader {
  readonly sign: ',' | '.'
  readonly moment: (cell: string) => { readonly second: number } | { readonly fault: string }
  readonly number: (cell: string) => string | undefined
  readonly json: (cell: string, spot: CellFaults) => unknown
}
