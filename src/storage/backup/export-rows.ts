import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database, Snapshot } from '../database.ts'
import { blobHashes, chunksOf, fingerprint, sizeOfBlob } from '../file-rows.ts'
import { newest } from '../migrations/migrations.ts'
import type { Report } from '../report.ts'
import { existingTables, schemaVersion } from '../sql/existing-tables.ts'
import { ask, countOf, fragment, named, word } from '../sql/fragment.ts'
import { givenNumbers } from '../sql/record-numbers.ts'
import { type CarriedTable, carriedTables, type TableName } from '../sql/table-fates.ts'
import { partsIn } from './directory.ts'
import {
  type ArchiveEntry,
  blobName,
  type Manifest,
  manifestName,
  pieceName,
  Sums,
  tableOfPiece,
  wholeOf,
  writtenManifest,
} from './manifest.ts'

const rowsAtOnce = 200
const pieceBytes = 4 * 1024 * 1024
const leastPieceBytes = 1024 * 1024

/** Where a piece may end before it is full: the row decides, so that a row that comes in between moves only the next such place. */
const isCut = (line: string): boolean => fingerprint(Buffer.from(line)).startsWith('00')

export interface ExportOptions {
  readonly report: Report
  readonly done: (manifest: Manifest, damaged: readonly string[]) => void
  /** Whether the bytes of this hash are kept already: then they are not read again, and the entry has none. */
  readonly isKept?: (sha256: string) => boolean
}

interface ExportContext extends Required<Omit<ExportOptions, 'done'>> {
  readonly snapshot: Snapshot
  readonly sums: Sums
}

/** Everything that a farm is, as files, read from one snapshot and never much of it at a time. */
export async function* exportRows(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
  { report, done, isKept = () => false }: ExportOptions,
): AsyncGenerator<ArchiveEntry> {
  const exported: ExportContext = { snapshot, sums: new Sums(), report, isKept }
  const there = await existingTables(snapshot, engine)
  for (const [table, carried] of carriedTables) if (there.has(table)) yield* piecesOf(exported, table, carried)
  if (there.has('blob')) yield* blobs(exported)
  const schema = await schemaVersion(snapshot, { engine })
  const manifest = exported.sums.manifest({ schema, numbers: await givenNumbers(snapshot, engine) })
  yield entryOf(manifestName, writtenManifest(manifest))
  done(manifest, exported.sums.damaged)
}

const entryOf = (name: string, bytes: Uint8Array): ArchiveEntry => ({ name, size: bytes.length, bytes: [bytes] })

async function* piecesOf(
  { snapshot, sums, report }: ExportContext,
  table: TableName,
  carried: CarriedTable,
): AsyncGenerator<ArchiveEntry> {
  sums.addTable(table)
  const total = await countOf(snapshot, table)
  let [lines, length, number, done] = [[] as string[], 0, 1, 0]
  const piece = (): ArchiveEntry => {
    const bytes = Buffer.from(lines.join(''))
    const name = pieceName(table, number++)
    sums.addPiece(table, name, bytes)
    ;[lines, length] = [[], 0]
    return entryOf(name, bytes)
  }
  for await (const page of pagesOf(snapshot, table, carried)) {
    for (const row of page) {
      const line = `${JSON.stringify(readable(row, carried))}\n`
      lines.push(line)
      length += Buffer.byteLength(line)
      if (length >= pieceBytes || (length >= leastPieceBytes && isCut(line))) yield piece()
    }
    done += page.length
    report(table, done, total)
  }
  if (lines.length > 0) yield piece()
}

type Row = Readonly<Record<string, unknown>>

/** The rows of one table, as they are written. */
export async function rowsOf(snapshot: Snapshot, table: TableName): Promise<readonly Row[]> {
  const [, carried] = carriedTables.find(([name]) => name === table) ?? []
  const rows: Row[] = []
  if (carried === undefined) return rows
  for await (const page of pagesOf(snapshot, table, carried)) rows.push(...page.map((row) => readable(row, carried)))
  return rows
}

