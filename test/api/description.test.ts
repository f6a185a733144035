import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { contractAt } from '../harness/contract.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let ada: Client
let description: Json

beforeAll(async () => {
  farm = await openFarm()
  ada = await farm.login('manager')
  description = await ada.read('/openapi.json')
})

const isOfApi = (path: string): boolean => /^\/(api|subrequests)/.test(path)

describe('/openapi.json says of /api', () => {
  test('every type that the entry document links to', async () => {
    const { links } = (await ada.get('/api')).body
    const { ApiFamily, ApiBundle } = description.components.parameters
    const types = Object.keys(links).filter((name) => name !== 'self')
    expect(types.length).toBeGreaterThan(40)
    for (const type of types) {
      const [family, bundle] = type.split('--')
      expect([ApiFamily.schema.enum, ApiBundle.schema.enum]).toEqual([
        expect.arrayContaining([family]),
        expect.arrayContaining([bundle]),
      ])
    }
  })

  test('one path for each pattern of addresses, and two for each type of record, in few words', () => {
    const paths = Object.entries<Json>(description.paths).filter(([path]) => isOfApi(path))
    const [typed, patterns] = [true, false].map((isTyped) =>
      paths.filter(([, { get }]) => (get?.tags[0] === 'api-types') === isTyped),
    ) as [typeof paths, typeof paths]
    expect(patterns.length).toBeLessThan(20)
    expect(JSON.stringify(patterns).length).toBeLessThan(40_000)
    expect(typed.map(([path]) => path)).toEqual(expect.arrayContaining(['/api/log/harvest', '/api/asset/land/{uuid}']))
    expect(JSON.stringify(typed).length / typed.length).toBeLessThan(5_000)
  })

  test('that its writes name the set of their changes, as they do', async () => {
    const writes = Object.entries<Json>(description.paths)
      .filter(([path]) => path.startsWith('/api/'))
      .flatMap(([path, methods]) =>
        ['post', 'patch', 'delete'].flatMap((method) => (methods[method] ? [{ path, ...methods[method] }] : [])),
      )
    expect(writes.length).toBeGreaterThan(8)
    for (const { path, operationId, responses } of writes)
      for (const status of ['200', '201', '204'].filter((one) => responses[one] !== undefined))
        expect([path, operationId, Object.keys(responses[status].headers)]).toEqual([
          path,
          operationId,
          expect.arrayContaining(['Change-Set', 'Idempotent-Replayed']),
        ])
    const made = await ada.post('/api/log/activity', { data: { type: 'log--activity', attributes: { name: 'Told' } } })
    expect(made.headers.get('change-set')).toEqual(expect.any(String))
  })

  test('bodies that it takes', async () => {
    const validate = contractAt(farm.base)?.validatorOf({ $ref: '#/components/schemas/ApiNewResource' })
    const unit = { data: { type: 'taxonomy_term--unit', attributes: { name: 'crate' } } }
    expect(validate?.(unit), JSON.stringify(validate?.errors)).toBe(true)
    const { id } = (await ada.post('/api/taxonomy_term/unit', unit)).body.data
    const quantity = {
      data: {
        type: 'quantity--standard',
        attributes: { value: { decimal: '3' } },
        relationships: { units: { data: { type: 'taxonomy_term--unit', id } }, inventory_asset: { data: null } },
      },
    }
    expect(validate?.(quantity), JSON.stringify(validate?.errors)).toBe(true)
    expect(await ada.post('/api/quantity/standard', quantity)).toMatchObject({ status: 201 })
  })

  test.each([{ type: 'log--activity' }, { data: { attributes: {} } }, { data: [] }])(
    'none that it refuses: %j',
    async (body) => {
      const validate = contractAt(farm.base)?.validatorOf({ $ref: '#/components/schemas/ApiNewResource' })
      expect(validate?.(body)).toBe(false)
      expect((await ada.post('/api/log/activity', body)).status).toBeGreaterThanOrEqual(400)
    },
  )
})
