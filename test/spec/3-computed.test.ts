import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const now = 1_700_000_000
const north = 'POLYGON ((0 0, 4 0, 4 4, 0 0))'
const south = 'POLYGON ((0 -9, 4 -9, 4 -5, 0 -9))'
const well = 'POINT (7 7)'

let farm: FarmUnderTest
let client: Client
const areas: Record<string, string> = {}
const groups: Record<string, string> = {}

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  client = await farm.login('worker')
  const shapes = { north: [north], south: [south], well: [well], bare: [], split: [north, south] }
  for (const [name, all] of Object.entries(shapes)) {
    const geofield = all.map((geom) => ({ geom }))
    areas[name] = await client.create('taxonomy_term', { name, vocabulary: 'farm_areas', geofield })
  }
  for (const name of ['herd', 'flock']) groups[name] = await client.create('farm_asset', { name, type: 'group' })
})

const anAsset = () => client.create('farm_asset', { name: 'Cart', type: 'equipment' })

interface Told {
  readonly at?: number
  readonly done?: 0 | 1
  readonly to?: string
  readonly geometry?: string
  readonly joins?: string
  readonly adds?: string
}

const referring = (known: Record<string, string>, names = '') =>
  names === '' ? [] : names.split(' ').map((name) => ({ id: known[name] }))

const spelled = (asset: string, { at = -60, done = 1, to, geometry, joins, adds }: Told) => ({
  name: 'Log',
  type: 'farm_activity',
  timestamp: String(now + at),
  done: String(done),
  asset: [{ id: asset }],
  ...(to === undefined && geometry === undefined
    ? {}
    : { movement: { area: referring(areas, to), geometry: geometry ?? null } }),
  ...(joins === undefined ? {} : { membership: { group: referring(groups, joins) } }),
  ...(adds === undefined ? {} : { inventory: adds.split(' ').map((value) => ({ asset: { id: asset }, value })) }),
})

async function assetAfter(logs: readonly Told[]): Promise<string> {
  const asset = await anAsset()
  for (const log of logs) await client.create('log', spelled(asset, log))
  return asset
}

const everything = '?with=group,inventory'
const names = (references: readonly { id: string; name?: string }[]) => references.map((one) => one.name).join(' ')

interface Row {
  readonly says: string
  readonly logs: readonly Told[]
  readonly location?: string
  readonly geometry?: string
}

const whereabouts: readonly Row[] = [
  { says: 'an asset without logs is nowhere', logs: [] },
  { says: 'a done movement puts it there', logs: [{ to: 'north' }], location: 'north', geometry: north },
  { says: 'a movement that is not done moves nothing', logs: [{ to: 'north', done: 0 }] },
  { says: 'a movement in the future moves nothing yet', logs: [{ to: 'north', at: 1 }] },
  { says: 'a movement of this very second counts', logs: [{ to: 'north', at: 0 }], location: 'north', geometry: north },
  {
    says: 'the latest by time decides, not the last written',
    logs: [
      { to: 'south', at: -10 },
      { to: 'north', at: -20 },
    ],
    location: 'south',
    geometry: south,
  },
  {
    says: 'of the same second, the higher id decides',
    logs: [{ to: 'south' }, { to: 'north' }],
    location: 'north',
    geometry: north,
  },
  {
    says: 'a later log without a movement changes nothing',
    logs: [{ to: 'north', at: -20 }, { at: -10 }, { to: '', at: -5 }],
    location: 'north',
    geometry: north,
  },
  {
    says: 'a later log that is not done changes nothing',
    logs: [
      { to: 'north', at: -20 },
      { to: 'south', at: -10, done: 0 },
    ],
    location: 'north',
    geometry: north,
  },
  {
    says: 'a geometry of its own is more specific than the area',
    logs: [{ to: 'north', geometry: 'POINT(1 1)' }],
    location: 'north',
    geometry: 'POINT(1 1)',
  },
  {
    says: 'a geometry alone takes it out of every area',
    logs: [
      { to: 'north', at: -20 },
      { geometry: well, at: -10 },
    ],
    geometry: well,
  },
  { says: 'an area without geometry gives none', logs: [{ to: 'bare' }], location: 'bare' },
  {
    says: 'areas of one kind make a MULTI geometry',
    logs: [{ to: 'south north' }],
    location: 'south north',
    geometry: 'MULTIPOLYGON (((0 -9, 4 -9, 4 -5, 0 -9)), ((0 0, 4 0, 4 4, 0 0)))',
  },
  {
    says: 'areas of different kinds make a collection',
    logs: [{ to: 'north well bare' }],
    location: 'north well bare',
    geometry: `GEOMETRYCOLLECTION (${north}, ${well})`,
  },
  {
    says: 'an area with two geometries is both together',
    logs: [{ to: 'split' }],
    location: 'split',
    geometry: 'MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((0 -9, 4 -9, 4 -5, 0 -9)))',
  },
]

