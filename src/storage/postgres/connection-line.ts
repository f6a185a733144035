import type { Pool } from 'pg'
import { isAfterFailure, NoConnectionFree } from '../sql/errors.ts'
import { connectionFrom, type PostgresConnection } from './connection.ts'

/** Connections of one pool, and the milliseconds that somebody waits for one of them, or for a lock. */
export interface PostgresCapacity {
  readonly connections: number
  readonly patience: number
}

/** Hands out the connections of a pool in order of arrival. The pool itself waits only for a connection to be made. */
export class ConnectionLine {
  readonly #pool: Pool
  readonly #patience: number
  readonly #waiting = new Set<() => void>()
  /** Connections in use, and since when. */
  readonly #inUse = new Map<PostgresConnection, number>()
  #free: number
  #since = 0

  constructor(pool: Pool, { connections, patience }: PostgresCapacity) {
    this.#pool = pool
    this.#patience = patience
    this.#free = connections
  }

  /** Runs `work` on a connection of its own; a transaction that it leaves open by a failure is rolled back. */
  async use<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await this.#turn()
    try {
      const connection = await this.#connection()
      this.#inUse.set(connection, performance.now())
      return await guarded(connection, work).finally(() => this.#inUse.delete(connection))
    } finally {
      const [next] = this.#waiting
      if (next === undefined) this.#free += 1
      else next()
    }
  }

  /** Connections that were made until now lead to a former server: they are closed, also those in use. */
  renew(): void {
    this.#since = performance.now()
    for (const connection of this.#inUse.keys()) connection.cut()
  }

  /** False for a connection to a former server. */
  isCurrent({ made }: PostgresConnection): boolean {
    return made >= this.#since
  }

  /** True if something waits for the server for longer than these milliseconds. */
  hasWaited(milliseconds: number): boolean {
    const [longest = Number.POSITIVE_INFINITY] = this.#inUse.values()
    return performance.now() - longest > milliseconds
  }

  async #connection(): Promise<PostgresConnection> {
    for (;;) {
      const connection = await connectionFrom(this.#pool)
      if (this.isCurrent(connection)) return connection
      connection.close()
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#waiting.delete(begin)
        reject(new NoConnectionFree(`No connection was free for ${this.#patience} ms`))
      }, this.#patience)
      const begin = () => {
        clearTimeout(giveUp)
        this.#waiting.delete(begin)
        resolve()
      }
      this.#waiting.add(begin)
    })
  }
}

async function guarded<T>(
  connection: PostgresConnection,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
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
