import { batchBody, type ClientBatchOperation } from '../../src/client/requests.ts'
import type { Entry } from '../store/outbox-entry.ts'
import { type RecordFields, typeOnTheWire } from '../store/record.ts'
import { withParameter } from './list-pages.ts'
import { jsonHeaders, type RequestOptions } from './request.ts'

interface WireRequest {
  readonly path: string
  readonly options: RequestOptions
}

/** Author of entries that another account sends. */
export interface EntryAuthor {
  readonly uid: string
}

/** Request for a single entry. */
export function requestOf(entry: Entry, author: EntryAuthor | null): WireRequest {
  const { method, key, tag } = entry
  const named = { 'idempotency-key': key }
  if (method === 'RESTORE')
    return { path: `/trash/${entry.record}/restore`, options: { method: 'POST', headers: named } }
  const headers = { ...named, ...(tag === null ? {} : { 'if-match': tag }) }
  if (method === 'DELETE') return { path: pathOf(entry), options: { method, headers } }
  const body = JSON.stringify(bodyOf(entry, author))
  return {
    path: `${pathOf(entry)}?with=${withParameter[entry.type]}&files=link`,
    options: { method, headers: { ...jsonHeaders, ...headers }, body },
  }
}

/** Atomic batch for a set. */
export function batchOf(set: string, entries: readonly Entry[], author: EntryAuthor | null): WireRequest {
  const body = batchBody(operationsOf(entries, author), set)
  return { path: '/batch', options: { method: 'POST', headers: jsonHeaders, body } }
}

export const operationsOf = (entries: readonly Entry[], author: EntryAuthor | null): ClientBatchOperation[] =>
  entries.map((entry) => ({
    method: entry.method,
    path: pathOf(entry),
    ...(entry.method === 'DELETE' ? {} : { body: bodyOf(entry, author) }),
    ...(entry.tag === null || entry.method === 'POST' ? {} : { if_match: entry.tag }),
  }))

function pathOf({ method, type, record }: Entry): string {
  const collection = `/${typeOnTheWire[type]}`
  return method === 'POST' ? collection : `${collection}/${record}`
}

function bodyOf({ method, type, record, bundle, body, at }: Entry, author: EntryAuthor | null): RecordFields {
  if (method !== 'POST') return body
  const kind = type === 'term' ? { vocabulary: bundle } : { type: bundle }
  const writer = author === null ? {} : { uid: author.uid, created: at }
  return { uuid: record, ...kind, ...body, ...writer }
}
