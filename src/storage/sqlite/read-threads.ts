import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Snapshot, Transaction } from '../database.ts'
import { type AnswerKind, LongReads, type ReadBudget, Stopwatch } from '../read-budget.ts'
import { queriesOf } from '../sql/prepared.ts'
import { bindable, spelling } from './connection.ts'
import { addFunctions, inSqlite } from './functions.ts'
import { pragmas } from './open-file.ts'

/** Documents that are read in threads at a time, and streams. Each takes a processor. */
const threadsFor: Readonly<Record<AnswerKind, number>> = { document: 2, stream: 1 }

const idleMilliseconds = 30_000

/**
 * Reads that take long, each in a thread with a connection of its own: others are answered meanwhile. The driver cannot interrupt a statement;
 * the functions that our SQL calls look whether the budget is spent or the reader has gone, and end it.
 */
export class ReadThreads {
  readonly #path: string
  readonly #lanes = { document: new LongReads(threadsFor.document), stream: new LongReads(threadsFor.stream) }
  readonly #idle: ReadThread[] = []
  readonly #all = new Set<ReadThread>()

  constructor(path: string) {
    this.#path = path
  }

  read<T>(work: (snapshot: Snapshot) => Promise<T>, budget: ReadBudget): Promise<T> {
    return this.#lanes[budget.kind].whileInside(budget, async () => {
      const thread = this.#idle.pop() ?? this.#start()
      try {
        return await thread.read(work, budget)
      } finally {
        if (thread.isAlive) this.#idle.push(thread)
      }
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  #start(): ReadThread {
    const thread = new ReadThread(this.#path, () => {
      this.#all.delete(thread)
      if (this.#idle.includes(thread)) this.#idle.splice(this.#idle.indexOf(thread), 1)
    })
    this.#all.add(thread)
    return thread
  }
}

interface Order {
  readonly sql: string
  readonly values: readonly unknown[]
  /** Milliseconds of processor time. */
  readonly left: number
}

interface Reply {
  readonly cost: number
  readonly rows?: readonly unknown[]
  /** The budget was spent, or the reader had gone. */
  readonly isStopped?: true
  readonly failure?: Readonly<Record<'message' | 'code' | 'errcode', unknown>>
}

class ReadThread implements DatabaseConnection {
  readonly #worker: Worker
  readonly #rows: Transaction
  readonly #hasGone = new Int32Array(new SharedArrayBuffer(4))
  readonly #unanswered: { resolve(reply: Reply): void; reject(error: unknown): void }[] = []
  #budget: ReadBudget | undefined
  #stopwatch = new Stopwatch()
  #rest: NodeJS.Timeout | undefined
  isAlive = true

