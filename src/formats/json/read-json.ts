import { isAscii, isUtf8 } from 'node:buffer'
import { inMebibytes } from '../../fields/byte-size.ts'
import { withoutExponent } from '../../fields/exact-decimal.ts'
import { nameOfCharacter, uncarriable } from '../../fields/text.ts'
import { limits } from '../../limits.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const SPACE = 0x20
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const ZERO = 0x30
const NINE = 0x39

/**
 * A strict JSON parser (RFC 8259): limits depth and keys, refuses duplicate keys, makes objects without a prototype's
 * names, and keeps numbers as text that a double cannot hold exactly.
 */
export function strictJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Refusal('unreadable-body', 'The body is not UTF-8.')
  return new JsonReader(bytes).document()
}

/** An object without inherited names. Object.create(null) would make a hash table, which is slower. */
class Bare {}
Object.setPrototypeOf(Bare.prototype, null)
Reflect.deleteProperty(Bare.prototype, 'constructor')
Object.freeze(Bare.prototype)

class JsonReader {
  readonly #bytes: Buffer
  readonly #ascii: boolean
  readonly #holdsNoncharacters: boolean
  readonly #path: (string | number)[] = []
  #at = 0
  #keys = 0
  #fileBytes = 0
  #nextBackslash: number

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#ascii = isAscii(bytes)
    this.#holdsNoncharacters = !this.#ascii && (bytes.includes('\ufffe') || bytes.includes('\uffff'))
    this.#nextBackslash = bytes.indexOf(BACKSLASH)
  }

  document(): unknown {
    const startsWithMark = this.#bytes[0] === 0xef && this.#bytes[1] === 0xbb && this.#bytes[2] === 0xbf
    if (startsWithMark) this.#at = 3
    this.#skipSpace()
    if (this.#at === this.#bytes.length) throw new Refusal('unreadable-body', 'The body is empty.')
    const value = this.#value()
    this.#skipSpace()
    if (this.#at < this.#bytes.length) throw this.#unexpected()
    this.#requirePlainPartFits()
    return value
  }

  #value(): unknown {
    switch (this.#bytes[this.#at]) {
      case QUOTE:
        return this.#string()
      case OPENING_BRACE:
        return this.#object()
      case OPENING_BRACKET:
        return this.#list()
      case 0x74:
        return this.#word('true', true)
      case 0x66:
        return this.#word('false', false)
      case 0x6e:
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(): Record<string, unknown> {
    const object = new Bare() as Record<string, unknown>
    this.#enter()
    if (this.#closes(CLOSING_BRACE)) return object
    for (;;) {
      if (this.#bytes[this.#at] !== QUOTE) throw this.#unexpected()
      const key = this.#string()
      if (++this.#keys > limits.keys) {
        throw new Refusal('too-large', `A body may hold ${limits.keys} keys, this one holds more.`)
      }
      this.#path.push(key)
      if (key in object) throw this.#fault(`"${key}" is given twice.`)
      this.#skipSpace()
      this.#require(COLON)
      this.#skipSpace()
      object[key] = this.#value()
      const closes = this.#closesAfterItem(CLOSING_BRACE)
      this.#path.pop()
      if (closes) return object
    }
  }

  #list(): unknown[] {
    const list: unknown[] = []
    this.#enter()
    if (this.#closes(CLOSING_BRACKET)) return list
    for (;;) {
      this.#path.push(list.length)
      list.push(this.#value())
      const closes = this.#closesAfterItem(CLOSING_BRACKET)
      this.#path.pop()
      if (closes) return list
    }
  }

  #enter(): void {
    // Every open object or list is in the path, so the path's length is the depth.
    if (this.#path.length >= limits.depth) {
      throw new Refusal('too-large', `A body may be nested ${limits.depth} levels deep, this one is deeper.`)
    }
    this.#at++
    this.#skipSpace()
  }

  #closes(bracket: number): boolean {
    if (this.#bytes[this.#at] !== bracket) return false
    this.#at++
    return true
  }

  #closesAfterItem(bracket: number): boolean {
    this.#requirePlainPartFits()
    this.#skipSpace()
    if (this.#closes(bracket)) return true
    this.#require(COMMA)
    this.#skipSpace()
    return false
  }

  #string(): string {
    const start = this.#at + 1
    const end = this.#closingQuote(start)
    this.#at = end + 1
    if (this.#bytes[start] === 0x64 && this.#bytes.toString('latin1', start, start + 5) === 'data:')
      this.#fileBytes += end - start
    const text = this.#passesBackslash(start, end) ? this.#unescaped(start, end) : this.#slice(start, end)
    if (this.#holdsNoncharacters) this.#requireCarriable(text)
    return text
  }

  #closingQuote(start: number): number {
    let quote = this.#bytes.indexOf(QUOTE, start)
    while (quote > 0 && this.#isEscaped(quote, start)) quote = this.#bytes.indexOf(QUOTE, quote + 1)
    if (quote < 0) throw this.#fault('A string does not end.')
    this.#requireNoRawControl(start, quote)
    return quote
  }

  #isEscaped(quote: number, start: number): boolean {
    let first = quote
    while (first > start && this.#bytes[first - 1] === BACKSLASH) first--
    return (quote - first) % 2 === 1
  }

  #requireNoRawControl(start: number, end: number): void {
    const bytes = this.#bytes
    for (let i = start; i < end; i++) {
      // The index is within bounds by construction.
      if ((bytes[i] as number) < SPACE) {
        throw this.#fault(`${nameOfCharacter(String.fromCharCode(bytes[i] as number))} stands unescaped in a string.`)
      }
    }
  }

  #passesBackslash(start: number, end: number): boolean {
    if (this.#nextBackslash >= 0 && this.#nextBackslash < start)
      this.#nextBackslash = this.#bytes.indexOf(BACKSLASH, start)
    return this.#nextBackslash >= 0 && this.#nextBackslash < end
  }

  #unescaped(start: number, end: number): string {
    const text = this.#parsed(this.#slice(start - 1, end + 1))
    this.#requireCarriable(text)
    return text
  }

  #parsed(literal: string): string {
    try {
      return JSON.parse(literal)
    } catch {
      throw this.#fault('A string holds an escape that JSON does not know.')
    }
  }

  #requireCarriable(text: string): void {
    const found = uncarriable.exec(text)
    if (found) throw this.#fault(`The character ${nameOfCharacter(found[0])} cannot be recorded.`)
  }

  #slice(start: number, end: number): string {
    return this.#ascii ? this.#bytes.toString('latin1', start, end) : this.#bytes.toString('utf8', start, end)
  }

  #number(): number | string {
    const start = this.#at
    const small = this.#smallWholeNumber()
    if (small !== null) return small
    this.#at = start
    while (isNumberByte(this.#bytes[this.#at])) this.#at++
    const literal = this.#bytes.toString('latin1', start, this.#at)
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(literal)) return numberOrItsText(literal)
    this.#at = start
    throw this.#unexpected()
  }

  /** Fast path for ids and timestamps: fifteen digits fit a double. */
  #smallWholeNumber(): number | null {
    const start = this.#at
    let number = 0
    for (;;) {
      const byte = this.#bytes[this.#at]
      if (byte === undefined || byte < ZERO || byte > NINE) break
      number = number * 10 + byte - ZERO
      this.#at++
    }
    const digits = this.#at - start
    const isPlain = digits === 1 || (digits > 0 && digits <= 15 && this.#bytes[start] !== ZERO)
    return isPlain && !isNumberByte(this.#bytes[this.#at]) ? number : null
  }

  #word<T>(word: string, meaning: T): T {
    if (this.#bytes.toString('latin1', this.#at, this.#at + word.length) !== word) throw this.#unexpected()
    this.#at += word.length
    return meaning
  }

  #require(byte: number): void {
    if (this.#bytes[this.#at] !== byte) throw this.#unexpected()
    this.#at++
  }

  #skipSpace(): void {
    for (;;) {
      const byte = this.#bytes[this.#at]
      if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return
      this.#at++
    }
  }

  #requirePlainPartFits(): void {
    if (this.#at - this.#fileBytes > limits.plainBytes) throw plainPartTooLarge(limits.plainBytes)
  }

  #unexpected(): Refusal {
    if (this.#at >= this.#bytes.length) return this.#fault('The body ends in the middle of a value.')
    const character = this.#bytes.toString('utf8', this.#at, this.#at + 4).codePointAt(0) ?? 0
    const shown =
      character < SPACE ? nameOfCharacter(String.fromCodePoint(character)) : `"${String.fromCodePoint(character)}"`
    return this.#fault(`${shown} was not expected here.`)
  }

  #fault(message: string): Refusal {
    const fault: RefusalFault = { field: this.#path.join('.'), message }
    return new Refusal('unreadable-body', `The JSON is broken at byte ${this.#at}: ${message}`, { faults: [fault] })
  }
}

function isNumberByte(byte: number | undefined): boolean {
  if (byte === undefined) return false
  return (
    (byte >= ZERO && byte <= NINE) || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45
  )
}

/** The number if a double holds it exactly, else its text without an exponent. */
function numberOrItsText(literal: string): number | string {
  const number = Number(literal)
  // Beyond 2^53 several integers share a double, so the text is kept even if this one is exact.
  const tells = Math.abs(number) <= Number.MAX_SAFE_INTEGER && isWrittenAs(literal, number)
  return tells ? number : withoutExponent(literal)
}

const isWrittenAs = (literal: string, number: number): boolean =>
  String(number) === literal || (/[eE]/.test(literal) && scientific(literal) === scientific(String(number)))

/** A normal form for decimals: sign, significant digits, power of ten. */
function scientific(decimal: string): string {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return mantissa.startsWith('-') ? '-0' : '0'
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${power}`
}

export const plainPartTooLarge = (most: number): Refusal =>
  new Refusal('too-large', `Without its files a body may have ${inMebibytes(most)}: send fewer records at a time.`)
