import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { createIn } from '../../records/create.ts'
import { removeIn } from '../../records/remove.ts'
import { updateIn } from '../../records/update.ts'
import type { Work } from '../../records/work.ts'
import { Refusal } from '../../refusal.ts'
import { farmState } from '../../storage/farm-state.ts'
import type { Stored } from '../../storage/records/stored.ts'
import { carryOut, type WriteAnswer } from '../http/answers/idempotency.ts'
import { revisionsSeen, tagOfRecord } from '../http/answers/versions.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { readBody } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { formatOfAnswer } from '../http/negotiation.ts'
import { readQuery } from '../http/query.ts'
import type { RecordHouse } from '../http/record-house.ts'
import { sendOne } from './answer.ts'
import type { Collection } from './collection.ts'
import { inItsWords } from './in-its-words.ts'
import { newRecordIn } from './intake/new-record.ts'
import { changeIn } from './intake/record-change.ts'
import type { Intake } from './intake/record-draft.ts'
import { recordIdIn } from './record-id.ts'
import { plainReference } from './spelling.ts'
import { freshTemplates } from './templates.ts'
import { documentsOf } from './viewing.ts'
import { type Extras, extrasOfOne } from './wishes.ts'

type Answering = (collection: Collection, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export const make: Answering = async (collection, request, reply) => {
  const { house, type } = collection
  const caller = await callerOf(request, house)
  requireRight(caller, 'write-records')
  const body = readBody(request)
  const extras = extrasOfAnswer(collection, request)
  const json = await carryOut(house, { request, reply, caller }, async (rows) => {
    const record = await createIn({ keeping: house, rows, caller }, newRecordIn(intakeOf(collection), type, body))
    const answer = await written(collection, request, { work: { keeping: house, rows, caller }, record, extras })
    const { uri, resource } = plainReference(baseAddressOf(request, house), type, record.id)
    return {
      status: 201,
      headers: { ...answer.headers, location: uri },
      json: `${answer.json.slice(0, -1)},"uri":${JSON.stringify(uri)},"resource":"${resource}"}`,
    }
  })
  return sendOne(request, reply, { root: resourceNames[type], json })
}

export const change: Answering = async (collection, request, reply) => {
  const { house, type } = collection
  const caller = await callerOf(request, house)
  requireRight(caller, 'write-records')
  const wanted = { type, id: recordIdIn(request) }
  const body = readBody(request)
  const extras = extrasOfAnswer(collection, request)
  const json = await carryOut(house, { request, reply, caller }, async (rows) => {
    const work = { keeping: house, rows, caller }
    const { after } = await updateIn(work, {
      ...wanted,
      draftFor: changeIn(intakeOf(collection), body),
      ...seenBy(request, house),
    })
    return written(collection, request, { work, record: after, extras })
  })
  return sendOne(request, reply, { root: resourceNames[type], json })
}

export const drop: Answering = async (collection, request, reply) => {
  const { house, type } = collection
  const caller = await callerOf(request, house)
  requireRight(caller, 'write-records')
  const wanted = { type, id: recordIdIn(request) }
  const json = await carryOut(house, { request, reply, caller }, async (rows) => {
    await removeIn({ keeping: house, rows, caller }, { ...wanted, ...seenBy(request, house) })
    return { status: 200, headers: {}, json: '[]' }
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? inItsWords(error) : error
  })
  return sendOne(request, reply, { root: 'list', json })
}

/** Made within the transaction, which knows the numbers of the vocabularies. */
const intakeOf = ({ house }: Collection): Intake => ({
  farm: house.farm,
  vocabularies: house.vocabularies,
  // Where it follows the host of a request, a farm has several, and what was read under one is written back under another.
  address: house.settings.baseUrl,
})

/** Asked within the transaction, which knows the edition. */
function seenBy(request: FastifyRequest, house: RecordHouse): { readonly seen?: readonly number[] } {
  const seen = revisionsSeen(request, house)
  return seen === undefined ? {} : { seen }
}

/** As for a read, but an answer that is kept for a repetition names its files by their addresses: photos are kept once. */
function extrasOfAnswer({ house, type }: Collection, request: FastifyRequest): Extras {
  const asked = extrasOfOne(house.farm.records[type], readQuery(request.url))
  return request.headers['idempotency-key'] === undefined ? asked : { ...asked, files: 'link' }
}

/** A write answers with the record in the usual form of a read, as it stands at the end of the transaction. */
async function written(
  { house, type }: Collection,
  request: FastifyRequest,
  { work, record, extras }: { readonly work: Work; readonly record: Stored; readonly extras: Extras },
): Promise<WriteAnswer> {
  const now = house.clock()
  const viewing = { type, base: baseAddressOf(request, house), extras }
  const templates = freshTemplates(house, record)
  const documents = await documentsOf(work.rows, [record.id], { house, templates, viewing, now })
  const version = {
    state: await farmState(work.rows, type, now),
    catalogue: house.catalogue,
    format: formatOfAnswer(request),
  }
  const tag = tagOfRecord(record.revision, version)
  return { status: 200, headers: { etag: tag }, json: String(documents.get(record.id)) }
}
