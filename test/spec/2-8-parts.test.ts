import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let client: Client
let asset: string
let group: string
let area: string

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  asset = await client.create('farm_asset', { name: 'Silo', type: 'equipment' })
  group = await client.create('farm_asset', { name: 'Herd', type: 'group' })
  area = await client.create('taxonomy_term', { name: 'Yard', vocabulary: 'farm_areas' })
})

const post = (more: Record<string, unknown>) =>
  client.post('/log', { name: 'L', type: 'farm_activity', timestamp: '1', ...more })

describe('2.8 quantity', () => {
  it('reads each item with all its properties; a missing unit is left out', async () => {
    const { body } = await post({
      quantity: [
        { measure: 'weight', value: '100', unit: { name: 'kg' }, label: 'Heads' },
        { measure: 'weight', value: 2.5, label: 'Leaves' },
        { label: 'Only a label' },
      ],
    })
    const [{ unit }] = body.quantity
    expect(unit).toMatchObject({ name: 'kg', resource: 'taxonomy_term' })
    expect(body.quantity).toEqual([
      { measure: 'weight', value: '100', unit, label: 'Heads' },
      { measure: 'weight', value: '2.5', label: 'Leaves' },
      { measure: null, value: null, label: 'Only a label' },
    ])
  })

  it.each([
    ...['count', 'length', 'weight', 'area', 'volume', 'time', 'temperature', 'value', 'rate', 'rating', 'ratio'],
    ...['probability', 'pressure', 'water_content'],
  ])('measures %s', async (measure) => {
    expect((await post({ quantity: [{ measure }] })).body.quantity[0].measure).toBe(measure)
  })

  it('measures nothing else', async () => {
    const answer = await post({ quantity: [{ measure: 'weight' }, { measure: 'beauty' }] })
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0]).toMatchObject({ field: 'quantity[1].measure', allowed: expect.any(Array) })
  })

  it.each([
    '0',
    '-0',
    '1.1000',
    '.5',
    '+1',
    '007',
    '123456789012345678901234567890',
    '-0.00000000000000000000000000001',
  ])('keeps the value %s as it was written', async (value) => {
    expect((await post({ quantity: [{ value }] })).body.quantity[0].value).toBe(value)
  })

  it.each([
    ['12.50', '12.50'],
    ['0.1', '0.1'],
    ['1e3', '1000'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740994', '9007199254740994'],
    ['-10000000000000000', '-10000000000000000'],
    ['1e16', '10000000000000000'],
    ['1e+21', '1000000000000000000000'],
    ['1e29', `1${'0'.repeat(29)}`],
    ['9007199254740993e0', '9007199254740993'],
    ['1.5e-7', '0.00000015'],
  ])('keeps the number %s, sent without quotes, digit by digit', async (literal, kept) => {
    const answer = await client.send('POST', '/log', {
      headers: { 'content-type': 'application/json' },
      body: `{"name":"L","type":"farm_activity","timestamp":1,"quantity":[{"value":${literal}}]}`,
    })
    expect(answer.body.quantity[0].value).toBe(kept)
  })

  it.each(['1e30', '1e-30', '1e309', '-1e400', `1${'0'.repeat(30)}`])(
    'takes no number of more than thirty digits, also with an exponent: %s',
    async (literal) => {
      const answer = await client.send('POST', '/log', {
        headers: { 'content-type': 'application/json' },
        body: `{"name":"L","type":"farm_activity","timestamp":1,"quantity":[{"value":${literal}}]}`,
      })
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toMatchObject([
        { field: 'quantity[0].value', message: expect.stringContaining('up to 30 digits') },
      ])
    },
  )

  it.each(['abc', '1e9', '0x10', ' 1', '1,5', '5.', '', true, '1'.repeat(31), '٣', {}].filter((value) => value !== ''))(
    'takes no %o for a number',
    async (value) => {
      const answer = await post({
        quantity: [{ measure: 'count', value: typeof value === 'object' ? { a: 1 } : value }],
      })
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].field).toBe('quantity[0].value')
    },
  )
})

describe('2.8 movement', () => {
  it('has areas and a geometry of its own, and nothing that was not written', async () => {
    await client.put(`/taxonomy_term/${area}`, { geofield: 'POINT (1 1)' })
    const named = { id: area, name: 'Yard' }
    const moved = (await post({ area: [{ id: area }], movement: { area: [{ id: area }] } })).body
    expect(moved.movement).toMatchObject({ area: [named], geometry: null })
    expect(moved.geofield).toEqual([])
    const precise = (await post({ movement: { area: { id: area }, geometry: 'POINT (2 2)' } })).body
    expect(precise.movement).toMatchObject({ area: [named], geometry: 'POINT (2 2)' })
  })

  it.each([[null], [[]], [{}], [''], [{ area: [], geometry: null }], [{ area: [{ id: null }], geometry: '' }]])(
    'is none when it is %j, also in an update',
    async (movement) => {
      const none = { area: [], geometry: null }
      expect((await post({ movement })).body.movement).toEqual(none)
      const id = (await post({ movement: { area: [{ id: area }] } })).body.id
      expect((await client.put(`/log/${id}`, { movement })).body.movement).toEqual(none)
    },
  )

  it('is replaced as a whole', async () => {
    const { id } = (await post({ movement: { area: [{ id: area }], geometry: 'POINT (2 2)' } })).body
    const { body } = await client.put(`/log/${id}`, { movement: { geometry: 'POINT (3 3)' } })
    expect(body.movement).toEqual({ area: [], geometry: 'POINT (3 3)' })
  })
})

it('2.8 membership names groups', async () => {
  const { body } = await post({ membership: { group: [{ id: group }] } })
  expect(body.membership).toMatchObject({ group: [{ id: group, resource: 'farm_asset' }] })
  const answer = await post({ membership: { group: [{ id: asset }] } })
  expect(answer.body.errors).toMatchObject([{ field: 'membership.group[0]', allowed: ['group'] }])
})

it('2.8 inventory says by how much an asset grew or shrank', async () => {
  const inventory = [
    { asset: { id: asset }, value: '10.5' },
    { asset: asset, value: -3 },
  ]
  const { body } = await post({ inventory })
  expect(body.inventory).toMatchObject([
    { asset: { id: asset, resource: 'farm_asset' }, value: '10.5' },
    { asset: { id: asset }, value: '-3' },
  ])
})

it('2.8 an item alone stands for a list of one, an empty one for none', async () => {
  expect((await post({ quantity: { value: '1' } })).body.quantity).toHaveLength(1)
  const template = { measure: '', value: null, unit: { id: null }, label: '' }
  expect((await post({ quantity: [template, {}, null] })).body.quantity).toEqual([])
})

it('2.8 what a part does not have is refused by its path', async () => {
  const answer = await post({ quantity: [{ colour: 'red' }], movement: { speed: 1 }, inventory: 'many' })
  expect(answer.status).toBe(422)
  expect(answer.body.errors).toMatchObject([
    { field: 'quantity[0].colour', allowed: ['measure', 'value', 'unit', 'label'] },
    { field: 'movement.speed', allowed: ['area', 'geometry'] },
    { field: 'inventory[0]', allowed: ['asset', 'value'] },
  ])
})
