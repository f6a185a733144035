import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { CannotOpen } from '../cannot-open.ts'
import type { Database, Snapshot } from '../database.ts'
import { SqliteConnection } from './connection.ts'
import { Session, transaction } from './session.ts'

/** Opens a file that nobody can change, without locks and without a log, and lets it be read. */
export function openImmutable(path: string, whyNotWritten: string): Database {
  const session = new Session(new SqliteConnection(openUnlocked(path)))
  const read = <T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> => session.run(transaction, work)
  return {
    engine: 'sqlite',
    read,
    ask: read,
    write: () => Promise.reject(new CannotOpen(whyNotWritten)),
    dryRun: () => Promise.reject(new CannotOpen(whyNotWritten)),
    async close() {
      session.connection.close()
    },
  }
}

function openUnlocked(path: string): DatabaseSyncInstance {
  const address = pathToFileURL(resolve(path))
  address.search = '?immutable=1'
  try {
    return new DatabaseSync(address.href, { readOnly: true })
  } catch (error) {
    throw new CannotOpen(`The database ${path} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}
