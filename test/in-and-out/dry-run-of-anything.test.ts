import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Answer, Client, Json } from '../harness/client.ts'
import { engineUnderTest } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { png, pngBytes } from '../records/sample-files.ts'
import { BothWays } from './both-ways.ts'

/** What somebody does next; the numbers pick from what is there by then. */
interface Deed {
  readonly does: (typeof deeds)[number]
  readonly picks: readonly number[]
}

const deeds = [
  ...(['make', 'make', 'make', 'change', 'change', 'remove', 'batch', 'batch', 'batch'] as const),
  ...(['add a photo', 'revert', 'restore', 'end', 'undo', 'undo, but leave', 'repeat'] as const),
]

const deed: fc.Arbitrary<Deed> = fc.record({
  does: fc.constantFrom(...deeds),
  picks: fc.array(fc.nat(1000), { minLength: 24, maxLength: 24 }),
})

const lengths = rounds({
  short: { sqlite: { runs: 2, deeds: 24 }, postgres: { runs: 1, deeds: 20 } },
  long: { sqlite: { runs: 40, deeds: 60 }, postgres: { runs: 12, deeds: 60 } },
})[engineUnderTest()]

const types = ['log', 'farm_asset', 'taxonomy_term'] as const
type Type = (typeof types)[number]
type Pick = <T>(from: readonly T[]) => T

function picker(picks: readonly number[]): Pick {
  let nth = 0
  // Who picks from nothing gets nothing, and a write that names it is refused: that is tried, too.
  return <T>(from: readonly T[]) => from[(picks[nth++ % picks.length] ?? 0) % Math.max(1, from.length)] as T
}

/** Works on a farm, each write tried before it is made; some of them cannot be made. */
class TriedFirst {
  readonly #client: Client
  readonly #writes: BothWays
  readonly #sets: string[] = []
  #last: (() => Promise<Answer>) | undefined
  done = 0
  refused = 0

  constructor(client: Client, writes: BothWays) {
    this.#client = client
    this.#writes = writes
  }

  async do({ does, picks }: Deed): Promise<void> {
    const pick = picker(picks)
    const type = pick(types)
    switch (does) {
      case 'make':
        return this.#send('POST', `/${type}`, { body: await this.#body(type, pick), pick })
      case 'change': {
        const { type: _, vocabulary: __, uuid: ___, ...fields } = await this.#body(type, pick)
        const some = Object.entries(fields).filter(() => pick([true, false]))
        return this.#send('PUT', `/${type}/${pick(await this.#ids(type))}`, { body: Object.fromEntries(some), pick })
      }
      case 'remove':
        return this.#send('DELETE', `/${type}/${pick(await this.#ids(type))}`, { pick })
      case 'batch': {
        const operations: Json[] = []
        for (let nth = 0; nth < 2 + pick([0, 1, 2, 3, 4]); nth += 1) operations.push(await this.#operation(pick))
        const uuid = pick([{}, {}, { uuid: randomUUID() }])
        return this.#send('POST', '/batch', { body: { operations, atomic: pick([true, false]), ...uuid }, pick })
      }
      case 'add a photo': {
        const path = `/${type}/${pick(await this.#ids(type))}/images`
        const headers = { 'content-type': pick(['image/png', 'image/png', 'text/plain']) }
        const body = new Uint8Array(pngBytes(1, 1, String(pick(picks))))
        return this.#note(() => this.#writes.write('POST', path, { headers, body }))
      }
      case 'revert': {
        const path = `/${type}/${pick(await this.#ids(type))}/revert`
        return this.#send('POST', path, { body: { revision: pick([0, 1, 1, 2, 3]) }, pick })
      }
      case 'restore': {
        const query = pick(['', '?with=referents', '?drop=missing', '?with=referents&drop=missing'])
        return this.#send('POST', `/trash/${pick(await this.#trashed())}/restore${query}`, { pick })
      }
      case 'end':
        return this.#send('DELETE', `/trash/${pick(await this.#trashed())}`, { pick })
      case 'repeat':
        return this.#last === undefined ? undefined : this.#note(this.#last)
      default: {
        const query = does === 'undo' ? '' : '?leave=used'
        return this.#send('POST', `/changes/${pick(this.#sets)}/undo${query}`, { pick })
      }
    }
  }

  #send(method: string, path: string, { body, pick }: { readonly body?: Json; readonly pick: Pick }): Promise<void> {
    const key = pick<Record<string, string>>([{}, {}, { 'idempotency-key': randomUUID() }])
    const match = method === 'PUT' ? pick<Record<string, string>>([{}, {}, { 'if-match': '"1.unknown"' }]) : {}
    return this.#note(() => this.#writes.send(method, path, body, { ...key, ...match }))
  }

