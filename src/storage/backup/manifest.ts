import { createHash } from 'node:crypto'
import { Refusal } from '../../refusal.ts'
import { fingerprint } from '../file-rows.ts'

const format = 'furrow-farm-1'

interface Piece {
  readonly name: string
  readonly rows: number
  readonly size: number
  readonly sha256: string
}

/** The last file of every export and archive: what all the others must be. */
export interface Manifest {
  readonly format: typeof format
  /** The version of the tables that the rows were read from. */
  readonly schema: number
  /** The highest number that each table has ever given. */
  readonly numbers: Readonly<Record<string, number>>
  readonly rows: Readonly<Record<string, number>>
  readonly pieces: readonly Piece[]
  /** Photos can be many: their names and sums are summed up in one. */
  readonly blobs: { readonly count: number; readonly size: number; readonly sha256: string }
}

const newline = 0x0a

function linesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1
  return lines
}

/** Adds up what goes into an export or comes out of one. */
export class Sums {
  readonly #pieces: Piece[] = []
  readonly #rows: Record<string, number> = {}
  readonly #blobs = createHash('sha256')
  #blobCount = 0
  #blobSize = 0
  /** Blobs whose bytes are not what their name says. They are carried as they are. */
  readonly damaged: string[] = []

  addTable(table: string): void {
    this.#rows[table] ??= 0
  }

  addPiece(table: string, name: string, bytes: Uint8Array): void {
    const rows = linesIn(bytes)
    this.#pieces.push({ name, rows, size: bytes.length, sha256: fingerprint(bytes) })
    this.#rows[table] = (this.#rows[table] ?? 0) + rows
  }

  /** Hands the bytes of a blob on and sums them up on the way. */
  async *passing(name: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of bytes) {
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
    const sum = hash.digest('hex')
    if (sum !== hashOfBlob(name)) this.damaged.push(name)
    this.#addBlob(name, sum, size)
  }

  /** A blob of which a sound copy is kept elsewhere. */
  addKept(name: string, size: number): void {
    this.#addBlob(name, hashOfBlob(name) ?? '', size)
  }

  #addBlob(name: string, sum: string, size: number): void {
    this.#blobs.update(`${name} ${sum} ${size}\n`)
    this.#blobCount += 1
    this.#blobSize += size
  }

  manifest({ schema, numbers }: Pick<Manifest, 'schema' | 'numbers'>): Manifest {
    return {
      format,
      schema,
      numbers,
      rows: { ...this.#rows },
      pieces: [...this.#pieces],
      blobs: { count: this.#blobCount, size: this.#blobSize, sha256: this.#blobs.copy().digest('hex') },
    }
  }
}

export const writtenManifest = (manifest: Manifest): Buffer => Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)

/** Reads a manifest; what it promises is compared with what was found, to the letter. */
export function readManifest(bytes: Uint8Array, found: Sums): Manifest {
  let manifest: Manifest
  try {
    manifest = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw new Refusal('invalid-content', 'its manifest cannot be read')
  }
  if (manifest?.format !== format) throw new Refusal('invalid-content', `its format is not ${format}`)
  const { schema, numbers, rows } = manifest
  for (const table of Object.keys(rows ?? {})) found.addTable(table)
  const sorted = (counts: object) => JSON.stringify(Object.entries(counts ?? {}).sort())
  const real = found.manifest({ schema, numbers })
  for (const part of ['pieces', 'blobs'] as const) {
    if (JSON.stringify(manifest[part]) !== JSON.stringify(real[part]))
      throw new Refusal('invalid-content', `its ${part} are not those that its manifest lists`)
  }
  if (sorted(rows) !== sorted(real.rows))
    throw new Refusal('invalid-content', 'its rows are not as many as its manifest says')
  if (!Number.isSafeInteger(schema) || !Object.values(numbers ?? {}).every(Number.isSafeInteger))
    throw new Refusal('invalid-content', 'its manifest is not whole')
  return manifest
}

/** One file of an export or an archive. Whoever is handed one reads its bytes to the end before asking for the next. */
export interface ArchiveEntry {
  readonly name: string
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** A source of entries that can be read repeatedly. */
export interface ArchiveSource {
  /** The name for the operator. */
  readonly name: string
  entries(): AsyncIterable<ArchiveEntry>
}

/** Table and number of a piece: `log/000001.jsonl`. */
export const pieceName = (table: string, number: number): string => `${table}/${String(number).padStart(6, '0')}.jsonl`

export const tableOfPiece = (name: string): string | undefined => /^([a-z_]+)\/\d{6,}\.jsonl$/.exec(name)?.[1]

export const blobName = (sha256: string): string => `blobs/${sha256}`

export const hashOfBlob = (name: string): string | undefined => /^blobs\/([0-9a-f]{64})$/.exec(name)?.[1]

export const manifestName = 'manifest.json'

export async function wholeOf({ bytes }: ArchiveEntry): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}
