import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Caller, requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { allTypeNames, recordTypeNames } from '../../farm/fields-of.ts'
import type { Right } from '../../farm/people/roles.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { uuidIn, wholeNumber } from '../../fields/scalars.ts'
import { type QueryEntry, readQuery } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { PageRequest } from '../../records/finding/paging.ts'
import type { Records } from '../../records/records.ts'
import {
  endIn,
  endingIsForManagers,
  notInTrash,
  type TrashedRecordView,
  trashedRecord,
  trashList,
} from '../../records/trash.ts'
import { type Restoration, restoreIn } from '../../records/writing/restore.ts'
import { Refusal } from '../../refusal.ts'
import { inDryRun } from '../../storage/change-set.ts'
import type { Database, Snapshot } from '../../storage/database.ts'
import { emptyTrash } from '../../storage/emptying.ts'
import { atPresent, farmState } from '../../storage/farm-state.ts'
import { mostTrashDays } from '../../storage/settings.ts'
import { linksOf, pagingIn, parameter, refuseOthers } from '../../wire-1x/list-query.ts'
import { readBudgetOf } from '../http/answer-budget.ts'
import { callerOf } from '../http/caller.ts'
import { downloadOf, sendDownload } from '../http/download.ts'
import { changeEndingOf, takesDryRun, takesDryRunAlone } from '../http/dry-run.ts'
import { carryOut } from '../http/idempotency.ts'
import { baseAddressOf } from '../http/origin.ts'
import { deliver, isNotModified, seenBy, tagOfRecord, withEtag } from '../http/record-answers.ts'
import { recordIdIn } from '../http/record-path.ts'
import { documentInTrash, entryDocument, restoredDocument } from './trash-documents.ts'

/** The trash: list, show, restore and delete for good. JSON only. */
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
      return deliver(reply, withEtag(request, inJson({ ...links, list })))
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
    if (isNotModified(request, etag)) return deliver(reply, { status: 304, headers: { etag }, body: '' })
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
    const options = restorationAsked(request)
    const base = baseAddressOf(request, installation)
    const json = await carryOut(installation, { request, reply, caller }, async (work) => {
      const restored = await restoreIn(work, { records, ...options, ...seenBy(request, installation.edition) })
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
    const ended = await (changeEndingOf(request) === 'undone' ? inDryRun(database, empty) : empty(database))
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

/** Runs a function on an entry and its snapshot. Users without the right to restore get a refusal. */
async function inTrash<T>(
  installation: Records,
  request: FastifyRequest,
  wanted: (snapshot: Snapshot, entry: TrashedRecordView) => Promise<T>,
): Promise<T> {
  await callerWho(installation, request, 'write-records')
  const uuid = uuidOf(request)
  return installation.database.read(async (snapshot) => {
    const entry = await trashedRecord(snapshot, installation.farm, uuid)
    if (entry === undefined) throw notInTrash(uuid)
    return wanted(snapshot, entry)
  })
}

/** The UUID in a path such as `/trash/0190…` or `/trash/0190….json`. */
function uuidOf(request: FastifyRequest): string {
  // The cast is safe: every route that calls this has a `:uuid`.
  const { uuid } = request.params as { readonly uuid: string }
  const found = uuidIn(uuid.replace(/\.json$/i, ''))
  if (found === undefined) throw new Refusal('not-found', `${JSON.stringify(uuid)} is not a UUID.`)
  return found
}

function pageAsked(request: FastifyRequest): PageRequest & { readonly types: readonly RecordTypeName[] } {
  const entries = entriesOf(request, ['page', 'limit', 'type'])
  const wanted = parameter(entries, 'type')
  const types = allTypeNames.filter((type) => wanted === undefined || resourceNames[type] === wanted)
  if (types.length === 0) throw badQuery('type', `${JSON.stringify(wanted)} is no type of records`, resources)
  return { ...pagingIn(entries), types }
}

const resources = recordTypeNames.map((type) => resourceNames[type])

function restorationAsked(request: FastifyRequest): Pick<Restoration, 'referents' | 'missing'> {
  const entries = entriesOf(request, ['with', 'drop', 'dry_run'])
  return {
    referents: isAsked(entries, 'with', 'referents') ? 'restore' : 'refuse',
    missing: isAsked(entries, 'drop', 'missing') ? 'drop' : 'refuse',
  }
}

function isAsked(entries: readonly QueryEntry[], name: string, word: string): boolean {
  const given = parameter(entries, name)
  if (given !== undefined && given !== word)
    throw badQuery(name, `takes ${word} here, not ${JSON.stringify(given)}`, [word])
  return given === word
}

/** Deletes entries removed at least this many days ago; 0: all. */
function emptyingAsked(request: FastifyRequest): number {
  const given = parameter(entriesOf(request, ['older_than', 'dry_run']), 'older_than')
  if (given === undefined) return 0
  const days = wholeNumber(given)
  if (days === undefined || days < 0 || days > mostTrashDays) {
    throw badQuery(
      'older_than',
      `must be a whole number of days from 0 to ${mostTrashDays}, not ${JSON.stringify(given)}`,
    )
  }
  return days
}

function entriesOf(request: FastifyRequest, names: readonly string[]): readonly QueryEntry[] {
  const entries = readQuery(request.url)
  refuseOthers(entries, names)
  return entries
}
