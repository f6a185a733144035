import { Client, type ClientConfig } from 'pg'
import type { Snapshot } from '../database.ts'
import { LongReads, type ReadBudget, TakesLong } from '../read-budget.ts'
import { isCancelled } from '../sql/errors.ts'
import { waitedForProcessor } from './connection.ts'
import type { ConnectionLine } from './connection-line.ts'

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
