import { mostDecimalDigits } from '../../../fields/exact-decimal.ts'
import {
  exactDecimal,
  type Fraction,
  fractionIn,
  fractionOfDecimal,
  fractionText,
  isOverTens,
  roundedDecimal,
  roundsTo,
} from '../../../fields/fraction.ts'
import { decimalIn } from '../../../fields/number.ts'
import { hasOnly, type InputPlace, isBlank, isTree, shown, type Tree } from '../../../fields/place.ts'
import type { PartDraft, Value } from '../../../fields/value.ts'

interface SpelledFraction {
  readonly numerator: number
  readonly denominator: number
  readonly decimal: string
}

/** A stored fraction counts while the decimal is still its rounding. Beyond 2^53 only the decimal is exact. */
export function spellFraction(value: Value | undefined, fraction?: Value): SpelledFraction | null {
  if (value === undefined) return null
  const decimal = String(value)
  const kept = typeof fraction === 'string' ? fractionIn(fraction) : undefined
  const { numerator, denominator } = kept && roundsTo(kept, decimal) ? kept : fractionOfDecimal(decimal)
  return { numerator: Number(numerator), denominator: Number(denominator), decimal }
}

const members: readonly string[] = ['numerator', 'denominator', 'decimal']

/**
 * `{decimal}`, or `{numerator, denominator}`; if they differ, the decimal wins. The draft has two fields: `value`, the
 * stored decimal, and `fraction`, as sent, if the decimal is not exact.
 */
export function readFraction(input: unknown, place: InputPlace): PartDraft | undefined {
  if (isBlank(input)) return undefined
  if (!isTree(input)) return place.fault(`must be {"decimal": "2.5"}, not ${shown(input)}`, members)
  if (!hasOnly(input, members, place) || members.every((name) => isBlank(input[name]))) return undefined
  return isBlank(input.decimal) ? readRatio(input, place) : readWithDecimal(input, place)
}

function readWithDecimal(input: Tree, place: InputPlace): PartDraft | undefined {
  const value = decimalIn(input.decimal, place.inside('decimal'))
  if (value === undefined) return undefined
  const ratio = ratioOf(readPart('numerator', input, place), readPart('denominator', input, place))
  return beside(value, ratio)
}

/** The decimal, with the fraction as written if it would be shown as another. */
const beside = (value: string, ratio: Fraction | undefined): PartDraft => ({
  part:
    ratio === undefined || isOverTens(ratio) || !isTold(ratio) || !roundsTo(ratio, value)
      ? { value }
      : { value, fraction: fractionText(ratio) },
})

function readRatio(input: Tree, place: InputPlace): PartDraft | undefined {
  const numerator = readPart('numerator', input, place)
  const denominator = readPart('denominator', input, place)
  if (denominator === 0n) return place.inside('denominator').fault('must not be 0')
  const ratio = ratioOf(numerator, denominator)
  if (ratio === undefined) return requireBoth(input, place)
  const value = exactDecimal(ratio) ?? (isTold(ratio) ? roundedDecimal(ratio) : undefined)
  if (value !== undefined) return beside(value, ratio)
  return place.fault(`is no decimal number of up to ${mostDecimalDigits} digits; send the nearest one as "decimal"`)
}

function requireBoth(input: Tree, place: InputPlace): undefined {
  for (const name of ['numerator', 'denominator']) if (isBlank(input[name])) place.inside(name).fault('is required')
}

function readPart(name: 'numerator' | 'denominator', input: Tree, place: InputPlace): bigint | undefined {
  if (isBlank(input[name])) return undefined
  return bigintIn(input[name]) ?? place.inside(name).fault(`must be a whole number, not ${shown(input[name])}`)
}

function ratioOf(numerator: bigint | undefined, denominator: bigint | undefined): Fraction | undefined {
  if (numerator === undefined || denominator === undefined || denominator === 0n) return undefined
  return denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator }
}

/** True if both numbers are exact in JSON. */
const isTold = ({ numerator, denominator }: Fraction): boolean =>
  Number.isSafeInteger(Number(numerator)) && Number.isSafeInteger(Number(denominator))

function bigintIn(input: unknown): bigint | undefined {
  if (typeof input === 'number') return Number.isSafeInteger(input) ? BigInt(input) : undefined
  return typeof input === 'string' && /^-?\d{1,31}$/.test(input) ? BigInt(input) : undefined
}
