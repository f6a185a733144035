import { Refusal } from '../../refusal.ts'
import type { Database, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import { type Entry, hashOfBlob, type Report, tableOfPiece, wholeOf } from './entry.ts'
import type { Manifest } from './manifest.ts'
import { continueNumbers } from './numbers.ts'
import { type Carried, fates, type TableName } from './table-fates.ts'
import { pauseTriggers } from './tallies.ts'

/** The size of the chunks that files are kept in. */
const chunkBytes = 262_144
const rowsInASlice = 5000

interface Arrival {
  readonly manifest: Manifest
  readonly report: Report
}

/** Fills empty tables of the manifest's version. Commits slice by slice. */
export async function takeIn(
  database: Database,
  entries: AsyncIterable<Entry>,
  { manifest, report }: Arrival,
): Promise<void> {
  const counts: Record<string, number> = {}
  await database.write((rows) => pauseTriggers(rows, 'disable'))
  for await (const entry of entries) {
    const table = tableOfPiece(entry.name)
    const hash = hashOfBlob(entry.name)
    if (table !== undefined) {
      const rows = rowsIn(entry.name, await wholeOf(entry), table)
      await insertRows(database, table, rows)
      counts[table] = (counts[table] ?? 0) + rows.length
      report(table, counts[table], manifest.rows[table] ?? 0)
    } else if (hash !== undefined) {
      await insertBlob(database, hash, entry)
      counts.blobs = (counts.blobs ?? 0) + 1
      report('photos and files', counts.blobs, manifest.blobs.count)
    }
  }
  await database.write(async (rows) => {
    await continueNumbers(rows, database.engine, manifest.numbers)
    await pauseTriggers(rows, 'enable')
  })
}

type ArrivingRow = Readonly<Record<string, unknown>>

function rowsIn(name: string, bytes: Buffer, table: string): readonly ArrivingRow[] {
  // Only tables that are carried get past the verification.
  const { json = [] } = fates[table as keyof typeof fates] as Carried
  const lines = bytes.toString('utf8').split('\n').slice(0, -1)
  return lines.map((line, index) => {
    try {
      const row: Record<string, unknown> = JSON.parse(line)
      for (const column of json)
        if (typeof row[column] === 'object' && row[column] !== null) row[column] = JSON.stringify(row[column])
      if (Object.keys(row).every((column) => /^[a-z][a-z0-9_]*$/.test(column))) return row
    } catch {}
    throw new Refusal('invalid-content', `Line ${index + 1} of ${name} is not a row of a table. Nothing was changed.`)
  })
}

async function insertRows(database: Database, table: string, rows: readonly ArrivingRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsInASlice) {
    const slice = rows.slice(start, start + rowsInASlice)
    // The verification has let through only tables and columns by their names; their values are the engine's to judge.
    await database.write((writing) => insertAll(writing, table as TableName, slice as never))
  }
}

async function insertBlob(database: Database, sha256: string, { bytes, size }: Entry): Promise<void> {
  await database.write((rows) => rows.insertInto('blob').values({ sha256, size }).execute())
  const insert = (chunk: Uint8Array, position: number) =>
    database.write((rows: Writing) =>
      rows.insertInto('blob_chunk').values({ sha256, position, bytes: chunk }).execute(),
    )
  let [waiting, position] = [Buffer.alloc(0), 0]
  for await (const part of bytes) {
    waiting = Buffer.concat([waiting, part])
    for (; waiting.length >= chunkBytes; waiting = waiting.subarray(chunkBytes)) {
      await insert(waiting.subarray(0, chunkBytes), position++)
    }
  }
  if (waiting.length > 0) await insert(waiting, position)
}
