import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newest } from '../migrations/migrations.ts'
import { carriedTables, type TableName } from '../sql/table-fates.ts'
import { partsIn } from './directory.ts'
import { manifestName, pieceName, tableOfPiece, wholeOf } from './entry.ts'
import { Sums, writtenManifest } from './manifest.ts'

const pieceBytes = 4 * 1024 * 1024

interface Piece {
  lines: string[]
  length: number
  number: number
}

type Row = Readonly<Record<string, unknown>>

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