describe('3 location and geometry of an asset', () => {
  test.each(shareOfThisEngine(whereabouts))(
    'an asset is where its logs put it: $says',
    async ({ logs, location = '', geometry = '' }) => {
      const asset = await assetAfter(logs)
      const read = await client.read(`/farm_asset/${asset}.json`)
      expect(names(read.location)).toBe(location)
      expect(read.geometry ?? '').toBe(geometry)
      for (const [name, area] of Object.entries(areas)) {
        const inside = location.split(' ').includes(name)
        expect((await client.ids(`/farm_asset.json?location=${area}`)).includes(asset)).toBe(inside)
        const contents = (await client.read(`/taxonomy_term/${area}.json`)).assets
        expect(contents.some(({ id }: { id: string }) => id === asset)).toBe(inside)
      }
    },
  )

  test('follow every change of the log that decides, and its end', async () => {
    const asset = await assetAfter([{ to: 'north', at: -90 }])
    const log = await client.create('log', spelled(asset, { to: 'south', done: 0 }))
    const location = async () => names((await client.read(`/farm_asset/${asset}.json`)).location)
    const changes: readonly [Record<string, unknown>, string][] = [
      [{ done: '1' }, 'south'],
      [{ timestamp: String(now - 100) }, 'north'],
      [{ timestamp: String(now - 80) }, 'south'],
      [{ movement: { area: referring(areas, 'well bare') } }, 'well bare'],
      [{ asset: [] }, 'north'],
      [{ asset: [{ id: asset }] }, 'well bare'],
      [{ movement: null }, 'north'],
      [{ movement: { geometry: well } }, ''],
    ]
    for (const [change, expected] of changes) {
      expect(await client.put(`/log/${log}`, change)).toMatchObject({ status: 200 })
      expect(await location(), JSON.stringify(change)).toBe(expected)
    }
    expect(await client.delete(`/log/${log}`)).toMatchObject({ status: 200 })
    expect(await location()).toBe('north')
  })

  test('a done movement of the future comes true when its time has come, without a write', async () => {
    const asset = await assetAfter([{ to: 'north' }, { to: 'south', at: 30 }])
    const at = async (second: number) => {
      farm.setClock(second)
      const { location } = await client.read(`/farm_asset/${asset}.json`)
      const inside = (await client.read(`/taxonomy_term/${areas.south}.json`)).assets
      return [names(location), inside.some(({ id }: { id: string }) => id === asset)]
    }
    expect(await at(now + 29)).toEqual(['north', false])
    expect(await at(now + 30)).toEqual(['south', true])
    farm.setClock(now)
  })

  test('an area shows its new shape at once in the geometry of what is there', async () => {
    const area = await client.create('taxonomy_term', { name: 'Shed', vocabulary: 'farm_areas', geofield: well })
    areas.shed = area
    const asset = await assetAfter([{ to: 'shed' }])
    expect(await client.read(`/farm_asset/${asset}.json`)).toMatchObject({ geometry: well })
    await client.put(`/taxonomy_term/${area}`, { geofield: [{ geom: 'POINT (8 8)' }] })
    expect(await client.read(`/farm_asset/${asset}.json`)).toMatchObject({ geometry: 'POINT (8 8)' })
  })
})

describe('3 assets of an area', () => {
  test('leave out what is archived, though it still has a location', async () => {
    const asset = await assetAfter([{ to: 'bare' }])
    const inside = async () =>
      (await client.read(`/taxonomy_term/${areas.bare}.json`)).assets.map((one: { id: string }) => one.id)
    expect(await inside()).toContain(asset)
    await client.put(`/farm_asset/${asset}`, { archived: String(now) })
    expect(await inside()).not.toContain(asset)
    expect(names((await client.read(`/farm_asset/${asset}.json`)).location)).toBe('bare')
    expect(await client.ids(`/taxonomy_term.json?assets=${asset}`)).toEqual([])
    await client.put(`/farm_asset/${asset}`, { archived: '0' })
    expect(await inside()).toContain(asset)
  })

  test('a log moves all its assets at once, and not its equipment', async () => {
    const area = await client.create('taxonomy_term', { name: 'Pond', vocabulary: 'farm_areas' })
    const [one, two, tractor] = [await anAsset(), await anAsset(), await anAsset()]
    await client.create('log', {
      ...spelled(one, {}),
      asset: [{ id: two }, { id: one }, { id: two }],
      equipment: [{ id: tractor }],
      movement: { area: [{ id: area }] },
    })
    expect(await client.read(`/taxonomy_term/${area}.json`)).toMatchObject({ assets: [{ id: one }, { id: two }] })
  })

  test('a log that would put more than 5,000 assets into areas is refused and leaves nothing', async () => {
    const assets = await Promise.all(Array.from({ length: 51 }, anAsset))
    const name = 'Everything everywhere'
    const area = Array.from({ length: 100 }, (_, n) => ({ name: `Plot ${n}` }))
    const answer = await client.post('/log', { ...spelled('', {}), name, asset: assets, movement: { area } })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'movement.area' }] } })
    expect(await client.ids(`/log.json?name=${name}`)).toEqual([])
    expect(await client.ids('/taxonomy_term.json?name=Plot 0')).toEqual([])
  })
})

