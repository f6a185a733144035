import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { stillAdmitted } from '../../access/still-admitted.ts'
import { mebibyte } from '../../fields/byte-size.ts'
import { valueInQuery } from '../../formats/query-string.ts'
import { cursorIn, readFeed, tellingsIn } from '../../records/feed.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import type { DocumentCache } from '../../wire-1x/document-cache.ts'
import { callerOf } from '../http/caller.ts'
import type { OpenStreams } from '../http/concurrency.ts'
import { noLongerInFlight } from '../http/in-flight.ts'
import { baseAddressOf } from '../http/origin.ts'
import { feedQueryIn, Pieces, recordsShown, spellChange } from './change-feed.ts'
import { EventStream, type Events, groupedByNeeds } from './event-stream.ts'

const admissionMilliseconds = 500
/** Proxies close connections that are silent for longer. */
export const commentMilliseconds = 20_000
/** A listener that reads nothing for this long is disconnected, and can resume. */
const slowMilliseconds = 30_000

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  // Tells proxies not to buffer events; the connection is not reused afterwards.
  'x-accel-buffering': 'no',
  connection: 'close',
} as const

interface StreamCaches {
  readonly documents: DocumentCache
  readonly streams: OpenStreams
}

/** All listeners of the change feed. Those at the same cursor share one read. */
export class EventStreams {
  readonly #installation: Records
  readonly #documents: DocumentCache
  readonly #places: OpenStreams
  readonly #open = new Set<EventStream>()
  #stop: (() => void) | undefined
  #isClosing = false
  #isReading = false
  #isBehind = false

  constructor(installation: Records, { documents, streams }: StreamCaches) {
    this.#installation = installation
    this.#documents = documents
    this.#places = streams
  }

  async open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await callerOf(request, this.#installation)
    requireRight(caller, 'read-records')
    const query = feedQueryIn(request)
    const cursor = await this.#cursorOf(request)
    const base = baseAddressOf(request, this.#installation)
    if (this.#isClosing) throw new Refusal('busy', 'This server is about to stop. Try again.', { retryAfterSeconds: 1 })
    const leave = this.#places.enter(caller.uid)
    const whenReady = () => this.#look()
    const stream = new EventStream({ request, caller, query, base, cursor, whenReady })
    stream.body.once('close', () => {
      leave()
      this.#open.delete(stream)
      if (this.#open.size === 0) this.#rest()
    })
    this.#open.add(stream)
    this.#stop ??= this.#watch()
    this.#look()
    noLongerInFlight(reply)
    return reply.headers(headers).send(stream.body)
  }

  endAll(): void {
    this.#isClosing = true
    for (const stream of this.#open) stream.end()
  }

  /** The start: the last event id of a returning browser, else the query, else now. */
  async #cursorOf(request: FastifyRequest): Promise<string> {
    const seen = request.headers['last-event-id']
    const asked = typeof seen === 'string' && seen !== '' ? seen : valueInQuery(request.url, 'since')
    if (asked !== undefined) {
      cursorIn(asked)
      return asked
    }
    return this.#installation.database.read(async (snapshot) => {
      const question = { since: 'newest', type: undefined, limit: 1 } as const
      return (await readFeed(snapshot, this.#installation, question)).cursorAfter(0)
    })
  }

  #watch(): () => void {
    const unwatch = this.#installation.database.watchChanges?.(() => this.#look())
    const timers = [
      setInterval(() => this.#sendAway(), admissionMilliseconds),
      setInterval(() => {
        for (const stream of this.#open) stream.comment()
      }, commentMilliseconds),
    ]
    return () => {
      unwatch?.()
      for (const timer of timers) clearInterval(timer)
    }
  }

  #rest(): void {
    this.#stop?.()
    this.#stop = undefined
  }

  /** Reads run one after another. A listener that arrives during one triggers another. */
  async #look(): Promise<void> {
    this.#isBehind = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isBehind) {
      this.#isBehind = false
      for (const those of groupedByNeeds(this.#open).values()) await this.#tell(those)
    }
    this.#isReading = false
  }

  async #tell(those: readonly EventStream[]): Promise<void> {
    const [first] = those
    if (first === undefined) return
    try {
      const events = await eventsAfter(this.#installation, this.#documents, first)
      for (const stream of those) stream.take(events)
      this.#isBehind ||= events.hasMore
    } catch (error) {
      if (!(error instanceof Refusal)) for (const stream of those) stream.fail(error)
      else if (error.refusal === 'gone') for (const stream of those) stream.reset(error.message)
      // The database is busy or lost: the next read reports it.
    }
  }

  /** Ends streams whose caller lost access, within a second. */
  async #sendAway(): Promise<void> {
    for (const stream of this.#open) if (stream.isFullFor(slowMilliseconds)) stream.body.destroy()
    const streams = [...this.#open]
    try {
      const admitted = await stillAdmitted(
        this.#installation,
        streams.map(({ caller }) => caller),
      )
      for (const stream of streams) if (!admitted.has(stream.caller.bond)) stream.end()
    } catch (error) {
      // If the database is lost, no events are sent.
      if (!(error instanceof Refusal)) for (const stream of streams) stream.fail(error)
    }
  }
}

/** Journal steps per read for one listener. */
const mostSteps = 200
const enoughBytes = mebibyte

/** The next events after a cursor. */
function eventsAfter(
  installation: Records,
  documents: DocumentCache,
  { cursor, untold, query, base, trash }: EventStream,
): Promise<Events> {
  return installation.database.read(async (snapshot) => {
    const { type, records } = query
    const { state, steps, cursorAfter, hasMore } = await readFeed(snapshot, installation, {
      since: cursorIn(cursor),
      type,
      limit: mostSteps,
    })
    const told = tellingsIn(steps, new Set(untold)).flatMap((change) => (change === null ? [] : [change]))
    const showing = { documents, base, state, now: installation.clock(), enoughBytes }
    const { shown, count } =
      records === 'shown' ? await recordsShown(snapshot, told, showing) : { shown: new Map(), count: told.length }
    const taken = count < told.length ? steps.findIndex(({ entry }) => entry === told[count]?.entry) : steps.length
    const left = new Set(untold)
    const pieces = new Pieces()
    for (const [index, change] of tellingsIn(steps.slice(0, taken), left).entries()) {
      if (change === null) continue
      pieces.write(`id: ${cursorAfter(index + 1)}\nevent: change\ndata: `)
      spellChange(pieces, change, { state, shown, trash })
      pieces.write('\n\n')
    }
    return {
      text: pieces.joined(),
      next: cursorAfter(taken),
      untold: left,
      hasMore: hasMore || taken < steps.length,
    }
  })
}
