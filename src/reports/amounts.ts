import type { Fraction } from '../fields/fraction.ts'
import { trimmedTextKey } from '../fields/key.ts'
import { ExactSum, isShownExactly, plus, product, type Summand, shownNumber } from './exact-sum.ts'
import { factorBetween, isSummed, type KnownUnit, knownUnit, type ShownUnits, shownUnits } from './units.ts'

export interface MeasuredIn {
  readonly measure: string
  readonly label: string
  /** The name of the unit; empty without one. */
  readonly unit: string
}

/** One quantity that has a value. */
export interface MeasuredQuantity extends MeasuredIn {
  /** The key of the sum that it belongs to (see kindOfAmount). */
  readonly kind: string
  readonly value: string
  readonly summand: Summand
  /** The value as written, if it was rounded. */
  readonly fraction: string | undefined
  /** Materials that the quantity itself names. */
  readonly materials: readonly number[]
}

interface AmountSource {
  readonly log: number
  readonly plantings: readonly number[]
  /** The Monday of its week; null if the report has no weeks. */
  readonly week: number | null
}

/** The sum of one unit as written. */
interface Part {
  readonly unit: string
  readonly sum: ExactSum
}

interface Week {
  readonly logs: number[]
  readonly parts: Map<string, Part>
}

/** A sum of amounts with one measure and label, in convertible units or in a single unit. */
export class SummedAmount {
  readonly key: string
  readonly logs: number[] = []
  readonly plantings = new Set<number>()
  /** True if each log names exactly one planting as its source. */
  isOfSinglePlantings = true
  readonly #measured: MeasuredIn
  readonly #parts = new Map<string, Part>()
  readonly #weeks = new Map<number, Week>()

  constructor(key: string, measured: MeasuredIn) {
    this.key = key
    this.#measured = measured
  }

  add(measured: MeasuredQuantity, { log, plantings, week }: AmountSource): void {
    for (const planting of plantings) this.plantings.add(planting)
    if (plantings.length !== 1) this.isOfSinglePlantings = false
    addLog(this.logs, log)
    addTo(this.#parts, measured)
    if (week === null) return
    const known = this.#weeks.get(week)
    const of: Week = known ?? { logs: [], parts: new Map<string, Part>() }
    if (known === undefined) this.#weeks.set(week, of)
    addLog(of.logs, log)
    addTo(of.parts, measured)
  }

  /** The sort key. */
  get place(): readonly [string, string, string] {
    const { measure, label, unit } = this.#measured
    return [measure, trimmedTextKey(label), trimmedTextKey(unit)]
  }

  total(units: ShownUnits): Fraction {
    return totalIn(this.#unit(units), this.#measured.measure, this.#parts)
  }

  shown(units: ShownUnits): ShownAmount {
    const { measure, label } = this.#measured
    const isSum = isSummed(measure)
    const to = this.#unit(units)
    const sum = totalIn(to, measure, this.#parts)
    return {
      key: this.key,
      logs: this.logs,
      measure,
      label,
      unit: this.unit(units),
      value: isSum ? shownNumber(sum) : null,
      rounded: isSum && !isShownExactly(sum),
      joined: isSum ? joinedOf(to, measure, this.#parts) : [],
      weeks: [...this.#weeks]
        .toSorted(([one], [other]) => one - other)
        .map(([monday, { logs, parts }]) => ({
          monday,
          logs,
          value: isSum ? shownNumber(totalIn(to, measure, parts)) : null,
        })),
    }
  }

  unit(units: ShownUnits): string {
    return this.#unit(units)?.unit ?? this.#measured.unit
  }

  /**
   * The display unit: the common unit of all parts, else the largest that gives at least 1; none for an unknown unit.
   */
  #unit({ system, written }: ShownUnits): KnownUnit | undefined {
    const { measure } = this.#measured
    const [first, second] = new Set([...this.#parts.values()].map(({ unit }) => knownUnit(measure, unit)))
    if (first === undefined || (second === undefined && written === 'kept')) return first
    const [smallest, ...larger] = shownUnits(measure, system)
    if (smallest === undefined) return first
    const { numerator, denominator } = totalIn(smallest, measure, this.#parts)
    const total = { numerator: numerator < 0n ? -numerator : numerator, denominator }
    const isAtLeastOne = (unit: KnownUnit) => {
      const inUnit = product(total, factorBetween(smallest, unit))
      return inUnit.numerator >= inUnit.denominator
    }
    return larger.findLast(isAtLeastOne) ?? smallest
  }

  get isSummed(): boolean {
    return isSummed(this.#measured.measure)
  }
}

export interface ShownAmount {
  readonly key: string
  readonly logs: readonly number[]
  readonly measure: string
  readonly label: string
  readonly unit: string
  /** Null for measures that make no sum. */
  readonly value: string | null
  /** True if the value has more decimals than shown. */
  readonly rounded: boolean
  /** The units as written, with the amount and the conversion factor of each. */
  readonly joined: readonly JoinedUnit[]
  readonly weeks: readonly ShownWeek[]
}

interface JoinedUnit {
  readonly unit: string
  readonly value: string
  readonly factor: Fraction
  /** The amount in the unit of the sum. */
  readonly counted: string
}

export interface ShownWeek {
  readonly monday: number
  readonly logs: readonly number[]
  readonly value: string | null
}

/** The key under which quantities are added up. */
export function kindOfAmount({ measure, label, unit }: MeasuredIn): string {
  const together = knownUnit(measure, unit) === undefined ? `= ${trimmedTextKey(unit)}` : 'joined'
  return JSON.stringify([measure, trimmedTextKey(label), together])
}

/** Counts a log once, however many of its quantities count. */
function addLog(logs: number[], log: number): void {
  if (logs.at(-1) !== log) logs.push(log)
}

function addTo(parts: Map<string, Part>, { unit, summand, fraction }: MeasuredQuantity): void {
  const known = parts.get(unit)
  const part = known ?? { unit, sum: new ExactSum() }
  if (known === undefined) parts.set(unit, part)
  part.sum.add(summand, fraction)
}

const nothing: Fraction = { numerator: 0n, denominator: 1n }
const once: Fraction = { numerator: 1n, denominator: 1n }

type Parts = ReadonlyMap<string, Part>

const totalIn = (to: KnownUnit | undefined, measure: string, parts: Parts): Fraction =>
  [...parts.values()].reduce(
    (all, { unit, sum }) => plus(all, product(sum.total(), factorTo(to, knownUnit(measure, unit)))),
    nothing,
  )

const factorTo = (to: KnownUnit | undefined, from: KnownUnit | undefined): Fraction =>
  from === undefined || to === undefined ? once : factorBetween(from, to)

const joinedOf = (to: KnownUnit | undefined, measure: string, parts: Parts): readonly JoinedUnit[] =>
  [...parts.values()].map(({ unit, sum }) => {
    const [total, factor] = [sum.total(), factorTo(to, knownUnit(measure, unit))]
    return { unit, value: shownNumber(total), factor, counted: shownNumber(product(total, factor)) }
  })
