import type { Database } from '../database.ts'
import { queriesOver } from './dialect.ts'
import { openFile } from './open-file.ts'
import { retryWhileBusy, usualPatience } from './patience.ts'
import { Readers } from './readers.ts'
import { WriteQueue } from './write-queue.ts'
import { Writer } from './writer.ts'

const readerCount = 4

/** Waits `patience` milliseconds for other processes that hold the lock before it refuses. */
export function openSqlite(path: string, patience: number = usualPatience): Database {
  const file = openFile(path)
  const writer = new Writer(file)
  const readers = new Readers(path, readerCount)
  const writing = queriesOver(writer)
  const reading = queriesOver(readers)
  const queue = new WriteQueue(file, patience)
  return {
    engine: 'sqlite',
    read: (work) => retryWhileBusy(patience, () => reading.transaction().execute(work)),
    write: (work) => queue.add(() => writing.transaction().execute(work)),
    async close() {
      await queue.settle()
      await readers.destroy()
      await writer.destroy()
    },
  }
}
