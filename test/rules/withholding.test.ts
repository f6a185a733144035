import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'

const now = 1_700_000_000
const day = 86_400

const labels: Readonly<Record<string, string>> = {
  meat: 'withhold meat',
  milk: 'withhold milk',
  harvest: 'withhold harvest',
  grazing: 'withhold grazing',
  entry: 'no entry',
}
const products = Object.keys(labels)

/** Things are named by their places in lists: 0 to 2 are plain assets, 3 is a herd; areas are 0 and 1. */
interface ToldLog {
  readonly at: number
  readonly done: boolean
  readonly assets: readonly number[]
  readonly areas: readonly number[]
  readonly movesTo: readonly number[]
  readonly joins: boolean
  readonly withholds: readonly { readonly product: string; readonly hours: number; readonly unit: 'hours' | 'days' }[]
}

const some = (most: number) => fc.uniqueArray(fc.nat({ max: most }), { maxLength: 2 })
const toldLog: fc.Arbitrary<ToldLog> = fc.record({
  at: fc.integer({ min: -6, max: 2 }).map((days) => now + days * day),
  done: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  assets: some(3),
  areas: some(1),
  movesTo: some(1),
  joins: fc.boolean(),
  withholds: fc.array(
    fc.record({
      product: fc.constantFrom(...products),
      hours: fc.constantFrom(0, 24, 36, 48, 96, 240),
      unit: fc.constantFrom('hours' as const, 'days' as const),
    }),
    { maxLength: 3 },
  ),
})

const bodyOf = (log: ToldLog, assets: readonly string[], areas: readonly string[]): Json => {
  const named = (list: readonly string[], which: readonly number[]) => which.map((index) => ({ id: list[index] }))
  const isMember = log.joins && !log.assets.includes(3)
  return {
    name: 'Told',
    type: 'farm_activity',
    timestamp: log.at,
    done: log.done ? 1 : 0,
    asset: named(assets, log.assets),
    area: named(areas, log.areas),
    movement: { area: named(areas, log.movesTo) },
    ...(isMember ? { membership: { group: [{ id: assets[3] }] } } : {}),
    quantity: log.withholds.map(({ product, hours, unit }) => ({
      measure: 'time',
      value: String(unit === 'days' ? hours / 24 : hours),
      unit: { name: unit },
      label: labels[product],
    })),
  }
}

/** The rule once more, by going through all logs: nothing of it is shared with the service. */
class Model {
  readonly #logs: readonly ToldLog[]

  constructor(logs: readonly ToldLog[]) {
    this.#logs = logs.filter(({ done }) => done)
  }

  ofAsset(asset: number, second: number): string {
    return this.#ends(second, (log, product) => {
      if (log.assets.includes(asset)) return true
      if (log.assets.includes(3) && this.#isMember(asset, log.at)) return true
      if (log.assets.length > 0 || product !== 'harvest') return false
      return this.#placesOf(asset, log.at).some((area) => log.areas.includes(area))
    })
  }

  ofArea(area: number, second: number): string {
    return this.#ends(second, (log, product) => {
      if (log.assets.length > 0 && !['harvest', 'grazing', 'entry'].includes(product)) return false
      if (log.areas.length > 0) return log.areas.includes(area)
      return log.assets.some((asset) => this.#placesOf(asset, log.at).includes(area))
    })
  }

  #ends(second: number, counts: (log: ToldLog, product: string) => boolean): string {
    const ends = products.flatMap((product) => {
      const all = this.#logs
        .filter((log) => log.at <= second && counts(log, product))
        .flatMap((log) =>
          log.withholds.filter((one) => one.product === product).map(({ hours }) => log.at + hours * 3600),
        )
      const last = Math.max(0, ...all)
      return last > second ? [`${product} ${last}`] : []
    })
    return ends.toSorted().join(', ')
  }

  /** Logs are written in their order, so the last of one second is the one with the highest number. */
  #latest(asset: number, second: number, says: (log: ToldLog) => boolean): ToldLog | undefined {
    return this.#logs
      .filter((log) => log.at <= second && log.assets.includes(asset) && says(log))
      .toSorted((one, other) => one.at - other.at)
      .at(-1)
  }

  #placesOf(asset: number, second: number): readonly number[] {
    return this.#latest(asset, second, ({ movesTo }) => movesTo.length > 0)?.movesTo ?? []
  }

  #isMember(asset: number, second: number): boolean {
    return asset !== 3 && this.#latest(asset, second, (log) => log.joins && !log.assets.includes(3)) !== undefined
  }
}

const spelled = (withheld: readonly Json[]): string =>
  withheld
    .map(({ product, until }) => `${product} ${until}`)
    .toSorted()
    .join(', ')

const stories = rounds({ short: { sqlite: 8, postgres: 3 }, long: { sqlite: 60, postgres: 20 } })

async function beginStory(client: Client) {
  const asset = (name: string, type: string) =>
    client.create('farm_asset', { name, type, ...(type === 'animal' ? { animal_type: { name: 'Cattle' } } : {}) })
  const assets = [await asset('Berta', 'animal'), await asset('Alma', 'animal'), await asset('Tool', 'equipment')]
  assets.push(await asset('Herd', 'group'))
  const area = (name: string) => client.create('taxonomy_term', { name, vocabulary: 'farm_areas' })
  return { assets, areas: [await area('North'), await area('South')] }
}