async function* pagesOf(
  snapshot: Snapshot,
  table: string,
  { key, except = [] }: CarriedTable,
): AsyncGenerator<readonly Row[]> {
  const [name, column] = [named(table), named(key)]
  let after: string | number | undefined
  for (;;) {
    const beyond = after === undefined ? fragment`1 = 1` : fragment`${column} > ${after}`
    const page = await ask<Row>(
      snapshot,
      fragment`select * from ${name} where ${beyond} order by ${column} limit ${word(`${rowsAtOnce}`)}`,
    )
    const kept = page.filter((row) => !except.includes(String(row[key])))
    if (kept.length > 0) yield kept
    if (page.length < rowsAtOnce) return
    // Keys are numbers or texts.
    after = page.at(-1)?.[key] as string | number
  }
}

/** Shows JSON as JSON, where it would come back as the same text. */
function readable(row: Row, { json = [], without = [] }: CarriedTable): Row {
  if (json.length === 0) return row
  // A loop: every hourly backup does this to every row.
  const shown: Record<string, unknown> = {}
  for (const name in row) if (!without.includes(name)) shown[name] = json.includes(name) ? opened(row[name]) : row[name]
  return shown
}

function opened(text: unknown): unknown {
  if (typeof text !== 'string' || !/^[{[]/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text ? value : text
  } catch {
    return text
  }
}

async function* blobs({ snapshot, sums, report, isKept }: ExportContext): AsyncGenerator<ArchiveEntry> {
  const total = await countOf(snapshot, 'blob')
  let done = 0
  for await (const hash of blobHashes(snapshot)) {
    const name = blobName(hash)
    const size = await sizeOfBlob(snapshot, hash)
    if (isKept(hash)) sums.addKept(name, size)
    const bytes = isKept(hash) ? [] : sums.passing(name, chunksOf(snapshot, hash))
    yield { name, size, bytes }
    done += 1
    report('photos and files', done, total)
  }
}

interface Piece {
  lines: string[]
  length: number
  number: number
}

/** Writes rows as `furrow export` does, into a directory whose `blobs` are there already. */
export class RowFiles {
  readonly #directory: string
  readonly #pieces = new Map<TableName, Piece>()
  readonly #numbers: Record<string, number> = {}

  constructor(directory: string) {
    this.#directory = directory
    for (const name of [manifestName, ...carriedTables.map(([table]) => table)])
      rmSync(join(directory, name), { recursive: true, force: true })
  }

  add(table: TableName, row: Row): void {
    const piece = this.#pieces.get(table) ?? { lines: [], length: 0, number: 1 }
    this.#pieces.set(table, piece)
    const line = `${JSON.stringify(row)}\n`
    piece.lines.push(line)
    piece.length += line.length
    this.#count(table, row)
    if (piece.length >= pieceBytes) this.#write(table, piece)
  }

  /** The tables count on from the highest number that they have. */
  #count(table: TableName, row: Row): void {
    const key = numbered.get(table)
    if (key !== undefined) this.#numbers[table] = Math.max(this.#numbers[table] ?? 0, Number(row[key]))
  }

  #write(table: TableName, piece: Piece): void {
    const path = join(this.#directory, pieceName(table, piece.number++))
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, piece.lines.join(''), { mode: 0o600 })
    piece.lines = []
    piece.length = 0
  }

  /** Writes what is left, and the manifest behind it. */
  async finish(): Promise<void> {
    for (const [table, piece] of this.#pieces) if (piece.lines.length > 0) this.#write(table, piece)
    const sums = new Sums()
    for (const [table] of carriedTables) sums.addTable(table)
    for await (const entry of partsIn(this.#directory)) {
      const table = tableOfPiece(entry.name)
      if (table !== undefined) sums.addPiece(table, entry.name, await wholeOf(entry))
      else for await (const _ of sums.passing(entry.name, entry.bytes));
    }
    const manifest = sums.manifest({ schema: newest, numbers: this.#numbers })
    writeFileSync(join(this.#directory, manifestName), writtenManifest(manifest), { mode: 0o600 })
  }
}

const numbered = new Map(carriedTables.flatMap(([table, fate]) => (fate.numbered ? [[table, fate.key] as const] : [])))
