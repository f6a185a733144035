import { join } from 'node:path'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { secondsIn } from '../../src/fields/time.ts'
import { Refusal } from '../../src/refusal.ts'
import type { Report } from '../../src/storage/report.ts'
import {
  type ApiFarm,
  labelOf,
  type ResourceList,
  type SourceFamily,
  sourceFamilies,
  unnumberedKeys,
} from './api-resources.ts'
import { JsonLinesStore } from './json-lines-store.ts'
import { numberIn } from './source-lists.ts'
import type { SourceServer } from './source-server.ts'

/** The attribute with the number of a resource. */
const numberNames: Readonly<Record<SourceFamily, string>> = {
  taxonomy_term: 'drupal_internal__tid',
  asset: 'drupal_internal__id',
  quantity: 'drupal_internal__id',
  log: 'drupal_internal__id',
  user: 'drupal_internal__uid',
  file: 'drupal_internal__fid',
}

const mostRounds = 20
const mostPages = 200_000

/** Reads all lists into files of that folder, resuming an earlier reading, until nothing is new. */
export async function readApi(server: SourceServer, folder: string, report: Report): Promise<ApiFarm> {
  const entry = await server.info()
  const lists = listsIn(entry, server)
  const resources = Object.fromEntries(
    sourceFamilies.map((family) => [family, new JsonLinesStore(join(folder, `api-${family}.jsonl`))]),
  ) as Record<SourceFamily, JsonLinesStore>
  const readers = lists.map((list) => new ResourceReader({ server, list, store: resources[list.family], report }))
  await Promise.all(readers.map((reader) => reader.readAll()))
  await Promise.all(readers.map((reader) => reader.readChanges()))
  const indexes = new Map(sourceFamilies.map((family) => [family, keysByType(resources[family])]))
  await Promise.all(
    readers.map((reader) => reader.compareIds(indexes.get(reader.list.family)?.get(reader.list.name) ?? new Map())),
  )
  const schemas = new Map<string, Tree>()
  await Promise.all(
    lists
      .filter(({ family }) => family !== 'user' && family !== 'file')
      .map(async ({ name, path }) => {
        const schema = await server.jsonIfAny(`${path}/resource/schema`).catch(() => undefined)
        if (isTree(schema) && isTree(schema.definitions)) schemas.set(name, schema)
      }),
  )
  const hidden = sourceFamilies.flatMap((family) => resources[family].marksAfter('hidden'))
  const isFurrow = isTree(entry.meta) && isTree(entry.meta.furrow)
  return { entry, isFurrow, lists, resources, schemas, hidden }
}

/** Keys by type and UUID. */
function keysByType(store: JsonLinesStore): ReadonlyMap<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>()
  for (const [key, { type, id }] of store.all()) {
    const keys = found.get(String(type)) ?? new Map()
    found.set(String(type), keys.set(String(id), key))
  }
  return found
}

/** The lists that the entry document links to. */
export function listsIn({ links }: Tree, server: SourceServer): readonly ResourceList[] {
  return Object.entries(isTree(links) ? links : {}).flatMap(([name, link]) => {
    const [, family, bundle] = /^([a-z_]+)--(\w+)$/.exec(name) ?? []
    const href = isTree(link) ? link.href : link
    const path = typeof href === 'string' ? server.pathOf(href) : undefined
    const known = sourceFamilies.find((one) => one === family)
    return known === undefined || bundle === undefined || path === undefined
      ? []
      : [{ name, family: known, bundle, path }]
  })
}

interface ReaderContext {
  readonly server: SourceServer
  readonly list: ResourceList
  readonly store: JsonLinesStore
  readonly report: Report
}

interface ResourcePage {
  readonly items: ReadonlyMap<number, Tree>
  readonly next: string | undefined
}

/** Reads the list of one resource type. */
class ResourceReader {
  readonly #context: ReaderContext

  constructor(context: ReaderContext) {
    this.#context = context
  }

  get list(): ResourceList {
    return this.#context.list
  }

  /** Page by page by their links. A resumed reading goes on with the page that it noted last. */
  async readAll(): Promise<void> {
    const { list, store, report } = this.#context
    if (store.isMarked(`done ${list.name}`)) return
    if (hasChanges(list) && store.markedNumber(`began ${list.name}`) === undefined)
      store.mark(`began ${list.name} ${await this.#latestChange()}`)
    const from = store.marksAfter(`next ${list.name}`).at(-1) ?? this.#firstPage()
    for await (const { items, next } of this.#pages(from)) {
      store.keep(items)
      if (next !== undefined) store.mark(`next ${list.name} ${next}`)
      report(labelOf(list), store.size, 0)
    }
    store.mark(`done ${list.name}`)
  }

  /** Everything that changed since the reading began, and again until nothing is new. */
  async readChanges(): Promise<void> {
    const { list, store, report } = this.#context
    if (!hasChanges(list)) return this.#readAgain()
    for (let round = 0; round < mostRounds; round += 1) {
      const since = store.markedNumber(`began ${list.name}`) ?? 0
      let fresh = 0
      let latest = since
      for await (const { items } of this.#pages(this.#changesSince(since))) {
        fresh += store.keep(items)
        for (const item of items.values()) latest = Math.max(latest, changeOf(item))
        report(`${labelOf(list)} changed meanwhile`, fresh, 0)
      }
      if (latest > since) store.mark(`began ${list.name} ${latest}`)
      if (fresh === 0) return
    }
    throw this.#restless()
  }

