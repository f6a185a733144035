import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight, type TrashView, trashViewOf } from '../../access/caller.ts'
import { mebibyte } from '../../fields/byte-size.ts'
import { changesIn, type FeedChange, type FeedReader, readFeed } from '../../records/feed.ts'

import type { Records } from '../../records/records.ts'
import type { DocumentCache } from '../../wire-1x/document-cache.ts'
import { streamBudgetOf } from '../http/answer-budget.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import type { OpenStreams } from '../http/concurrency.ts'
import { prefersEvents } from '../http/negotiation.ts'
import type { LastingAnswer, ResponseCache } from '../http/response-cache.ts'
import { type FeedQuery, feedQueryIn, Pieces, type RecordsOfChanges, recordsShown, spellChange } from './change-feed.ts'
import { EventStreams } from './event-streams.ts'

/** More is left for the next answer. */
const enoughBytes = 16 * mebibyte

export interface ChangesParts {
  /** What was shown and answered before. */
  readonly documents: DocumentCache
  readonly responses: ResponseCache
  readonly streams: OpenStreams
}

/** What has changed since somebody last asked, as a page, or as a stream of events. */
export function changesRoutes(app: FastifyInstance, installation: Records, known: ChangesParts): void {
  const streams = new EventStreams(installation, known)
  app.addHook('preClose', async () => streams.endAll())
  app.get('/changes', (request, reply) =>
    request.method === 'GET' && prefersEvents(request)
      ? streams.open(request, reply)
      : known.responses.answer(request, reply, () => pageOfChanges(installation, known, request)),
  )
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

/** What is told on a page, and how many steps of the feed it takes. */
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
  // A page ends before the first step of a record that is not shown on it.
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
