import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { vidsOf } from '../records/sample-farm.ts'

let farm: FarmUnderTest
let client: Client
let vids: Record<string, string>

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  vids = await vidsOf(client)
})

it('2.4 a fresh farm has the eight log categories and no other terms', async () => {
  const { list } = await client.read('/taxonomy_term.json?id[le]=8')
  expect(list.map((term: { tid: string; name: string }) => `${term.tid} ${term.name}`)).toEqual([
    ...['1 Plantings', '2 Animals', '3 Equipment', '4 Soil', '5 Tillage', '6 Water', '7 Compost', '8 Sensors'],
  ])
  expect((await client.read('/taxonomy_term.json?limit=1')).last).toMatch(/page=7$/)
})

it('2.4 a term reads with its number under both names', async () => {
  const parent = await client.create('taxonomy_term', { name: 'Brassica', vocabulary: vids.farm_crops })
  const { body } = await client.post('/taxonomy_term', {
    name: 'Kale',
    vocabulary: { id: vids.farm_crops, resource: 'taxonomy_vocabulary' },
    parent: [{ id: parent, resource: 'taxonomy_term' }],
    description: 'Curly & <b>green</b>',
    weight: '-3',
  })
  const reference = (id: string, name: string) => ({
    uri: `${farm.base}/taxonomy_term/${id}`,
    id,
    resource: 'taxonomy_term',
    name,
  })
  expect(body).toEqual({
    id: body.tid,
    tid: body.tid,
    name: 'Kale',
    description: 'Curly & <b>green</b>',
    vocabulary: {
      uri: `${farm.base}/taxonomy_vocabulary/${vids.farm_crops}`,
      id: vids.farm_crops,
      resource: 'taxonomy_vocabulary',
    },
    parent: [reference(parent, 'Brassica')],
    weight: '-3',
    companions: [],
    images: [],
    maturity_days: null,
    transplant_days: null,
    url: `${farm.base}/taxonomy_term/${body.tid}`,
    parents_all: [reference(body.tid, 'Kale'), reference(parent, 'Brassica')],
    uri: `${farm.base}/taxonomy_term/${body.tid}`,
    resource: 'taxonomy_term',
  })
})

it('2.4 heavier terms sink in a list, equal ones stand by number', async () => {
  const make = (name: string, weight: number) =>
    client.create('taxonomy_term', { name, vocabulary: 'farm_soil_names', weight })
  const heavy = await make('Clay', 10)
  const first = await make('Loam', 0)
  const second = await make('Chalk', 0)
  const light = await make('Sand', -1)
  expect(await client.ids('/taxonomy_term.json?bundle=farm_soil_names')).toEqual([light, first, second, heavy])
})

it.each([
  ['number in digits', () => vids.farm_season],
  ['number', () => Number(vids.farm_season)],
  ['object with the number', () => ({ id: Number(vids.farm_season), resource: 'taxonomy_vocabulary' })],
  ['machine name', () => 'farm_season'],
])('2.4 a vocabulary is given as its %s', async (_form, vocabulary) => {
  const { body } = await client.post('/taxonomy_term', { name: '2020', vocabulary: vocabulary() })
  expect(body.vocabulary.id).toBe(vids.farm_season)
})

it.each(['999', 'farm_nothing', { name: 'farm_season' }, 1.5, '__proto__', [1]])(
  '2.4 %o is no vocabulary, and the answer says which there are',
  async (vocabulary) => {
    const answer = await client.post('/taxonomy_term', { name: 'x', vocabulary })
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0]).toMatchObject({ field: 'vocabulary' })
    expect(answer.body.errors[0].allowed).toContain('farm_areas')
  },
)

it('2.4 a plain new term is never merged with one of the same name', async () => {
  const term = { name: 'Twin', vocabulary: 'farm_materials' }
  const twins = [await client.create('taxonomy_term', term), await client.create('taxonomy_term', term)]
  expect(await client.ids('/taxonomy_term.json?name=twin&bundle=farm_materials')).toEqual(twins)
})

