import type { Reading } from '../database.ts'
import { SqliteConnection } from './connection.ts'
import { openFile } from './open-file.ts'
import { Session } from './session.ts'

const snapshot = { begin: 'BEGIN', keep: 'COMMIT', undo: ['ROLLBACK'] }

/** A few connections that cannot write. Work on one of them keeps the snapshot of its first query. */
export class Readers {
  readonly #all: readonly Session[]
  readonly #idle: Session[]
  readonly #waiting: ((session: Session) => void)[] = []

  constructor(path: string, count: number) {
    this.#all = Array.from({ length: count }, () => {
      const file = openFile(path)
      file.exec('PRAGMA query_only=ON')
      return new Session(new SqliteConnection(file), snapshot)
    })
    this.#idle = [...this.#all]
  }

  async read<T>(work: (rows: Reading) => Promise<T>): Promise<T> {
    const session = this.#idle.pop() ?? (await new Promise<Session>((resolve) => this.#waiting.push(resolve)))
    try {
      return await session.run(work)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(session)
      else this.#idle.push(session)
    }
  }

  close(): void {
    for (const { connection } of this.#all) connection.close()
  }
}
