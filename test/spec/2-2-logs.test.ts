import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const now = 1_700_000_000
let farm: FarmUnderTest
let client: Client
let uid: string

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  uid = (await client.read('/farm.json')).user.uid
})

const log = (more: Record<string, unknown> = {}) => ({
  name: 'A log',
  type: 'farm_observation',
  timestamp: '1600000000',
  ...more,
})

it('2.2 a log of which only the least is said reads as an empty one', async () => {
  farm.setClock(now)
  const { body } = await client.post('/log', log())
  const author = { uri: `${farm.base}/user/${uid}`, id: uid, resource: 'user' }
  const address = `${farm.base}/log/${body.id}`
  const empty = {
    id: body.id,
    name: 'A log',
    type: 'farm_observation',
    uid: author,
    timestamp: '1600000000',
    created: String(now),
    changed: String(now),
    done: '0',
    area: [],
    asset: [],
    equipment: [],
    files: [],
    flags: [],
    images: [],
    inventory: [],
    log_category: [],
    log_owner: [author],
    membership: { group: [] },
    movement: { area: [], geometry: null },
    notes: [],
    quantity: [],
    data: null,
    geofield: [],
    url: address,
  }
  expect(body).toEqual({ ...empty, uri: address, resource: 'log' })
  expect(await client.read(`/log/${body.id}.json`)).toEqual(empty)
  farm.setClock(null)
})

describe('2.2 fields of the log types', () => {
  const standard = [
    ...['id', 'name', 'type', 'timestamp', 'done', 'notes', 'asset', 'equipment', 'movement', 'membership', 'quantity'],
    ...[
      'inventory',
      'images',
      'files',
      'flags',
      'log_category',
      'log_owner',
      'created',
      'changed',
      'uid',
      'data',
      'url',
    ],
  ]
  const place = ['area', 'geofield']

  it.each([
    ['farm_activity', place],
    ['farm_observation', place],
    [
      'farm_input',
      [...place, 'material', 'input_purpose', 'input_method', 'input_source', 'date_purchase', 'lot_number'],
    ],
    ['farm_harvest', [...place, 'lot_number']],
    ['farm_maintenance', place],
    ['farm_medical', [...place, 'vet']],
    ['farm_soil_test', [...place, 'soil_lab', 'soil_names']],
    ['farm_water_test', [...place, 'water_lab']],
  ])('%s has the standard fields and its own', async (type, own) => {
    const { body } = await client.post('/log', log({ type }))
    const { uri: _uri, resource: _resource, ...record } = body
    expect(Object.keys(record).toSorted()).toEqual([...standard, ...own].toSorted())
  })

  it('a birth has a mother, left out while there is none', async () => {
    const { body } = await client.post('/log', log({ type: 'farm_birth' }))
    expect(body).not.toHaveProperty('mother')
    const cow = { name: 'Berta', type: 'animal', animal_type: { name: 'Cow' } }
    const mother = await client.create('farm_asset', cow)
    expect((await client.post('/log', log({ type: 'farm_birth', mother: { id: mother } }))).body.mother).toEqual({
      uri: `${farm.base}/farm_asset/${mother}`,
      id: mother,
      resource: 'farm_asset',
    })
  })

  it('a birth changes neither the children nor the mother', async () => {
    const animal = (name: string) => ({ name, type: 'animal', animal_type: { name: 'Cow' } })
    const mother = await client.create('farm_asset', animal('Cow'))
    const child = await client.create('farm_asset', animal('Calf'))
    const both = () => Promise.all([mother, child].map((id) => client.read(`/farm_asset/${id}.json`)))
    const before = await both()
    await client.create('log', log({ type: 'farm_birth', done: 1, asset: [{ id: child }], mother: { id: mother } }))
    expect(await both()).toEqual(before)
    expect(before[1]).toMatchObject({ date: null, parent: [] })
  })
})