describe('2.4 hierarchy', () => {
  it('a parent is a term of the same vocabulary', async () => {
    const crop = await client.create('taxonomy_term', { name: 'Beet', vocabulary: 'farm_crops' })
    const answer = await client.post('/taxonomy_term', { name: 'x', vocabulary: 'farm_areas', parent: [{ id: crop }] })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field: 'parent[0]', allowed: ['farm_areas'] }])
  })

  it('a term cannot stand below itself, directly or over others', async () => {
    const [a, b, c] = [
      await client.create('taxonomy_term', { name: 'A', vocabulary: 'farm_areas' }),
      await client.create('taxonomy_term', { name: 'B', vocabulary: 'farm_areas', parent: [{ name: 'A' }] }),
      await client.create('taxonomy_term', { name: 'C', vocabulary: 'farm_areas', parent: { name: 'B' } }),
    ]
    expect((await client.put(`/taxonomy_term/${a}`, { parent: [{ id: c }] })).status).toBe(422)
    expect((await client.put(`/taxonomy_term/${a}`, { parent: [{ id: a }] })).status).toBe(422)
    const { parents_all } = await client.read(`/taxonomy_term/${c}.json`)
    expect(parents_all.map((term: { id: string }) => term.id)).toEqual([c, b, a])
  })
})

it('2.4 a renamed term shows its new name wherever it is referred to', async () => {
  const unit = await client.create('taxonomy_term', { name: 'kilo', vocabulary: 'farm_quantity_units' })
  const log = await client.create('log', {
    name: 'Harvest',
    type: 'farm_harvest',
    timestamp: '1',
    quantity: [{ value: '1', unit: { id: unit } }],
  })
  await client.put(`/taxonomy_term/${unit}`, { name: 'kg' })
  expect((await client.read(`/log/${log}.json`)).quantity[0].unit.name).toBe('kg')
  expect((await client.read(`/log.json?id=${log}`)).list[0].quantity[0].unit.name).toBe('kg')
})

it.each(['"quoted" \\back/slash', '$& $1 {{x}}', '<b>&amp;</b>', '\u200d\u200f🌾', '__proto__', 'null'])(
  '2.4 a term called %j is called so wherever it is named',
  async (name) => {
    const area = await client.create('taxonomy_term', { name, vocabulary: 'farm_areas' })
    const below = await client.create('taxonomy_term', { name: 'B', vocabulary: 'farm_areas', parent: [{ id: area }] })
    const asset = await client.create('farm_asset', { name: 'A', type: 'group' })
    const movement = { area: [{ id: area }] }
    const moved = { name: 'L', type: 'farm_activity', timestamp: '1', done: '1', asset: [{ id: asset }], movement }
    const log = await client.create('log', { ...moved, area: [{ name }] })
    expect(await client.read(`/log/${log}.json`)).toMatchObject({
      area: [{ id: area, name }],
      movement: { area: [{ name }] },
    })
    expect((await client.read(`/farm_asset/${asset}.json`)).location).toMatchObject([{ id: area, name }])
    expect(await client.read(`/taxonomy_term/${below}.json`)).toMatchObject({
      parent: [{ name }],
      parents_all: [{ name: 'B' }, { name }],
    })
    expect((await client.read(`/taxonomy_term.json?full=0&id=${area}`)).list).toMatchObject([{ name }])
    expect(await client.ids(`/log.json?area=${encodeURIComponent(name)}`)).toEqual([log])
  },
)

it.each(['A description', { value: 'A description', format: 'farm_format' }])(
  '2.4 a description is taken as %o and read as a string',
  async (description) => {
    const { body } = await client.post('/taxonomy_term', { name: 'x', vocabulary: 'farm_materials', description })
    expect(body.description).toBe('A description')
  },
)

it('2.4 a season has a period, a crop its days and its family', async () => {
  const season = { name: '2021', vocabulary: 'farm_season', date_range: { value: '10', value2: '30' } }
  expect((await client.post('/taxonomy_term', season)).body.date_range).toEqual({
    value: '10',
    value2: '30',
    duration: 20,
  })
  const backwards = { ...season, date_range: { value: '30', value2: '10' } }
  expect((await client.post('/taxonomy_term', backwards)).status).toBe(422)
  const noTime = await client.post('/taxonomy_term', { ...season, date_range: { value: 'spring' } })
  expect(noTime.body.errors.map(({ field }: { field: string }) => field)).toEqual(['date_range.value'])
  const crop = { name: 'Kale', vocabulary: 'farm_crops', crop_family: { name: 'Cabbages' }, maturity_days: 60 }
  expect((await client.post('/taxonomy_term', { ...crop, companions: [{ name: 'Onion' }] })).body).toMatchObject({
    crop_family: { name: 'Cabbages' },
    companions: [{ name: 'Onion' }],
    maturity_days: '60',
    transplant_days: null,
  })
  expect((await client.post('/taxonomy_term', { ...crop, maturity_days: -1 })).status).toBe(422)
})
