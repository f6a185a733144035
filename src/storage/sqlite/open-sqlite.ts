import { Refusal } from '../../refusal.ts'
import type { Database } from '../database.ts'
import { Pauses } from '../pauses.ts'
import { messageOf } from '../sql/error-message.ts'
import { SqliteConnection } from './connection.ts'
import { isDiskTrouble } from './errors.ts'
import { openFile } from './open-file.ts'
import { longEnoughForOthers, retryWhileBusy, usualPatience } from './patience.ts'
import { Readers } from './readers.ts'
import { Session } from './session.ts'
import { Watcher } from './watcher.ts'
import { WriteQueue } from './write-queue.ts'

/** Opened as they are needed. Six may be taken by sheets and maps for as long as their rows are read. */
const readerCount = 10

/** Waits `patience` milliseconds for other processes that hold the lock before it refuses. */
export function openSqlite(path: string, patience: number = usualPatience): Database {
  const file = openFile(path)
  const writer = new Session(new SqliteConnection(file, new Pauses()))
  const readers = new Readers(path, readerCount)
  const queue = new WriteQueue({ file, writer, patience })
  const watcher = new Watcher(path)
  return {
    engine: 'sqlite',
    read: (work, budget) => retryWhileBusy(patience, () => readers.read(work, budget)),
    ask: (question) => retryWhileBusy(patience, () => readers.ask(question)),
    write: (work) => queue.add(work, 'kept').catch(refuseDiskTrouble),
    dryRun: (work) => queue.add(work, 'undone').catch(refuseDiskTrouble),
    letOthersWrite: longEnoughForOthers,
    version: () => watcher.version(),
    watchChanges: (tell) => watcher.watch(tell),
    async close() {
      await queue.settle()
      watcher.close()
      await readers.close()
      writer.connection.close()
    },
  }
}

/** Nothing of the change is on the disk, and a later try may succeed: once there is room again, nothing else is needed. */
function refuseDiskTrouble(error: unknown): never {
  if (!isDiskTrouble(error)) throw error
  throw new Refusal(
    'busy',
    `Nothing was saved, because the disk is full or failing (${messageOf(error)}). Try again later.`,
    { retryAfterSeconds: 30 },
  )
}
