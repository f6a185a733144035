import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { imageSizeOf } from '../../fields/image-size.ts'
import { textKey } from '../../fields/key.ts'
import { ArrivingRecords } from '../../records/moving/arriving-records.ts'
import { newUuid } from '../../records/writing/uuids.ts'
import { RowFiles } from '../../storage/backup/export-rows.ts'
import type { Report } from '../../storage/report.ts'
import { farmSettingNames, isSettingValue } from '../../storage/settings.ts'
import { addAccounts } from './arriving-accounts.ts'
import { changesOfFiles } from './changed-files.ts'
import type { Note } from './changes.ts'
import { circlesIn } from './circles.ts'
import { idIn, numberIn, readTypes, recordKinds } from './kinds.ts'
import type { Known } from './known.ts'
import { oneLine } from './plain-text.ts'
import type { Texts } from './prepared-value.ts'
import { beginningOf, describedInRecords, type ReadFiles } from './read-files.ts'
import { type OtherFarm, unnumberedIn } from './reading.ts'
import { readingSetting, type ThisFarm } from './this-farm.ts'
import { Translation, unknownName } from './translation.ts'
import type { ReadingName, WorkingDirectory } from './working-directory.ts'

interface Arriving {
  readonly reading: OtherFarm
  readonly files: ReadFiles
  readonly known: Known
  readonly here: ThisFarm
  readonly texts: Texts
  readonly now: number
  readonly note: Note
  readonly report: Report
}

/** Writes the other farm, as this one will keep it, in the form of an export. */
export async function writeFarm(directory: WorkingDirectory, arriving: Arriving): Promise<void> {
  const { reading, known, now, report } = arriving
  const rows = new RowFiles(directory.path)
  const records = new ArrivingRecords(rows, now)
  const translation = new Translation(arriving)
  for (const type of readTypes) {
    let done = 0
    for (const [id, tree] of reading.records[type].all()) {
      records.add(translation.record(type, id, tree))
      report(`${recordKinds[type].label} translated`, ++done, reading.records[type].size)
    }
  }
  for (const [bundle, id] of known.standIns) records.add(standIn(bundle, id, now))
  for (const change of [...circlesIn(reading), ...unnumberedIn(reading), ...changesOfFiles(arriving.files, reading)])
    arriving.note(change)
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

/** Files that a record names; bytes that none names stay behind. */
async function addFiles(records: ArrivingRecords, directory: WorkingDirectory, arriving: Arriving): Promise<void> {
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

/** Theirs keep their numbers; those that only this farm has get numbers above them. */
function addVocabularies(rows: RowFiles, { known }: Arriving): void {
  for (const [vid, machine_name] of known.vocabularies) rows.add('vocabulary', { vid, machine_name })
  const theirs = new Set(known.vocabularies.values())
  const others = Object.keys(known.farm.records.term.bundles).filter((name) => !theirs.has(name))
  const above = Math.max(0, ...known.vocabularies.keys())
  for (const [index, machine_name] of others.entries()) rows.add('vocabulary', { vid: above + 1 + index, machine_name })
}

/** What this farm says of itself stays; what it has never said it takes over. */
function addSettings(rows: RowFiles, { here, texts, reading: { info } }: Arriving, from: ReadingName): void {
  const said = new Set(here.settings.map(({ name }) => name))
  for (const setting of here.settings) rows.add('setting', setting)
  for (const name of farmSettingNames) {
    const value = typeof info[name] === 'string' ? oneLine(info[name]) : undefined
    if (!said.has(name) && value !== undefined && isSettingValue(name, value)) rows.add('setting', { name, value })
  }
  rows.add('setting', { name: readingSetting, value: JSON.stringify({ ...from, notes: texts }) })
}
