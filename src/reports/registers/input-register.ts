import { medicalBundle } from '../../farm/bundle-names.ts'
import { type Fraction, fractionOfDecimal } from '../../fields/fraction.ts'
import { isoTime } from '../../fields/time.ts'
import { assetsOf } from '../../history/implications.ts'
import { withholdingsIn } from '../../history/withholding.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type StaySpan, staysInPlaces } from '../../storage/history/withholding-rows.ts'
import { ratePer } from '../sums-report.ts'
import { bundlesCounted } from '../totals.ts'
import type { UnitSystem } from '../units.ts'
import { addToSums, type ProductSum, ShapeSizes, sizeText, sizeTreated } from './product-sums.ts'
import {
  areasOf,
  asLog,
  missingIn,
  type Register,
  type RegisterLog,
  RegisterNames,
  type RegisterRequest,
  type RegisterRow,
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
      animals: known.tagged(assets.filter((asset) => known.isOfAnimals([asset]))),
      crop: own.length > 0 ? known.terms(own) : standing.names(places, log.timestamp),
      product: known.terms(material) || known.nameOfLog(id),
      approval: approvalsOf(material, known),
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
    addToSums(sums, log, { known, size })
    return { cells, logs: [id], missing: missingIn(cells, ['amount']) }
  }
  for await (const logs of registerPages(snapshot, installation, { asked, bundles })) {
    await known.learn(snapshot, logs)
    const places = logs.map((log) => areasOf(log, known.things))
    await standing.learn(snapshot, places.flat())
    for (const [at, log] of logs.entries()) rows.push({ ...rowOf(log, places[at] ?? none), timestamp: log.timestamp })
  }
  const inOrder = [...sums.values()].toSorted((one, other) => (one.of < other.of ? -1 : 1))
  return { rows: rows.sort(inTime), sums: inOrder.flatMap((sum) => sum.shown(units, say)) }
}

const none: readonly number[] = []

type TimedRow = RegisterRow & Pick<RegisterLog, 'timestamp'>

const inTime = (one: TimedRow, other: TimedRow): number =>
  one.timestamp - other.timestamp || (one.logs[0] ?? 0) - (other.logs[0] ?? 0)

interface RateQuery {
  readonly size: Fraction | undefined
  readonly units: UnitSystem
}

/** Where there are several, each number with its product. */
const approvalsOf = (materials: readonly number[], known: RegisterNames): string =>
  materials
    .flatMap((one) => {
      const number = textIn(known.term(one)?.values.description).trim()
      return number === '' ? [] : [materials.length > 1 ? `${known.terms([one])} ${number}` : number]
    })
    .join('; ')

/** Only where one amount was put on. */
function rateOf({ values }: RegisterLog, known: RegisterNames, { size, units }: RateQuery): string {
  const [only, another] = known.measured(values)
  if (size === undefined || only === undefined || another !== undefined) return ''
  const { value, unit } = ratePer(fractionOfDecimal(only.value), size, units)
  return `${value} ${only.unit}/${unit}`
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
