import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGzip } from 'node:zlib'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { Database } from '../database.ts'
import { lockFile, makeDirectory } from '../disk/data-directory.ts'
import type { Report } from '../report.ts'
import { encrypted } from './age.ts'
import { type BackupResult, leave } from './back-up.ts'
import { formName, type GivenKeys, keysToWrite, type StoreKeys, sha256Of } from './backup-keys.ts'
import {
  type EntryList,
  faultOfPiece,
  faultyPieces,
  folderOfPiece,
  type KeepRule,
  keptTimes,
  listBackups,
  nameOfTime,
  type PieceOnDisk,
  pathOfList,
  pathOfPiece,
  pieceOf,
  piecesNamed,
  removeBackups,
  type StoredBackup,
  sweepPartials,
  writtenList,
} from './backup-store.ts'
import { fileProblem, writeWhole } from './durable-files.ts'
import { type ArchiveEntry, blobName, hashOfBlob, wholeOf } from './manifest.ts'

export interface BackupIntoOptions {
  readonly clock: Clock
  readonly report: Report
  readonly keep: KeepRule | null
  readonly keys: GivenKeys
  /** What names pieces that only recipients can read: the same in every run, and known to the farm alone. */
  readonly farmKey: () => Promise<Buffer>
}

export interface BackupIntoResult extends BackupResult {
  readonly name: string
  /** What was new: pieces, and their bytes on the disk. */
  readonly written: { readonly pieces: number; readonly bytes: number }
  /** Backups that were removed because nothing says to keep them. */
  readonly removed: readonly string[]
  /** Lists that cannot be read: while there are such, no piece is removed. */
  readonly damagedLists: readonly string[]
}

/** Adds a backup to a directory: only what no earlier one holds is written. A kill at any moment leaves all earlier ones whole. */
export async function backUpInto(
  database: Database,
  directory: string,
  options: BackupIntoOptions,
): Promise<BackupIntoResult> {
  try {
    makeDirectory(directory)
    await requireOwn(directory)
    const lock = lockFile(join(directory, 'backups.lock'))
    if (lock === null) throw new Refusal('busy', `Another backup is being written to ${directory}. Try again later.`)
    try {
      return await writeBackup(database, directory, options)
    } finally {
      lock.close()
    }
  } catch (error) {
    throw fileProblem(error, directory)
  }
}

async function requireOwn(directory: string): Promise<void> {
  const there = (await readdir(directory)).filter(
    (name) => !/^(backups\.lock|lost\+found|key\.age|.*\.partial$)/.test(name),
  )
  if (there.length === 0 || there.includes(formName)) return
  throw new Refusal('conflict', `${directory} is not empty and holds no backups of Furrow. Choose another directory.`)
}

/** Pieces of earlier backups are read again, to the last byte, once in so long. */
const readEvery = 86_400

async function writeBackup(
  database: Database,
  directory: string,
  { clock, report, keep, keys: given, farmKey }: BackupIntoOptions,
): Promise<BackupIntoResult> {
  await sweepPartials(directory)
  const keys = await keysToWrite(directory, given, farmKey)
  const at = clock()
  const { backups, damaged: damagedLists } = await listBackups(directory)
  const lastRead = Math.max(0, ...backups.map(({ read }) => read))
  const isDue = at - lastRead >= readEvery
  const known = piecesNamed(backups)
  const survey = { directory, pieces: known.values(), depth: isDue ? 'bytes' : 'size', report } as const
  // What is not as it was is written again, if the farm still has it.
  for (const name of (await faultyPieces(survey)).keys()) known.delete(name)
  const writer = new PieceWriter(directory, keys, known)
  const isKept = (sha256: string) => known.has(pieceOf(keys, blobName(sha256), sha256))
  const departure = await leave(database, { report, isKept }, (entries) => writer.writeAll(entries))
  const list = await writer.finish()
  await requireAsWritten(directory, writer.written)
  const name = freeName(at, backups)
  const backup: StoredBackup = { name, at, read: isDue ? at : lastRead, list, pieces: writer.named }
  mkdirSync(dirname(pathOfList(directory, name)), { recursive: true, mode: 0o700 })
  await writeWhole(pathOfList(directory, name), [writtenList(backup)])
  const removed = await prune(directory, { all: [...backups, backup], keep, damagedLists })
  const bytes = writer.written.reduce((sum, [, , size]) => sum + size, 0)
  return { ...departure, name, written: { pieces: writer.written.length, bytes }, removed, damagedLists }
}

