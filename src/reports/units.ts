import type { Fraction } from '../fields/fraction.ts'
import { trimmedTextKey } from '../fields/key.ts'
import { type KnownUnit, type UnitSystem, unitWords } from './unit-words.ts'

/** With large and small letters told apart, it is a thousand million times what it would be taken for. */
const misleading = 'Mg'

const byWord: ReadonlyMap<string, ReadonlyMap<string, KnownUnit>> = new Map(
  Object.entries(unitWords).map(([measure, { units }]) => [
    measure,
    new Map(units.flatMap((one) => one.words.map((word) => [trimmedTextKey(word), one]))),
  ]),
)

/** The unit that a word stands for in a measure; undefined where it stays apart. */
export const knownUnit = (measure: string, word: string): KnownUnit | undefined =>
  word.trim() === misleading ? undefined : byWord.get(measure)?.get(trimmedTextKey(word).replace(/\.$/, ''))

/** The measure that a unit is of; undefined where the table has no such unit. No word of it is in two measures. */
export const measureOfUnit = (word: string): string | undefined =>
  [...byWord.keys()].find((measure) => knownUnit(measure, word) !== undefined)

/** How amounts are told: by one system throughout, or as they were written where all of them agree. */
export interface ShownUnits {
  readonly system: UnitSystem
  readonly written: 'kept' | 'converted'
}

/** The units that amounts of a measure are told in, the smallest first. */
export function shownUnits(measure: string, system: UnitSystem): readonly KnownUnit[] {
  const units = unitWords[measure]
  return (units?.shown[system] ?? []).flatMap((name) => units?.units.find(({ unit }) => unit === name) ?? [])
}

/** By what an amount in one unit is multiplied to be told in another. */
export const factorBetween = (from: KnownUnit, to: KnownUnit): Fraction =>
  reduced({
    numerator: from.factor.numerator * to.factor.denominator,
    denominator: from.factor.denominator * to.factor.numerator,
  })

export function reduced({ numerator, denominator }: Fraction): Fraction {
  const divisor = greatestDivisor(numerator < 0n ? -numerator : numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [larger, smaller] = [one, other]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

/** Measures of which several make a sum; of a temperature or a rating there is none. */
export const isSummed = (measure: string): boolean => !unsummed.includes(measure)

const unsummed: readonly string[] = [
  'temperature',
  'pressure',
  'water_content',
  'rate',
  'rating',
  'ratio',
  'probability',
  'speed',
]
