import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

let farm: FarmUnderTest
let client: Client
/** The names of the records that a query finds, in the order of their ids. */
let logs: (query: string) => Promise<string[]>
let assets: (query: string) => Promise<string[]>
let terms: (query: string) => Promise<string[]>
const ids: Record<string, string> = {}

const log = async (name: string, more: Record<string, unknown>) => {
  ids[name] = await client.create('log', { name, type: 'farm_activity', timestamp: '1000', ...more })
}

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  const finder = (type: string) => async (query: string) =>
    (await client.read(`/${type}.json?${query}`)).list.map((record: { name: string }) => record.name)
  logs = finder('log')
  assets = finder('farm_asset')
  terms = finder('taxonomy_term')
  ids.north = await client.create('taxonomy_term', { name: 'North', vocabulary: 'farm_areas', area_type: 'field' })
  ids.seven = await client.create('taxonomy_term', { name: '7', vocabulary: 'farm_areas', area_type: 'bed' })
  ids.tractor = await client.create('farm_asset', { name: 'Tractor', type: 'equipment', manufacturer: 'Fendt' })
  ids.leek = await client.create('farm_asset', {
    name: 'Leek',
    type: 'planting',
    crop: [{ name: 'Leek' }],
    season: [{ name: '2020' }],
    archived: '900',
  })
  ids.resi = await client.create('farm_asset', {
    name: 'Resi',
    type: 'animal',
    animal_type: { name: 'Goat' },
    animal_castrated: true,
    tag: [
      { id: 'A1', type: 'Chip' },
      { id: 'B2', type: 'Brand' },
    ],
  })
  ids.kid = await client.create('farm_asset', {
    name: 'Kid',
    type: 'animal',
    animal_type: { name: 'Goat' },
    parent: [{ id: ids.resi }],
  })
  await log('one', {
    asset: [{ id: ids.tractor }, { id: ids.leek }],
    log_category: [{ name: 'Tillage' }],
    notes: 'Wet Soil',
    flags: ['priority'],
    done: 1,
  })
  await log('two', {
    timestamp: '2000',
    type: 'farm_harvest',
    lot_number: 'A-100%',
    area: [{ id: ids.north }],
    quantity: [
      { measure: 'weight', value: '10.50', unit: { name: 'kg' } },
      { measure: 'count', value: '-3' },
    ],
    log_owner: [],
  })
  await log('three', {
    timestamp: '3000',
    movement: { area: [{ id: ids.seven }], geometry: 'POINT (1 2)' },
    equipment: [{ id: ids.tractor }],
    inventory: [{ asset: { id: ids.leek }, value: '2' }],
    data: 'x',
  })
  await log('Four', { timestamp: '4000', type: 'farm_input', geofield: 'POINT (1 2)', date_purchase: '50' })
})

describe('4.1 the filters that the interface names', () => {
  it('type, done, asset and log_category of logs', async () => {
    expect(await logs('type=farm_harvest')).toEqual(['two'])
    expect(await logs('done=1')).toEqual(['one'])
    expect(await logs('done=0')).toEqual(['two', 'three', 'Four'])
    expect(await logs(`asset=${ids.leek}`)).toEqual(['one'])
    expect(await logs('log_category=Tillage')).toEqual(['one'])
    expect(await logs('log_category=5')).toEqual(['one'])
  })

  it('type of assets, bundle and name of terms, area_type of areas', async () => {
    expect(await assets('type=animal')).toEqual(['Resi', 'Kid'])
    expect(await terms('bundle=farm_areas')).toEqual(['North', '7'])
    expect(await terms('name=north')).toEqual(['North'])
    expect(await terms('bundle=farm_areas&area_type=bed')).toEqual(['7'])
    expect(await terms('bundle=farm_crops&name=Leek')).toEqual(['Leek'])
  })
})