  async #note(write: () => Promise<Answer>): Promise<void> {
    this.#last = write
    const { status, headers } = await write()
    const set = headers.get('change-set')
    if (set !== null) this.#sets.push(set)
    if (status < 300) this.done += 1
    else this.refused += 1
  }

  async #trashed(): Promise<string[]> {
    return (await this.#client.read('/trash.json?limit=20')).list.map(({ uuid }: Json) => uuid)
  }

  #ids(type: Type): Promise<string[]> {
    return this.#client.ids(`/${type}.json?limit=1000`)
  }

  async #operation(pick: Pick): Promise<Json> {
    const type = pick(types)
    const body = await this.#body(type, pick)
    const id = pick([...(await this.#ids(type)), '$made', '$never'])
    return pick<Json>([
      { method: 'POST', path: '/farm_asset', body: await this.#body('farm_asset', pick), as: 'made' },
      { method: 'POST', path: `/${type}`, body },
      { method: 'POST', path: '/log', body: { ...(await this.#body('log', pick)), asset: [{ id: '$made' }] } },
      { method: 'PUT', path: `/${type}/${id}`, body: { name: body.name } },
      { method: 'DELETE', path: `/${type}/${id}` },
    ])
  }

  /** One in four has something that cannot be. */
  async #body(type: Type, pick: Pick): Promise<Json> {
    const makes = { log: this.#log, farm_asset: this.#asset, taxonomy_term: this.#term }
    const sound = await makes[type].call(this, pick)
    const faulty = pick<Json>([
      {},
      {},
      {},
      { name: '' },
      { parent: [{ id: '999999' }] },
      { colour: 'red' },
      { images: ['x'] },
    ])
    return { ...sound, ...pick<Json>([{}, {}, {}, faulty]), ...pick<Json>([{}, {}, { uuid: randomUUID() }]) }
  }

  async #log(pick: Pick): Promise<Json> {
    const some = async (path: string) => (pick([true, true, false]) ? (await this.#client.ids(path)).slice(0, 2) : [])
    const named = (ids: readonly string[]) => ids.map((id) => ({ id }))
    return {
      name: pick(['Move', 'Weigh', 'Count']),
      type: pick(['farm_activity', 'farm_observation', 'farm_harvest', 'farm_input']),
      timestamp: pick([10, 20, 30]),
      done: pick([1, 1, 0]),
      asset: named(await some('/farm_asset.json')),
      movement: { area: pick([[], [{ name: pick(['North', 'South', 'West']) }]]), geometry: pick(['', 'POINT (1 2)']) },
      membership: { group: named(await some('/farm_asset.json?type=group')) },
      inventory: named(await some('/farm_asset.json')).map((asset) => ({ asset, value: pick(['1.5', '-2']) })),
      quantity: [{ measure: 'weight', value: pick(['1', '2']), unit: { name: pick(['kg', 'lb', 'crates', 'sacks']) } }],
      log_category: [{ name: pick(['Animals', 'New', 'Newer', 'Newest', 'Newest of all']) }],
      images: pick([[], [png('a')], [png('a'), png('b')]]),
    }
  }

  async #asset(pick: Pick): Promise<Json> {
    const type = pick(['compost', 'group', 'planting', 'animal'])
    const parents = await this.#client.ids('/farm_asset.json')
    return {
      name: pick(['Heap', 'Herd', 'Bed']),
      type,
      images: pick([[], [png('c')]]),
      parent: pick([[], [{ id: pick(parents) }]]),
      ...(type === 'planting' ? { crop: [{ name: pick(['Kale', 'Leek', 'Oats']) }] } : {}),
      ...(type === 'animal' ? { animal_type: { name: pick(['Sheep', 'Goat']) } } : {}),
    }
  }

  async #term(pick: Pick): Promise<Json> {
    const vocabulary = pick(['farm_areas', 'farm_crops', 'farm_quantity_units'])
    const parents = await this.#client.ids(`/taxonomy_term.json?bundle=${vocabulary}`)
    const parent = pick<Json>([[], [{ id: pick(parents) }], [{ name: pick(['Above', 'Far above']) }]])
    return { name: pick(['North', 'Kale', 'kg', 'Newest']), vocabulary, parent }
  }
}

it('a dry run says what the write will say, whatever is done, and leaves everything as it was', async () => {
  const farm = await openFarm()
  farm.setClock(1_700_000_000)
  const client = await farm.login('manager')
  let [done, refused] = [0, 0]
  const oneWhile = fc.asyncProperty(
    fc.array(deed, { minLength: lengths.deeds / 2, maxLength: lengths.deeds }),
    async (all: readonly Deed[]) => {
      const tried = new TriedFirst(client, new BothWays(farm, client))
      for (const one of all) await tried.do(one)
      done += tried.done
      refused += tried.refused
    },
  )
  await fc.assert(oneWhile, { numRuns: lengths.runs, interruptAfterTimeLimit: 120_000, endOnFailure: true })
  expect(done).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
}, 300_000)
