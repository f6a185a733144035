import { createWriteStream, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { recordTypeNames } from '../farm/fields-of.ts'
import { resourceNames } from '../farm/resource-names.ts'
import { fileFormatNames, isSheetFormat } from '../formats/file-formats.ts'
import { type QueryEntry, readQuery } from '../formats/query-string.ts'
import { openRecords, type Records } from '../records/records.ts'
import { sheetOfRecords, sheetTemplate } from '../sheets/sheet-of-records.ts'
import { sheetWords } from '../sheets/sheet-query.ts'
import type { SheetPiece } from '../sheets/write-sheet.ts'
import { fileProblem, withdrawnIfInterrupted } from '../storage/backup/durable-files.ts'
import type { Snapshot } from '../storage/database.ts'
import type { Report } from '../storage/report.ts'
import { codeOf } from '../storage/sql/errors.ts'
import { readWord } from './arguments.ts'
import { command, existingFarmOptions } from './command.ts'
import { callerCalled, inExistingFarm } from './existing-farm.ts'
import { BadValue, flag, many, type OptionValues, one, type ReadText } from './option.ts'
import { anyText, httpAddress, oneOf } from './option-values.ts'
import { withProgress } from './progress.ts'
import { printableLines, say } from './terminal.ts'

const sheetFormats = fileFormatNames.filter(isSheetFormat)
const resources = recordTypeNames.map((type) => resourceNames[type])

const filterText: ReadText<SheetFilter> = (text) => {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new BadValue('NAME=VALUE, such as done=1')
  return [name, value]
}

const sheetOptions = {
  filter: many('NAME=VALUE', filterText, { help: 'Only what matches, as in the address of a list: done=1' }),
  sort: one('FIELD', anyText, { help: 'The field to sort by' }),
  direction: one('WORD', oneOf(['asc', 'desc']), { help: 'asc or desc' }),
  'as-of': one('SECONDS', anyText, { help: 'What follows from logs, as it was at that time' }),
  with: one('FIELDS', anyText, { help: 'What is shown only on request, with commas between' }),
  fields: one('COLUMNS', anyText, { help: 'These columns, with commas between; uuid and version come along' }),
  head: one('WORD', oneOf(sheetWords.head), { help: 'name or label: what the first row says' }),
  refs: one('WORD', oneOf(sheetWords.refs), { help: 'name or id: how others are given' }),
  rows: one('PART', anyText, { help: 'A row for each of these parts, such as quantity' }),
  sep: one('WORD', oneOf(sheetWords.sep), { help: 'comma, semicolon or tab between the cells' }),
  bom: flag({ help: 'A byte order mark in front, by which Excel knows UTF-8' }),
  times: one('WORD', oneOf(sheetWords.times), { help: 'iso, unix or local: how times are written' }),
  decimal: one('SIGN', oneOf(sheetWords.decimal), { help: 'The decimal sign: . or ,' }),
}

const inQuery = encodeURIComponent

const emptySheet =
  (head: (snapshot: Snapshot) => Promise<Buffer>): Sheet =>
  async (snapshot) => {
    const bytes = await head(snapshot)
    return { pieces: only({ bytes, rows: 0 }) }
  }

export const exportSheet = command({
  words: 'export sheet',
  summary: 'Write a list of records as CSV or as an Excel workbook, while the server goes on',
  takes: { RESOURCE: resources.join(', ') },
  mayTake: ['FILE', 'The file to write, .csv or .xlsx; it must not be there yet. Without it, CSV is printed'],
  options: {
    template: one('TYPE', anyText, {
      help: 'An empty sheet to fill in with records of this type, such as animal',
    }),
    ...sheetOptions,
    'base-url': one('URL', httpAddress, { help: 'The public address of this farm, for the addresses of files' }),
    ...existingFarmOptions,
  },
  async run({ names: { RESOURCE: resource }, extra: file, options }) {
    const { data, database, module, template, 'base-url': base = '', ...asked } = options
    const place = resources.indexOf(readWord('RESOURCE', resource, oneOf(resources)))
    const type = recordTypeNames[place] ?? 'log'
    const entries = entriesAsked(asked)
    const format =
      file === undefined ? 'csv' : (sheetFormats.find((one) => file.toLowerCase().endsWith(`.${one}`)) ?? 'csv')
    await inExistingFarm({ data, database, module }, async (installation) => {
      const records = await openRecords(installation)
      const caller = await callerCalled(installation, undefined)
      const sheet =
        template === undefined
          ? sheetOfRecords(records, { caller, type, base, entries, format })
          : emptySheet(sheetTemplate(records, { type, bundle: template, entries, format }))
      const rows = await withProgress((report) => writeSheet(records, sheet, { file, report }))
      if (file !== undefined) say(`${file} is written: ${rows} ${rows === 1 ? 'row' : 'rows'}.`)
    })
  },
})

type Sheet = (snapshot: Snapshot) => Promise<{ readonly pieces: AsyncIterable<SheetPiece> }>

async function* only(piece: SheetPiece): AsyncGenerator<SheetPiece> {
  yield piece
}

interface Destination {
  readonly file: string | undefined
  readonly report: Report
}

/** Returns the number of rows written. */
function writeSheet({ database }: Records, sheet: Sheet, { file, report }: Destination): Promise<number> {
  return database.read(async (snapshot) => {
    const { pieces } = await sheet(snapshot)
    let rows = 0
    async function* written(): AsyncGenerator<string | Buffer> {
      for await (const some of pieces) {
        rows += some.rows
        report('rows', rows, 0)
        yield some.bytes
      }
    }
    await (file === undefined ? writeToOutput(written()) : writeNewFile(file, written()))
    return rows
  })
}

function entriesAsked({ filter = [], bom, 'as-of': asOf, ...words }: OptionValues<typeof sheetOptions>) {
  return entriesOf([...filter, ...Object.entries(words), ['as_of', asOf], ['bom', bom ? '1' : undefined]])
}

/** One filter, as in the query of an address. */
type SheetFilter = readonly [name: string, value: string]

/** Query entries without those that were not given. */
function entriesOf(asked: readonly (readonly [string, string | undefined])[]): readonly QueryEntry[] {
  const given = asked.flatMap(([name, value]) => (value === undefined ? [] : [`${inQuery(name)}=${inQuery(value)}`]))
  return readQuery(`?${given.join('&')}`)
}

/** Writes a file that is not there yet; what fails or is interrupted leaves none behind. */
async function writeNewFile(path: string, pieces: AsyncIterable<string | Buffer>): Promise<void> {
  const withdraw = () => rmSync(path, { force: true })
  try {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
    await new Promise((resolve, reject) => file.once('open', resolve).once('error', reject))
    await withdrawnIfInterrupted(withdraw, () => pipeline(pieces, file)).catch((error) => {
      withdraw()
      throw error
    })
  } catch (error) {
    throw fileProblem(error, path)
  }
}

/** Writes to whoever reads what this program says; who has seen enough may go. */
async function writeToOutput(pieces: AsyncIterable<string | Buffer>): Promise<void> {
  try {
    await pipeline(process.stdout.isTTY ? printed(pieces) : pieces, process.stdout, { end: false })
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error
  }
}

/** A pipe gets every byte, a terminal none that it would obey. */
async function* printed(pieces: AsyncIterable<string | Buffer>): AsyncIterable<string> {
  for await (const piece of pieces) yield printableLines(String(piece))
}
