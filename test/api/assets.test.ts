import { describe, expect, test } from 'vitest'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const ada = await farm.login('manager')

type Body = Record<string, unknown>

const post = (path: string, attributes: Body, relationships: Body = {}) =>
  ada.post(`/api/${path}`, { data: { type: path.replace('/', '--'), attributes, relationships } })

const toOne = (type: string, id: string) => ({ data: { type, id } })
const toMany = (...links: [string, string][]) => ({ data: links.map(([type, id]) => ({ type, id })) })

describe('a resource that is made', () => {
  test('is answered whole, with 201 and its address, and read back the same', async () => {
    const made = await post('asset/land', { name: 'North field', land_type: 'field' })
    expect([made.status, made.text]).toEqual([201, expect.any(String)])
    expect(made.headers.get('content-type')).toBe('application/vnd.api+json')
    const { data } = made.body
    expect(made.headers.get('location')).toBe(`${farm.base}/api/asset/land/${data.id}`)
    expect(data).toMatchObject({
      type: 'asset--land',
      attributes: {
        name: 'North field',
        land_type: 'field',
        status: 'active',
        archived: null,
        is_location: true,
        is_fixed: true,
        geometry: null,
        inventory: [],
        flag: [],
        notes: null,
        drupal_internal__id: expect.any(Number),
        drupal_internal__revision_id: 1,
      },
      relationships: {
        asset_type: { data: { type: 'asset_type--asset_type', meta: { drupal_internal__target_id: 'land' } } },
        parent: { data: [] },
        location: { data: [] },
        group: { data: [] },
        owner: { data: [] },
        file: { data: [] },
        image: { data: [] },
        uid: { data: { type: 'user--user' } },
        revision_user: { data: { type: 'user--user' } },
      },
    })
    const read = await ada.get(`/api/asset/land/${data.id}`)
    expect(read.status).toBe(200)
    expect(read.body).toEqual(made.body)
  })

  test('of each type has its own members', async () => {
    const breed = await post('taxonomy_term/animal_type', { name: 'Jersey' })
    expect(breed.status).toBe(201)
    const cow = await post(
      'asset/animal',
      { name: 'Bella', birthdate: 1600000000, sex: 'F', nickname: ['Bel'], id_tag: [{ id: '7', type: 'ear_tag' }] },
      { animal_type: toOne('taxonomy_term--animal_type', breed.body.data.id) },
    )
    expect([cow.status, cow.text]).toEqual([201, expect.any(String)])
    expect(cow.body.data.attributes).toMatchObject({
      birthdate: '2020-09-13T12:26:40+00:00',
      sex: 'F',
      nickname: ['Bel'],
      is_castrated: false,
      id_tag: [{ id: '7', type: 'ear_tag', location: null }],
    })
    const older = await ada.get(`/farm_asset/${cow.body.data.attributes.drupal_internal__id}.json`)
    expect(older.body).toMatchObject({
      type: 'animal',
      animal_sex: 'F',
      date: '1600000000',
      animal_nicknames: ['Bel'],
      tag: [{ id: '7', type: 'Ear tag' }],
    })
  })
})

