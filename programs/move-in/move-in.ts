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
import { compareFarms, type FileCheck } from './farm-comparison.ts'
import { writeExport } from './farm-export.ts'
import { concludeWith, findingOf, type MoveChange, type MoveFinding, reportFindings, type Say } from './findings.ts'
import { moduleFor } from './generated-module.ts'
import { withoutSlash } from './http-client.ts'
import type { SourceCredentials } from './login.ts'
import { ReferenceIndex } from './references.ts'
import { describeFiles, namedFiles, openFiles, readBytes, type StoredSourceFiles, whyMissing } from './source-files.ts'
import { readSource, type SourceFarm } from './source-reader.ts'
import { type SourceServer, sourceServerAt } from './source-server.ts'
import type { NoteFormat } from './source-values.ts'
import { inspectTargetFarm, readingNotedIn, type TargetFarm } from './target-farm.ts'
import { refuseUnknown, unknownTo } from './unknown-types.ts'
import { findUnlistedAccounts } from './unlisted-accounts.ts'
import { beginReading, directoryFor, earlierReading, WorkingDirectory } from './working-directory.ts'

interface MoveOptions {
  readonly place: StoragePlace
  /** Reads everything and changes nothing. */
  readonly dryRun: boolean
  /** Resumes an interrupted reading. */
  readonly resume: boolean
  /** The module file to write, which declares what this farm lacks. */
  readonly moduleFile: string | undefined
  readonly notes: NoteFormat
}

/** Services of the caller: a terminal, and the farm to move into. */
interface MoveHost {
  readonly say: Say
  /** Runs long work and shows its progress. */
  withProgress<T>(work: (report: Report) => Promise<T>): Promise<T>
  askForCredentials(): Promise<SourceCredentials>
  /** The catalogue of this farm, with its modules. */
  loadFarm(): Promise<Farm>
  /** Opens the farm that has moved in. */
  inFarm<T>(work: (installation: Installation) => Promise<T>): Promise<T>
  readonly unservedFiles: FileCheck
}

/** Moves the farm of another server in, or resumes it, and compares both. */
export async function moveIn(url: URL, options: MoveOptions, host: MoveHost): Promise<void> {
  refuseExisting(options.moduleFile)
  const server = sourceServerAt(url, await host.askForCredentials())
  const { place } = options
  const { say } = host
  say(
    'Not told by the interface of a farmOS 1.x, and so not moved: sensor data, plans, revisions, passwords and roles.',
  )
  ensureDataDirectory(place.data)
  const begin = { data: place.data, url: withoutSlash(url), how: options.resume ? 'resume' : 'anew' } as const
  const here = await inspectTargetFarm(place, { ...begin, id: earlierReading(begin)?.id })
  if (here === 'compared') {
    say(`The farm of ${server.address} has moved in and was compared before. Compare again with --verify-only.`)
    return
  }
  // Checked before anything is started that would have to be resumed.
  await server.info()
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
  const { reading, files } = await readAll(move)
  const farm = await farmFor(reading, options, host)
  if (farm === null) return false
  await host.withProgress((report) => readBytes(server, { files, folder: directory.folder('blobs'), report }))
  const changes: MoveChange[] = []
  const known = new ReferenceIndex(farm, reading, files)
  const note = (change: MoveChange) => changes.push(change)
  const manner = { reading, files, known, here, texts: textsOf(reading, options), now: wallClock(), note }
  await host.withProgress((report) => writeExport(directory, { ...manner, report }))
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
      ifOccupied: 'keep-unrecorded-aside',
      ifUnknown: 'refuse',
    }),
  )
  host.say(`The farm in ${placeName(place)} now has the records of ${server.address}.`)
  if (kept.aside !== null)
    host.say(`What was there before is kept in ${kept.aside}. Its people and clients are here, too.`)
  return true
}

interface ReadAll {
  readonly reading: SourceFarm
  readonly files: StoredSourceFiles
}

