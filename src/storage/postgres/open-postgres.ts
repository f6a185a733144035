import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientBase, type ClientConfig, Pool, type PoolConfig } from 'pg'
import { Refusal } from '../../refusal.ts'
import { CannotOpen } from '../cannot-open.ts'
import type { Database, Snapshot, Transaction } from '../database.ts'
import { takeChange } from '../feed/changed-transactions.ts'
import { messageOf } from '../sql/error-message.ts'
import { ChangeSignals } from './change-signals.ts'
import { connectionFrom, type PostgresConnection } from './connection.ts'
import {
  isConflict,
  isConnectionLoss,
  isLongWait,
  isServerTrouble,
  isStalePlan,
  isWaitForConnection,
} from './errors.ts'
import { Reachability } from './reachability.ts'
import { explainedRight, type Rights, requireRights, rightsInSql } from './rights.ts'
import { valueTypes } from './values.ts'

const oldestServer = 140000
const mostAttempts = 6

export async function openPostgres(url: string): Promise<Database> {
  // Rows are copied in by a query of our own, and a write waits for its transaction to be there: neither goes with a pipeline.
  const reading = poolAt(url, { pipeline: true, onConnect: readOnly })
  const writing = poolAt(url, { pipeline: false })
  const rights = await assertSuitable(writing, url)
  const reachability = new Reachability()
  const signals = new ChangeSignals(connectionTo(url), writing)
  const attempting = <T>(attempt: () => Promise<T>): Promise<T> =>
    retryConflicts(attempt, reachability).catch((error) => {
      throw explainedRight(error, rights)
    })
  return {
    engine: 'postgres',
    read: (work) => attempting(() => onSnapshot(reading, work)),
    ask: (question) => attempting(() => onConnection(reading, ({ tx }) => question(tx))),
    write: (work) => attempting(() => inTransaction(writing, { work, whenChanged: () => signals.noteCommit() })),
    dryRun: (work) => attempting(() => inDryRun(writing, work)),
    watchChanges: (tell) => signals.watch(tell),
    onReachability: (tell) => reachability.tellTo(tell),
    async close() {
      if (writing.ended) return
      await signals.close()
      await Promise.all([reading.end(), writing.end()])
    },
  }
}

/** A question on its own has no transaction that could say it. */
const readOnly = (client: ClientBase) => client.query('set default_transaction_read_only = on')

const connectionTo = (url: string): ClientConfig => ({
  connectionString: url,
  application_name: 'furrow',
  keepAlive: true,
  connectionTimeoutMillis: 5000,
})

function poolAt(url: string, options: Pick<PoolConfig, 'pipeline' | 'onConnect'>): Pool {
  const pool = new Pool({
    ...connectionTo(url),
    max: 10,
    idle_in_transaction_session_timeout: 60_000,
    types: valueTypes,
    ...options,
  })
  // A lost connection is reported by the query that meets it; an unheard 'error' event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** The beginning travels with the first query, and whoever asked need not wait until the server has heard of the end. */
const onSnapshot = <T>(pool: Pool, work: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
  onConnection(pool, async (connection) => {
    connection.say('start transaction isolation level repeatable read read only')
    const result = await work(connection.tx)
    if (connection.fault !== undefined) throw connection.fault
    connection.say('commit')
    return result
  })

interface Change<T> {
  readonly work: (tx: Transaction) => Promise<T>
  readonly whenChanged: () => void
}

const beginning = 'start transaction isolation level read committed read write'

const inTransaction = <T>(pool: Pool, { work, whenChanged }: Change<T>): Promise<T> =>
  onConnection(pool, async (connection) => {
    await connection.run(beginning)
    takeChange(connection.tx)
    const result = await work(connection.tx)
    // The server answers a commit after a failed statement with a rollback, and without an error.
    if ((await connection.run('commit')) === 'COMMIT') {
      if (takeChange(connection.tx)) whenChanged()
      return result
    }
    throw new Error('A statement of this transaction failed; it cannot be committed')
  })

const inDryRun = <T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  onConnection(pool, async (connection) => {
    await connection.run(beginning)
    const result = await work(connection.tx)
    // Where a statement has failed, nothing could be committed: the server then takes no other.
    await connection.run('savepoint done')
    await connection.rollBack()
    return result
  })

async function onConnection<T>(pool: Pool, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
  const connection = await connectionFrom(pool)
  try {
    return await work(connection)
  } catch (error) {
    await connection.rollBack()
    throw error
  } finally {
    connection.release()
  }
}

async function retryConflicts<T>(attempt: () => Promise<T>, reachability: Reachability): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      const result = await attempt()
      reachability.noteSuccess()
      return result
    } catch (error) {
      // While no connection can be made, those who wait for one wait in vain.
      if (isConnectionLoss(error) || (isWaitForConnection(error) && reachability.isLost)) {
        reachability.noteLoss(error)
        throw new Refusal('busy', 'The database cannot be reached. Try again.', { retryAfterSeconds: 1 })
      }
      if (isLongWait(error)) {
        throw new Refusal(
          'busy',
          'The farm is busy: too much waits for its database. Nothing was changed; try again.',
          {
            retryAfterSeconds: 1,
            cause: error,
          },
        )
      }
      if (isServerTrouble(error)) {
        throw new Refusal(
          'busy',
          `Nothing was saved, because the database cannot (${error.message}). Try again later.`,
          { retryAfterSeconds: 30, cause: error },
        )
      }
      if (!isConflict(error) && !isStalePlan(error)) throw error
      if (attempts === mostAttempts) {
        throw new Refusal('busy', 'Others are changing the same records. Try again.', {
          retryAfterSeconds: 1,
          cause: error,
        })
      }
      await sleep(Math.random() * 10 * 2 ** attempts)
    }
  }
}

async function assertSuitable(pool: Pool, url: string): Promise<Rights> {
  const { host, pathname } = new URL(url)
  const name = `PostgreSQL at ${host}${pathname}`
  try {
    const { version, encoding } = await askServer<Server>(pool, serverInSql)
    if (version < oldestServer || encoding !== 'UTF8')
      throw new Error('PostgreSQL 14 or newer with a UTF8 database is needed.')
    const rights = await askServer<Rights>(pool, rightsInSql)
    requireRights(rights)
    return rights
  } catch (error) {
    await pool.end()
    throw error instanceof CannotOpen
      ? error
      : new CannotOpen(`${name} cannot be used: ${messageOf(error)}`, { cause: error })
  }
}

interface Server {
  readonly version: number
  readonly encoding: string
}

const serverInSql = `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`

// Whoever asks knows the row that answers.
const askServer = async <T>(pool: Pool, question: string): Promise<T> => (await pool.query(question)).rows[0] as T
