import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, requireRight } from '../../access/caller.ts'
import type { Member, ResourceType } from '../../farm/newer/resource-type.ts'
import { isMany } from '../../fields/field.ts'
import { isTree } from '../../fields/place.ts'
import { uuidIn } from '../../fields/scalars.ts'
import { timestamp, validateTimestamp } from '../../fields/time.ts'
import type { QuantityRecord } from '../../records/quantities/quantity-record.ts'
import { removeQuantityIn, updateQuantityIn } from '../../records/quantities/writing.ts'
import { type Attribution, createIn } from '../../records/writing/create.ts'
import { removeIn } from '../../records/writing/remove.ts'
import { updateIn } from '../../records/writing/update.ts'
import type { WriteContext } from '../../records/writing/write-context.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import { accountsByUuids } from '../../storage/access/account-rows.ts'
import { atPresent, stateOfWrite } from '../../storage/farm-state.ts'
import { identitiesOf, identitiesToClaim } from '../../storage/identity.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { callerOf } from '../http/caller.ts'
import { carryOut, type WriteAnswer } from '../http/idempotency.ts'
import { baseAddressOf } from '../http/origin.ts'
import { type AnswerVersion, seenBy, tagOfRecord } from '../http/record-answers.ts'
import { type ApiRecords, numberAt, relationshipAt, typeAt, uuidAt } from './address.ts'
import { changedLinkage, type LinkageVerb, withPointersIntoBody } from './body/relationship-change.ts'
import { ownId, readTree, requireSameId, SentPlace, type SentResource, sentResource } from './body/request-body.ts'
import {
  bundleFor,
  draftFor,
  nameOfLog,
  type ResourceDraft,
  readSentBody,
  refuseMissing,
} from './body/resource-draft.ts'
import { mediaType } from './documents/document.ts'
import type { ReadContext } from './documents/implied-values.ts'
import { addressOf } from './documents/resource-object.ts'
import { asRecord, resourcesOfRecords } from './documents/resources.ts'
import { readParameters, refuseAsOf, refuseVersion } from './query-parameters.ts'
import { answerVersion, documentOfRecord, relationshipDocument } from './reading.ts'
import { readAttribute } from './values/attributes.ts'