describe('4.1 values', () => {
  it('several mean any of them, however they are written', async () => {
    for (const query of [
      'type[]=farm_harvest&type[]=farm_input',
      'type[0]=farm_harvest&type[1]=farm_input',
      'type=farm_harvest&type=farm_input',
      'type[]=farm_harvest&type=farm_input',
      'type%5B%5D=farm_harvest&type%5B%5D=farm_input',
      `id[0]=${ids.two}&id[1]=${ids.Four}`,
    ]) {
      expect(await logs(query), query).toEqual(['two', 'Four'])
    }
  })

  it('several fields must all be so', async () => {
    expect(await logs('type=farm_activity&done=1')).toEqual(['one'])
    expect(await logs('type=farm_harvest&done=1')).toEqual([])
  })

  it('under several names of one field must all be so', async () => {
    expect(await logs('bundle=farm_activity&type=farm_harvest')).toEqual([])
    expect(await logs('bundle=farm_harvest&type=farm_harvest&type=farm_input')).toEqual(['two'])
    expect(await logs(`asset=${ids.leek}&field_farm_asset=${ids.tractor}`)).toEqual(['one'])
    expect(await terms(`id=${ids.north}&tid=${ids.seven}`)).toEqual([])
    expect(await logs(`area[tid]=999&area=${ids.north}`)).toEqual(['two'])
  })

  it('of text compare whatever their case, Unicode form and language', async () => {
    expect(await logs('name=FOUR')).toEqual(['Four'])
    expect(await logs('lot_number=a-100%25')).toEqual(['two'])
    expect(await logs('notes=wet%20soil')).toEqual(['one'])
    expect(await assets('manufacturer=FENDT')).toEqual(['Tractor'])
    expect(await logs('type=FARM_INPUT')).toEqual(['Four'])
  })

  it('of numbers compare as numbers', async () => {
    expect(await logs('quantity[value]=10.5')).toEqual(['two'])
    expect(await logs('quantity[value]=010.500')).toEqual(['two'])
    expect(await logs('date_purchase=50')).toEqual(['Four'])
  })

  it.each(shareOfThisEngine(['1', 'true']))('of yes-no are given as %s', async (yes) => {
    expect(await logs(`done=${yes}`)).toEqual(['one'])
    expect(await assets(`animal_castrated=${yes}`)).toEqual(['Resi'])
  })

  it('no is also what was never said, among those that can say it', async () => {
    expect(await assets('animal_castrated=0')).toEqual(['Kid'])
  })

  it('that a record is not to have are also not had by one without the field', async () => {
    expect(await assets('animal_castrated[ne]=1')).toEqual(['Tractor', 'Leek', 'Kid'])
    expect(await assets('animal_castrated[ne]=0')).toEqual(['Tractor', 'Leek', 'Resi'])
    expect(await assets('animal_castrated[ne]=0&animal_castrated[ne]=1')).toEqual(['Tractor', 'Leek'])
    expect(await assets('manufacturer[ne]=Fendt')).toEqual(['Leek', 'Resi', 'Kid'])
  })

  it('of term references are names first, then ids', async () => {
    expect(await assets('crop=leek')).toEqual(['Leek'])
    expect(await assets('season=2020')).toEqual(['Leek'])
    expect(await assets('animal_type=Goat')).toEqual(['Resi', 'Kid'])
    expect(await logs('area=North')).toEqual(['two'])
    expect(await logs(`area=${ids.north}`)).toEqual(['two'])
    expect(await logs('movement[area]=7')).toEqual(['three'])
    expect(await logs('area=Nowhere')).toEqual([])
  })

  it('that are not there find nothing', async () => {
    expect(await logs('type=farm_nothing')).toEqual([])
    expect(await logs('bundle=__proto__')).toEqual([])
    expect(await terms('bundle=farm_nothing')).toEqual([])
    expect(await terms('vocabulary=999')).toEqual([])
    for (const id of ['999', '0', '-1']) expect(await logs(`id=${id}`)).toEqual([])
    expect(await logs('asset=999')).toEqual([])
    expect(await logs('uid=999')).toEqual([])
  })
})

