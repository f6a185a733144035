import type { Snapshot } from '../../storage/database.ts'
import {
  type QuantityRecordRow,
  quantityRows,
  quantityRowsOfLogs,
  type TakenRow,
} from '../../storage/records/quantity-rows.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { hasQuantities, type QuantityInLog, quantitiesIn } from './quantities-of-log.ts'
import { type QuantityRecord, quantityRecord } from './quantity-record.ts'

/** The quantities of these logs, by the number of the log, in the order of what stands in it. */
export async function quantitiesOfLogs(
  snapshot: Snapshot,
  logs: readonly StoredRecord[],
): Promise<ReadonlyMap<number, readonly QuantityRecord[]>> {
  const having = logs.filter(({ values }) => hasQuantities(values))
  const rows = await quantityRowsOfLogs(
    snapshot,
    having.map(({ id }) => id),
  )
  const byLog = new Map<number, TakenRow[]>()
  for (const row of rows) byLog.set(row.log_id, [...(byLog.get(row.log_id) ?? []), row])
  return new Map(having.map((log) => [log.id, quantitiesOf(log, byLog.get(log.id) ?? [])]))
}

/** These quantities, by number; those that are not there are missing. */
export async function quantitiesByIds(
  snapshot: Snapshot,
  ids: readonly number[],
): Promise<ReadonlyMap<number, QuantityRecord>> {
  const rows = await quantityRows(snapshot, ids)
  const logs = await recordsByIds(snapshot, 'log', [...new Set(rows.flatMap(({ log_id }) => log_id ?? []))])
  const found = rows.flatMap((row) => {
    const log = row.log_id === null ? undefined : logs.get(row.log_id)
    return log === undefined ? waitingIn(row) : quantitiesOf(log, [row as TakenRow])
  })
  return new Map(found.map((quantity) => [quantity.id, quantity]))
}

/** A waiting quantity of a row; empty if it belongs to a log. */
function waitingIn(row: QuantityRecordRow): readonly QuantityRecord[] {
  if (row.log_id !== null) return []
  const { bundle, revision } = row
  return [quantityRecord(row, { bundle, revision, values: JSON.parse(row.fields) })]
}

/** The quantities of a log that have these rows. */
function quantitiesOf(log: StoredRecord, rows: readonly TakenRow[]): readonly PlacedQuantity[] {
  const byPlace = new Map(rows.map((row) => [placeOf(row), row]))
  return quantitiesIn(log.values).flatMap((quantity) => {
    const row = byPlace.get(placeOf(quantity))
    if (row === undefined) return []
    const { field, position } = quantity
    return [{ ...quantityRecord(row, { ...quantity, revision: log.revision }), before: { field, position } }]
  })
}

/** A quantity of a log, and where it stands in it. */
export interface PlacedQuantity extends QuantityRecord {
  readonly before: Pick<QuantityInLog, 'field' | 'position'>
}

/** The quantities of a log with their places. */
export async function quantitiesWithPlaces(snapshot: Snapshot, log: StoredRecord): Promise<readonly PlacedQuantity[]> {
  if (!hasQuantities(log.values)) return []
  return quantitiesOf(log, await quantityRowsOfLogs(snapshot, [log.id]))
}

export const placeOf = ({ field, position }: Pick<QuantityInLog, 'field' | 'position'>): string =>
  `${field} ${position}`