const memberships: readonly { says: string; logs: readonly Told[]; group: string }[] = [
  { says: 'an asset without logs belongs to none', logs: [], group: '' },
  { says: 'a done membership joins the group', logs: [{ joins: 'herd' }], group: 'herd' },
  {
    says: 'not done, or in the future, joins nothing',
    logs: [
      { joins: 'herd', done: 0 },
      { joins: 'herd', at: 9 },
    ],
    group: '',
  },
  {
    says: 'the latest replaces all earlier groups',
    logs: [{ joins: 'flock', at: -5 }, { joins: 'herd' }],
    group: 'flock',
  },
  { says: 'several groups at once', logs: [{ joins: 'herd flock' }], group: 'herd flock' },
  {
    says: 'a later movement leaves the groups alone',
    logs: [{ joins: 'herd' }, { to: 'north', at: -5 }],
    group: 'herd',
  },
]

describe('2.8 groups of an asset and members of a group', () => {
  test.each(shareOfThisEngine(memberships))(
    'an asset is in the groups its logs name: $says',
    async ({ logs, group }) => {
      const asset = await assetAfter(logs)
      const ids = group === '' ? [] : group.split(' ').map((name) => groups[name])
      const read = await client.read(`/farm_asset/${asset}.json${everything}`)
      expect(read.group.map((one: { id: string }) => one.id)).toEqual(ids)
      for (const id of Object.values(groups)) {
        const { members } = await client.read(`/farm_asset/${id}.json?with=members`)
        expect(members.some((one: { id: string }) => one.id === asset)).toBe(ids.includes(id))
        expect((await client.ids(`/farm_asset.json?group=${id}`)).includes(asset)).toBe(ids.includes(id))
      }
    },
  )

  test('are shown only when asked for', async () => {
    const plain = await client.read(`/farm_asset/${groups.herd}.json`)
    for (const name of ['group', 'inventory', 'members']) expect(plain).not.toHaveProperty(name)
  })
})

const levels: readonly { says: string; logs: readonly Told[]; inventory: string }[] = [
  { says: 'what was never counted is nought', logs: [], inventory: '0' },
  { says: 'increases and decreases add up', logs: [{ adds: '10 -3' }, { adds: '-2' }], inventory: '5' },
  { says: 'it may go below nought', logs: [{ adds: '-4.5' }], inventory: '-4.5' },
  {
    says: 'sums are exact',
    logs: [{ adds: '0.1 0.2' }, { adds: '99999999999999999999.01' }],
    inventory: '99999999999999999999.31',
  },
  {
    says: 'only what is done and not in the future counts',
    logs: [{ adds: '5' }, { adds: '7', done: 0 }, { adds: '9', at: 1 }],
    inventory: '5',
  },
]

describe('2.8 inventory of an asset', () => {
  test.each(shareOfThisEngine(levels))('an inventory is the sum of its logs: $says', async ({ logs, inventory }) => {
    const asset = await assetAfter(logs)
    expect(await client.read(`/farm_asset/${asset}.json${everything}`)).toMatchObject({ inventory })
  })

  test('follows an edited and a deleted log', async () => {
    const asset = await assetAfter([{ adds: '5' }])
    const log = await client.create('log', spelled(asset, { adds: '1 2' }))
    const level = async () => (await client.read(`/farm_asset/${asset}.json${everything}`)).inventory
    await client.put(`/log/${log}`, { inventory: [{ asset: { id: asset }, value: '2' }] })
    expect(await level()).toBe('7')
    await client.put(`/log/${log}`, { done: '0' })
    expect(await level()).toBe('5')
    await client.put(`/log/${log}`, { done: '1', inventory: [{ asset: { id: asset }, value: '0.50' }] })
    expect(await level()).toBe('5.50')
    await client.delete(`/log/${log}`)
    expect(await level()).toBe('5')
  })
})
