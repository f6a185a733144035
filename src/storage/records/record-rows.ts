import type { RecordTypeName } from '../../farm/farm.ts'
import type { Values } from '../../fields/value.ts'
import type { Snapshot, Transaction } from '../database.ts'
import type { PlacedThings } from '../history/stay-rows.ts'
import { ask, fragment, inSlices, joined, must, named, slicesOf, word } from '../sql/fragment.ts'
import { insertAll, insertNumbered } from '../sql/insertion.ts'
import { prepared, preparedFirst, preparedSending } from '../sql/prepared.ts'
import type { Tables } from '../sql/tables.ts'
import { type RecordToStore, rowOf, type StoredRecord, storedOf } from './stored.ts'

/** The record tables share the columns that these queries name, so one type stands for all. */
const shared = (type: RecordTypeName) => type as 'log'

type AnyRow = Parameters<typeof storedOf>[1]

interface Ids {
  readonly ids: readonly number[]
}

interface Id {
  readonly id: number
}

export const perType = <T>(make: (type: RecordTypeName) => T): Readonly<Record<RecordTypeName, T>> => ({
  log: make('log'),
  asset: make('asset'),
  term: make('term'),
  quantity: make('quantity'),
})

interface NewRecords {
  readonly records: readonly RecordToStore[]
  /** Ids to draw for accompanying quantities. */
  readonly quantities: number
}

interface KeptRecords {
  readonly stored: readonly StoredRecord[]
  readonly numbers: readonly number[]
}

/** Keeps new records of one type. */
export async function insertRecords(
  tx: Transaction,
  type: RecordTypeName,
  { records, quantities }: NewRecords,
): Promise<KeptRecords> {
  const rows = records.map(rowOf) as never
  const { ids, numbers } = await insertNumbered(tx, shared(type), { rows, quantities })
  return { stored: records.map((record, index) => ({ ...record, id: must(ids[index]) })), numbers }
}

/** Puts a record back that was there before, under the number that it had. */
export async function insertAgain(tx: Transaction, record: StoredRecord): Promise<void> {
  await insertAll(tx, shared(record.type), [{ id: record.id, ...rowOf(record) }] as never)
}

interface Replacement {
  readonly before: StoredRecord
  readonly after: StoredRecord
}

type ChangedColumns = Readonly<Record<string, string | number | null>> & Id

/** Writes the columns that differ: SQLite enters a row anew into the index of every column that is named. */
export async function replaceRecord(tx: Transaction, before: StoredRecord, after: StoredRecord): Promise<void> {
  await replacements[after.type](tx, changedColumns({ before, after }))
}

/** The same for many records of one type. Where the database is a journey away, those that change alike are one journey. */
export async function replaceRecords(
  tx: Transaction,
  type: RecordTypeName,
  changes: readonly Replacement[],
): Promise<void> {
  const rows = changes.map(changedColumns)
  if (tx.engine === 'postgres' && rows.length > 1) return updateRows(tx, type, rows)
  for (const row of rows) await replacements[type](tx, row)
}

function changedColumns({ before, after }: Replacement): ChangedColumns {
  const had = rowOf(before)
  const changed = Object.entries(rowOf(after)).filter(([column, value]) => value !== had[column])
  return { ...Object.fromEntries(changed), id: after.id }
}

const replacements = perType((type) =>
  preparedSending((tx, { id, ...row }: ChangedColumns) => tx.updateTable(shared(type)).set(row).where('id', '=', id)),
)

export async function deleteRecord(tx: Transaction, record: StoredRecord): Promise<void> {
  await deletions[record.type](tx, { id: record.id })
}

const deletions = perType((type) =>
  preparedSending((tx, { id }: Id) => tx.deleteFrom(shared(type)).where('id', '=', id)),
)

/** The record, locked until the transaction ends, so that concurrent updates of it follow one another. */
export async function lockToUpdate(
  tx: Transaction,
  type: RecordTypeName,
  id: number,
): Promise<StoredRecord | undefined> {
  const row = await rowToUpdate[type](tx, { id })
  return row === undefined ? undefined : storedOf(type, row as AnyRow)
}

const rowToUpdate = perType((type) =>
  preparedFirst((tx: Transaction, { id }: Id) =>
    tx.selectFrom(shared(type)).selectAll().where('id', '=', id).forNoKeyUpdate(),
  ),
)

