import { beforeAll, describe, expect, it } from 'vitest'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let client: Client
let info: Json

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  info = await client.read('/farm.json')
})

it('2.6 the farm says who it is, where, in which version, and who is asking', () => {
  expect(info).toMatchObject({
    name: 'My farm',
    url: farm.base,
    api_version: '1.3',
    system_of_measurement: 'metric',
    user: {
      uid: expect.stringMatching(/^\d+$/),
      name: client.login.name,
      mail: `${client.login.name}@farm.example`,
      language: 'en',
    },
    languages: { en: { language: 'en', name: 'English', native: 'English', direction: 0 } },
  })
})

it('2.6 it counts what there is, leaving out what is archived', async () => {
  expect((await client.read('/farm.json')).metrics).toEqual({})
  await client.create('farm_asset', { name: 'Tractor', type: 'equipment' })
  await client.create('farm_asset', { name: 'Old tractor', type: 'equipment', archived: '5' })
  await client.create('taxonomy_term', { name: 'Field', vocabulary: 'farm_areas' })
  const { metrics } = await client.read('/farm.json')
  expect(metrics).toMatchObject({
    equipment: { label: 'Equipment', value: '1', weight: 0 },
    areas: { label: 'Areas', value: '1', weight: 100 },
  })
  for (const { link } of Object.values<Json>(metrics)) {
    expect((await client.read(`/${link}`)).list).toHaveLength(1)
  }
})

describe('2.6 what can be recorded', () => {
  it('names every type with its labels and its fields', () => {
    expect(Object.keys(info.resources).toSorted()).toEqual(['farm_asset', 'log', 'taxonomy_term'])
    expect(Object.keys(info.resources.farm_asset).toSorted()).toEqual([
      ...['animal', 'compost', 'equipment', 'group', 'planting', 'sensor'],
    ])
    expect(info.resources.log.farm_harvest).toMatchObject({ label: 'Harvest', label_plural: 'Harvests' })
    for (const bundles of Object.values<Json>(info.resources)) {
      for (const bundle of Object.values<Json>(bundles)) {
        expect(bundle).toMatchObject({ label: expect.any(String), label_plural: expect.any(String) })
        for (const field of [...Object.values<Json>(bundle.fields), ...Object.values<Json>(bundle.properties)]) {
          expect(field).toMatchObject({ label: expect.any(String), type: expect.any(String) })
          expect([0, 1]).toContain(field.required)
          expect(field).toHaveProperty('data_schema')
          expect(field).toHaveProperty('default_value')
        }
      }
    }
  })

  it('gives every vocabulary its number, also those without fields of their own', async () => {
    const { list } = await client.read('/taxonomy_vocabulary.json')
    expect(info.resources.taxonomy_term.farm_materials.fields).toEqual({})
    expect(list).not.toEqual([])
    for (const { machine_name, vid } of list) expect(info.resources.taxonomy_term[machine_name].vid).toBe(vid)
  })

  it.each([
    ['log', 'farm_seeding', 'asset', 'entityreference', 1, [{ id: null }]],
    ['log', 'farm_activity', 'asset', 'entityreference', 0, [{ id: null }]],
    ['log', 'farm_activity', 'notes', 'text_long', 0, { value: '', format: 'farm_format' }],
    ['log', 'farm_activity', 'data', 'text_long', 0, ''],
    ['log', 'farm_activity', 'flags', 'list_text', 0, ['']],
    ['log', 'farm_activity', 'images', 'image', 0, [{ id: null }]],
    ['log', 'farm_activity', 'files', 'file', 0, [{ id: null }]],
    ['log', 'farm_activity', 'geofield', 'geofield', 0, [{ geom: '' }]],
    ['log', 'farm_activity', 'movement', 'field_collection', 0, { area: [{ id: null }], geometry: '' }],
    ['log', 'farm_activity', 'membership', 'field_collection', 0, { group: [{ id: null }] }],
    [
      ...(['log', 'farm_activity', 'quantity', 'field_collection', 0] as const),
      [{ measure: '', value: null, unit: { id: null }, label: '' }],
    ],
    ['log', 'farm_activity', 'inventory', 'field_collection', 0, [{ asset: { id: null }, value: null }]],
    ['log', 'farm_input', 'date_purchase', 'datestamp', 0, null],
    ['log', 'farm_birth', 'mother', 'entityreference', 0, { id: null }],
    ['farm_asset', 'planting', 'crop', 'taxonomy_term_reference', 1, [{ id: null }]],
    ['farm_asset', 'animal', 'animal_type', 'taxonomy_term_reference', 1, { id: null }],
    ['farm_asset', 'animal', 'animal_castrated', 'list_boolean', 0, null],
    ['farm_asset', 'animal', 'animal_nicknames', 'text', 0, ['']],
    ['farm_asset', 'animal', 'tag', 'field_collection', 0, [{ id: '', location: '', type: '' }]],
    ['farm_asset', 'equipment', 'model', 'text', 0, ''],
    ['taxonomy_term', 'farm_crops', 'maturity_days', 'number_integer', 0, null],
    ['taxonomy_term', 'farm_areas', 'area_type', 'list_text', 0, ''],
  ])('describes %s %s %s as %s', (resource, bundle, name, type, required, data_schema) => {
    expect(info.resources[resource][bundle].fields[name]).toMatchObject({ type, required, data_schema })
  })

  it('lists the words of choices', () => {
    const { fields } = info.resources.log.farm_activity
    expect(fields.flags.allowed_values).toEqual(['priority', 'monitor', 'review'])
    expect(fields.quantity.fields.measure.allowed_values).toEqual([
      ...['count', 'length', 'weight', 'area', 'volume', 'time', 'temperature', 'pressure', 'water_content', 'value'],
      ...['rate', 'rating', 'ratio', 'probability'],
    ])
    expect(info.resources.taxonomy_term.farm_areas.fields.area_type.allowed_values).toContain('landmark')
    expect(info.resources.farm_asset.animal.fields.animal_sex.allowed_values).toEqual(['F', 'M'])
  })

  it('shows beside them what every record of the type has', () => {
    const { properties } = info.resources.log.farm_activity
    expect(Object.keys(properties).toSorted()).toEqual([
      ...['changed', 'created', 'done', 'id', 'name', 'timestamp', 'type', 'uid'],
    ])
    expect(properties.name).toMatchObject({ type: 'text', required: 1 })
    expect(properties.timestamp).toMatchObject({ type: 'datestamp', required: 1 })
    expect(info.resources.farm_asset.group.properties.location).toMatchObject({ required: 0, read_only: 1 })
    expect(info.resources.taxonomy_term.farm_areas.properties.assets).toMatchObject({ read_only: 1 })
  })
})