describe('4.1 operators', () => {
  it.each(
    shareOfThisEngine([
      ['timestamp[ge]=3000', ['three', 'Four']],
      ['timestamp[gt]=3000', ['Four']],
      ['timestamp[lt]=2000', ['one']],
      ['timestamp[le]=2000', ['one', 'two']],
      ['timestamp[ne]=1000', ['two', 'three', 'Four']],
      ['timestamp[eq]=1000', ['one']],
      ['timestamp[ge]=2000&timestamp[lt]=4000', ['two', 'three']],
      ['timestamp[gt]=3500&timestamp[gt]=2500', ['three', 'Four']],
      ['timestamp[ne]=1000&timestamp[ne]=2000', ['three', 'Four']],
      ['name[ct]=O', ['one', 'two', 'Four']],
      ['name[sw]=t', ['two', 'three']],
      ['name[gt]=one', ['two', 'three']],
      ['notes[ct]=SOIL', ['one']],
      ['notes[value][ct]=soil', ['one']],
      ['lot_number[ct]=0%25', ['two']],
      ['lot_number[ct]=_', []],
      ['lot_number[sw]=a-', ['two']],
      ['quantity[value][gt]=10', ['two']],
      ['quantity[value][lt]=-2.999', ['two']],
      ['quantity[value][gt]=10.50', []],
      ['date_purchase[le]=50', ['Four']],
      ['done[ne]=1', ['two', 'three', 'Four']],
      ['type[ne]=farm_activity', ['two', 'Four']],
      ['log_category[ne]=Tillage', ['two', 'three', 'Four']],
      ['geofield[sw]=point', ['Four']],
    ]),
  )('finds exactly the logs of ?%s', async (query, found) => {
    expect(await logs(query)).toEqual(found)
  })

  it.each(shareOfThisEngine(['id', 'tid', 'target_id', 'value', 'eq']))(
    '[%s] says no more than the name',
    async (word) => {
      expect(await logs(`asset[${word}]=${ids.leek}`)).toEqual(['one'])
      expect(await logs(`area[${word}][]=${ids.north}&area[${word}][]=999`)).toEqual(['two'])
    },
  )

  it('white space around a name counts unless the whole name is compared', async () => {
    const named = ['North', 'Northern', 'North field']
    const made: string[] = []
    for (const name of named) made.push(await client.create('farm_asset', { name, type: 'group' }))
    expect(await assets('name=%20north%20')).toEqual(['North'])
    expect(await assets('type=group&name[ne]=North%20')).toEqual(['Northern', 'North field'])
    expect(await assets('name[ct]=North%20')).toEqual(['North field'])
    expect(await assets('name[sw]=North%20')).toEqual(['North field'])
    expect(await assets('name[ct]=%20')).toEqual(['North field'])
    for (const id of made) await client.delete(`/farm_asset/${id}`)
  })
})

describe('4.1 long texts', () => {
  const beginning = 'a'.repeat(119)
  /** In their order; that of the sunflower is as long as the others only with its second half. */
  const endings = ['a and on', 'b', 'b and on', '\u{fffd} and on', '🌻', '🌻 and on', '🌻 and on and on']
  const made: string[] = []

  beforeAll(async () => {
    for (const ending of endings) {
      const more = { name: `long ${ending}`, type: 'farm_harvest', timestamp: '1', lot_number: beginning + ending }
      made.push(await client.create('log', more))
    }
  })
  afterAll(async () => {
    for (const id of made) await client.delete(`/log/${id}`)
  })

  it.each(shareOfThisEngine(endings))('compare by all their characters: %s', async (ending) => {
    const asked = encodeURIComponent(beginning + ending)
    const at = endings.indexOf(ending)
    const those = (chosen: readonly string[]) => chosen.map((one) => `long ${one}`)
    const found = (operator: string) => logs(`name[sw]=long&lot_number[${operator}]=${asked}`)
    expect(await found('gt')).toEqual(those(endings.slice(at + 1)))
    expect(await found('ge')).toEqual(those(endings.slice(at)))
    expect(await found('lt')).toEqual(those(endings.slice(0, at)))
    expect(await found('le')).toEqual(those(endings.slice(0, at + 1)))
    expect(await found('eq')).toEqual(those([ending]))
    expect(await found('ne')).toEqual(those(endings.filter((one) => one !== ending)))
    expect(await found('sw')).toEqual(those(endings.filter((one) => one.startsWith(ending))))
  })
})

