import type { FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Identified } from '../../access/credentials.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { type Matches, searchFor } from '../../records/find.ts'
import { lastPageOf } from '../../records/paging.ts'
import { read } from '../../records/read.ts'
import { noSuchRecord } from '../../records/update.ts'
import type { Reading } from '../../storage/database.ts'
import { requireEdition } from '../../storage/edition.ts'
import { type FarmState, farmState, nextDue, wordOf } from '../../storage/farm-state.ts'
import { revisionsByIds, termNames } from '../../storage/records/record-rows.ts'
import type { ReadyAnswer } from '../http/answers/ready-answer.ts'
import type { LastingAnswer } from '../http/answers/response-cache.ts'
import { isKnown, tagOfList, tagOfRecord } from '../http/answers/versions.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { type Format, formatOfRead } from '../http/negotiation.ts'
import { readQuery } from '../http/query.ts'
import { answerWith, answerWithList, itemIn } from './answer.ts'
import type { Collection } from './collection.ts'
import { filtersIn } from './intake/filters.ts'
import { sortingIn } from './intake/sorting.ts'
import { linksOf, pagingIn } from './paging.ts'
import { recordIdIn } from './record-id.ts'
import { referenceTo } from './spelling.ts'
import type { Viewing } from './viewing.ts'
import { extrasOf, extrasOfOne, filtersOf, isFull, sortingOf } from './wishes.ts'

/** A page of a list. */
export async function list(collection: Collection, request: FastifyRequest): Promise<LastingAnswer> {
  const { house, type } = collection
  const caller = await callerOf(request, house)
  requireRight(caller, 'read-records')
  const entries = readQuery(request.url)
  const paging = pagingIn(entries)
  const recordType = house.farm.records[type]
  const sorting = sortingIn(recordType, sortingOf(entries))
  const extras = extrasOf(house.farm.records[type], entries, 'link')
  const isWhole = isFull(entries)
  const base = baseAddressOf(request, house)
  const format = formatOfRead(request)
  const now = house.clock()
  const { still, page } = await house.database.read(async (rows) => {
    const filters = filtersIn(house, recordType, filtersOf(entries))
    const search = searchFor(house, caller, { type, filters, sorting, ...paging })
    const still = await stillOf(collection, rows, { now, format })
    if (isKnown(request, still.tagOfList)) return { still, page: null }
    const found = await recalled(collection, request.url, { state: still.state, search: () => search(rows, now) })
    const last = lastPageOf(found.count, paging)
    const viewing = { type, base, extras }
    const list = isWhole
      ? await collection.documents.listed(rows, found.ids, { viewing, now, state: still.state, format })
      : await referencesTo(rows, found.ids, { viewing, format })
    return { still, page: { last, list } }
  })
  if (page === null) return notModified(still.tagOfList, until(caller, still))
  const links = linksOf(request, base, { ...paging, last: page.last })
  const answer = answerWithList(format, { links, list: page.list })
  return lasting(answer, still.tagOfList, until(caller, still))
}

interface Search {
  readonly state: FarmState
  readonly search: () => Promise<Matches>
}

/** The same address finds the same for as long as the farm is in the same state. */
async function recalled({ findings }: Collection, address: string, { state, search }: Search): Promise<Matches> {
  const word = wordOf(state)
  const known = findings.knownIn(word).get(address)
  if (known !== undefined) return known
  const found = await search()
  findings.keep(word, address, { value: found, weight: found.ids.length + address.length })
  return found
}

/** One record. */
export async function show(collection: Collection, request: FastifyRequest): Promise<LastingAnswer> {
  const { house, type } = collection
  const caller = await callerOf(request, house)
  const id = recordIdIn(request)
  const extras = extrasOfOne(house.farm.records[type], readQuery(request.url))
  const base = baseAddressOf(request, house)
  const format = formatOfRead(request)
  const { tag, still, json } = await read(house, caller, {
    id,
    async view(rows, ids, now) {
      // Asked together, they are answered together.
      const asked = [revisionsByIds(rows, type, ids), stillOf(collection, rows, { now, format })] as const
      const [revisions, still] = await Promise.all(asked)
      const revision = revisions.get(id)
      if (revision === undefined) throw noSuchRecord(type, id)
      const tag = still.tagOfRecord(revision)
      if (isKnown(request, tag)) return { tag, still, json: null }
      const moment = { viewing: { type, base, extras }, now, state: still.state, format: 'json' as const }
      const [json = null] = await collection.documents.listed(rows, ids, moment)
      return { tag, still, json }
    },
  })
  if (json === null) return notModified(tag, until(caller, still))
  return lasting(answerWith(format, { root: resourceNames[type], json }), tag, until(caller, still))
}

/** What tells whether an answer still holds: the tags of this state of the farm, and when it changes by itself. */
interface Still {
  readonly state: FarmState
  readonly tagOfList: string
  readonly tagOfRecord: (revision: number) => string
  readonly due: number
}

async function stillOf(
  { house, type }: Collection,
  rows: Reading,
  { now, format }: { readonly now: number; readonly format: Format },
): Promise<Still> {
  const [state, due] = await Promise.all([farmState(rows, type, now), nextDue(rows, type, now)])
  requireEdition(house, state.edition)
  const version = { state, catalogue: house.catalogue, format }
  return {
    state,
    tagOfList: tagOfList(version),
    tagOfRecord: (revision) => tagOfRecord(revision, version),
    due,
  }
}

const until = ({ expires = 0 }: Identified, { due }: Still): number => Math.min(expires, due)

const lasting = (answer: ReadyAnswer, etag: string, until: number): LastingAnswer => ({
  ...answer,
  headers: { ...answer.headers, etag },
  until,
})

const notModified = (etag: string, until: number): LastingAnswer => ({
  status: 304,
  headers: { etag },
  body: '',
  until,
})

async function referencesTo(
  rows: Reading,
  ids: readonly number[],
  { viewing: { type, base }, format }: { readonly viewing: Viewing; readonly format: Format },
): Promise<readonly Buffer[]> {
  const names = type === 'term' ? await termNames(rows, ids) : new Map<number, string>()
  const speller = { base, nameOf: (term: number) => names.get(term) ?? '' }
  const form = { format, item: resourceNames[type] }
  return ids.map((id) => itemIn(form, Buffer.from(JSON.stringify(referenceTo(speller, type, id)))))
}
