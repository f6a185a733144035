import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

it('2.3 a planting of which only the least is said', async () => {
  farm.setClock(1_700_000_000)
  const { body } = await client.post('/farm_asset', { name: 'Leek', type: 'planting', crop: [{ name: 'Leek' }] })
  const address = `${farm.base}/farm_asset/${body.id}`
  const { user } = await client.read('/farm.json')
  const [crop] = (await client.read('/taxonomy_term.json?bundle=farm_crops&name=Leek')).list
  expect(body).toEqual({
    id: body.id,
    name: 'Leek',
    type: 'planting',
    uid: { uri: `${farm.base}/user/${user.uid}`, id: user.uid, resource: 'user' },
    created: '1700000000',
    changed: '1700000000',
    archived: '0',
    location: [],
    geometry: '',
    description: [],
    files: [],
    flags: [],
    images: [],
    data: null,
    crop: [{ uri: `${farm.base}/taxonomy_term/${crop.tid}`, id: crop.tid, resource: 'taxonomy_term', name: 'Leek' }],
    parent: [],
    season: [],
    url: address,
    uri: address,
    resource: 'farm_asset',
  })
  farm.setClock(null)
})

describe('2.3 fields of the asset types', () => {
  const standard = [
    ...['id', 'name', 'type', 'uid', 'created', 'changed', 'archived', 'location', 'geometry', 'description'],
    ...['files', 'flags', 'images', 'data', 'url'],
  ]

  it.each([
    ['planting', { crop: [{ name: 'Leek' }] }, ['crop', 'parent', 'season']],
    [
      'animal',
      { animal_type: { name: 'Goat' } },
      ['animal_castrated', 'animal_nicknames', 'animal_sex', 'animal_type', 'date', 'parent', 'tag'],
    ],
    ['equipment', {}, ['manufacturer', 'model', 'serial_number']],
    ['group', {}, ['parent']],
    ['compost', {}, ['parent']],
    ['sensor', {}, ['sensor_settings', 'sensor_type']],
  ])('shows on a %s the standard fields and its own, no others', async (type, required, own) => {
    const { body } = await client.post('/farm_asset', { name: 'An asset', type, ...required })
    const { uri: _uri, resource: _resource, ...record } = body
    expect(Object.keys(record).toSorted()).toEqual([...standard, ...own].toSorted())
  })
})

it('2.3 an animal', async () => {
  const { body } = await client.post('/farm_asset', {
    name: 'Resi',
    type: 'animal',
    animal_type: { name: 'Goat' },
    animal_nicknames: ['R', 'Resl'],
    animal_castrated: true,
    animal_sex: 'F',
    tag: [{ id: 'DE 09', location: 'left', type: 'Ear tag' }, { id: 'x' }],
    date: '-86400',
  })
  expect(body).toMatchObject({
    animal_nicknames: ['R', 'Resl'],
    animal_castrated: true,
    animal_sex: 'F',
    animal_type: { name: 'Goat' },
    tag: [
      { id: 'DE 09', location: 'left', type: 'Ear tag' },
      { id: 'x', location: null, type: null },
    ],
    date: '-86400',
  })
  const plain = { name: 'Kid', type: 'animal', animal_type: { id: body.animal_type.id }, parent: [{ id: body.id }] }
  expect((await client.post('/farm_asset', plain)).body).toMatchObject({
    animal_nicknames: [],
    animal_castrated: false,
    animal_sex: null,
    tag: [],
    date: null,
    parent: [{ id: body.id, resource: 'farm_asset' }],
  })
})

it.each([
  [{ animal_sex: 'X' }, 'animal_sex', ['F', 'M']],
  [{ tag: [{ type: 'Collar' }] }, 'tag[0].type', ['Brand', 'Ear tag', 'Tattoo', 'Leg band', 'Chip', 'Other']],
])('2.3 the words of %o are a closed list', async (more, field, allowed) => {
  const answer = await client.post('/farm_asset', { name: 'A', type: 'animal', animal_type: { name: 'Goat' }, ...more })
  expect(answer.status).toBe(422)
  expect(answer.body.errors).toMatchObject([{ field, allowed }])
})

it('2.3 a parent is any asset', async () => {
  const tractor = await client.create('farm_asset', { name: 'Tractor', type: 'equipment' })
  const compost = await client.create('farm_asset', { name: 'Heap', type: 'compost', parent: [{ id: tractor }] })
  expect((await client.read(`/farm_asset/${compost}.json`)).parent).toMatchObject([{ id: tractor }])
})

it('2.3 what groups and stock levels the logs imply is shown on request only', async () => {
  const group = await client.create('farm_asset', { name: 'Herd', type: 'group' })
  const member = await client.create('farm_asset', { name: 'Resi', type: 'animal', animal_type: { name: 'Goat' } })
  await client.create('log', {
    name: 'Joins',
    type: 'farm_activity',
    timestamp: '1000',
    done: '1',
    asset: [{ id: member }],
    membership: { group: [{ id: group }] },
    inventory: [
      { asset: { id: member }, value: '1.10' },
      { asset: { id: member }, value: '-0.1' },
    ],
  })
  expect(await client.read(`/farm_asset/${member}.json`)).not.toHaveProperty('group')
  const asked = await client.read(`/farm_asset.json?id[]=${member}&id[]=${group}&with=group,inventory,members`)
  expect(asked.list).toMatchObject([
    { id: group, group: [], inventory: '0', members: [{ id: member, resource: 'farm_asset' }] },
    { id: member, group: [{ id: group, resource: 'farm_asset' }], inventory: '1.00' },
  ])
  expect(asked.list[1]).not.toHaveProperty('members')
  const refused = await client.get(`/farm_asset/${member}.json?with=secrets`)
  expect(refused.status).toBe(400)
  expect(refused.body.errors).toMatchObject([
    { field: 'with', allowed: ['group', 'inventory', 'withheld', 'members', 'uuid', 'version'] },
  ])
})
