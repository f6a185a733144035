import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login('worker')
})

const planting = (more: Record<string, unknown>) => ({ name: 'P', type: 'planting', ...more })
const log = (more: Record<string, unknown>) => ({ name: 'L', type: 'farm_input', timestamp: '1', ...more })
const named = async (vocabulary: string, name: string) =>
  client.ids(`/taxonomy_term.json?bundle=${vocabulary}&name=${encodeURIComponent(name)}`)

describe('2.1 a term is created by its name wherever a term is referred to', () => {
  it.each(
    shareOfThisEngine([
      ['farm_asset', planting({ crop: [{ name: 'Leek' }] }), 'farm_crops', 'Leek'],
      ['farm_asset', planting({ crop: [{ name: 'Leek' }], season: { name: '2020' } }), 'farm_season', '2020'],
      ['farm_asset', planting({ crop: [{ name: 'Leek' }], season: [{ name: 2021 }] }), 'farm_season', '2021'],
      ['farm_asset', { name: 'A', type: 'animal', animal_type: { name: 'Goat' } }, 'farm_animal_types', 'Goat'],
      ['log', log({ log_category: [{ name: 'Fences' }] }), 'farm_log_categories', 'Fences'],
      ['log', log({ area: [{ name: 'North' }] }), 'farm_areas', 'North'],
      ['log', log({ material: [{ name: 'Manure' }] }), 'farm_materials', 'Manure'],
      ['log', log({ quantity: [{ unit: { name: 'kg' } }] }), 'farm_quantity_units', 'kg'],
      ['log', log({ movement: { area: [{ name: 'South' }] } }), 'farm_areas', 'South'],
      ['log', log({ type: 'farm_soil_test', soil_names: [{ name: 'Loam' }] }), 'farm_soil_names', 'Loam'],
      [
        'taxonomy_term',
        { name: 'C', vocabulary: 'farm_crops', crop_family: { name: 'Roses' } },
        'farm_crop_families',
        'Roses',
      ],
      [
        'taxonomy_term',
        { name: 'Bed', vocabulary: 'farm_areas', parent: [{ name: 'Garden' }] },
        'farm_areas',
        'Garden',
      ],
    ] as const),
  )('creates a new term once: %s %j', async (type, body, vocabulary, name) => {
    await client.create(type, body)
    expect(await named(vocabulary, name)).toHaveLength(1)
    await client.create(type, body)
    expect(await named(vocabulary, name)).toHaveLength(1)
  })

  it('also when a record is updated', async () => {
    const id = await client.create('farm_asset', planting({ crop: [{ name: 'Leek' }] }))
    const { body } = await client.put(`/farm_asset/${id}`, { season: [{ name: 'Winter' }] })
    expect(body.season).toMatchObject([{ name: 'Winter' }])
    expect(body.crop).toMatchObject([{ name: 'Leek' }])
  })
})

describe('2.1 a name is found', () => {
  const cropOf = async (name: string): Promise<string> =>
    (await client.post('/farm_asset', planting({ crop: [{ name }] }))).body.crop[0].id

  it('whatever its case, the space around it and its Unicode form', async () => {
    const id = await cropOf('Ökö Möhre')
    for (const name of ['ökö möhre', 'ÖKÖ MÖHRE', '  Ökö Möhre\t', 'Ökö Möhre'.normalize('NFD')]) {
      expect(await cropOf(name), name).toBe(id)
    }
    expect(await cropOf('Ökö  Möhre')).not.toBe(id)
  })

  it('is kept as it was first written', async () => {
    const id = await cropOf('  A & <B>  ')
    expect((await client.read(`/taxonomy_term/${id}.json`)).name).toBe('  A & <B>  ')
    expect(await cropOf('a & <b>')).toBe(id)
  })

  it('in the vocabulary of the field and in no other', async () => {
    const crop = await cropOf('Tillage')
    expect(crop).not.toBe('5')
    const { body } = await client.post('/log', log({ log_category: [{ name: 'tillage' }] }))
    expect(body.log_category).toMatchObject([{ id: '5', name: 'Tillage' }])
  })

  it('at the oldest of several', async () => {
    const twin = { name: 'Twin', vocabulary: 'farm_crops' }
    const oldest = await client.create('taxonomy_term', twin)
    await client.create('taxonomy_term', twin)
    expect(await cropOf('twin')).toBe(oldest)
  })

  it('twice in one list as one', async () => {
    const { body } = await client.post('/farm_asset', planting({ crop: [{ name: 'Pea' }, { name: 'PEA' }] }))
    expect(body.crop).toHaveLength(1)
  })

  it('again after the term was deleted', async () => {
    const id = await client.create('taxonomy_term', { name: 'Fleeting', vocabulary: 'farm_crops' })
    await client.delete(`/taxonomy_term/${id}`)
    expect(Number(await cropOf('Fleeting'))).toBeGreaterThan(Number(id))
  })
})

it('2.1 where an id and a name are given the id decides', async () => {
  const { body } = await client.post('/log', log({ log_category: [{ id: '3', name: 'Tillage' }] }))
  expect(body.log_category).toMatchObject([{ id: '3', name: 'Equipment' }])
  const missing = await client.post('/log', log({ log_category: [{ id: '9999', name: 'Tillage' }] }))
  expect(missing.status).toBe(422)
})

it.each(
  shareOfThisEngine([
    ['only white space', { crop: [{ name: ' \t ' }] }, 'crop[0].name'],
    ['too long', { crop: [{ name: 'x'.repeat(256) }] }, 'crop[0].name'],
    ['not a text', { crop: [{ name: true }] }, 'crop[0].name'],
    ['of an asset', { crop: [{ name: 'Leek' }], parent: [{ name: 'Tractor' }] }, 'parent[0].name'],
    ['of nothing', { crop: [{ colour: 'green' }] }, 'crop[0]'],
    ['missing', { crop: [{ resource: 'taxonomy_term' }] }, 'crop[0]'],
  ]),
)('2.1 a name that is %s is refused', async (_what, fields, field) => {
  const answer = await client.post('/farm_asset', planting(fields))
  expect(answer.status).toBe(422)
  expect(answer.body.errors.map((fault: { field: string }) => fault.field)).toEqual([field])
})

it('2.1 sixteen requests at once create one term', async () => {
  for (const round of [1, 2, 3]) {
    const name = `Raced ${round}`
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, nth) =>
        nth % 2 === 0
          ? client.post('/farm_asset', planting({ crop: [{ name }] }))
          : client.post('/farm_asset', planting({ crop: [{ name: name.toUpperCase() }] })),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array(16).fill(201))
    expect(new Set(answers.map((answer) => answer.body.crop[0].id)).size).toBe(1)
    expect(await named('farm_crops', name)).toHaveLength(1)
  }
})

it('2.1 a term that is removed and referred to at once is either there or the removal was refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const name = `Contested ${round}`
    const id = await client.create('taxonomy_term', { name, vocabulary: 'farm_crops' })
    const [made, removed] = await Promise.all([
      client.post('/farm_asset', planting({ crop: [{ name }] })),
      client.delete(`/taxonomy_term/${id}`),
    ])
    expect(made.status).toBe(201)
    expect([200, 409]).toContain(removed.status)
    const [crop] = (await client.read(`/farm_asset/${made.body.id}.json`)).crop
    expect((await client.get(`/taxonomy_term/${crop.id}.json`)).status).toBe(200)
  }
})
