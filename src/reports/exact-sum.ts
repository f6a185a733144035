import { fromUnits, inUnits, scaleOf } from '../fields/exact-decimal.ts'
import { type Fraction, fractionIn } from '../fields/fraction.ts'
import { reduced } from './units.ts'

/** More denominators than this do not occur in practice, and each makes the numbers longer. */
const mostDenominators = 64

/** A decimal as an integer and a scale: units / 10^scale. */
export interface Summand {
  readonly units: number | bigint
  readonly scale: number
}

/** A decimal of this length fits a number without loss. */
const shortEnough = 15

const powers = Array.from({ length: shortEnough + 1 }, (_, power) => 10 ** power)

export function summandOf(value: string): Summand {
  const scale = scaleOf(value)
  if (value.length > shortEnough) return { units: inUnits(value, scale), scale }
  return { units: Math.round(Number(value) * (powers[scale] as number)), scale }
}

/** Adds decimals and fractions exactly: in plain numbers while those are exact. */
export class ExactSum {
  #scale = 0
  #units = 0n
  /** In addition to the units above, at the same scale. */
  #plainUnits = 0
  readonly #fractions = new Map<bigint, bigint>()

  /** A value, and its text if it was rounded. */
  add(value: Summand, written: string | undefined): void {
    const fraction = written === undefined ? undefined : fractionIn(written)
    if (fraction === undefined || !this.#addFraction(fraction)) this.#addDecimal(value)
  }

  #addFraction({ numerator, denominator }: Fraction): boolean {
    const before = this.#fractions.get(denominator)
    if (before === undefined && this.#fractions.size >= mostDenominators) return false
    this.#fractions.set(denominator, (before ?? 0n) + numerator)
    return true
  }

  #addDecimal({ units, scale }: Summand): void {
    if (scale > this.#scale) this.#refine(scale)
    const finer = this.#scale - scale
    const sum =
      typeof units === 'number' && finer <= shortEnough
        ? this.#plainUnits + units * (powers[finer] as number)
        : Infinity
    if (Number.isSafeInteger(sum)) this.#plainUnits = sum
    else this.#units += BigInt(units) * 10n ** BigInt(finer)
  }

  #refine(scale: number): void {
    this.#units = (this.#units + BigInt(this.#plainUnits)) * 10n ** BigInt(scale - this.#scale)
    this.#plainUnits = 0
    this.#scale = scale
  }

  total(): Fraction {
    let sum: Fraction = { numerator: this.#units + BigInt(this.#plainUnits), denominator: 10n ** BigInt(this.#scale) }
    if (this.#fractions.size === 0) return sum
    for (const [denominator, numerator] of this.#fractions) sum = plus(sum, { numerator, denominator })
    return reduced(sum)
  }
}

export const plus = (one: Fraction, other: Fraction): Fraction => ({
  numerator: one.numerator * other.denominator + other.numerator * one.denominator,
  denominator: one.denominator * other.denominator,
})

export const product = (one: Fraction, other: Fraction): Fraction => ({
  numerator: one.numerator * other.numerator,
  denominator: one.denominator * other.denominator,
})

const fewestPlaces = 3
const fewestDigits = 3

/** Three decimals, or enough for three digits of a smaller value. */
function placesFor({ numerator, denominator }: Fraction): number {
  const size = numerator < 0n ? -numerator : numerator
  if (size === 0n) return fewestPlaces
  let places = fewestPlaces
  while (size * 10n ** BigInt(places) < denominator * 10n ** BigInt(fewestDigits - 1)) places += 1
  return places
}

/** A fraction as shown: three decimals, or three digits if small, rounded half to even, without trailing zeros. */
export function shownNumber(fraction: Fraction): string {
  const { numerator, denominator } = fraction
  const places = placesFor(fraction)
  const size = (numerator < 0n ? -numerator : numerator) * 10n ** BigInt(places)
  const [whole, rest] = [size / denominator, (size % denominator) * 2n]
  const isUp = rest > denominator || (rest === denominator && whole % 2n === 1n)
  const units = isUp ? whole + 1n : whole
  return withoutZeros(fromUnits(numerator < 0n ? -units : units, places))
}

const withoutZeros = (decimal: string): string => decimal.replace(/\.?0+$/, '')

export const isShownExactly = (fraction: Fraction): boolean =>
  (fraction.numerator * 10n ** BigInt(placesFor(fraction))) % fraction.denominator === 0n
