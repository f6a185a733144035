import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Json } from '../harness/client.ts'
import { Listener } from './listener.ts'

/** What a reader of the feed believes: each record it was told of, at which revision, or gone at which. */
export class Belief {
  readonly states = new Map<string, string>()
  /** What it was told that cannot be. */
  readonly faults: string[] = []
  readonly #revisions = new Map<string, number>()

  /** `again`: whether a state may be told twice. */
  note({ type, id, version, verb }: Json, again: 'may be told again' | 'is told once'): void {
    const key = `${type} ${id}`
    const revision = Number.parseInt(version, 10)
    const known = this.#revisions.get(key) ?? 0
    if (revision < known || (revision === known && again === 'is told once'))
      this.faults.push(`${key}: ${verb} ${revision} after ${known}`)
    this.#revisions.set(key, revision)
    this.states.set(key, `${verb === 'remove' ? 'gone' : 'there'} at ${revision}`)
  }
}

export interface FeedReader {
  readonly belief: Belief
  /** Resolves when it has taken all that was there when it was asked to stop. */
  stop(): Promise<void>
}

/** Asks for pages of ever another length. */
export function poll(client: Client, cursor: string): FeedReader {
  const belief = new Belief()
  let isStopping = false
  const run = async () => {
    for (let next = cursor; ; ) {
      const isLast = isStopping
      const page = await client.read(`/changes?since=${next}&records=0&limit=${1 + Math.floor(Math.random() * 20)}`)
      for (const change of page.changes) belief.note(change, 'may be told again')
      next = page.next
      if (isLast && !page.more && page.changes.length === 0) return
      if (!page.more) await sleep(Math.random() * 20)
    }
  }
  const running = run()
  return {
    belief,
    stop: () => {
      isStopping = true
      return running
    },
  }
}

/** Listens; now and then it loses the connection and comes back to where it was. */
export function listen(client: Client, cursor: string, staysFor: () => number): FeedReader {
  const belief = new Belief()
  let isStopping = false
  let last = cursor
  const run = async () => {
    while (!isStopping) {
      const listener = await Listener.open(client, '/changes?records=0', { 'last-event-id': last })
      const until = performance.now() + staysFor()
      while (!isStopping && performance.now() < until) await sleep(5)
      if (isStopping) await sleep(2500)
      await listener.close()
      for (const { data } of listener.events) belief.note(data, 'is told once')
      last = listener.lastId || last
    }
  }
  const running = run()
  return {
    belief,
    stop: () => {
      isStopping = true
      return running
    },
  }
}
