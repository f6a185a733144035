/**
 * Storage compares text only, byte by byte in UTF-8. A key is a text whose byte order is the order of the values and
 * which is equal exactly where the values count as equal.
 */
import { significantDigits } from './exact-decimal.ts'

/**
 * NFC and lower case by Unicode's own rules, whatever the machine's language. So `K` (kelvin sign) is `k` and `Å`
 * (ångström sign) is `å`; `İ` is `i` with a dot above and equals neither `i` nor `ı`; `ı`, `ſ` and `ß` are lower case
 * already and stay what they are. Every Greek sigma is `σ`, because `ς` depends on its neighbours and a name must
 * still be found by its beginning. A text with more than thirty combining marks in a row, which no script writes,
 * is not normalised.
 */
export function textKey(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return composed(composed(text).toLowerCase().replaceAll('ς', 'σ'))
}

/** For names: outer white space does not count. */
export function trimmedTextKey(text: string): string {
  return textKey(withoutOuterWhiteSpace(text))
}

/** For decimals with at most 99 digits before the point. */
export function decimalKey(value: string): string {
  const { negative, whole, fraction } = significantDigits(value)
  if (whole + fraction === '') return '1'
  const magnitude = String(whole.length).padStart(2, '0') + whole + fraction
  // Below zero everything turns round, also that a longer fraction comes after its own beginning: `~` follows all digits.
  return negative ? `0${ninesComplement(magnitude)}~` : `2${magnitude}`
}

/** For whole numbers and Unix seconds; a fraction is a bug and throws. */
export function wholeKey(value: number): string {
  return decimalKey(BigInt(value).toString())
}

/** Text without other characters is in its normal form. */
const ascii = /^[\0-\x7f]*$/

const endlessMarks = /\p{M}{31}/u

// Marks are put in order by insertion: 64 KiB of them would hold the process for seconds.
function composed(text: string): string {
  return endlessMarks.test(text) ? text : text.normalize('NFC')
}

function ninesComplement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)))
}

const whiteSpace = /[\p{White_Space}\uFEFF]/u

// A loop, because `\s+$` takes quadratic time on a long run of spaces in the middle.
function withoutOuterWhiteSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && whiteSpace.test(text.charAt(start))) start++
  while (end > start && whiteSpace.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
