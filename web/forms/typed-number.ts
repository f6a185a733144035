const most = 30
const written = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/

/** What was typed as a number, as the farm writes it: to the digit, with a point. Null where it is none. */
export function decimalIn(typed: string): string | null {
  const text = typed
    .trim()
    .replace(',', '.')
    .replace(/^−/, '-')
    .replace(/(?<=\d)\.$/, '')
  return written.test(text) && text.replace(/\D/g, '').length <= most ? text.replace('+', '') : null
}

/** The same of a number without decimals. */
export function wholeIn(typed: string): string | null {
  const text = decimalIn(typed)
  return text === null || text.includes('.') ? null : text
}

/** One more or one less, exactly; from nothing it goes on from 0. */
export function stepped(typed: string, by: 1 | -1): string {
  const text = decimalIn(typed) ?? '0'
  const places = text.split('.')[1]?.length ?? 0
  const units = BigInt(text.replace('.', '')) + BigInt(by) * 10n ** BigInt(places)
  return inUnitsOf(places, units)
}

function inUnitsOf(places: number, units: bigint): string {
  const sign = units < 0n ? '-' : ''
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

export type PadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '.' | 'back'

/** What stands there after a key of the pad. */
export function afterKey(text: string, key: PadKey): string {
  if (key === 'back') return text.slice(0, -1)
  if (key === '.') return text.includes('.') ? text : `${text || '0'}.`
  if (text.replace(/\D/g, '').length >= most) return text
  return text === '0' ? key : text + key
}
