import type { RecordTypeName } from '../../farm/farm.ts'
import { allTypeNames } from '../../farm/fields-of.ts'
import { Refusal } from '../../refusal.ts'
import type { Database, Transaction } from '../database.ts'
import { chunkBytes } from '../file-rows.ts'
import type { RowValues } from '../postgres/copy.ts'
import { importedRecord, isMalformed, type StoredRecord } from '../records/stored.ts'
import type { Report } from '../report.ts'
import { insertAll, insertInBulk } from '../sql/insertion.ts'
import { continueNumbers } from '../sql/record-numbers.ts'
import { type CarriedTable, fates, type TableName } from '../sql/table-fates.ts'
import { type ArchiveEntry, hashOfBlob, type Manifest, tableOfPiece, wholeOf } from './manifest.ts'

/** Works out what follows from records while they come in. */
export interface Follower {
  see(record: StoredRecord): void
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
  entries: AsyncIterable<ArchiveEntry>,
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

async function insertBlob(database: Database, sha256: string, { bytes, size }: ArchiveEntry): Promise<void> {
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

/** A row as an export writes it: what is JSON in its table is opened here. */
type ImportedRow = Readonly<Record<string, unknown>>

interface Piece {
  readonly name: string
  readonly table: TableName
  readonly bytes: Buffer
}

const rowsInAPortion = 1000

/** The rows of a piece in portions, each read line by line as its values are asked for. `see` is told of every row. */
function* portionsOf({ name, table, bytes }: Piece, see: (row: ImportedRow) => void): Generator<Portion> {
  const lines = bytes.toString('utf8').split('\n')
  lines.pop()
  const columns = columnsOf(lines[0])
  if (columns.length === 0 && lines.length > 0) throw notARow(name, 1)
  for (let start = 0; start < lines.length; start += rowsInAPortion) {
    const some = lines.slice(start, start + rowsInAPortion)
    const rows = rowsIn(some, columns, (index) => notARow(name, start + index + 1))
    yield { table, columns, values: valuesOf(rows, { table, columns, see }), count: some.length }
  }
}

interface Portion extends RowValues {
  readonly count: number
}

/** The columns named in the first line; empty if one is no valid name, because they become part of a statement. */
function columnsOf(line: string | undefined): readonly string[] {
  const columns = Object.keys(rowIn(line ?? ''))
  return columns.every((column) => /^[a-z][a-z0-9_]*$/.test(column)) ? columns : []
}

function* rowsIn(
  lines: readonly string[],
  columns: readonly string[],
  fault: (index: number) => Refusal,
): Generator<ImportedRow> {
  for (const [index, line] of lines.entries()) {
    const row = rowIn(line)
    const isWhole = Object.keys(row).length === columns.length && columns.every((column) => row[column] !== undefined)
    if (!isWhole) throw fault(index)
    yield row
  }
}

function rowIn(line: string): ImportedRow {
  try {
    return JSON.parse(line) ?? {}
  } catch {
    return {}
  }
}

const notARow = (name: string, line: number): Refusal =>
  new Refusal('invalid-content', `Line ${line} of ${name} is not a row of a table. Nothing was changed.`)

interface Reader extends Omit<RowValues, 'values'> {
  readonly see: (row: ImportedRow) => void
}

function* valuesOf(rows: Iterable<ImportedRow>, { table, columns, see }: Reader): Generator<unknown> {
  // Only tables that are carried get past the verification.
  const { json = [] } = fates[table] as CarriedTable
  for (const row of rows) {
    for (const column of columns) {
      const value = row[column]
      const isOpened = typeof value === 'object' && value !== null && json.includes(column)
      yield isOpened ? JSON.stringify(value) : value
    }
    see(row)
  }
}
