import type { Snapshot } from '../../storage/database.ts'
import { type ReportFinding, rebuild } from '../../storage/doctor/finding.ts'
import { type StoredRecord, isMalformed } from '../../storage/records/stored.ts'
import { quantityRowsOfLogs, type TakenRow } from '../../storage/records/quantity-rows.ts'

import type { QuantityRecord } from '../quantities/quantity-record.ts'
import { quantitiesByIds } from '../quantities/reading.ts'
import { soundQuantities } from '../quantities/soundness.ts'

/** Every quantity of a log has a row that says where it stands, and no row stands for anything else. */
export async function checkQuantities(snapshot: Snapshot, logs: readonly StoredRecord[], found: ReportFinding): Promise<void> {
  const rows = new Map<number, TakenRow[]>()
  const ids = logs.map(({ id }) => id)
  for (const row of await quantityRowsOfLogs(snapshot, ids)) {
    rows.set(row.log_id, [...(rows.get(row.log_id) ?? []), row])
  }
  for (const log of logs) {
    if (soundQuantities(log, rows.get(log.id) ?? []) !== null) continue
    found({
      what: `The quantities of log ${log.id} are not kept as it says (quantity)`,
      mend: rebuild,
      alike: 'logs whose quantities are not kept as they say',
    })
  }
}

/** Quantities that logs have, with what their logs say of them, where that can be read; all else as it is. */
export async function withTheirTruth(snapshot: Snapshot, records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> {
  const taken = records.filter(({ log }) => log !== undefined)
  if (taken.length === 0) return records
  const truth = await truthOf(snapshot, taken)
  return records.flatMap((record) => {
    if (record.log === undefined) return [record]
    const told = truth.get(record.id)
    return told === undefined ? [] : [{ ...record, values: told.values }]
  })
}

/** One by one where some of it cannot be read. */
async function truthOf(snapshot: Snapshot, taken: readonly StoredRecord[]): Promise<ReadonlyMap<number, QuantityRecord>> {
  const ids = taken.map(({ id }) => id)
  const together = await readable(() => quantitiesByIds(snapshot, ids))
  if (together !== null) return together
  const found = new Map<number, QuantityRecord>()
  for (const id of ids) {
    const one = await readable(() => quantitiesByIds(snapshot, [id]))
    for (const [number, quantity] of one ?? []) found.set(number, quantity)
  }
  return found
}

async function readable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isMalformed(error)) return null
    throw error
  }
}
