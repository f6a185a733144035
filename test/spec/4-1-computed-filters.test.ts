import { beforeAll, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const now = 1_700_000_000
let farm: FarmUnderTest
let client: Client
const areas: string[] = []
const assets: string[] = []
const groups: string[] = []

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  client = await farm.login()
  for (let nth = 0; nth < 4; nth += 1) {
    const geofield = nth === 3 ? [] : [`POINT (${nth} ${nth})`]
    areas.push(await client.create('taxonomy_term', { name: `Area ${nth}`, vocabulary: 'farm_areas', geofield }))
    groups.push(await client.create('farm_asset', { name: `Group ${nth}`, type: 'group' }))
  }
  for (let nth = 0; nth < 8; nth += 1) {
    const archived = nth === 7 ? '5' : '0'
    assets.push(await client.create('farm_asset', { name: `Asset ${nth}`, type: 'equipment', archived }))
  }
  const move = (asset: number, movement: Json, more = {}) =>
    client.create('log', {
      name: 'Move',
      type: 'farm_activity',
      timestamp: '1000',
      done: '1',
      asset: [assets[asset]],
      movement,
      ...more,
    })
  await move(0, { area: [areas[0]] }, { membership: { group: [groups[0]] } })
  await move(1, { area: [areas[0], areas[1]] })
  await move(2, { area: [areas[0]] })
  await move(2, { geometry: 'POINT (9 9)' }, { timestamp: '2000' })
  await move(3, { area: [areas[3]] })
  await move(4, { area: [areas[0]] }, { done: '0' })
  await move(5, { area: [areas[1]] }, { timestamp: String(now + 60) })
  await move(7, { area: [areas[1]] }, { membership: { group: [groups[0]] } })
})

const read = async (type: string, query = '') => (await client.read(`/${type}.json?limit=1000&${query}`)).list

/** What the read itself says, filtered here. */
async function like(type: string, wanted: (record: Json) => boolean): Promise<string[]> {
  return (await read(type)).filter(wanted).map((record: Json) => record.id)
}
const found = async (type: string, query: string): Promise<string[]> =>
  (await read(type, query)).map((record: Json) => record.id)
const has = (references: Json[] | undefined, id: string | undefined) =>
  (references ?? []).some((reference) => reference.id === id)

async function expectFiltersToFollowReads(): Promise<void> {
  for (const area of areas) {
    const inArea = await like('farm_asset', ({ location }) => has(location, area))
    expect(await found('farm_asset', `location=${area}`)).toEqual(inArea)
    expect(await found('farm_asset', `location[ne]=${area}`)).toEqual(
      await like('farm_asset', ({ location }) => !has(location, area)),
    )
  }
  for (const asset of assets) {
    expect(await found('taxonomy_term', `assets=${asset}`)).toEqual(
      await like('taxonomy_term', (term) => has(term.assets, asset)),
    )
  }
  for (const geometry of ['POINT (0 0)', 'MULTIPOINT ((0 0), (1 1))', 'POINT (9 9)', 'POINT (5 5)']) {
    expect(await found('farm_asset', `geometry=${encodeURIComponent(geometry)}`)).toEqual(
      await like('farm_asset', (asset) => asset.geometry === geometry),
    )
  }
  expect(await found('farm_asset', 'location=')).toEqual(
    await like('farm_asset', ({ location }) => location.length === 0),
  )
  expect(await found('farm_asset', 'geometry=')).toEqual(await like('farm_asset', ({ geometry }) => geometry === ''))
  expect(await found('farm_asset', 'geometry[ne]=')).toEqual(
    await like('farm_asset', ({ geometry }) => geometry !== ''),
  )
  expect(await found('taxonomy_term', 'assets[ne]=')).toEqual(
    await like('taxonomy_term', (term) => (term.assets ?? []).length > 0),
  )
  expect(await found('taxonomy_term', 'assets=')).toEqual(
    await like('taxonomy_term', (term) => term.assets?.length === 0),
  )
}

it('4.1 location, geometry and assets are found by the rule by which they are read', async () => {
  expect(await found('farm_asset', `location=${areas[0]}`)).toEqual([assets[0], assets[1]])
  expect(await found('farm_asset', 'location=area%201')).toEqual([assets[1], assets[7]])
  expect(await found('taxonomy_term', `assets=${assets[7]}`)).toEqual([])
  await expectFiltersToFollowReads()
})

it('4.1 also when time has passed and nothing was written', async () => {
  farm.setClock(now + 60)
  expect(await found('farm_asset', `location=${areas[1]}`)).toEqual([assets[1], assets[5], assets[7]])
  await expectFiltersToFollowReads()
  farm.setClock(now)
})

it('4.1 geometry is found by operators, together with other filters and in pages', async () => {
  expect(await found('farm_asset', 'geometry[ct]=9%209')).toEqual([assets[2]])
  expect(await found('farm_asset', 'geometry[sw]=multi&type=equipment')).toEqual([assets[1]])
  expect(await found('farm_asset', 'geometry[ne]=&type=group')).toEqual([])
  const page = await client.read('/farm_asset.json?geometry[ne]=&limit=2&page=1&sort=id&direction=DESC')
  expect(page.last).toContain('page=1')
  expect(page.list.map((asset: Json) => asset.id)).toEqual([assets[1], assets[0]])
  expect((await client.get('/farm_asset.json?geometry[gt]=')).status).toBe(400)
})

it('4.1 groups and members are filters too', async () => {
  expect(await found('farm_asset', `group=${groups[0]}`)).toEqual([assets[0], assets[7]])
  expect(await found('farm_asset', `members=${assets[0]}`)).toEqual([groups[0]])
  expect(await found('farm_asset', `members=${assets[7]}`)).toEqual([])
})
