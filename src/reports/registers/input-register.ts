import { medicalBundle } from '../../farm/bundle-names.ts'
import { type Fraction, fractionOfDecimal } from '../../fields/fraction.ts'
import { isoTime } from '../../fields/time.ts'
import { assetsOf, quantitiesOf } from '../../history/implications.ts'
import { shapesOf } from '../../history/location.ts'
import { withholdingsIn } from '../../history/withholding.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type StaySpan, staysInPlaces } from '../../storage/history/withholding-rows.ts'
import { SummedAmount } from '../amounts.ts'
import { plus, summandOf, product as times } from '../exact-sum.ts'
import { ratePer, shownSize, sizeOf } from '../sums-report.ts'
import { bundlesCounted } from '../totals.ts'
import { knownUnit, reduced, type UnitSystem } from '../units.ts'
import {
  areasOf,
  asLog,
  isAmount,
  missingIn,
  type Register,
  type RegisterLog,
  RegisterNames,
  type RegisterRequest,
  type RegisterRow,
  type RegisterSum,
  type RegisterWords,
  registerPages,
  textIn,
} from './register.ts'

/** Materials that were put on or fed, a line for each log, and how much of each product on how large an area. */
export async function inputRegister(
  snapshot: Snapshot,
  installation: Records,
  request: RegisterRequest,
): Promise<Register> {
  const { asked, zone, say, units } = request
  const bundles = bundlesCounted(installation, 'inputs').filter((name) => name !== medicalBundle)
  const known = new RegisterNames({ zone, until: asked.to })
  const standing = new RegisterCrops(known, asked.to)
  const sums = new Map<string, ProductSum>()
  const sizes = new ShapeSizes()
  const rows: TimedRow[] = []
  const rowOf = (log: RegisterLog, places: readonly number[]): RegisterRow => {
    const { values, id } = log
    const assets = assetsOf(values)
    const { material = none, input_purpose, input_method, input_source, lot_number, equipment = none } = asLog(values)
    const size = sizeTreated(log, known, { places, sizes })
    const own = known.crops(assets)
    const cells: RegisterRow['cells'] = {
      day: known.day(log.timestamp),
      time: isoTime(log.timestamp, zone).slice(11, 16),
      place: known.terms(places),
      animals: known.tagged(assets.filter((asset) => known.assets.get(asset)?.values.animal_type !== undefined)),
      crop: own.length > 0 ? known.terms(own) : standing.names(places, log.timestamp),
      product: known.terms(material) || known.nameOfLog(id),
      approval: material.map((one) => textIn(known.term(one)?.values.description).trim()).join('; '),
      purpose: textIn(input_purpose),
      amount: known.amounts(values).join(', '),
      size: size === undefined ? '' : sizeText(size, units, say),
      rate: rateOf(log, known, { size: size?.squareMetres, units }),
      method: textIn(input_method),
      equipment: known.tagged(equipment),
      source: textIn(input_source),
      lot: textIn(lot_number),
      who: known.who(log),
      withholding: withholdingText(log, known, say),
      entered: known.enteredLate(log),
    }
    const [only, another] = material
    if (only !== undefined && another === undefined)
      sumOf(sums, known.terms([only])).add(log, known, size?.squareMetres)
    return { cells, logs: [id], missing: missingIn(cells, ['amount']) }
  }
  for await (const logs of registerPages(snapshot, installation, { asked, bundles })) {
    await known.learn(snapshot, logs)
    const places = logs.map((log) => areasOf(log, known.things))
    await standing.learn(snapshot, places.flat())
    for (const [at, log] of logs.entries()) rows.push({ ...rowOf(log, places[at] ?? none), timestamp: log.timestamp })
  }
  const inOrder = [...sums.values()].toSorted((one, other) => (one.of < other.of ? -1 : 1))
  return { rows: rows.sort(inTime), sums: inOrder.flatMap((sum) => sum.shown(units)) }
}

const none: readonly number[] = []

type TimedRow = RegisterRow & Pick<RegisterLog, 'timestamp'>

const inTime = (one: TimedRow, other: TimedRow): number =>
  one.timestamp - other.timestamp || (one.logs[0] ?? 0) - (other.logs[0] ?? 0)

interface TreatedSize {
  readonly squareMetres: Fraction
  /** The size of whole areas, where the log says none. */
  readonly isAssumed: boolean
}

/** The log's quantity of measure area, else its geometry, else the areas. */
function sizeTreated(
  { values }: RegisterLog,
  known: RegisterNames,
  { places, sizes }: { readonly places: readonly number[]; readonly sizes: ShapeSizes },
): TreatedSize | undefined {
  for (const { measure, value, unit } of quantitiesOf(values)) {
    const word = knownUnit('area', known.things.units.get(Number(unit)) ?? '')
    if (measure !== 'area' || word === undefined || typeof value !== 'string') continue
    return { squareMetres: reduced(times(fractionOfDecimal(value), word.factor)), isAssumed: false }
  }
  const drawn = sizes.together(asLog(values).geofield ?? [])
  if (drawn !== undefined) return { squareMetres: drawn, isAssumed: false }
  const whole = sizes.together(places.flatMap((area) => shapesOf(known.term(area)?.values)))
  return whole === undefined ? undefined : { squareMetres: whole, isAssumed: true }
}

