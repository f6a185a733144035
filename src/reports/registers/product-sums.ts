import { type Fraction, fractionOfDecimal } from '../../fields/fraction.ts'
import { assetsOf } from '../../history/implications.ts'
import { shapesOf } from '../../history/location.ts'
import { kindOfAmount, type MeasuredQuantity, SummedAmount } from '../amounts.ts'
import { plus, product as times } from '../exact-sum.ts'
import { measuredIn } from '../log-facts.ts'
import { ratePer, shownSize, sizeOf } from '../sums-report.ts'
import { knownUnit, reduced, type UnitSystem } from '../units.ts'
import { asLog, type RegisterLog, type RegisterNames, type RegisterSum, type RegisterWords } from './register.ts'

interface SummedLog {
  readonly known: RegisterNames
  readonly size: TreatedSize | undefined
}

/** Adds each amount to its product: the material of the quantity, else those of the log together. */
export function addToSums(sums: Map<string, ProductSum>, log: RegisterLog, { known, size }: SummedLog): void {
  const { material = [] } = asLog(log.values)
  const amounts = known.measured(log.values)
  const products = new Map<string, MeasuredQuantity[]>(amounts.length > 0 ? [] : [[material.join(), []]])
  for (const one of amounts) {
    const key = (one.materials.length > 0 ? one.materials : material).join()
    products.set(key, [...(products.get(key) ?? []), one])
  }
  for (const [key, those] of products) {
    if (key === '') continue
    const sum = sums.get(key) ?? new ProductSum(known.terms(key.split(',').map(Number)))
    sums.set(key, sum)
    sum.add(log, those, size)
  }
}

interface AmountOnArea {
  readonly amount: SummedAmount
  /** The size of the logs that have such an amount; unknown if one of them has none. */
  size: Fraction | undefined
  isAssumed: boolean
}

/** One product: how much, on how large an area. */
export class ProductSum {
  readonly of: string
  readonly #amounts = new Map<string, AmountOnArea>()
  readonly #logs: number[] = []

  constructor(of: string) {
    this.of = of
  }

  add({ id }: RegisterLog, amounts: readonly MeasuredQuantity[], size: TreatedSize | undefined): void {
    this.#logs.push(id)
    const treated = new Set<AmountOnArea>()
    for (const one of amounts) {
      const measured = { ...one, label: '' }
      const kind = kindOfAmount(measured)
      const sum = this.#amounts.get(kind) ?? {
        amount: new SummedAmount(kind, measured),
        size: nothing,
        isAssumed: false,
      }
      this.#amounts.set(kind, sum)
      sum.amount.add({ ...measured, kind }, { log: id, plantings: [], week: null })
      treated.add(sum)
    }
    for (const sum of treated) {
      sum.size = size === undefined || sum.size === undefined ? undefined : reduced(plus(sum.size, size.squareMetres))
      sum.isAssumed ||= size?.isAssumed ?? false
    }
  }

  shown(system: UnitSystem, say: RegisterWords): readonly RegisterSum[] {
    return [...this.#amounts.values()].map(({ amount, size, isAssumed }) => {
      const units = { system, written: 'kept' } as const
      const { value, unit } = amount.shown(units)
      const rate = size === undefined || value === null ? undefined : ratePer(amount.total(units), size, system)
      return {
        of: this.of,
        amount: `${value ?? ''} ${unit}`.trim(),
        size: size === undefined ? '' : sizeText({ squareMetres: size, isAssumed }, system, say),
        rate: rate === undefined ? '' : `${rate.value} ${unit}/${rate.unit}`,
        logs: this.#logs,
      }
    })
  }
}

/** On how large an area something was put on. */
export interface TreatedSize {
  readonly squareMetres: Fraction
  /** The size of whole areas, where the log says none. */
  readonly isAssumed: boolean
}

/** The log's quantity of measure area, else its geometry, else the areas; animals are fed and no area is treated. */
export function sizeTreated(
  { values }: RegisterLog,
  known: RegisterNames,
  { places, sizes }: { readonly places: readonly number[]; readonly sizes: ShapeSizes },
): TreatedSize | undefined {
  for (const { measure, unit, value } of measuredIn(values, known.things)) {
    const word = knownUnit('area', unit)
    if (measure !== 'area' || word === undefined) continue
    const squareMetres = reduced(times(fractionOfDecimal(value), word.factor))
    if (squareMetres.numerator > 0n) return { squareMetres, isAssumed: false }
  }
  const drawn = sizes.together(asLog(values).geofield ?? [])
  if (drawn !== undefined) return { squareMetres: drawn, isAssumed: false }
  if (known.isOfAnimals(assetsOf(values))) return undefined
  const whole = sizes.together(places.flatMap((area) => shapesOf(known.term(area)?.values)))
  return whole === undefined ? undefined : { squareMetres: whole, isAssumed: true }
}

/** Measures each shape once: thousands of logs name the same areas. */
export class ShapeSizes {
  readonly #known = new Map<string, Fraction>()

  together(shapes: readonly string[]): Fraction | undefined {
    const size = shapes.map((shape) => this.#of(shape)).reduce((all, one) => reduced(plus(all, one)), nothing)
    return size.numerator > 0n ? size : undefined
  }

  #of(shape: string): Fraction {
    const size = this.#known.get(shape) ?? sizeOf(shape)
    this.#known.set(shape, size)
    return size
  }
}

export const sizeText = ({ squareMetres, isAssumed }: TreatedSize, units: UnitSystem, say: RegisterWords): string =>
  isAssumed ? say('assumed', { size: shownSize(squareMetres, units) }) : shownSize(squareMetres, units)

const nothing: Fraction = { numerator: 0n, denominator: 1n }
