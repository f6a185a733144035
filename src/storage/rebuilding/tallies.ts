import type { Transaction } from '../database.ts'
import { ask, type Fragment, fragment, named, word } from '../sql/fragment.ts'

/** By what each table is counted beside the bundle (see the migration that counts). */
const statusOf = {
  log: fragment`status`,
  asset: fragment`case when archived = 0 then 'kept' else 'archived' end`,
  term: fragment`''`,
} as const

export const countedTables = ['log', 'asset', 'term'] as const

/** Bundle, status and count of everything in one of these tables, counted one by one. */
export const counts = (table: (typeof countedTables)[number]): Fragment =>
  fragment`select bundle, status, count(*) as count
    from (select bundle, ${statusOf[table]} as status from ${named(table)}) as records group by bundle, status`

/** Counts everything anew. */
export async function countAnew(tx: Transaction): Promise<void> {
  await ask(tx, fragment`delete from tally`)
  for (const table of countedTables) {
    await ask(
      tx,
      fragment`insert into tally (record_table, bundle, status, slot, count)
        select ${word(`'${table}'`)}, bundle, status, 0, count from (${counts(table)}) as counts`,
    )
  }
}
