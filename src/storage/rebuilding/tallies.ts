import { sql } from 'kysely'
import type { Writing } from '../database.ts'

/** By what each table is counted beside the bundle (see the migration that counts). */
const statusOf = {
  log: sql`status`,
  asset: sql`case when archived = 0 then 'kept' else 'archived' end`,
  term: sql`''`,
} as const

export const countedTables = ['log', 'asset', 'term'] as const

/** Bundle, status and count of everything in one of these tables, counted one by one. */
export const counts = (table: (typeof countedTables)[number]) =>
  sql<{ bundle: string; status: string; count: number }>`select bundle, status, count(*) as count
    from (select bundle, ${statusOf[table]} as status from ${sql.ref(table)}) as records group by bundle, status`

/** Counts everything anew. */
export async function countAnew(rows: Writing): Promise<void> {
  await rows.deleteFrom('tally').execute()
  for (const table of countedTables) {
    await sql`insert into tally (record_table, bundle, status, slot, count)
      select ${sql.lit(table)}, bundle, status, 0, count from (${counts(table)}) as counts`.execute(rows)
  }
}
