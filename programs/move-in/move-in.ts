import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Installation } from '../../src/access/installation.ts'
import { wallClock } from '../../src/clock.ts'
import type { Farm } from '../../src/farm/farm.ts'
import { printable } from '../../src/fields/text.ts'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { Refusal } from '../../src/refusal.ts'
import { exportIn } from '../../src/storage/backup/directory.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { placeName, type StoragePlace } from '../../src/storage/disk/cannot-open.ts'
import { ensureDataDirectory } from '../../src/storage/disk/data-directory.ts'
import type { Report } from '../../src/storage/report.ts'
import { readApiSource } from './api-source.ts'
import { concludeWith, findingOf, type MoveChange, type MoveFinding, reportFindings, type Say } from './findings.ts'
import { withoutSlash } from './http-client.ts'
import type { SourceCredentials, SourceInterface } from './login.ts'
import { adviceAfterwards, sayBeforehand } from './move-advice.ts'
import { readOlderSource } from './older-source.ts'
import type { ServedChecks, SourceReading } from './source.ts'
import { readBytes, whyMissing } from './source-files.ts'
import { type SourceServer, sourceServerAt } from './source-server.ts'
import type { NoteFormat } from './source-values.ts'
import { inspectTargetFarm, readingNotedIn, type TargetFarm } from './target-farm.ts'
import { refuseUnknown } from './unknown-types.ts'
import { beginReading, directoryFor, earlierReading, WorkingDirectory } from './working-directory.ts'

export interface MoveOptions {
  readonly place: StoragePlace
  /** Reads everything and changes nothing. */
  readonly dryRun: boolean
  /** Resumes an interrupted reading. */
  readonly resume: boolean
  /** Replaces the records of an earlier move by a new reading. */
  readonly again: boolean
  /** The module file to write, which declares what this farm lacks. */
  readonly moduleFile: string | undefined
  /** Module files given to this command. */
  readonly modules: readonly string[]
  readonly notes: NoteFormat
  /** Undefined: found out. */
  readonly spoken: SourceInterface | undefined
}

/** Services of the caller: a terminal, and the farm to move into. */
export interface MoveHost extends ServedChecks {
  readonly say: Say
  /** Runs long work and shows its progress. */
  withProgress<T>(work: (report: Report) => Promise<T>): Promise<T>
  askForCredentials(): Promise<SourceCredentials>
  /** The catalogue of this farm, with its modules. */
  loadFarm(): Promise<Farm>
  /** Waits while the work is paused; absent where it cannot be. */
  readonly ready?: () => Promise<void>
  /** Opens the farm that has moved in. */
  inFarm<T>(work: (installation: Installation) => Promise<T>): Promise<T>
}

/** Moves the farm of another server in, or resumes it, and compares both. */
export async function moveIn(url: URL, options: MoveOptions, host: MoveHost): Promise<void> {
  refuseExisting(options.moduleFile)
  const credentials = await host.askForCredentials()
  const { place, again } = options
  const { say } = host
  ensureDataDirectory(place.data)
  const begin = { data: place.data, url: withoutSlash(url), how: options.resume ? 'resume' : 'anew' } as const
  const here = await inspectTargetFarm(place, { ...begin, id: earlierReading(begin)?.id, again })
  if (here === 'compared') {
    say(`The farm of ${begin.url} has moved in and was compared before. Compare again with --verify-only.`)
    return
  }
  const server = await sourceServerAt(url, credentials, options)
  // Checked before anything is started that would have to be resumed.
  await server.info()
  if (!options.resume) await sayBeforehand(server, await host.loadFarm(), say)
  const directory = beginReading({ ...begin, now: wallClock() })
  const move = { server, directory, options, host }
  if (here !== 'moved-in') {
    const isMoved = await readAndKeep({ ...move, here })
    if (!isMoved) return
  }
  await verifyMove(move)
}

interface Move {
  readonly server: SourceServer
  readonly directory: WorkingDirectory
  readonly options: MoveOptions
  readonly host: MoveHost
}

