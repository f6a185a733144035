import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { create } from '../../records/create.ts'
import { find } from '../../records/find.ts'
import { read, type View } from '../../records/read.ts'
import { remove } from '../../records/remove.ts'
import { noSuchRecord, update } from '../../records/update.ts'
import { termNames } from '../../storage/records/record-rows.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { readBody } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { readQuery } from '../http/query.ts'
import { sendList, sendOne } from './answer.ts'
import { linksOf, pagingIn } from './paging.ts'
import type { RecordHouse } from './record-house.ts'
import { recordIdIn } from './record-id.ts'
import { plainReference, referenceTo } from './spelling.ts'
import { Templates } from './templates.ts'
import { textsOf } from './viewing.ts'
import { type Extras, extrasOf, filtersOf, isFull, sortingOf } from './wishes.ts'

/** The same few routes for logs, assets and terms (spec 4). */
export function recordRoutes(app: FastifyInstance, house: RecordHouse): void {
  const templates = new Templates(house)
  for (const type of recordTypeNames) {
    const ground = { house, templates, type }
    for (const path of [`/${type}`, `/${type}.json`, `/${type}.xml`]) {
      app.get(path, (request, reply) => list(ground, request, reply))
      app.post(path, (request, reply) => make(ground, request, reply))
    }
    app.get(`/${type}/:id`, (request, reply) => show(ground, request, reply))
    app.put(`/${type}/:id`, (request, reply) => change(ground, request, reply))
    app.post(`/${type}/:id`, (request, reply) => change(ground, request, reply))
    app.delete(`/${type}/:id`, async (request, reply) => {
      const caller = await callerOf(request, house)
      await remove(house, caller, { type, id: recordIdIn(request) })
      return sendOne(request, reply, { root: 'list', json: '[]' })
    })
  }
}

interface Ground {
  readonly house: RecordHouse
  readonly templates: Templates
  readonly type: RecordTypeName
}

type Answering = (ground: Ground, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const list: Answering = async (ground, request, reply) => {
  const { house, type } = ground
  const caller = await callerOf(request, house)
  const entries = readQuery(request.url)
  const paging = pagingIn(entries)
  const query = { type, filters: filtersOf(entries), sorting: sortingOf(entries), ...paging }
  const extras = extrasOf(house.farm.records[type], entries, 'link')
  const base = baseAddressOf(request, house)
  const view = isFull(entries) ? textView(ground, request, extras) : referenceView(base, type)
  const { last, shown } = await find(house, caller, { query, view })
  return sendList(request, reply, { links: linksOf(request, base, { ...paging, last }), item: type, list: shown })
}

const show: Answering = async (ground, request, reply) => {
  const caller = await callerOf(request, ground.house)
  const extras = extrasOf(ground.house.farm.records[ground.type], readQuery(request.url), 'inline')
  const json = await textOfOne(ground, request, { caller, id: recordIdIn(request), extras })
  return sendOne(request, reply, { root: ground.type, json })
}

const make: Answering = async (ground, request, reply) => {
  const { house, type } = ground
  const caller = await callerOf(request, house)
  const { id } = await create(house, caller, { type, body: readBody(request) })
  const text = await textOfOne(ground, request, { caller, id, extras: afterWriting })
  const { uri, resource } = plainReference(baseAddressOf(request, house), type, id)
  const json = `${text.slice(0, -1)},"uri":${JSON.stringify(uri)},"resource":"${resource}"}`
  return sendOne(request, reply.code(201).header('location', uri), { root: type, json })
}

const change: Answering = async (ground, request, reply) => {
  const { house, type } = ground
  const caller = await callerOf(request, house)
  const { id } = await update(house, caller, { type, id: recordIdIn(request), body: readBody(request) })
  const json = await textOfOne(ground, request, { caller, id, extras: afterWriting })
  return sendOne(request, reply, { root: type, json })
}

/** A write answers with the record in the usual form of a read. */
const afterWriting: Extras = { with: [], files: 'inline' }

interface Wanted {
  readonly caller: Caller
  readonly id: number
  readonly extras: Extras
}

async function textOfOne(ground: Ground, request: FastifyRequest, { caller, id, extras }: Wanted): Promise<string> {
  const [text] = await read(ground.house, caller, { id, view: textView(ground, request, extras) })
  if (text === undefined) throw noSuchRecord(ground.type, id)
  return text
}

function textView(
  { house, templates, type }: Ground,
  request: FastifyRequest,
  extras: Extras,
): View<readonly string[]> {
  const viewing = { type, base: baseAddressOf(request, house), extras }
  return (rows, ids, now) => textsOf(rows, ids, { house, templates, viewing, now })
}

const referenceView =
  (base: string, type: RecordTypeName): View<readonly string[]> =>
  async (rows, ids) => {
    const names = type === 'taxonomy_term' ? await termNames(rows, ids) : new Map<number, string>()
    const speller = { base, nameOf: (term: number) => names.get(term) ?? '' }
    return ids.map((id) => JSON.stringify(referenceTo(speller, type, id)))
  }
