const most = 30
const written = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/

/** Decimal as typed, all digits, with a point; null if it is not a number. */
export function decimalIn(typed: string): string | null {
  const text = typed
    .trim()
    .replace(',', '.')
    .replace(/^−/, '-')
    .replace(/(?<=\d)\.$/, '')
  return written.test(text) && text.replace(/\D/g, '').length <= most ? text.replace('+', '') : null
}

/** Like `decimalIn`, for whole numbers. */
export function wholeIn(typed: string): string | null {
  const text = decimalIn(typed)
  return text === null || text.includes('.') ? null : text
}

/** Adds or subtracts one exactly; empty counts as 0. */
export function stepped(typed: string, by: 1 | -1): string {
  const text = decimalIn(typed) ?? '0'
  const places = text.split('.')[1]?.length ?? 0
  const units = BigInt(text.replace('.', '')) + BigInt(by) * 10n ** BigInt(places)
  return inUnitsOf(places, units)
}

/** So many times a decimal, exactly; null if it is not a number. */
export function times(typed: string, by: number): string | null {
  const text = decimalIn(typed)
  if (text === null) return null
  const places = text.split('.')[1]?.length ?? 0
  const product = inUnitsOf(places, BigInt(text.replace('.', '')) * BigInt(by))
  return places === 0 ? product : product.replace(/\.?0+$/, '')
}

function inUnitsOf(places: number, units: bigint): string {
  const sign = units < 0n ? '-' : ''
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

export type PadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '.' | 'back'

/** Text after a key of the pad. */
export function afterKey(text: string, key: PadKey): string {
  if (key === 'back') return text.slice(0, -1)
  if (key === '.') return text.includes('.') ? text : `${text || '0'}.`
  if (text.replace(/\D/g, '').length >= most) return text
  return text === '0' ? key : text + key
}
