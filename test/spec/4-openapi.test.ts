import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeInterface } from '../../src/doors/description.ts'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { openRecords } from '../../src/records/records.ts'
import type { Client, Json } from '../harness/client.ts'
import { contractAt } from '../harness/contract.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

let farm: FarmUnderTest
let client: Client
const beebox = { label: 'Box of bees', plural: 'Boxes of bees', fields: {} }

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login('worker')
})

describe('the description at /openapi.json', () => {
  test('is the one that every answer of these tests is held to', async () => {
    const { vocabularies } = await openRecords(farm.installation)
    const expected = describeInterface({ ...farm.installation, vocabularies }, farm.base)
    expect(await client.read('/openapi.json')).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  test('without a login, without a role and by a token of farm_info is that of a farm without modules', async () => {
    const bees = await openFarm({ engine: 'sqlite', farm: kit.withAssetType(stockFarm, 'beebox', beebox) })
    const own = (await (await bees.login('viewer')).get('/openapi.json')).text
    expect(own).toContain('beebox')
    for (const client of [bees.anonymous, await bees.login('viewer', 'farm_info'), await bees.login(null)]) {
      const { status, text, body } = await client.get('/openapi.json')
      expect([status, text.includes('beebox')]).toEqual([200, false])
      expect(body.info.title).toBe('Furrow')
      expect((await client.get('/docs/api')).text).not.toContain('beebox')
    }
    expect((await bees.anonymous.get('/docs/api')).text).toContain('/docs/api/operations/createLog')
  })

  test('is refused to whoever comes with a bad credential', async () => {
    for (const path of ['/openapi.json', '/docs/api']) {
      expect((await farm.anonymous.get(path, { authorization: 'Bearer wrong' })).status).toBe(403)
      expect((await farm.anonymous.get(path, { cookie: 'furrow_session=wrong' })).status).toBe(403)
    }
  })

  test('describes what those who watch over the server are told', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect(await farm.anonymous.get(path)).toMatchObject({ status: 200 })
      expect(await client.read('/openapi.json')).toHaveProperty(['paths', path, 'get'])
    }
  })

  test.each(
    shareOfThisEngine([
      '/taxonomy_vocabulary.json',
      '/user.json',
      '/log.json',
      '/farm_asset.json',
      '/taxonomy_term.json',
    ]),
  )('describes filters of %s that it takes, and all of a short list', async (path) => {
    const { paths, components } = await client.read('/openapi.json')
    const parameters: Json[] = paths[path].get.parameters.map((one: Json) =>
      one.$ref === undefined ? one : components.parameters[one.$ref.split('/').at(-1)],
    )
    const described = parameters.filter((one) => one.in === 'query' && one.explode === true).map((one) => one.name)
    const { errors } = (await client.get(`${path}?nonsense=1`)).body
    const isShort = path.startsWith('/user') || path.startsWith('/taxonomy_vocabulary')
    const filters = described.filter((name) => !name.includes('['))
    expect(filters.length).toBeGreaterThan(2)
    expect(errors[0].allowed).toEqual(isShort ? filters : expect.arrayContaining(filters))
  })

  test.each(shareOfThisEngine(['/log.json', '/farm_asset.json', '/taxonomy_term.json']))(
    'describes comparisons of %s that it takes, all of them',
    async (path) => {
      const { paths, components } = await client.read('/openapi.json')
      const parameters: Json[] = paths[path].get.parameters.map((one: Json) =>
        one.$ref === undefined ? one : components.parameters[one.$ref.split('/').at(-1)],
      )
      const compared = parameters.filter((one) => one.in === 'query' && one.name.includes('['))
      expect(compared.length).toBeGreaterThan(40)
      for (const { name } of compared) {
        const value = name.includes('uuid') ? randomUUID() : '1'
        const answer = await client.get(`${path}?${encodeURIComponent(name)}=${value}`)
        expect(answer.status, `${name} ${answer.text}`).toBe(200)
      }
    },
  )

  test('describes nothing that is not there', async () => {
    const { paths } = await client.read('/openapi.json')
    const absent: string[] = []
    for (const [template, methods] of Object.entries<Json>(paths)) {
      const path = template.replace('{areaType}', 'all').replace('{id}', '1').replace('{name}', 'x')
      for (const method of Object.keys(methods).filter((word) => word !== 'parameters')) {
        const answer = await fetch(farm.base + path, { method: method.toUpperCase(), redirect: 'manual' })
        // Whoever is not logged in learns nothing of what is there; an address that is not is nothing to anybody.
        if (answer.status === 405 || answer.status === 404) absent.push(`${method} ${path} ${answer.status}`)
      }
    }
    expect(absent).toEqual([])
    expect((await fetch(`${farm.base}/nowhere`)).status).toBe(404)
    expect((await fetch(`${farm.base}/log/1`, { method: 'PATCH' })).status).toBe(405)
  })

  test('says of every write of records that its answer names the set of its changes, as it does', async () => {
    const { paths } = await client.read('/openapi.json')
    const writes = Object.entries<Json>(paths).flatMap(([path, methods]) =>
      /^\/(log|farm_asset|taxonomy_term|batch|changes|trash)/.test(path)
        ? (['post', 'put', 'delete'] as const).flatMap((method) =>
            methods[method] ? [{ path, ...methods[method] }] : [],
          )
        : [],
    )
    expect(writes.length).toBeGreaterThan(15)
    for (const { path, operationId, responses } of writes) {
      for (const status of ['200', '201'].filter((one) => responses[one] !== undefined)) {
        expect([path, operationId, Object.keys(responses[status].headers)]).toEqual([
          path,
          operationId,
          expect.arrayContaining(['Change-Set', 'Idempotent-Replayed']),
        ])
      }
    }
    const made = await client.post('/log', { name: 'In a set', type: 'farm_activity', timestamp: 1 })
    const changed = await client.put(`/log/${made.body.id}`, { name: 'In another' })
    const removed = await client.delete(`/log/${made.body.id}`)
    const sets = [made, changed, removed].map(({ headers }) => headers.get('change-set'))
    expect(sets).toEqual([expect.any(String), expect.any(String), expect.any(String)])
    expect(new Set(sets).size).toBe(3)
  })

  test('describes bodies that the farm takes', async () => {
    const document = await client.read('/openapi.json')
    const vid = document.components.schemas.taxonomy_term_farm_areas.properties.vocabulary.properties.id.const
    const bodies: readonly (readonly ['log' | 'farm_asset' | 'taxonomy_term', Json])[] = [
      ['taxonomy_term', { name: 'North', vocabulary: vid, area_type: 'field', geofield: [{ geom: 'POINT (1 2)' }] }],
      ['farm_asset', { name: 'Kale', type: 'planting', crop: [{ name: 'Kale' }], season: [{ name: '2026' }] }],
      [
        'farm_asset',
        { name: 'Dolly', type: 'animal', animal_type: { name: 'Sheep' }, tag: [{ id: '1', type: 'Chip' }] },
      ],
      [
        'log',
        {
          name: 'Weighed',
          type: 'farm_harvest',
          timestamp: 1_760_000_000,
          done: true,
          notes: { value: 'Heavy', format: 'farm_format' },
          quantity: [{ measure: 'weight', value: 12.5, unit: { name: 'kg' }, label: null }],
          movement: { area: [{ name: 'North' }] },
          images: ['data:image/png;base64,iVBORw0KGgo='],
          lot_number: null,
        },
      ],
    ]
    for (const [type, body] of bodies) {
      const validate = contractAt(farm.base)?.validatorOf({ $ref: `#/components/schemas/${type}_new` })
      expect(validate?.(body), JSON.stringify(validate?.errors)).toBe(true)
      const id = await client.create(type, body)
      const isChange = contractAt(farm.base)?.validatorOf({ $ref: `#/components/schemas/${type}_change` })
      expect(isChange?.({ name: 'Renamed' })).toBe(true)
      expect((await client.put(`/${type}/${id}`, { name: 'Renamed' })).status).toBe(200)
    }
  })

  test.each(
    shareOfThisEngine([
      ['log', { name: 'x', type: 'farm_seeding', timestamp: 1, area: [{ id: 1 }], asset: [{ id: 1 }] }],
      ['log', { name: 'x', type: 'farm_activity' }],
      ['log', { name: 'x', type: 'farm_activity', timestamp: 'yesterday' }],
      ['farm_asset', { name: 'x', type: 'animal' }],
      ['farm_asset', { name: 'x', type: 'planting', crop: [{ name: 'Kale' }], location: [{ id: 1 }] }],
      ['taxonomy_term', { name: 'x' }],
    ]),
  )('describes none that it refuses: %s %j', async (type, body) => {
    const validate = contractAt(farm.base)?.validatorOf({ $ref: `#/components/schemas/${type}_new` })
    expect(validate?.(body)).toBe(false)
    expect((await client.post(`/${type}`, body)).status).toBe(422)
  })
})
