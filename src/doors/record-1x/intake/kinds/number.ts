import { readDecimal as decimalIn, decimalOfNumber, mostDecimalDigits } from '../../../../fields/exact-decimal.ts'
import type { DecimalField, WholeField, YesNoField } from '../../../../fields/field.ts'
import { type InputPlace, shown } from '../../../../fields/place.ts'
import { wholeNumber } from '../../../http/whole-number.ts'
import { yesNoWords, yesOrNo } from '../../../http/yes-or-no.ts'

export function readWhole(_field: WholeField, input: unknown, place: InputPlace): number | undefined {
  return wholeNumber(input) ?? place.fault(`must be a whole number, not ${shown(input)}`)
}

export function readDecimal(_field: DecimalField, input: unknown, place: InputPlace): string | undefined {
  const kept =
    typeof input === 'number' ? decimalOfNumber(input) : typeof input === 'string' ? decimalIn(input) : undefined
  return kept ?? place.fault(`must be a decimal number of up to ${mostDecimalDigits} digits, not ${shown(input)}`)
}

export function readYesNo(_field: YesNoField, input: unknown, place: InputPlace): boolean | undefined {
  return yesOrNo(input) ?? place.fault(`must be 1 or 0, or true or false, not ${shown(input)}`, yesNoWords)
}
