import type { Separator } from '../formats/csv/write-csv.ts'
import type { QueryEntry } from '../formats/query-string.ts'
import { badQuery } from '../records/finding/filter.ts'
import { parameter } from '../wire-1x/list-query.ts'
import { languages } from '../words/languages.ts'
import type { SheetOutput } from './write-sheet.ts'

/** Query parameters of a sheet, in addition to those of a list. */
interface SheetQuery extends Pick<SheetOutput, 'head' | 'separator' | 'mark' | 'rows'> {
  readonly fields: readonly string[] | undefined
  readonly refs: 'name' | 'id'
  readonly times: 'iso' | 'unix' | 'local'
  readonly decimal: '.' | ','
  /** Of labels, of local times, and of what a workbook explains; that of the farm where nothing is said. */
  readonly language: string | undefined
}

const separators = { comma: ',', semicolon: ';', tab: '\t' } as const satisfies Readonly<Record<string, Separator>>

/** The allowed values of each parameter, default first. */
export const sheetWords = {
  head: ['name', 'label'],
  refs: ['name', 'id'],
  sep: ['comma', 'semicolon', 'tab'],
  bom: ['0', '1'],
  times: ['iso', 'unix', 'local'],
  decimal: ['.', ','],
} as const

type SheetWord = keyof typeof sheetWords

const sheetParameters: readonly string[] = ['fields', 'rows', 'language', ...Object.keys(sheetWords)]

/** Query parameters of lists that sheets refuse. */
const wordsOfLists: Readonly<Record<string, string>> = {
  page: 'a sheet has no pages: it holds everything that matches',
  limit: 'a sheet has no pages: it holds everything that matches',
  full: 'a sheet holds whole records; choose columns with fields',
}

export type CsvLayout = Pick<SheetOutput, 'separator' | 'mark'>

export const layoutIn = (entries: readonly QueryEntry[]): CsvLayout => ({
  separator: separators[wordIn(entries, 'sep')],
  mark: wordIn(entries, 'bom') === '1' ? 'with a byte order mark' : 'without',
})

export function sheetQueryIn(entries: readonly QueryEntry[]): SheetQuery {
  for (const entry of entries) refuseStrange(entry)
  const fields = parameter(entries, 'fields')
  return {
    fields: fields === undefined || fields === '' ? undefined : fields.split(',').map((name) => name.trim()),
    head: wordIn(entries, 'head'),
    refs: wordIn(entries, 'refs'),
    rows: parameter(entries, 'rows') || undefined,
    ...layoutIn(entries),
    times: wordIn(entries, 'times'),
    decimal: wordIn(entries, 'decimal'),
    language: languageIn(entries),
  }
}

function languageIn(entries: readonly QueryEntry[]): string | undefined {
  const given = parameter(entries, 'language') || undefined
  if (given === undefined || Object.hasOwn(languages, given)) return given
  throw badQuery('language', `${JSON.stringify(given)} is not a language of this farm's texts`, Object.keys(languages))
}

function refuseStrange({ name, value, brackets }: QueryEntry): void {
  if (brackets.length > 0) return
  const reason = wordsOfLists[name]
  if (reason !== undefined) throw badQuery(name, reason)
  if (name === 'files' && value === 'inline') throw badQuery(name, 'a sheet names files by their addresses', ['link'])
}

/** A separator may be given as itself: `sep=;`. */
const nameOfSeparator: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }

function wordIn<N extends SheetWord>(entries: readonly QueryEntry[], name: N): (typeof sheetWords)[N][number] {
  const words: readonly (typeof sheetWords)[N][number][] = sheetWords[name]
  const given = parameter(entries, name) ?? words[0] ?? ''
  const word = words.find((one) => one === given || one === (name === 'sep' ? nameOfSeparator[given] : undefined))
  if (word === undefined) throw badQuery(name, `${JSON.stringify(given)} is not one of the words for it`, words)
  return word
}

/** The rest of the query, which selects the records. */
export const aboutTheList = (entries: readonly QueryEntry[]): readonly QueryEntry[] =>
  entries.filter(({ name, brackets }) => brackets.length > 0 || !sheetParameters.includes(name))

/** A template has no records, so filters are refused. */
export function refuseFilters(entries: readonly QueryEntry[]): void {
  const [stranger] = aboutTheList(entries)
  if (stranger !== undefined) throw badQuery(stranger.name, 'means nothing here', sheetParameters)
}
