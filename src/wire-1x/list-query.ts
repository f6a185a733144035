import type { Farm, RecordType, RecordTypeName } from '../farm/farm.ts'
import { hasComputed, shownOnRequest } from '../farm/fields-of.ts'
import { olderFarm } from '../farm/older-farm.ts'
import { allOlderFields, type OlderField, partlyHidden } from '../farm/older-fields.ts'
import { identityWords, queryWords } from '../farm/query-words.ts'
import { wholeNumber } from '../fields/scalars.ts'
import type { QueryEntry } from '../formats/query-string.ts'
import { asOfIsForReading, asOfTakesNoBrackets, pastSecond } from '../records/finding/as-of.ts'
import { columnOf } from '../records/finding/conditions.ts'
import { badQuery, isFilterable, isSortable } from '../records/finding/filter.ts'
import type { RecordSortKey } from '../records/finding/find.ts'
import type { Snapshot } from '../storage/database.ts'
import { atPresent, type PointInTime } from '../storage/history/point-in-time.ts'
import { presentBundles } from '../storage/records/all-records.ts'
import { filteredIn, namedIn } from './filters.ts'
import { parameter } from './paging.ts'

/** What a reader wants beside the records themselves. */
export interface Extras {
  /** Computed fields that are shown only on request, and what a record is known by elsewhere. */
  readonly with: readonly string[]
  readonly files: 'inline' | 'link'
}

/** What is left of a query when the words about the list itself are taken out: its filters. */
export const filtersOf = (entries: readonly QueryEntry[]): readonly QueryEntry[] =>
  entries.filter((entry) => {
    const isBare = entry.brackets.length === 0
    if (isBare && entry.name === 'files') return !isFileForm(entry) && isFileId(entry)
    return !(isBare && queryWords.includes(entry.name))
  })

function isFileId({ value }: QueryEntry): boolean {
  if (/^\d*$/.test(value)) return true
  throw badQuery('files', `must be inline or link, or the id of a file, not ${JSON.stringify(value)}`, fileForms)
}

const fileForms = ['inline', 'link'] as const

/** `files` is a field as well: only these two words ask for a form. */
const isFileForm = (entry: QueryEntry): boolean =>
  entry.name === 'files' && entry.brackets.length === 0 && (fileForms as readonly string[]).includes(entry.value)

export function extrasOf(type: RecordType, entries: readonly QueryEntry[], usualFiles: Extras['files']): Extras {
  const asked = parameter(entries.filter(isFileForm), 'files')
  return { with: withOf(type, entries), files: fileForms.find((form) => form === asked) ?? usualFiles }
}

/** Of one record no field is asked for, so that `files` can mean nothing else. */
export function extrasOfOne(type: RecordType, entries: readonly QueryEntry[]): Extras {
  const files = parameter(entries, 'files')
  if (files !== undefined && !entries.some(isFileForm)) throw badQuery('files', 'must be inline or link', fileForms)
  return extrasOf(type, entries, 'inline')
}

function withOf(type: RecordType, entries: readonly QueryEntry[]): readonly string[] {
  const asked = parameter(entries, 'with')
  if (asked === undefined || asked === '') return []
  const onRequest = [...shownOnRequest(type), ...identityWords]
  const names = asked.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !onRequest.includes(name))
  if (unknown !== undefined)
    throw badQuery('with', `${type.name} has no ${JSON.stringify(unknown)} to show on request`, onRequest)
  return names
}

export function sortingOf(entries: readonly QueryEntry[]): SortQuery {
  const direction = (parameter(entries, 'direction') ?? 'asc').toLowerCase()
  if (direction !== 'asc' && direction !== 'desc') throw badQuery('direction', 'must be ASC or DESC', ['ASC', 'DESC'])
  return { sort: parameter(entries, 'sort'), direction }
}

export function isFull(entries: readonly QueryEntry[]): boolean {
  const full = parameter(entries, 'full')
  if (full !== undefined && full !== '0' && full !== '1') throw badQuery('full', 'must be 0 or 1', ['0', '1'])
  return full !== '0'
}

/** What a query wants a list to be sorted by. */
interface SortQuery {
  readonly sort: string | undefined
  readonly direction: 'asc' | 'desc'
}

export function sortingIn(type: RecordType, { sort, direction }: SortQuery): RecordSortKey {
  if (sort === undefined) return { path: undefined, direction }
  const known = allOlderFields(type)
  const field = known.get(namedIn(type, sort))
  if (field !== undefined && canSortBy(type, field)) {
    const { own, choice } = field
    const hidden = partlyHidden(type).has(own) ? { partlyHidden: true as const } : {}
    return { path: own, direction, ...(choice === undefined ? {} : { yes: choice.asYesNo.yes }), ...hidden }
  }
  const names = [...known].flatMap(([name, one]) => (canSortBy(type, one) ? [name] : []))
  throw badQuery('sort', `cannot sort by ${JSON.stringify(sort)}`, names)
}

const canSortBy = ({ name }: RecordType, { own, field }: OlderField): boolean =>
  columnOf(name, own) !== undefined || isSortable(field)

interface TypeQuery {
  readonly type: RecordTypeName
  readonly entries: readonly QueryEntry[]
}

/**
 * The type as a query for a list is read. What only the newer generation has can be asked for from its first record on, and whether there
 * is one matters only to who names a field that nothing else has.
 */
export async function queriedType(snapshot: Snapshot, farm: Farm, { type, entries }: TypeQuery): Promise<RecordType> {
  const always = olderFarm(farm).records[type]
  const fields = allOlderFields(always)
  const filtered = filtersOf(entries).map(({ name }) => fields.get(filteredIn(always, name)))
  const sorted = sortsOf(entries).map((name) => fields.get(namedIn(always, name)))
  const isUsual =
    filtered.every((one) => one !== undefined && isFilterable(one.field)) &&
    sorted.every((one) => one !== undefined && canSortBy(always, one))
  if (isUsual) return farm.records[type]
  return olderFarm(farm, await presentBundles(snapshot)).records[type]
}

function sortsOf(entries: readonly QueryEntry[]): readonly string[] {
  const { sort } = sortingOf(entries)
  return sort === undefined ? [] : [sort]
}

/** The time that a read is about: now, or the second of the past that `as_of` names. */
export function queriedTime(type: RecordType, entries: readonly QueryEntry[], now: number): PointInTime {
  if (!hasComputed(type)) refuseAsOf(entries)
  if (!entries.some(isAsOf)) return atPresent(now)
  const given = parameter(entries, 'as_of')
  if (given === undefined) throw asOfTakesNoBrackets()
  return pastSecond({ given, second: wholeNumber(given) }, now)
}

export function refuseAsOf(entries: readonly QueryEntry[]): void {
  if (entries.some(isAsOf)) throw asOfIsForReading()
}

const isAsOf = ({ name }: QueryEntry): boolean => name === 'as_of'
