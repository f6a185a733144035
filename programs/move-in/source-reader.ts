import { join } from 'node:path'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { Refusal } from '../../src/refusal.ts'
import type { Report } from '../../src/storage/report.ts'
import { JsonLinesStore } from './json-lines-store.ts'
import {
  lastPageIn,
  numbered,
  recordLists,
  type SourceList,
  type SourceType,
  sourceLists,
  sourceTypes,
  users,
  vocabularies,
} from './source-lists.ts'
import type { SourceServer } from './source-server.ts'

const pageSize = 100
/** Maximum number of rounds that look for changes meanwhile. */
const mostRounds = 20
/** Ten million records: a server with more is making them up. */
const mostPages = 100_000

/** Everything read from the source. */
export interface SourceFarm {
  readonly info: Tree
  /** A Furrow sends texts as written, and UUIDs. */
  readonly from: 'farmOS' | 'Furrow'
  readonly vocabularies: JsonLinesStore
  readonly users: JsonLinesStore
  readonly records: Readonly<Record<SourceType, JsonLinesStore>>
}

/** Reads all lists into files of that folder, resuming an earlier reading, until nothing is new. */
export async function readSource(server: SourceServer, folder: string, report: Report): Promise<SourceFarm> {
  const info = await server.info()
  const from = (await server.isFurrow()) ? 'Furrow' : 'farmOS'
  const stores = new Map(sourceLists.map((kind) => [kind, new JsonLinesStore(join(folder, `${kind.resource}.jsonl`))]))
  const walks = new Map(
    sourceLists.map(
      (kind) => [kind, new ListReader({ server, kind, store: storeOf(stores, kind), report, from })] as const,
    ),
  )
  for (const walk of walks.values()) await walk.byNumber('first')
  for (const walk of walks.values()) await walk.byChange()
  // Terms have no time of change, and a log may have created some.
  await walks.get(recordLists.term)?.byNumber('again')
  for (const type of sourceTypes) await walks.get(recordLists[type])?.compareNumbers()
  return {
    info,
    from,
    vocabularies: storeOf(stores, vocabularies),
    users: storeOf(stores, users),
    records: {
      term: storeOf(stores, recordLists.term),
      asset: storeOf(stores, recordLists.asset),
      log: storeOf(stores, recordLists.log),
    },
  }
}

function storeOf(stores: ReadonlyMap<SourceList, JsonLinesStore>, kind: SourceList): JsonLinesStore {
  const store = stores.get(kind)
  if (store === undefined) throw new Error(`${kind.resource} is not read`)
  return store
}

interface ListContext {
  readonly server: SourceServer
  readonly kind: SourceList
  readonly store: JsonLinesStore
  readonly report: Report
  readonly from: SourceFarm['from']
}

interface Page {
  readonly items: ReadonlyMap<number, Tree>
  readonly unnumbered: readonly string[]
  readonly last: number
  /** Number of items of any kind on it. */
  readonly length: number
}

interface MissingPage {
  readonly order: Readonly<Record<string, string>>
  readonly path: string
}

/** Attempts for a page that must exist. */
const mostAttempts = 3

const byChange = { sort: 'changed', direction: 'DESC' }

const timesOfChange = (items: ReadonlyMap<number, Tree>): readonly number[] =>
  [...items.values()].map(({ changed }) => Number(changed))

/** Reads the lists of one kind of item, in several orders. */
class ListReader {
  readonly #walked: ListContext
  /** The source's latest time of change when the reading began: older records are up to date. */
  #began = 0

  constructor(walked: ListContext) {
    this.#walked = walked
  }

  /** Page by page in order of ids, where new items come at the end. */
  async byNumber(round: 'first' | 'again'): Promise<void> {
    const { kind, store, report } = this.#walked
    const order = { sort: kind.idName, direction: 'ASC' }
    if (round === 'first' && kind.changes) this.#began = await this.#beginning()
    const kept = (number: number, page: Page) => {
      store.keep(page.items)
      store.keepUnnumbered(number, page.unnumbered)
      // The last page may still grow.
      if (number < page.last && round === 'first') store.mark(`page ${number}`)
    }
    const first = await this.#page(0, order)
    kept(0, first)
    const end = first.last === 0 ? first : await this.#page(first.last, order)
    kept(first.last, end)
    const total = () => Math.max(store.size, first.last === 0 ? 0 : first.last * first.length + end.length)
    report(kind.label, store.size, total())
    const isDone = (page: number) => round === 'first' && store.isMarked(`page ${page}`)
    const between = Array.from({ length: Math.max(0, first.last - 1) }, (_, index) => index + 1)
    await Promise.all(
      between.map(async (number) => {
        if (isDone(number)) return
        kept(number, await this.#page(number, order))
        report(kind.label, store.size, total())
      }),
    )
    report(kind.label, store.size, store.size)
  }

  /** The latest change before the reading began. An earlier reading has stored it. */
  async #beginning(): Promise<number> {
    const { store } = this.#walked
    const noted = store.markedNumber('began')
    if (noted !== undefined) return noted
    // Without the mark, the age of records from an earlier reading is unknown.
    const began = store.size === 0 ? await this.#lastChange() : 0
    store.mark(`began ${began}`)
    return began
  }

