import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Caller, requireRight } from '../../../access/caller.ts'
import type { Right } from '../../../farm/people/roles.ts'
import type { Records } from '../../../records/records.ts'
import { type TrashedRecord, endIn, endingIsForManagers, notInTrash, trashList, trashedRecord } from '../../../records/trash.ts'

import { restoreIn } from '../../../records/writing/restore.ts'
import { Refusal } from '../../../refusal.ts'
import type { Database, Snapshot } from '../../../storage/database.ts'
import { inDryRun } from '../../../storage/changes.ts'
import { emptyTrash } from '../../../storage/emptying.ts'
import { farmState } from '../../../storage/farm-state.ts'
import { atPresent } from '../../../storage/history/point-in-time.ts'
import { readBudgetOf } from '../../http/answers/answer-budget.ts'
import { carryOut } from '../../http/answers/idempotency.ts'
import { deliver, tagged } from '../../http/answers/ready-answer.ts'
import { isKnown, seenBy, tagOfRecord } from '../../http/answers/versions.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { endingAsked, takesDryRun, takesDryRunAlone } from '../../http/dry-run.ts'
import { downloadOf, sendDownload } from '../download.ts'
import { linksOf } from '../intake/paging.ts'
import { recordIdIn } from '../intake/record-id.ts'
import { emptyingAsked, pageAsked, restorationAsked, uuidOf } from './trash-query.ts'
import { documentInTrash, entryDocument, restoredDocument } from './trash-words.ts'

/** What was removed: to be looked at, brought back, or ended for good. In JSON only. */
export function trashRoutes(app: FastifyInstance, installation: Records): void {
  for (const path of ['/trash', '/trash.json']) {
    app.get(path, async (request, reply) => {
      await callerWho(installation, request, 'write-records')
      const { types, ...paging } = pageAsked(request)
      const base = baseAddressOf(request, installation)
      const { farm, database } = installation
      const { entries, last } = await database.read(
        (snapshot) => trashList(snapshot, { farm, types, ...paging }),
        readBudgetOf(request, installation),
      )
      const links = linksOf(request, base, { ...paging, last })
      const list = entries.map((entry) => entryDocument(base, entry))
      return deliver(reply, tagged(request, inJson({ ...links, list })))
    })
  }
  app.get('/trash/:uuid', async (request, reply) => {
    const base = baseAddressOf(request, installation)
    const { etag, json } = await inTrash(installation, request, async (snapshot, entry) => {
      const json = JSON.stringify(await documentInTrash(snapshot, entry, { installation, base }))
      const { edition } = await farmState(snapshot, 'log', atPresent(installation.clock()))
      const state = { edition, changes: json }
      const version = { state, catalogue: installation.catalogue, format: 'json' as const }
      return { json, etag: tagOfRecord(entry.removal.revision, version) }
    })
    if (isKnown(request, etag)) return deliver(reply, { status: 304, headers: { etag }, body: '' })
    return reply.headers({ 'content-type': jsonType, etag }).send(json)
  })
  app.get('/trash/:uuid/files/:id', async (request, reply) => {
    const download = await inTrash(installation, request, (snapshot, { files, record }) => {
      const id = recordIdIn(request)
      const file = files.find((one) => one.id === id)
      if (file === undefined) throw new Refusal('not-found', `${record.type} ${record.id} has no file ${id}.`)
      return downloadOf(request, snapshot, file)
    })
    return sendDownload(reply, download)
  })
  app.post('/trash/:uuid/restore', takesDryRunAlone, async (request, reply) => {
    const caller = await callerWho(installation, request, 'write-records')
    const records = [{ uuid: uuidOf(request) }]
    const asked = restorationAsked(request)
    const base = baseAddressOf(request, installation)
    const json = await carryOut(installation, { request, reply, caller }, async (work) => {
      const restored = await restoreIn(work, { records, ...asked, ...seenBy(request, installation.edition) })
      return { status: 200, headers: {}, json: JSON.stringify(restoredDocument(base, restored)) }
    })
    return reply.header('content-type', jsonType).send(json)
  })
  app.delete('/trash/:uuid', takesDryRun, async (request, reply) => {
    const caller = await callerWho(installation, request, 'configure')
    const uuid = uuidOf(request)
    const json = await carryOut(installation, { request, reply, caller }, async (work) => {
      await endIn(work, { uuid, ...seenBy(request, installation.edition) })
      return { status: 200, headers: {}, json: JSON.stringify({ ended: 1 }) }
    })
    return reply.header('content-type', jsonType).send(json)
  })
  app.delete('/trash', takesDryRun, async (request, reply) => {
    await callerWho(installation, request, 'configure')
    const now = installation.clock()
    const until = now - emptyingAsked(request) * 86_400
    const empty = (database: Database) => emptyTrash(database, { until, now, ifBusy: 'wait' })
    const { database } = installation
    const ended = await (endingAsked(request) === 'undone' ? inDryRun(database, empty) : empty(database))
    return reply.header('content-type', jsonType).send(JSON.stringify({ ended }))
  })
}

const jsonType = 'application/json; charset=utf-8'

const inJson = (document: object) => ({
  status: 200,
  headers: { 'content-type': jsonType },
  body: JSON.stringify(document),
})

async function callerWho(installation: Records, request: FastifyRequest, right: Right): Promise<Caller> {
  const caller = await callerOf(request, installation)
  requireRight(caller, right, right === 'configure' ? endingIsForManagers : undefined)
  return caller
}

/** What is wanted of an entry, on the snapshot on which it was found; only those who may restore it are told. */
async function inTrash<T>(
  installation: Records,
  request: FastifyRequest,
  wanted: (snapshot: Snapshot, entry: TrashedRecord) => Promise<T>,
): Promise<T> {
  await callerWho(installation, request, 'write-records')
  const uuid = uuidOf(request)
  return installation.database.read(async (snapshot) => {
    const entry = await trashedRecord(snapshot, installation.farm, uuid)
    if (entry === undefined) throw notInTrash(uuid)
    return wanted(snapshot, entry)
  })
}
