import { trimmedTextKey } from '../../fields/key.ts'
import { isTree, shown } from '../../fields/place.ts'
import { type DateOrder, dateOrders } from '../../formats/csv/dates.ts'
import { type DecimalSign, decimalSigns } from '../../formats/csv/decimals.ts'
import { type Separator, separatorNamed, separatorNames, separators } from '../../formats/csv/write-csv.ts'
import type { QueryEntry } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import { numberAsked, parameter } from '../../wire-1x/list-query.ts'

/** The column that identifies existing records. */
export type MatchKey = (typeof matchKeys)[number]
export const matchKeys = ['uuid', 'id', 'tag', 'name'] as const

/** New logs are all done, all planned, or done by date. */
export const doneWords = ['1', '0', 'day'] as const

/** Import options; each is optional. */
export interface SheetOptions {
  /** The bundle or vocabulary of all rows. */
  readonly bundle: string | undefined
  readonly headRow: number
  /** Field by header key; an empty field skips the column. */
  readonly map: ReadonlyMap<string, string>
  readonly match: MatchKey | undefined
  /** Treatment of a row whose record changed after the export. */
  readonly stale: 'refuse' | 'overwrite'
  readonly empty: 'leave' | 'clear'
  readonly onFault: 'refuse' | 'skip'
  readonly decimal: DecimalSign | undefined
  readonly dates: DateOrder | undefined
  readonly separator: Separator | undefined
  /** The repeated part that has one row per value, such as `quantity`. */
  readonly rows: string | undefined
  /** Status of new logs whose rows do not give one. */
  readonly done: (typeof doneWords)[number] | undefined
}

/** Query parameters of an import. `dry_run` is read elsewhere. */
const known = [
  ...['type', 'vocabulary', 'head_row', 'map', 'match', 'overwrite', 'empty', 'on_fault'],
  ...['decimal', 'dates', 'sep', 'rows', 'done', 'dry_run'],
]

const mostRowsBeforeHead = 1_000

/** Refuses unknown parameters: a typo would change what is written. */
export function sheetOptionsIn(entries: readonly QueryEntry[]): SheetOptions {
  const stranger = entries.find(
    ({ name, brackets }) => !known.includes(name) || (brackets.length > 0 && name !== 'map'),
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
    headRow: numberAsked(entries, 'head_row', { least: 1, most: mostRowsBeforeHead }) ?? 1,
    map: mapIn(entries),
    match: wordIn(entries, 'match', matchKeys),
    stale: wordIn(entries, 'overwrite', ['0', '1']) === '1' ? 'overwrite' : 'refuse',
    empty: wordIn(entries, 'empty', ['leave', 'clear']) ?? 'leave',
    onFault: wordIn(entries, 'on_fault', ['refuse', 'skip']) ?? 'refuse',
    decimal: wordIn(entries, 'decimal', decimalSigns),
    dates: wordIn(entries, 'dates', dateOrders),
    separator: found,
    rows: parameter(entries, 'rows'),
    done: wordIn(entries, 'done', doneWords),
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

/** `map[Header]=field`, or one JSON object. */
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
