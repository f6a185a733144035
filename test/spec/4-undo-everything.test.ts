import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shownOnRequest } from '../../src/farm/fields-of.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Answer, Client, Json } from '../harness/client.ts'
import { engineUnderTest } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { examined } from '../operation/examined.ts'

/** What somebody does next; the numbers pick from what is there by then. */
interface Deed {
  readonly does: (typeof deeds)[number]
  readonly picks: readonly number[]
}

const deeds = [
  'make a log',
  'change a log',
  'change a log',
  'make an asset',
  'change an asset',
  'make a term',
  'change a term',
  'remove',
  'remove',
  'batch',
  'batch',
  'revert',
  'restore',
  'undo',
  'undo, but leave',
] as const

const deed: fc.Arbitrary<Deed> = fc.record({
  does: fc.constantFrom(...deeds),
  picks: fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 }),
})

const lengths = rounds({
  short: { sqlite: { runs: 2, deeds: 20 }, postgres: { runs: 1, deeds: 20 } },
  long: { sqlite: { runs: 40, deeds: 60 }, postgres: { runs: 12, deeds: 60 } },
})[engineUnderTest()]

const types = ['log', 'farm_asset', 'taxonomy_term'] as const
type Type = (typeof types)[number]

const photos = ['R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'R0lGODlhAgABAAAAACwAAAAAAgABAAACAkQBADs='].map(
  (bytes) => `data:image/gif;base64,${bytes}`,
)

/** A farm that somebody works on for a while. */
class WorkedOn {
  readonly #client: Client
  /** The sets that were made, oldest first. */
  readonly sets: string[] = []

  constructor(client: Client) {
    this.#client = client
  }

