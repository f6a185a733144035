import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type TrashView, trashViewOf } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import { kibibyte } from '../../fields/byte-size.ts'
import { must } from '../../storage/sql/fragment.ts'
import type { FeedQuery } from './change-feed.ts'

/** Backpressure: a listener gets no more until it has read this much. */
const handedOn = 64 * kibibyte

/** The result of one read of the feed, for all listeners at the same cursor. */
export interface Events {
  readonly text: Buffer
  /** The cursor after them. */
  readonly next: string
  readonly untold: ReadonlySet<string>
  readonly hasMore: boolean
}

interface Listener {
  readonly request: FastifyRequest
  readonly caller: IdentifiedCaller
  readonly query: Pick<FeedQuery, 'type' | 'records'>
  readonly base: string
  readonly cursor: string
  /** Called when it can take more. */
  readonly whenReady: () => void
}

/** A listener and its cursor. */
export class EventStream {
  readonly body: Readable
  readonly caller: IdentifiedCaller
  readonly query: Listener['query']
  readonly base: string
  readonly #request: FastifyRequest
  #cursor: string
  #untold: ReadonlySet<string> = new Set()
  #fullSince: number | null = null

  constructor({ request, caller, query, base, cursor, whenReady }: Listener) {
    this.#request = request
    this.caller = caller
    this.query = query
    this.base = base
    this.#cursor = cursor
    this.body = new Readable({
      highWaterMark: handedOn,
      read: () => {
        const wasFull = this.#fullSince !== null
        this.#fullSince = null
        if (wasFull) whenReady()
      },
    })
    // The id to resume from, if the connection breaks before the first event.
    this.#write(Buffer.from(`retry: 2000\nid: ${cursor}\n\n`))
  }

  get cursor(): string {
    return this.#cursor
  }

  get trash(): TrashView {
    return trashViewOf(this.caller)
  }

  get untold(): ReadonlySet<string> {
    return this.#untold
  }

  /** Listeners with equal keys share events. A listener in the middle of an event has its own key. */
  get needs(): string {
    const { type = '', records } = this.query
    return `${this.#cursor} ${type} ${records} ${this.trash} ${this.base} ${[...this.#untold].join()}`
  }

  get isReady(): boolean {
    return this.#fullSince === null && !this.body.destroyed
  }

  isFullFor(milliseconds: number): boolean {
    return this.#fullSince !== null && performance.now() - this.#fullSince > milliseconds
  }

  take({ text, next, untold }: Events): void {
    this.#cursor = next
    this.#untold = untold
    if (text.length > 0) this.#write(text)
  }

  /** Heartbeat: an SSE comment line. */
  comment(): void {
    if (this.isReady) this.#write(Buffer.from(`: listening\nid: ${this.#cursor}\n\n`))
  }

  /** The listener's cursor belongs to another farm. An empty id resets the browser's last event id. */
  reset(detail: string): void {
    this.#write(Buffer.from(`event: reset\nid:\ndata: ${JSON.stringify({ detail })}\n\n`))
    this.end()
  }

  /** Ends the stream after a bug, which is logged. */
  fail(bug: unknown): void {
    this.#request.bug = bug
    this.end()
  }

  end(): void {
    if (!this.body.destroyed && !this.body.readableEnded) this.body.push(null)
  }

  #write(text: Buffer): void {
    if (this.body.destroyed) return
    if (!this.body.push(text)) this.#fullSince ??= performance.now()
  }
}

export function groupedByNeeds(streams: Iterable<EventStream>): ReadonlyMap<string, readonly EventStream[]> {
  const groups = new Map<string, EventStream[]>()
  for (const stream of streams) {
    if (!stream.isReady) continue
    if (!groups.has(stream.needs)) groups.set(stream.needs, [])
    must(groups.get(stream.needs)).push(stream)
  }
  return groups
}
