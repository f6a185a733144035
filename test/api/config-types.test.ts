import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

let farm: FarmUnderTest
let viewer: Client

beforeAll(async () => {
  farm = await openFarm()
  viewer = await farm.login('viewer')
})

const types = [
  'asset_type',
  'log_type',
  'quantity_type',
  'taxonomy_vocabulary',
  'user_role',
  'flag',
  'tag_type',
  'land_type',
  'structure_type',
  'lab_test_type',
  'field_module',
]

const list = async (path: string): Promise<Json[]> => (await viewer.get(path)).body.data
const names = async (path: string): Promise<string[]> =>
  (await list(path)).map(({ attributes }: Json) => attributes.drupal_internal__id ?? attributes.drupal_internal__vid)

describe('the types of the configuration', () => {
  test.each(shareOfThisEngine(types))('%s has a list, and each of it an address of its own', async (type) => {
    const answer = await viewer.get(`/api/${type}/${type}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.api+json'])
    expect(answer.body.links).toEqual({ self: { href: `${farm.base}/api/${type}/${type}` } })
    expect(answer.body.data.length > 0).toBe(type !== 'field_module')
    for (const resource of answer.body.data) {
      const href = `${farm.base}/api/${type}/${type}/${resource.id}`
      expect(resource).toMatchObject({
        type: `${type}--${type}`,
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        links: { self: { href } },
        attributes: { langcode: 'en', status: true, dependencies: {} },
      })
      expect(resource).not.toHaveProperty('relationships')
      const one = await viewer.get(new URL(href).pathname)
      expect(one.body).toMatchObject({ data: resource, links: { self: { href } } })
    }
  })

  test('say what their clients read', async () => {
    const [harvest] = await list('/api/log_type/log_type?filter[drupal_internal__id]=harvest')
    expect(harvest.attributes).toEqual({
      drupal_internal__id: 'harvest',
      langcode: 'en',
      status: true,
      dependencies: {},
      label: 'Harvest',
      description: '',
      new_revision: true,
      workflow: 'log_default',
      name_pattern: 'Harvest log [log:id]',
    })
    const [unit] = await list('/api/taxonomy_vocabulary/taxonomy_vocabulary?filter[drupal_internal__vid]=unit')
    expect(unit.attributes).toMatchObject({ drupal_internal__vid: 'unit', name: expect.any(String), weight: 0 })
    expect(await names('/api/user_role/user_role')).toEqual(['farm_manager', 'farm_viewer', 'farm_worker'])
    expect(await names('/api/quantity_type/quantity_type')).toEqual(['material', 'standard', 'test'])
    expect(await names('/api/tag_type/tag_type')).toEqual(['brand', 'ear_tag', 'eid', 'leg_band', 'other', 'tattoo'])
    expect(await names('/api/lab_test_type/lab_test_type')).toEqual(['soil', 'tissue', 'water'])
    expect(await names('/api/structure_type/structure_type')).toEqual(['building', 'greenhouse', 'other'])
    expect(await names('/api/asset_type/asset_type')).toEqual(expect.arrayContaining(['land', 'plant', 'water']))
    expect(await list('/api/field_module/field_module')).toEqual([])
  })

  test('are sorted, filtered, paged and cut', async () => {
    const labels = (await list('/api/land_type/land_type?sort=label')).map(({ attributes }: Json) => attributes.label)
    expect(labels).toEqual(['Bed', 'Field', 'Landmark', 'Other', 'Paddock', 'Property'])
    expect(await names('/api/land_type/land_type?sort=-drupal_internal__id&page[limit]=2')).toEqual([
      'property',
      'paddock',
    ])
    const page = (await viewer.get('/api/land_type/land_type?page[limit]=2&page[offset]=2')).body
    expect(page.data.map(({ attributes }: Json) => attributes.drupal_internal__id)).toEqual(['landmark', 'other'])
    expect(page.links.next.href).toBe(`${farm.base}/api/land_type/land_type?page%5Boffset%5D=4&page%5Blimit%5D=2`)
    expect(Object.keys(page.links)).toEqual(['self', 'next', 'first', 'prev'])
    expect(await names('/api/flag/flag?filter[label][operator]=CONTAINS&filter[label][value]=REVIEW')).toEqual([
      'review',
    ])
    const [monitor] = await list('/api/flag/flag?filter[label]=monitor&fields[flag--flag]=label')
    expect(monitor.attributes).toEqual({ label: 'Monitor' })
    expect(await list(`/api/flag/flag?filter[id]=${monitor.id}`)).toHaveLength(1)
    expect(await list(`/api/flag/flag?filter[id]=${monitor.id}&filter[status]=0`)).toEqual([])
  })

  test.each(
    shareOfThisEngine([
      ['/api/flag/flag?filter[colour]=red', 400, 'filter[colour]'],
      ['/api/flag/flag?filter[label.x]=red', 400, 'filter[label.x]'],
      ['/api/flag/flag?sort=colour', 400, 'sort'],
      ['/api/flag/flag?include=uid', 400, 'include'],
      ['/api/flag/flag?as_of=1', 400, 'as_of'],
      ['/api/user_role/user_role?filter[weight]=first', 400, 'filter[weight]'],
      ['/api/user_role/user_role?filter[is_admin]=maybe', 400, 'filter[is_admin]'],
    ]),
  )('answers %s with %i and names the parameter', async (path, status, parameter) => {
    const answer = await viewer.get(path)
    expect([answer.status, answer.body.errors[0].source]).toEqual([status, { parameter }])
  })

  test('have no versions', async () => {
    expect((await viewer.get('/api/flag/flag?resourceVersion=rel:latest-version')).status).toBe(501)
  })

  test('are nowhere else', async () => {
    for (const path of [
      '/api/flag/flag/x',
      '/api/flag/flag/7c0d3c4e-8f0f-5d6a-9f0f-2f1b1a3e0d5c',
      '/api/flag/land_type',
    ])
      expect([path, (await viewer.get(path)).status]).toEqual([path, 404])
  })

  test.each(shareOfThisEngine(['POST', 'PUT', 'PATCH', 'DELETE']))('are only read: %s is 405', async (method) => {
    const manager = await farm.login('manager')
    for (const path of ['/api/flag/flag', '/api/flag/flag/7c0d3c4e-8f0f-5d6a-9f0f-2f1b1a3e0d5c']) {
      const answer = await manager.send(method, path, {
        headers: { 'content-type': 'application/vnd.api+json' },
        ...(method === 'DELETE' ? {} : { body: '{"data": {}}' }),
      })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([405, 'application/vnd.api+json'])
      expect(answer.headers.get('allow')).toMatch(/^GET, HEAD, /)
    }
  })

  test.each(
    shareOfThisEngine([
      ['POST', '/api/flag/flag'],
      ['PATCH', '/api/flag/flag/7c0d3c4e-8f0f-5d6a-9f0f-2f1b1a3e0d5c'],
      ['DELETE', '/api/flag/flag/7c0d3c4e-8f0f-5d6a-9f0f-2f1b1a3e0d5c'],
      ['POST', '/api/user/user'],
    ]),
  )('are not what records are: %s %s says what does work', async (method, path) => {
    const answer = await (await farm.login('manager')).send(method, path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('are read by who may read records', async () => {
    const path = '/api/flag/flag'
    expect((await farm.anonymous.get(path)).status).toBe(401)
    expect((await (await farm.login(null)).get(path)).status).toBe(403)
    expect((await (await farm.login('manager', 'farm_info')).get(path)).status).toBe(403)
  })
})
