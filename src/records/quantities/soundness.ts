import type { TakenRow } from '../../storage/records/quantity-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { must } from '../../storage/sql/fragment.ts'
import { type QuantityInLog, quantitiesIn, takenRow } from './quantities-of-log.ts'
import { placeOf } from './reading.ts'

/** A quantity of a log, with the row that stands for it. */
interface SoundQuantity {
  readonly row: TakenRow
  readonly quantity: QuantityInLog
}

/** The quantities of a log with their rows; null where the rows are not what the log says. */
export function soundQuantities(log: StoredRecord, rows: readonly TakenRow[]): readonly SoundQuantity[] | null {
  const byPlace = new Map(rows.map((row) => [placeOf(row), row]))
  const quantities = quantitiesIn(log.values)
  const isSound = (quantity: QuantityInLog) => {
    const row = byPlace.get(placeOf(quantity))
    return row !== undefined && isRowOf(row, quantity)
  }
  if (quantities.length !== rows.length || !quantities.every(isSound)) return null
  return quantities.map((quantity) => ({ quantity, row: must(byPlace.get(placeOf(quantity))) }))
}

/** True if the row is what a write would produce now. */
function isRowOf(row: TakenRow, quantity: QuantityInLog): boolean {
  const expected = takenRow({ ...quantity, uuid: quantity.uuid ?? row.uuid }, row.log_id, row)
  return Object.entries(expected).every(([column, value]) => row[column as keyof TakenRow] === value)
}
