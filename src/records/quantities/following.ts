import { isDeepStrictEqual } from 'node:util'
import type { Farm } from '../../farm/farm.ts'
import type { Values } from '../../fields/value.ts'
import type { ChangeSet } from '../../storage/change-set.ts'
import type { Transaction } from '../../storage/database.ts'
import { reindex } from '../../storage/records/index-rows.ts'
import { changeQuantity, quantityRowsOfLogs, type TakenRow } from '../../storage/records/quantity-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { isGone, letGo, letWait, type QuantityFate } from './dropped-quantity.ts'
import { addQuantities, withUuids } from './new-quantities.ts'
import {
  hasQuantities,
  indexOfTaken,
  type NamedQuantity,
  type QuantityInLog,
  quantitiesIn,
  takenRow,
  termsIn,
} from './quantities-of-log.ts'
import { placeOf } from './reading.ts'

interface LogChange {
  /** Undefined if the log did not exist before, or is removed. */
  readonly before?: StoredRecord
  readonly after?: StoredRecord
  readonly set: ChangeSet
  readonly at: number
  /** The fate of quantities that the log drops. */
  readonly fate?: QuantityFate | undefined
}

/** Brings the rows of quantities to what a log has of them, in the transaction that stores the log. */
export async function followLog(tx: Transaction, farm: Farm, change: LogChange): Promise<void> {
  const { before, after, set, at, fate = isGone } = change
  if (!concernsQuantities(before, after)) return
  const had = before === undefined ? [] : await standingIn(tx, before)
  const byUuid = new Map(had.map((standing) => [standing.row.uuid, standing]))
  const has = after === undefined ? [] : await namedIn(tx, after, had)
  const staying = new Set(has.map(({ uuid }) => uuid))
  for (const { row, values } of had) {
    if (staying.has(row.uuid)) continue
    if (fate(row) === 'waits') await letWait(tx, farm, { row, values, set, at })
    else await letGo(tx, { row, set, at })
  }
  for (const quantity of has) {
    const standing = byUuid.get(quantity.uuid)
    if (standing !== undefined) await keep(tx, farm, { ...standing, quantity, at })
  }
  const quantities = has.filter(({ uuid }) => !byUuid.has(uuid))
  if (after !== undefined && quantities.length > 0) await addQuantities(tx, farm, { log: after, quantities, set, at })
}

function concernsQuantities(before: StoredRecord | undefined, after: StoredRecord | undefined): boolean {
  if ((before ?? after)?.type !== 'log') return false
  if (![before, after].some((log) => log !== undefined && hasQuantities(log.values))) return false
  return !isDeepStrictEqual(listsOf(before), listsOf(after))
}

const listsOf = (log: StoredRecord | undefined) =>
  log && [log.values.quantity, log.values.inventory, log.values.material]

/** A quantity that a log has, with its row. */
interface QuantityWithRow {
  readonly row: TakenRow
  readonly field: QuantityInLog['field'] | undefined
  readonly values: Values
}

async function standingIn(tx: Transaction, log: StoredRecord): Promise<readonly QuantityWithRow[]> {
  const byPlace = new Map(quantitiesIn(log.values).map((quantity) => [placeOf(quantity), quantity]))
  return (await quantityRowsOfLogs(tx, [log.id])).map((row) => {
    const quantity = byPlace.get(placeOf(row))
    return { row, field: quantity?.field, values: quantity?.values ?? {} }
  })
}

/** The quantities of a log from here on; a material keeps its identity. */
function namedIn(
  tx: Transaction,
  log: StoredRecord,
  had: readonly QuantityWithRow[],
): Promise<readonly NamedQuantity[]> {
  const materials = new Map(
    had.flatMap(({ row, field, values }) => (field === 'material' ? [[termsIn(values)[0], row.uuid] as const] : [])),
  )
  const quantities = quantitiesIn(log.values).map((quantity) =>
    quantity.field === 'material' ? { ...quantity, uuid: materials.get(termsIn(quantity.values)[0]) } : quantity,
  )
  return withUuids(tx, log, quantities)
}

interface KeptQuantity extends QuantityWithRow {
  readonly quantity: NamedQuantity
  readonly at: number
}

async function keep(tx: Transaction, farm: Farm, { row, values, quantity, at }: KeptQuantity): Promise<void> {
  const isAsBefore = isDeepStrictEqual(values, quantity.values)
  const after = takenRow(quantity, row.log_id, isAsBefore ? row : { ...row, changed: at })
  const changed = Object.entries(after).filter(([column, value]) => value !== row[column as keyof TakenRow])
  await changeQuantity(tx, row.id, Object.fromEntries(changed))
  if (isAsBefore) return
  const indexes = { before: indexOfTaken(farm, row, values), after: indexOfTaken(farm, after, quantity.values) }
  await reindex(tx, [{ id: row.id, ...indexes }])
}
