import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const now = 1_700_000_000
const day = 86_400

let farm: FarmUnderTest
let client: Client
let field: string
let bed: string
let row: string
let herd: string
let cow: string
let hen: string

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  client = await farm.login('worker')
  field = await area('Field')
  bed = await area('Bed', field)
  row = await area('Row', bed)
  herd = await client.create('farm_asset', { name: 'Herd', type: 'group' })
  cow = await client.create('farm_asset', { name: 'Elsa', type: 'equipment' })
  hen = await client.create('farm_asset', { name: 'Hen', type: 'equipment' })
})

const area = (name: string, parent?: string) =>
  client.create('taxonomy_term', {
    name,
    vocabulary: 'farm_areas',
    ...(parent === undefined ? {} : { parent: [{ id: parent }] }),
  })

const log = (timestamp: number, fields: object, asset = cow) =>
  client.create('log', { name: 'Log', type: 'farm_activity', timestamp, done: 1, asset: [{ id: asset }], ...fields })

const to = (...areas: string[]) => ({ movement: { area: areas.map((id) => ({ id })) } })

async function rows(query: string): Promise<Json[]> {
  const { next, ...columns } = await client.read(`/stays?${query}`)
  expect(next).toBeNull()
  return columns.asset.map((_: string, index: number) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, (column as Json[])[index]])),
  )
}

afterEach(() => farm.setClock(now))

const tagOf = (answer: Answer) => answer.headers.get('etag') ?? ''

describe('/stays', () => {
  let first: string
  let second: string
  let bare: string
  let joined: string

  beforeAll(async () => {
    first = await log(now - 9 * day, to(field))
    second = await log(now - 5 * day, to(bed, row))
    bare = await log(now - 2 * day, { movement: { geometry: 'POINT (1 2)' } })
    joined = await log(now - 8 * day, { membership: { group: [{ id: herd }] } })
  })

  const base = () => ({ asset: cow, place_type: 'taxonomy_term' })

  it('tells every stay of an asset in its order, the last without an end', async () => {
    const [from, until] = [now - 5 * day, now - 2 * day]
    expect(await rows(`asset=${cow}`)).toEqual([
      { ...base(), place: field, log: first, from: now - 9 * day, until: from },
      { ...base(), place: bed, log: second, from, until },
      { ...base(), place: row, log: second, from, until },
      { asset: cow, place: null, place_type: null, log: bare, from: until, until: null },
    ])
    const member = { asset: cow, place: herd, place_type: 'farm_asset', log: joined, from: now - 8 * day }
    expect(await rows(`kind=membership&asset=${cow}`)).toEqual([{ ...member, until: null }])
    expect(await rows(`kind=movement&asset=${cow}`)).toEqual(await rows(`asset=${cow}`))
  })

  it('tells those that share a second with the time from a first one to before a last', async () => {
    const logs = async (query: string) => (await rows(`asset=${cow}&${query}`)).map((stay) => stay.log)
    expect(await logs(`from=${now - 5 * day}`)).toEqual([second, second, bare])
    expect(await logs(`from=${now - 5 * day - 1}`)).toEqual([first, second, second, bare])
    expect(await logs(`to=${now - 9 * day}`)).toEqual([])
    expect(await logs(`to=${now - 9 * day + 1}`)).toEqual([first])
    expect(await logs(`from=${now - 4 * day}&to=${now - 3 * day}`)).toEqual([second, second])
    expect(await logs(`from=${now + day}&to=${now + 2 * day}`)).toEqual([bare])
  })

  it('tells those in an area, and with within also those below, on every level', async () => {
    expect((await rows(`area=${field}`)).map((stay) => stay.place)).toEqual([field])
    expect((await rows(`area=${field}&within=0`)).map((stay) => stay.place)).toEqual([field])
    expect((await rows(`area=${field}&within=1`)).map((stay) => stay.place)).toEqual([field, bed, row])
    expect((await rows(`area=${bed}&within=1&asset=${cow}`)).map((stay) => stay.place)).toEqual([bed, row])
    expect((await rows(`area=${bed}&area=${field}`)).map((stay) => stay.place)).toEqual([field, bed])
    expect(await rows(`area=${field}&within=1&asset=${hen}`)).toEqual([])
    expect(await rows('area=999999')).toEqual([])
  })

  it('leaves out what is not done, is still to come, or lasted no second', async () => {
    const goat = await client.create('farm_asset', { name: 'Goat', type: 'equipment' })
    await log(now - day, { ...to(field), done: 0 }, goat)
    await log(now - 3 * day, to(field), goat)
    const same = await log(now - 3 * day, to(bed), goat)
    await log(now + 10, to(row), goat)
    expect(await rows(`asset=${goat}`)).toMatchObject([{ log: same, place: bed, until: null }])
    farm.setClock(now + 10)
    expect(await rows(`asset=${goat}`)).toMatchObject([{ until: now + 10 }, { place: row, until: null }])
    farm.setClock(now)
  })

  it('ends a stay when the asset is archived, and begins none after that', async () => {
    const ram = await client.create('farm_asset', { name: 'Ram', type: 'equipment', archived: String(now - 2 * day) })
    const there = await log(now - 4 * day, to(field), ram)
    await log(now - 2 * day, to(bed), ram)
    await log(now - day, to(row), ram)
    expect(await rows(`asset=${ram}`)).toMatchObject([{ log: there, until: now - 2 * day }])
    expect(await rows(`asset=${ram}&from=${now - 2 * day}`)).toEqual([])
    await client.put(`/farm_asset/${ram}`, { archived: String(now + day) })
    expect((await rows(`asset=${ram}`)).at(-1)).toMatchObject({ place: row, until: null })
  })

  it('has a tag that holds until something changes or the time of something comes', async () => {
    const path = `/stays?asset=${cow}`
    const statusWith = async (tag: string) => (await client.get(path, { 'if-none-match': tag })).status
    // On a PostgreSQL server what others do in other databases may spoil a tag, to be safe: then it is asked for again.
    const unchanged = () => expect.poll(async () => statusWith(tagOf(await client.get(path)))).toBe(304)
    await unchanged()
    const tag = tagOf(await client.get(path))
    const ewe = await client.create('farm_asset', { name: 'Ewe', type: 'equipment', archived: String(now + 20) })
    await log(now + 10, to(field), ewe)
    expect(await statusWith(tag)).toBe(200)
    await unchanged()
    for (const second of [now + 10, now + 20]) {
      const before = tagOf(await client.get(path))
      farm.setClock(second)
      expect(await statusWith(before)).toBe(200)
    }
  })
})

