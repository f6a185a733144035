import type { Choice } from '../../../../farm/farm.ts'
import type { Condition, RecordColumn } from '../../../../storage/records/condition.ts'
import type { StoredRecord } from '../../../../storage/records/stored.ts'

/** How values compare. */
export type Comparison =
  /** Whatever their case. */
  | { readonly as: 'text' | 'name' }
  /** Exactly; the words of the list, and others that somebody kept. */
  | { readonly as: 'word'; readonly words: readonly Choice[] }
  | { readonly as: 'uuid' | 'time' | 'decimal' | 'yes or no' }
  /** What the number is shown with beyond what is kept. */
  | { readonly as: 'number'; readonly beyond?: number }

/** Where a value is kept. */
export type Kept =
  /** `unset` is in the column where there is no value. */
  | { readonly in: 'column'; readonly column: RecordColumn; readonly unset?: string | number }
  /** Under its comparison key in the index. */
  | { readonly in: 'index'; readonly field: string }
  /** Nowhere: what a record is like tells which of these values it has. */
  | { readonly in: 'cases'; readonly cases: readonly Case[] }
  /** Here or there, as the record is. */
  | { readonly in: 'either'; readonly places: readonly { readonly when: Condition; readonly kept: Kept }[] }
  /** In a column of the log that has the quantity. */
  | { readonly in: 'log'; readonly column: RecordColumn }
  /** Only in the record itself, which has to be looked at. */
  | { readonly in: 'record' }

export interface Case {
  readonly value: string | number | boolean
  readonly when: Condition
}

/** One thing of a record that can be asked about and sorted by. */
export interface Property {
  readonly compares: Comparison
  readonly kept: Kept
  /** Whether there may be several values. */
  readonly many?: true
  /** What it is asked as by yes or no. */
  readonly asYesNo?: Property
}

/** An attribute whose values are objects. */
export interface Compound {
  readonly properties: ReadonlyMap<string, Property>
  /** The values as they are shown. */
  readonly shown: (record: StoredRecord) => readonly Shown[]
  /** The records that have any. */
  readonly filled: Condition
}

export type Shown = Readonly<Record<string, unknown>>

/** What of an attribute can be asked about: itself, or its properties; nothing of what is worked out when it is read. */
export type Askable = Property | Compound | undefined

export const isCompound = (askable: Askable): askable is Compound => askable !== undefined && 'properties' in askable
