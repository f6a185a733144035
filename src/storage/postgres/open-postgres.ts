import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientBase, type ClientConfig, Pool, type PoolConfig } from 'pg'
import { Refusal } from '../../refusal.ts'
import { takeChange } from '../change-set.ts'
import type { Database, Snapshot, Transaction } from '../database.ts'
import { CannotOpen } from '../disk/cannot-open.ts'
import { LongReads, type ReadBudget, TakesLong } from '../read-budget.ts'
import {
  isAfterFailure,
  isCancelled,
  isConflict,
  isConnectionLoss,
  isLongWait,
  isServerTrouble,
  isStalePlan,
  isWaitForConnection,
  messageOf,
} from '../sql/errors.ts'
import { ChangeSignals } from './change-signals.ts'
import { connectionFrom, type PostgresConnection, Reachability, valueTypes, waitedForProcessor } from './connection.ts'
import { explainedRight, type Rights, requireRights, rightsInSql } from './rights.ts'

const oldestServer = 140000
const mostAttempts = 6

export async function openPostgres(url: string): Promise<Database> {
  const reading = poolAt(url, { onConnect: readOnly })
  const writing = poolAt(url)
  const limited = new LimitedReads(reading, url)
  const rights = await assertSuitable(writing, url)
  const reachability = new Reachability()
  const signals = new ChangeSignals(connectionTo(url), writing)
  const attempting = <T>(attempt: () => Promise<T>): Promise<T> =>
    retryConflicts(attempt, reachability).catch((error) => {
      throw explainedRight(error, rights)
    })
  return {
    engine: 'postgres',
    read: (work, budget) =>
      attempting(() => (budget === undefined ? onSnapshot(reading, work) : limited.read(work, budget))),
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

/** Makes room of deleted rows usable again; it cannot be done within a transaction. */
export async function vacuumPostgres(url: string): Promise<void> {
  const client = new Client(connectionTo(url))
  await client.connect().catch((error) => {
    throw new CannotOpen(`The database cannot be reached: ${messageOf(error)}`, { cause: error })
  })
  await client.query('VACUUM (ANALYZE)').finally(() => client.end())
}

/** A question on its own has no transaction that could say it. */
const readOnly = (client: ClientBase) => client.query('set default_transaction_read_only = on')

const connectionTo = (url: string): ClientConfig => ({
  connectionString: url,
  application_name: 'furrow',
  keepAlive: true,
  connectionTimeoutMillis: 5000,
})

function poolAt(url: string, options: Pick<PoolConfig, 'onConnect'> = {}): Pool {
  const pool = new Pool({
    ...connectionTo(url),
    max: 10,
    pipeline: true,
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
    connection.say(snapshotBeginning)
    const result = await work(connection.tx)
    if (connection.fault !== undefined) throw connection.fault
    connection.say('commit')
    return result
  })

const snapshotBeginning = 'start transaction isolation level repeatable read read only'

/** Milliseconds that one statement may take, and all of a read together, before the read counts as long. */
const briefly = { statement: 100, whole: 500 }
/** Of the ten reading connections; the others stay free for short reads. */
const mostLong = 4
/** Milliseconds that one statement may take at most. */
const longest = 10_000

interface Limits {
  readonly statement: number
  readonly whole: number
}

/** Reads with a budget. One that turns out to be long begins anew, in line with other long ones. */
class LimitedReads {
  readonly #pool: Pool
  readonly #url: string
  readonly #long = new LongReads(mostLong)

  constructor(pool: Pool, url: string) {
    this.#pool = pool
    this.#url = url
  }

  async read<T>(work: (snapshot: Snapshot) => Promise<T>, budget: ReadBudget): Promise<T> {
    budget.check()
    // The places of streams are counted by those who give them.
    if (budget.kind === 'stream') return this.#readWithin(work, budget, unlimited)
    try {
      return await this.#readWithin(work, budget, briefly)
    } catch (error) {
      if (!(error instanceof TakesLong)) throw error
      return this.#long.whileInside(budget, () => this.#readWithin(work, budget, unlimited))
    }
  }

  #readWithin<T>(work: (snapshot: Snapshot) => Promise<T>, budget: ReadBudget, limits: Limits): Promise<T> {
    return onConnection(this.#pool, async (connection) => {
      const statement = Math.ceil(Math.min(limits.statement, budget.left * waitedForProcessor))
      connection.say(`${snapshotBeginning}; set local statement_timeout = ${statement}`)
      connection.limit(budget, limits.whole)
      let cancelling = Promise.resolve()
      const stopListening = budget.reader.onGone(() => {
        cancelling = this.#cancel(connection.processId)
      })
      try {
        const result = await work(connection.tx)
        if (connection.fault !== undefined) throw connection.fault
        return result
      } catch (error) {
        if (!isCancelled(error)) throw error
        throw limits === briefly && !budget.reader.isGone() ? new TakesLong() : budget.refusal(error)
      } finally {
        stopListening()
        // A cancellation that comes late must not meet the next one who has this connection, nor a commit.
        await cancelling
        connection.say('commit')
      }
    })
  }

  /** From another connection, because all of this pool may be busy. */
  async #cancel(processId: number): Promise<void> {
    const client = new Client(connectionTo(this.#url))
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select pg_cancel_backend($1)', [processId])
    } catch {
      // The statement ends by its timeout.
    } finally {
      await client.end().catch(() => {})
    }
  }
}

const unlimited: Limits = { statement: longest, whole: Number.POSITIVE_INFINITY }

interface Change<T> {
  readonly work: (tx: Transaction) => Promise<T>
  readonly whenChanged: () => void
}

/** A lock wait beyond this is refused, and nothing is saved. */
const lockSeconds = 30

const beginning = `start transaction isolation level read committed read write; set local lock_timeout = '${lockSeconds}s'`

const inTransaction = <T>(pool: Pool, { work, whenChanged }: Change<T>): Promise<T> =>
  onConnection(pool, async (connection) => {
    connection.begin(beginning)
    takeChange(connection.tx)
    const result = await work(connection.tx)
    if (!connection.hasBegun) return result
    // The server answers a commit after a failed statement with a rollback, and without an error.
    if ((await connection.run('commit')) === 'COMMIT') {
      if (takeChange(connection.tx)) whenChanged()
      return result
    }
    const cause = await connection.faultOfSent()
    throw cause ?? new Error('A statement of this transaction failed; it cannot be committed')
  })

const inDryRun = <T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  onConnection(pool, async (connection) => {
    await connection.run(beginning)
    const result = await work(connection.tx)
    // After a failed statement nothing can be committed: the server refuses all others.
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
    const cause = await connection.faultOfSent()
    throw isAfterFailure(error) ? (cause ?? error) : error
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

// The caller knows the type of the row.
const askServer = async <T>(pool: Pool, question: string): Promise<T> => (await pool.query(question)).rows[0] as T
