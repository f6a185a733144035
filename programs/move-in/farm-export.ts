import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalName, nameKey, nameLength } from '../../src/access/names.ts'
import { hashPassword } from '../../src/access/passwords.ts'
import type { Farm } from '../../src/farm/farm.ts'
import { isOnlyNewer } from '../../src/farm/fields-of.ts'
import { imageSizeOf } from '../../src/fields/image-size.ts'
import { textKey } from '../../src/fields/key.ts'
import type { Tree } from '../../src/fields/place.ts'
import type { FileTexts } from '../../src/fields/value.ts'
import { ArrivingRecords } from '../../src/records/moving/arriving-records.ts'
import { newUuid } from '../../src/records/writing/draft.ts'
import { Refusal } from '../../src/refusal.ts'
import { RowFiles } from '../../src/storage/backup/export-rows.ts'
import type { Report } from '../../src/storage/report.ts'
import { farmSettingNames, isSettingValue } from '../../src/storage/settings.ts'
import type { NoteChange } from './findings.ts'
import type { ReferenceIndex } from './references.ts'
import { sourceChanges } from './source-changes.ts'
import { beginningOf, describedInRecords, type SourceFiles } from './source-files.ts'
import { idIn, numberIn, recordLists, sourceTypes } from './source-lists.ts'
import type { SourceFarm } from './source-reader.ts'
import type { NoteFormat } from './source-values.ts'
import { type NotedReading, readingSetting, type TargetFarm } from './target-farm.ts'
import { Translation, unknownName } from './translation.ts'
import type { WorkingDirectory } from './working-directory.ts'
import { oneLine } from './written-text.ts'

interface ExportContext {
  readonly reading: SourceFarm
  readonly files: SourceFiles
  readonly known: ReferenceIndex
  readonly here: TargetFarm
  readonly texts: NoteFormat
  readonly now: number
  readonly note: NoteChange
  readonly report: Report
}

/** Writes the source farm in the form of an export, as this farm will store it. */
export async function writeExport(directory: WorkingDirectory, arriving: ExportContext): Promise<void> {
  const { reading, files, known, now, report } = arriving
  const rows = new RowFiles(directory.path)
  const records = new ArrivingRecords(rows, now)
  const translation = new Translation(arriving)
  for (const type of sourceTypes) {
    let done = 0
    for (const [id, tree] of reading.records[type].all()) {
      records.add(translation.record(type, id, tree))
      report(`${recordLists[type].label} translated`, ++done, reading.records[type].size)
    }
  }
  for (const change of sourceChanges(reading, files)) arriving.note(change)
  const descriptions = describedInRecords(reading)
  await finishExport(
    directory,
    { rows, records },
    {
      ...arriving,
      farm: known.farm,
      standIns: known.standIns,
      info: reading.info,
      vocabularies: known.vocabularies,
      fileOf: (id, file) => {
        if (!known.isNamedFile(id)) return undefined
        const uid = idIn(file.owner) ?? 0
        known.bundleOf('user', uid)
        const texts = { alt: null, title: null, description: descriptions.get(id) ?? null }
        return { id, uid, uuid: newUuid(now), created: numberIn(file.timestamp) ?? now, texts }
      },
      accounts: () => [
        ...[...reading.users.all()].map(([uid, { name, created }]) => ({
          uid,
          key: String(uid),
          uuid: randomUUID(),
          name: String(name ?? ''),
          created: numberIn(created) ?? now,
        })),
        ...known.untoldUsers.map((uid) => untoldAccount(uid, { key: String(uid), uuid: randomUUID(), now })),
      ],
    },
  )
}

/** A blocked account in place of one that the source names and does not list. */
export const untoldAccount = (uid: number, as: { key: string; uuid: string; now: number }): ArrivingAccount => {
  return { uid, key: as.key, uuid: as.uuid, name: `${unknownName} ${uid}`, created: as.now, isUntold: true }
}

/** An account of the source. */
export interface ArrivingAccount {
  readonly uid: number
  /** Its identity over there: uid or UUID. */
  readonly key: string
  readonly uuid: string
  readonly name: string
  readonly created: number
  readonly isUntold?: true
  readonly isBlocked?: boolean
}