describe('logs', () => {
  test('move assets to land, with quantities that were made first', async () => {
    const land = await post('asset/land', { name: 'West', land_type: 'bed', intrinsic_geometry: 'POINT (7 50)' })
    const plant_type = await post('taxonomy_term/plant_type', { name: 'Bean' })
    const plant = await post(
      'asset/plant',
      { name: 'Beans' },
      { plant_type: toMany(['taxonomy_term--plant_type', plant_type.body.data.id]) },
    )
    expect([plant.status, plant.text]).toEqual([201, expect.any(String)])
    const unit = await post('taxonomy_term/unit', { name: 'kg' })
    const quantity = await post(
      'quantity/standard',
      { measure: 'weight', value: { decimal: '2.50' }, label: 'Crate' },
      { units: toOne('taxonomy_term--unit', unit.body.data.id) },
    )
    expect([quantity.status, quantity.text]).toEqual([201, expect.any(String)])
    expect(quantity.body.data.attributes.value).toEqual({ numerator: 250, denominator: 100, decimal: '2.50' })
    const seeding = await post(
      'log/seeding',
      { timestamp: 1600000000 },
      {
        asset: toMany(['asset--plant', plant.body.data.id]),
        location: toMany(['asset--land', land.body.data.id]),
        quantity: toMany(['quantity--standard', quantity.body.data.id]),
      },
    )
    expect([seeding.status, seeding.text]).toEqual([201, expect.any(String)])
    const { attributes, relationships } = seeding.body.data
    expect(attributes).toMatchObject({
      name: `Seeding log ${attributes.drupal_internal__id}`,
      status: 'done',
      is_movement: true,
      is_group_assignment: false,
      geometry: { value: 'POINT (7 50)', geo_type: 'Point' },
    })
    expect(relationships.quantity.data).toMatchObject([{ type: 'quantity--standard', id: quantity.body.data.id }])
    const { data: moved } = (await ada.get(`/api/asset/plant/${plant.body.data.id}`)).body
    expect(moved.relationships.location.data).toMatchObject([{ type: 'asset--land', id: land.body.data.id }])
    expect(moved.attributes.geometry).toMatchObject({ value: 'POINT (7 50)' })
    const older = await ada.get(`/log/${attributes.drupal_internal__id}.json`)
    expect(older.body).toMatchObject({
      type: 'farm_seeding',
      done: '1',
      movement: { area: [{ name: 'West' }] },
      quantity: [{ measure: 'weight', value: '2.50', label: 'Crate', unit: { name: 'kg' } }],
    })
    const included = await ada.get(
      `/api/log/seeding/${seeding.body.data.id}?include=asset,location,quantity,quantity.units`,
    )
    expect(included.status).toBe(200)
    expect(included.body.included.map(({ type }: { type: string }) => type)).toEqual([
      'asset--plant',
      'asset--land',
      'quantity--standard',
      'taxonomy_term--unit',
    ])
    const related = await ada.get(`/api/log/seeding/${seeding.body.data.id}/location`)
    expect(related.body.data).toMatchObject([{ type: 'asset--land', attributes: { name: 'West' } }])
    const found = await ada.get('/api/log/seeding?filter[asset.name]=Beans&filter[quantity.units.name]=KG')
    expect([found.status, found.body.data?.length]).toEqual([200, 1])
  })

  test('are changed, and removed', async () => {
    const log = await post('log/activity', { name: 'Fence' })
    const { id, type } = log.body.data
    const changed = await ada.sendJson('PATCH', `/api/log/activity/${id}`, {
      data: { type, id, attributes: { status: 'abandoned', notes: 'all of it', flag: ['monitor'] } },
    })
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)])
    expect(changed.body.data.attributes).toMatchObject({
      status: 'abandoned',
      flag: ['monitor'],
      notes: { value: 'all of it', format: 'default', processed: '<p>all of it</p>\n' },
    })
    const back = await ada.sendJson('PATCH', `/api/log/activity/${id}`, { data: changed.body.data })
    expect([back.status, back.body]).toEqual([200, changed.body])
    expect((await ada.delete(`/api/log/activity/${id}`)).status).toBe(204)
    expect((await ada.get(`/api/log/activity/${id}`)).status).toBe(404)
  })
})

describe('parents', () => {
  test('may be of the other family, and nothing stands above itself over both', async () => {
    const field = (await post('asset/land', { name: 'Field', land_type: 'field' })).body.data.id
    const store = (await post('asset/equipment', { name: 'Store' }, { parent: toMany(['asset--land', field]) })).body
    const put = (parent: { data: unknown }) =>
      ada.sendJson('PATCH', `/api/asset/land/${field}`, {
        data: { type: 'asset--land', id: field, relationships: { parent } },
      })
    const refused = await put(toMany(['asset--equipment', store.data.id]))
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toMatchObject([
      {
        detail: expect.stringContaining('would put the term below itself'),
        source: { pointer: '/data/relationships/parent/data' },
      },
    ])
    expect((await ada.get(`/api/asset/land/${field}`)).body.data.relationships.parent.data).toEqual([])
    expect((await put({ data: [] })).status).toBe(200)
  })
})

describe('a value that was sent as a fraction', () => {
  test('is shown as it was sent, before a log takes it and after', async () => {
    const value = { numerator: 5, denominator: 2 }
    const { id } = (await post('quantity/standard', { value })).body.data
    const shown = async () => (await ada.get(`/api/quantity/standard/${id}`)).body.data.attributes.value
    expect(await shown()).toEqual({ ...value, decimal: '2.5' })
    const log = await post('log/harvest', { name: 'Pick' }, { quantity: toMany(['quantity--standard', id]) })
    expect(await shown()).toEqual({ ...value, decimal: '2.5' })
    const { drupal_internal__id } = log.body.data.attributes
    expect((await ada.get(`/log/${drupal_internal__id}.json`)).body.quantity).toMatchObject([{ value: '2.5' }])
    const found = await ada.get('/api/quantity/standard?filter[value.denominator]=2&filter[value.decimal]=2.50')
    expect(found.body.data).toMatchObject([{ id }])
  })
})

describe('a record', () => {
  test('is under its own type and no other', async () => {
    const { id } = (await post('log/harvest', { name: 'Pick' })).body.data
    expect((await ada.get(`/api/log/harvest/${id}`)).status).toBe(200)
    for (const path of ['log/activity', 'asset/land', 'quantity/standard']) {
      expect([path, (await ada.get(`/api/${path}/${id}`)).status]).toEqual([path, 404])
    }
  })
})
