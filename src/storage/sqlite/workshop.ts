import { DatabaseSync } from '@photostructure/sqlite'
import type { Database, Snapshot, Transaction } from '../database.ts'
import { SqliteConnection } from './connection.ts'
import { Session, transaction } from './session.ts'

/**
 * Nothing here survives a power cut, or even a failed statement, and nothing needs to: whoever fills such a file gives it up
 * when anything fails, and syncs a copy of it when it is full.
 */
const pragmas = ['journal_mode=OFF', 'synchronous=OFF', 'foreign_keys=ON', 'temp_store=MEMORY', 'cache_size=-65536']

/** Opens a file that is filled once, by one process, before anybody sees it. */
export function openWorkshop(path: string): Database {
  const file = new DatabaseSync(path)
  for (const pragma of pragmas) file.exec(`PRAGMA ${pragma}`)
  const session = new Session(new SqliteConnection(file))
  const run = <T>(work: (rows: Transaction & Snapshot) => Promise<T>): Promise<T> => session.run(transaction, work)
  return {
    engine: 'sqlite',
    read: run,
    ask: run,
    write: run,
    dryRun: () => Promise.reject(new Error('Nothing can be undone in a file that is being filled')),
    async close() {
      session.connection.close()
    },
  }
}
