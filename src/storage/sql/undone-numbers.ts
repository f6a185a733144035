import type { Transaction } from '../database.ts'
import { ask, fragment, joined, listed, word } from './fragment.ts'

/** The tables whose numbers a change of records draws, and their keys. */
const keys = { term: 'id', asset: 'id', quantity: 'id', log: 'id', file: 'id', journal: 'sequence' } as const

type NumberedTable = keyof typeof keys
const tables = Object.keys(keys) as NumberedTable[]

/** The highest number that each table has given. */
export type GivenNumbers = ReadonlyMap<string, number>

/** The numbers that were given so far. Those that are given from here on are given again once the transaction is undone. */
export async function numbersToUndo(tx: Transaction): Promise<GivenNumbers> {
  if (tx.engine === 'sqlite') {
    const rows = await ask<Given>(
      tx,
      fragment`select name as "table", seq as given from sqlite_sequence where name in (${listed(tables)})`,
    )
    return new Map(rows.map(({ table, given }) => [table, given]))
  }
  const rows = await ask<Given & { readonly sequence: string }>(tx, givenOnPostgres)
  // Numbers that a sequence gives stay given also where the transaction is undone, but not if it was restarted within.
  for (const { sequence, given } of rows)
    await ask(tx, fragment`alter sequence ${word(sequence)} restart with ${word(String(given + 1))}`)
  return new Map(rows.map(({ table, given }) => [table, given]))
}

interface Given {
  readonly table: string
  readonly given: number
}

const sequences = joined(
  tables.map((table) => word(`('${table}', pg_get_serial_sequence('${table}', '${keys[table]}'))`)),
  ', ',
)

const givenOnPostgres = fragment`select "table", sequence, coalesce(pg_sequence_last_value(sequence::regclass), 0) as given
  from (values ${sequences}) as numbered ("table", sequence)`