/** Measures each shape once: thousands of logs name the same areas. */
class ShapeSizes {
  readonly #known = new Map<string, Fraction>()

  together(shapes: readonly string[]): Fraction | undefined {
    const size = shapes
      .map((shape) => this.#of(shape))
      .reduce((all, one) => reduced(plus(all, one)), { numerator: 0n, denominator: 1n })
    return size.numerator > 0n ? size : undefined
  }

  #of(shape: string): Fraction {
    const size = this.#known.get(shape) ?? sizeOf(shape)
    this.#known.set(shape, size)
    return size
  }
}

const sizeText = ({ squareMetres, isAssumed }: TreatedSize, units: UnitSystem, say: RegisterWords): string =>
  isAssumed ? say('assumed', { size: shownSize(squareMetres, units) }) : shownSize(squareMetres, units)

interface RateQuery {
  readonly size: Fraction | undefined
  readonly units: UnitSystem
}

/** Only where one amount was put on. */
function rateOf({ values }: RegisterLog, known: RegisterNames, { size, units }: RateQuery): string {
  const [only, another] = quantitiesOf(values).filter(
    ({ label, measure, value }) => typeof value === 'string' && isAmount(textIn(label), textIn(measure)),
  )
  if (size === undefined || only === undefined || another !== undefined) return ''
  const { value, unit } = ratePer(fractionOfDecimal(String(only.value)), size, units)
  return `${value} ${known.things.units.get(Number(only.unit)) ?? ''}/${unit}`
}

/** How long what is withheld, also where it is 0. */
export function withholdingText({ values }: RegisterLog, known: RegisterNames, say: RegisterWords): string {
  const names = known.things.units
  return withholdingsIn(values, names)
    .map(({ product, seconds }) => {
      const days = seconds / 86_400
      return Number.isInteger(days)
        ? say('days', { product: say(`product.${product}`), count: String(days) })
        : say('hours', { product: say(`product.${product}`), count: String(seconds / 3_600) })
    })
    .join(', ')
}

/** One product: how much, on how large an area. */
class ProductSum {
  readonly of: string
  readonly #amounts = new Map<string, SummedAmount>()
  readonly #logs: number[] = []
  #size: Fraction | undefined = { numerator: 0n, denominator: 1n }

  constructor(of: string) {
    this.of = of
  }

  add({ id, values }: RegisterLog, { things }: RegisterNames, size: Fraction | undefined): void {
    this.#logs.push(id)
    this.#size = size === undefined || this.#size === undefined ? undefined : reduced(plus(this.#size, size))
    for (const { measure, label, unit, value, fraction } of quantitiesOf(values)) {
      if (typeof value !== 'string' || value === '' || !isAmount(textIn(label), textIn(measure))) continue
      const words = things.wordsOf(textIn(measure), '', Number(unit ?? 0))
      const sum = this.#amounts.get(words.kind) ?? new SummedAmount(words.kind, words)
      this.#amounts.set(words.kind, sum)
      const written = typeof fraction === 'string' ? fraction : undefined
      sum.add({ ...words, value, summand: summandOf(value), fraction: written }, { log: id, plantings: [], week: null })
    }
  }

  shown(system: UnitSystem): readonly RegisterSum[] {
    return [...this.#amounts.values()].map((amount) => {
      const units = { system, written: 'kept' } as const
      const { value, unit } = amount.shown(units)
      const rate =
        this.#size === undefined || value === null ? undefined : ratePer(amount.total(units), this.#size, system)
      return {
        of: this.of,
        amount: `${value ?? ''} ${unit}`.trim(),
        size: this.#size === undefined ? '' : shownSize(this.#size, system),
        rate: rate === undefined ? '' : `${rate.value} ${unit}/${rate.unit}`,
        logs: this.#logs,
      }
    })
  }
}

function sumOf(sums: Map<string, ProductSum>, of: string): ProductSum {
  const sum = sums.get(of) ?? new ProductSum(of)
  sums.set(of, sum)
  return sum
}

/** Which crops stood in areas, and when. */
export class RegisterCrops {
  readonly #stays = new Map<number, StaySpan[]>()
  readonly #until: number
  readonly #crops: RegisterNames

  /** The assets are learnt where those of the logs are. */
  constructor(names: RegisterNames, until: number) {
    this.#until = until
    this.#crops = names
  }

  async learn(snapshot: Snapshot, areas: readonly number[]): Promise<void> {
    const unknown = [...new Set(areas)].filter((area) => !this.#stays.has(area))
    if (unknown.length === 0) return
    const stays = await staysInPlaces(snapshot, unknown, { kind: 'movement', until: this.#until })
    await this.#crops.learnAssets(
      snapshot,
      stays.map(({ asset }) => asset),
    )
    for (const area of unknown) this.#stays.set(area, [])
    for (const stay of stays) if (this.#crops.crops([stay.asset]).length > 0) this.#stays.get(stay.place)?.push(stay)
  }

  names(areas: readonly number[], second: number): string {
    const assets: number[] = []
    for (const area of areas)
      for (const { asset, from, until } of this.#stays.get(area) ?? [])
        if (from <= second && second < until) assets.push(asset)
    return this.#crops.terms(this.#crops.crops(assets))
  }
}
