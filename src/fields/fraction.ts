import { fromUnits, inUnits, mostDecimalDigits, readDecimal, scaleOf } from './exact-decimal.ts'
import { decimalKey } from './key.ts'

/** A ratio of whole numbers, not reduced. The denominator is above zero. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** A decimal of n places stands over 10ⁿ: 2.50 is 250/100. */
export function fractionOfDecimal(value: string): Fraction {
  const scale = scaleOf(value)
  return { numerator: inUnits(value, scale), denominator: 10n ** BigInt(scale) }
}

/** The decimal that it is, with as many places as it has zeros below; nothing where it is none that can be kept. */
export function exactDecimal({ numerator, denominator }: Fraction): string | undefined {
  for (let scale = zerosOf(denominator) ?? 0; scale <= mostDecimalDigits; scale++) {
    const units = numerator * 10n ** BigInt(scale)
    if (units % denominator === 0n) return readDecimal(fromUnits(units / denominator, scale))
  }
  return undefined
}

const mostRoundedPlaces = 20

/** The nearest decimal that can be kept; nothing where it is too large for any. */
export function roundedDecimal(fraction: Fraction): string | undefined {
  for (let scale = mostRoundedPlaces; scale >= 0; scale--) {
    const rounded = readDecimal(fromUnits(roundedUnits(fraction, scale), scale))
    if (rounded !== undefined) return rounded
  }
  return undefined
}

/** True if the decimal is the rounded fraction. */
export function roundsTo(fraction: Fraction, value: string): boolean {
  const rounded = roundedDecimal(fraction)
  return rounded !== undefined && decimalKey(rounded) === decimalKey(value)
}

/** As stored: `1/3`. */
export const fractionText = ({ numerator, denominator }: Fraction): string => `${numerator}/${denominator}`

export function fractionIn(text: string): Fraction | undefined {
  const [, numerator, denominator] = /^(-?\d{1,30})\/([1-9]\d{0,29})$/.exec(text) ?? []
  if (numerator === undefined || denominator === undefined) return undefined
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) }
}

/** True for a denominator of 10ⁿ. */
export const isOverTens = ({ denominator }: Fraction): boolean => zerosOf(denominator) !== undefined

function zerosOf(denominator: bigint): number | undefined {
  const digits = String(denominator)
  return /^10*$/.test(digits) ? digits.length - 1 : undefined
}

/** Halves are rounded away from zero. */
function roundedUnits({ numerator, denominator }: Fraction, scale: number): bigint {
  const size = (numerator < 0n ? -numerator : numerator) * 10n ** BigInt(scale)
  const units = (size * 2n + denominator) / (denominator * 2n)
  return numerator < 0n ? -units : units
}
