import { CannotOpen } from '../cannot-open.ts'
import type { Database, Writing } from '../database.ts'
import { existingTables } from '../existing-tables.ts'
import { ask, fragment, listed, named } from '../fragment.ts'
import { type ServerAtWork, serversAtWork } from '../heartbeat.ts'
import { blueprintOf } from '../migrations/blueprint.ts'
import { newest } from '../migrations/migrations.ts'
import { openPostgres } from '../postgres/open-postgres.ts'
import { tableNames } from '../table-fates.ts'
import { isEmptyFarm } from './emptiness.ts'
import { type Fill, nameOfThisMoment, occupied, type Wish } from './replacement.ts'

/** PostgreSQL takes all of it in one transaction: the old tables step aside into a schema of their own, new ones come. */
export async function replaceTables(url: string, wish: Wish, fill: Fill): Promise<string | null> {
  const database = await openPostgres(url)
  const where = `the database ${new URL(url).pathname.slice(1)}`
  try {
    return await database.write(async (rows) => {
      await refuseBesideServers(rows, where)
      const empty = await isEmptyFarm(rows)
      if (!empty && wish.ifOccupied === 'refuse') throw occupied(where)
      const aside = `furrow_before_${nameOfThisMoment(wish.clock)}`
      await stepAside(rows, aside)
      await fill(within(rows))
      if (!empty) return `the schema ${aside} of ${where}`
      await ask(rows, fragment`drop schema ${named(aside)} cascade`)
      return null
    })
  } finally {
    await database.close()
  }
}

/** A farm is not to be changed under those who work on it. A server's connections are closed while nobody asks it anything. */
async function refuseBesideServers(rows: Writing, where: string): Promise<void> {
  const there = await existingTables(rows, 'postgres')
  const [server] = there.has('server') ? await serversAtWork(rows) : []
  if (server !== undefined) throw new CannotOpen(besideServer(server, where))
  const others = await ask(
    rows,
    fragment`select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'furrow' and pid <> pg_backend_pid() limit 1`,
  )
  if (others.length > 0) throw new CannotOpen(`A server or another command is using ${where}. Stop it first.`)
}

const besideServer = ({ host, pid, began }: ServerAtWork, where: string): string =>
  `A server is using ${where}: process ${pid} on ${host}, since ${new Date(began * 1000).toISOString()}. Stop it first. ` +
  'If it was killed, wait half a minute: then it no longer counts.'

/** Indexes, sequences and triggers go with their tables; functions have to be told, also those that no trigger calls any more. */
async function stepAside(rows: Writing, schema: string): Promise<void> {
  const there = await existingTables(rows, 'postgres')
  const tables = tableNames.filter((name) => there.has(name))
  const { functions } = await blueprintOf('postgres', newest)
  const called = await ask<{ name: string }>(
    rows,
    fragment`select proname as name from pg_proc
      where pronamespace = current_schema()::regnamespace and proname in (${listed([...functions])})`,
  )
  await ask(rows, fragment`create schema ${named(schema)}`)
  for (const table of tables) await ask(rows, fragment`alter table ${named(table)} set schema ${named(schema)}`)
  for (const { name } of called) {
    await ask(rows, fragment`alter function ${named(name)} set schema ${named(schema)}`)
  }
}

/** A database whose every transaction is part of one that is open already. */
const within = (rows: Writing): Database => ({
  engine: 'postgres',
  read: (work) => work(rows),
  ask: (question) => question(rows),
  write: (work) => work(rows),
  close: async () => {},
})
