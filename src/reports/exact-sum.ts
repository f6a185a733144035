import { fromUnits, inUnits, scaleOf } from '../fields/exact-decimal.ts'
import { type Fraction, fractionIn } from '../fields/fraction.ts'
import { reduced } from './units.ts'

/** More kinds of thirds and sevenths than that nobody writes down, and each makes the numbers longer. */
const mostDenominators = 64

/** Adds decimals and fractions without losing anything. */
export class ExactSum {
  #scale = 0
  #units = 0n
  readonly #fractions = new Map<bigint, bigint>()

  /** A value, and what it was written as where it is rounded. */
  add(value: string, written: string | undefined): void {
    const fraction = written === undefined ? undefined : fractionIn(written)
    if (fraction === undefined || !this.#addFraction(fraction)) this.#addDecimal(value)
  }

  #addFraction({ numerator, denominator }: Fraction): boolean {
    const before = this.#fractions.get(denominator)
    if (before === undefined && this.#fractions.size >= mostDenominators) return false
    this.#fractions.set(denominator, (before ?? 0n) + numerator)
    return true
  }

  #addDecimal(value: string): void {
    const finer = scaleOf(value) - this.#scale
    if (finer > 0) {
      this.#units *= 10n ** BigInt(finer)
      this.#scale += finer
    }
    this.#units += inUnits(value, this.#scale)
  }

  total(): Fraction {
    let sum: Fraction = { numerator: this.#units, denominator: 10n ** BigInt(this.#scale) }
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

const places = 3

/** A fraction as it is shown: to three places, half to even, without zeros at the end. */
export function shownNumber({ numerator, denominator }: Fraction): string {
  const size = (numerator < 0n ? -numerator : numerator) * 10n ** BigInt(places)
  const [whole, rest] = [size / denominator, (size % denominator) * 2n]
  const isUp = rest > denominator || (rest === denominator && whole % 2n === 1n)
  const units = isUp ? whole + 1n : whole
  return withoutZeros(fromUnits(numerator < 0n ? -units : units, places))
}

const withoutZeros = (decimal: string): string => decimal.replace(/\.?0+$/, '')

/** Whether nothing is lost in how it is shown. */
export const isShownExactly = ({ numerator, denominator }: Fraction): boolean =>
  (numerator * 10n ** BigInt(places)) % denominator === 0n