/** Returns true if the farm was filled. A dry run fills none, nor does a module that must be reviewed first. */
async function readAndKeep(move: Move & { readonly here: TargetFarm }): Promise<boolean> {
  const { server, directory, here, options, host } = move
  const reading = await readAll(move)
  const farm = await farmFor(reading, options, host)
  if (farm === null) return false
  const { files } = reading
  await host.withProgress((report) => readBytes(server, { files, folder: directory.folder('blobs'), report }))
  const changes: MoveChange[] = []
  const note = (change: MoveChange) => changes.push(change)
  const request = { farm, here, texts: textsOf(reading, options), now: wallClock(), note }
  await host.withProgress((report) => reading.write(directory, { ...request, report }))
  if (options.dryRun) {
    sayDryRun(changes, directory, host.say)
    return false
  }
  const { place } = options
  const kept = await host.withProgress((report) =>
    restoreFarm(exportIn(directory.path), {
      place,
      farm,
      clock: wallClock,
      report,
      ifOccupied: options.again ? 'keep-aside' : 'keep-unrecorded-aside',
      ifUnknown: 'refuse',
    }),
  )
  host.say(`The farm in ${placeName(place)} now has the records of ${server.address}.`)
  if (kept.aside !== null)
    host.say(`What was there before is kept in ${kept.aside}. Its people and clients are here, too.`)
  if (existsSync(directory.numbersFile))
    host.say(`Some records have other numbers here: ${directory.numbersFile} lists them. Their UUIDs are the same.`)
  return true
}

async function readAll({ server, directory, host }: Move): Promise<SourceReading> {
  const began = Date.now()
  const reading = await readFarm(server, directory.folder('read'), host)
  host.say(countsOf(reading, (Date.now() - began) / 1000))
  const missing = missingFiles(server, reading)
  if (missing.length > 0) host.say(`${missing.length.toLocaleString('en')} files cannot be read:`, ...missing)
  return reading
}

export const readFarm = (
  server: SourceServer,
  folder: string,
  { withProgress }: Pick<MoveHost, 'withProgress'>,
): Promise<SourceReading> =>
  withProgress((report) => (server.spoken === 'api' ? readApiSource : readOlderSource)(server, folder, report))

function countsOf({ counts }: SourceReading, seconds: number): string {
  const all = counts.reduce((sum, [count]) => sum + count, 0)
  const rate = Math.round(all / Math.max(seconds, 0.1)).toLocaleString('en')
  const listed = counts.map(([count, what]) => `${count.toLocaleString('en')} ${what}`).join(', ')
  return `Read: ${listed}, in ${Math.ceil(seconds)} s (${rate} a second).`
}

/** Checked before anything is stored, so that the operator can still come back with a password. */
const missingFiles = (server: SourceServer, { namedFiles, files }: SourceReading): readonly string[] =>
  namedFiles.flatMap((id) => {
    const file = files.described.get(id)
    const why = whyMissing(server, file)
    return why === undefined ? [] : [printable(`  file ${id} (${String(file?.name ?? 'without a name')}) ${why}`)]
  })

/**
 * The farm with its modules, or null if a module was written: the operator reviews it and loads it with another
 * command.
 */
async function farmFor(
  reading: SourceReading,
  { moduleFile }: MoveOptions,
  { loadFarm, say }: MoveHost,
): Promise<Farm | null> {
  const farm = await loadFarm()
  const unknown = reading.unknownTo(farm)
  if (moduleFile !== undefined && writeModule(moduleFile, reading.moduleFor(farm, unknown), say)) return null
  refuseUnknown(
    unknown,
    'Give the modules that declare them with --module, or let one be written with --write-module FILE, and add --resume.',
  )
  return farm
}

