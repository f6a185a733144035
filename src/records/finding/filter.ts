import type { RecordTypeName } from '../../farm/farm.ts'
import { type Field, isMany } from '../../fields/field.ts'
import { isComparable } from '../../fields/kinds.ts'
import { computedRules } from '../../history/computed-rules.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { PointInTime } from '../../storage/farm-state.ts'
import type { Operator } from '../../storage/records/condition.ts'
import type { Records } from '../records.ts'

/** A filter on one field, as parsed by a door: any of these values by this operator. */
export interface RecordFilter {
  /** The field as the caller wrote it, for refusals. */
  readonly asked: string
  /** The field's path: `movement.area`. */
  readonly path: string
  readonly field: Field
  /** The bundles that have the field. */
  readonly bundles: readonly string[]
  /** Some records have the field where who asks is not shown it: those are not found by it. */
  readonly partlyHidden?: true
  readonly operator: Operator
  readonly values: readonly FilterValue[]
}

export type FilterValue =
  /** Compares with no value, or with any. */
  | { readonly is: 'empty' | 'filled' }
  /** For a reference or a file, the id. */
  | { readonly is: 'value'; readonly value: string | number | boolean }
  /** The record is one of these, of which there may be thousands. */
  | { readonly is: 'numbered'; readonly numbers: readonly number[] }
  /** For a reference or a file, or for the record itself. */
  | { readonly is: 'uuid'; readonly uuid: string }
  /** Terms are asked for by name first, and by id where none is called so. */
  | { readonly is: 'term'; readonly name: string; readonly id: number | undefined }

export const isFilterable = ({ computed }: Field): boolean =>
  computed === undefined || computedRules[computed].filter !== undefined

export const isSortable = (field: Field): boolean =>
  isComparable(field) && !isMany(field) && field.computed === undefined

/** The records, the snapshot and the time of a filter. */
export interface FilterContext {
  readonly installation: Records
  readonly snapshot: Snapshot
  readonly type: RecordTypeName
  readonly time: PointInTime
}

/** Refuses a question, naming what of it cannot be asked. */
export function badQuery(field: string, message: string, allowed?: readonly string[]): Refusal {
  const fault: RefusalFault = allowed === undefined ? { field, message } : { field, message, allowed }
  return new Refusal('bad-query', `${field}: ${message}.`, { faults: [fault] })
}
