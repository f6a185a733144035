import type { Database, Transaction } from '../database.ts'
import { CannotOpen, databaseNameIn } from '../disk/cannot-open.ts'
import { type ServerAtWork, serversAtWork } from '../heartbeat.ts'
import { blueprintOf } from '../migrations/blueprint.ts'
import { newest } from '../migrations/migrations.ts'
import { openPostgres } from '../postgres/open-postgres.ts'
import { existingTables } from '../sql/existing-tables.ts'
import { ask, fragment, listed, named } from '../sql/fragment.ts'
import { tableNames } from '../sql/table-fates.ts'
import {
  type Fill,
  isWithout,
  nameOfThisMoment,
  occupied,
  type ReplaceOptions,
  recorded,
  signsOfLife,
  signsOfRecords,
} from './replacement.ts'

/** PostgreSQL takes all of it in one transaction: the old tables step aside into a schema of their own, new ones come. */
export async function replaceTables(url: string, options: ReplaceOptions, fill: Fill): Promise<string | null> {
  const database = await openPostgres(url)
  const where = `the database ${databaseNameIn(url)}`
  try {
    return await database.write(async (tx) => {
      await refuseBesideServers(tx, where)
      const empty = await isWithout(tx, database, signsOfLife)
      if (!empty && options.ifOccupied === 'refuse') throw occupied(where)
      if (options.ifOccupied === 'keep-unrecorded-aside' && !(await isWithout(tx, database, signsOfRecords)))
        throw recorded(where)
      const aside = `furrow_before_${nameOfThisMoment(options.clock)}`
      await stepAside(tx, aside)
      await fill(within(tx))
      if (!empty) return `the schema ${aside} of ${where}`
      await ask(tx, fragment`drop schema ${named(aside)} cascade`)
      return null
    })
  } finally {
    await database.close()
  }
}

/** A farm is not to be changed under those who work on it. A server's connections are closed while nobody asks it anything. */
async function refuseBesideServers(tx: Transaction, where: string): Promise<void> {
  const there = await existingTables(tx, 'postgres')
  const [server] = there.has('server') ? await serversAtWork(tx) : []
  if (server !== undefined) throw new CannotOpen(besideServer(server, where))
  for (let waits = 0; await isSomebodyConnected(tx); waits += 1) {
    if (waits === mostWaits) throw new CannotOpen(`A server or another command is using ${where}. Stop it first.`)
    await ask(tx, fragment`select pg_sleep(0.1), pg_stat_clear_snapshot()`)
  }
}

/** Tenths of a second: PostgreSQL lists a connection for a moment after it was closed. */
const mostWaits = 20

const isSomebodyConnected = async (tx: Transaction): Promise<boolean> => {
  const others = await ask(
    tx,
    fragment`select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'furrow' and pid <> pg_backend_pid() limit 1`,
  )
  return others.length > 0
}

const besideServer = ({ host, pid, began }: ServerAtWork, where: string): string =>
  `A server is using ${where}: process ${pid} on ${host}, since ${new Date(began * 1000).toISOString()}. Stop it first. ` +
  'If it was killed, wait half a minute: then it no longer counts.'

/** Indexes, sequences and triggers go with their tables; functions have to be told, also those that no trigger calls any more. */
async function stepAside(tx: Transaction, schema: string): Promise<void> {
  const there = await existingTables(tx, 'postgres')
  const tables = tableNames.filter((name) => there.has(name))
  const { functions } = await blueprintOf('postgres', newest)
  const called = await ask<{ name: string }>(
    tx,
    fragment`select proname as name from pg_proc
      where pronamespace = current_schema()::regnamespace and proname in (${listed([...functions])})`,
  )
  await ask(tx, fragment`create schema ${named(schema)}`)
  for (const table of tables) await ask(tx, fragment`alter table ${named(table)} set schema ${named(schema)}`)
  for (const { name } of called) {
    await ask(tx, fragment`alter function ${named(name)} set schema ${named(schema)}`)
  }
}

/** A database whose every transaction is part of one that is open already. */
const within = (tx: Transaction): Database => ({
  engine: 'postgres',
  read: (work) => work(tx),
  ask: (question) => question(tx),
  write: (work) => work(tx),
  dryRun: () => Promise.reject(new Error('Nothing is undone by itself in a farm that is being put in place')),
  close: async () => {},
})
