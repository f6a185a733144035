import type { FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { readQuery } from '../../formats/query-string.ts'
import { type MatchPage, read, searchFor } from '../../records/finding/find.ts'
import { lastPageOf } from '../../records/finding/paging.ts'
import { movesEverySecond } from '../../records/record-index.ts'
import type { Records } from '../../records/records.ts'
import { noSuchRecord } from '../../records/writing/update.ts'
import type { Snapshot } from '../../storage/database.ts'
import {
  type FarmState,
  farmMoment,
  isPresent,
  type PointInTime,
  requireEdition,
  wordOf,
} from '../../storage/farm-state.ts'
import { revisionsByIds, termNames } from '../../storage/records/record-rows.ts'
import type { SnapshotCache } from '../../storage/snapshot-cache.ts'
import type { DocumentCache } from '../../wire-1x/document-cache.ts'
import {
  type Extras,
  extrasOf,
  extrasOfOne,
  isFull,
  linksOf,
  pagingIn,
  queriedTime,
  queriedType,
  sortingIn,
  sortingOf,
} from '../../wire-1x/list-query.ts'
import type { RecordView } from '../../wire-1x/record-documents.ts'
import { listFilters } from '../../wire-1x/report-figures.ts'
import { type AnswerFormat, itemIn, referenceTo } from '../../wire-1x/spelling.ts'
import { readBudgetOf } from '../http/answer-budget.ts'
import { callerOf } from '../http/caller.ts'
import { formatOfRead } from '../http/negotiation.ts'
import { baseAddressOf } from '../http/origin.ts'
import {
  answerWith,
  answerWithList,
  isNotModified,
  type ReadyAnswer,
  tagOfList,
  tagOfRecord,
} from '../http/record-answers.ts'
import { recordIdAt, requireRecordId } from '../http/record-path.ts'
import type { LastingAnswer } from '../http/response-cache.ts'

/** The records of one type, as this door reads and writes them. */
export interface Collection {
  readonly installation: Records
  readonly documents: DocumentCache
  /** Cached search results by address; those of the past stay valid when a log comes due. */
  readonly findings: Readonly<Record<'present' | 'past', SnapshotCache<string, MatchPage>>>
  readonly type: RecordTypeName
}

/** A page of a list. */
export async function list(collection: Collection, request: FastifyRequest): Promise<LastingAnswer> {
  const { installation, type } = collection
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  const entries = readQuery(request.url)
  const paging = pagingIn(entries)
  const recordType = installation.farm.records[type]
  const extras = extrasOf(recordType, entries, 'link')
  const isWhole = isFull(entries)
  const base = baseAddressOf(request, installation)
  const format = formatOfRead(request)
  const time = queriedTime(recordType, entries, installation.clock())
  const { validity, page } = await installation.database.read(
    async (snapshot) => {
      const asked = await queriedType(snapshot, installation.farm, { type, entries })
      const sorting = sortingIn(asked, sortingOf(entries))
      const filters = await listFilters(snapshot, installation, { known: asked, entries })
      const search = searchFor(installation, caller, { type, filters, sorting, ...paging })
      const validity = await validityOf(collection, snapshot, { time, format, extras })
      if (isNotModified(request, validity.tagOfList)) return { validity, page: null }
      const findings = collection.findings[isPresent(time) ? 'present' : 'past']
      const found = await recalled(findings, request.url, {
        state: validity.state,
        search: () => search(snapshot, time),
      })
      const last = lastPageOf(found.count, paging)
      const viewing = { type, base, extras }
      const list = isWhole
        ? await collection.documents.listed(snapshot, found.ids, { viewing, time, state: validity.shown, format })
        : await referencesTo(snapshot, found.ids, { viewing, format })
      return { validity, page: { last, list } }
    },
    readBudgetOf(request, installation),
  )
  if (page === null) return notModified(validity.tagOfList, lastingFor(caller, validity))
  const links = linksOf(request, base, { ...paging, last: page.last })
  const answer = answerWithList(format, { links, list: page.list })
  return lasting(answer, validity.tagOfList, lastingFor(caller, validity))
}

interface Search {
  readonly state: FarmState
  readonly search: () => Promise<MatchPage>
}

/** Cached by address while the version of the farm is the same. */
async function recalled(
  findings: SnapshotCache<string, MatchPage>,
  address: string,
  { state, search }: Search,
): Promise<MatchPage> {
  const word = wordOf(state)
  const known = findings.knownIn(word).get(address)
  if (known !== undefined) return known
  const found = await search()
  findings.keep(word, address, { value: found, weight: found.ids.length + address.length })
  return found
}

/** One record. */
export async function show(collection: Collection, request: FastifyRequest): Promise<LastingAnswer> {
  const { installation, type } = collection
  const caller = await callerOf(request, installation)
  requireRecordId(request)
  const entries = readQuery(request.url)
  const extras = extrasOfOne(installation.farm.records[type], entries)
  const base = baseAddressOf(request, installation)
  const format = formatOfRead(request)
  const { tag, validity, json } = await read(installation, caller, {
    id: (snapshot) => recordIdAt(request, type, snapshot),
    time: queriedTime(installation.farm.records[type], entries, installation.clock()),
    budget: readBudgetOf(request, installation),
    async view(snapshot, ids, time) {
      const [id = 0] = ids
      // Asked together, they are answered together.
      const asked = [
        revisionsByIds(snapshot, type, ids),
        validityOf(collection, snapshot, { time, format, extras }),
      ] as const
      const [revisions, validity] = await Promise.all(asked)
      const revision = revisions.get(id)
      if (revision === undefined) throw noSuchRecord(type, id)
      const tag = validity.tagOfRecord(revision)
      if (isNotModified(request, tag)) return { tag, validity, json: null }
      const viewing = { type, base, extras }
      const moment = { viewing, time, state: validity.shown, format: 'json' as const, revisions }
      const [json = null] = await collection.documents.listed(snapshot, ids, moment)
      return { tag, validity, json }
    },
  })
  if (json === null) return notModified(tag, lastingFor(caller, validity))
  return lasting(answerWith(format, { root: resourceNames[type], json }), tag, lastingFor(caller, validity))
}

/** The validity of an answer: ETags of this state, and the time at which it changes by itself. */
interface Validity {
  readonly state: FarmState
  /** The same, or of this second alone where something is shown that every second may change. */
  readonly shown: FarmState
  readonly tagOfList: string
  readonly tagOfRecord: (revision: number) => string
  readonly due: number
  /** The version of the database that was read. */
  readonly version: string
}

async function validityOf(
  { installation, type }: Collection,
  snapshot: Snapshot,
  { time, format, extras }: { readonly time: PointInTime; readonly format: AnswerFormat; readonly extras: Extras },
): Promise<Validity> {
  const { state, due: logDue, version: read } = await farmMoment(snapshot, type, time)
  const isOfSecond = isPresent(time) && movesEverySecond(installation.farm.records[type], extras.with)
  const shown = isOfSecond ? { ...state, changes: `${state.changes}-${time.second}` } : state
  const due = isOfSecond ? time.second + 1 : logDue
  requireEdition(installation, state.edition)
  const asOf = isPresent(time) ? undefined : time.second
  const version = { state: shown, catalogue: installation.catalogue, format, asOf }
  return {
    state,
    shown,
    tagOfList: tagOfList(version),
    tagOfRecord: (revision) => tagOfRecord(revision, version),
    due,
    version: read,
  }
}

type AnswerSpan = Pick<LastingAnswer, 'until' | 'version'>

const lastingFor = ({ expires = 0 }: IdentifiedCaller, { due, version }: Validity): AnswerSpan => ({
  until: Math.min(expires, due),
  version,
})

const lasting = (answer: ReadyAnswer, etag: string, span: AnswerSpan): LastingAnswer => ({
  ...answer,
  headers: { ...answer.headers, etag },
  ...span,
})

const notModified = (etag: string, span: AnswerSpan): LastingAnswer => ({
  status: 304,
  headers: { etag },
  body: '',
  ...span,
})

async function referencesTo(
  snapshot: Snapshot,
  ids: readonly number[],
  { viewing: { type, base }, format }: { readonly viewing: RecordView; readonly format: AnswerFormat },
): Promise<readonly Buffer[]> {
  const names = type === 'term' ? await termNames(snapshot, ids) : new Map<number, string>()
  const speller = { base, nameOf: (term: number) => names.get(term) ?? '' }
  const form = { format, item: resourceNames[type] }
  return ids.map((id) => itemIn(form, Buffer.from(JSON.stringify(referenceTo(speller, type, id)))))
}
