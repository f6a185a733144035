import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalName, nameKey, nameLength } from '../../src/access/names.ts'
import { hashPassword } from '../../src/access/passwords.ts'
import { imageSizeOf } from '../../src/fields/image-size.ts'
import { textKey } from '../../src/fields/key.ts'
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
import { readingSetting, type TargetFarm } from './target-farm.ts'
import { Translation, unknownName } from './translation.ts'
import type { ReadingIdentity, WorkingDirectory } from './working-directory.ts'
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
  const { reading, known, now, report } = arriving
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
  for (const [bundle, id] of known.standIns) records.add(standIn(bundle, id, now))
  for (const change of sourceChanges(reading, arriving.files)) arriving.note(change)
  await addFiles(records, directory, arriving)
  await addAccounts(rows, arriving)
  addVocabularies(rows, arriving)
  addSettings(rows, arriving, directory.name)
  await rows.finish()
}

const standIn = (bundle: string, id: number, now: number) => ({
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
async function addFiles(records: ArrivingRecords, directory: WorkingDirectory, arriving: ExportContext): Promise<void> {
  const { files, known, now } = arriving
  const folder = directory.folder('blobs')
  const descriptions = describedInRecords(arriving.reading)
  const used = new Set<string>()
  for (const [id, file] of files.described.all()) {
    const kept = files.bytes.get(id)
    if (kept === undefined || !known.isNamedFile(id)) continue
    const sha256 = String(kept.sha256)
    const size = Number(kept.size)
    used.add(sha256)
    const { width = null, height = null } = imageSizeOf(await beginningOf(join(folder, sha256))) ?? {}
    const uid = idIn(file.owner) ?? 0
    known.bundleOf('user', uid)
    const name = oneLine(String(file.name ?? `file-${id}`))
    records.addFile({
      id,
      uuid: newUuid(now),
      name,
      name_key: textKey(name),
      mime: known.mimeOf(id) ?? 'application/octet-stream',
      size,
      sha256,
      uid,
      created: numberIn(file.timestamp) ?? now,
      changed: null,
      width,
      height,
      alt: null,
      title: null,
      description: descriptions.get(id) ?? null,
      unused_since: null,
      last_type: null,
      last_id: null,
    })
  }
  for (const name of readdirSync(folder)) if (!used.has(name)) rmSync(join(folder, name))
}

/** Vocabularies of the source keep their ids; those that only this farm has get ids above them. */
function addVocabularies(rows: RowFiles, { known }: ExportContext): void {
  for (const [vid, machine_name] of known.vocabularies) rows.add('vocabulary', { vid, machine_name })
  const theirs = new Set(known.vocabularies.values())
  const others = Object.keys(known.farm.records.term.bundles).filter((name) => !theirs.has(name))
  const above = Math.max(0, ...known.vocabularies.keys())
  for (const [index, machine_name] of others.entries()) rows.add('vocabulary', { vid: above + 1 + index, machine_name })
}

/** Settings of this farm win; unset ones are taken from the source. */
function addSettings(rows: RowFiles, { here, texts, reading: { info } }: ExportContext, from: ReadingIdentity): void {
  const presentNames = new Set(here.settings.map(({ name }) => name))
  for (const setting of here.settings) rows.add('setting', setting)
  for (const name of farmSettingNames) {
    const value = typeof info[name] === 'string' ? oneLine(info[name]) : undefined
    if (!presentNames.has(name) && value !== undefined && isSettingValue(name, value))
      rows.add('setting', { name, value })
  }
  rows.add('setting', { name: readingSetting, value: JSON.stringify({ ...from, notes: texts }) })
}

interface AccountContext {
  readonly reading: SourceFarm
  readonly known: ReferenceIndex
  readonly here: TargetFarm
  readonly now: number
  readonly note: NoteChange
}

/**
 * Accounts of the source keep their uids, blocked, without password and role; accounts of this farm get uids above
 * them.
 */
async function addAccounts(rows: RowFiles, { reading, known, here, now, note }: AccountContext): Promise<void> {
  const taken = new Set(here.accounts.map(({ name_key }) => String(name_key)))
  const nobodysPassword = await hashPassword({ password: randomBytes(32).toString('hex') })
  const untold = known.untoldUsers
  const add = (uid: number, given: string, created: number) => {
    const name = freeName(given, uid, taken)
    if (name !== given.trim())
      note({ about: `account ${uid}`, at: 'name', case: 'account-renamed', was: `${given} → ${name}` })
    rows.add('account', {
      uid,
      uuid: randomUUID(),
      name,
      name_key: nameKey(name),
      mail: '',
      mail_key: '',
      language: 'en',
      timezone: null,
      role: null,
      password_hash: nobodysPassword,
      blocked: 1,
      created,
    })
  }
  for (const [uid, { name, created }] of reading.users.all()) add(uid, String(name ?? ''), numberIn(created) ?? now)
  for (const uid of untold) {
    note({ about: `account ${uid}`, at: '', case: 'unknown-account' })
    add(uid, `${unknownName} ${uid}`, now)
  }
  addOwn(rows, here, Math.max(0, ...reading.users.ids, ...untold))
}

/** A valid name that no account here has. */
function freeName(given: string, uid: number, taken: Set<string>): string {
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

function addOwn(rows: RowFiles, { accounts, clients, events }: TargetFarm, above: number): void {
  const numbers = new Map(accounts.map(({ uid }, index) => [uid, above + 1 + index]))
  const renumbered = (uid: unknown) => (uid === null ? null : (numbers.get(uid) ?? null))
  for (const account of accounts) rows.add('account', { ...account, uid: renumbered(account.uid) })
  for (const client of clients) rows.add('client', { ...client, service_uid: renumbered(client.service_uid) })
  for (const event of events) {
    rows.add('access_event', { ...event, uid: renumbered(event.uid), actor: renumbered(event.actor) })
  }
}