describe('2.2 seeding and transplanting', () => {
  let planting: string
  let field: string

  beforeAll(async () => {
    planting = await client.create('farm_asset', { name: 'Leek 1', type: 'planting', crop: [{ name: 'Leek' }] })
    field = await client.create('taxonomy_term', { name: 'Field 1', vocabulary: 'farm_areas' })
  })

  describe.each(['farm_seeding', 'farm_transplanting'])('a log of type %s', (type) => {
    it('says where it took place by a movement, and so where the planting is', async () => {
      const movement = { area: [{ id: field }], geometry: 'POINT (1 2)' }
      const body = log({ type, asset: [{ id: planting }], movement, done: '1' })
      const made = await client.post('/log', body)
      expect(made.status, made.text).toBe(201)
      expect(made.body.movement.area[0]).toMatchObject({ id: field, name: 'Field 1' })
      const { location, geometry } = await client.read(`/farm_asset/${planting}.json`)
      expect(location.map((area: { id: string }) => area.id)).toEqual([field])
      expect(geometry).toBe('POINT (1 2)')
    })

    it('needs at least one asset', async () => {
      for (const asset of [undefined, [], null, [{ id: null }]]) {
        const answer = await client.post('/log', log({ type, asset }))
        expect(answer.status).toBe(422)
        expect(answer.body.errors).toEqual([{ field: 'asset', message: 'is required' }])
      }
    })

    it('takes plantings only, all of them', async () => {
      const tractor = await client.create('farm_asset', { name: 'Tractor', type: 'equipment' })
      const answer = await client.post('/log', log({ type, asset: [{ id: planting }, { id: tractor }] }))
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toMatchObject([{ field: 'asset[1]', allowed: ['planting'] }])
    })

    it('keeps its assets: an update cannot empty them', async () => {
      const id = await client.create('log', log({ type, asset: [{ id: planting }] }))
      expect((await client.put(`/log/${id}`, { asset: [] })).status).toBe(422)
      expect((await client.read(`/log/${id}.json`)).asset).toHaveLength(1)
    })

    it.each([{ area: [{ id: '1' }] }, { geofield: 'POINT (1 2)' }])('has no %o', async (more) => {
      const answer = await client.post('/log', log({ type, asset: [{ id: planting }], ...more }))
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].field).toBe(Object.keys(more)[0])
      expect(answer.body.errors[0].message).toContain('has no such field')
    })
  })

  it('a seeding says where the seeds came from, a transplanting does not', async () => {
    const seeding = log({
      type: 'farm_seeding',
      asset: [{ id: planting }],
      seed_source: 'Neighbour',
      lot_number: '7/b',
    })
    expect((await client.post('/log', seeding)).body).toMatchObject({ seed_source: 'Neighbour', lot_number: '7/b' })
    expect((await client.post('/log', { ...seeding, type: 'farm_transplanting' })).status).toBe(422)
  })
})

it('2.2 a log is assigned to its author unless it says otherwise', async () => {
  const [other] = (await client.read('/user.json')).list.filter((user: { uid: string }) => user.uid !== uid)
  expect(other).toBeUndefined()
  const worker = await farm.login('worker')
  const workerId = (await worker.read('/farm.json')).user.uid
  const ownersOf = async (more: Record<string, unknown>) =>
    (await client.post('/log', log(more))).body.log_owner.map((owner: { id: string }) => owner.id)
  expect(await ownersOf({})).toEqual([uid])
  expect(await ownersOf({ log_owner: [{ id: workerId }] })).toEqual([workerId])
  expect(await ownersOf({ log_owner: [] })).toEqual([])
  expect(await ownersOf({ log_owner: null })).toEqual([])
  expect(await ownersOf({ uid: { id: workerId } })).toEqual([workerId])
  expect(await ownersOf({ uid: { id: workerId }, log_owner: [{ id: uid }] })).toEqual([uid])
})

it('2.2 flags are an open list, of which three are suggested', async () => {
  const { body } = await client.post('/log', log({ flags: ['priority', 'to be discussed'] }))
  expect(body.flags).toEqual(['priority', 'to be discussed'])
  expect((await client.post('/log', log({ flags: 'monitor' }))).body.flags).toEqual(['monitor'])
  expect((await client.post('/log', log({ flags: ['x'.repeat(65)] }))).status).toBe(422)
})
