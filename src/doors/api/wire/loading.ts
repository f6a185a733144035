import type { RecordTypeName } from '../../../farm/farm.ts'
import type { QuantityRecord } from '../../../records/quantities/quantity-record.ts'
import { quantitiesByIds } from '../../../records/quantities/reading.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { recordsByIds } from '../../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'

/** Records as they are told: what a quantity says may stand in its log. */
export async function recordsOf(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredRecord>> {
  if (type !== 'quantity') return recordsByIds(snapshot, type, ids)
  const found = await quantitiesByIds(snapshot, ids)
  return new Map([...found].map(([id, quantity]) => [id, asRecord(quantity)]))
}

/** Which log has it does not matter to what it says. */
export const asRecord = ({ log: _, ...quantity }: QuantityRecord): StoredRecord => quantity