describe.each(engines)('what is withheld on %s', (engine) => {
  test('is what a model works out of all logs, at every time that is asked for', async () => {
    const farm = await openFarm({ engine })
    farm.setClock(now)
    const client = await farm.login()
    const story = fc.asyncProperty(fc.array(toldLog, { minLength: 1, maxLength: 12 }), async (logs) => {
      const { assets, areas } = await beginStory(client)
      const operations = logs.map((log) => ({ method: 'POST', path: '/log', body: bodyOf(log, assets, areas) }))
      const answer = await client.post('/batch', { operations })
      expect(answer, answer.text).toMatchObject({ status: 200 })
      const model = new Model(logs)
      for (const second of [now - 3 * day, now - day - 1, now - day, now]) {
        const asked = `with=withheld${second === now ? '' : `&as_of=${second}`}`
        const shown = async (path: string, ids: readonly string[]) => {
          const { list } = await client.read(`/${path}.json?${ids.map((id) => `id[]=${id}`).join('&')}&${asked}`)
          return ids.map((id) => spelled(list.find((one: Json) => (one.tid ?? one.id) === id).withheld))
        }
        expect(await shown('farm_asset', assets)).toEqual(assets.map((_, index) => model.ofAsset(index, second)))
        expect(await shown('taxonomy_term', areas)).toEqual(areas.map((_, index) => model.ofArea(index, second)))
      }
    })
    await fc.assert(story, { numRuns: stories[engine], interruptAfterTimeLimit: 60_000 })
  }, 120_000)
})

const treated = (asset: string, more: Json = {}) => ({
  name: 'Treated',
  type: 'farm_medical',
  timestamp: now,
  done: 1,
  asset: [{ id: asset }],
  ...more,
})
const withhold = (label: string, days: string) => ({ measure: 'time', value: days, unit: { name: 'days' }, label })

describe('withholding', async () => {
  const farm = await openFarm()
  farm.setClock(now)
  const client = await farm.login()
  const cow = () => client.create('farm_asset', { name: 'Cow', type: 'animal', animal_type: { name: 'Cattle' } })
  const withheld = async (id: string) => (await client.read(`/farm_asset/${id}.json?with=withheld`)).withheld

  test('ends for each product on its own day, and 0 days mean none', async () => {
    const id = await cow()
    const quantity = [withhold('withhold milk', '4'), withhold('withhold meat', '10.5'), withhold('withhold eggs', '0')]
    const then = now - 4 * day + 60
    const log = await client.create('log', treated(id, { quantity, timestamp: then }))
    expect(await withheld(id)).toMatchObject([
      { product: 'meat', until: String(then + 10.5 * day), log: { id: log, resource: 'log' } },
      { product: 'milk', until: String(now + 60) },
    ])
    farm.setClock(now + 59)
    expect(await withheld(id)).toHaveLength(2)
    farm.setClock(now + 60)
    expect(await withheld(id)).toHaveLength(1)
    farm.setClock(now)
  })

  test('does not come from a planned booster, nor from a label that is written otherwise', async () => {
    const id = await cow()
    await client.create('log', treated(id, { quantity: [withhold('Withhold milk', '4')] }))
    await client.create('log', treated(id, { timestamp: now + 21 * day, done: 0 }))
    expect(await withheld(id)).toEqual([])
  })

  test('of an older pair lasts until the time that was planned, whatever becomes of the reminder', async () => {
    const id = await cow()
    const until = now + 5 * day
    const operations = [treated(id), treated(id, { name: 'Withholding over', timestamp: until, done: 0 })].map(
      (body) => ({ method: 'POST', path: '/log', body }),
    )
    const [treatment, reminder] = (await client.post('/batch', { operations })).body.results
    const all = [{ product: 'all', until: String(until), log: { id: treatment.id } }]
    expect(await withheld(id)).toMatchObject(all)
    await client.put(`/log/${reminder.id}`, { done: 1, timestamp: now })
    expect(await withheld(id)).toMatchObject(all)
    await client.delete(`/log/${reminder.id}`)
    expect(await withheld(id)).toMatchObject(all)
    await client.put(`/log/${treatment.id}`, { quantity: [withhold('withhold milk', '1')] })
    expect(await withheld(id)).toMatchObject([{ product: 'milk', until: String(now + day) }])
  })

  test('is shown only on request, ignored in an echo, and not asked for as a filter', async () => {
    const id = await cow()
    await client.create('log', treated(id, { quantity: [withhold('withhold milk', '4')] }))
    expect(await client.read(`/farm_asset/${id}.json`)).not.toHaveProperty('withheld')
    const shown = await client.read(`/farm_asset/${id}.json?with=withheld`)
    expect((await client.put(`/farm_asset/${id}`, shown)).status).toBe(200)
    expect((await client.put(`/farm_asset/${id}`, { ...shown, withheld: [] })).status).toBe(200)
    expect((await client.get('/farm_asset.json?withheld[product]=milk')).status).toBe(400)
    expect((await client.get(`/farm_asset/${id}.xml?with=withheld`)).text).toContain('<product>milk</product>')
    expect((await client.get('/farm.json')).text).not.toContain('withheld')
  })

  test('is not part of /api', async () => {
    const schema = await client.get('/api/asset/animal/resource/schema')
    expect(schema.status).toBe(200)
    expect(schema.text).not.toContain('withheld')
    expect((await client.get('/api/asset/animal?filter[withheld]=milk')).status).toBe(400)
    expect((await client.get('/api/asset/animal?sort=withheld')).status).toBe(400)
  })
})