describe('/stays of more than a page', () => {
  it('go on exactly behind the last one, to the end', async () => {
    const many = async (count: number, path: string, body: (nth: number) => object) => {
      const operations = Array.from({ length: count }, (_, nth) => ({ method: 'POST', path, body: body(nth) }))
      const { results } = (await client.post('/batch', { operations })).body
      return results.map(({ id }: Json) => ({ id }))
    }
    const areas = await many(50, '/taxonomy_term', (nth) => ({ name: `Plot ${nth}`, vocabulary: 'farm_areas' }))
    const assets = await many(100, '/farm_asset', (nth) => ({ name: `Sheep ${nth}`, type: 'equipment' }))
    for (const days of [30, 20, 10, 5, 1]) await log(now - days * day, { asset: assets, movement: { area: areas } })
    const query = `from=${now - 40 * day}&kind=movement`
    const pages: Json[] = []
    let address = `/stays?${query}`
    for (;;) {
      const page = await client.read(address)
      pages.push(page)
      if (page.next === null) break
      expect(page.next).toMatch(`${farm.base}/stays?${query}&after=`)
      address = page.next.slice(farm.base.length)
    }
    const sizes = pages.map(({ asset }) => asset.length)
    expect(sizes.slice(0, -1)).toEqual([10_000, 10_000])
    const told = pages.flatMap(({ asset, from, log, place }) =>
      asset.map((id: string, at: number) => [id, from[at], log[at], place[at] ?? '0'].map(Number)),
    )
    expect(told.filter(([id]) => Number(assets[0].id) <= Number(id))).toHaveLength(25_000)
    const inOrder = told.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3])
    expect(told).toEqual(inOrder)
    expect(new Set(told.map((one) => one.join())).size).toBe(told.length)
    const plots = areas.map(({ id }: Json) => `area=${id}`).join('&')
    const { asset, next } = await client.read(`/stays?${plots}`)
    const rest = await client.read(next.slice(farm.base.length))
    expect([asset.length, rest.asset.length]).toEqual([10_000, 10_000])
    expect((await client.read(rest.next.slice(farm.base.length))).asset).toHaveLength(5_000)
  })
})

describe('/stays refuses', () => {
  it.each(
    shareOfThisEngine([
      ['kind=harvest', 'kind'],
      ['kind=', 'kind'],
      ['kind=movement&kind=membership', 'kind'],
      ['from=yesterday', 'from'],
      ['from=', 'from'],
      ['to=1.5', 'to'],
      ['from=5&to=5', 'to'],
      ['from=6&to=5', 'to'],
      ['asset=Elsa', 'asset'],
      ['asset=', 'asset'],
      ['asset[ne]=1', 'asset'],
      ['area=Field', 'area'],
      ['area=1&kind=membership', 'area'],
      ['within=1', 'within'],
      ['within=yes&area=1', 'within'],
      ['after=1', 'after'],
      ['after=1.2.3.x', 'after'],
      ['after=1.2.3.4.5', 'after'],
      ['limit=5', 'limit'],
      ['as_of=5', 'as_of'],
      ['nonsense=1', 'nonsense'],
      ['from[ge]=1', 'from'],
    ]),
  )('refuses ?%s and names the parameter', async (query, name) => {
    const answer = await client.get(`/stays?${query}`)
    expect([answer.status, answer.body.errors?.[0]?.field], answer.text).toEqual([400, name])
  })

  it('other methods, and those who may not read', async () => {
    expect((await client.post('/stays', {})).status).toBe(405)
    expect((await farm.anonymous.get('/stays')).status).toBe(403)
    expect((await (await farm.login('viewer')).get('/stays?asset=1')).status).toBe(200)
    expect((await (await farm.login('viewer', 'farm_info')).get('/stays')).status).toBe(403)
  })
})
