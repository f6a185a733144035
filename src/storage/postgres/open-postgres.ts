import { Client, type ClientConfig } from 'pg'
import { takeChange } from '../change-set.ts'
import type { Database, Snapshot, Transaction } from '../database.ts'
import { CannotOpen } from '../disk/cannot-open.ts'
import { LongReads, type ReadBudget, TakesLong } from '../read-budget.ts'
import { isCancelled, messageOf, UnconfirmedCommit } from '../sql/errors.ts'
import { Reachability, retryConflicts } from './attempts.ts'
import { ChangeSignals } from './change-signals.ts'
import { type PostgresConnection, waitedForProcessor } from './connection.ts'
import { ConnectionLine, type PostgresCapacity } from './connection-line.ts'
import { assertSuitable, explainedRight, poolAt, ServerAddress } from './server-address.ts'

const usual: PostgresCapacity = { connections: 10, patience: 30_000 }

export async function openPostgres(url: string, capacity: PostgresCapacity = usual): Promise<Database> {
  const address = new ServerAddress(url)
  await address.findAtStart()
  const reading = poolAt(address, capacity, 'read')
  const writing = poolAt(address, capacity, 'write')
  const readers = new ConnectionLine(reading, capacity)
  const writers = new ConnectionLine(writing, capacity)
  const limited = new LimitedReads(readers, address.config)
  const rights = await assertSuitable(writing, address)
  const reachability = new Reachability(() => address.find())
  const signals = new ChangeSignals(address.config, writing)
  address.onChange((connectionString) => {
    for (const pool of [reading, writing]) Object.assign(pool.options, { connectionString })
    readers.renew()
    writers.renew()
  })
  const watch = address.hasSeveralHosts ? watchForSilence(address, [readers, writers]) : undefined
  const attempting = <T>(attempt: () => Promise<T>): Promise<T> =>
    retryConflicts(attempt, reachability).catch((error) => {
      throw explainedRight(error, rights)
    })
  return {
    engine: 'postgres',
    read: (work, budget) =>
      attempting(() => (budget === undefined ? onSnapshot(readers, work) : limited.read(work, budget))),
    ask: (question) => attempting(() => readers.use(({ tx }) => question(tx))),
    write: (work) =>
      attempting(() =>
        inTransaction(writers, {
          work,
          patience: capacity.patience,
          whenChanged: () => signals.noteCommit(),
        }),
      ),
    dryRun: (work) => attempting(() => inDryRun(writers, work)),
    watchChanges: (tell) => signals.watch(tell),
    onReachability: (tell) => reachability.tellTo(tell),
    async close() {
      if (writing.ended) return
      clearInterval(watch)
      await signals.close()
      await Promise.all([reading.end(), writing.end()])
    },
  }
}

/** Milliseconds without an answer after which the hosts are asked which of them leads. */
const silence = 2_000

/** The network tells nothing of a leader that is cut off. Its connections stay open, and another server leads meanwhile. */
const watchForSilence = (address: ServerAddress, lines: readonly ConnectionLine[]): NodeJS.Timeout =>
  setInterval(() => {
    if (lines.some((line) => line.hasWaited(silence))) void address.find()
  }, silence / 2).unref()

/** Makes room of deleted rows usable again; it cannot be done within a transaction. */
export async function vacuumPostgres(url: string): Promise<void> {
  const address = new ServerAddress(url)
  await address.findAtStart()
  const client = new Client(address.config())
  await client.connect().catch((error) => {
    throw new CannotOpen(`The database cannot be reached: ${messageOf(error)}`, { cause: error })
  })
  await client.query('VACUUM (ANALYZE)').finally(() => client.end())
}

type Work<T> = (tx: Transaction) => Promise<T>

interface Change<T> {
  readonly work: Work<T>
  /** Milliseconds that the server may take to confirm the commit. */
  readonly patience: number
  readonly whenChanged: () => void
}

const beginning = 'start transaction isolation level read committed read write'

const inTransaction = <T>(line: ConnectionLine, { work, patience, whenChanged }: Change<T>): Promise<T> =>
  line.use(async (connection) => {
    connection.begin(beginning)
    takeChange(connection.tx)
    const result = await work(connection.tx)
    if (!connection.hasBegun) return result
    // The server answers a commit after a failed statement with a rollback, and without an error.
    if ((await commitWithin(connection, patience)) === 'COMMIT') {
      if (takeChange(connection.tx)) whenChanged()
      return result
    }
    const cause = await connection.faultOfSent()
    throw cause ?? new Error('A statement of this transaction failed; it cannot be committed')
  })

/** With synchronous replication a commit waits for a replica, without an end. */
async function commitWithin(connection: PostgresConnection, patience: number): Promise<string> {
  let isLate = false
  const giveUp = setTimeout(() => {
    isLate = true
    connection.cut()
  }, patience)
  try {
    return await connection.run('commit')
  } catch (error) {
    throw isLate ? new UnconfirmedCommit(`The commit was not confirmed for ${patience} ms`) : error
  } finally {
    clearTimeout(giveUp)
  }
}

const inDryRun = <T>(line: ConnectionLine, work: Work<T>): Promise<T> =>
  line.use(async (connection) => {
    await connection.run(beginning)
    const result = await work(connection.tx)
    // After a failed statement nothing can be committed: the server refuses all others.
    await connection.run('savepoint done')
    await connection.rollBack()
    return result
  })

/** The beginning travels with the first query, and whoever asked need not wait until the server has heard of the end. */
export const onSnapshot = <T>(line: ConnectionLine, work: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
  line.use(async (connection) => {
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
export class LimitedReads {
  readonly #line: ConnectionLine
  readonly #config: () => ClientConfig
  readonly #long = new LongReads(mostLong)

  constructor(line: ConnectionLine, config: () => ClientConfig) {
    this.#line = line
    this.#config = config
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
    return this.#line.use(async (connection) => {
      const statement = Math.ceil(Math.min(limits.statement, budget.left * waitedForProcessor))
      connection.say(`${snapshotBeginning}; set local statement_timeout = ${statement}`)
      connection.limit(budget, limits.whole)
      let cancelling = Promise.resolve()
      const stopListening = budget.reader.onGone(() => {
        if (this.#line.isCurrent(connection)) cancelling = this.#cancel(connection.processId)
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
    const client = new Client(this.#config())
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
