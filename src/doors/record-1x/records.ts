import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { create } from '../../records/create.ts'
import { find } from '../../records/find.ts'
import { read } from '../../records/read.ts'
import { remove } from '../../records/remove.ts'
import type { Sight } from '../../records/sight.ts'
import { update } from '../../records/update.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { readBody } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { readQuery } from '../http/query.ts'
import { sendList, sendOne } from './answer.ts'
import { type Document, documentsOf } from './document.ts'
import { envelopeOf, pagingIn } from './paging.ts'
import type { RecordHouse } from './record-house.ts'
import { recordIdIn } from './record-id.ts'
import { referenceTo } from './spelling.ts'
import { extrasOf, filtersOf, isFull, sortingOf } from './wishes.ts'

/** The same few routes for logs, assets and terms (spec 4). */
export function recordRoutes(app: FastifyInstance, house: RecordHouse): void {
  for (const type of recordTypeNames) {
    for (const path of [`/${type}`, `/${type}.json`, `/${type}.xml`]) {
      app.get(path, (request, reply) =>
        list(house, type, request).then((envelope) => sendList(request, reply, { item: type, envelope })),
      )
      app.post(path, async (request, reply) => {
        const made = await make(house, type, request)
        reply.code(201).header('location', String(made.uri))
        return sendOne(request, reply, { root: type, tree: made })
      })
    }
    app.get(`/${type}/:id`, async (request, reply) =>
      sendOne(request, reply, { root: type, tree: await show(house, type, request) }),
    )
    app.put(`/${type}/:id`, async (request, reply) =>
      sendOne(request, reply, { root: type, tree: await change(house, type, request) }),
    )
    app.post(`/${type}/:id`, async (request, reply) =>
      sendOne(request, reply, { root: type, tree: await change(house, type, request) }),
    )
    app.delete(`/${type}/:id`, async (request, reply) => {
      const caller = await callerOf(request, house)
      await remove(house, caller, { type, id: recordIdIn(request) })
      return sendOne(request, reply, { root: 'list', tree: [] })
    })
  }
}

async function list(house: RecordHouse, type: RecordTypeName, request: FastifyRequest) {
  const caller = await callerOf(request, house)
  const entries = readQuery(request.url)
  const paging = pagingIn(entries)
  const extras = extrasOf(house.farm.records[type], entries, 'link')
  const full = isFull(entries)
  const { sight, last } = await find(house, caller, {
    type,
    filters: filtersOf(entries),
    sorting: sortingOf(entries),
    ...paging,
    extras,
  })
  const speller = spellerFor(house, request, sight)
  const shown = full ? documentsOf(speller) : sight.seen.map(({ record }) => referenceTo(speller, type, record.id))
  return envelopeOf(request, speller.base, { ...paging, last, list: shown })
}

async function show(house: RecordHouse, type: RecordTypeName, request: FastifyRequest): Promise<Document> {
  const caller = await callerOf(request, house)
  const extras = extrasOf(house.farm.records[type], readQuery(request.url), 'inline')
  return onlyDocument(house, request, await read(house, caller, { type, id: recordIdIn(request), extras }))
}

async function make(house: RecordHouse, type: RecordTypeName, request: FastifyRequest): Promise<Document> {
  const caller = await callerOf(request, house)
  const { id } = await create(house, caller, { type, body: readBody(request) })
  const document = await written(house, request, { caller, type, id })
  return { ...document, uri: document.url, resource: type }
}

async function change(house: RecordHouse, type: RecordTypeName, request: FastifyRequest): Promise<Document> {
  const caller = await callerOf(request, house)
  const { id } = await update(house, caller, { type, id: recordIdIn(request), body: readBody(request) })
  return written(house, request, { caller, type, id })
}

interface Written {
  readonly caller: Caller
  readonly type: RecordTypeName
  readonly id: number
}

/** What a write made of the record, in the form of a read. */
async function written(house: RecordHouse, request: FastifyRequest, { caller, type, id }: Written): Promise<Document> {
  return onlyDocument(house, request, await read(house, caller, { type, id, extras: { with: [], files: 'inline' } }))
}

const spellerFor = (house: RecordHouse, request: FastifyRequest, sight: Sight) => ({
  base: baseAddressOf(request, house),
  sight,
  vocabularies: house.vocabularies,
})

function onlyDocument(house: RecordHouse, request: FastifyRequest, sight: Sight): Document {
  const [document] = documentsOf(spellerFor(house, request, sight))
  if (document === undefined) throw new Error('A record that was read has no document')
  return document
}
