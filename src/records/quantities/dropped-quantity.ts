import type { Farm } from '../../farm/farm.ts'
import type { Values } from '../../fields/value.ts'
import type { ChangeSet } from '../../storage/change-set.ts'
import type { Transaction } from '../../storage/database.ts'
import { markGone } from '../../storage/identity.ts'
import { writeJournal } from '../../storage/journal.ts'
import { reindex, unindex } from '../../storage/records/index-rows.ts'
import { changeQuantity, deleteQuantity, type TakenRow } from '../../storage/records/quantity-rows.ts'
import { rowOf, type StoredRecord } from '../../storage/records/stored.ts'
import { indexOf } from '../record-index.ts'
import { asTaken, indexOfTaken } from './quantities-of-log.ts'

/** The fate of a quantity that its log drops: it waits for another log, or it is removed. */
export type QuantityFate = (quantity: Pick<TakenRow, 'uuid' | 'revision'>) => 'waits' | 'is gone'

export const isGone: QuantityFate = () => 'is gone'

/** Back to how it was: what was a record of its own before is one again. */
export const waitsAgain: QuantityFate = ({ revision }) => (revision > 0 ? 'waits' : 'is gone')

interface DroppedQuantity {
  readonly row: TakenRow
  /** Its values in the log. */
  readonly values: Values
  readonly set: ChangeSet
  readonly at: number
}

/** It is a record of its own from here on, with what its log said of it. */
export async function letWait(tx: Transaction, farm: Farm, { row, values, set, at }: DroppedQuantity): Promise<void> {
  const { log: _, ...told } = asTaken(row)
  const record: StoredRecord = { ...told, changed: at, revision: row.revision + 1, values }
  await changeQuantity(tx, row.id, rowOf(record))
  await reindex(tx, [{ id: row.id, before: indexOfTaken(farm, row, values), after: indexOf(farm, record) }])
  // One that was made inside a log has no life of its own in the journal yet.
  await writeJournal(tx, set, [{ verb: row.revision === 0 ? 'create' : 'update', record, at }])
}

/** Its UUID stays taken, and it may come back with its log. */
export async function letGo(tx: Transaction, { row, set, at }: Omit<DroppedQuantity, 'values'>): Promise<void> {
  const record = { ...asTaken(row), revision: row.revision + 1 }
  await unindex(tx, record)
  await deleteQuantity(tx, row.id)
  await markGone(tx, row.uuid, at)
  if (row.revision > 0) await writeJournal(tx, set, [{ verb: 'remove', record, at }])
}