  /** Accounts and files cannot be filtered by their time of change. */
  async #readAgain(): Promise<void> {
    for await (const { items } of this.#pages(this.#firstPage())) this.#context.store.keep(items)
  }

  /** A removed resource shifts later ones to the page before, which may have been read already. */
  async compareIds(here: Map<string, number>): Promise<void> {
    const { list, store, server, report } = this.#context
    for (let round = 0; round < mostRounds; round += 1) {
      const there = new Map<string, number>()
      for await (const { items } of this.#pages(
        this.#firstPage({ [`fields[${list.name}]`]: numberNames[list.family] }),
      ))
        for (const [key, item] of items) there.set(String(item.id), key)
      const gone = [...here].filter(([id]) => !there.has(id))
      store.drop(gone.map(([, key]) => key))
      for (const [id] of gone) here.delete(id)
      const missing = [...there.keys()].filter((id) => !here.has(id))
      if (missing.length === 0) return
      for (const [index, id] of missing.entries()) {
        const answer = await server.jsonIfAny(`${list.path}/${id}`)
        const items = isTree(answer) && isTree(answer.data) ? keyed([answer.data], list) : new Map<number, Tree>()
        store.keep(items)
        for (const key of items.keys()) here.set(id, key)
        report(`${labelOf(list)} that moved meanwhile`, index + 1, missing.length)
      }
    }
    throw this.#restless()
  }

  async #latestChange(): Promise<number> {
    const path = this.#firstPage({ sort: '-changed', 'page[limit]': '1' })
    const page = await this.#page(path)
    return Math.max(0, ...[...page.items.values()].map(changeOf))
  }

  #firstPage(more: Readonly<Record<string, string>> = {}): string {
    const { list } = this.#context
    const query = { 'page[limit]': '50', sort: numberNames[list.family], ...more }
    return `${list.path}?${new URLSearchParams(query)}`
  }

  #changesSince(second: number): string {
    return this.#firstPage({
      'filter[since][condition][path]': 'changed',
      'filter[since][condition][operator]': '>=',
      'filter[since][condition][value]': String(second),
    })
  }

  async *#pages(first: string): AsyncGenerator<ResourcePage> {
    const seen = new Set<string>()
    for (let path: string | undefined = first; path !== undefined; ) {
      if (seen.has(path) || seen.size > mostPages) throw this.#restless()
      seen.add(path)
      const page: ResourcePage = await this.#page(path)
      yield page
      path = page.next
    }
  }

  async #page(path: string): Promise<ResourcePage> {
    const { server, list, store } = this.#context
    const answer = await server.jsonIfAny(path)
    if (!isTree(answer) || !Array.isArray(answer.data)) {
      if (list.family === 'user' || list.family === 'file') return { items: new Map(), next: undefined }
      throw new Refusal(
        'forbidden',
        `The list ${list.name} of ${server.address} cannot be read: this account may not, or it is no farmOS.`,
      )
    }
    for (const address of hiddenIn(answer)) if (!store.isMarked(`hidden ${address}`)) store.mark(`hidden ${address}`)
    const link = isTree(answer.links) ? answer.links.next : undefined
    const href = isTree(link) ? link.href : link
    return { items: keyed(answer.data, list), next: typeof href === 'string' ? this.#pathOf(href) : undefined }
  }

  #pathOf(href: string): string {
    const { server, list } = this.#context
    const path = server.pathOf(href)
    if (path !== undefined) return path
    throw new Refusal(
      'conflict',
      `${server.address} says that ${list.name} goes on at ${href}, and nothing is asked of another host. Give that address.`,
    )
  }

  #restless(): Refusal {
    const { list, server } = this.#context
    return new Refusal(
      'busy',
      `The list ${list.name} of ${server.address} changes faster than it can be read. Try again at a quieter time, with --resume.`,
    )
  }
}

const hasChanges = ({ family }: ResourceList): boolean => family !== 'user' && family !== 'file'

const changeOf = ({ attributes }: Tree): number => (isTree(attributes) ? (secondsIn(attributes.changed) ?? 0) : 0)

/** Addresses of records that are left out of a list because this account may not see them. */
function hiddenIn({ meta }: Tree): readonly string[] {
  const omitted = isTree(meta) ? meta.omitted : undefined
  const links = isTree(omitted) && isTree(omitted.links) ? omitted.links : {}
  return Object.entries(links).flatMap(([name, link]) =>
    name.startsWith('item') && isTree(link) && typeof link.href === 'string' ? [link.href] : [],
  )
}

/** Resources by number. One whose number is not shown gets a key of its UUID. */
function keyed(items: readonly unknown[], { name, family }: ResourceList): ReadonlyMap<number, Tree> {
  return new Map(
    items.filter(isTree).flatMap((item) => {
      if (item.type !== name || typeof item.id !== 'string') return []
      const attributes = isTree(item.attributes) ? item.attributes : {}
      const number = numberIn(attributes[numberNames[family]])
      const key = number ?? unnumberedKeys + Number.parseInt(item.id.replaceAll('-', '').slice(0, 12), 16)
      if (Number.isNaN(key) || (family === 'user' && number === 0)) return []
      return [[key, { type: item.type, id: item.id.toLowerCase(), attributes, relationships: targetsIn(item) }]]
    }),
  )
}

const targetsIn = ({ relationships }: Tree): Tree =>
  Object.fromEntries(
    Object.entries(isTree(relationships) ? relationships : {}).flatMap(([name, relationship]) =>
      isTree(relationship) && relationship.data !== undefined ? [[name, relationship.data]] : [],
    ),
  )
