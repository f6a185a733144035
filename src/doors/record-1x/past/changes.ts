import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { mebibyte } from '../../../fields/byte-size.ts'
import { changesIn } from '../../../records/feed/changes.ts'
import { type Feed, readFeed, recordKey } from '../../../records/feed/feed.ts'
import type { Records } from '../../../records/records.ts'
import type { LastingAnswer } from '../../http/answers/response-cache.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { prefersEvents } from '../../http/negotiation.ts'
import type { OpenStreams } from '../../http/open-streams.ts'
import type { Known } from '../records.ts'
import { EventStreams } from './event-streams.ts'
import { type FeedQuery, feedQueryIn } from './feed-query.ts'
import { changeText, recordsShown } from './spelled-changes.ts'

/** More is left for the next answer. */
const enoughBytes = 16 * mebibyte

/** What has changed since somebody last asked, as a page, or as a stream of events. */
export function changesRoutes(
  app: FastifyInstance,
  installation: Records,
  known: Known & { readonly streams: OpenStreams },
): void {
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
  { documents }: Known,
  request: FastifyRequest,
): Promise<LastingAnswer> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  const query = feedQueryIn(request)
  const base = baseAddressOf(request, installation)
  const body = await installation.database.read(async (snapshot) => {
    const feed = await readFeed(snapshot, installation, query)
    const showing = { documents, base, state: feed.state, now: installation.clock(), enoughBytes }
    const { pieces, steps } = await spelled(feed, query, (changes) => recordsShown(snapshot, changes, showing))
    return framed(pieces, {
      edition: feed.state.edition,
      catalogue: installation.catalogue,
      next: feed.cursorAfter(steps),
      more: feed.hasMore || steps < feed.steps.length,
    })
  })
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body,
    until: caller.expires ?? 0,
  }
}

type Show = (changes: ReturnType<typeof changesIn>) => ReturnType<typeof recordsShown>

/** The changes one by one, and how many steps they take. */
async function spelled(
  { state, steps }: Feed,
  { records }: FeedQuery,
  show: Show,
): Promise<{ readonly pieces: readonly Buffer[]; readonly steps: number }> {
  const changes = changesIn(steps)
  if (records === 'left out' || changes.length === 0)
    return { pieces: changes.map((change) => changeText(change, state, undefined)), steps: steps.length }
  const { shown, count } = await show(changes)
  const taken = stepsBefore(changes[count])
  const pieces = changesIn(steps.slice(0, taken)).map((change) =>
    changeText(change, state, shown.get(recordKey(change.entry))),
  )
  return { pieces, steps: taken }

  /** A page ends before the first step of a record that is not shown on it. */
  function stepsBefore(next: (typeof changes)[number] | undefined): number {
    if (next === undefined) return steps.length
    return steps.findIndex(({ entry }) => recordKey(entry) === recordKey(next.entry))
  }
}

interface Frame {
  readonly edition: string
  readonly catalogue: string
  readonly next: string
  readonly more: boolean
}

function framed(pieces: readonly Buffer[], { edition, catalogue, next, more }: Frame): Buffer {
  const body: Buffer[] = [Buffer.from(`${JSON.stringify({ edition, catalogue }).slice(0, -1)},"changes":[`)]
  for (const [index, piece] of pieces.entries()) body.push(index === 0 ? piece : comma, ...(index === 0 ? [] : [piece]))
  body.push(Buffer.from(`],${JSON.stringify({ next, more }).slice(1)}`))
  return Buffer.concat(body)
}

const comma = Buffer.from(',')
