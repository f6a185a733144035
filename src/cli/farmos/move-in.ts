import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { wallClock } from '../../clock.ts'
import type { Farm } from '../../farm/farm.ts'
import { restoreFarm } from '../../records/moving/restore-farm.ts'
import { Refusal } from '../../refusal.ts'
import { exportIn } from '../../storage/backup/directory.ts'
import { rowsOf } from '../../storage/backup/export-rows.ts'
import { placeName, type StoragePlace } from '../../storage/disk/cannot-open.ts'
import { ensureDataDirectory } from '../../storage/disk/data-directory.ts'
import type { FarmValues } from '../command.ts'
import { inExistingFarm } from '../existing-farm.ts'
import { loadFarm } from '../modules.ts'
import { withProgressAlsoOnPipes as withProgress } from '../operation/progress.ts'
import { askForSecret, say } from '../terminal.ts'
import { refuseReadableWay, withoutSlash } from './address.ts'
import { writeFarm } from './arriving-farm.ts'
import { type Change, type Finding, gravityOf, sentenceOf } from './changes.ts'
import { Known } from './known.ts'
import { ByPassword, byToken } from './login.ts'
import { moduleFor } from './module-text.ts'
import { OtherServer } from './other-server.ts'
import type { Texts } from './prepared-value.ts'
import { printable } from './printable.ts'
import { describeFiles, type FilesOnDisk, namedFiles, openFiles, readBytes, whyMissing } from './read-files.ts'
import { type OtherFarm, readLists } from './reading.ts'
import { lookAtThisFarm, notedIn, type ThisFarm } from './this-farm.ts'
import { concludeWith, sayFindings } from './told-findings.ts'
import { refuseUnknown, unknownTo } from './unknown-types.ts'
import { askForUntoldPeople } from './untold-people.ts'
import { compareFarms } from './verdict.ts'
import { Wire } from './wire.ts'
import { beginReading, directoryFor, earlierReading, WorkingDirectory } from './working-directory.ts'

/** What the command was told. */
interface MoveOptions extends FarmValues {
  readonly user: string | undefined
  readonly 'password-stdin': boolean
  readonly 'token-stdin': boolean
  readonly 'dry-run': boolean
  readonly resume: boolean
  readonly 'write-module': string | undefined
  readonly notes: Texts
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
  const here = await lookAtThisFarm(place, { ...begin, id: earlierReading(begin)?.id })
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
  await judge({ server, directory, place, options })
}

const placeOf = ({ data, database }: FarmValues): StoragePlace => ({ data: resolve(data), database: database ?? null })

async function serverAt(url: URL, options: MoveOptions): Promise<OtherServer> {
  if (!options.insecure) await refuseReadableWay(url)
  const wire = new Wire(url)
  if (options['token-stdin']) return new OtherServer(wire, byToken((await askForSecret('stdin', 'Token')).trim()))
  const source = options['password-stdin'] ? 'stdin' : 'terminal'
  const password = await askForSecret(source, `Password of ${options.user} at ${url.host}`)
  return new OtherServer(wire, new ByPassword(wire, { user: options.user ?? '', password }))
}

interface Move {
  readonly server: OtherServer
  readonly directory: WorkingDirectory
  readonly place: StoragePlace
  readonly options: MoveOptions
}

/** Returns whether the farm was filled. A dry run and a module that has to be looked at fill none. */
async function readAndKeep(move: Move & { readonly here: ThisFarm }): Promise<boolean> {
  const { server, directory, place, here, options } = move
  const { reading, files } = await readAll(server, directory)
  const farm = await farmFor(reading, options)
  if (farm === null) return false
  await withProgress((report) => readBytes(server, { files, folder: directory.folder('blobs'), report }))
  const changes: Change[] = []
  const known = new Known(farm, reading, files)
  const note = (change: Change) => changes.push(change)
  const manner = { reading, files, known, here, texts: textsOf(reading, options), now: wallClock(), note }
  await withProgress((report) => writeFarm(directory, { ...manner, report }))
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
  readonly reading: OtherFarm
  readonly files: FilesOnDisk
}

async function readAll(server: OtherServer, directory: WorkingDirectory): Promise<ReadAll> {
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

const readFarm = (server: OtherServer, folder: string): Promise<OtherFarm> =>
  withProgress(async (report) => {
    const reading = await readLists(server, folder, report)
    await askForUntoldPeople(server, reading, report)
    return reading
  })

function sayCounts({ records, users }: OtherFarm, seconds: number): void {
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
function sayMissing(server: OtherServer, named: readonly number[], files: FilesOnDisk): void {
  const missing = named.flatMap((id) => {
    const file = files.described.get(id)
    const why = whyMissing(server, file)
    return why === undefined ? [] : [printable(`  file ${id} (${String(file?.name ?? 'without a name')}) ${why}`)]
  })
  if (missing.length > 0) say(`${missing.length.toLocaleString('en')} files cannot be read:`, ...missing)
}

/** The farm with its modules, or null where one was written that declares more: the operator looks at it and loads it by another command. */
async function farmFor(
  reading: OtherFarm,
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
const textsOf = ({ from }: OtherFarm, { notes }: MoveOptions): Texts => (from === 'Furrow' ? 'html' : notes)

function sayDryRun(changes: readonly Change[], directory: WorkingDirectory): void {
  const findings = changes.map(
    (change): Finding => ({
      kind: gravityOf(change),
      why: change.case,
      sentence: sentenceOf(change),
    }),
  )
  sayFindings(findings, `${directory.path}-report.txt`)
  say(
    `Nothing was changed. What was read is kept in ${directory.path}: without --dry-run, and with --resume, it moves in.`,
  )
  concludeWith(findings, { lost: 'things would be lost.', changed: 'things would not be as they were.' })
}

/** Reads everything once more, and compares it with what this farm shows. */
async function judge({ server, directory, options }: Move): Promise<void> {
  const findings = await comparedWith(server, directory, options)
  sayFindings(findings, `${directory.path}-report.txt`)
  directory.remove()
  sayUnblocking()
  concludeWith(findings, {
    lost: 'things are lost.',
    changed: 'things are not as they were; all others are equal on both sides.',
  })
  say('Every record is equal on both sides.')
}

async function comparedWith(
  server: OtherServer,
  directory: WorkingDirectory,
  options: MoveOptions,
): Promise<readonly Finding[]> {
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
    const texts = notedIn(settings)?.notes ?? textsOf(reading, options)
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
    sayFindings(findings, `${path}-report.txt`)
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
