import type { Values } from '../../fields/value.ts'
import type { QuantityRecordRow } from '../../storage/records/quantity-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'

/** A quantity, whether it waits for a log or a log has it. */
export interface QuantityRecord extends Omit<StoredRecord, 'type' | 'log'> {
  readonly type: 'quantity'
  /** The log that has it; null where it waits for one. */
  readonly log: number | null
}

/** Values beyond the columns of its row. */
interface QuantityRest {
  readonly bundle: string
  readonly values: Values
  readonly revision: number
}

export const quantityRecord = (row: QuantityRecordRow, { bundle, values, revision }: QuantityRest): QuantityRecord => ({
  type: 'quantity',
  id: row.id,
  uuid: row.uuid,
  bundle,
  uid: row.uid,
  created: row.created,
  changed: row.changed,
  revision,
  values,
  log: row.log_id,
})

/** A record of this type as what it is. */
export const asQuantity = ({ log, ...record }: StoredRecord): QuantityRecord => ({
  ...record,
  type: 'quantity',
  log: log ?? null,
})
