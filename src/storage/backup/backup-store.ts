import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../refusal.ts'
import type { Report } from '../report.ts'
import { decrypted } from './age.ts'
import { nameOfContent, type StoreKeys, sha256Of } from './backup-keys.ts'
import { partialEnding, syncDirectory } from './durable-files.ts'
import { type ArchiveEntry, type ArchiveSource, hashOfBlob } from './manifest.ts'

/**
 * A directory of backups. `pieces/` has what any backup holds, once, under a name made of its content; `backups/` has a list per
 * backup. A backup is there when its list is; all it names was written before.
 */
export interface StoredBackup {
  /** Its time, as its file is named: `2026-11-18T02-30-00Z`. */
  readonly name: string
  readonly at: number
  /** When all pieces in the directory were last read and compared. */
  readonly read: number
  /** The piece that says which piece is which entry. */
  readonly list: string
  readonly pieces: readonly PieceOnDisk[]
}

export type PieceOnDisk = readonly [name: string, sha256: string, size: number]

/** What the list piece holds. */
export interface EntryList {
  readonly entries: readonly (readonly [entry: string, size: number, piece: string])[]
}

const listsFolder = 'backups'
const piecesFolder = 'pieces'

export const pathOfList = (directory: string, name: string): string => join(directory, listsFolder, `${name}.json`)

export const folderOfPiece = (directory: string, name: string): string =>
  join(directory, piecesFolder, name.slice(0, 2))

export const pathOfPiece = (directory: string, name: string): string => join(folderOfPiece(directory, name), name)

/** Texts are packed; photos are as they are. */
export const pieceOf = (keys: StoreKeys, entry: string, sha256: string): string =>
  nameOfContent(keys, sha256) +
  (hashOfBlob(entry) === undefined ? '.gz' : '') +
  (keys.recipients.length > 0 ? '.age' : '')

export const nameOfTime = (at: number): string =>
  new Date(at * 1000).toISOString().slice(0, 19).replaceAll(':', '-').concat('Z')

/** A list carries the sum of itself, so that a damaged one is never taken for a shorter one. */
export function writtenList({ name: _name, ...backup }: StoredBackup): Buffer {
  const text = JSON.stringify({ format: 'furrow-backup-1', ...backup })
  return Buffer.from(`${text}\n${sha256Of(Buffer.from(text))}\n`)
}

/** All backups, oldest first, and the names of lists that cannot be read. */
export async function listBackups(
  directory: string,
): Promise<{ readonly backups: readonly StoredBackup[]; readonly damaged: readonly string[] }> {
  const names = (await readdir(join(directory, listsFolder)).catch((): string[] => []))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort()
  const read = await Promise.all(names.map(async (name) => ({ name, backup: await readList(directory, name) })))
  const backups = read.flatMap(({ backup }) => backup ?? [])
  return {
    backups: backups.toSorted((one, other) => one.at - other.at),
    damaged: read.filter(({ backup }) => backup === null).map(({ name }) => name),
  }
}

async function readList(directory: string, name: string): Promise<StoredBackup | null> {
  const [text = '', sum] = (await readFile(pathOfList(directory, name), 'utf8')).split('\n')
  if (sha256Of(Buffer.from(text)) !== sum) return null
  const { format, ...backup } = JSON.parse(text)
  return format === 'furrow-backup-1' ? { name, ...backup } : null
}

/** Every piece that some backup names, as the last to name it has described it. */
export const piecesNamed = (backups: readonly StoredBackup[]): Map<string, PieceOnDisk> =>
  new Map(backups.flatMap(({ pieces }) => pieces.map((piece) => [piece[0], piece] as const)))

export type PieceFault = 'missing' | 'changed'

/** What is wrong with a piece: by its size alone, or by all of its bytes. */
export async function faultOfPiece(
  directory: string,
  [name, sha256, size]: PieceOnDisk,
  depth: 'size' | 'bytes',
): Promise<PieceFault | null> {
  const path = pathOfPiece(directory, name)
  const found = await stat(path).catch(() => null)
  if (found === null) return 'missing'
  if (found.size !== size) return 'changed'
  if (depth === 'size') return null
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex') === sha256 ? null : 'changed'
}

export interface PieceSurvey {
  readonly directory: string
  readonly pieces: Iterable<PieceOnDisk>
  readonly depth: 'size' | 'bytes'
  readonly report: Report
}

/** The pieces that are not as they were written. */
export async function faultyPieces({
  directory,
  pieces,
  depth,
  report,
}: PieceSurvey): Promise<Map<string, PieceFault>> {
  const all = [...pieces]
  const faulty = new Map<string, PieceFault>()
  for (const [at, piece] of all.entries()) {
    const fault = await faultOfPiece(directory, piece, depth)
    if (fault !== null) faulty.set(piece[0], fault)
    report(depth === 'bytes' ? 'reading pieces' : 'looking at pieces', at + 1, all.length)
  }
  return faulty
}

