import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type TrashView, trashViewOf } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import { kibibyte } from '../../fields/byte-size.ts'
import { must } from '../../storage/sql/fragment.ts'
import type { FeedQuery } from './change-feed.ts'

/** Beyond this nothing is handed to a listener until it has taken what it was given. */
const handedOn = 64 * kibibyte

/** What one read of the feed has for those who listen from the same place. */
export interface Events {
  readonly text: Buffer
  /** The cursor behind them. */
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
  /** Called when it takes more. */
  readonly whenReady: () => void
}

/** Somebody who listens, and how far they have come. */
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
    // The place to come back to, should the connection break before the first event.
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

  /** Those who have this in common are told the same; who has been told of half of something is alone. */
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

  /** Nothing has happened: the line says that somebody is there. */
  comment(): void {
    if (this.isReady) this.#write(Buffer.from(`: listening\nid: ${this.#cursor}\n\n`))
  }

  /** What the listener has is of another farm. An empty id: the one before means nothing any more. */
  reset(detail: string): void {
    this.#write(Buffer.from(`event: reset\nid:\ndata: ${JSON.stringify({ detail })}\n\n`))
    this.end()
  }

  /** Something went wrong here: the log knows. */
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

/** Listeners by what they need. */
export function groupedByNeeds(streams: Iterable<EventStream>): ReadonlyMap<string, readonly EventStream[]> {
  const groups = new Map<string, EventStream[]>()
  for (const stream of streams) {
    if (!stream.isReady) continue
    if (!groups.has(stream.needs)) groups.set(stream.needs, [])
    must(groups.get(stream.needs)).push(stream)
  }
  return groups
}
