import {
  inputBundle,
  medicalBundle,
  type WithheldProduct,
  withheldProducts,
  withholdingLabels,
} from '../../src/farm/bundle-names.ts'
import { now } from '../words/format.ts'
import { logs } from './local-copy.ts'
import { idsIn, isDone, type LocalRecord, partsIn, timeOf } from './record.ts'
import { contentsOf, membersOf } from './stays.ts'

/** A product that may not be used until a second, as the copy of the farm knows it (docs/rules/withholding.md). */
export interface KeptWithholding {
  readonly product: WithheldProduct
  readonly until: number
  /** Where it is said. */
  readonly log: LocalRecord
}

/** Logs that may withhold something; the copy has those of the last 400 days. */
const mostTreatments = 5_000

/** Done treatments and inputs of the copy that withhold something. */
export async function withholdingLogs(): Promise<readonly LocalRecord[]> {
  const found = await logs({ bundles: [medicalBundle, inputBundle], done: true, limit: mostTreatments })
  return found.filter((log) => periodsOf(log).length > 0)
}

/** How long a log withholds what. */
export function periodsOf(log: LocalRecord): readonly KeptWithholding[] {
  return partsIn(log.fields.quantity).flatMap(({ measure, label, value, unit }) => {
    const product = withheldProducts.find((one) => withholdingLabels[one] === label)
    const seconds =
      lengths[
        String((unit as { readonly name?: unknown } | undefined)?.name ?? '')
          .trim()
          .toLowerCase()
      ]
    if (product === undefined || measure !== 'time' || seconds === undefined || !(Number(value) > 0)) return []
    return [{ product, until: timeOf(log) + Math.floor(Number(value) * seconds), log }]
  })
}

const [hour, day] = [3_600, 86_400]
const lengths: Readonly<Record<string, number | undefined>> = {
  ...{ hours: hour, hour, h: hour, stunden: hour, stunde: hour, horas: hour, hora: hour },
  ...{ days: day, day, d: day, tage: day, tag: day, días: day, día: day },
}

/** Everything that some logs withhold at a second: by asset, and by area. */
export class WithheldThings {
  readonly assets = new Map<string, readonly KeptWithholding[]>()
  readonly areas = new Map<string, readonly KeptWithholding[]>()

  constructor(treatments: readonly LocalRecord[], at = now()) {
    for (const log of treatments) {
      const periods = periodsOf(log).filter(({ until }) => timeOf(log) <= at && at < until)
      if (periods.length === 0 || !isDone(log)) continue
      const [named, areas] = [idsIn(log.fields.asset), idsIn(log.fields.area)]
      const members = named.flatMap((id) => membersOf(id, timeOf(log)).map(({ asset }) => asset))
      for (const id of new Set([...named, ...members])) note(this.assets, id, periods)
      const ofLand = named.length === 0 ? periods : periods.filter(({ product }) => landProducts.includes(product))
      for (const id of areas) note(this.areas, id, ofLand)
      if (named.length > 0) continue
      const harvest = periods.filter(({ product }) => product === 'harvest')
      const there = areas.flatMap((area) => contentsOf(area, timeOf(log)).map(({ asset }) => asset))
      for (const id of new Set(there)) note(this.assets, id, harvest)
    }
  }

  /** Of a herd also what is withheld of each member. */
  ofMembers(group: string, at = now()): readonly (readonly [asset: string, KeptWithholding])[] {
    return membersOf(group, at).flatMap(({ asset }) =>
      (this.assets.get(asset) ?? []).map((period) => [asset, period] as const),
    )
  }
}

const landProducts: readonly WithheldProduct[] = ['harvest', 'grazing', 'entry']

/** The latest end of each product counts. */
function note(things: Map<string, readonly KeptWithholding[]>, id: string, periods: readonly KeptWithholding[]): void {
  const byProduct = new Map((things.get(id) ?? []).map((period) => [period.product, period]))
  for (const period of periods) {
    const known = byProduct.get(period.product)
    if (known === undefined || period.until > known.until) byProduct.set(period.product, period)
  }
  if (byProduct.size > 0) things.set(id, [...byProduct.values()])
}

const units: readonly (readonly [RegExp, WithheldProduct])[] = [
  [/^(l|ml|litres?|liters?|liter|litros?|gal|gallons?)$/i, 'milk'],
  [/^(eggs?|ei|eier|huevos?)$/i, 'eggs'],
]

/** What somebody takes who measures in that unit: litres of animals are milk. Undefined where it cannot be told. */
export const productTaken = (unit: string, of: 'planting' | 'animal'): WithheldProduct | undefined =>
  of === 'planting' ? 'harvest' : units.find(([words]) => words.test(unit.trim()))?.[1]