/** The content of a piece, decrypted and unpacked. */
export async function* contentOf(directory: string, { piece, keys }: { piece: string; keys: StoreKeys }) {
  const stored: AsyncIterable<Uint8Array> = createReadStream(pathOfPiece(directory, piece))
  const open = piece.endsWith('.age') && keys.secret !== null ? decrypted(stored, keys.secret) : stored
  yield* /\.gz(\.age)?$/.test(piece) ? unpacked(open) : open
}

async function* unpacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const feeding = (async () => {
    for await (const chunk of bytes) if (!gunzip.write(chunk)) await new Promise((go) => gunzip.once('drain', go))
    gunzip.end()
  })().catch((error) => gunzip.destroy(error))
  try {
    yield* gunzip
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('invalid-content', 'it cannot be unpacked')
  } finally {
    gunzip.destroy()
    await feeding
  }
}

/** One backup as something that a farm can be restored from. */
export function backupSource(directory: string, backup: StoredBackup, keys: StoreKeys): ArchiveSource {
  return { name: `${directory} (${backup.name})`, entries: () => entriesOf(directory, backup, keys) }
}

async function* entriesOf(directory: string, backup: StoredBackup, keys: StoreKeys): AsyncGenerator<ArchiveEntry> {
  const faulty = await faultyPieces({ directory, pieces: backup.pieces, depth: 'size', report: () => {} })
  const [[name, fault] = []] = faulty
  if (name !== undefined) throw new Refusal('invalid-content', `its piece ${name} is ${fault}`)
  const { entries } = await readEntryList(directory, backup, keys)
  for (const [entry, size, piece] of entries) {
    yield { name: entry, size, bytes: contentOf(directory, { piece, keys }) }
  }
}

async function readEntryList(directory: string, { list }: StoredBackup, keys: StoreKeys): Promise<EntryList> {
  const parts: Uint8Array[] = []
  for await (const part of contentOf(directory, { piece: list, keys })) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString('utf8'))
}

/** What a run that was killed has left. Nobody else can be at work here: this process has the lock. */
export async function sweepPartials(directory: string): Promise<void> {
  const names = await readdir(directory, { recursive: true })
  for (const name of names) if (name.endsWith(partialEnding)) await rm(join(directory, name), { force: true })
}

/** Removes backups, and then every piece that no backup names. Lists go first: what a kill leaves is pieces too many, never too few. */
export async function removeBackups(
  directory: string,
  gone: readonly StoredBackup[],
  named: ReadonlySet<string>,
): Promise<number> {
  for (const { name } of gone) await rm(pathOfList(directory, name))
  if (gone.length > 0) await syncDirectory(join(directory, listsFolder))
  let removed = 0
  for (const folder of await readdir(join(directory, piecesFolder))) {
    for (const name of await readdir(join(directory, piecesFolder, folder))) {
      if (named.has(name)) continue
      await rm(join(directory, piecesFolder, folder, name))
      removed += 1
    }
  }
  return removed
}

/** How many hours, days, weeks, months and years keep a backup: the last of each that has one. */
export type KeepRule = Readonly<Partial<Record<KeepUnit, number>>>

type KeepUnit = 'h' | 'd' | 'w' | 'm' | 'y'

/** Such as `7d,4w,12m`; null where it is misspelt. */
export function keepRuleIn(text: string): KeepRule | null {
  const rule: Partial<Record<KeepUnit, number>> = {}
  for (const part of text.split(',')) {
    const [, count, unit] = /^([1-9]\d{0,3})([hdwmy])$/.exec(part.trim()) ?? []
    if (count === undefined || unit === undefined || unit in rule) return null
    // The expression has no other letters.
    rule[unit as KeepUnit] = Number(count)
  }
  return rule
}

const day = 86_400

/** What two times of one hour, day, week, month or year have in common, in UTC; weeks begin on Mondays. */
const periods: Readonly<Record<KeepUnit, (at: number) => string>> = {
  h: (at) => String(Math.floor(at / 3600)),
  d: (at) => String(Math.floor(at / day)),
  // 1970-01-01 was a Thursday.
  w: (at) => String(Math.floor((at / day + 3) / 7)),
  m: (at) => new Date(at * 1000).toISOString().slice(0, 7),
  y: (at) => new Date(at * 1000).toISOString().slice(0, 4),
}

/** Those of these times that are kept; the last always is. */
export function keptTimes(times: readonly number[], rule: KeepRule): ReadonlySet<number> {
  const newestFirst = times.toSorted((one, other) => other - one)
  const kept = new Set(newestFirst.slice(0, 1))
  for (const [unit, count = 0] of Object.entries(rule)) {
    // The keys of a rule are its units.
    const periodOf = periods[unit as KeepUnit]
    const seen = new Set<string>()
    for (const at of newestFirst) {
      const period = periodOf(at)
      if (seen.has(period)) continue
      if (seen.size === count) break
      seen.add(period)
      kept.add(at)
    }
  }
  return kept
}
