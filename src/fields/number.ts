import { decimalOfNumber, mostDecimalDigits, readDecimal } from './exact-decimal.ts'
import type { DecimalField, WholeField, YesNoField } from './field.ts'
import { type Place, shown } from './place.ts'
import { wholeNumber } from './time.ts'

export const whole = (label: string, traits: Partial<WholeField> = {}): WholeField => ({
  kind: 'whole',
  label,
  min: -2_147_483_648,
  max: 2_147_483_647,
  ...traits,
})

export const decimal = (label: string, traits: Partial<DecimalField> = {}): DecimalField => ({
  kind: 'decimal',
  label,
  ...traits,
})

export const yesNo = (label: string, traits: Partial<YesNoField> = {}): YesNoField => ({
  kind: 'yes-no',
  label,
  ...traits,
})

export function takeWhole(field: WholeField, input: unknown, place: Place): number | undefined {
  const number = wholeNumber(input)
  if (number === undefined) return place.fault(`must be a whole number, not ${shown(input)}`)
  if (number >= field.min && number <= field.max) return number
  return place.fault(`must lie between ${field.min} and ${field.max}`)
}

export function takeDecimal(_field: DecimalField, input: unknown, place: Place): string | undefined {
  const kept =
    typeof input === 'number' ? decimalOfNumber(input) : typeof input === 'string' ? readDecimal(input) : undefined
  return kept ?? place.fault(`must be a decimal number of up to ${mostDecimalDigits} digits, not ${shown(input)}`)
}

const yes: readonly unknown[] = [true, 1, '1', 'true']
const no: readonly unknown[] = [false, 0, '0', 'false']

/** The ways to write yes and no that a query can have, too. */
export const yesNoWords: readonly string[] = ['1', '0', 'true', 'false']

export function takeYesNo(_field: YesNoField, input: unknown, place: Place): boolean | undefined {
  return yesOrNo(input) ?? place.fault(`must be 1 or 0, or true or false, not ${shown(input)}`, yesNoWords)
}

export function yesOrNo(input: unknown): boolean | undefined {
  if (yes.includes(input)) return true
  return no.includes(input) ? false : undefined
}