interface ArrivingFile {
  readonly id: number
  readonly uid: number
  readonly uuid: string
  readonly created: number
  readonly texts: FileTexts
}

/** Everything of a farm beside its records. */
interface FarmBesideRecords {
  readonly farm: Farm
  readonly files: SourceFiles
  /** The file of a description; undefined if no record names it. */
  readonly fileOf: (key: number, described: Tree) => ArrivingFile | undefined
  /** Called after the files, which also name accounts. */
  readonly accounts: () => readonly ArrivingAccount[]
  readonly standIns: ReadonlyMap<string, number>
  readonly vocabularies: ReadonlyMap<number, string>
  readonly info: Tree
  readonly here: TargetFarm
  readonly texts: NoteFormat
  readonly now: number
  readonly note: NoteChange
}

interface ExportRows {
  readonly rows: RowFiles
  readonly records: ArrivingRecords
}

/** Adds placeholder terms, files, accounts, vocabularies and settings, and ends the export. */
export async function finishExport(
  directory: WorkingDirectory,
  { rows, records }: ExportRows,
  farm: FarmBesideRecords,
): Promise<void> {
  for (const [bundle, id] of farm.standIns) records.add(standIn(bundle, id, farm.now))
  await addFiles(records, directory, farm)
  const accounts = farm.accounts()
  await addAccounts(rows, accounts, farm)
  addVocabularies(rows, farm)
  addSettings(rows, farm, {
    ...directory.name,
    notes: farm.texts,
    sets: [records.set],
    lastFile: farm.files.described.highestId,
    accounts: Object.fromEntries(accounts.map(({ key, uid }) => [key, uid])),
  })
  await rows.finish()
}

export const standIn = (bundle: string, id: number, now: number) => ({
  type: 'term' as const,
  id,
  uuid: newUuid(now),
  bundle,
  uid: 0,
  created: now,
  changed: now,
  revision: 1,
  values: { name: unknownName, weight: 0 },
})

/** Files that a record names; other bytes are left behind. */
async function addFiles(records: ArrivingRecords, directory: WorkingDirectory, farm: FarmBesideRecords): Promise<void> {
  const { files, fileOf } = farm
  const folder = directory.folder('blobs')
  const used = new Set<string>()
  for (const [key, described] of files.described.all()) {
    const kept = files.bytes.get(key)
    const file = kept === undefined ? undefined : fileOf(key, described)
    if (kept === undefined || file === undefined) continue
    const sha256 = String(kept.sha256)
    used.add(sha256)
    const { width = null, height = null } = imageSizeOf(await beginningOf(join(folder, sha256))) ?? {}
    const name = oneLine(String(described.name ?? `file-${key}`))
    const { texts, ...own } = file
    records.addFile({
      ...own,
      ...texts,
      name,
      name_key: textKey(name),
      mime: typeof described.mime === 'string' ? described.mime : 'application/octet-stream',
      size: Number(kept.size),
      sha256,
      changed: null,
      width,
      height,
      unused_since: null,
      last_type: null,
      last_id: null,
    })
  }
  for (const name of readdirSync(folder)) if (!used.has(name)) rmSync(join(folder, name))
}

/** Vocabularies of the source keep their ids; those that only this farm has get ids above them. */
function addVocabularies(rows: RowFiles, { farm, vocabularies }: FarmBesideRecords): void {
  for (const [vid, machine_name] of vocabularies) rows.add('vocabulary', { vid, machine_name })
  const theirs = new Set(vocabularies.values())
  const { bundles } = farm.records.term
  const isLast = (name: string) => Number(isOnlyNewer(bundles[name] ?? {}))
  const others = Object.keys(bundles).filter((name) => !theirs.has(name))
  others.sort((one, other) => isLast(one) - isLast(other))
  const above = Math.max(0, ...vocabularies.keys())
  for (const [index, machine_name] of others.entries()) rows.add('vocabulary', { vid: above + 1 + index, machine_name })
}