  /** Latest change first: back to the start of the reading, and again until nothing is new. */
  async byChange(): Promise<void> {
    const { kind, store, report } = this.#walked
    if (!kind.changes) return
    for (let round = 0; round < mostRounds; round += 1) {
      let found = 0
      for (let page = 0; ; page += 1) {
        const { items, last } = await this.#page(page, byChange)
        const fresh = store.keep(items)
        found += fresh
        report(`${kind.label} changed meanwhile`, found, 0)
        const isOlder = timesOfChange(items).some((time) => time < this.#began)
        if ((fresh === 0 && isOlder) || page >= last) break
      }
      if (found === 0) return
    }
    throw this.#restless()
  }

  async #lastChange(): Promise<number> {
    return Math.max(0, ...timesOfChange((await this.#page(0, byChange)).items))
  }

  /** A removed record shifts later ones to the page before, which may have been read already. */
  async compareNumbers(): Promise<void> {
    const { kind, store, server, report } = this.#walked
    for (let round = 0; round < mostRounds; round += 1) {
      const there = await this.#numbers()
      const missing = [...there].filter((id) => !store.has(id))
      const gone = store.ids.filter((id) => !there.has(id))
      store.drop(gone)
      if (missing.length === 0) return
      let done = 0
      for (const id of missing) {
        const one = await server.jsonIfAny(`/${kind.resource}/${id}.json`)
        if (isTree(one)) store.keep(numbered([one], kind).items)
        report(`${kind.label} that moved meanwhile`, ++done, missing.length)
      }
    }
    throw this.#restless()
  }

  async #numbers(): Promise<ReadonlySet<number>> {
    const { kind, report } = this.#walked
    const order = { sort: kind.idName, direction: 'ASC', full: '0' }
    const first = await this.#page(0, order)
    const found = new Set(first.items.keys())
    const pages = Array.from({ length: first.last }, (_, index) => index + 1)
    let done = 1
    await Promise.all(
      pages.map(async (page) => {
        for (const id of (await this.#page(page, order)).items.keys()) found.add(id)
        report(`pages of numbers of ${kind.label}`, ++done, first.last + 1)
      }),
    )
    return found
  }

  async #page(page: number, order: Readonly<Record<string, string>>): Promise<Page> {
    const { server, kind, from } = this.#walked
    const isRecord = sourceTypes.some((type) => recordLists[type] === kind)
    const uuids = from === 'Furrow' && isRecord && order.full === undefined ? { with: 'uuid' } : {}
    const query = new URLSearchParams({ ...order, ...uuids, limit: String(pageSize), page: String(page) })
    const path = `/${kind.resource}.json?${query}`
    const answer = await server.jsonIfAny(path)
    if (answer === undefined && page > 0) return this.#pageBeyond(page, { order, path })
    if (!isTree(answer) || !Array.isArray(answer.list)) {
      throw new Refusal(
        'forbidden',
        `The ${kind.label} of ${server.address} cannot be read: this account may not, or it is no farmOS 1.x.`,
      )
    }
    const last = lastPageIn(answer)
    if (last > mostPages)
      throw new Refusal('too-large', `${server.address} tells of ${last} pages of ${kind.label}: no farm has so many.`)
    return { ...numbered(answer.list, kind), last, length: answer.list.length }
  }

  /** The last page may be beyond the end by now. A page that should exist is never taken for an empty one. */
  async #pageBeyond(page: number, { order, path }: MissingPage): Promise<Page> {
    const { kind, server } = this.#walked
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      if ((await this.#page(0, order)).last < page) return { items: new Map(), unnumbered: [], last: page, length: 0 }
      if ((await server.jsonIfAny(path)) !== undefined) return this.#page(page, order)
    }
    throw new Refusal(
      'busy',
      `${server.address}${path} is not answered, although there are ${kind.label} on that page. Nothing is kept without them: mend the other server, and go on with --resume.`,
    )
  }

  #restless(): Refusal {
    const { kind, server } = this.#walked
    return new Refusal(
      'busy',
      `The ${kind.label} of ${server.address} change faster than they can be read. Try again at a quieter time, with --resume.`,
    )
  }
}
