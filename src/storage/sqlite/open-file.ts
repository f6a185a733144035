import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Database, Snapshot, Transaction } from '../database.ts'
import { CannotOpen } from '../disk/cannot-open.ts'
import { SqliteConnection, SqliteSession, transaction } from './connection.ts'

/**
 * Every connection sets all of these: only the journal mode is remembered by the file. Temporary storage is not forced into
 * memory: there the undo log of a savepoint is a list that each statement walks from its beginning, and a batch of a hundred
 * records takes twice as long. Nor is the file mapped into memory: after a change by another connection SQLite gives the map up,
 * and reads every page by a fault.
 */
export const pragmas = [
  'journal_mode=WAL',
  'synchronous=FULL',
  'foreign_keys=ON',
  'cache_size=-16384',
  'mmap_size=0',
  'journal_size_limit=67108864',
]

const durable = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }

export function openFile(path: string): DatabaseSyncInstance {
  let file: DatabaseSyncInstance | undefined
  try {
    file = new DatabaseSync(path, { timeout: 5000 })
    // Set in an existing file it would have no effect, and get in the way of other connections.
    if (file.prepare('PRAGMA page_count').get().page_count === 0) file.exec('PRAGMA auto_vacuum=INCREMENTAL')
    for (const pragma of pragmas) file.exec(`PRAGMA ${pragma}`)
    assertDurable(file)
    file.exec('PRAGMA busy_timeout=0')
    return file
  } catch (error) {
    file?.close()
    throw new CannotOpen(`The database ${path} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}

/** An acknowledged write must survive a power cut; the driver drops to NORMAL when it opens an existing WAL file. */
function assertDurable(file: DatabaseSyncInstance): void {
  for (const [pragma, wanted] of Object.entries(durable)) {
    const found: unknown = file.prepare(`PRAGMA ${pragma}`).get()[pragma]
    if (found !== wanted) throw new Error(`${pragma} is ${String(found)} instead of ${wanted}`)
  }
}

/** Opens a file that nobody can change, without locks and without a log, and lets it be read. */
export function openImmutable(path: string, whyNotWritten: string): Database {
  const session = new SqliteSession(new SqliteConnection(openUnlocked(path)))
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

/**
 * No durability, not even after a failed statement: a failed file is discarded, and a complete one is synced as a copy.
 */
const bulkLoadPragmas = [
  'auto_vacuum=INCREMENTAL',
  'journal_mode=OFF',
  'synchronous=OFF',
  'foreign_keys=ON',
  'temp_store=MEMORY',
  'cache_size=-65536',
]

/** Opens a file that is filled once, by one process, before anybody sees it. */
export function openWorkshop(path: string): Database {
  const file = new DatabaseSync(path)
  for (const pragma of bulkLoadPragmas) file.exec(`PRAGMA ${pragma}`)
  const session = new SqliteSession(new SqliteConnection(file))
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
