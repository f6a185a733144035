import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { administrator } from '../access/flow.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { logsOf, of } from './season.ts'

const now = Date.parse('2026-06-16T10:00:00Z') / 1000
const day = 86_400

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  client = await farm.login('worker')
})

const asset = (name: string, type: string) =>
  client.create('farm_asset', { name, type, ...(type === 'animal' ? { animal_type: { name: 'Cattle' } } : {}) })
const log = (type: string, timestamp: number, fields: Json) =>
  client.create('log', { name: type, type, timestamp, done: 1, ...fields })

describe('the harvest report of herds', () => {
  const units = ['l', 'eggs', 'kg'] as const
  const products: Readonly<Record<string, string | null>> = { l: 'milk', eggs: 'eggs', kg: null }
  const measures = { l: 'volume', eggs: 'count', kg: 'weight' }
  const anyHarvest = fc.record({
    of: fc.nat({ max: 3 }),
    days: fc.integer({ min: -40, max: 0 }),
    unit: fc.constantFrom(...units),
    amount: fc.integer({ min: 1, max: 9999 }),
  })

  it('names herd and product, and each sum is what a script adds up from the logs', async () => {
    const [dairy, hens] = [await asset('Dairy herd', 'group'), await asset('Hens', 'group')]
    const [rosa, stray] = [await asset('Rosa', 'animal'), await asset('Stray', 'animal')]
    const joined = now - 20 * day
    await log('farm_activity', joined, { asset: of(rosa), membership: { group: of(dairy) } })
    const sources = [dairy, hens, rosa, stray]
    await fc.assert(
      fc.asyncProperty(fc.array(anyHarvest, { minLength: 4, maxLength: 12 }), async (harvests) => {
        const operations = harvests.map(({ of: source, days, unit, amount }) => ({
          ...{ method: 'POST', path: '/log' },
          body: {
            ...{ name: 'Given', type: 'farm_harvest', timestamp: now + days * day, done: 1 },
            asset: of(sources[source] ?? ''),
            quantity: [{ measure: measures[unit], value: String(amount), unit: { name: unit } }],
          },
        }))
        expect((await client.post('/batch', { operations })).status).toBe(200)
        const report = await client.read('/reports/harvest.json?from=2026-01-01')
        const shown = report.lines.flatMap(({ herds, asset_types, amounts }: Json) =>
          amounts.map(({ product, value, unit }: Json) => {
            const line = herds.map(({ name }: Json) => name).join('+') || asset_types[0].type
            return [line, product, unit, value].join(' ')
          }),
        )
        expect(shown.toSorted()).toEqual(await addedUp())
        const [first] = report.lines[0].amounts
        expect(await logsOf(farm, client, first.logs)).toHaveLength(first.logs.count)
      }),
      { numRuns: rounds({ short: 3, long: 30 }) },
    )

    /** By the plain lists of logs alone. */
    async function addedUp(): Promise<readonly string[]> {
      const { list } = await client.read('/log.json?type=farm_harvest&limit=1000')
      const names: Readonly<Record<string, string>> = { [dairy]: 'Dairy herd', [hens]: 'Hens', [stray]: 'animal' }
      const sums = new Map<string, bigint>()
      for (const { asset: assets, timestamp, quantity } of list) {
        const [{ id }] = assets
        const herd = id === rosa ? (Number(timestamp) >= joined ? 'Dairy herd' : 'animal') : names[id]
        for (const { value, unit } of quantity) {
          const key = [herd, products[unit.name], unit.name].join(' ')
          sums.set(key, (sums.get(key) ?? 0n) + BigInt(value))
        }
      }
      return [...sums].map(([key, sum]) => `${key} ${sum}`).toSorted()
    }
  })
})

describe('every paper', () => {
  it('has the head of the farm, and says of late entries when they were made', async () => {
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'certifier', 'Bio Control'))
    const field = await client.create('taxonomy_term', { name: 'North', vocabulary: 'farm_areas' })
    const quantity = [{ measure: 'weight', value: '3', unit: { name: 'kg' } }]
    await log('farm_harvest', now - 8 * day, { area: of(field), quantity })
    await log('farm_harvest', now - 6 * day, { area: of(field), quantity })
    for (const report of ['harvest', 'inputs', 'medicine-book', 'inspection', 'field-history']) {
      const query = report === 'field-history' ? `?area=${field}` : ''
      expect((await client.read(`/reports/${report}.json${query}`)).head.certifier, report).toBe('Bio Control')
    }
    const { done } = await client.read(`/reports/field-history.json?area=${field}`)
    expect(done.map(({ entered }: Json) => entered)).toEqual(['2026-06-16', null])
    const manager = await administrator(farm)
    const link = { report: 'harvest', query: `area=${field}`, days: 1 }
    const made = await manager.post('/administer/report-links.json', link)
    const shared = await client.post('/shared-report.json', { key: made.body.link.split('#')[1] })
    expect(shared.body.document.report.head.certifier).toBe('Bio Control')
    expect(shared.body.document.rows.map(({ entered }: Json) => entered)).toEqual(['2026-06-16', undefined])
  })
})
