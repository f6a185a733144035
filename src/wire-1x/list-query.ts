import type { Farm, RecordType, RecordTypeName } from '../farm/farm.ts'
import {
  allOlderFields,
  hasComputed,
  type OlderField,
  olderFarm,
  partlyHidden,
  shownOnRequest,
} from '../farm/fields-of.ts'
import { identityWords, queryWords } from '../farm/query-words.ts'
import { wholeNumber } from '../fields/scalars.ts'
import type { QueryEntry } from '../formats/query-string.ts'
import { asOfIsForReading, asOfTakesNoBrackets, pastSecond } from '../records/finding/as-of.ts'
import { columnOf } from '../records/finding/conditions.ts'
import { badQuery, isFilterable, isSortable } from '../records/finding/filter.ts'
import type { RecordSortKey } from '../records/finding/find.ts'
import { lastPageOf, type PageRequest, perPage } from '../records/finding/paging.ts'
import type { Snapshot } from '../storage/database.ts'
import { atPresent, type PointInTime } from '../storage/farm-state.ts'
import { presentBundles } from '../storage/records/record-lookup.ts'
import { filteredIn, namedIn } from './filters.ts'
import type { ListLinks } from './spelling.ts'

/** Options of a reader beside the records. */
export interface Extras {
  /** Computed fields that are shown only on request, and what a record is known by elsewhere. */
  readonly with: readonly string[]
  readonly files: 'inline' | 'link'
}

/** The filters of a query: all but the parameters of the list. */
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

/** A single record has no filters, so `files` is unambiguous. */
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

/** The time of a read: now, or the second in `as_of`. */
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

/** Clients append these to an address that has them already: the last counts. */
const lastCounts: readonly string[] = ['page', 'limit', 'sort', 'direction']

/** The value of a parameter; one with brackets is somebody else's. */
export function parameter(entries: readonly QueryEntry[], name: string): string | undefined {
  const given = entries.filter((entry) => entry.name === name && entry.brackets.length === 0)
  if (given.length > 1 && !lastCounts.includes(name)) throw badQuery(name, 'is given twice; give it once')
  return given.at(-1)?.value
}

export function pagingIn(entries: readonly QueryEntry[]): PageRequest {
  return {
    page: numberAsked(entries, 'page', anyNumber) ?? 0,
    limit: numberAsked(entries, 'limit', { least: 1, most: perPage.most }) ?? perPage.usual,
  }
}

interface NumberBounds {
  readonly least: number
  readonly most: number
}

export const anyNumber: NumberBounds = { least: 0, most: Number.MAX_SAFE_INTEGER }

/** A parameter that is a whole number; undefined where it is not given. */
export function numberAsked(
  entries: readonly QueryEntry[],
  name: string,
  { least, most }: NumberBounds,
): number | undefined {
  const given = parameter(entries, name)
  if (given === undefined) return undefined
  const number = wholeNumber(given)
  if (number !== undefined && number >= least && number <= most) return number
  const upTo = most === Number.MAX_SAFE_INTEGER ? 'up' : `to ${most}`
  throw badQuery(name, `must be a whole number from ${least} ${upTo}, not ${JSON.stringify(given)}`)
}

/** The links of a page, which repeat the caller's own query and each name their page. */
export function linksOf(
  { url }: { readonly url: string },
  base: string,
  { page, last }: { readonly page: number; readonly last: number },
): ListLinks {
  const [path = '', query = ''] = url.split('?', 2)
  const address = base + path.replace(/\/$/, '').replace(/\.(json|xml)$/, '')
  const segments = query.split('&').filter((segment) => segment !== '' && !/^page(=|$)/.test(segment))
  const others = segments.map((segment) => `${segment}&`).join('')
  const link = (number: number) => `${address}?${others}page=${number}`
  return {
    self: link(page),
    first: link(0),
    last: link(last),
    ...(page > 0 ? { prev: link(page - 1) } : {}),
    ...(page < last ? { next: link(page + 1) } : {}),
  }
}

/** One page of a list that is short enough to be at hand as a whole. */
export function pageOf<T>(
  items: readonly T[],
  paging: PageRequest,
): { readonly last: number; readonly list: readonly T[] } {
  const { page, limit } = paging
  return { last: lastPageOf(items.length, paging), list: items.slice(page * limit, (page + 1) * limit) }
}

/** Refuses what is asked beside these. */
export function refuseOthers(entries: readonly QueryEntry[], names: readonly string[]): void {
  const other = entries.find(({ name, brackets }) => brackets.length > 0 || !names.includes(name))
  if (other !== undefined) throw badQuery(other.name, 'is not known here', names)
}
