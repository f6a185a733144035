import { trimmedTextKey } from '../../fields/key.ts'
import { isTree, shown } from '../../fields/place.ts'
import { wholeNumber } from '../../fields/scalars.ts'
import { type DateOrder, dateOrders } from '../../formats/csv/dates.ts'
import { type DecimalSign, decimalSigns } from '../../formats/csv/decimals.ts'
import { type Separator, separatorNamed, separatorNames, separators } from '../../formats/csv/write-csv.ts'
import type { QueryEntry } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import { numberAsked, parameter } from '../../wire-1x/list-query.ts'
import { languages } from '../../words/languages.ts'

/** The column that identifies existing records. */
export type MatchKey = (typeof matchKeys)[number]
export const matchKeys = ['uuid', 'id', 'tag', 'name'] as const

/** New logs are all done, all planned, or done by date. */
export const doneWords = ['1', '0', 'day'] as const

/** Columns that nobody knows are kept in the notes, or left out. */
export const othersWords = ['notes', 'skip'] as const

/** How a sheet is to be read, as far as whoever sends it says so. */
export interface SheetOptions {
  /** The bundle or vocabulary of all rows. */
  readonly bundle: string | undefined
  /** Found where nobody says it. */
  readonly headRow: number | undefined
  /** Fields by the keys of the headers that stand for them; an empty one leaves the column out. */
  readonly map: ReadonlyMap<string, string>
  /** `1`: a column of tasks says what each row is, also where `bundle` is given. */
  readonly kinds: '0' | '1' | undefined
  readonly match: MatchKey | undefined
  /** Treatment of a row whose record changed after the export. */
  readonly stale: 'refuse' | 'overwrite'
  readonly empty: 'leave' | 'clear'
  readonly onFault: 'refuse' | 'skip'
  readonly decimal: DecimalSign | undefined
  readonly dates: DateOrder | undefined
  readonly separator: Separator | undefined
  /** Of a workbook: the name or number of the sheet. */
  readonly sheet: string | undefined
  /** The repeated part of which each one has a row, such as `quantity`. */
  readonly rows: string | undefined
  /** `0` leaves out rows that were recorded before. */
  readonly again: '0' | '1' | undefined
  /** The day of weights that no column says. */
  readonly weighed: string | undefined
  /** The day of animals that have left, where no column says it. */
  readonly left: string | undefined
  /** The year of days that have none. */
  readonly year: number | undefined
  /** The name of the file, which may say the year. */
  readonly file: string | undefined
  /** `0` leaves empty cells empty that repeat what stands above. */
  readonly fill: '0' | '1' | undefined
  /** What becomes of columns that nobody knows: they are faults, kept in the notes, or left out. */
  readonly others: (typeof othersWords)[number] | undefined
  /** Other texts for cells, by `row column`, both counted from 1. */
  readonly cells: ReadonlyMap<string, string>
  /** Other texts for all equal cells of a column, by the keys of its header and of the text. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Crops that stand for several years: `all` that are known to, `none`, or their names. */
  readonly perennial: string | undefined
  /** In which faults are worded and logs are named, if not that of the farm. */
  readonly language: string | undefined
  /** `1` uses and keeps what was said about a sheet with the same headers. */
  readonly recall: '0' | '1' | undefined
  /** Whether new logs are done, where their rows do not say so. */
  readonly done: (typeof doneWords)[number] | undefined
}

/** Query parameters of an import. `dry_run` is read elsewhere. */
const known = [
  ...['type', 'vocabulary', 'head_row', 'map', 'match', 'overwrite', 'empty', 'on_fault'],
  ...[
    'decimal',
    'dates',
    'sep',
    'sheet',
    'rows',
    'cell',
    'others',
    'year',
    'file',
    'fill',
    'weighed',
    'left',
    'kinds',
    'again',
    'done',
    'perennial',
    'value',
    'language',
    'recall',
    'dry_run',
  ],
]

const mostRowsBeforeHead = 1_000

