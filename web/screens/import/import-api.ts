import type { MapImportDocument, SheetImportDocument } from '../../../src/doors/furrow/import-documents.ts'
import { areaBundle } from '../../../src/farm/bundle-names.ts'
import { type KeptRecordType, typeOnTheWire } from '../../store/record.ts'

/** What each row of a sheet is. */
export interface RowType {
  readonly type: KeptRecordType
  readonly bundle: string
}

/** What somebody has said of how a sheet or a map is to be read. */
export interface ImportOptions {
  /** Headers of a sheet to fields, fields of a map to properties; an empty text leaves out, nothing is as it was found. */
  readonly map: Readonly<Record<string, string | undefined>>
  /** Parameters of the address; an empty one says nothing. */
  readonly said: Readonly<Record<string, string>>
}

export function sheetAddress({ type, bundle }: RowType, { map, said }: ImportOptions): string {
  return `/${typeOnTheWire[type]}?${query({ type: bundle, ...said, map: JSON.stringify(map).replace(/^\{\}$/, '') })}`
}

export function mapAddress({ map, said }: ImportOptions): string {
  const pairs = Object.entries(map).flatMap(([field, property]) =>
    property === undefined ? [] : `${field}=${property}`,
  )
  return `/taxonomy_term?${query({ ...said, map: pairs.join() })}`
}

const query = (words: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams(Object.entries(words).filter(([, value]) => value !== ''))

export const templateAddress = ({ type, bundle }: RowType): string => `/sheets/${typeOnTheWire[type]}/${bundle}.csv`

/** A file that came from here is called like what is in it. */
export function rowTypeOfFile(file: string, all: readonly RowType[]): RowType | undefined {
  return all
    .filter(({ bundle }) => file.startsWith(bundle))
    .sort((one, other) => other.bundle.length - one.bundle.length)[0]
}

/** The list that shows what came. */
export function recordsAddress({ type, bundle }: RowType): string {
  if (bundle === areaBundle) return '/records?of=areas'
  return `/records?of=${type}s&type=${bundle}`
}

/** Properties cannot be told apart in the address if they hold one of these. */
const nameable = /^[^,=]+$/

/** The names of properties that stand at the beginning of a map, as far as they can be seen from outside. */
export function propertiesIn(beginning: string): readonly string[] {
  const objects = [...beginning.matchAll(/"properties"\s*:\s*(\{[^{}]*\})/g)].flatMap(([, object = '']) =>
    keysOf(object),
  )
  const elements = [...beginning.matchAll(/<(?:Simple)?Data\s+name="([^"<]+)"/g)].map(([, name = '']) => name)
  return [...new Set([...objects, ...elements])].filter((name) => nameable.test(name))
}

function keysOf(object: string): readonly string[] {
  try {
    return Object.keys(JSON.parse(object))
  } catch {
    return []
  }
}

/** What became of a row of a sheet, and what is wrong with it (docs/sheets.md). */
export type SheetRowResult = SheetImportDocument['rows'][number]
export type SheetProblem = NonNullable<SheetRowResult['faults']>[number]
export type ColumnMatch = SheetImportDocument['found']['columns'][number]

/** How many became what; of new logs also how many are done, and how many planned. Nothing where it was refused. */
export type RowCounts = Partial<SheetImportDocument['counts']>

/** Terms that would be made because something names them. */
export type NewTerms = readonly { readonly name: string }[]

/** What the farm says of a sheet, be it taken or refused. */
export interface SheetAnswer extends Omit<SheetImportDocument, 'counts'> {
  readonly counts: RowCounts & { readonly faults?: number; readonly not_told?: number }
  readonly would_create?: NewTerms
}

/** What the farm says of a map (docs/maps.md). */
export interface MapAnswer extends MapImportDocument {
  readonly would_create?: NewTerms
}

export type FeatureResult = MapImportDocument['features'][number]
export type MapFault = NonNullable<FeatureResult['faults']>[number]

/** What can be said of how something is to be read, as it stands in the address. */
const readings = [
  ...(['sep=', 'sep=comma', 'sep=semicolon', 'sep=tab'] as const),
  ...(['decimal=', 'decimal=.', 'decimal=,'] as const),
  ...(['dates=', 'dates=dmy', 'dates=mdy', 'dates=ymd'] as const),
  ...(['match=', 'match=tag', 'match=name'] as const),
  ...(['empty=', 'empty=clear'] as const),
  ...(['overwrite=', 'overwrite=1'] as const),
  ...(['done=', 'done=1', 'done=0', 'done=day'] as const),
] as const

export type ReadingOption = (typeof readings)[number] | 'far=ok'
export type ReadingOptionName = 'sep' | 'decimal' | 'dates' | 'match' | 'empty' | 'overwrite' | 'done'

export const optionValue = (reading: ReadingOption): string => reading.slice(reading.indexOf('=') + 1)
export const optionName = (reading: ReadingOption): string => reading.slice(0, reading.indexOf('='))

export const readingsOf = (name: ReadingOptionName): readonly (typeof readings)[number][] =>
  readings.filter((reading) => optionName(reading) === name)

/** Something that only a person knows. */
export interface Question {
  readonly fault: Pick<SheetProblem, 'column' | 'value'> & { readonly row: number }
  readonly answers: readonly ReadingOption[]
}

type Doubtful = Pick<SheetProblem, 'column' | 'value' | 'allowed'> & { readonly row: number }

/** What the farm asks, each once: an answer holds for the whole sheet. */
export function questionsIn(faults: readonly Doubtful[]): readonly Question[] {
  const questions = new Map<string, Question>()
  for (const fault of faults) {
    const answers = answersIn(fault.allowed ?? [])
    const [first] = answers
    if (first !== undefined && !questions.has(optionName(first))) questions.set(optionName(first), { fault, answers })
  }
  return [...questions.values()]
}

export const answersIn = (allowed: readonly string[]): readonly ReadingOption[] =>
  [...readings, 'far=ok' as const].filter((reading) => allowed.includes(reading))

/** What is said behind that is for scripts. */
const advice = /[;:] (?:say|rename it|for several of its parts|use the name)\b.*$| \(the property .*$/s

export const withoutAdvice = (message: string): string => message.replace(advice, '')
