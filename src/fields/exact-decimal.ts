export const mostDecimalDigits = 30

/** Also valid in JSON Schema. It does not check the number of digits. */
export const decimalPattern = '^[+-]?[0-9]*(\\.[0-9]+)?$'
const decimal = new RegExp(decimalPattern)

/**
 * The text itself if it is a decimal, else nothing. `.5`, `+1`, `007` and `-0` are decimals; `5.`, `1e9`, `0x10`,
 * white space and other scripts' digits are not. Every written digit counts, also a leading zero.
 */
export function readDecimal(text: string): string | undefined {
  if (text.length > mostDecimalDigits + 2 || !decimal.test(text)) return undefined
  const digits = text.replace(/[^\d]/g, '').length
  return digits >= 1 && digits <= mostDecimalDigits ? text : undefined
}

/**
 * A number in plain notation, without an exponent. Beyond 2^53 a number no longer tells which digits the sender wrote,
 * so it is not a decimal; what was sent arrives as text.
 */
export function decimalOfNumber(value: number): string | undefined {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return undefined
  return readDecimal(withoutExponent(String(value)))
}

/** Exact, with as many decimal places as the longest fraction among the values: 1.10 and 0.9 make 2.00. */
export function sumDecimals(values: Iterable<string>): string {
  let scale = 0
  let units = 0n
  for (const value of values) {
    const finer = scaleOf(value) - scale
    if (finer > 0) {
      units *= 10n ** BigInt(finer)
      scale += finer
    }
    units += inUnits(value, scale)
  }
  return fromUnits(units, scale)
}

interface DecimalDigits {
  readonly negative: boolean
  /** Without leading zeros: empty below one. */
  readonly whole: string
  /** Without trailing zeros: empty for a whole number. */
  readonly fraction: string
}

/** A normal form of a decimal; zero has no digits. */
export function significantDigits(value: string): DecimalDigits {
  const [integer = '', decimals = ''] = unsigned(value).split('.')
  const whole = integer.replace(/^0+/, '')
  const fraction = decimals.slice(0, lastNonZero(decimals) + 1)
  return { negative: value.startsWith('-'), whole, fraction }
}

function lastNonZero(digits: string): number {
  let at = digits.length - 1
  while (at >= 0 && digits[at] === '0') at--
  return at
}

function unsigned(value: string): string {
  return value.startsWith('-') || value.startsWith('+') ? value.slice(1) : value
}

/** The number of decimals as written. */
export function scaleOf(value: string): number {
  const point = value.indexOf('.')
  return point === -1 ? 0 : value.length - point - 1
}

/** The value as an integer of units, 10^scale of them in one. */
export function inUnits(value: string, scale: number): bigint {
  const magnitude = BigInt(unsigned(value).replace('.', '') + '0'.repeat(scale - scaleOf(value)))
  return value.startsWith('-') ? -magnitude : magnitude
}

/** The decimal that so many units are. */
export function fromUnits(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  if (scale === 0) return sign + digits
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** A JSON number in plain notation, digit by digit; as it was written, if the exponent is beyond all decimals. */
export function withoutExponent(written: string): string {
  const [mantissa = '', exponent] = written.toLowerCase().split('e')
  if (exponent === undefined || Math.abs(Number(exponent)) > mostDecimalDigits) return written
  const [whole = '', decimals = ''] = unsigned(mantissa).split('.')
  const point = whole.length + Number(exponent)
  const digits = (whole + decimals).padEnd(point, '0')
  const integer = digits.slice(0, Math.max(point, 0)).replace(/^0+(?=\d)/, '')
  const fraction = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point)
  return (mantissa.startsWith('-') ? '-' : '') + (integer || '0') + (fraction && `.${fraction}`)
}
