import { nameOfCharacter, uncarriable } from '../../fields/text.ts'
import { Refusal } from '../../refusal.ts'
import { mapLimits, tooDeep } from '../map/feature.ts'

const quote = 0x22
const backslash = 0x5c

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

type Bracket = '{' | '['

/** A streaming scanner for JSON (RFC 8259), which never builds a whole tree. */
export class JsonScanner {
  readonly #bytes: Buffer
  readonly #open: Bracket[] = []
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.#at = 3
  }

  /** The first character of the next value; empty at the end. */
  peek(): string {
    this.#skipSpace()
    return this.#at < this.#bytes.length ? String.fromCharCode(this.#bytes[this.#at] ?? 0) : ''
  }

  /** Enters an object or a list; false if it is empty. */
  enters(bracket: Bracket): boolean {
    this.#require(bracket)
    if (this.#open.push(bracket) > mapLimits.depth) throw tooDeep()
    return !this.#closes()
  }

  /** After an item: true if another follows. */
  goesOn(): boolean {
    if (this.#closes()) return false
    this.#require(',')
    return true
  }

  key(): string {
    if (this.peek() !== '"') throw this.unexpected()
    const key = this.text()
    this.#require(':')
    return key
  }

  text(): string {
    this.#require('"')
    const start = this.#at
    const end = this.#closingQuote(start)
    this.#at = end + 1
    const plain = this.#bytes.toString('utf8', start, end)
    const text = plain.includes('\\') ? this.#unescaped(plain) : plain
    const found = uncarriable.exec(text)
    if (found) throw this.fault(`the character ${nameOfCharacter(found[0])} cannot be recorded`)
    return text
  }

  /** A number as written. */
  number(): string {
    this.#skipSpace()
    const start = this.#at
    const bytes = this.#bytes
    while (this.#at < bytes.length && isNumberByte(bytes[this.#at] ?? 0)) this.#at++
    const token = bytes.toString('latin1', start, this.#at)
    if (numberPattern.test(token)) return token
    this.#at = start
    throw this.unexpected()
  }

  /** The text of a scalar; empty for null. */
  scalar(): string {
    switch (this.peek()) {
      case '"':
        return this.text()
      case 't':
        return this.#word('true', 'true')
      case 'f':
        return this.#word('false', 'false')
      case 'n':
        return this.#word('null', '')
      default:
        return this.number()
    }
  }

  skip(): void {
    const bracket = this.peek()
    if (bracket !== '{' && bracket !== '[') {
      this.scalar()
      return
    }
    for (let more = this.enters(bracket); more; more = this.goesOn()) {
      if (bracket === '{') this.key()
      this.skip()
    }
  }

  requireEnd(): void {
    if (this.peek() !== '') throw this.unexpected()
  }

  unexpected(): Refusal {
    if (this.peek() === '') return this.fault('it ends in the middle')
    const character = this.#bytes.toString('utf8', this.#at, this.#at + 4).codePointAt(0) ?? 0
    return this.fault(`"${String.fromCodePoint(character)}" was not expected here`)
  }

  fault(message: string): Refusal {
    return new Refusal('unreadable-body', `The GeoJSON is broken at byte ${this.#at}: ${message}.`)
  }

  #closes(): boolean {
    if (this.peek() !== (this.#open.at(-1) === '{' ? '}' : ']')) return false
    this.#at++
    this.#open.pop()
    return true
  }

  #require(symbol: string): void {
    if (this.peek() !== symbol) throw this.unexpected()
    this.#at++
  }

  #word(word: string, meaning: string): string {
    if (this.#bytes.toString('latin1', this.#at, this.#at + word.length) !== word) throw this.unexpected()
    this.#at += word.length
    return meaning
  }

  #closingQuote(start: number): number {
    let end = this.#bytes.indexOf(quote, start)
    while (end > 0 && this.#isEscaped(end, start)) end = this.#bytes.indexOf(quote, end + 1)
    if (end < 0) throw this.fault('a string does not end')
    return end
  }

  #isEscaped(end: number, start: number): boolean {
    let first = end
    while (first > start && this.#bytes[first - 1] === backslash) first--
    return (end - first) % 2 === 1
  }

  #unescaped(plain: string): string {
    try {
      return JSON.parse(`"${plain}"`)
    } catch {
      throw this.fault('a string holds an escape that JSON does not know')
    }
  }

  #skipSpace(): void {
    const bytes = this.#bytes
    let at = this.#at
    for (; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break
    }
    this.#at = at
  }
}

const isNumberByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45
