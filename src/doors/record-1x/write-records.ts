import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { readQuery } from '../../formats/query-string.ts'
import { createOnce } from '../../records/writing/create.ts'
import { removeIn } from '../../records/writing/remove.ts'
import { updateIn } from '../../records/writing/update.ts'
import { Refusal } from '../../refusal.ts'
import { refuseAsOf } from '../../wire-1x/list-query.ts'
import type { BodyContext } from '../../wire-1x/record-draft.ts'
import { changeIn, contextOfNew, newRecordIn, ownUuidIn } from '../../wire-1x/record-draft.ts'
import { plainReference, withRecordAddresses } from '../../wire-1x/spelling.ts'
import { readBody } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { carryOut, repeated } from '../http/idempotency.ts'
import { baseAddressOf } from '../http/origin.ts'
import { extrasOfAnswer, seenBy, sendOne, writtenRecord } from '../http/record-answers.ts'
import { recordIdAt, requireRecordId } from '../http/record-path.ts'
import type { Collection } from './read-records.ts'

type WriteRoute = (collection: Collection, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export const make: WriteRoute = async (collection, request, reply) => {
  const { installation, type } = collection
  const caller = await callerOf(request, installation)
  requireRight(caller, 'write-records')
  refuseAsOf(readQuery(request.url))
  const body = readBody(request)
  const extras = extrasOfAnswer(collection, request)
  const json = await carryOut(installation, { request, reply, caller }, async (work) => {
    const intake = await contextOfNew(work.tx, intakeOf(collection), { type, bodies: [body] })
    const { record, earlier } = await createOnce(work, {
      type,
      uuid: ownUuidIn(body),
      read: () => newRecordIn(intake, type, body),
    })
    const answer = await writtenRecord(collection, request, { work, record, extras })
    const { uri, resource } = plainReference(baseAddressOf(request, installation), type, record.id)
    return {
      ...(earlier === undefined
        ? { status: 201, headers: { ...answer.headers, location: uri } }
        : { status: 200, headers: { ...answer.headers, location: uri, ...repeated(earlier) } }),
      json: `${answer.json.slice(0, -1)},"uri":${JSON.stringify(uri)},"resource":"${resource}"}`,
    }
  })
  return sendOne(request, reply, { root: resourceNames[type], json })
}

export const change: WriteRoute = async (collection, request, reply) => {
  const { installation, type } = collection
  const caller = await callerOf(request, installation)
  requireRight(caller, 'write-records')
  refuseAsOf(readQuery(request.url))
  requireRecordId(request)
  const body = readBody(request)
  const extras = extrasOfAnswer(collection, request)
  const json = await carryOut(installation, { request, reply, caller }, async (work) => {
    const { after } = await updateIn(work, {
      type,
      id: await recordIdAt(request, type, work.tx),
      draftFor: changeIn(intakeOf(collection), body),
      ...seenBy(request, installation.edition),
    })
    return writtenRecord(collection, request, { work, record: after, extras })
  })
  return sendOne(request, reply, { root: resourceNames[type], json })
}

export const drop: WriteRoute = async (collection, request, reply) => {
  const { installation, type } = collection
  const caller = await callerOf(request, installation)
  requireRight(caller, 'write-records')
  refuseAsOf(readQuery(request.url))
  requireRecordId(request)
  const json = await carryOut(installation, { request, reply, caller }, async (work) => {
    const id = await recordIdAt(request, type, work.tx)
    await removeIn(work, { type, id, ...seenBy(request, installation.edition) })
    return { status: 200, headers: {}, json: '[]' }
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? withRecordAddresses(error) : error
  })
  return sendOne(request, reply, { root: 'list', json })
}

/** Made within the transaction, which knows the numbers of the vocabularies. */
const intakeOf = ({ installation }: Collection): BodyContext => ({
  farm: installation.farm,
  vocabularies: installation.vocabularies,
  // Where it follows the host of a request, a farm has several, and what was read under one is written back under another.
  address: installation.settings.baseUrl,
})
