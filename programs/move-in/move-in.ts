import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FarmValues } from '../../src/cli/command.ts'
import { inExistingFarm } from '../../src/cli/existing-farm.ts'
import { refuseReadableWay, withoutSlash } from '../../src/cli/import-farmos.ts'
import { loadFarm } from '../../src/cli/modules.ts'
import { withProgressAlsoOnPipes as withProgress } from '../../src/cli/progress.ts'
import { askForSecret, say } from '../../src/cli/terminal.ts'
import { wallClock } from '../../src/clock.ts'
import type { Farm } from '../../src/farm/farm.ts'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { Refusal } from '../../src/refusal.ts'
import { exportIn } from '../../src/storage/backup/directory.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { placeName, type StoragePlace } from '../../src/storage/disk/cannot-open.ts'
import { ensureDataDirectory } from '../../src/storage/disk/data-directory.ts'
import { compareFarms } from './farm-comparison.ts'
import { writeExport } from './farm-export.ts'
import {
  concludeWith,
  gravityOf,
  type MoveChange,
  type MoveFinding,
  printable,
  reportFindings,
  sentenceOf,
} from './findings.ts'
import { moduleFor } from './generated-module.ts'
import { HttpClient } from './http-client.ts'
import { PasswordLogin, tokenLogin } from './login.ts'
import { ReferenceIndex } from './references.ts'

import { describeFiles, namedFiles, openFiles, readBytes, type StoredSourceFiles, whyMissing } from './source-files.ts'
import { readSource, type SourceFarm } from './source-reader.ts'
import { SourceServer } from './source-server.ts'
import type { NoteFormat } from './source-values.ts'
import { inspectTargetFarm, readingNotedIn, type TargetFarm } from './target-farm.ts'
import { refuseUnknown, unknownTo } from './unknown-types.ts'
import { findUnlistedAccounts } from './unlisted-accounts.ts'
import { beginReading, directoryFor, earlierReading, WorkingDirectory } from './working-directory.ts'

/** What the command was told. */
interface MoveOptions extends FarmValues {
  readonly user: string | undefined
  readonly 'password-stdin': boolean
  readonly 'token-stdin': boolean
  readonly 'dry-run': boolean
  readonly resume: boolean
  readonly 'write-module': string | undefined
  readonly notes: NoteFormat
  readonly insecure: boolean
}

/** Moves the farm of another server in, or goes on doing so, and compares both. */
export async function moveIn(url: URL, options: MoveOptions): Promise<void> {
  refuseExisting(options['write-module'])
  const server = await serverAt(url, options)
  const place = placeOf(options)
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
  // Before anything is begun that would have to be gone on with.
  await server.info()
  const directory = beginReading({ ...begin, now: wallClock() })
  if (here !== 'moved-in') {
    const isMoved = await readAndKeep({ server, directory, place, here, options })
    if (!isMoved) return
  }
  await verifyMove({ server, directory, place, options })
}

const placeOf = ({ data, database }: FarmValues): StoragePlace => ({ data: resolve(data), database: database ?? null })

async function serverAt(url: URL, options: MoveOptions): Promise<SourceServer> {
  if (!options.insecure) await refuseReadableWay(url)
  const wire = new HttpClient(url)
  if (options['token-stdin']) return new SourceServer(wire, tokenLogin((await askForSecret('stdin', 'Token')).trim()))
  const source = options['password-stdin'] ? 'stdin' : 'terminal'
  const password = await askForSecret(source, `Password of ${options.user} at ${url.host}`)
  return new SourceServer(wire, new PasswordLogin(wire, { user: options.user ?? '', password }))
}

interface Move {
  readonly server: SourceServer
  readonly directory: WorkingDirectory
  readonly place: StoragePlace
  readonly options: MoveOptions
}

/** Returns whether the farm was filled. A dry run and a module that has to be looked at fill none. */
async function readAndKeep(move: Move & { readonly here: TargetFarm }): Promise<boolean> {
  const { server, directory, place, here, options } = move
  const { reading, files } = await readAll(server, directory)
  const farm = await farmFor(reading, options)
  if (farm === null) return false
  await withProgress((report) => readBytes(server, { files, folder: directory.folder('blobs'), report }))
  const changes: MoveChange[] = []
  const known = new ReferenceIndex(farm, reading, files)
  const note = (change: MoveChange) => changes.push(change)
  const manner = { reading, files, known, here, texts: textsOf(reading, options), now: wallClock(), note }
  await withProgress((report) => writeExport(directory, { ...manner, report }))
  if (options['dry-run']) {
    sayDryRun(changes, directory)
    return false
  }
  const kept = await withProgress((report) =>
    restoreFarm(exportIn(directory.path), {
      place,
      farm,
      clock: wallClock,
      report,
      ifOccupied: 'keep-unrecorded-aside',
      ifUnknown: 'refuse',
    }),
  )
  say(`The farm in ${placeName(place)} now has the records of ${server.address}.`)
  if (kept.aside !== null) say(`What was there before is kept in ${kept.aside}. Its people and clients are here, too.`)
  return true
}

interface ReadAll {
  readonly reading: SourceFarm
  readonly files: StoredSourceFiles
}

async function readAll(server: SourceServer, directory: WorkingDirectory): Promise<ReadAll> {
  const began = Date.now()
  const folder = directory.folder('read')
  const reading = await readFarm(server, folder)
  sayCounts(reading, (Date.now() - began) / 1000)
  const files = openFiles(folder)
  const named = namedFiles(reading)
  await withProgress((report) => describeFiles(server, named, files, report))
  sayMissing(server, named, files)
  return { reading, files }
}

