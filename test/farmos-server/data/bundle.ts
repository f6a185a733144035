import type { View } from '../shapes/view.ts'
import type { RecordKind } from './farm.ts'

/** A field as `/farm.json` describes it, and how its value looks in a record. */
export interface Field {
  readonly type: string
  readonly label: string
  readonly required: 0 | 1
  readonly schema: unknown
  /** Left out where the description has none. */
  readonly startsAs?: unknown
  /** The name in records, where it differs from the one in the description. */
  readonly key?: string
  /** Undefined: the record has no such key. */
  readonly shown: (value: unknown, view: View) => unknown
}

export type Fields = Readonly<Record<string, Field>>

export interface Bundle {
  readonly kind: RecordKind
  readonly name: string
  readonly label: string
  readonly plural: string
  readonly fields: Fields
  /** Keys of its records that no description mentions. */
  readonly undescribed?: Readonly<Record<string, unknown>>
}

export const required = (field: Field): Field => ({ ...field, required: 1 })