it('2.6 the required flags say what a new record needs', async () => {
  expect(Object.keys(info.resources)).toHaveLength(3)
  for (const [type, bundles] of Object.entries<Json>(info.resources)) {
    expect(bundles).not.toEqual({})
    for (const [bundle, { fields, properties, vid }] of Object.entries<Json>(bundles)) {
      const bundleName = vid === undefined ? 'type' : 'vocabulary'
      const answer = await client.post(`/${type}`, { [bundleName]: vid ?? bundle })
      const required = Object.entries<Json>({ ...properties, ...fields }).filter(([, field]) => field.required === 1)
      const missing = required.map(([name]) => name).filter((name) => name !== bundleName)
      expect(answer.body.errors.map((fault: Json) => fault.field).toSorted()).toEqual(missing.toSorted())
    }
  }
})

it('2.6 whoever has no role learns the name, the address, the version and who he is', async () => {
  const nobody = await farm.login(null)
  const answer = await nobody.read('/farm.json')
  expect(Object.keys(answer)).toEqual(['name', 'url', 'api_version', 'user'])
  expect(answer.user.name).toBe(nobody.login.name)
})

it('2.6 a module may add to the record', async () => {
  const grown = kit.withInfo(stockFarm, 'mapbox_api_key', 'k')
  const other = await openFarm({ farm: grown })
  expect((await (await other.login()).read('/farm.json')).mapbox_api_key).toBe('k')
})

it('9 the version is the one that the interface has', async () => {
  expect(info.api_version).toBe('1.3')
  expect((await client.read('/farm')).api_version).toBe('1.3')
})