async function readAll({ server, directory, host }: Move): Promise<ReadAll> {
  const began = Date.now()
  const folder = directory.folder('read')
  const reading = await readFarm(server, folder, host)
  host.say(countsOf(reading, (Date.now() - began) / 1000))
  const files = openFiles(folder)
  const named = namedFiles(reading)
  await host.withProgress((report) => describeFiles(server, named, files, report))
  const missing = missingFiles(server, named, files)
  if (missing.length > 0) host.say(`${missing.length.toLocaleString('en')} files cannot be read:`, ...missing)
  return { reading, files }
}

const readFarm = (server: SourceServer, folder: string, { withProgress }: MoveHost): Promise<SourceFarm> =>
  withProgress(async (report) => {
    const reading = await readSource(server, folder, report)
    await findUnlistedAccounts(server, reading, report)
    return reading
  })

function countsOf({ records, users }: SourceFarm, seconds: number): string {
  const counts = [
    [users.size, 'accounts'],
    [records.term.size, 'terms'],
    [records.asset.size, 'assets'],
    [records.log.size, 'logs'],
  ] as const
  const all = counts.reduce((sum, [count]) => sum + count, 0)
  const rate = Math.round(all / Math.max(seconds, 0.1)).toLocaleString('en')
  const listed = counts.map(([count, what]) => `${count.toLocaleString('en')} ${what}`).join(', ')
  return `Read: ${listed}, in ${Math.ceil(seconds)} s (${rate} a second).`
}

/** Checked before anything is stored, so that the operator can still come back with a password. */
const missingFiles = (server: SourceServer, named: readonly number[], files: StoredSourceFiles): readonly string[] =>
  named.flatMap((id) => {
    const file = files.described.get(id)
    const why = whyMissing(server, file)
    return why === undefined ? [] : [printable(`  file ${id} (${String(file?.name ?? 'without a name')}) ${why}`)]
  })

/**
 * The farm with its modules, or null if a module was written: the operator reviews it and loads it with another
 * command.
 */
async function farmFor(
  reading: SourceFarm,
  { moduleFile }: MoveOptions,
  { loadFarm, say }: MoveHost,
): Promise<Farm | null> {
  const farm = await loadFarm()
  const unknown = unknownTo(farm, reading)
  if (moduleFile !== undefined && writeModule(moduleFile, moduleFor(farm, reading, unknown), say)) return null
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

/** A Furrow shows texts as written. */
const textsOf = ({ from }: SourceFarm, { notes }: MoveOptions): NoteFormat => (from === 'Furrow' ? 'html' : notes)

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
  const { directory, host } = move
  const findings = await comparedWith(move)
  reportFindings(findings, `${directory.path}-report.txt`, host.say)
  directory.remove()
  host.say(...unblockingAdvice)
  concludeWith(findings, {
    lost: 'things are lost.',
    changed: 'things are not as they were; all others are equal on both sides.',
  })
  host.say('Every record is equal on both sides.')
}

async function comparedWith({ server, directory, options, host }: Move): Promise<readonly MoveFinding[]> {
  const folder = directory.folder('again')
  const reading = await readFarm(server, folder, host)
  const files = openFiles(folder)
  await host.withProgress((report) => describeFiles(server, namedFiles(reading), files, report))
  return host.inFarm(async (installation) => {
    refuseUnknown(
      unknownTo(installation.farm, reading),
      'Give the modules that declare them with --module, and add --resume.',
    )
    const settings = await installation.database.read((snapshot) => rowsOf(snapshot, 'setting'))
    const texts = readingNotedIn(settings)?.notes ?? textsOf(reading, options)
    const { unservedFiles } = host
    return host.withProgress((report) => compareFarms({ installation, reading, files, texts, report, unservedFiles }))
  })
}

/** Compares a farm that moved in earlier. Writes only the list of differences. */
export async function verifyOnly(url: URL, options: MoveOptions, host: MoveHost): Promise<void> {
  const server = sourceServerAt(url, await host.askForCredentials())
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

const unblockingAdvice: readonly string[] = [
  '',
  'The accounts that came along are blocked and have neither password nor role. To let somebody in again:',
  '  furrow user set-role NAME worker',
  '  furrow user set-password NAME',
  '  furrow user unblock NAME',
  'To make a manager of your own: furrow user add NAME --role manager',
]
