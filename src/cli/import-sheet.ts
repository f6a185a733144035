import { basename } from 'node:path'
import { recordTypeNames } from '../farm/fields-of.ts'
import { resourceNames } from '../farm/resource-names.ts'
import { dateOrders } from '../formats/csv/dates.ts'
import { decimalSigns } from '../formats/csv/decimals.ts'
import { separatorNames } from '../formats/csv/write-csv.ts'
import { type QueryEntry, readQuery } from '../formats/query-string.ts'
import { openRecords } from '../records/records.ts'
import { doneWords, matchKeys, othersWords, sheetOptionsIn } from '../sheets/import/import-options.ts'
import { faultPlace, type ImportCounts } from '../sheets/import/import-outcome.ts'
import { languages } from '../words/languages.ts'
import { command, existingFarmOptions, Misuse } from './command.ts'
import { callerCalled, inExistingFarm } from './existing-farm.ts'
import { BadValue, flag, many, type OptionValues, one, type ReadText, required } from './option.ts'
import { anyText, calendarDate, oneOf, wholeNumber } from './option-values.ts'
import { withProgress } from './progress.ts'
import { importSheet as importFrom, type SheetImportResult, sheetFile } from './sheet-import.ts'
import { say } from './terminal.ts'

const resources = recordTypeNames.map((type) => resourceNames[type])

/** `Header=field`. The last `=` separates, because no field name has one. */
const mapText: ReadText<readonly [string, string]> = (text) => {
  const [, header, field] = /^(.+)=([^=]*)$/s.exec(text) ?? []
  if (header === undefined || field === undefined) throw new BadValue('HEADER=FIELD, such as Bed=movement.area')
  return [header, field]
}

/** `ROW,COLUMN=TEXT`, both counted from 1. */
const cellText: ReadText<QueryEntry> = (text) => {
  const [, row, column, value] = /^(\d+),(\d+)=(.*)$/s.exec(text) ?? []
  if (row === undefined || column === undefined || value === undefined)
    throw new BadValue('ROW,COLUMN=TEXT, such as 12,3=7.5')
  return { name: 'cell', brackets: [row, column], value }
}

/** `HEADER=TEXT=OTHER`. */
const valueText: ReadText<QueryEntry> = (text) => {
  const [, header, said, value] = /^([^=]+)=([^=]*)=(.*)$/s.exec(text) ?? []
  if (header === undefined || said === undefined || value === undefined)
    throw new BadValue('HEADER=TEXT=OTHER, such as Crop=Lettuse=Lettuce')
  return { name: 'value', brackets: [header, said], value }
}

const dayText: ReadText<string> = (text) => {
  calendarDate(text)
  return text
}

const readingOptions = {
  type: one('TYPE', anyText, { help: 'What all rows are, where no column says so, such as animal' }),
  'head-row': one('N', wholeNumber(1, 1_000), { help: 'The row of the headers, if it is not the first' }),
  map: many('HEADER=FIELD', mapText, { help: 'What a header stands for; without a field its column is left out' }),
  match: one('KEY', oneOf(matchKeys), { help: 'What rows are known by: uuid, id, tag or name' }),
  overwrite: flag({ help: 'Also rows whose records have changed since' }),
  'empty-clears': flag({ help: 'Let empty cells empty their fields' }),
  'skip-faults': flag({ help: 'Take the rows that are right, and list the others' }),
  decimal: one('SIGN', oneOf(decimalSigns), { help: 'The decimal sign: . or ,' }),
  dates: one('ORDER', oneOf(dateOrders), { help: 'The order of days: dmy, mdy or ymd' }),
  sep: one('WORD', oneOf(Object.values(separatorNames)), {
    help: 'What stands between the cells: comma, semicolon or tab',
  }),
  sheet: one('NAME', anyText, {
    help: 'Of a workbook: the name or number of its sheet; * reads all with the same headers',
  }),
  rows: one('PART', anyText, { help: 'The part of which each has a row, such as quantity' }),
  done: one('WORD', oneOf(doneWords), {
    help: 'Whether new logs are done where no cell says so: 1 (all), 0 (none) or day (today or earlier)',
  }),
  others: one('WORD', oneOf(othersWords), {
    help: 'Columns that nobody knows: notes (keep them there) or skip (leave them out)',
  }),
  year: one('YEAR', wholeNumber(1900, 2999), { help: 'The year of days that have none' }),
  'no-fill': flag({ help: 'Leave cells empty that repeat what stands above' }),
  perennial: one('CROPS', anyText, {
    help: 'Crops that are one planting over all years: all, none, or names with commas between',
  }),
  weighed: one('DAY', dayText, { help: 'Of animals: the day of weights that no column says, such as 2026-05-01' }),
  left: one('DAY', dayText, { help: 'Day of departures that no column says' }),
  kinds: flag({ help: 'Tasks say the type of each log' }),
  cell: many('ROW,COLUMN=TEXT', cellText, { help: 'Another text for one cell, both counted from 1: 12,3=7.5' }),
  value: many('HEADER=TEXT=OTHER', valueText, {
    help: 'Another text for all equal cells of a column: Crop=Lettuse=Lettuce',
  }),
  'skip-recorded': flag({ help: 'Leave out rows that an earlier import recorded; match animals by ear tag' }),
  recall: flag({ help: 'Use what was said about sheets with such headers, and keep what is said now' }),
  language: one('LANGUAGE', oneOf(Object.keys(languages)), {
    help: 'In which faults are worded and logs are named, if not that of the farm',
  }),
}

