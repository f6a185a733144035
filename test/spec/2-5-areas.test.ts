import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

const area = (more: Record<string, unknown>) => ({ name: 'An area', vocabulary: 'farm_areas', ...more })

it('2.5 an area reads with its type, its geometries and its contents', async () => {
  const { body } = await client.post(
    '/taxonomy_term',
    area({ area_type: 'field', geofield: [{ geom: 'POINT(1 2)' }, { geom: 'POINT (3   4)' }], flags: ['review'] }),
  )
  expect(body).toMatchObject({
    area_type: 'field',
    geofield: [{ geom: 'POINT(1 2)' }, { geom: 'POINT (3   4)' }],
    flags: ['review'],
    assets: [],
    files: [],
    images: [],
  })
  const plain = (await client.post('/taxonomy_term', area({}))).body
  expect(plain).toMatchObject({ area_type: null, geofield: [], assets: [] })
})

it.each(['field', 'bed', 'building', 'greenhouse', 'property', 'paddock', 'water', 'landmark', 'other'])(
  '2.5 %s is an area type',
  async (area_type) => {
    expect((await client.post('/taxonomy_term', area({ area_type }))).body.area_type).toBe(area_type)
  },
)

it('2.5 other area types are refused with the installed ones', async () => {
  const answer = await client.post('/taxonomy_term', area({ area_type: 'moon' }))
  expect(answer.status).toBe(422)
  expect(answer.body.errors[0]).toMatchObject({ field: 'area_type', allowed: expect.arrayContaining(['field', 'bed']) })
})

it('2.5 only areas have the fields of areas', async () => {
  const answer = await client.post('/taxonomy_term', { name: 'x', vocabulary: 'farm_crops', area_type: 'field' })
  expect(answer.status).toBe(422)
  expect(answer.body.errors[0].message).toContain('farm_areas')
})

describe('2.5 the areas that can be drawn', () => {
  const featuresAt = async (path: string): Promise<Json[]> => (await client.read(path)).features
  let field: string
  let water: string

  beforeAll(async () => {
    field = await client.create(
      'taxonomy_term',
      area({ name: 'Long field', area_type: 'field', geofield: 'POINT (7 8)' }),
    )
    water = await client.create(
      'taxonomy_term',
      area({ name: 'Pond', area_type: 'water', geofield: ['POLYGON ((0 0, 0 1, 1 1, 0 0))', 'POINT (9 9)'] }),
    )
    await client.create('taxonomy_term', area({ name: 'No type', geofield: 'POINT (5 5)' }))
    await client.create('taxonomy_term', area({ name: 'No geometry', area_type: 'bed' }))
  })

  it('are a feature for each geometry of those with a type', async () => {
    const answer = await client.get('/farm/areas/geojson')
    expect(answer.headers.get('content-type')).toContain('application/geo+json')
    const { type, features } = answer.body
    expect(type).toBe('FeatureCollection')
    expect(features.filter((one: Json) => [field, water].includes(one.properties.id))).toEqual([
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [7, 8] },
        properties: { id: field, name: 'Long field', area_type: 'field' },
      },
      {
        type: 'Feature',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [0, 1],
              [1, 1],
              [0, 0],
            ],
          ],
        },
        properties: { id: water, name: 'Pond', area_type: 'water' },
      },
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [9, 9] },
        properties: { id: water, name: 'Pond', area_type: 'water' },
      },
    ])
    const names = features.map((one: Json) => one.properties.name)
    expect(names).not.toContain('No type')
    expect(names).not.toContain('No geometry')
  })

  it('are those that are somewhere: what is EMPTY is left out, alone and among others (RFC 7946)', async () => {
    const empty = ['POINT EMPTY', 'MULTIPOINT (EMPTY)', 'GEOMETRYCOLLECTION (POLYGON EMPTY)']
    const nowhere = await client.create('taxonomy_term', area({ area_type: 'landmark', geofield: empty }))
    const partly = await client.create(
      'taxonomy_term',
      area({ area_type: 'landmark', geofield: ['POINT EMPTY', 'GEOMETRYCOLLECTION (POINT EMPTY, POINT (3 4))'] }),
    )
    const features = await featuresAt('/farm/areas/geojson/landmark')
    expect(features.map(({ geometry, properties }) => [properties.id, geometry])).toEqual([
      [partly, { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [3, 4] }] }],
    ])
    expect((await client.read(`/taxonomy_term/${nowhere}.json`)).geofield).toEqual(empty.map((geom) => ({ geom })))
  })

  it('are asked for all together or by type', async () => {
    expect(await featuresAt('/farm/areas/geojson/all')).toEqual(await featuresAt('/farm/areas/geojson/'))
    expect((await featuresAt('/farm/areas/geojson/water')).map((one) => one.properties.id)).toEqual([water, water])
    expect(await featuresAt('/farm/areas/geojson/paddock')).toEqual([])
    expect(await featuresAt('/farm/areas/geojson/nonsense')).toEqual([])
  })

  it('are shown to nobody who is not logged in', async () => {
    expect((await farm.anonymous.get('/farm/areas/geojson')).status).toBe(403)
    expect((await farm.anonymous.send('OPTIONS', '/farm/areas/geojson')).text).toBe('')
  })
})
