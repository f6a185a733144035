import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { readQuery } from '../../formats/query-string.ts'
import type { MatchPage } from '../../records/finding/find.ts'
import type { Records } from '../../records/records.ts'
import { createOnce } from '../../records/writing/create.ts'
import { removeIn } from '../../records/writing/remove.ts'
import { updateIn } from '../../records/writing/update.ts'
import { Refusal } from '../../refusal.ts'
import { SnapshotCache } from '../../storage/snapshot-cache.ts'
import type { DocumentCache } from '../../wire-1x/document-cache.ts'
import { refuseAsOf } from '../../wire-1x/list-query.ts'
import { type BodyContext, changeIn, contextOfNew, newRecordIn, ownUuidIn } from '../../wire-1x/record-draft.ts'
import { plainReference, withRecordAddresses } from '../../wire-1x/spelling.ts'
import { type BodyImport, isRecordBody, readBody } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { takesDryRun } from '../http/dry-run.ts'
import { carryOut, repeated } from '../http/idempotency.ts'
import { baseAddressOf } from '../http/origin.ts'
import { extrasOfAnswer, seenBy, sendOne, writtenRecord } from '../http/record-answers.ts'
import { recordIdAt, requireRecordId } from '../http/record-path.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import { areasGeojsonRoutes } from './areas-geojson.ts'
import { farmInfoRoutes } from './farm-info.ts'
import { fileRoutes } from './files.ts'
import { type Collection, list, show } from './read-records.ts'
import { shortListRoutes } from './short-lists.ts'

/** The record interface, API version 1.3. */
export function recordDoor(app: FastifyInstance, installation: Records, parts: RecordDoorParts): void {
  farmInfoRoutes(app, installation, parts.responses)
  recordRoutes(app, installation, parts)
  shortListRoutes(app, installation)
  fileRoutes(app, installation)
  areasGeojsonRoutes(app, installation)
}

/** About how many ids are remembered. */
const mostFound = 100_000

interface RecordDoorParts {
  /** What was shown and answered before. */
  readonly documents: DocumentCache
  readonly responses: ResponseCache
  /** What can be posted in place of a record. */
  readonly imports: readonly BodyImport[]
}

/** The same few routes for logs, assets and terms (spec 4). */
function recordRoutes(app: FastifyInstance, installation: Records, parts: RecordDoorParts): void {
  const { documents, responses, imports } = parts
  for (const type of recordTypeNames) {
    const findings = {
      present: new SnapshotCache<string, MatchPage>(mostFound),
      past: new SnapshotCache<string, MatchPage>(mostFound),
    }
    const collection = { installation, documents, type, findings }
    const resource = `/${resourceNames[type]}`
    for (const path of [resource, `${resource}.json`, `${resource}.xml`]) {
      app.get(path, (request, reply) => responses.answer(request, reply, () => list(collection, request)))
      app.post(path, takesDryRun, (request, reply) => {
        const other = isRecordBody(request) ? undefined : imports.find((one) => one.isSentBy(request, type))
        return other?.take(collection, request, reply) ?? make(collection, request, reply)
      })
    }
    app.get(`${resource}/:id`, (request, reply) => responses.answer(request, reply, () => show(collection, request)))
    app.put(`${resource}/:id`, takesDryRun, (request, reply) => change(collection, request, reply))
    app.post(`${resource}/:id`, takesDryRun, (request, reply) => change(collection, request, reply))
    app.delete(`${resource}/:id`, takesDryRun, (request, reply) => drop(collection, request, reply))
  }
}

type WriteRoute = (collection: Collection, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const make: WriteRoute = async (collection, request, reply) => {
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

const change: WriteRoute = async (collection, request, reply) => {
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

const drop: WriteRoute = async (collection, request, reply) => {
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