describe('4.1 parts are asked for by path, and any item counts', () => {
  it.each(
    shareOfThisEngine([
      ['quantity[measure]=weight', ['two']],
      ['quantity[measure]=count', ['two']],
      ['quantity[unit]=KG', ['two']],
      ['movement[geometry]=POINT%20(1%202)', ['three']],
      ['inventory[value][ge]=2', ['three']],
    ]),
  )('finds exactly the logs of ?%s', async (query, found) => {
    expect(await logs(query)).toEqual(found)
  })

  it('also references in them, and the tags of animals', async () => {
    expect(await logs(`inventory[asset]=${ids.leek}`)).toEqual(['three'])
    expect(await logs(`movement[area]=${ids.seven}`)).toEqual(['three'])
    expect(await assets('tag[id]=b2')).toEqual(['Resi'])
    expect(await assets('tag[type]=Chip&tag[id]=B2')).toEqual(['Resi'])
  })

  it('not as a whole', async () => {
    const answer = await client.get('/log.json?quantity=5')
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].allowed).toEqual([
      ...['quantity[measure]', 'quantity[value]', 'quantity[unit]', 'quantity[label]'],
    ])
  })
})

describe('4.1 no value asks for what is empty', () => {
  it.each(
    shareOfThisEngine([
      ['log_category=', ['two', 'three', 'Four']],
      ['log_category[ne]=', ['one']],
      ['log_owner=', ['two']],
      ['notes=', ['two', 'three', 'Four']],
      ['movement=', ['one', 'two', 'Four']],
      ['movement[area][ne]=', ['three']],
      ['quantity[ne]=', ['two']],
      ['lot_number=', ['Four']],
      ['lot_number[ne]=', ['two']],
      ['data[ne]=', ['three']],
      ['flags[ne]=', ['one']],
      ['images=', ['one', 'two', 'three', 'Four']],
      ['files[ne]=', []],
      ['geofield=&type=farm_input', []],
      ['name=', []],
      ['done=', ['two', 'three', 'Four']],
      ['log_category=&log_category=Tillage', ['one', 'two', 'three', 'Four']],
    ]),
  )('finds exactly the logs of ?%s', async (query, found) => {
    expect(await logs(query)).toEqual(found)
  })

  it.each(
    shareOfThisEngine([
      ['archived=false', ['Tractor', 'Resi', 'Kid']],
      ['archived=0', ['Tractor', 'Resi', 'Kid']],
      ['archived=true', ['Leek']],
      ['archived=1', ['Leek']],
      ['archived[ne]=true', ['Tractor', 'Resi', 'Kid']],
      ['archived[ne]=false', ['Leek']],
      ['archived=900', ['Leek']],
      ['archived=901', []],
      ['archived=901&archived=false', ['Tractor', 'Resi', 'Kid']],
      ['archived=true&archived=false', ['Tractor', 'Leek', 'Resi', 'Kid']],
      ['archived[ne]=true&archived[ne]=false', []],
      ['archived[gt]=1', ['Leek']],
      ['animal_castrated=true', ['Resi']],
      ['animal_castrated=false', ['Kid']],
    ]),
  )('yes and no: %s', async (query, found) => {
    expect(await assets(query)).toEqual(found)
    expect((await client.read(`/farm_asset.json?${query}&limit=1`)).last).toContain(
      `page=${Math.max(0, found.length - 1)}`,
    )
  })

  it('an asset that is not archived, a text that was emptied', async () => {
    expect(await assets('archived=')).toEqual(['Tractor', 'Resi', 'Kid'])
    expect(await assets('archived[ne]=')).toEqual(['Leek'])
    expect(await assets('parent[ne]=')).toEqual(['Kid'])
    const id = await client.create('log', { name: 'blank', type: 'farm_medical', timestamp: '1', notes: { value: '' } })
    expect(await logs('notes=&type=farm_medical')).toEqual(['blank'])
    await client.delete(`/log/${id}`)
  })
})

it('4.1 old internal names of fields are filters too', async () => {
  expect(await logs(`field_farm_asset=${ids.leek}`)).toEqual(['one'])
  expect(await logs('property_type=farm_input')).toEqual(['Four'])
  expect(await logs(`field_farm_area[tid]=${ids.north}`)).toEqual(['two'])
})

it('4.1 every field that a record has is a filter', async () => {
  const { resources } = await client.read('/farm.json')
  expect(Object.keys(resources)).toHaveLength(3)
  for (const [type, bundles] of Object.entries<Record<string, { fields: object; properties: object }>>(resources)) {
    const names = Object.values(bundles).flatMap(({ fields, properties }) => Object.keys({ ...fields, ...properties }))
    expect(names).toContain('name')
    for (const name of new Set(names)) {
      const answer = await client.get(`/${type}.json?${name}=`)
      expect(answer.status, `${type} ${name}: ${answer.text}`).toBe(200)
    }
  }
})
