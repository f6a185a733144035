import { withoutExponent } from '../../fields/exact-decimal.ts'

/** The number, if it tells what was written; else the text without its exponent, so that later stages keep every digit. */
export function numberOrItsText(literal: string): number | string {
  const number = Number(literal)
  // Beyond 2^53 a number is its neighbours', too, even where it happens to be the one that was written.
  const tells = Math.abs(number) <= Number.MAX_SAFE_INTEGER && isWrittenAs(literal, number)
  return tells ? number : withoutExponent(literal)
}

const isWrittenAs = (literal: string, number: number): boolean =>
  String(number) === literal || (/[eE]/.test(literal) && scientific(literal) === scientific(String(number)))

/** One spelling for equal decimals: sign, significant digits, power of ten. */
function scientific(decimal: string): string {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return mantissa.startsWith('-') ? '-0' : '0'
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${power}`
}
