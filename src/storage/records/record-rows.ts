import type { RecordTypeName } from '../../farm/farm.ts'
import type { Reading, Writing } from '../database.ts'
import { rowOf, type Stored, storedOf, tableOf, type Unstored } from './stored.ts'

/** The three record tables share the columns that these queries name, so one type stands for all. */
const shared = (type: RecordTypeName) => tableOf[type] as 'log'

type AnyRow = Parameters<typeof storedOf>[1]

export async function insertRecord(rows: Writing, record: Unstored): Promise<Stored> {
  const { id } = await rows
    .insertInto(shared(record.type))
    .values(rowOf(record) as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...record, id }
}

export async function replaceRecord(rows: Writing, record: Stored): Promise<void> {
  await rows.updateTable(shared(record.type)).set(rowOf(record)).where('id', '=', record.id).execute()
}

export async function deleteRecord(rows: Writing, record: Stored): Promise<void> {
  await rows.deleteFrom(shared(record.type)).where('id', '=', record.id).execute()
}

/** The record, locked until the transaction ends, so that concurrent updates of it follow one another. */
export async function lockToUpdate(rows: Writing, type: RecordTypeName, id: number): Promise<Stored | undefined> {
  const row = await rows.selectFrom(shared(type)).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row === undefined ? undefined : storedOf(type, row as AnyRow)
}

/** The record, locked also against those who are about to refer to it. */
export async function lockToRemove(rows: Writing, type: RecordTypeName, id: number): Promise<Stored | undefined> {
  const row = await rows.selectFrom(shared(type)).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row === undefined ? undefined : storedOf(type, row as AnyRow)
}

/** Lets one transaction at a time change the timelines of these assets. */
export async function lockTimelines(rows: Writing, assets: readonly number[]): Promise<void> {
  if (assets.length === 0) return
  await rows.selectFrom('asset').select('id').where('id', 'in', assets).orderBy('id').forNoKeyUpdate().execute()
}

/** The records with these ids that exist, by id. */
export async function recordsByIds(
  rows: Reading,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Stored>> {
  if (ids.length === 0) return new Map()
  const found = await rows.selectFrom(shared(type)).selectAll().where('id', 'in', ids).execute()
  return new Map(found.map((row) => [row.id, storedOf(type, row as AnyRow)]))
}

/** Which bundle each of these records has; those that do not exist are missing. They stay until the transaction ends. */
export async function bundlesOfLocked(
  rows: Writing,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const found = await rows
    .selectFrom(shared(type))
    .select(['id', 'bundle'])
    .where('id', 'in', ids)
    .forKeyShare()
    .execute()
  return new Map(found.map((row) => [row.id, row.bundle]))
}

export async function termNames(rows: Reading, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const found = await rows.selectFrom('term').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(found.map((row) => [row.id, row.name]))
}
