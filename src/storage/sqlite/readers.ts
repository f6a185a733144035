import type { Snapshot } from '../database.ts'
import { SqliteConnection } from './connection.ts'
import { openFile } from './open-file.ts'
import { Session, transaction } from './session.ts'

/**
 * A few connections that cannot write, each opened when all others are at work. Work on one of them keeps the snapshot of
 * its first query.
 */
export class Readers {
  readonly #path: string
  readonly #most: number
  readonly #all: Session[] = []
  readonly #idle: Session[] = []
  readonly #waiting: ((session: Session) => void)[] = []

  constructor(path: string, most: number) {
    this.#path = path
    this.#most = most
    this.#idle.push(this.#open())
  }

  read<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#on((session) => session.run(transaction, work))
  }

  ask<T>(question: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#on((session) => session.ask(question))
  }

  async #on<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = this.#free() ?? (await new Promise<Session>((resolve) => this.#waiting.push(resolve)))
    try {
      return await work(session)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(session)
      else this.#idle.push(session)
    }
  }

  close(): void {
    for (const { connection } of this.#all) connection.close()
  }

  #free(): Session | undefined {
    return this.#idle.pop() ?? (this.#all.length < this.#most ? this.#open() : undefined)
  }

  #open(): Session {
    const file = openFile(this.#path)
    file.exec('PRAGMA query_only=ON')
    const session = new Session(new SqliteConnection(file))
    this.#all.push(session)
    return session
  }
}
