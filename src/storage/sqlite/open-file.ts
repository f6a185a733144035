import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { CannotOpen } from '../cannot-open.ts'

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
