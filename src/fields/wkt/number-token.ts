// Each digit can match in one place only, so that a megabyte of them takes linear time.
const withExponent = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+$/

const plus = 43
const minus = 45
const point = 46
const zero = 48
const nine = 57

/**
 * An upper estimate of a number's distance from zero, undefined if it is none: the whole part, plus a half if a
 * fraction follows. Enough to compare with a whole bound, and faster than a conversion.
 */
export function boundingSize(token: string): number | undefined {
  const start = isSign(token.charCodeAt(0)) ? 1 : 0
  const wholeEnd = digitsEnd(token, start)
  const hasPoint = wholeEnd < token.length && token.charCodeAt(wholeEnd) === point
  const end = hasPoint ? digitsEnd(token, wholeEnd + 1) : wholeEnd
  const digits = end - start - (hasPoint ? 1 : 0)
  if (end < token.length || digits === 0) return withExponent.test(token) ? Math.abs(Number(token)) : undefined

  let size = 0
  for (let at = start; at < wholeEnd; at++) size = size * 10 + token.charCodeAt(at) - zero
  for (let at = wholeEnd + 1; at < end; at++) if (token.charCodeAt(at) !== zero) return size + 0.5
  return size
}

// Reading past the end gives NaN, which the engine's fast path for characters does not know: hence the bound.
function digitsEnd(token: string, start: number): number {
  let at = start
  while (at < token.length && isDigit(token.charCodeAt(at))) at++
  return at
}

function isSign(code: number): boolean {
  return code === plus || code === minus
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine
}

const asJson = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** The same number as JSON writes it, with all its digits. */
export function jsonNumber(token: string): string {
  if (asJson.test(token)) return token
  const [, sign, whole = '', fraction = '', exponent = ''] = /^([+-]?)(\d*)(?:\.(\d*))?([eE].*)?$/.exec(token) ?? []
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return `${sign === '-' ? '-' : ''}${digits}${fraction === '' ? '' : `.${fraction}`}${exponent}`
}