  async do({ does, picks }: Deed): Promise<void> {
    const pick = picker(picks)
    switch (does) {
      case 'make a log':
        return this.#note(await this.#client.post('/log', await this.#log(pick)))
      case 'make an asset':
        return this.#note(await this.#client.post('/farm_asset', await this.#asset(pick)))
      case 'make a term':
        return this.#note(await this.#client.post('/taxonomy_term', await this.#term(pick)))
      case 'change a log':
        return this.#change('log', pick, await this.#log(pick))
      case 'change an asset':
        return this.#change('farm_asset', pick, await this.#asset(pick))
      case 'change a term':
        return this.#change('taxonomy_term', pick, await this.#term(pick))
      case 'remove': {
        const type = pick(types) ?? 'log'
        const id = pick(await this.#ids(type))
        return id === undefined ? undefined : this.#note(await this.#client.delete(`/${type}/${id}`))
      }
      case 'batch':
        return this.#note(await this.#client.post('/batch', { operations: await this.#operations(pick) }))
      case 'revert': {
        const type = pick(types) ?? 'log'
        const id = pick(await this.#ids(type))
        const revision = 1 + (pick([0, 1, 2]) ?? 0)
        return this.#note(await this.#client.post(`/${type}/${id}/revert`, { revision }))
      }
      case 'restore': {
        const trashed = pick((await this.#client.read('/trash.json?limit=20')).list as Json[])
        if (trashed !== undefined) this.#note(await this.#client.send('POST', `/trash/${trashed.uuid}/restore`))
        return
      }
      default: {
        const set = pick(this.sets)
        const query = does === 'undo' ? '' : '?leave=used'
        if (set !== undefined) this.#note(await this.#client.send('POST', `/changes/${set}/undo${query}`))
      }
    }
  }

  #note(answer: Answer): void {
    expect(answer.status, answer.text).toBeLessThan(500)
    const set = answer.headers.get('change-set')
    if (answer.status < 300 && set !== null) this.sets.push(set)
  }

  async #change(type: Type, pick: Pick, body: Json): Promise<void> {
    const id = pick(await this.#ids(type))
    const { type: _, vocabulary: __, ...fields } = body
    const some = Object.entries(fields).filter(() => pick([true, false]))
    if (id !== undefined) this.#note(await this.#client.put(`/${type}/${id}`, Object.fromEntries(some)))
  }

  async #operations(pick: Pick): Promise<Json[]> {
    const log = pick(await this.#ids('log'))
    const asset = pick(await this.#ids('farm_asset'))
    const operations = [
      { method: 'POST', path: '/farm_asset', body: await this.#asset(pick), as: 'made' },
      { method: 'POST', path: '/log', body: { ...(await this.#log(pick)), asset: [{ id: '$made' }] } },
      { method: 'PUT', path: `/log/${log}`, body: { asset: [{ id: '$made' }], name: 'In a batch' } },
      { method: 'PUT', path: `/farm_asset/${asset}`, body: { name: 'In a batch' } },
      { method: 'DELETE', path: `/log/${log}` },
      { method: 'PUT', path: '/farm_asset/$made', body: { name: 'Made and changed' } },
    ]
    return operations.filter((_, index) => index === 0 || pick([true, true, false]))
  }

  async #log(pick: Pick): Promise<Json> {
    const assets = await this.#ids('farm_asset')
    const areas = await this.#client.ids('/taxonomy_term.json?bundle=farm_areas')
    const groups = await this.#client.ids('/farm_asset.json?type=group')
    const some = (from: readonly string[]) => (pick([true, true, false]) && from.length > 0 ? [{ id: pick(from) }] : [])
    return {
      name: pick(['Move', 'Weigh', 'Count']),
      type: pick(['farm_activity', 'farm_observation']),
      timestamp: pick([10, 20, 30]),
      done: pick([1, 1, 0]),
      asset: some(assets),
      movement: { area: some(areas), geometry: pick(['', 'POINT (1 2)']) },
      membership: { group: some(groups) },
      inventory: some(assets).map((asset) => ({ asset, value: pick(['1.5', '-2']) })),
      quantity: [{ measure: 'weight', value: pick(['1', '2']), unit: { name: pick(['kg', 'lb', 'crates']) } }],
      log_category: [{ name: pick(['Animals', 'New', 'Newer', 'Newest']) }],
      images: pick([[], [photos[0]], photos]),
    }
  }

  async #asset(pick: Pick): Promise<Json> {
    const parents = await this.#client.ids('/farm_asset.json?type=compost')
    const type = pick(['compost', 'compost', 'group', 'planting'])
    return {
      name: pick(['Heap', 'Herd', 'Bed']),
      type,
      archived: pick(['0', '0', '15']),
      images: pick([[], [photos[1]]]),
      ...(type === 'planting' ? { crop: [{ name: pick(['Kale', 'Leek']) }] } : {}),
      parent: pick([true, false]) && parents.length > 0 ? [{ id: pick(parents) }] : [],
    }
  }

  async #term(pick: Pick): Promise<Json> {
    const areas = await this.#client.ids('/taxonomy_term.json?bundle=farm_areas')
    return {
      name: pick(['Field', 'Barn', 'Newest']),
      vocabulary: 'farm_areas',
      area_type: 'field',
      geofield: [{ geom: pick(['POINT (1 2)', 'POINT (3 4)']) }],
      parent: pick([true, false]) && areas.length > 0 ? [{ id: pick(areas) }] : [],
    }
  }

  #ids(type: Type): Promise<string[]> {
    const own = type === 'taxonomy_term' ? '&bundle=farm_areas' : ''
    return this.#client.ids(`/${type}.json?limit=1000${own}`)
  }
}

type Pick = <T>(from: readonly T[]) => T | undefined

function picker(picks: readonly number[]): Pick {
  let nth = 0
  return (from) => from[(picks[nth++ % picks.length] ?? 0) % Math.max(1, from.length)]
}

const recordTypeOf = { log: 'log', farm_asset: 'asset', taxonomy_term: 'term' } as const

/** Everything that the farm answers of its records, their files and what follows from them, but when they were changed. */
async function everythingOn(client: Client): Promise<Json> {
  const lists: Record<string, Json> = {}
  for (const type of types) {
    const asked = shownOnRequest(stockFarm.records[recordTypeOf[type]])
    const also = asked.length === 0 ? '' : `&with=${asked.join()}`
    const { list } = await client.read(`/${type}.json?limit=1000${also}`)
    lists[type] = list.map(({ changed: _, ...record }: Json) => record)
    for (const address of list.flatMap(({ images = [] }: Json) => images))
      lists[address] ??= createHash('sha256')
        .update((await client.get(new URL(address).pathname)).text)
        .digest('hex')
  }
  return { ...lists, map: (await client.get('/farm/areas/geojson')).body }
}

describe('undoing everything', () => {
  it('in reverse order leaves the farm as it was, whatever was done, undone and done again', async () => {
    const farm = await openFarm()
    const client = await farm.login('manager')
    await plant(client)
    const oneWhile = fc.asyncProperty(
      fc.array(deed, { minLength: lengths.deeds / 2, maxLength: lengths.deeds }),
      async (done: readonly Deed[]) => {
        const before = await everythingOn(client)
        const worked = new WorkedOn(client)
        for (const one of done) await worked.do(one)
        const kept = await keptAmong(client, worked.sets)
        for (const set of kept.toReversed()) {
          const answer = await client.send('POST', `/changes/${set}/undo`)
          expect(answer, answer.text).toMatchObject({ status: 200, body: { left: [] } })
        }
        expect(await everythingOn(client)).toEqual(before)
      },
    )
    await fc.assert(oneWhile, { numRuns: lengths.runs, interruptAfterTimeLimit: 120_000, endOnFailure: true })
    expect(await examined(farm.installation.database)).toEqual([])
  }, 300_000)
})

/** Those that changed something. */
async function keptAmong(client: Client, sets: readonly string[]): Promise<string[]> {
  const kept: string[] = []
  for (const set of sets) if ((await client.get(`/sets/${set}.json`)).status === 200) kept.push(set)
  return kept
}

/** A few records that were there before. */
async function plant(client: Client): Promise<void> {
  const field = await client.create('taxonomy_term', { name: 'Field', vocabulary: 'farm_areas', area_type: 'field' })
  const group = await client.create('farm_asset', { name: 'Herd', type: 'group' })
  const heap = await client.create('farm_asset', { name: 'Heap', type: 'compost', images: [photos[0]] })
  for (const timestamp of [10, 20]) {
    await client.create('log', {
      name: 'Move',
      type: 'farm_activity',
      timestamp,
      done: 1,
      asset: [{ id: heap }],
      movement: { area: [{ id: field }] },
      membership: { group: [{ id: group }] },
      inventory: [{ asset: { id: heap }, value: '3' }],
      images: photos,
    })
  }
}
