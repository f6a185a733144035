import type { RecordTypeName } from '../../farm/farm.ts'
import { allTypeNames } from '../../farm/fields-of.ts'
import { Refusal } from '../../refusal.ts'
import { chunkBytes } from '../blob-rows.ts'
import type { Database, Transaction } from '../database.ts'
import { isMalformed } from '../records/malformed.ts'
import { importedRecord, type Stored } from '../records/stored.ts'
import type { Report } from '../report.ts'
import { insertInBulk } from '../sql/bulk-insertion.ts'
import { continueNumbers } from '../sql/given-numbers.ts'
import { insertAll } from '../sql/insertion.ts'
import type { TableName } from '../sql/table-fates.ts'
import { type Entry, hashOfBlob, tableOfPiece, wholeOf } from './entry.ts'
import type { Manifest } from './manifest.ts'
import { type ImportedRow, portionsOf } from './piece.ts'

/** Works out what follows from records while they come in. */
export interface Follower {
  see(record: Stored): void
  /** Stores what follows from the records seen since the last time. */
  store(tx: Transaction): Promise<void>
}

interface Upload {
  readonly manifest: Manifest
  readonly report: Report
  readonly follower?: Follower
}

/** Fills empty tables of the manifest's version. Commits piece by piece. */
export async function importRows(
  database: Database,
  entries: AsyncIterable<Entry>,
  { manifest, report, follower }: Upload,
): Promise<void> {
  const counts: Record<string, number> = {}
  const count = (what: string, more: number, total = 0) => {
    counts[what] = (counts[what] ?? 0) + more
    report(what, counts[what], total)
  }
  for await (const entry of entries) {
    const { name } = entry
    const table = tableOfPiece(name) as TableName | undefined
    const hash = hashOfBlob(name)
    if (table !== undefined) {
      const see = seeing(table, follower)
      const bytes = await wholeOf(entry)
      await database.write(async (tx) => {
        for (const portion of portionsOf({ name, table, bytes }, see)) {
          await insertInBulk(tx, portion)
          await follower?.store(tx)
          count(table, portion.count, manifest.rows[table])
        }
      })
    } else if (hash !== undefined) {
      await insertBlob(database, hash, entry)
      count('photos and files', 1, manifest.blobs.count)
    }
  }
  await database.write((tx) => continueNumbers(tx, database.engine, manifest.numbers))
}

function seeing(table: TableName, follower: Follower | undefined): (row: ImportedRow) => void {
  const type = allTypeNames.find((name) => name === table)
  if (type === undefined || follower === undefined) return () => {}
  return (row) => {
    try {
      follower.see(importedRecord(type, row))
    } catch (error) {
      throw isMalformed(error) ? damagedBefore(type, row) : error
    }
  }
}

const damagedBefore = (type: RecordTypeName, { id }: ImportedRow): Refusal =>
  new Refusal(
    'invalid-content',
    `The fields of ${type} ${id} cannot be read: they were damaged before this was written. Take an earlier backup. ` +
      'Nothing was changed.',
  )

async function insertBlob(database: Database, sha256: string, { bytes, size }: Entry): Promise<void> {
  await database.write((tx) => insertAll(tx, 'blob', [{ sha256, size }]))
  const insert = (chunk: Uint8Array, position: number) =>
    database.write((tx: Transaction) => insertAll(tx, 'blob_chunk', [{ sha256, position, bytes: chunk }]))
  let [waiting, position] = [Buffer.alloc(0), 0]
  for await (const part of bytes) {
    waiting = Buffer.concat([waiting, part])
    for (; waiting.length >= chunkBytes; waiting = waiting.subarray(chunkBytes)) {
      await insert(waiting.subarray(0, chunkBytes), position++)
    }
  }
  if (waiting.length > 0) await insert(waiting, position)
}