/** Refuses unknown parameters: a typo would change what is written. */
export function sheetOptionsIn(entries: readonly QueryEntry[]): SheetOptions {
  const stranger = entries.find(
    ({ name, brackets }) => !known.includes(name) || (brackets.length > 0 && !['map', 'cell', 'value'].includes(name)),
  )
  if (stranger !== undefined) throw badQuery(stranger.name, 'is not an option of a sheet', known)
  const separator = parameter(entries, 'sep')
  const found = separator === undefined ? undefined : separatorNamed(separator)
  if (separator !== undefined && found === undefined)
    throw badQuery(
      'sep',
      `must be one of these, not ${shown(separator)}`,
      separators.map((one) => separatorNames[one]),
    )
  return {
    bundle: parameter(entries, 'type') ?? parameter(entries, 'vocabulary'),
    headRow: numberAsked(entries, 'head_row', { least: 1, most: mostRowsBeforeHead }),
    map: mapIn(entries),
    kinds: wordIn(entries, 'kinds', ['0', '1']),
    match: wordIn(entries, 'match', matchKeys),
    stale: wordIn(entries, 'overwrite', ['0', '1']) === '1' ? 'overwrite' : 'refuse',
    empty: wordIn(entries, 'empty', ['leave', 'clear']) ?? 'leave',
    onFault: wordIn(entries, 'on_fault', ['refuse', 'skip']) ?? 'refuse',
    decimal: wordIn(entries, 'decimal', decimalSigns),
    dates: wordIn(entries, 'dates', dateOrders),
    separator: found,
    sheet: parameter(entries, 'sheet') || undefined,
    rows: parameter(entries, 'rows'),
    cells: cellsIn(entries),
    values: valuesIn(entries),
    again: wordIn(entries, 'again', ['0', '1']),
    weighed: dayIn(entries, 'weighed'),
    left: dayIn(entries, 'left'),
    year: numberAsked(entries, 'year', { least: 1900, most: 2999 }),
    file: parameter(entries, 'file') || undefined,
    fill: wordIn(entries, 'fill', ['0', '1']),
    others: wordIn(entries, 'others', othersWords),
    done: wordIn(entries, 'done', doneWords),
    perennial: parameter(entries, 'perennial') || undefined,
    language: languageIn(entries),
    recall: wordIn(entries, 'recall', ['0', '1']),
  }
}

function wordIn<const T extends string>(
  entries: readonly QueryEntry[],
  name: string,
  words: readonly T[],
): T | undefined {
  const given = parameter(entries, name)
  if (given === undefined) return undefined
  const word = words.find((one) => one === given)
  if (word === undefined) throw badQuery(name, `must be one of these, not ${shown(given)}`, words)
  return word
}

function languageIn(entries: readonly QueryEntry[]): string | undefined {
  const given = parameter(entries, 'language')
  return given === undefined ? undefined : wordIn(entries, 'language', Object.keys(languages))
}

/** `cell[12][3]=7.5`: the third cell of row 12 is read as if that stood there. */
function cellsIn(entries: readonly QueryEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries
      .filter(({ name }) => name === 'cell')
      .map(({ brackets, value }) => {
        const [row, column] = brackets.map((one) => wholeNumber(one) ?? 0)
        if (brackets.length !== 2 || !row || !column || row < 1 || column < 1)
          throw badQuery('cell', 'must say the row and the column, counted from 1: cell[12][3]=7.5')
        return [`${row} ${column}`, value]
      }),
  )
}

/** `value[Crop][Lettuse]=Lettuce`: all cells of a column that say one text are read as another. */
function valuesIn(entries: readonly QueryEntry[]): SheetOptions['values'] {
  const values = new Map<string, Map<string, string>>()
  for (const { name, brackets, value } of entries) {
    if (name !== 'value') continue
    const [header = '', text] = brackets
    if (brackets.length !== 2 || text === undefined)
      throw badQuery('value', 'must say the header and the text of the cells: value[Crop][Lettuse]=Lettuce')
    const key = trimmedTextKey(header)
    values.set(key, (values.get(key) ?? new Map()).set(trimmedTextKey(text), value))
  }
  return values
}

function dayIn(entries: readonly QueryEntry[], name: string): string | undefined {
  const given = parameter(entries, name) || undefined
  if (given === undefined || /^\d{4}-\d\d-\d\d$/.test(given)) return given
  throw badQuery(name, `must be a day such as 2026-05-01, not ${shown(given)}`)
}

/** `map[Header]=field`, or all of them as one object of JSON. */
function mapIn(entries: readonly QueryEntry[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>()
  const each = entries.filter(({ name, brackets }) => name === 'map' && brackets.length > 0)
  for (const { brackets, value } of each) map.set(trimmedTextKey(brackets.join('][')), value)
  const whole = parameter(entries, 'map')
  if (whole === undefined) return map
  for (const [header, field] of Object.entries(objectIn(whole))) {
    if (field !== null && typeof field !== 'string')
      throw badQuery('map', `${shown(header)} must stand for the name of a field, or null to leave it out`)
    map.set(trimmedTextKey(header), field ?? '')
  }
  return map
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const tree = jsonIn(text)
  if (isTree(tree)) return tree
  throw badQuery('map', 'must be an object such as {"Bed": "movement.area"}, or map[Bed]=movement.area')
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