type WriteRoute = (records: ApiRecords, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** A new resource, under the client's own UUID if one is sent. */
export const createResource: WriteRoute = async (records, request, reply) => {
  const { installation } = records
  const caller = await requireWriter(records, request)
  const type = typeAt(records, request)
  const resource = sentResource(readTree(request))
  const uuid = ownId(resource)
  return answerWrite(records, { request, reply, caller }, async (work) => {
    await refuseTakenId(work, uuid)
    const { farm } = installation
    const sent = await readSentBody(work.tx, { farm, uid: caller.uid, type, now: installation.clock(), resource })
    const bundle = bundleFor(sent)
    const draft = draftFor(sent, { bundle })
    refuseMissing(sent, draft)
    const attribution = await attributionIn(work, resource)
    const record = await createIn(work, {
      type: type.record,
      bundle,
      draft,
      attribution,
      ...(uuid === undefined ? {} : { uuid }),
      ...(type.record === 'log' ? { nameOf: (id) => nameOfLog(type, id) } : {}),
    })
    const reading = { ...readContextOf(records, work), reviser: work.set.uid }
    const answer = await resourceAnswer(request, { work, reading }, record)
    const location = addressOf(baseAddressOf(request, installation), type.name, record.uuid)
    return { ...answer, status: 201, headers: { ...answer.headers, location } }
  })
}

/** A UUID can be used once, by any client. */
async function refuseTakenId({ tx }: WriteContext, uuid: string | undefined): Promise<void> {
  if (uuid === undefined) return
  const identity = (await identitiesToClaim(tx, [uuid])).get(uuid)
  if (identity === undefined) return
  const message =
    identity.removed === null
      ? 'stands for something already; change that, or take a new one'
      : `stands for something that was removed: bring it back with POST /trash/${uuid}/restore, or take a new one`
  throw new Refusal('uuid-taken', `The id ${message}.`, { faults: [{ field: 'id', message, pointer: '/data/id' }] })
}

/** Changes the sent members of a resource, and leaves the rest. */
export const updateResource: WriteRoute = async (records, request, reply) => {
  const caller = await requireWriter(records, request)
  const type = typeAt(records, request)
  const resource = sentResource(readTree(request))
  requireSameId(resource, uuidAt(request))
  return answerWrite(records, { request, reply, caller }, async (work) => {
    const record = await changeRecord(records, request, { work, type, resource })
    return resourceAnswer(request, { work, reading: readContextOf(records, work) }, record)
  })
}

interface ResourceChange {
  readonly work: WriteContext
  readonly type: ResourceType
  readonly resource: SentResource
}

async function changeRecord(
  records: ApiRecords,
  request: FastifyRequest,
  { work, type, resource }: ResourceChange,
): Promise<StoredRecord> {
  const { installation } = records
  const id = await numberAt(records, request, work.tx)
  const sent = await readSentBody(work.tx, {
    farm: installation.farm,
    uid: work.caller.uid,
    type,
    now: installation.clock(),
    resource,
  })
  const draftOf = async (before: StoredRecord): Promise<ResourceDraft> => {
    const [drawn] = await resourcesOfRecords(readContextOf(records, work), [before])
    if (drawn === undefined) throw new Refusal('not-found', `There is no ${type.name} ${before.uuid}.`)
    const draft = draftFor(sent, { before, shown: drawn })
    refuseMissing(sent, draft)
    return draft
  }
  const seen = seenBy(request, installation.edition)
  if (type.record !== 'quantity')
    return (await updateIn(work, { type: type.record, id, draftFor: draftOf, ...seen })).after
  const ofQuantity = (before: QuantityRecord) => draftOf(asRecord(before))
  return asRecord((await updateQuantityIn(work, { id, draftFor: ofQuantity, ...seen })).after)
}

/** Removes a resource. A quantity removed together with its log counts as removed. */
export const deleteResource: WriteRoute = async (records, request, reply) => {
  const { installation } = records
  const caller = await requireWriter(records, request)
  const type = typeAt(records, request)
  return answerWrite(records, { request, reply, caller }, async (work) => {
    const seen = seenBy(request, installation.edition)
    if (type.record === 'quantity') {
      // The log may be removed between two queries: only the last one shows if the quantity went with it.
      const id = await numberAt(records, request, work.tx).catch(async (refusal) => {
        if (await isGoneQuantity(work, uuidAt(request))) return null
        throw refusal
      })
      if (id !== null) await removeQuantityIn(work, { id, ...seen })
    } else {
      await removeIn(work, { type: type.record, id: await numberAt(records, request, work.tx), ...seen })
    }
    return { ...noContent, headers: {} }
  })
}

const noContent = { status: 204, json: '' } as const

async function isGoneQuantity({ tx }: WriteContext, uuid: string): Promise<boolean> {
  const identity = (await identitiesOf(tx, [uuid])).get(uuid)
  return identity?.type === 'quantity' && identity.removed !== null
}

export const addToRelationship: WriteRoute = (records, request, reply) =>
  relink(records, request, { reply, verb: 'add' })
export const replaceRelationship: WriteRoute = (records, request, reply) =>
  relink(records, request, { reply, verb: 'replace' })
export const removeFromRelationship: WriteRoute = (records, request, reply) =>
  relink(records, request, { reply, verb: 'remove' })

interface RelationshipWrite {
  readonly reply: FastifyReply
  readonly verb: LinkageVerb
}

async function relink(
  records: ApiRecords,
  request: FastifyRequest,
  { reply, verb }: RelationshipWrite,
): Promise<FastifyReply> {
  const caller = await requireWriter(records, request)
  const type = typeAt(records, request)
  const member = relationshipAt(type, request)
  refuseUnwritable(type, member, verb)
  const body = readTree(request)
  return answerWrite(records, { request, reply, caller }, async (work) => {
    const reading = readContextOf(records, work)
    const linkage = await changedLinkage(reading, {
      member,
      verb,
      body,
      at: () => numberAt(records, request, work.tx),
      type,
    })
    const relationships = { [member.name]: { data: linkage.whole } }
    const resource = { id: uuidAt(request), attributes: {}, relationships }
    const record = await withPointersIntoBody(linkage, () => changeRecord(records, request, { work, type, resource }))
    const [drawn] = await resourcesOfRecords(reading, [record])
    if (drawn === undefined) return { ...noContent, headers: {} }
    const document = await relationshipDocument(reading, baseAddressOf(request, records.installation), {
      drawn,
      name: member.name,
    })
    return { status: 200, headers: {}, json: JSON.stringify(document) }
  })
}

function refuseUnwritable(type: ResourceType, { name, given, field }: Member, verb: LinkageVerb): void {
  if (given === 'ignored') throw new Refusal('forbidden', `The farm itself says the ${name} of ${type.name}.`)
  if (verb !== 'replace' && !isMany(field))
    throw new Refusal('conflict', `${name} leads to one resource: replace it with PATCH.`)
}

export async function requireWriter(
  { installation }: Pick<ApiRecords, 'installation'>,
  request: FastifyRequest,
): Promise<Caller> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'write-records')
  const parameters = readParameters(request.url)
  refuseAsOf(parameters)
  refuseVersion(parameters)
  return caller
}

