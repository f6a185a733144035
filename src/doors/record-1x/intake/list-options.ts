import type { RecordType } from '../../../farm/farm.ts'
import { shownOnRequest } from '../../../farm/fields-of.ts'
import { identityWords, queryWords } from '../../../farm/query-words.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { QueryEntry } from '../../http/query.ts'
import { parameter } from './paging.ts'
import type { AskedOrder } from './sorting.ts'

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

export function sortingOf(entries: readonly QueryEntry[]): AskedOrder {
  const direction = (parameter(entries, 'direction') ?? 'asc').toLowerCase()
  if (direction !== 'asc' && direction !== 'desc') throw badQuery('direction', 'must be ASC or DESC', ['ASC', 'DESC'])
  return { sort: parameter(entries, 'sort'), direction }
}

export function isFull(entries: readonly QueryEntry[]): boolean {
  const full = parameter(entries, 'full')
  if (full !== undefined && full !== '0' && full !== '1') throw badQuery('full', 'must be 0 or 1', ['0', '1'])
  return full !== '0'
}