  constructor(path: string, whenEnded: () => void) {
    const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite')
    const workerData: ThreadData = { driver, path, pragmas, hasGone: this.#hasGone }
    // As text, because a worker takes no TypeScript: so it is the same in the bundle, in its parts and in tests.
    this.#worker = new Worker(`(${answerOrders})(require, ${addFunctions})`, { eval: true, workerData, execArgv: [] })
    this.#worker.unref()
    this.#worker.on('message', (reply: Reply) => this.#unanswered.shift()?.resolve(reply))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => {
      this.#fail(new Error('The thread that reads has ended'))
      whenEnded()
    })
    this.#rows = queriesOf(this, 'sqlite', spelling)
  }

  async read<T>(work: (snapshot: Snapshot) => Promise<T>, budget: ReadBudget): Promise<T> {
    clearTimeout(this.#rest)
    this.#budget = budget
    this.#stopwatch = new Stopwatch()
    Atomics.store(this.#hasGone, 0, 0)
    const stopListening = budget.reader.onGone(() => Atomics.store(this.#hasGone, 0, 1))
    try {
      await this.#run('BEGIN', [])
      return await work(this.#rows)
    } finally {
      stopListening()
      if (this.isAlive) await this.#ask({ sql: 'COMMIT', values: [], left: Number.POSITIVE_INFINITY })
      this.#budget = undefined
      this.#rest = setTimeout(() => this.end(), idleMilliseconds).unref()
    }
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    // The rows are those of the query, and the query says what they are.
    return { rows: (await this.#run(inSqlite(sql), parameters.map(bindable))) as R[] }
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for the method; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in pages instead of streaming')
  }

  async end(): Promise<void> {
    this.isAlive = false
    await this.#worker.terminate()
  }

  async #run(sql: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    const budget = this.#budget
    if (budget === undefined) throw new Error('This read is over; it takes no more statements')
    if (this.#unanswered.length === 0) budget.spend(this.#stopwatch.lap())
    budget.check()
    const { cost, rows = [], isStopped, failure } = await this.#ask({ sql, values, left: budget.left })
    budget.spend(cost)
    this.#stopwatch = new Stopwatch()
    if (isStopped) throw budget.refusal()
    if (failure !== undefined) throw Object.assign(new Error(String(failure.message)), failure)
    return rows
  }

  #ask(order: Order): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#unanswered.push({ resolve, reject })
      this.#worker.postMessage(order)
    })
  }

  #fail(error: unknown): void {
    this.isAlive = false
    for (const { reject } of this.#unanswered.splice(0)) reject(error)
  }
}

interface ThreadData {
  /** The path of the driver's module. */
  readonly driver: string
  readonly path: string
  readonly pragmas: readonly string[]
  /** Not zero as soon as nobody waits for the answer. */
  readonly hasGone: Int32Array
}

/** The whole program of a thread. It goes there as text, so it may use nothing but its parameters. */
function answerOrders(require: NodeJS.Require, add: typeof addFunctions): void {
  const { parentPort, workerData } = require('node:worker_threads') as typeof import('node:worker_threads')
  const { readFileSync } = require('node:fs') as typeof import('node:fs')
  const { driver, path, pragmas, hasGone } = workerData as ThreadData
  const { DatabaseSync } = require(driver) as typeof import('@photostructure/sqlite')
  const lookEvery = 20
  const mostStatements = 200

  const file: DatabaseSyncInstance = new DatabaseSync(path, { timeout: 5000 })
  for (const pragma of [...pragmas, 'busy_timeout=0', 'query_only=ON']) file.exec(`PRAGMA ${pragma}`)
  const prepared = new Map<string, StatementSyncInstance>()
  let begun = 0
  let left = 0
  let nextLook = 0
  let isStopped = false

  /** Processor time of this thread, where Linux tells it. */
  const clock = (): number => {
    try {
      return Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'latin1'), 10) / 1e6
    } catch {
      return performance.now()
    }
  }
  add(file, () => {
    isStopped ||= Atomics.load(hasGone, 0) !== 0
    if (!isStopped && performance.now() >= nextLook) {
      isStopped = clock() - begun > left
      nextLook = performance.now() + lookEvery
    }
    if (isStopped) throw new Error('stopped')
  })
  const statement = (sql: string): StatementSyncInstance => {
    const known = prepared.get(sql) ?? file.prepare(sql)
    if (prepared.size >= mostStatements) prepared.clear()
    prepared.set(sql, known)
    return known
  }
  const rowsOf = ({ sql, values }: Order): Pick<Reply, 'rows' | 'failure' | 'isStopped'> => {
    try {
      return { rows: statement(sql).all(...values) }
    } catch (error) {
      if (isStopped) return { isStopped }
      const { message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
      return { failure: { message, code, errcode } }
    }
  }
  parentPort?.on('message', (order: Order) => {
    const since = performance.now()
    begun = clock()
    left = order.left
    isStopped = false
    nextLook = since + lookEvery
    const reply = rowsOf(order)
    parentPort?.postMessage({ ...reply, cost: clock() - begun })
  })
}
