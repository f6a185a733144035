import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight, trashViewOf } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { readQuery } from '../../formats/query-string.ts'
import { type SetView, type SetWithEntries, setsAmong, setWithEntries } from '../../records/past/change-sets.ts'
import type { Records } from '../../records/records.ts'
import { anyNumber, numberAsked, parameter, refuseOthers } from '../../wire-1x/list-query.ts'
import { whoOf } from '../../wire-1x/record-history.ts'
import { readBudgetOf } from '../http/answer-budget.ts'
import { callerOf } from '../http/caller.ts'
import {
  answer,
  arrayOf,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  described,
  idRef,
  ifNoneMatch,
  inQuery,
  nullable,
  operation,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  secondsRef,
  text,
  unchanged,
  uuid,
  wholeRef,
} from '../http/openapi.ts'
import { limitParameter, resourceSchema } from '../http/record-parameters.ts'
import { sendJson } from './answers.ts'

/** Sets per page, and entries per set. */
const setsPerPage = { usual: 50, most: 100 } as const
const entriesPerPage = { usual: 100, most: 1000 } as const

/** Change sets: changes made together, with author and time. */
export function setRoutes(app: FastifyInstance, installation: Records): void {
  app.get('/sets.json', async (request, reply) => {
    requireRight(await callerOf(request, installation), 'read-records')
    const query = setsAsked(request)
    const { sets, next } = await installation.database.read(
      (snapshot) => setsAmong(snapshot, query),
      readBudgetOf(request, installation),
    )
    return sendJson(request, reply, { sets: sets.map(setOf), next } satisfies SetListDocument)
  })
  app.get('/sets/:set', async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'read-records')
    const entries = readQuery(request.url)
    refuseOthers(entries, ['limit', 'after'])
    const limit = numberAsked(entries, 'limit', { least: 1, most: entriesPerPage.most }) ?? entriesPerPage.usual
    const after = numberAsked(entries, 'after', anyNumber) ?? 0
    const query = { id: setIdIn(request), limit, after, trash: trashViewOf(caller) }
    const set = await installation.database.read(
      (snapshot) => setWithEntries(snapshot, query),
      readBudgetOf(request, installation),
    )
    return sendJson(request, reply, {
      ...setOf(set),
      entries: set.entries.map(entryOf),
      next: set.next,
    } satisfies SetDocument)
  })
}

const number = { type: 'integer', minimum: 0 } as const
export const verbSchema = { type: 'string', enum: ['create', 'update', 'remove', 'restore'] } as const
export const setParameter: Schema = { name: 'set', in: 'path', required: true, schema: text }

const whoSchema = completeObject({
  uid: wholeRef,
  name: described('Null for what the farm brought along itself', nullable(text)),
  blocked: { type: 'boolean' },
})

export const whoRef = schemaRef<DocumentOf<typeof whoSchema>>('Who')

const set = {
  id: text,
  who: whoRef,
  at: secondsRef,
  client: described('The OAuth client that a token was given to', nullable(text)),
  request: described('The id of the request', nullable(text)),
  counts: described('How many changes, by type and verb', {
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: number },
  }),
  undoes: described('The set that this one took back', nullable(text)),
  undone_by: described('The set that has taken this one back', nullable(text)),
}

const changeSetSchema = completeObject(set)

type ChangeSet = DocumentOf<typeof changeSetSchema>

const entrySchema = completeObject({
  type: resourceSchema,
  id: idRef,
  uuid: nullable(uuid),
  name: described('Null of a removed record to those who may not read the trash', nullable(text)),
  verb: verbSchema,
  revision: number,
})

type SetEntry = DocumentOf<typeof entrySchema>

const setListSchema = completeObject({
  sets: arrayOf(schemaRef<ChangeSet>('ChangeSet')),
  next: described('Give it as before for the next page; null on the last', nullable(text)),
})

const setWithEntriesSchema = completeObject({
  ...set,
  entries: arrayOf(schemaRef<SetEntry>('SetEntry')),
  next: described('Give it as after for the next page; null on the last', nullable(number)),
})

type SetListDocument = DocumentOf<typeof setListSchema>
type SetDocument = DocumentOf<typeof setWithEntriesSchema>

export const changeSetsDescription: DoorDescription = {
  paths: {
    '/sets.json': {
      get: operation({
        id: 'listSets',
        summary: 'List which changes were made together, newest first',
        tag: 'history',
        parameters: [
          inQuery('uid', 'Only those of this user', number),
          inQuery('from', 'Only those since this time', number),
          inQuery('to', 'Only those before this time', number),
          limitParameter(setsPerPage),
          inQuery('before', 'Only sets before this one: the next of the page before', text),
          ifNoneMatch,
        ],
        responses: {
          '200': answer('A page of sets', 'json', schemaRef('SetList')),
          '304': unchanged,
          ...refusedOften,
        },
      }),
    },
    '/sets/{set}.json': {
      parameters: [setParameter],
      get: operation({
        id: 'readSet',
        summary: 'Read the changes of one set, in the order in which they were made',
        tag: 'history',
        parameters: [
          limitParameter(entriesPerPage),
          inQuery('after', 'Only entries behind this one: the next of the page before', number),
          ifNoneMatch,
        ],
        responses: {
          '200': answer('The set', 'json', schemaRef('SetWithEntries')),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    },
  },
  schemas: {
    Who: whoSchema,
    SetList: setListSchema,
    ChangeSet: changeSetSchema,
    SetWithEntries: setWithEntriesSchema,
    SetEntry: entrySchema,
  },
}

/** The id in a path such as `/sets/5.json` or `/changes/5/undo`. */
export function setIdIn(request: FastifyRequest): string {
  // The cast is safe: every route that calls this has a `:set`.
  const { set } = request.params as { readonly set: string }
  return set.replace(/\.json$/, '').toLowerCase()
}

function setsAsked(request: FastifyRequest) {
  const entries = readQuery(request.url)
  refuseOthers(entries, ['uid', 'from', 'to', 'limit', 'before'])
  const [uid, from, to] = ['uid', 'from', 'to'].map((name) => numberAsked(entries, name, anyNumber))
  const before = parameter(entries, 'before')
  return {
    limit: numberAsked(entries, 'limit', { least: 1, most: setsPerPage.most }) ?? setsPerPage.usual,
    ...(uid === undefined ? {} : { uid }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(before === undefined ? {} : { before }),
  }
}

const setOf = ({ id, who, at, client, request, counts, undoes, undone_by }: SetView): ChangeSet => ({
  id,
  who: whoOf(who),
  at: String(at),
  client,
  request,
  counts: Object.fromEntries(
    // The cast is safe: the keys are names of record types.
    Object.entries(counts).map(([type, verbs]) => [resourceNames[type as RecordTypeName], verbs]),
  ),
  undoes,
  undone_by,
})

const entryOf = ({ type, id, uuid, name, verb, revision }: SetWithEntries['entries'][number]): SetEntry => ({
  type: resourceNames[type],
  id: String(id),
  uuid,
  name,
  verb,
  revision,
})
