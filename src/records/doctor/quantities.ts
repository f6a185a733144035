import type { Snapshot } from '../../storage/database.ts'
import { type Found, rebuild } from '../../storage/doctor/finding.ts'
import { quantityRowsOfLogs, type TakenRow } from '../../storage/records/quantity-rows.ts'
import type { Stored } from '../../storage/records/stored.ts'
import { quantitiesByIds } from '../quantities/reading.ts'
import { soundQuantities } from '../quantities/soundness.ts'

/** Every quantity of a log has a row that says where it stands, and no row stands for anything else. */
export async function checkQuantities(snapshot: Snapshot, logs: readonly Stored[], found: Found): Promise<void> {
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

/** Quantities that logs have, with what their logs say of them; all else as it is. */
export async function withTheirTruth(snapshot: Snapshot, records: readonly Stored[]): Promise<readonly Stored[]> {
  const taken = records.filter(({ log }) => log !== undefined).map(({ id }) => id)
  if (taken.length === 0) return records
  const quantities = await quantitiesByIds(snapshot, taken)
  return records.map((record) => {
    const values = record.log === undefined ? undefined : quantities.get(record.id)?.values
    return values === undefined ? record : { ...record, values }
  })
}
