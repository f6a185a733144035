import { beforeAll, describe, expect, it } from 'vitest'
import { dayAt } from '../../programs/demo/calendar.ts'
import { callerFor, fill } from '../../programs/demo/fill.ts'
import { planFarm } from '../../programs/demo/plan.ts'
import { readWords } from '../../programs/demo/words.ts'
import { openRecords } from '../../src/records/records.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { of, Season, weight } from './season.ts'

const now = Date.parse('2026-11-10T12:00:00Z') / 1000
const days = 'from=2025-11-11&to=2026-11-10'
const [first, after] = [Date.parse('2025-11-11T00:00:00Z') / 1000, Date.parse('2026-11-11T00:00:00Z') / 1000]

/** Billionths of a kilogram that one of the unit has. */
const billionths: Readonly<Record<string, bigint>> = { kg: 10n ** 9n, t: 10n ** 12n, lb: 453_592_370n }
const places = 1_000_000

/** A decimal of at most six places in millionths. */
function inMillionths(decimal: string): bigint {
  const [whole = '0', rest = ''] = decimal.split('.')
  expect(rest.length).toBeLessThanOrEqual(6)
  return BigInt(whole + rest.padEnd(6, '0'))
}

describe('a season of the demo farm', () => {
  let farm: FarmUnderTest
  let client: Client
  /** By crops, as their ids. */
  const weighed = new Map<string, bigint>()
  const counted = new Map<string, number>()

  beforeAll(async () => {
    farm = await openFarm()
    farm.setClock(now)
    client = await farm.login()
    const records = await openRecords(farm.installation)
    const caller = callerFor({ uid: 1, name: client.login.name })
    // Of its logs the harvests: the others say nothing here, and are many.
    const planned = planFarm(1, dayAt(now), readWords()).filter(({ type, body }) => {
      return type !== 'log' || body(() => ({ id: 1 })).type === 'farm_harvest'
    })
    await fill({ records, caller, report: () => {} }, planned)
    const season = new Season(client)
    const { list } = await client.read('/farm_asset.json?type=planting&limit=3')
    for (const [at, { id }] of list.entries())
      await season.harvest(now - 86_400 * (at + 1), { asset: of(id), quantity: [weight(`${at + 7}.25`, 'lb')] })
    await addUpByHand()
  }, 120_000)

  const all = async (path: string): Promise<readonly Json[]> => {
    const records: Json[] = []
    for (let page = 0; ; page += 1) {
      const { list, last } = await client.read(`${path}&limit=1000&page=${page}`)
      records.push(...list)
      if (Number(/page=(\d+)/.exec(last)?.[1]) <= page) return records
    }
  }

  /** From the logs as the record interface lists them, and from nothing else. */
  async function addUpByHand(): Promise<void> {
    const crops = new Map<string, readonly string[]>()
    for (const { id, crop } of await all('/farm_asset.json?type=planting'))
      crops.set(
        id,
        crop.map((one: Json) => one.id),
      )
    const units = new Map<string, string>()
    for (const { tid, name } of await all('/taxonomy_term.json?bundle=farm_quantity_units')) units.set(tid, name)
    for (const log of await all('/log.json?type=farm_harvest&done=1')) {
      if (Number(log.timestamp) < first || Number(log.timestamp) >= after) continue
      const those = [...new Set(log.asset.flatMap((one: Json) => crops.get(one.id) ?? []))].toSorted().join()
      counted.set(those, (counted.get(those) ?? 0) + 1)
      for (const { measure, value, unit } of log.quantity) {
        if (measure !== 'weight') continue
        const factor = billionths[units.get(unit.id) ?? ''] as bigint
        weighed.set(those, (weighed.get(those) ?? 0n) + inMillionths(value) * factor)
      }
    }
  }

  it.each([
    ['metric', { kg: 10n ** 9n, t: 10n ** 12n }],
    ['us', { lb: 453_592_370n, oz: 28_349_523n }],
  ] as const)('comes to what its logs say, in %s units', async (system, sizes) => {
    const { lines } = await client.read(`/reports/harvest.json?${days}&units=${system}`)
    const told = new Map<string, Json>()
    for (const line of lines) {
      const those = line.crops
        .map(({ id }: Json) => id)
        .toSorted()
        .join()
      if (those !== '') told.set(those, line)
    }
    const planted = [...weighed].filter(([those]) => those !== '')
    expect(planted.length).toBeGreaterThan(5)
    for (const [those, sum] of planted) {
      const line = told.get(those)
      expect(line.logs.count).toBe(counted.get(those))
      const amount = line.amounts.find((one: Json) => one.measure === 'weight')
      const size = (sizes as Readonly<Record<string, bigint>>)[amount.unit] ?? 0n
      const exact = Number(sum / size) / places
      expect(Math.abs(Number(amount.value) - exact), `${amount.value} and ${exact}`).toBeLessThanOrEqual(0.0006)
    }
  })

  it('has pounds in it, and says as how many kilograms or tonnes they counted', async () => {
    const { lines } = await client.read(`/reports/harvest.json?${days}&units=metric`)
    const sizes: Readonly<Record<string, number>> = { kg: 1, t: 1000 }
    const pounds = lines.flatMap(({ amounts }: Json) =>
      amounts.flatMap(({ unit, joined }: Json) =>
        joined.flatMap((one: Json) => (one.unit === 'lb' && unit in sizes ? [{ ...one, size: sizes[unit] }] : [])),
      ),
    )
    expect(pounds.length).toBeGreaterThan(0)
    for (const { value, counted, size } of pounds)
      expect(Number(counted)).toBeCloseTo((Number(value) * 0.45359237) / size, 3)
  })
})