const readFarm = (server: SourceServer, folder: string): Promise<SourceFarm> =>
  withProgress(async (report) => {
    const reading = await readSource(server, folder, report)
    await findUnlistedAccounts(server, reading, report)
    return reading
  })

function sayCounts({ records, users }: SourceFarm, seconds: number): void {
  const counts = [
    [users.size, 'accounts'],
    [records.term.size, 'terms'],
    [records.asset.size, 'assets'],
    [records.log.size, 'logs'],
  ] as const
  const all = counts.reduce((sum, [count]) => sum + count, 0)
  const rate = Math.round(all / Math.max(seconds, 0.1)).toLocaleString('en')
  const listed = counts.map(([count, what]) => `${count.toLocaleString('en')} ${what}`).join(', ')
  say(`Read: ${listed}, in ${Math.ceil(seconds)} s (${rate} a second).`)
}

/** Before anything is kept, so that one can still come back with a password. */
function sayMissing(server: SourceServer, named: readonly number[], files: StoredSourceFiles): void {
  const missing = named.flatMap((id) => {
    const file = files.described.get(id)
    const why = whyMissing(server, file)
    return why === undefined ? [] : [printable(`  file ${id} (${String(file?.name ?? 'without a name')}) ${why}`)]
  })
  if (missing.length > 0) say(`${missing.length.toLocaleString('en')} files cannot be read:`, ...missing)
}

/** The farm with its modules, or null where one was written that declares more: the operator looks at it and loads it by another command. */
async function farmFor(
  reading: SourceFarm,
  { module: modules = [], 'write-module': file }: MoveOptions,
): Promise<Farm | null> {
  const farm = await loadFarm(modules)
  const unknown = unknownTo(farm, reading)
  if (file !== undefined && writeModule(file, moduleFor(farm, reading, unknown))) return null
  refuseUnknown(
    unknown,
    'Give the modules that declare them with --module, or let one be written with --write-module FILE, and add --resume.',
  )
  return farm
}

/** Returns whether there was anything to declare. */
function writeModule(file: string, text: string | null): boolean {
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

/** A module that is there is never written over. */
function refuseExisting(file: string | undefined): void {
  if (file === undefined || !existsSync(file)) return
  throw new Refusal(
    'conflict',
    `${resolve(file)} is there already. Use it with --module ${file}, or delete it to have it written anew.`,
  )
}

/** A Furrow shows texts as they were written. */
const textsOf = ({ from }: SourceFarm, { notes }: MoveOptions): NoteFormat => (from === 'Furrow' ? 'html' : notes)

function sayDryRun(changes: readonly MoveChange[], directory: WorkingDirectory): void {
  const findings = changes.map(
    (change): MoveFinding => ({
      kind: gravityOf(change),
      why: change.case,
      sentence: sentenceOf(change),
    }),
  )
  reportFindings(findings, `${directory.path}-report.txt`)
  say(
    `Nothing was changed. What was read is kept in ${directory.path}: without --dry-run, and with --resume, it moves in.`,
  )
  concludeWith(findings, { lost: 'things would be lost.', changed: 'things would not be as they were.' })
}

/** Reads everything once more, and compares it with what this farm shows. */
async function verifyMove({ server, directory, options }: Move): Promise<void> {
  const findings = await comparedWith(server, directory, options)
  reportFindings(findings, `${directory.path}-report.txt`)
  directory.remove()
  sayUnblocking()
  concludeWith(findings, {
    lost: 'things are lost.',
    changed: 'things are not as they were; all others are equal on both sides.',
  })
  say('Every record is equal on both sides.')
}

async function comparedWith(
  server: SourceServer,
  directory: WorkingDirectory,
  options: MoveOptions,
): Promise<readonly MoveFinding[]> {
  const folder = directory.folder('again')
  const reading = await readFarm(server, folder)
  const files = openFiles(folder)
  await withProgress((report) => describeFiles(server, namedFiles(reading), files, report))
  return inExistingFarm(options, async (installation) => {
    refuseUnknown(
      unknownTo(installation.farm, reading),
      'Give the modules that declare them with --module, and add --resume.',
    )
    const settings = await installation.database.read((snapshot) => rowsOf(snapshot, 'setting'))
    const texts = readingNotedIn(settings)?.notes ?? textsOf(reading, options)
    return withProgress((report) => compareFarms({ installation, reading, files, texts, report }))
  })
}

/** Compares a farm that was moved in before. Leaves nothing behind but the list of what differs. */
export async function verifyOnly(url: URL, options: MoveOptions): Promise<void> {
  const server = await serverAt(url, options)
  const place = placeOf(options)
  const path = `${directoryFor({ data: place.data, url: withoutSlash(url) })}-verify`
  rmSync(path, { recursive: true, force: true })
  const directory = new WorkingDirectory(path, { id: '', url: withoutSlash(url) })
  try {
    const findings = await comparedWith(server, directory, options)
    reportFindings(findings, `${path}-report.txt`)
    concludeWith(findings, {
      lost: 'things are missing here.',
      changed: 'things are not the same; all others are equal on both sides.',
    })
    say('Every record is equal on both sides.')
  } finally {
    directory.remove()
  }
}

function sayUnblocking(): void {
  say(
    '',
    'The accounts that came along are blocked and have neither password nor role. To let somebody in again:',
    '  furrow user set-role NAME worker',
    '  furrow user set-password NAME',
    '  furrow user unblock NAME',
    'To make a manager of your own: furrow user add NAME --role manager',
  )
}
