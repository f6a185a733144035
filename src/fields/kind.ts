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

/** All rules of a plain kind. `kinds.ts` has the table. */
export interface KindRules<K extends PlainKind> {
  /** True if a field of the kind can have several values. */
  readonly several: boolean
  /** True if a value is one line of text, without characters that would break it. */
  readonly isLine: boolean
  /** Gives undefined where the draft is not valid, which the place has noted. */
  readonly validate: (field: FieldOf<K>, draft: DraftOf[K], place: InputPlace) => DraftOf[K] | undefined
  /** A key in text order (see key.ts), by which storage compares and sorts. */
  readonly key: (value: DraftOf[K]) => string
  /** Properties for the app, beside the label. */
  readonly bounds: (field: FieldOf<K>) => ValueBounds
  readonly older: OlderRules<K>
  readonly newer: NewerRules<K>
  readonly cell: CellRules<K>
  /** Turns a text of a map into JSON; undefined for kinds that a map cannot express. */
  readonly mapText: ((text: string) => unknown) | undefined
}

interface ValueBounds {
  readonly max_length?: number
  readonly min?: number
  readonly max?: number
}

export type JsonSchema = { readonly [keyword: string]: unknown }

/** The rules of a kind in 1.x. */
interface OlderRules<K extends PlainKind> {
  /** The type that `/farm.json` names. */
  readonly type: (field: FieldOf<K>) => string
  /** One empty value, as clients send it. */
  readonly template: (field: FieldOf<K>) => unknown
  readonly read: (field: FieldOf<K>, input: unknown, place: InputPlace) => DraftOf[K] | undefined
  readonly spell: (value: DraftOf[K], field: FieldOf<K>) => unknown
  /** The spelling of an empty field. */
  readonly none: (field: FieldOf<K>) => unknown
  /** The schema of one value in an answer: the name of a component of the description, or a schema. */
  readonly shown: (field: FieldOf<K>) => string | JsonSchema
  /** The same of one value as a writer is advised to give it; the interface forgives more than this. */
  readonly given: (field: FieldOf<K>) => string | JsonSchema
  readonly filter: OlderFilter
}

/** The filters of a field in 1.x. */
export interface OlderFilter {
  /** Compares the raw text of a query, or the parsed value. */
  readonly by: 'text' | 'value'
  /** Operators beside equality. */
  readonly offers: 'text' | 'order' | 'inequality' | 'nothing'
  /** The schema of a value that it equals. */
  readonly equals: JsonSchema
  /** The component of the description that the operators of an order take; those of text take text. */
  readonly compares?: string
}

/** The rules of a kind in /api. */
interface NewerRules<K extends PlainKind> {
  readonly read: (input: unknown, place: InputPlace) => DraftOf[K] | undefined
  readonly spell: (value: DraftOf[K], field: FieldOf<K>) => unknown
  /** The schema of one value. */
  readonly schema: (field: FieldOf<K>) => JsonSchema
  /** The comparison of the whole value, or of each member. */
  readonly compares: ComparisonWord | Readonly<Record<string, MemberComparison>>
  /** Names of members in /api that differ. */
  readonly names?: ReadonlyMap<string, string>
}

export type ComparisonWord = 'text' | 'time' | 'number' | 'decimal' | 'yes or no'

export interface MemberComparison {
  readonly as: ComparisonWord
  /** In the index by its key, or only in the record itself. */
  readonly in: 'index' | 'record'
}

/** The rules of a kind in the cells of a sheet. */
interface CellRules<K extends PlainKind> {
  readonly spell: (value: DraftOf[K], field: FieldOf<K>, form: TimeForm) => string
  /** Turns a cell into JSON; undefined after a fault was noted. */
  readonly read: (field: FieldOf<K>, cell: string, on: CellInput) => unknown
}

/** The format of times in a sheet. */
export interface TimeForm {
  /** `local` is how spreadsheets of the language show times, without an offset. */
  readonly times: 'iso' | 'unix' | 'local'
  /** The time zone of the farm. */
  readonly zone: string
  readonly language?: string
}

/** One cell that is read. */
export interface CellInput {
  readonly reader: CellReader
  readonly spot: CellFaults
}

/** Collects the faults of a cell. */
export interface CellFaults {
  readonly fault: (message: string, allowed?: readonly string[]) => undefined
  /** The current value of the record. */
  readonly before: Value | undefined
}

/** Reads the cells of one column by the order of its dates and its decimal sign. */
export interface CellReader {
  readonly sign: ',' | '.'
  readonly moment: (cell: string) => { readonly second: number } | { readonly fault: string }
  readonly number: (cell: string) => string | undefined
  readonly json: (cell: string, spot: CellFaults) => unknown
}