/** Two backups of one second are told apart by a number. */
function freeName(at: number, backups: readonly StoredBackup[]): string {
  const taken = new Set(backups.map(({ name }) => name))
  const names = [nameOfTime(at), ...backups.map((_, number) => `${nameOfTime(at)}-${number + 2}`)]
  return names.find((name) => !taken.has(name)) ?? nameOfTime(at)
}

async function requireAsWritten(directory: string, pieces: readonly PieceOnDisk[]): Promise<void> {
  for (const piece of pieces) {
    if ((await faultOfPiece(directory, piece, 'bytes')) !== null)
      throw new Refusal(
        'invalid-content',
        `${pathOfPiece(directory, piece[0])} is not what was written: check the disk.`,
      )
  }
}

interface PruneRequest {
  readonly all: readonly StoredBackup[]
  readonly keep: KeepRule | null
  readonly damagedLists: readonly string[]
}

async function prune(directory: string, { all, keep, damagedLists }: PruneRequest): Promise<readonly string[]> {
  // What a damaged list names is not known: nothing goes until somebody has looked at it.
  if (damagedLists.length > 0) return []
  const times = all.map(({ at }) => at)
  const kept = keep === null ? new Set(times) : keptTimes(times, keep)
  const gone = all.filter(({ at }) => !kept.has(at))
  const staying = all.filter(({ at }) => kept.has(at))
  await removeBackups(directory, gone, new Set(piecesNamed(staying).keys()))
  return gone.map(({ name }) => name)
}

/** Writes what is new and notes what the backup is made of. */
class PieceWriter {
  readonly written: PieceOnDisk[] = []
  readonly #directory: string
  readonly #keys: StoreKeys
  readonly #known: Map<string, PieceOnDisk>
  readonly #named = new Map<string, PieceOnDisk>()
  readonly #entries: (readonly [string, number, string])[] = []

  constructor(directory: string, keys: StoreKeys, known: Map<string, PieceOnDisk>) {
    this.#directory = directory
    this.#keys = keys
    this.#known = known
  }

  get named(): readonly PieceOnDisk[] {
    return [...this.#named.values()]
  }

  async writeAll(entries: AsyncIterable<ArchiveEntry>): Promise<void> {
    for await (const entry of entries) this.#entries.push([entry.name, entry.size, await this.#write(entry)])
  }

  /** Writes the list of entries and answers the name of its piece. */
  async finish(): Promise<string> {
    const list: EntryList = { entries: this.#entries }
    const bytes = Buffer.from(JSON.stringify(list))
    return this.#write({ name: 'entries', size: bytes.length, bytes: [bytes] })
  }

  async #write(entry: ArchiveEntry): Promise<string> {
    const claimed = hashOfBlob(entry.name)
    const kept = claimed === undefined ? undefined : this.#known.get(pieceOf(this.#keys, entry.name, claimed))
    if (kept !== undefined) {
      for await (const _ of entry.bytes);
      return this.#note(kept)
    }
    // Of a photo as much is held in memory as one may have; rows come in pieces of a few MiB.
    const bytes = await wholeOf(entry)
    const name = pieceOf(this.#keys, entry.name, sha256Of(bytes))
    return this.#note(this.#known.get(name) ?? (await this.#put(name, bytes)))
  }

  #note(piece: PieceOnDisk): string {
    this.#named.set(piece[0], piece)
    return piece[0]
  }

  async #put(name: string, bytes: Buffer): Promise<PieceOnDisk> {
    mkdirSync(folderOfPiece(this.#directory, name), { recursive: true, mode: 0o700 })
    const hash = createHash('sha256')
    let size = 0
    const form = this.#formOf(name, bytes)
    async function* summed() {
      for await (const chunk of form) {
        hash.update(chunk)
        size += chunk.length
        yield chunk
      }
    }
    await writeWhole(pathOfPiece(this.#directory, name), summed())
    const piece: PieceOnDisk = [name, hash.digest('hex'), size]
    this.#known.set(name, piece)
    this.written.push(piece)
    return piece
  }

  #formOf(name: string, bytes: Buffer): AsyncIterable<Uint8Array> {
    const packed = /\.gz(\.age)?$/.test(name) ? gzipped(bytes) : oneOf(bytes)
    return this.#keys.recipients.length > 0 ? encrypted(packed, this.#keys.recipients) : packed
  }
}

async function* oneOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

function gzipped(bytes: Buffer): AsyncIterable<Uint8Array> {
  const gzip = createGzip()
  gzip.end(bytes)
  return gzip
}
