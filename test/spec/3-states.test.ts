import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const now = 1_700_000_000
let farm: FarmUnderTest
let client: Client
let asset: string
let area: string

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  client = await farm.login()
  asset = await client.create('farm_asset', { name: 'Hens', type: 'group' })
  area = await client.create('taxonomy_term', { name: 'Meadow', vocabulary: 'farm_areas', geofield: 'POINT (1 2)' })
})

const move = (more: Record<string, unknown>) =>
  client.create('log', {
    name: 'Move',
    type: 'farm_activity',
    timestamp: String(now - 100),
    asset: [{ id: asset }],
    movement: { area: [{ id: area }] },
    ...more,
  })

const whereabouts = async () => {
  const { location, geometry } = await client.read(`/farm_asset/${asset}.json`)
  const { assets } = await client.read(`/taxonomy_term/${area}.json`)
  const ids = (references: Json[]) => references.map((reference) => reference.id)
  return { location: ids(location), geometry, assets: ids(assets) }
}
const nowhere = { location: [], geometry: '', assets: [] }
const inArea = () => ({ location: [area], geometry: 'POINT (1 2)', assets: [asset] })

describe('3 a log is done or not, by an ordinary update', () => {
  it.each([true, 1, '1', 'true'])('done: %o', async (done) => {
    const id = await client.create('log', { name: 'L', type: 'farm_activity', timestamp: '1' })
    expect((await client.put(`/log/${id}`, { done })).body.done).toBe('1')
  })

  it.each([false, 0, '0', 'false', null, ''])('not done: %o', async (done) => {
    const id = await client.create('log', { name: 'L', type: 'farm_activity', timestamp: '1', done: '1' })
    expect((await client.put(`/log/${id}`, { done })).body.done).toBe('0')
  })

  it.each(['yes', 2, -1, 'TRUE', [1, 0], { value: 1 }])('neither: %o', async (done) => {
    const answer = await client.post('/log', { name: 'L', type: 'farm_activity', timestamp: '1', done })
    expect(answer.body.errors).toMatchObject([{ field: 'done' }])
  })
})

it('3 where an asset is follows from done movements only, and at once', async () => {
  expect(await whereabouts()).toEqual(nowhere)
  const id = await move({ done: '0' })
  expect(await whereabouts()).toEqual(nowhere)
  await client.put(`/log/${id}`, { done: '1' })
  expect(await whereabouts()).toEqual(inArea())
  await client.put(`/log/${id}`, { done: '0' })
  expect(await whereabouts()).toEqual(nowhere)
  await client.put(`/log/${id}`, { done: '1' })
  await client.delete(`/log/${id}`)
  expect(await whereabouts()).toEqual(nowhere)
})

it('3 a done movement of tomorrow counts tomorrow', async () => {
  const id = await move({ done: '1', timestamp: String(now + 600) })
  expect(await whereabouts()).toEqual(nowhere)
  farm.setClock(now + 600)
  expect(await whereabouts()).toEqual(inArea())
  farm.setClock(now)
  await client.delete(`/log/${id}`)
})

it('3 an archived asset keeps its location and leaves the list of its area', async () => {
  const id = await move({ done: '1' })
  const archived = (await client.put(`/farm_asset/${asset}`, { archived: String(now) })).body
  expect(archived.archived).toBe(String(now))
  expect(await whereabouts()).toEqual({ ...inArea(), assets: [] })
  for (const none of ['0', 0, null, false, 'false', '']) {
    await client.put(`/farm_asset/${asset}`, { archived: String(now) })
    expect((await client.put(`/farm_asset/${asset}`, { archived: none })).body.archived).toBe('0')
  }
  expect(await whereabouts()).toEqual(inArea())
  await client.delete(`/log/${id}`)
})

it.each([true, 'abc', '2020-01-01', 1.5])('3 archived is a time, not %o', async (archived) => {
  expect((await client.put(`/farm_asset/${asset}`, { archived })).body.errors).toMatchObject([{ field: 'archived' }])
})