/** Settings of this farm win; unset ones are taken from the source. */
function addSettings(rows: RowFiles, { here, info }: FarmBesideRecords, noted: NotedReading): void {
  const presentNames = new Set(here.settings.map(({ name }) => name))
  for (const setting of here.settings) rows.add('setting', setting)
  for (const name of farmSettingNames) {
    const value = typeof info[name] === 'string' ? oneLine(info[name]) : undefined
    if (!presentNames.has(name) && value !== undefined && isSettingValue(name, value))
      rows.add('setting', { name, value })
  }
  rows.add('setting', { name: readingSetting, value: JSON.stringify(noted) })
}

/**
 * Accounts of the source keep their uids, blocked, without password and role; accounts of this farm get uids above
 * them. Those that came along with an earlier move keep name, role and password.
 */
async function addAccounts(
  rows: RowFiles,
  arriving: readonly ArrivingAccount[],
  { here, note }: FarmBesideRecords,
): Promise<void> {
  const cameEarlier = new Map(
    here.accounts.flatMap((row) => (here.movedIn.has(Number(row.uid)) ? [[String(row.name_key), row] as const] : [])),
  )
  const kept = new Map<unknown, number>()
  for (const { uid, name } of arriving) {
    const row = cameEarlier.get(nameKey(oneLine(name).trim()))
    if (row !== undefined && !kept.has(row.uid)) kept.set(row.uid, uid)
  }
  const keptUids = new Set(kept.values())
  const taken = new Set(here.accounts.map(({ name_key }) => String(name_key)))
  const blank = await blockedAccount()
  for (const account of arriving) {
    if (keptUids.has(account.uid)) continue
    const { uid, uuid, created, isUntold } = account
    if (isUntold) note({ about: `account ${uid}`, at: '', case: 'unknown-account' })
    const name = freeName(account.name, uid, taken)
    if (name !== account.name.trim())
      note({ about: `account ${uid}`, at: 'name', case: 'account-renamed', was: `${account.name} → ${name}` })
    rows.add('account', { ...blank, uid, uuid, name, name_key: nameKey(name), created })
  }
  addOwn(rows, here, { kept, above: Math.max(0, ...arriving.map(({ uid }) => uid)) })
}

export const blockedAccount = async () => ({
  mail: '',
  mail_key: '',
  language: 'en',
  timezone: null,
  role: null,
  password_hash: await hashPassword({ password: randomBytes(32).toString('hex') }),
  blocked: 1,
})

export function freeName(given: string, uid: number, taken: Set<string>): string {
  const most = nameLength - ` (farmOS ${uid})`.length
  const line = oneLine(given)
  const sound = isSound(line) ? line.trim().normalize('NFC') : line.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}:]/gu, ' ').trim()
  const short = [...sound].slice(0, most).join('')
  const choices = [sound, `${short} (farmOS)`, `${short} (farmOS ${uid})`].map((one) => one.trim())
  const name = choices.find((one) => isSound(one) && !taken.has(nameKey(one))) ?? `${unknownName} ${uid}`
  taken.add(nameKey(name))
  return name
}

function isSound(name: string): boolean {
  try {
    return canonicalName(name) !== ''
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

interface RenumberedAccounts {
  /** New uids of those that came along earlier. */
  readonly kept: ReadonlyMap<unknown, number>
  readonly above: number
}

function addOwn(rows: RowFiles, { accounts, clients, events }: TargetFarm, { kept, above }: RenumberedAccounts): void {
  const others = accounts.filter(({ uid }) => !kept.has(uid))
  const numbers = new Map([...kept, ...others.map(({ uid }, index) => [uid, above + 1 + index] as const)])
  const renumbered = (uid: unknown) => (uid === null ? null : (numbers.get(uid) ?? null))
  for (const account of accounts) rows.add('account', { ...account, uid: renumbered(account.uid) })
  for (const client of clients) rows.add('client', { ...client, service_uid: renumbered(client.service_uid) })
  for (const event of events) {
    rows.add('access_event', { ...event, uid: renumbered(event.uid), actor: renumbered(event.actor) })
  }
}
