import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { createIn } from '../../records/create.ts'
import { find } from '../../records/find.ts'
import { read, type View } from '../../records/read.ts'
import { removeIn } from '../../records/remove.ts'
import { noSuchRecord, updateIn } from '../../records/update.ts'
import type { Work } from '../../records/work.ts'
import { farmState } from '../../storage/farm-state.ts'
import { revisionsByIds, termNames } from '../../storage/records/record-rows.ts'
import type { Stored } from '../../storage/records/stored.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { readBody } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { formatOfRead } from '../http/negotiation.ts'
import { readQuery } from '../http/query.ts'
import { answerWith, answerWithList, type ReadyAnswer, sendOne } from './answer.ts'
import { Moment } from './moment.ts'
import { carryOut, type WriteAnswer } from './once.ts'
import { linksOf, pagingIn } from './paging.ts'
import type { RecordHouse } from './record-house.ts'
import { recordIdIn } from './record-id.ts'
import { plainReference, referenceTo } from './spelling.ts'
import { freshTemplates, Templates } from './templates.ts'
import { isKnown, revisionsSeen, tagOfList, tagOfRecord, wordFor } from './versions.ts'
import { textsOf } from './viewing.ts'
import { extrasOf, filtersOf, isFull, sortingOf } from './wishes.ts'

/** The same few routes for logs, assets and terms (spec 4). */
export function recordRoutes(app: FastifyInstance, house: RecordHouse): void {
  const templates = new Templates(house)
  const moment = new Moment(house)
  const catalogue = wordFor(house.farm)
  for (const type of recordTypeNames) {
    const ground = { house, templates, catalogue, type }
    for (const path of [`/${type}`, `/${type}.json`, `/${type}.xml`]) {
      app.get(path, (request, reply) => moment.answer(request, reply, () => list(ground, request)))
      app.post(path, (request, reply) => make(ground, request, reply))
    }
    app.get(`/${type}/:id`, (request, reply) => moment.answer(request, reply, () => show(ground, request)))
    app.put(`/${type}/:id`, (request, reply) => change(ground, request, reply))
    app.post(`/${type}/:id`, (request, reply) => change(ground, request, reply))
    app.delete(`/${type}/:id`, (request, reply) => drop(ground, request, reply))
  }
}

interface Ground {
  readonly house: RecordHouse
  readonly templates: Templates
  /** A word for the catalogue. */
  readonly catalogue: string
  readonly type: RecordTypeName
}