/** The same for many, by id; those that do not exist are missing. */
export async function lockAllToUpdate(
  tx: Transaction,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredRecord>> {
  const [only, second] = ids
  if (only !== undefined && second === undefined) {
    const one = await lockToUpdate(tx, type, only)
    return new Map(one === undefined ? [] : [[only, one]])
  }
  // A fixed order prevents deadlocks.
  const inOrder = ids.toSorted((a, b) => a - b)
  const found = await inSlices(inOrder, (slice) => rowsToUpdate[type](tx, { ids: slice }))
  return new Map(found.map((row) => [row.id, storedOf(type, row as AnyRow)]))
}

const rowsToUpdate = perType((type) =>
  prepared((tx: Transaction, { ids }: Ids) =>
    tx.selectFrom(shared(type)).selectAll().where('id', 'in', ids).orderBy('id').forNoKeyUpdate(),
  ),
)

/** The record, locked also against those who are about to refer to it. */
export async function lockToRemove(
  tx: Transaction,
  type: RecordTypeName,
  id: number,
): Promise<StoredRecord | undefined> {
  const row = await rowToRemove[type](tx, { id })
  return row === undefined ? undefined : storedOf(type, row as AnyRow)
}

const rowToRemove = perType((type) =>
  preparedFirst((tx: Transaction, { id }: Id) =>
    tx.selectFrom(shared(type)).selectAll().where('id', '=', id).forUpdate(),
  ),
)

/** Lets one transaction at a time change the timelines of these things; where there is one writer, that is so. */
export async function lockTimelines(tx: Transaction, { type, ids }: PlacedThings): Promise<void> {
  if (tx.engine === 'sqlite') return
  // A fixed order, also across slices, prevents deadlocks.
  const inOrder = ids.toSorted((a, b) => a - b)
  for (const slice of slicesOf(inOrder)) await timelinesLocked[type](tx, { ids: slice })
}

const timelinesLocked = perType((type) =>
  preparedSending((tx, { ids }: Ids) =>
    tx.selectFrom(shared(type)).select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate(),
  ),
)

/** The records with these ids that exist, by id. */
export async function recordsByIds(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredRecord>> {
  const found = await inSlices(ids, (slice) => rowsByIds[type](snapshot, { ids: slice }))
  return new Map(found.map((row) => [row.id, storedOf(type, row as AnyRow)]))
}

const recordsInATurn = 32

/** The same in no order, a few at a time: so that whoever finds them too large has not all of them in memory. */
export async function* recordsInTurn(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): AsyncGenerator<StoredRecord> {
  for (let start = 0; start < ids.length; start += recordsInATurn)
    yield* (await recordsByIds(snapshot, type, ids.slice(start, start + recordsInATurn))).values()
}

const rowsByIds = perType((type) =>
  prepared((snapshot, { ids }: Ids) => snapshot.selectFrom(shared(type)).selectAll().where('id', 'in', ids)),
)

/** The fields of these records that have no column of their own: all that the rules of history ask for. */
export async function fieldsByIds(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Values>> {
  const found = await inSlices(ids, (slice) => fieldsIn[type](snapshot, { ids: slice }))
  return new Map(found.map((row) => [row.id, JSON.parse(row.fields)]))
}

const fieldsIn = perType((type) =>
  prepared((snapshot, { ids }: Ids) =>
    snapshot.selectFrom(shared(type)).select(['id', 'fields']).where('id', 'in', ids),
  ),
)

/** The time of each of these logs. */
export async function momentsByIds(snapshot: Snapshot, logs: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const found = await inSlices(logs, (slice) => momentsIn(snapshot, { ids: slice }))
  return new Map(found.map((row) => [row.id, row.timestamp]))
}

const momentsIn = prepared((snapshot, { ids }: Ids) =>
  snapshot.selectFrom('log').select(['id', 'timestamp']).where('id', 'in', ids),
)

/** Revisions by id; missing records are left out. */
export async function revisionsByIds(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const found = await inSlices(ids, (slice) => revisionsIn[type](snapshot, { ids: slice }))
  return new Map(found.map((row) => [row.id, row.revision]))
}

const revisionsIn = perType((type) =>
  prepared((snapshot, { ids }: Ids) =>
    snapshot.selectFrom(shared(type)).select(['id', 'revision']).where('id', 'in', ids),
  ),
)

/** Bundles by id, with the rows locked until the transaction ends; missing records are left out. */
export async function bundlesOfLocked(
  tx: Transaction,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const found = await inSlices(ids, (slice) => bundlesLocked[type](tx, { ids: slice }))
  return new Map(found.map((row) => [row.id, row.bundle]))
}

const bundlesLocked = perType((type) =>
  prepared((tx: Transaction, { ids }: Ids) =>
    tx.selectFrom(shared(type)).select(['id', 'bundle']).where('id', 'in', ids).orderBy('id').forKeyShare(),
  ),
)

export async function termNames(snapshot: Snapshot, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const found = await inSlices(ids, (slice) => namesByIds(snapshot, { ids: slice }))
  return new Map(found.map((row) => [row.id, row.name]))
}

const namesByIds = prepared((snapshot, { ids }: Ids) =>
  snapshot.selectFrom('term').select(['id', 'name']).where('id', 'in', ids),
)

/** The columns that differ, and which row it is. */
type UpdatedRow = Readonly<Record<string, string | number | null>> & { readonly id: number }

/** Changes rows of one table of PostgreSQL: those that differ in the same columns by one statement. */
async function updateRows(tx: Transaction, table: keyof Tables, rows: readonly UpdatedRow[]): Promise<void> {
  const alike = new Map<string, UpdatedRow[]>()
  for (const row of rows) {
    const shape = Object.entries(row).map(([column, value]) => `${column} ${typeof value}`)
    const same = alike.get(shape.join())
    if (same === undefined) alike.set(shape.join(), [row])
    else same.push(row)
  }
  for (const those of alike.values()) await inSlices(those, (slice) => updateAlike(tx, table, slice))
}

/** Rows that have the same columns, with values of the same kind in each. */
function updateAlike(tx: Transaction, table: keyof Tables, rows: readonly UpdatedRow[]): Promise<readonly unknown[]> {
  const [first = { id: 0 }] = rows
  const columns = Object.keys(first).filter((column) => column !== 'id')
  const typed = ['id', ...columns].map(
    (column) => fragment`${named(column)} ${word(typeof first[column] === 'number' ? 'bigint' : 'text')}`,
  )
  const set = columns.map((column) => fragment`${named(column)} = now.${named(column)}`)
  return ask(
    tx,
    fragment`update ${named(table)} as had set ${joined(set, ', ')}
      from json_to_recordset(${JSON.stringify(rows)}::json) as now (${joined(typed, ', ')}) where had.id = now.id`,
  )
}