/** Returns true if there was anything to declare. */
function writeModule(file: string, text: string | null, say: Say): boolean {
  if (text === null) {
    say(`This farm knows everything of the other one: ${resolve(file)} was not written.`)
    return false
  }
  writeFileSync(file, text, { flag: 'wx' })
  say(
    '',
    ...text.split('\n'),
    `${resolve(file)} declares what this farm did not know. Nothing was moved in yet, and the module was not loaded.`,
    `Look at it, change what is wrong, and go on: --resume --module ${file}`,
    `Give it to every command from now on.`,
  )
  return true
}

/** An existing module is never overwritten. */
function refuseExisting(file: string | undefined): void {
  if (file === undefined || !existsSync(file)) return
  throw new Refusal(
    'conflict',
    `${resolve(file)} is there already. Use it with --module ${file}, or delete it to have it written anew.`,
  )
}

/** A Furrow shows texts as written, and so does the newer generation. */
export const textsOf = ({ isFurrow }: SourceReading, { notes }: Pick<MoveOptions, 'notes'>): NoteFormat =>
  isFurrow ? 'html' : notes

function sayDryRun(changes: readonly MoveChange[], directory: WorkingDirectory, say: Say): void {
  const findings = changes.map(findingOf)
  reportFindings(findings, `${directory.path}-report.txt`, say)
  say(
    `Nothing was changed. What was read is kept in ${directory.path}: without --dry-run, and with --resume, it moves in.`,
  )
  concludeWith(findings, { lost: 'things would be lost.', changed: 'things would not be as they were.' })
}

/** Reads everything again, and compares it with this farm. */
async function verifyMove(move: Move): Promise<void> {
  const { server, directory, host, options } = move
  const findings = await comparedWith(move)
  reportFindings(findings, `${directory.path}-report.txt`, host.say)
  directory.remove()
  host.say(...adviceAfterwards(server, options.modules))
  concludeWith(findings, {
    lost: 'things are lost.',
    changed: 'things are not as they were; all others are equal on both sides.',
  })
  host.say('Every record is equal on both sides.')
}

async function comparedWith({ server, directory, options, host }: Move): Promise<readonly MoveFinding[]> {
  const reading = await readFarm(server, directory.folder('again'), host)
  return host.inFarm((installation) => compareReading({ installation, reading, options, host }))
}

interface ReadingToCompare {
  readonly installation: Installation
  readonly reading: SourceReading
  readonly options: Pick<MoveOptions, 'notes'>
  readonly host: Pick<MoveHost, 'withProgress' | keyof ServedChecks>
}

/** Compares a reading with this farm, in both directions. */
export async function compareReading(compared: ReadingToCompare): Promise<readonly MoveFinding[]> {
  const { installation, reading, options, host } = compared
  refuseUnknown(
    reading.unknownTo(installation.farm),
    'Give the modules that declare them with --module, and add --resume.',
  )
  const settings = await installation.database.read((snapshot) => rowsOf(snapshot, 'setting'))
  const noted = readingNotedIn(settings)
  const texts = noted?.notes ?? textsOf(reading, options)
  const { unservedFiles, shownResources } = host
  return host.withProgress((report) =>
    reading.compare({ installation, texts, report, noted, unservedFiles, shownResources }),
  )
}

/** Compares a farm that moved in earlier. Writes only the list of differences. */
export async function verifyOnly(url: URL, options: MoveOptions, host: MoveHost): Promise<void> {
  const server = await sourceServerAt(url, await host.askForCredentials(), options)
  const { data } = options.place
  const path = `${directoryFor({ data, url: withoutSlash(url) })}-verify`
  rmSync(path, { recursive: true, force: true })
  const directory = new WorkingDirectory(path, { id: '', url: withoutSlash(url) })
  try {
    const findings = await comparedWith({ server, directory, options, host })
    reportFindings(findings, `${path}-report.txt`, host.say)
    concludeWith(findings, {
      lost: 'things are missing here.',
      changed: 'things are not the same; all others are equal on both sides.',
    })
    host.say('Every record is equal on both sides.')
  } finally {
    directory.remove()
  }
}
