import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireRight, trashViewOf } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { shown } from '../../fields/place.ts'
import { wholeNumber } from '../../fields/scalars.ts'
import { readQuery } from '../../formats/query-string.ts'
import type { Records } from '../../records/records.ts'
import { revertIn } from '../../records/writing/revert.ts'
import { Refusal } from '../../refusal.ts'
import { numberAsked, refuseAsOf, refuseOthers } from '../../wire-1x/list-query.ts'
import { bodyTree } from '../../wire-1x/record-draft.ts'
import { recordHistory } from '../../wire-1x/record-history.ts'
import { readBudgetOf } from '../http/answer-budget.ts'
import { readBody } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { takesDryRun } from '../http/dry-run.ts'
import { carryOut } from '../http/idempotency.ts'
import {
  answer,
  arrayOf,
  completeObject,
  contentOf,
  type DocumentOf,
  type DoorDescription,
  described,
  idRef,
  ifMatch,
  ifNoneMatch,
  inQuery,
  nullable,
  operation,
  parameterRef,
  refusedOften,
  responseRef,
  schemaRef,
  secondsRef,
  text,
  unchanged,
  uuid,
  wholeRef,
  writeHeaders,
  writeParameters,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { extrasOfAnswer, seenBy, sendOne, writtenRecord } from '../http/record-answers.ts'
import { idParameter, limitParameter, resourceSchema } from '../http/record-parameters.ts'
import { recordIdAt, requireRecordId } from '../http/record-path.ts'
import { sendJson } from './answers.ts'
import { verbSchema, whoRef } from './change-sets.ts'

/** Revisions per page. */
const revisionsPerPage = { usual: 50, most: 200 } as const

/** The revisions of a record: author, time and changes. */
export function historyRoutes(app: FastifyInstance, installation: Records): void {
  for (const type of recordTypeNames)
    app.get(`/${resourceNames[type]}/:id/history.json`, (request, reply) =>
      history({ installation, type }, request, reply),
    )
}

const words = { log: ['a log', 'Log'], asset: ['an asset', 'Asset'], term: ['a term', 'Term'] } as const

const number = { type: 'integer', minimum: 0 } as const

const revisionSchema = completeObject({
  revision: number,
  verb: verbSchema,
  at: secondsRef,
  who: described('Null of a removed record to those who may not read the trash', nullable(whoRef)),
  client: nullable(text),
  request: nullable(text),
  set: nullable(text),
  fields: described(
    'The fields that it changed, spelled as in the record; null where the record is ended for good, or withheld',
    nullable({
      type: 'object',
      additionalProperties: completeObject({ before: {}, after: {} }),
    }),
  ),
})

const historySchema = completeObject({
  type: resourceSchema,
  id: idRef,
  uuid: nullable(uuid),
  revisions: arrayOf(schemaRef<DocumentOf<typeof revisionSchema>>('Revision')),
  next: described('Give it as before for the next page; null on the last', nullable(number)),
})

type RevisionsDocument = DocumentOf<typeof historySchema>

const revertSchema = {
  ...completeObject({ revision: { anyOf: [{ type: 'integer', minimum: 1 }, wholeRef] } }),
  xml: { name: 'revert' },
}

export const historyDescription: DoorDescription = {
  paths: {
    ...Object.fromEntries(
      recordTypeNames.map((type) => [
        `/${resourceNames[type]}/{id}/history.json`,
        {
          parameters: [idParameter],
          get: operation({
            id: `readHistoryOf${words[type][1]}`,
            summary: `Read what became of ${words[type][0]}, newest first; also of one that was removed`,
            tag: resourceNames[type],
            parameters: [
              limitParameter(revisionsPerPage),
              inQuery('before', 'Only revisions before this one: the next of the page before', number),
              ifNoneMatch,
            ],
            responses: {
              '200': answer('Its revisions', 'json', schemaRef('History')),
              '304': unchanged,
              '404': responseRef('NotFound'),
              ...refusedOften,
            },
          }),
        },
      ]),
    ),
    ...Object.fromEntries(
      recordTypeNames.map((type) => [
        `/${resourceNames[type]}/{id}/revert`,
        {
          parameters: [idParameter],
          post: operation({
            id: `revert${words[type][1]}`,
            summary: `Let ${words[type][0]} be as it was at an earlier revision, as a new one`,
            tag: resourceNames[type],
            parameters: [parameterRef('files'), ifMatch, ...writeParameters],
            body: contentOf('both', schemaRef('Revert')),
            responses: {
              '200': {
                ...answer('The record as it is now', 'both', schemaRef(resourceNames[type])),
                headers: writeHeaders,
              },
              '404': responseRef('NotFound'),
              '409': responseRef('Conflict'),
              '422': responseRef('Invalid'),
              ...refusedOften,
            },
          }),
        },
      ]),
    ),
  },
  schemas: { History: historySchema, Revision: revisionSchema, Revert: revertSchema },
}

interface HistoryOfType {
  readonly installation: Records
  readonly type: RecordTypeName
}

async function history({ installation, type }: HistoryOfType, request: FastifyRequest, reply: FastifyReply) {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  requireRecordId(request)
  const entries = readQuery(request.url)
  refuseOthers(entries, ['limit', 'before'])
  const limit = numberAsked(entries, 'limit', { least: 1, most: revisionsPerPage.most }) ?? revisionsPerPage.usual
  const before = numberAsked(entries, 'before', { least: 1, most: Number.MAX_SAFE_INTEGER })
  const base = baseAddressOf(request, installation)
  const trash = trashViewOf(caller)
  const asked = { installation, base, type, limit, trash, ...(before === undefined ? {} : { before }) }
  const document: RevisionsDocument = await installation.database.read(
    async (snapshot) => recordHistory(snapshot, { ...asked, id: await recordIdAt(request, type, snapshot) }),
    readBudgetOf(request, installation),
  )
  return sendJson(request, reply, document)
}

/** Restores a record to an earlier revision. */
export function revertRoutes(app: FastifyInstance, installation: Records): void {
  for (const type of recordTypeNames)
    app.post(`/${resourceNames[type]}/:id/revert`, takesDryRun, async (request, reply) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'write-records')
      refuseAsOf(readQuery(request.url))
      requireRecordId(request)
      const revision = revisionIn(readBody(request))
      const extras = extrasOfAnswer({ installation, type }, request)
      const json = await carryOut(installation, { request, reply, caller }, async (work) => {
        const record = await revertIn(work, {
          type,
          id: await recordIdAt(request, type, work.tx),
          revision,
          ...seenBy(request, installation.edition),
        })
        return writtenRecord({ installation, type }, request, { work, record, extras })
      })
      return sendOne(request, reply, { root: resourceNames[type], json })
    })
}

function revisionIn(body: unknown): number {
  const { revision, ...others } = bodyTree(body)
  const [other] = Object.keys(others)
  if (other !== undefined) throw notValid(other, 'is not known here', ['revision'])
  const number = wholeNumber(revision)
  if (number !== undefined && number > 0) return number
  throw notValid('revision', `must be the number of a revision, from 1 up, not ${shown(revision)}`)
}

function notValid(field: string, message: string, allowed?: readonly string[]): Refusal {
  const fault = allowed === undefined ? { field, message } : { field, message, allowed }
  return new Refusal('invalid-content', `${field}: ${message}.`, { faults: [fault] })
}
