import type { Engine, Snapshot, Transaction } from '../database.ts'
import { existingTables } from './existing-tables.ts'
import { ask, fragment, joined, listed, word } from './fragment.ts'
import { numberedTables } from './table-fates.ts'

/** The highest number that each table has given, also to what is gone since. */
export async function givenNumbers(snapshot: Snapshot, engine: Engine): Promise<Readonly<Record<string, number>>> {
  const there = await existingTables(snapshot, engine)
  const numbers: Record<string, number> = {}
  for (const [table, { key }] of numberedTables) {
    if (there.has(table)) numbers[table] = await givenNumber(snapshot, engine, { table, key })
  }
  return numbers
}

interface Column {
  readonly table: string
  readonly key: string
}

async function givenNumber(snapshot: Snapshot, engine: Engine, { table, key }: Column): Promise<number> {
  if (engine === 'sqlite') {
    const [row] = await ask<{ seq: number }>(snapshot, fragment`select seq from sqlite_sequence where name = ${table}`)
    return row?.seq ?? 0
  }
  const [sequence] = await ask<{ name: string }>(
    snapshot,
    fragment`select pg_get_serial_sequence(${table}, ${key}) as name`,
  )
  const [row] = await ask<{ given: number }>(
    snapshot,
    fragment`select case when is_called then last_value else 0 end as given from ${word(sequence?.name ?? '')}`,
  )
  return row?.given ?? 0
}

/** Sets the next ids of the tables. */
export async function continueNumbers(
  tx: Transaction,
  engine: Engine,
  numbers: Readonly<Record<string, number>>,
): Promise<void> {
  const there = await existingTables(tx, engine)
  for (const [table, { key }] of numberedTables) {
    if (!there.has(table)) continue
    const given = numbers[table] ?? 0
    if (engine === 'sqlite') {
      await ask(tx, fragment`delete from sqlite_sequence where name = ${table}`)
      if (given > 0) await ask(tx, fragment`insert into sqlite_sequence (name, seq) values (${table}, ${given})`)
    } else {
      const isGiven = Number(given > 0)
      await ask(
        tx,
        fragment`select setval(pg_get_serial_sequence(${table}, ${key}), ${Math.max(given, 1)}::bigint, ${isGiven}::int::boolean)`,
      )
    }
  }
}

/** Lets a table count on from an id that was inserted as it is. SQLite does so by itself. */
export async function raiseNumber(tx: Transaction, table: string, id: number): Promise<void> {
  const key = numberedTables.find(([name]) => name === table)?.[1].key
  if (tx.engine === 'sqlite' || key === undefined) return
  const sequence = fragment`pg_get_serial_sequence(${table}, ${key})`
  await ask(
    tx,
    fragment`select setval(${sequence}, ${id}::bigint)
      where coalesce(pg_sequence_last_value(${sequence}::regclass), 0) < ${id}::bigint`,
  )
}

/** The tables whose numbers a change of records draws, and their keys. */
const keys = { term: 'id', asset: 'id', quantity: 'id', log: 'id', file: 'id', journal: 'sequence' } as const

type NumberedTable = keyof typeof keys
const tables = Object.keys(keys) as NumberedTable[]

/** The highest number that each table has given. */
export type GivenNumbers = ReadonlyMap<string, number>

/** The numbers that were given so far. Those that are given from here on are given again once the transaction is undone. */
export async function numbersToUndo(tx: Transaction): Promise<GivenNumbers> {
  if (tx.engine === 'sqlite') {
    const rows = await ask<GivenNumber>(
      tx,
      fragment`select name as "table", seq as given from sqlite_sequence where name in (${listed(tables)})`,
    )
    return new Map(rows.map(({ table, given }) => [table, given]))
  }
  const rows = await ask<GivenNumber & { readonly sequence: string }>(tx, givenOnPostgres)
  // Numbers that a sequence gives stay given also where the transaction is undone, but not if it was restarted within.
  for (const { sequence, given } of rows)
    await ask(tx, fragment`alter sequence ${word(sequence)} restart with ${word(String(given + 1))}`)
  return new Map(rows.map(({ table, given }) => [table, given]))
}

interface GivenNumber {
  readonly table: string
  readonly given: number
}

const sequences = joined(
  tables.map((table) => word(`('${table}', pg_get_serial_sequence('${table}', '${keys[table]}'))`)),
  ', ',
)

const givenOnPostgres = fragment`select "table", sequence, coalesce(pg_sequence_last_value(sequence::regclass), 0) as given
  from (values ${sequences}) as numbered ("table", sequence)`