type Answering = (ground: Ground, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

async function list(ground: Ground, request: FastifyRequest): Promise<ReadyAnswer> {
  const { house, type, catalogue } = ground
  const caller = await callerOf(request, house)
  requireRight(caller, 'read-records')
  if (request.headers['if-none-match'] !== undefined) {
    const state = await house.database.read((rows) => farmState(rows, type, house.clock()))
    if (isKnown(request, tagOfList(catalogue, state))) return notModified(tagOfList(catalogue, state))
  }
  const entries = readQuery(request.url)
  const paging = pagingIn(entries)
  const query = { type, filters: filtersOf(entries), sorting: sortingOf(entries), ...paging }
  const extras = extrasOf(house.farm.records[type], entries, 'link')
  const base = baseAddressOf(request, house)
  const texts: View<readonly string[]> = isFull(entries)
    ? async (rows, ids, now) => {
        const shown = await textsOf(rows, ids, { ...ground, viewing: { type, base, extras }, now })
        return shown.map(({ text }) => text)
      }
    : referenceView(base, type)
  const { last, shown } = await find(house, caller, {
    query,
    view: async (rows, ids, now) => ({ list: await texts(rows, ids, now), state: await farmState(rows, type, now) }),
  })
  const links = linksOf(request, base, { ...paging, last })
  const answer = answerWithList(formatOfRead(request), { links, item: type, list: shown.list })
  return tagged(answer, tagOfList(catalogue, shown.state))
}

async function show(ground: Ground, request: FastifyRequest): Promise<ReadyAnswer> {
  const { house, type, catalogue } = ground
  const caller = await callerOf(request, house)
  const id = recordIdIn(request)
  const extras = extrasOf(house.farm.records[type], readQuery(request.url), 'inline')
  const base = baseAddressOf(request, house)
  const { tag, json } = await read(house, caller, {
    id,
    async view(rows, ids, now) {
      const revision = (await revisionsByIds(rows, type, ids)).get(id)
      if (revision === undefined) throw noSuchRecord(type, id)
      const tag = tagOfRecord(revision, catalogue, await farmState(rows, type, now))
      if (isKnown(request, tag)) return { tag, json: null }
      const [shown] = await textsOf(rows, ids, { ...ground, viewing: { type, base, extras }, now })
      return { tag, json: shown?.text ?? null }
    },
  })
  return json === null ? notModified(tag) : tagged(answerWith(formatOfRead(request), { root: type, json }), tag)
}

const tagged = (answer: ReadyAnswer, etag: string): ReadyAnswer => ({ ...answer, headers: { ...answer.headers, etag } })

const notModified = (etag: string): ReadyAnswer => ({ status: 304, headers: { etag }, body: '' })

const make: Answering = async (ground, request, reply) => {
  const { house, type } = ground
  const caller = await callerOf(request, house)
  requireRight(caller, 'write-records')
  const body = readBody(request)
  const json = await carryOut(house, { request, reply, caller }, async (rows) => {
    const record = await createIn({ keeping: house, rows, caller }, { type, body })
    const answer = await written(ground, request, { work: { keeping: house, rows, caller }, record })
    const { uri, resource } = plainReference(baseAddressOf(request, house), type, record.id)
    return {
      status: 201,
      headers: { ...answer.headers, location: uri },
      json: `${answer.json.slice(0, -1)},"uri":${JSON.stringify(uri)},"resource":"${resource}"}`,
    }
  })
  return sendOne(request, reply, { root: type, json })
}

const change: Answering = async (ground, request, reply) => {
  const { house, type } = ground
  const caller = await callerOf(request, house)
  requireRight(caller, 'write-records')
  const wanted = { type, id: recordIdIn(request), body: readBody(request), ...seenBy(request) }
  const json = await carryOut(house, { request, reply, caller }, async (rows) => {
    const work = { keeping: house, rows, caller }
    return written(ground, request, { work, record: await updateIn(work, wanted) })
  })
  return sendOne(request, reply, { root: type, json })
}

const drop: Answering = async (ground, request, reply) => {
  const { house, type } = ground
  const caller = await callerOf(request, house)
  const wanted = { type, id: recordIdIn(request), ...seenBy(request) }
  await house.database.write((rows) => removeIn({ keeping: house, rows, caller }, wanted))
  return sendOne(request, reply, { root: 'list', json: '[]' })
}

function seenBy(request: FastifyRequest): { readonly seen?: readonly number[] } {
  const seen = revisionsSeen(request)
  return seen === undefined ? {} : { seen }
}

/** A write answers with the record in the usual form of a read, as it stands at the end of the transaction. */
async function written(
  { house, catalogue, type }: Ground,
  request: FastifyRequest,
  { work, record }: { readonly work: Work; readonly record: Stored },
): Promise<WriteAnswer> {
  const now = house.clock()
  const viewing = { type, base: baseAddressOf(request, house), extras: { with: [], files: 'inline' } } as const
  const templates = freshTemplates(house, record)
  const [shown] = await textsOf(work.rows, [record.id], { house, templates, viewing, now })
  const tag = tagOfRecord(record.revision, catalogue, await farmState(work.rows, type, now))
  return { status: 200, headers: { etag: tag }, json: shown?.text ?? '' }
}

const referenceView =
  (base: string, type: RecordTypeName): View<readonly string[]> =>
  async (rows, ids) => {
    const names = type === 'taxonomy_term' ? await termNames(rows, ids) : new Map<number, string>()
    const speller = { base, nameOf: (term: number) => names.get(term) ?? '' }
    return ids.map((id) => JSON.stringify(referenceTo(speller, type, id)))
  }
