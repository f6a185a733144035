import { expect } from 'vitest'
import type { Answer, Client, Json } from '../harness/client.ts'
import type { FarmUnderTest } from '../harness/farm.ts'
import { everythingKept, type Kept } from '../records/everything-kept.ts'

interface Init {
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** Something that was not there before. */
interface Fresh {
  readonly type: string
  readonly id: number
  readonly uuid: string
  readonly bundle?: string
  readonly name?: string
}

const resourceOf: Readonly<Record<string, string>> = {
  log: 'log',
  asset: 'farm_asset',
  term: 'taxonomy_term',
  quantity: 'quantity',
  file: 'file',
}

/** Makes every write twice, first as a dry run: it must leave nothing behind, and say what the write then says. */
export class BothWays {
  readonly #farm: FarmUnderTest
  readonly #client: Client
  #kept: Kept | undefined

  constructor(farm: FarmUnderTest, client: Client) {
    this.#farm = farm
    this.#client = client
  }

  send(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const type = path.startsWith('/api/') ? 'application/vnd.api+json' : 'application/json'
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    return this.write(method, path, { headers: { 'content-type': type, ...headers }, ...sent })
  }

  /** Answers as the write did. */
  async write(method: string, path: string, init: Init): Promise<Answer> {
    const before = this.#kept ?? (await everythingKept(this.#farm))
    const { next } = await this.#client.read('/changes')
    const dry = await this.#client.send(method, `${path}${path.includes('?') ? '&' : '?'}dry_run=1`, init)
    const between = await everythingKept(this.#farm)
    expect(between, `${method} ${path} has left something behind`).toEqual(before)
    expect((await this.#client.read(`/changes?since=${next}`)).changes).toEqual([])
    const real = await this.#client.send(method, path, init)
    const after = await everythingKept(this.#farm)
    this.#kept = after
    this.#compare(dry, real, {
      what: `${method} ${path} ${String(init.body).slice(0, 5_000)}`,
      fresh: freshIn(between, after),
      given: String(init.body),
    })
    return real
  }

  #compare(
    dry: Answer,
    real: Answer,
    { what, fresh, given }: { readonly what: string; readonly fresh: readonly Fresh[]; readonly given: string },
  ): void {
    const told = `${what}\n${dry.text}\n${real.text}`
    expect(real.status, told).toBeLessThan(500)
    expect(dry.status, told).toBe(real.status)
    expect(dry.headers.get('dry-run')).toBe('1')
    expect(real.headers.has('dry-run')).toBe(false)
    expect(dry.headers.get('content-type')).toBe(real.headers.get('content-type'))
    expect(dry.headers.get('idempotent-replayed')).toBe(real.headers.get('idempotent-replayed'))
    if (real.status >= 400) {
      expect(dry.body, told).toEqual(real.body)
      return
    }
    const isReplayed = real.headers.has('idempotent-replayed')
    for (const name of ['location', 'change-set']) {
      expect(dry.headers.get(name), name).toBe(isReplayed ? real.headers.get(name) : null)
    }
    if (isReplayed) {
      expect(dry.body, told).toEqual(real.body)
      return
    }
    const { would_create = [], ...shown } = Array.isArray(dry.body) ? { list: dry.body } : (dry.body ?? {})
    const expected = Array.isArray(real.body) ? { list: real.body } : (real.body ?? {})
    expect(pruned(shown), told).toEqual(pruned(this.#unnamed(expected, fresh)))
    // In /api nothing is made by its name.
    expect(would_create, told).toEqual(real.body?.jsonapi === undefined ? termsByName(fresh, real.body) : [])
    for (const { uuid } of fresh) if (!given.includes(uuid)) expect(dry.text).not.toContain(uuid)
  }

  /** What the write has answered, without what names something fresh. */
  #unnamed(body: Json, fresh: readonly Fresh[]): Json {
    const { base } = this.#farm
    const addresses = new Set(fresh.map(({ type, id }) => `${base}/${resourceOf[type]}/${id}`))
    const uuids = new Set(fresh.map(({ uuid }) => uuid))
    const isFresh = (text: Json): boolean =>
      typeof text === 'string' &&
      (uuids.has(text) ||
        addresses.has(text) ||
        addresses.has(text.split('/').slice(0, 5).join('/')) ||
        (text.startsWith(`${base}/api/`) && [...uuids].some((uuid) => text.includes(uuid))))
    const walked = (tree: Json): Json => {
      if (Array.isArray(tree)) return tree.map((one) => (isFresh(one) ? null : walked(one)))
      if (typeof tree !== 'object' || tree === null) return tree
      const isThing = isFresh(tree.uri) || isFresh(tree.url) || (/--/.test(tree.type) && isFresh(tree.id))
      const own = isThing ? withoutNames(tree) : tree
      return Object.fromEntries(
        Object.entries(own)
          .filter(([name, value]) => !(name === 'href' && isFresh(value)))
          .map(([name, value]) => [name, walked(value)]),
      )
    }
    const { version: _, set: __, ...rest } = walked(body)
    return rest
  }
}

const names = /^(?:id|tid|uuid|uri|url|drupal_internal__.*)$/

function withoutNames(tree: Json): Json {
  const { attributes, meta, ...own } = Object.fromEntries(Object.entries(tree).filter(([name]) => !names.test(name)))
  const lesser = (of: Json, left: RegExp) =>
    of === undefined ? of : Object.fromEntries(Object.entries(of).filter(([name]) => !left.test(name)))
  return {
    ...own,
    attributes: lesser(attributes, /^(?:uri|drupal_internal__.*)$/),
    meta: lesser(meta, /^drupal_internal__/),
  }
}

/** Without objects that hold nothing: what is left of links that led to something fresh. */
function pruned(tree: Json): Json {
  if (Array.isArray(tree)) return tree.map(pruned)
  if (typeof tree !== 'object' || tree === null) return tree
  const members = Object.entries(tree)
    .map(([name, value]) => [name, pruned(value)] as const)
    .filter(([, value]) => value !== undefined)
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

function freshIn(before: Kept, after: Kept): readonly Fresh[] {
  return Object.keys(resourceOf).flatMap((type) => {
    const known = new Set((before[type] ?? []).map((row) => JSON.parse(row).id))
    const returned = new Set((before.identity ?? []).map((row) => JSON.parse(row).uuid))
    return (after[type] ?? [])
      .map((row) => ({ ...JSON.parse(row), type }))
      .filter(({ id, uuid }) => !known.has(id) && !returned.has(uuid))
      .toSorted((a, b) => a.id - b.id)
  })
}

/** The fresh terms, but for those that were asked for as such: alone, in a batch, a sheet or a map. */
function termsByName(fresh: readonly Fresh[], body: Json): readonly Json[] {
  const asked = [body, body?.results, body?.rows, body?.features]
    .flat()
    .flatMap((one) => (one?.resource === 'taxonomy_term' ? [Number(one.id)] : []))
  return fresh
    .filter(({ type, id }) => type === 'term' && !asked.includes(id))
    .map(({ bundle, name }) => ({ vocabulary: bundle, name }))
}
