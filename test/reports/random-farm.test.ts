import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { figuresIn, logsOf, of, Season } from './season.ts'

const first = Date.parse('2026-03-27T00:00:00Z') / 1000
const day = 86_400
const zone = 'America/New_York'

/** How many hundred-millionths of a kilogram each word stands for; the others stay apart. */
const kilograms: Readonly<Record<string, number>> = { kg: 1e8, lb: 45_359_237, g: 1e5 }
const words = ['kg', 'lb', 'g', 'ton', 'crate']

interface Told {
  readonly id: string
  readonly at: number
  readonly done: boolean
  /** Indexes of plantings. */
  readonly plantings: readonly number[]
  readonly areas: readonly number[]
  readonly lot: boolean
  /** Hundredths of a unit. */
  readonly amounts: readonly { readonly unit: string; readonly hundredths: number }[]
}

interface Move {
  readonly at: number
  readonly planting: number
  readonly area: number
}

const time = fc.integer({ min: 0, max: 9 * 24 * 2 }).map((half) => first + half * 1800)
const anyLog = fc.record({
  at: time,
  isPlan: fc.integer({ min: 0, max: 5 }),
  plantings: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
  areas: fc.uniqueArray(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
  lot: fc.boolean(),
  amounts: fc.array(fc.record({ unit: fc.constantFrom(...words), hundredths: fc.integer({ min: 1, max: 99_999 }) }), {
    maxLength: 3,
  }),
})
const anyMove = fc.record({
  at: time,
  planting: fc.integer({ min: 0, max: 3 }),
  area: fc.integer({ min: 0, max: 2 }),
})

/** The day in New York, told by another way than the server's. */
const dayOf = (second: number): string => new Date(second * 1000).toLocaleDateString('sv-SE', { timeZone: zone })

/** Two plantings of each crop. */
const cropOf = (planting: number): string => ['Carrots', 'Kale'][planting % 2] ?? ''

describe('the harvest report of a random farm', () => {
  let farm: FarmUnderTest
  let client: Client
  let season: Season
  const plantings: string[] = []
  const areas: string[] = []

  beforeAll(async () => {
    farm = await openFarm()
    farm.setClock(first + 20 * day)
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', zone))
    client = await farm.login('worker')
    season = new Season(client)
    for (const name of ['A', 'B', 'C']) areas.push(await season.area(name))
    for (const nth of [0, 1, 2, 3]) plantings.push(await season.planting(`Planting ${nth}`, cropOf(nth)))
  })

  it('is what a naive model says', async () => {
    const logs: Told[] = []
    const moves: (Move & { readonly id: number })[] = []
    const told = (hundredths: number) => `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`

    await fc.assert(
      fc.asyncProperty(
        fc.array(anyLog, { minLength: 5, maxLength: 12 }),
        fc.array(anyMove, { maxLength: 4 }),
        fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })),
        fc.constantFrom('crop', 'area', 'planting', 'crop,area'),
        async (newLogs, newMoves, bounds, group) => {
          for (const { at, planting, area } of newMoves) {
            const id = await season.move(at, plantings[planting] ?? '', areas[area] ?? '')
            moves.push({ at, planting, area, id: Number(id) })
          }
          for (const one of newLogs) {
            const id = await season.harvest(one.at, {
              done: one.isPlan === 0 ? 0 : 1,
              asset: of(...one.plantings.map((nth) => plantings[nth] ?? '')),
              area: of(...one.areas.map((nth) => areas[nth] ?? '')),
              lot_number: one.lot ? 'L' : '',
              quantity: one.amounts.map(({ unit, hundredths }) => ({
                measure: 'weight',
                value: told(hundredths),
                unit: { name: unit },
              })),
            })
            logs.push({ ...one, id, done: one.isPlan !== 0 })
          }
          const days = bounds.toSorted((one, other) => one - other).map((nth) => dayOf(first + nth * day))
          const [from = '', to = ''] = days
          const report = await client.read(`/reports/harvest.json?from=${from}&to=${to}&group=${group}`)
          const counted = logs.filter(({ at, done }) => done && dayOf(at) >= from && dayOf(at) <= to)
          expect(report.logs.count).toBe(counted.length)
          expect(report.no_lot.count).toBe(counted.filter(({ lot }) => !lot).length)
          expect(shownIn(report, group)).toEqual(reckoned(counted, group))
          for (const figure of figuresIn(report).slice(0, 12))
            expect(await logsOf(farm, client, figure), figure.list).toHaveLength(figure.count)
        },
      ),
      { numRuns: rounds({ short: 6, long: 60 }) },
    )

    function placesOf({ at, plantings: those, areas: own }: Told): readonly number[] {
      if (own.length > 0) return own
      return those.flatMap((planting) => {
        const before = moves.filter((move) => move.planting === planting && move.at <= at)
        const last = before.toSorted((one, other) => one.at - other.at || one.id - other.id).at(-1)
        return last === undefined ? [] : [last.area]
      })
    }

    function lineOf(log: Told, group: string): string {
      const texts: Readonly<Record<string, readonly string[]>> = {
        crop: log.plantings.map(cropOf),
        planting: log.plantings.map((nth) => `Planting ${nth}`),
        area: placesOf(log).map((nth) => ['A', 'B', 'C'][nth] ?? ''),
      }
      return group
        .split(',')
        .map((one) => [...new Set(texts[one])].toSorted().join('+'))
        .join(' in ')
    }

    function reckoned(counted: readonly Told[], group: string): Json {
      const lines: Record<string, { count: number; sums: Record<string, bigint> }> = {}
      for (const log of counted) {
        const name = lineOf(log, group)
        const line = lines[name] ?? { count: 0, sums: {} }
        lines[name] = line
        line.count += 1
        for (const { unit, hundredths } of log.amounts)
          line.sums[unit] = (line.sums[unit] ?? 0n) + BigInt(hundredths) * BigInt(kilograms[unit] ?? 1e8)
      }
      // Sums in hundredths of a hundred-millionth of a kilogram.
      const rounded = (sum: bigint, size: number) => {
        const unit = BigInt(size) * 100n
        let scale = 1000n
        while (sum > 0n && sum * scale < unit * 100n) scale *= 10n
        const [whole, rest] = [(sum * scale) / unit, ((sum * scale) % unit) * 2n]
        const up = rest > unit || (rest === unit && whole % 2n === 1n) ? 1n : 0n
        return Number(whole + up) / Number(scale)
      }
      /** What was written in several units is told in the largest of which there is one. */
      const joined = (sums: Record<string, bigint>): readonly (readonly [string, number])[] => {
        const known = Object.entries(sums).filter(([unit]) => kilograms[unit] !== undefined)
        const others = Object.entries(sums).filter(([unit]) => kilograms[unit] === undefined)
        const sum = known.reduce((all, [, one]) => all + one, 0n)
        const sizes = { t: 1e11, kg: 1e8, g: 1e5, mg: 100 }
        const [written] = known[0] ?? []
        const [unit, size] =
          known.length === 1 && written !== undefined
            ? [written, kilograms[written] ?? 1]
            : (Object.entries(sizes).find(([, one]) => sum >= BigInt(one) * 100n) ?? ['mg', 100])
        const apart = others.map(([one, amount]) => [one, rounded(amount, 1e8)] as const)
        return known.length === 0 ? apart : [...apart, [unit, rounded(sum, size)]]
      }
      return Object.fromEntries(
        Object.entries(lines).map(([name, { count, sums }]) => [
          name,
          { count, sums: Object.fromEntries(joined(sums)) },
        ]),
      )
    }

    function shownIn(report: Json, group: string): Json {
      const members: Readonly<Record<string, string>> = { crop: 'crops', planting: 'assets', area: 'areas' }
      return Object.fromEntries(
        report.lines.map((line: Json) => [
          group
            .split(',')
            .map((one) =>
              line[members[one] ?? '']
                .map(({ name }: Json) => name)
                .toSorted()
                .join('+'),
            )
            .join(' in '),
          {
            count: line.logs.count,
            sums: Object.fromEntries(line.amounts.map(({ unit, value }: Json) => [unit, Number(value)])),
          },
        ]),
      )
    }
  })

  it('answers no query with an error of its own', async () => {
    const names = [
      'from',
      'to',
      'group',
      'units',
      'area',
      'asset',
      'sep',
      'bom',
      'report',
      'quantity[value][gt]',
      'name[ct]',
    ]
    const values = fc.oneof(
      fc.constantFrom('', '2026-03-29', '0001-01-01', '9999-12-31', 'crop', 'area,crop', 'us', '1', '-5', '1e9', '%'),
      fc.string({ maxLength: 12 }),
      fc.constantFrom('harvest.crop.-99999999999999.99999999999999.all', 'field-history.type-9.0.1.all', 'harvest....'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('harvest.json', 'inputs.csv', 'field-history.json'),
        fc.array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 4 }),
        async (report, parameters) => {
          const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
          expect((await client.get(`/reports/${report}?${query}`)).status, query).toBeLessThan(500)
          expect((await client.get(`/log.json?${query}`)).status, query).toBeLessThan(500)
        },
      ),
      { numRuns: rounds({ short: 60, long: 600 }) },
    )
  })
})
