import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight, type TrashView, trashViewOf } from '../../access/caller.ts'
import { mebibyte } from '../../fields/byte-size.ts'
import { changesIn, type FeedChange, type FeedReader, readFeed } from '../../records/feed.ts'
import type { Records } from '../../records/records.ts'
import type { DocumentCache } from '../../wire-1x/document-cache.ts'
import { streamBudgetOf } from '../http/answer-budget.ts'
import { callerOf } from '../http/caller.ts'
import type { OpenStreams } from '../http/concurrency.ts'
import { prefersEvents } from '../http/negotiation.ts'
import {
  completeObject,
  type DoorDescription,
  described,
  inQuery,
  nullable,
  objectOf,
  operation,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  uuid,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { resourceSchema } from '../http/record-parameters.ts'
import type { LastingAnswer, ResponseCache } from '../http/response-cache.ts'
import {
  type FeedQuery,
  feedQueryIn,
  mostChanges,
  Pieces,
  type RecordsOfChanges,
  recordsShown,
  spellChange,
} from './change-feed.ts'
import { EventStreams } from './event-streams.ts'

/** The rest follows in the next answer. */
const enoughBytes = 16 * mebibyte

export interface ChangesParts {
  /** Cache of documents shown before. */
  readonly documents: DocumentCache
  readonly responses: ResponseCache
  readonly streams: OpenStreams
}

/** Changes since a cursor, as a page or as a stream of events. */
export function changesRoutes(app: FastifyInstance, installation: Records, known: ChangesParts): void {
  const streams = new EventStreams(installation, known)
  app.addHook('preClose', async () => streams.endAll())
  app.get('/changes/events', { exposeHeadRoute: false }, (request, reply) => streams.open(request, reply))
  app.get('/changes', (request, reply) =>
    request.method === 'GET' && prefersEvents(request)
      ? streams.open(request, reply)
      : known.responses.answer(request, reply, () => pageOfChanges(installation, known, request)),
  )
}

const digits = { type: 'string', pattern: '^\\d+$' } as const
const cursor = { type: 'string', pattern: '^[A-Za-z0-9._-]+$' } as const

const parameters: readonly Schema[] = [
  inQuery(
    'since',
    'What a former answer has as next; 0: from the beginning. Without it nothing but next is told',
    cursor,
  ),
  inQuery('limit', 'The most changes of one page', {
    type: 'integer',
    minimum: 1,
    maximum: mostChanges,
    default: mostChanges,
  }),
  inQuery('type', 'Only changes of this type', resourceSchema),
  inQuery('records', '0: without the records themselves', { type: 'integer', enum: [0, 1], default: 1 }),
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'For a stream: the id of the last event that was seen, in the place of since',
    schema: { type: 'string' },
  },
]

const events: Schema = {
  type: 'string',
  description:
    'An event stream without end. Event change: data is a Change, id the cursor behind it. Event reset: the cursor is gone, as with 410, and the stream ends. A comment comes every 20 seconds.',
}

const changeSchema = objectOf({
  properties: {
    type: resourceSchema,
    id: schemaRef('Id'),
    uuid: described('Null for what was removed before UUIDs were kept', nullable(uuid)),
    version: described('Its revision and the edition', { type: 'string' }),
    verb: { type: 'string', enum: ['create', 'update', 'remove'] },
    at: described('Unix seconds of its last change on the page', digits),
    uid: described(
      'Who made that change; null of a removed record to those who may not read the trash',
      nullable(digits),
    ),
    set: described(
      'The changes that it was made with; null for what is older than sets, and as uid is',
      nullable(uuid),
    ),
    record: described('As it is now and as lists show it, with uuid and version, without what is computed', {
      type: 'object',
      properties: { uuid, version: { type: 'string' }, url: { type: 'string', format: 'uri' } },
      required: ['uuid', 'version', 'url'],
    }),
  },
  required: ['type', 'id', 'uuid', 'version', 'verb', 'at', 'uid', 'set'],
})

const pageSchema = completeObject({
  edition: described('Another one after a restore or an import: load everything again', { type: 'string' }),
  catalogue: described('Another one: read /farm.json and load everything again', { type: 'string' }),
  changes: { type: 'array', items: schemaRef('Change') },
  next: described('The cursor behind these changes', cursor),
  more: described('Whether there is more already', { type: 'boolean' }),
})

export const changesDescription: DoorDescription = {
  paths: {
    '/changes': {
      get: operation({
        id: 'readChanges',
        summary: 'What has changed since; with Accept: text/event-stream as /changes/events',
        tag: 'farm',
        parameters,
        responses: {
          '200': {
            description: 'A page of changes',
            content: { 'application/json': { schema: schemaRef('Changes') } },
          },
          '410': responseRef('Problem'),
          '429': responseRef('Problem'),
          ...refusedOften,
        },
      }),
    },
    '/changes/events': {
      get: operation({
        id: 'followChanges',
        summary: 'What changes from now on, or since a cursor, as events',
        tag: 'farm',
        parameters,
        responses: {
          '200': { description: 'A stream of events', content: { 'text/event-stream': { schema: events } } },
          '410': responseRef('Problem'),
          '429': responseRef('Problem'),
          ...refusedOften,
        },
      }),
    },
  },
  schemas: { Changes: pageSchema, Change: changeSchema },
}

async function pageOfChanges(
  installation: Records,
  { documents }: ChangesParts,
  request: FastifyRequest,
): Promise<LastingAnswer> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  const query = feedQueryIn(request)
  const base = baseAddressOf(request, installation)
  const body = await installation.database.read(async (snapshot) => {
    const feed = await readFeed(snapshot, installation, query)
    const showing = { documents, base, state: feed.state, now: installation.clock(), enoughBytes }
    const page = await pageOf(feed, query, (changes) => recordsShown(snapshot, changes, showing))
    return spelled(page, feed, { catalogue: installation.catalogue, trash: trashViewOf(caller) })
  }, streamBudgetOf(request))
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body,
    until: caller.expires ?? 0,
  }
}

/** The changes of a page, and the number of journal steps they cover. */
interface ChangePage {
  readonly changes: readonly FeedChange[]
  readonly shown: RecordsOfChanges
  readonly steps: number
}

type Show = (changes: readonly FeedChange[]) => ReturnType<typeof recordsShown>

async function pageOf({ steps }: FeedReader, { records }: FeedQuery, show: Show): Promise<ChangePage> {
  const changes = changesIn(steps)
  if (records === 'left out') return { changes, shown: new Map(), steps: steps.length }
  const { shown, count } = await show(changes)
  const next = changes[count]
  if (next === undefined) return { changes, shown, steps: steps.length }
  // A page ends before the first step of a record that it does not show.
  return { changes: changesIn(steps.slice(0, next.firstStep)), shown, steps: next.firstStep }
}

interface PageSpelling {
  readonly catalogue: string
  readonly trash: TrashView
}

function spelled({ changes, shown, steps }: ChangePage, feed: FeedReader, { catalogue, trash }: PageSpelling): Buffer {
  const { state } = feed
  const pieces = new Pieces()
  pieces.write(`{"edition":"${state.edition}","catalogue":"${catalogue}","changes":[`)
  for (const [index, change] of changes.entries()) {
    if (index > 0) pieces.write(',')
    spellChange(pieces, change, { state, shown, trash })
  }
  const hasMore = feed.hasMore || steps < feed.steps.length
  pieces.write(`],"next":"${feed.cursorAfter(steps)}","more":${hasMore}}`)
  return pieces.joined()
}
