import { sql } from 'kysely'
import type { Engine, Reading, Writing } from './database.ts'
import { existingTables } from './existing-tables.ts'
import { askInSql } from './sql-question.ts'
import { numberedTables } from './table-fates.ts'

/** The highest number that each table has given, also to what is gone since. */
export async function givenNumbers(rows: Reading, engine: Engine): Promise<Readonly<Record<string, number>>> {
  const there = await existingTables(rows, engine)
  const numbers: Record<string, number> = {}
  for (const [table, { key }] of numberedTables) {
    if (there.has(table)) numbers[table] = await givenNumber(rows, engine, { table, key })
  }
  return numbers
}

interface Column {
  readonly table: string
  readonly key: string
}

async function givenNumber(rows: Reading, engine: Engine, { table, key }: Column): Promise<number> {
  if (engine === 'sqlite') {
    const [row] = await askInSql(rows, sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`)
    return row?.seq ?? 0
  }
  const [sequence] = await askInSql(
    rows,
    sql<{ name: string }>`select pg_get_serial_sequence(${table}, ${key}) as name`,
  )
  const [row] = await askInSql(
    rows,
    sql<{
      given: number
    }>`select case when is_called then last_value else 0 end as given from ${sql.raw(sequence?.name ?? '')}`,
  )
  return row?.given ?? 0
}

/** From here on the tables count on from these numbers. */
export async function continueNumbers(
  rows: Writing,
  engine: Engine,
  numbers: Readonly<Record<string, number>>,
): Promise<void> {
  const there = await existingTables(rows, engine)
  for (const [table, { key }] of numberedTables) {
    if (!there.has(table)) continue
    const given = numbers[table] ?? 0
    if (engine === 'sqlite') {
      await sql`delete from sqlite_sequence where name = ${table}`.execute(rows)
      if (given > 0) await sql`insert into sqlite_sequence (name, seq) values (${table}, ${given})`.execute(rows)
    } else {
      await sql`select setval(pg_get_serial_sequence(${table}, ${key}), ${Math.max(given, 1)}::bigint, ${given > 0}::int::boolean)`.execute(
        rows,
      )
    }
  }
}
