import type { Farm } from '../../farm/farm.ts'
import type { Values } from '../../fields/value.ts'
import type { RecordIndex } from '../../storage/records/index-rows.ts'
import { columnsOfQuantity, type QuantityRecordRow, type TakenRow } from '../../storage/records/quantity-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { indexOf } from '../record-index.ts'
import type { QuantityInLog } from './in-log.ts'

/** A quantity in a log, and who it is. */
export interface NamedQuantity extends QuantityInLog {
  readonly uuid: string
}

/** What a row says beside what its log does. */
type OwnColumns = Pick<QuantityRecordRow, 'id' | 'uid' | 'created' | 'changed' | 'revision'>

/** The row of a quantity that a log has. */
export const takenRow = (quantity: NamedQuantity, log: number, own: OwnColumns): TakenRow => ({
  id: own.id,
  uuid: quantity.uuid,
  bundle: quantity.bundle,
  name: '',
  name_key: '',
  uid: own.uid,
  created: own.created,
  changed: own.changed,
  revision: own.revision,
  fields: '{}',
  log_id: log,
  field: quantity.field,
  position: quantity.position,
  ...columnsOfQuantity(quantity.values),
})

/** The quantity as the journal tells it: its log tells the rest. */
export const asTaken = (row: QuantityRecordRow): StoredRecord => {
  const { id, uuid, bundle, uid, created, changed, revision, log_id } = row
  const told: StoredRecord = { type: 'quantity', id, uuid, bundle, uid, created, changed, revision, values: {} }
  return log_id === null ? told : { ...told, log: log_id }
}

/** What a quantity can be looked up by while a log has it. */
export const indexOfTaken = (farm: Farm, row: QuantityRecordRow, values: Values): RecordIndex =>
  indexOf(farm, { ...asTaken(row), values })