export const importSheet = command({
  words: 'import sheet',
  summary: 'Make and change records by the rows of a CSV file or Excel workbook, while the server goes on',
  takes: { RESOURCE: resources.join(', '), FILE: 'The CSV file or Excel workbook' },
  options: {
    author: required('NAME', anyText, { help: 'The account that the records are noted as those of' }),
    ...readingOptions,
    'dry-run': flag({ help: 'Only say what would become of the rows, and what is wrong with them' }),
    resume: flag({ help: 'Go on with an import of this file that was interrupted' }),
    ...existingFarmOptions,
  },
  async run({ names: { RESOURCE: resource, FILE: path }, options }) {
    const { data, database, module, author, 'dry-run': dryRun, resume, ...given } = options
    const type = recordTypeNames.find((one) => resourceNames[one] === resource)
    if (type === undefined) throw new Misuse(`RESOURCE is one of ${resources.join(', ')}, not "${resource}".`)
    const sheetOptions = { ...sheetOptionsIn(entriesOf(given)), file: basename(path) }
    const imported = await inExistingFarm({ data, database, module }, async (installation) => {
      const records = await openRecords(installation)
      const caller = await callerCalled(installation, author)
      const file = await sheetFile(path, sheetOptions)
      const [ending, before] = [dryRun ? 'undone' : 'kept', resume ? 'go on' : 'refuse'] as const
      return withProgress((report) =>
        importFrom(records, { type, options: sheetOptions, file, caller, ending, before, report }),
      )
    })
    say(...linesOf(imported))
  },
})

/** The options as entries of a query. */
function entriesOf({
  map = [],
  cell = [],
  value: values = [],
  ...given
}: OptionValues<typeof readingOptions>): readonly QueryEntry[] {
  const words: readonly (readonly [string, string | number | undefined])[] = [
    ['type', given.type],
    ['head_row', given['head-row']],
    ['map', map.length === 0 ? undefined : JSON.stringify(Object.fromEntries(map))],
    ['match', given.match],
    ['overwrite', given.overwrite ? '1' : undefined],
    ['empty', given['empty-clears'] ? 'clear' : undefined],
    ['on_fault', given['skip-faults'] ? 'skip' : undefined],
    ['decimal', given.decimal],
    ['dates', given.dates],
    ['sep', given.sep],
    ['sheet', given.sheet],
    ['rows', given.rows],
    ['done', given.done],
    ['others', given.others],
    ['year', given.year],
    ['fill', given['no-fill'] ? '0' : undefined],
    ['perennial', given.perennial],
    ['weighed', given.weighed],
    ['left', given.left],
    ['kinds', given.kinds ? '1' : undefined],
    ['again', given['skip-recorded'] ? '0' : undefined],
    ['recall', given.recall ? '1' : undefined],
    ['language', given.language],
  ]
  const parameters = words.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return [...readQuery(`?${parameters.join('&')}`), ...cell, ...values]
}

function linesOf({ opened, counts, faults, missing, set, resumed }: SheetImportResult): readonly string[] {
  const { source, sheet } = opened
  const guessed = sheet.columns
    .filter(({ because }) => because === 'synonym' || because === 'content')
    .map(({ header, name }) => `${header} as ${name}`)
  const ignored = sheet.columns.filter(({ use }) => use === 'computed' || use === 'nothing').map(({ header }) => header)
  return [
    `Read as ${source.readAs}.`,
    ...(guessed.length === 0 ? [] : [`Understood: ${guessed.join(', ')}.`]),
    ...(ignored.length === 0 ? [] : [`Not looked at, because the farm works it out: ${ignored.join(', ')}.`]),
    ...(resumed === undefined ? [] : [`Went on behind row ${resumed.row}.`]),
    ...(set === null ? ['A dry run: nothing was changed. Without --dry-run:'] : []),
    `${spelled(counts)}.`,
    ...(missing === undefined || missing.count === 0
      ? []
      : [
          `${missing.count} of the farm's animals are not in this sheet and stay as they are: ${missing.animals.map(({ name }) => name).join(', ')}.`,
        ]),
    ...faults.map((fault) => `${faultPlace(fault)}: ${fault.message}`),
    ...(set === null || counts.created + counts.changed === 0
      ? []
      : [`All of it is the set ${set}: \`furrow undo ${set}\` takes it back.`]),
  ]
}

const spelled = ({ created, changed, unchanged, fault, done, planned, recorded = 0 }: ImportCounts): string =>
  [
    `${created} created${done === undefined ? '' : ` (${done} done, ${planned} planned)`}`,
    `${changed} changed`,
    `${unchanged} unchanged`,
    ...(recorded === 0 ? [] : [`${recorded} recorded before`]),
    ...(fault === 0 ? [] : [`${fault} left out`]),
  ].join(', ')
