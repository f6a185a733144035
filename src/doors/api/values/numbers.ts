import { decimalOfNumber, readDecimal as decimalOfText, mostDecimalDigits } from '../../../fields/exact-decimal.ts'
import { type InputPlace, shown } from '../../../fields/place.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { yesNoWords, yesOrNo } from '../../http/yes-or-no.ts'

export function readWhole(input: unknown, place: InputPlace): number | undefined {
  return wholeNumber(input) ?? place.fault(`must be a whole number, not ${shown(input)}`)
}

export function readYesNo(input: unknown, place: InputPlace): boolean | undefined {
  return yesOrNo(input) ?? place.fault(`must be true or false, not ${shown(input)}`, yesNoWords)
}

export function readDecimal(input: unknown, place: InputPlace): string | undefined {
  const form = `a decimal number of up to ${mostDecimalDigits} digits`
  return decimalIn(input) ?? place.fault(`must be ${form}, not ${shown(input)}`)
}

function decimalIn(input: unknown): string | undefined {
  if (typeof input === 'number') return decimalOfNumber(input)
  return typeof input === 'string' ? decimalOfText(input) : undefined
}
