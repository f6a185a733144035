import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Reading } from './database.ts'
import type { Tables } from './tables.ts'

/** Runs a query that is written by hand. What reads are given is a whole transaction, only narrowed by its type. */
export async function askInSql<T>(rows: Reading, query: RawBuilder<T>): Promise<T[]> {
  return (await query.execute(rows as unknown as Transaction<Tables>)).rows
}

export async function countOf(rows: Reading, table: string): Promise<number> {
  const [row] = await askInSql(rows, sql<{ count: number }>`select count(*) as count from ${sql.ref(table)}`)
  return row?.count ?? 0
}
