import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { type SampleFarm, sampleFarm } from '../records/sample-farm.ts'

let client: Client
let sample: SampleFarm

beforeAll(async () => {
  const farm = await openFarm()
  client = await farm.login()
  sample = await sampleFarm(client, farm.base)
})

const log = { name: 'L', type: 'farm_input', timestamp: '1' }

it('2.6 the templates that the info record gives mean nothing as long as they are empty', async () => {
  const { resources } = await client.read('/farm.json')
  expect(Object.keys(resources)).toHaveLength(3)
  for (const [type, bundles] of Object.entries<Json>(resources)) {
    expect(bundles).not.toEqual({})
    for (const [bundle, { fields }] of Object.entries<Json>(bundles)) {
      const optional = Object.entries<Json>(fields).filter(([, field]) => field.required === 0)
      const required = Object.entries<Json>(fields).filter(([, field]) => field.required === 1)
      const given = Object.fromEntries(
        required.map(([name, field]) => [
          name,
          field.type === 'entityreference' ? sample.assets.planting : { name: 'Something' },
        ]),
      )
      const empty = Object.fromEntries(optional.map(([name, field]) => [name, field.data_schema]))
      const bundleName = type === 'taxonomy_term' ? { vocabulary: bundle } : { type: bundle }
      const standing = { name: 'N', ...bundleName, ...(type === 'log' ? { timestamp: '1', log_owner: [] } : {}) }
      const plain = await client.post(`/${type}`, { ...standing, ...given })
      const templated = await client.post(`/${type}`, { ...standing, ...given, ...empty })
      expect(templated.status, templated.text).toBe(201)
      for (const [name, field] of optional) {
        const isText = field.type === 'text_long'
        expect(templated.body[name], `${bundle} ${name}`).toEqual(isText ? field.data_schema : plain.body[name])
      }
    }
  }
})

describe('4 a list of one may be given bare', () => {
  it.each([
    ['asset', () => ({ id: sample.assets.group })],
    ['area', () => ({ name: 'North' })],
    ['log_category', () => '5'],
    ['flags', () => 'review'],
    ['quantity', () => ({ value: '1' })],
    ['geofield', () => 'POINT (1 2)'],
    ['files', () => 'data:text/plain;base64,QQ=='],
  ])('takes one bare value of %s as a list of one', async (name, value) => {
    const bare = (await client.post('/log', { ...log, [name]: value() })).body
    const listed = (await client.post('/log', { ...log, [name]: [value()] })).body
    expect(bare[name]).toHaveLength(1)
    expect(bare[name]).toEqual(listed[name])
  })

  it('a movement, which is single, may be given as a list', async () => {
    const movement = { area: [], geometry: 'POINT (1 2)' }
    expect((await client.post('/log', { ...log, movement: [movement] })).body.movement).toEqual(movement)
    const two = await client.post('/log', { ...log, movement: [movement, movement] })
    expect(two.body.errors).toMatchObject([{ field: 'movement' }])
  })
})

describe('4 old internal names of fields', () => {
  it('are taken in a write', async () => {
    const { body } = await client.post('/log', {
      ...log,
      field_farm_notes: { value: 'Rain', format: 'farm_format' },
      field_farm_material: [{ name: 'Lime' }],
      field_farm_asset: [{ id: sample.assets.group }],
    })
    expect(body).toMatchObject({
      notes: { value: 'Rain' },
      material: [{ name: 'Lime' }],
      asset: [{ id: sample.assets.group }],
    })
  })

  it('are what faults are named by, wherever they are found', async () => {
    const faultsOf = async (path: string, body: object) => (await client.post(path, body)).body.errors
    expect(await faultsOf('/log', { ...log, field_farm_asset: [null, { id: '999999' }] })).toMatchObject([
      { field: 'field_farm_asset[1]' },
    ])
    expect(
      await faultsOf('/farm_asset', { name: 'Cow', type: 'animal', field_farm_animal_type: { id: 'x' } }),
    ).toMatchObject([{ field: 'field_farm_animal_type.id' }])
  })

  it('are refused beside the present name', async () => {
    const answer = await client.post('/log', { ...log, notes: 'a', field_farm_notes: 'b' })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field: 'field_farm_notes' }])
  })

  it.each(['field_farm_', 'field_farm_colour', 'field_farm_id', 'field_farm___proto__', 'field_notes'])(
    'unless there is none: %s',
    async (name) => {
      expect((await client.post('/log', { ...log, [name]: 'x' })).status).toBe(422)
    },
  )
})

it('2.1 ids and numbers are taken as numbers and as digits, and read as digits', async () => {
  for (const spell of [String, Number]) {
    const { body } = await client.post('/taxonomy_term', {
      name: 'T',
      vocabulary: spell(sample.vids.farm_crops),
      weight: spell(5),
      maturity_days: spell(60),
      companions: [{ id: spell(sample.terms.farm_crops?.[0]?.id) }],
    })
    expect(body).toMatchObject({ weight: '5', maturity_days: '60', companions: [sample.terms.farm_crops?.[0]] })
  }
})