interface WriteRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
}

export async function answerWrite(
  { installation }: Pick<ApiRecords, 'installation'>,
  writing: WriteRequest,
  work: (work: WriteContext) => Promise<WriteAnswer>,
): Promise<FastifyReply> {
  const { reply } = writing
  const json = await carryOut(installation, writing, work)
  if (json === '') return reply.send()
  // Sent as bytes: the HTTP library adds a charset to text, which JSON:API forbids.
  return reply.header('content-type', mediaType).send(Buffer.from(json))
}

export const readContextOf = (
  { installation }: Pick<ApiRecords, 'installation'>,
  { tx, caller }: WriteContext,
): ReadContext => ({
  installation,
  snapshot: tx,
  time: atPresent(installation.clock()),
  caller,
})

/** A write answers with the resource as a read would show it at the end of the transaction. */
async function resourceAnswer(
  request: FastifyRequest,
  { work, reading }: { readonly work: WriteContext; readonly reading: ReadContext },
  record: StoredRecord,
): Promise<WriteAnswer> {
  const json = await documentOfRecord(reading, baseAddressOf(request, reading.installation), record)
  if (json === undefined) throw new Refusal('not-found', `There is no resource ${record.uuid}.`)
  return { status: 200, headers: { etag: tagOfRecord(record.revision, await versionOfWrite(work)) }, json }
}

/** A migration may set author and time of records. */
async function attributionIn(
  { installation, tx }: WriteContext,
  { attributes, relationships }: SentResource,
): Promise<Attribution> {
  const faults: RefusalFault[] = []
  const collected = { faults, words: () => [] }
  const at = new SentPlace(['data', 'attributes', 'created'], collected)
  const seconds =
    attributes.created == null
      ? undefined
      : readAttribute(timestamp('Created'), attributes.created, { farm: installation.farm, place: at })
  const created = typeof seconds === 'number' ? validateTimestamp(timestamp(''), seconds, at) : undefined
  const { uid } = relationships
  const author = isTree(uid) && isTree(uid.data) ? uuidIn(uid.data.id) : undefined
  const account = author === undefined ? undefined : (await accountsByUuids(tx, [author])).get(author)
  if (author !== undefined && account === undefined)
    new SentPlace(['data', 'relationships', 'uid', 'data'], collected).fault(`there is no user ${author}`)
  return {
    ...(created === undefined ? {} : { created }),
    ...(account === undefined ? {} : { uid: account }),
    faults,
  }
}

/** The version that a write answers with. */
export async function versionOfWrite({ installation, tx, set }: WriteContext): Promise<AnswerVersion> {
  const time = atPresent(installation.clock())
  const state = await stateOfWrite(tx, 'asset', { edition: installation.edition, set, time })
  return answerVersion(installation, state, time)
}
