import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { decimalKey, textKey } from '../../fields/key.ts'
import type { Values } from '../../fields/value.ts'
import type { Snapshot, Transaction } from '../database.ts'
import { inSlices } from '../sql/fragment.ts'
import { insertAll } from '../sql/insertion.ts'
import { prepared, preparedSending } from '../sql/prepared.ts'
import type { QuantityPlace, QuantityRow } from '../sql/tables.ts'

export type QuantityRecordRow = Readonly<Selectable<QuantityRow>>

/** The row of a quantity that a log has. */
export type TakenRow = QuantityRecordRow & {
  readonly log_id: number
  readonly field: QuantityPlace
  readonly position: number
}

interface Ids {
  readonly ids: readonly number[]
}

/** The quantities of these logs, in the order of their numbers. */
export async function quantityRowsOfLogs(snapshot: Snapshot, logs: readonly number[]): Promise<readonly TakenRow[]> {
  const rows = await inSlices(logs, (slice) => rowsOfLogs(snapshot, { ids: slice }))
  // The cast is safe: a quantity of a log has a position.
  return rows as readonly TakenRow[]
}

const rowsOfLogs = prepared((snapshot, { ids }: Ids) =>
  snapshot.selectFrom('quantity').selectAll().where('log_id', 'in', ids).orderBy('id'),
)

export const quantityRows = (snapshot: Snapshot, ids: readonly number[]): Promise<readonly QuantityRecordRow[]> =>
  inSlices(ids, (slice) => rowsWithIds(snapshot, { ids: slice }))

const rowsWithIds = prepared((snapshot, { ids }: Ids) =>
  snapshot.selectFrom('quantity').selectAll().where('id', 'in', ids),
)

/** The same, locked until the transaction ends: whoever wants to take one of them meanwhile waits, and then finds it taken. */
export const lockQuantities = (tx: Transaction, ids: readonly number[]): Promise<readonly QuantityRecordRow[]> =>
  inSlices(
    ids.toSorted((a, b) => a - b),
    (slice) => rowsToTake(tx, { ids: slice }),
  )

const rowsToTake = prepared((tx: Transaction, { ids }: Ids) =>
  tx.selectFrom('quantity').selectAll().where('id', 'in', ids).orderBy('id').forUpdate(),
)

export const insertQuantities = (tx: Transaction, rows: readonly QuantityRecordRow[]): Promise<void> =>
  insertAll(tx, 'quantity', rows)

type Columns = Partial<Omit<QuantityRecordRow, 'id'>>

export async function changeQuantity(tx: Transaction, id: number, columns: Columns): Promise<void> {
  if (Object.keys(columns).length > 0) await quantityChanged(tx, { ...columns, id })
}

const quantityChanged = preparedSending(
  (tx, { id, ...row }: Readonly<Record<string, string | number | null>> & { readonly id: number }) =>
    tx.updateTable('quantity').set(row).where('id', '=', id),
)

export async function deleteQuantity(tx: Transaction, id: number): Promise<void> {
  await quantityDeleted(tx, { id })
}

const quantityDeleted = preparedSending((tx, { id }: { readonly id: number }) =>
  tx.deleteFrom('quantity').where('id', '=', id),
)

type FoundBy = Pick<QuantityRow, 'measure' | 'label_key' | 'value_key' | 'adjustment' | 'unit_id'>

/** Filter columns of a quantity, with or without a log. */
export const columnsOfQuantity = ({ measure, label, value, adjustment, unit }: Values): FoundBy => ({
  measure: wordOf(measure),
  label_key: textKey(wordOf(label)),
  value_key: typeof value === 'string' ? decimalKey(value) : '',
  adjustment: wordOf(adjustment),
  unit_id: typeof unit === 'number' ? unit : null,
})

const wordOf = (value: Values[string] | undefined): string => (typeof value === 'string' ? value : '')

/** A term among the materials of a log. */
interface MaterialOfLog {
  /** The UUID of the log. */
  readonly log: string
  readonly term: number
  /** Counted up where the one before is taken. */
  readonly nth: number
}

/** The UUID of a material of which its log says nothing more: nothing but the log is needed to know it again. */
export const materialUuid = (material: MaterialOfLog): string => hashed(material, 4)

/** The UUID that farms gave to the same material at first, with the version digit 8. A quantity that has it keeps it. */
export const earlierMaterialUuid = (material: MaterialOfLog): string => hashed(material, 8)

function hashed({ log, term, nth }: MaterialOfLog, version: 4 | 8): string {
  const hash = createHash('sha256').update(`${log} material ${term} ${nth}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${version}${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
