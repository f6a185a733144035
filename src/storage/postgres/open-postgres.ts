import { Client } from 'pg'
import { takeChange } from '../change-set.ts'
import type { Database, Transaction } from '../database.ts'
import { CannotOpen } from '../disk/cannot-open.ts'
import { messageOf } from '../sql/errors.ts'
import { Reachability, retryConflicts } from './attempts.ts'
import { ChangeSignals } from './change-signals.ts'
import { ConnectionLine, type PostgresCapacity } from './connection-line.ts'
import { LimitedReads, onSnapshot } from './limited-reads.ts'
import { assertSuitable, explainedRight, poolAt, ServerAddress } from './server-address.ts'

const usual: PostgresCapacity = { connections: 10, patience: 30_000 }

export async function openPostgres(url: string, capacity: PostgresCapacity = usual): Promise<Database> {
  const address = new ServerAddress(url)
  await address.find()
  const reading = poolAt(address, capacity, 'read')
  const writing = poolAt(address, capacity, 'write')
  const readers = new ConnectionLine(reading, capacity)
  const writers = new ConnectionLine(writing, capacity)
  const limited = new LimitedReads(readers, address.config)
  const beginning = beginningWithin(capacity)
  const rights = await assertSuitable(writing, address)
  const reachability = new Reachability(() => address.find())
  const signals = new ChangeSignals(address.config, writing)
  address.onChange((connectionString) => {
    for (const pool of [reading, writing]) Object.assign(pool.options, { connectionString })
    readers.renew()
    writers.renew()
  })
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
      attempting(() => inTransaction(writers, { beginning, work, whenChanged: () => signals.noteCommit() })),
    dryRun: (work) => attempting(() => inDryRun(writers, { beginning, work })),
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
  const address = new ServerAddress(url)
  await address.find()
  const client = new Client(address.config())
  await client.connect().catch((error) => {
    throw new CannotOpen(`The database cannot be reached: ${messageOf(error)}`, { cause: error })
  })
  await client.query('VACUUM (ANALYZE)').finally(() => client.end())
}

interface DryChange<T> {
  readonly beginning: string
  readonly work: (tx: Transaction) => Promise<T>
}

interface Change<T> extends DryChange<T> {
  readonly whenChanged: () => void
}

/** A longer wait for a lock is refused, and nothing is saved. */
const beginningWithin = ({ patience }: PostgresCapacity): string =>
  `start transaction isolation level read committed read write; set local lock_timeout = ${patience}`

const inTransaction = <T>(line: ConnectionLine, { beginning, work, whenChanged }: Change<T>): Promise<T> =>
  line.use(async (connection) => {
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

const inDryRun = <T>(line: ConnectionLine, { beginning, work }: DryChange<T>): Promise<T> =>
  line.use(async (connection) => {
    await connection.run(beginning)
    const result = await work(connection.tx)
    // After a failed statement nothing can be committed: the server refuses all others.
    await connection.run('savepoint done')
    await connection.rollBack()
    return result
  })
