import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { Pool } from 'pg'
import { Refusal } from '../../refusal.ts'
import { CannotOpen } from '../cannot-open.ts'
import { type Database, onEngine } from '../database.ts'
import type { Tables } from '../tables.ts'
import { PostgresDriver } from './driver.ts'
import { isConflict, isConnectionLoss, isServerTrouble, isStalePlan } from './errors.ts'
import { valueTypes } from './values.ts'

const oldestServer = 140000
const mostAttempts = 6

export async function openPostgres(url: string): Promise<Database> {
  const pool = new Pool({
    connectionString: url,
    application_name: 'furrow',
    max: 10,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    idle_in_transaction_session_timeout: 60_000,
    types: valueTypes,
  })
  // A lost connection is reported by the query that meets it; an unheard 'error' event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await assertSuitable(pool, url)

  const queries = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PostgresDriver(pool),
      createIntrospector: (queries) => new PostgresIntrospector(queries),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const snapshot = queries.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  const change = queries.transaction().setIsolationLevel('read committed').setAccessMode('read write')
  return {
    engine: 'postgres',
    read: (work) => retryConflicts(() => snapshot.execute((rows) => work(onEngine(rows, 'postgres')))),
    write: (work) => retryConflicts(() => change.execute((rows) => work(onEngine(rows, 'postgres')))),
    async close() {
      if (!pool.ended) await pool.end()
    },
  }
}

async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (isConnectionLoss(error)) {
        throw new Refusal('busy', 'The database cannot be reached. Try again.', { retryAfterSeconds: 1 })
      }
      if (isServerTrouble(error)) {
        throw new Refusal(
          'busy',
          `Nothing was saved, because the database cannot (${error.message}). Try again later.`,
          {
            retryAfterSeconds: 30,
          },
        )
      }
      if (!isConflict(error) && !isStalePlan(error)) throw error
      if (attempts === mostAttempts) {
        throw new Refusal('busy', 'Others are changing the same records. Try again.', { retryAfterSeconds: 1 })
      }
      await sleep(Math.random() * 10 * 2 ** attempts)
    }
  }
}

async function assertSuitable(pool: Pool, url: string): Promise<void> {
  const { host, pathname } = new URL(url)
  const name = `PostgreSQL at ${host}${pathname}`
  const { version, encoding } = await askServer(pool).catch(async (error: Error) => {
    await pool.end()
    throw new CannotOpen(`${name} cannot be used: ${error.message}`, { cause: error })
  })
  if (version >= oldestServer && encoding === 'UTF8') return
  await pool.end()
  throw new CannotOpen(`${name} cannot be used: PostgreSQL 14 or newer with a UTF8 database is needed.`)
}

async function askServer(pool: Pool): Promise<{ version: number; encoding: string }> {
  const { rows } = await pool.query(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  )
  return rows[0]
}
