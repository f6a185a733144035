import { computed } from '@preact/signals'
import type { WithheldProduct } from '../../src/farm/bundle-names.ts'
import { now } from '../words/format.ts'
import { assetBy, assets, logs, termBy } from './local-copy.ts'
import { idsIn, isDone, isGroup, type LocalRecord, partsIn, timeOf } from './record.ts'
import { contentsOf, membersOf } from './stays.ts'

/** A product that may not be used until a second, as the copy of the farm knows it (docs/rules/withholding.md). */
export interface KeptWithholding {
  readonly product: WithheldProduct | 'all'
  readonly until: number
  /** Where it is said. */
  readonly log: LocalRecord
}

/** Logs that may withhold something; the copy has those of the last 400 days. */
const mostTreatments = 5_000

/** Done logs of the copy that withhold something, of any type. */
export async function withholdingLogs(): Promise<readonly LocalRecord[]> {
  const found = await logs({ withholding: true, done: true, limit: mostTreatments })
  return found.filter((log) => periodsOf(log).length > 0)
}

/** Ends of older treatments by their logs. Only the farm knows when their reminders were planned first. */
const reminderEnds = computed(() => {
  const parts = [...assets.value.values()].flatMap(({ fields }) => partsIn(fields.withheld))
  const older = parts.filter(({ product }) => product === 'all')
  return new Map(older.flatMap(({ log, until }) => idsIn(log).map((id) => [id, Number(until)])))
})

const read = new WeakMap<LocalRecord, readonly KeptWithholding[]>()

/** How long a log withholds what. */
function periodsOf(log: LocalRecord): readonly KeptWithholding[] {
  const known = read.get(log) ?? periodsIn(log)
  read.set(log, known)
  return known
}

function periodsIn(log: LocalRecord): readonly KeptWithholding[] {
  const reminded = reminderEnds.value.get(log.id)
  if (reminded !== undefined) return [{ product: 'all', until: reminded, log }]
  return partsIn(log.fields.quantity).flatMap(({ measure, label, value, unit }) => {
    const [, taken, product = taken] = labelled.exec(String(label)) ?? []
    const word = String((unit as { readonly name?: unknown } | undefined)?.name).trim()
    const seconds = hours.test(word) ? 3_600 : days.test(word) ? 86_400 : undefined
    if (product === undefined || measure !== 'time' || seconds === undefined || !(Number(value) > 0)) return []
    // The expression has no other words.
    return [{ product: product as WithheldProduct, until: timeOf(log) + Math.floor(Number(value) * seconds), log }]
  })
}

/** As `withholdingLabel` writes them. */
const labelled = /^(?:withhold (meat|milk|eggs|honey|harvest|grazing)|no (entry))$/
const hours = /^(h(ours?|oras?)?|stunden?)$/i
const days = /^(d(ays?|ías?)?|tage?)$/i

/** An asset or area, and what is withheld of it. */
export interface WithheldThing {
  readonly record: LocalRecord
  readonly periods: readonly KeptWithholding[]
}

/** Everything that some logs withhold at a second. */
export class WithheldThings {
  readonly all = new Map<string, WithheldThing>()
  readonly #at: number

  constructor(treatments: readonly LocalRecord[], at = now()) {
    this.#at = at
    for (const log of treatments) {
      const periods = periodsOf(log).filter(({ until }) => timeOf(log) <= at && at < until)
      if (periods.length === 0 || !isDone(log)) continue
      const [named, areas] = [idsIn(log.fields.asset), idsIn(log.fields.area)]
      const members = named.flatMap((id) => membersOf(id, timeOf(log)).map(({ asset }) => asset))
      for (const id of new Set([...named, ...members])) this.#note(assetBy(id), periods)
      const ofLand = named.length === 0 ? periods : periods.filter(({ product }) => landProducts.includes(product))
      for (const id of areas) this.#note(termBy(id), ofLand)
      if (named.length > 0) continue
      const harvest = periods.filter(({ product }) => product === 'harvest')
      const there = areas.flatMap((area) => contentsOf(area, timeOf(log)).map(({ asset }) => asset))
      for (const id of new Set(there)) this.#note(assetBy(id), harvest)
    }
  }

  /** What is withheld of it, and of each member of a herd. */
  of(record: LocalRecord): readonly WithheldThing[] {
    const members = isGroup(record) ? membersOf(record.id, this.#at) : []
    return [record.uuid, ...members.map(({ asset }) => assetBy(asset)?.uuid ?? '')].flatMap(
      (one) => this.all.get(one) ?? [],
    )
  }

  /** The latest end of each product counts. */
  #note(record: LocalRecord | undefined, periods: readonly KeptWithholding[]): void {
    if (record === undefined || periods.length === 0) return
    const byProduct = new Map<string, KeptWithholding>()
    for (const period of [...(this.all.get(record.uuid)?.periods ?? []), ...periods])
      if (period.until > (byProduct.get(period.product)?.until ?? 0)) byProduct.set(period.product, period)
    this.all.set(record.uuid, { record, periods: [...byProduct.values()] })
  }
}

const landProducts: readonly string[] = ['harvest', 'grazing', 'entry']

const units: readonly (readonly [RegExp, WithheldProduct])[] = [
  [/^(l|ml|litres?|liters?|liter|litros?|gal|gallons?)$/i, 'milk'],
  [/^(eggs?|ei|eier|huevos?)$/i, 'eggs'],
]

/** What somebody takes who measures in that unit: litres of animals are milk. Undefined where it cannot be told. */
export const productTaken = (unit: string, of: 'planting' | 'animal'): WithheldProduct | undefined =>
  of === 'planting' ? 'harvest' : units.find(([words]) => words.test(unit.trim()))?.[1]
