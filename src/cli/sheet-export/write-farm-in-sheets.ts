import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type AccountView, viewOf } from '../../access/accounts.ts'
import { isoTime } from '../../fields/time.ts'
import { byteOrderMark, csvRow } from '../../formats/csv/write-csv.ts'
import type { SheetFormatName } from '../../formats/file-formats.ts'
import { entriesOfZip, unpackedPieces } from '../../formats/zip/read-zip.ts'
import type { Records } from '../../records/records.ts'
import { workbookOf } from '../../sheets/write-workbook.ts'
import { allAccounts } from '../../storage/access/account-rows.ts'
import { type WrittenEntry, writeDirectory } from '../../storage/backup/directory.ts'
import { bytesOf, filesByIds, fingerprint, type StoredFile } from '../../storage/file-rows.ts'
import { countRecordsOf } from '../../storage/records/record-lookup.ts'
import type { Report } from '../../storage/report.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { version } from '../../version.ts'
import { callerCalled } from '../existing-farm.ts'
import { type ExportedFile, type FarmInSheets, mapFiles, Photos, recordFiles } from './farm-files.ts'

/**
 * Writes all records into a directory for people without Furrow. The README comes last, after the files were read back
 * and counted: a directory without it is incomplete.
 */
export async function writeFarmInSheets(
  records: Records,
  directory: string,
  { format, report }: { readonly format: SheetFormatName; readonly report: Report },
): Promise<readonly ExportedFile[]> {
  const caller = await callerCalled(records, undefined)
  return records.database.read(async (snapshot) => {
    const { name: farm, timezone: zone } = await readFarmSettings(snapshot)
    const whole: FarmInSheets = { snapshot, records, caller, zone, report, photos: new Photos(), format }
    const files: ExportedFile[] = []
    async function* entries(): AsyncGenerator<WrittenEntry> {
      for await (const file of filesOf(whole)) {
        yield file
        files.push(file)
      }
      await requireAll(whole, files)
      await verifyWritten(directory, files)
      yield { name: 'README.md', bytes: [Buffer.from(readmeOf({ farm, now: records.clock(), zone, files, format }))] }
    }
    await writeDirectory(directory, entries())
    return files
  })
}

/** Photos come after the records, which name them. */
async function* filesOf(whole: FarmInSheets): AsyncGenerator<ExportedFile> {
  yield* otherFiles(whole)
  yield* recordFiles(whole)
  yield* mapFiles(whole)
  yield* photoFiles(whole)
}

/** The sheets of a type must have one row per record. */
async function requireAll({ snapshot }: FarmInSheets, files: readonly ExportedFile[]): Promise<void> {
  const places = { log: 'logs/', asset: 'assets/', term: 'terms/', quantity: 'quantities.' } as const
  for (const [type, place] of Object.entries(places)) {
    const rows = files.filter(({ name }) => name.startsWith(place)).reduce((sum, { count }) => sum + count(), 0)
    const kept = await countRecordsOf(snapshot, type as keyof typeof places)
    if (rows !== kept) throw new Error(`${rows} of ${kept} records of the type ${type} were written`)
  }
}

const filesAtOnce = 200

/** Every photo and file that a record shows, and a sheet that lists them. */
async function* photoFiles(whole: FarmInSheets): AsyncGenerator<ExportedFile> {
  const { snapshot, photos, report } = whole
  const rows: Record<string, string>[] = []
  for (let start = 0; start < photos.ids.length; start += filesAtOnce) {
    const found = await filesByIds(snapshot, photos.ids.slice(start, start + filesAtOnce))
    for (const file of found.values()) {
      const bytes = await bytesOf(snapshot, file.sha256)
      const isDamaged = fingerprint(bytes) !== file.sha256
      rows.push(rowOf(whole, file, isDamaged ? 'yes' : 'no'))
      const count = () => bytes.length
      yield { name: photos.pathOf(file), about: '', form: 'photo', bytes: [bytes], count, isDamaged }
      report('photos and files', rows.length, photos.ids.length)
    }
  }
  if (rows.length > 0)
    yield await shortFile(whole, { name: 'files', about: 'Every photo and file, and where it is' }, rows)
}

const rowOf = ({ photos, zone }: FarmInSheets, file: StoredFile, damaged: 'yes' | 'no'): Record<string, string> => ({
  id: String(file.id),
  path: photos.pathOf(file),
  name: file.name,
  mime: file.mime,
  size: String(file.size),
  alt: file.alt ?? '',
  title: file.title ?? '',
  description: file.description ?? '',
  created: isoTime(file.created, zone),
  damaged,
  sha256: file.sha256,
  uuid: file.uuid,
})

/** Reads the written files and counts again. */
async function verifyWritten(directory: string, files: readonly ExportedFile[]): Promise<void> {
  for (const { name, form, count } of files) {
    const found = await counted[form](join(directory, name))
    if (found !== count()) throw new Error(`${name} has ${found} where ${count()} were written`)
  }
}

const counted: Readonly<Record<ExportedFile['form'], (path: string) => Promise<number>>> = {
  sheet: async (path) => (path.endsWith('.xlsx') ? await rowsOfWorkbook(path) : await ends(path)) - 1,
  map: async (path) => lines(path, '{"type":"Feature",'),
  photo: async (path) => (await stat(path)).size,
}

/** Number of rows in the first sheet of a workbook. Cells cannot hold the mark: they escape `<`. */
async function rowsOfWorkbook(path: string): Promise<number> {
  const [bytes, mark] = [await readFile(path), '<row r="']
  const entry = entriesOfZip(bytes).find(({ name }) => name === 'xl/worksheets/sheet1.xml')
  if (entry === undefined) return 0
  let [count, rest] = [0, '']
  for await (const piece of unpackedPieces(bytes, entry, Number.MAX_SAFE_INTEGER)) {
    const parts = (rest + piece.toString('latin1')).split(mark)
    count += parts.length - 1
    rest = (parts.at(-1) ?? '').slice(1 - mark.length)
  }
  return count
}

