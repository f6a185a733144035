import type { Entry } from '../store/entry.ts'
import { typeOnTheWire } from '../store/row.ts'
import type { Fields } from '../store/types.ts'
import type { AskOptions } from './ask.ts'
import { shownWith } from './shown-with.ts'
import { json } from './tell.ts'

export interface WireRequest {
  readonly path: string
  readonly options: AskOptions
}

/** In whose name something is recorded that somebody else sends. */
export interface Author {
  readonly uid: string
}

/** One entry by itself. */
export function requestOf(entry: Entry, author: Author | null): WireRequest {
  const { method, key, tag } = entry
  const named = { 'idempotency-key': key }
  if (method === 'RESTORE')
    return { path: `/trash/${entry.record}/restore`, options: { method: 'POST', headers: named } }
  const headers = { ...named, ...(tag === null ? {} : { 'if-match': tag }) }
  if (method === 'DELETE') return { path: pathOf(entry), options: { method, headers } }
  const body = JSON.stringify(bodyOf(entry, author))
  return {
    path: `${pathOf(entry)}?with=${shownWith[entry.type]}&files=link`,
    options: { method, headers: { ...json, ...headers }, body },
  }
}

/** What belongs together, all of it or nothing. */
export function batchOf(set: string, entries: readonly Entry[], author: Author | null): WireRequest {
  const body = JSON.stringify({ uuid: set, ...operationsOf(entries, author) })
  return { path: '/batch', options: { method: 'POST', headers: json, body } }
}

export function operationsOf(entries: readonly Entry[], author: Author | null): { readonly operations: object[] } {
  return {
    operations: entries.map((entry) => ({
      method: entry.method,
      path: pathOf(entry),
      ...(entry.method === 'DELETE' ? {} : { body: bodyOf(entry, author) }),
      ...(entry.tag === null || entry.method === 'POST' ? {} : { if_match: entry.tag }),
    })),
  }
}

function pathOf({ method, type, record }: Entry): string {
  const collection = `/${typeOnTheWire[type]}`
  return method === 'POST' ? collection : `${collection}/${record}`
}

function bodyOf({ method, type, record, bundle, body, at }: Entry, author: Author | null): Fields {
  if (method !== 'POST') return body
  const kind = type === 'term' ? { vocabulary: bundle } : { type: bundle }
  const writer = author === null ? {} : { uid: author.uid, created: at }
  return { uuid: record, ...kind, ...body, ...writer }
}
