import type { CompiledQuery, Kysely } from 'kysely'
import type { ReadBudget } from './read-budget.ts'
import type { Tables } from './sql/tables.ts'

export type Engine = 'sqlite' | 'postgres'

interface OnEngine {
  readonly engine: Engine
}

/** The read-only view for code that must not write; the types enforce it. */
export type Snapshot = OnEngine & Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'with' | 'fn' | 'executeQuery'>

/** One open transaction. */
export type Transaction = OnEngine &
  StatementSender &
  Omit<Kysely<Tables>, 'transaction' | 'startTransaction' | 'connection' | 'destroy'>

interface StatementSender {
  /**
   * Runs a statement whose result nobody needs. PostgreSQL gets it without a wait, together with the next statement;
   * if it fails, so do all later ones and the commit.
   */
  readonly send: (query: CompiledQuery) => Promise<unknown>
}

/** Queries that know which engine they run on. */
export const onEngine = <Q extends object>(queries: Q, engine: Engine): Q & OnEngine =>
  Object.assign(queries, { engine })

/** Reachability of the database, or the cause of its loss. */
export interface ReachabilityState {
  readonly isBack: boolean
  readonly code: string
  readonly message: string
}

export interface Database {
  readonly engine: Engine
  /**
   * Runs `work` on one consistent snapshot. Inside, await nothing but the database. With a budget, `work` ends when that is spent or nobody
   * waits any more, keeps nobody else waiting, and may be begun a second time.
   */
  read<T>(work: (snapshot: Snapshot) => Promise<T>, budget?: ReadBudget): Promise<T>
  /** Asks one question: a query on its own is consistent by itself, and spared a transaction around it. */
  ask<T>(question: (snapshot: Snapshot) => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction: committed and synced to disk when the promise resolves, gone without trace when it rejects.
   * Inside, await nothing but the database; on PostgreSQL `work` is run again after a serialization failure or deadlock.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Runs `work` as `write` does, and undoes it in any case: nobody ever sees anything of it. */
  dryRun<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Waits until another process that wants to write has begun; for who writes much, in many pieces. Not there where all who write stand
   * in one line.
   */
  letOthersWrite?(): Promise<void>
  /** A number that changes with every commit, by whichever process; not there where it cannot be told at once. */
  version?(): number
  /** Tells soon after records were changed, by whichever process, and now and then without need. Answers how to stop. */
  watchChanges?(tell: () => void): () => void
  /** Tells when the database is lost, and when it is back; not there where it cannot be lost. */
  onReachability?(tell: (reached: ReachabilityState) => void): void
  /** Gives room of deleted rows back to the disk, a little at a time; not there where the engine does so itself. */
  giveRoomBack?(): Promise<void>
  close(): Promise<void>
}