const [quote, endOfLine] = [0x22, 0x0a]

/** Number of rows in a CSV file: line ends outside of quotes. */
async function ends(path: string): Promise<number> {
  let [count, isQuoted] = [0, false]
  for await (const bytes of createReadStream(path)) {
    for (const byte of bytes as Buffer) {
      if (byte === quote) isQuoted = !isQuoted
      else if (byte === endOfLine && !isQuoted) count += 1
    }
  }
  return count
}

async function lines(path: string, beginning: string): Promise<number> {
  let [count, rest] = [0, '']
  for await (const text of createReadStream(path, 'utf8')) {
    const pieces = (rest + text).split('\n')
    rest = pieces.pop() ?? ''
    count += pieces.filter((line) => line.startsWith(beginning)).length
  }
  return count
}

interface ReadmeFacts {
  readonly farm: string
  readonly now: number
  readonly zone: string
  readonly files: readonly ExportedFile[]
  readonly format: SheetFormatName
}

const howToRead: Readonly<Record<SheetFormatName, string>> = {
  csv: 'They are UTF-8 with commas between the cells; the first row says what the columns are.',
  xlsx: 'They are Excel workbooks; the first row says what the columns are, and the second sheet explains them. A text of more than 32,767 characters does not fit into a cell: it is left out, and named there.',
}

const readmeOf = ({ farm, now, zone, files, format }: ReadmeFacts): string => `# ${farm.replace(/[\r\n]/g, ' ')}

Everything that was recorded on this farm, as it was on ${isoTime(now, zone)}, written by Furrow ${version}.
The sheets (.csv) open in any spreadsheet; the maps (.geojson) in QGIS and most map programs. Nothing here needs Furrow.

| file | what it is | how many |
|---|---|---|
${files
  .filter(({ form }) => form !== 'photo')
  .map(({ name, about, count }) => `| ${name} | ${about} | ${count()} |`)
  .join('\n')}
| files/ | Photos and other files, called after the record that shows them; files.${format} lists them | ${files.filter(({ form }) => form === 'photo').length} |

## How to read the sheets

- ${howToRead[format]} Each row is one record, and \`id\` is its number: of logs, of assets and of
  terms each their own.
- logs/ holds what happened or was planned, assets/ what the farm has, terms/ its areas, crops and other lists. A type without records has no file.
- Others are given by name. Where several have the same name, the number stands behind: \`Kale #17\`. Several values have \`; \` between them; one that holds a
  semicolon is in quotes.
- Times are those of ${zone}, with their distance from UTC.
- Shapes are Well-Known Text in the sheets, longitude first. In the maps they are GeoJSON.
- \`location\`, \`geometry\`, \`assets\`, \`group\` and \`inventory\` are worked out from the logs, as of that time.
- Quantities stand in the column \`quantity\` of their log as JSON, and in quantities.${format} each on a row of its own, with the number of the log.
${format === 'csv' ? "- A cell that a spreadsheet would have taken for a formula begins with one `'` more than was recorded.\n" : ''}- \`version\` and \`uuid\` are what Furrow knows a record by. \`other_fields\` holds what no installed part of Furrow knew any more.

## What is not here

What was removed and lies in the trash, earlier versions of records, passwords and other secrets. \`furrow export DIR\` writes all of that for another Furrow; this
folder is for everybody else.
`

type Cells = Readonly<Record<string, string>>

/** A file small enough to hold in memory. */
async function shortFile(
  { format }: FarmInSheets,
  { name, about }: Pick<ExportedFile, 'name' | 'about'>,
  rows: readonly Cells[],
): Promise<ExportedFile> {
  const cells = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
  const lines = () => Buffer.from(byteOrderMark + cells.map((row) => csvRow(row, ',')).join(''))
  const bytes = [format === 'csv' ? lines() : await workbookOf(cells)]
  return { name: `${name}.${format}`, about, form: 'sheet', bytes, count: () => rows.length }
}

/** Settings, accounts and vocabularies of the farm, without secrets. */
async function* otherFiles(whole: FarmInSheets): AsyncGenerator<ExportedFile> {
  const { snapshot, records, zone } = whole
  const settings = Object.entries(await readFarmSettings(snapshot))
  yield await shortFile(
    whole,
    { name: 'farm', about: 'What the farm says of itself' },
    settings.map(([name, value]) => ({ name, value: String(value) })),
  )
  yield await shortFile(
    whole,
    { name: 'vocabularies', about: 'The lists that terms belong to' },
    vocabulariesOf(records),
  )
  const accounts = (await allAccounts(snapshot)).map(viewOf)
  if (accounts.length === 0) return
  yield await shortFile(
    whole,
    { name: 'users', about: 'Who has an account, without passwords' },
    accounts.map((account) => userRow(account, zone)),
  )
}

const vocabulariesOf = ({ vocabularies, farm }: Records): readonly Cells[] =>
  [...vocabularies].map(([machine_name, id]) => {
    const { title: name = '', description = '' } = farm.records.term.bundles[machine_name] ?? {}
    return { id: String(id), machine_name, name, description }
  })

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')

const userRow = ({ uid, role, blocked, isService, created, ...account }: AccountView, zone: string): Cells => ({
  id: String(uid),
  name: account.name,
  mail: account.mail,
  role: role ?? '',
  blocked: yesOrNo(blocked),
  is_a_program: yesOrNo(isService),
  language: account.language,
  timezone: account.timezone,
  created: isoTime(created, zone),
  uuid: account.uuid,
})
