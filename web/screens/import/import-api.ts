import type { MapImportDocument, SheetImportDocument } from '../../../src/doors/furrow/import-documents.ts'
import { areaBundle } from '../../../src/farm/bundle-names.ts'
import { type LocalRecordType, typeOnTheWire } from '../../store/record.ts'

/** Record type of each row. */
export interface RowType {
  readonly type: LocalRecordType
  readonly bundle: string
}

/** The user's choices about reading a sheet or a map. */
export interface ImportOptions {
  /** Sheet headers to fields, or map fields to properties. '' leaves out; undefined keeps the detected mapping. */
  readonly map: Readonly<Record<string, string | undefined>>
  /** Query parameters; empty ones are not sent. */
  readonly parameters: Readonly<Record<string, string>>
}

export function sheetAddress({ type, bundle }: RowType, { map, parameters }: ImportOptions): string {
  return `/${typeOnTheWire[type]}?${query({ type: bundle, ...parameters, map: JSON.stringify(map).replace(/^\{\}$/, '') })}`
}

export function mapAddress({ map, parameters }: ImportOptions): string {
  const pairs = Object.entries(map).flatMap(([field, property]) =>
    property === undefined ? [] : `${field}=${property}`,
  )
  return `/taxonomy_term?${query({ ...parameters, map: pairs.join() })}`
}

const query = (words: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams(Object.entries(words).filter(([name, value]) => value !== '' || /^(?:cell|value)\[/.test(name)))

export const templateAddress = ({ type, bundle }: RowType): string => `/sheets/${typeOnTheWire[type]}/${bundle}.xlsx`

/** Guesses the row type from a file name of our own export. */
export function rowTypeOfFile(file: string, all: readonly RowType[]): RowType | undefined {
  return all
    .filter(({ bundle }) => file.startsWith(bundle))
    .sort((one, other) => other.bundle.length - one.bundle.length)[0]
}

/** Address of the list that shows the imported records. */
export function recordsAddress({ type, bundle }: RowType): string {
  if (bundle === areaBundle) return '/records?of=areas'
  return `/records?of=${type}s&type=${bundle}`
}

/** Property names with "," or "=" cannot be spelled in the address. */
const nameable = /^[^,=]+$/

/** Property names at the beginning of a map file, as far as they can be found without parsing it. */
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

/** Outcome and faults of one row (docs/sheets.md). */
export type SheetRowResult = SheetImportDocument['rows'][number]
export type SheetProblem = NonNullable<SheetRowResult['faults']>[number]
export type ColumnMatch = SheetImportDocument['found']['columns'][number]

/** Counts by outcome; new logs also by done and planned. Empty after a refusal. */
export type RowCounts = Partial<SheetImportDocument['counts']>

/** Terms that the import would create. */
export type NewTerms = readonly { readonly name: string }[]

/** Answer about a sheet, imported or refused. */
export interface SheetAnswer extends Omit<SheetImportDocument, 'counts'> {
  readonly counts: RowCounts & { readonly faults?: number; readonly not_told?: number }
  readonly would_create?: NewTerms
}

/** Answer about a map (docs/maps.md). */
export interface MapAnswer extends MapImportDocument {
  readonly would_create?: NewTerms
}

export type FeatureResult = MapImportDocument['features'][number]
export type MapFault = NonNullable<FeatureResult['faults']>[number]

/** Reading options, as in the address. */
const readings = [
  ...(['sep=', 'sep=comma', 'sep=semicolon', 'sep=tab'] as const),
  ...(['decimal=', 'decimal=.', 'decimal=,'] as const),
  ...(['dates=', 'dates=dmy', 'dates=mdy', 'dates=ymd'] as const),
  ...(['match=', 'match=tag', 'match=name'] as const),
  ...(['empty=', 'empty=clear'] as const),
  ...(['overwrite=', 'overwrite=1'] as const),
  ...(['done=', 'done=1', 'done=0', 'done=day'] as const),
  ...(['perennial=all', 'perennial=none'] as const),
] as const

/** Options whose values the server offers. */
type OfferedOption = `${'year' | 'weighed' | 'left'}=${string}`
export type ReadingOption = (typeof readings)[number] | 'far=ok' | 'tracks=area' | 'tracks=line' | OfferedOption

/** Whether the value of an option is its own label. */
export const isOffered = (reading: string): reading is OfferedOption => /^(?:year|weighed|left)=./.test(reading)
export type ReadingOptionName = 'sep' | 'decimal' | 'dates' | 'match' | 'empty' | 'overwrite' | 'done'

export const optionValue = (reading: ReadingOption): string => reading.slice(reading.indexOf('=') + 1)
export const optionName = (reading: ReadingOption): string => reading.slice(0, reading.indexOf('='))

export const readingsOf = (name: ReadingOptionName): readonly (typeof readings)[number][] =>
  readings.filter((reading) => optionName(reading) === name)

/** A question only the user can answer. */
export interface Question {
  readonly fault: Pick<SheetProblem, 'column' | 'value'> & { readonly row: number }
  readonly answers: readonly ReadingOption[]
}

type Doubtful = Pick<SheetProblem, 'column' | 'value' | 'allowed'> & { readonly row: number }

/** Questions in the faults, each once: an answer applies to the whole sheet. */
export function questionsIn(faults: readonly Doubtful[]): readonly Question[] {
  const questions = new Map<string, Question>()
  for (const fault of faults) {
    const answers = answersIn(fault.allowed ?? [])
    const [first] = answers
    if (first !== undefined && !questions.has(optionName(first))) questions.set(optionName(first), { fault, answers })
  }
  return [...questions.values()]
}

export const answersIn = (allowed: readonly string[]): readonly ReadingOption[] => [
  ...[...readings, 'far=ok' as const, 'tracks=area' as const, 'tracks=line' as const].filter((reading) =>
    allowed.includes(reading),
  ),
  ...allowed.filter(isOffered),
]

/** Hints for scripts at the end of a message. */
const advice = /[;:] (?:say|rename it|for several of its parts|use the name)\b.*$| \(the property .*$/s

export const withoutAdvice = (message: string): string => message.replace(advice, '')
