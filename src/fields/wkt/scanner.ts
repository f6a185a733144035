const open = 40
const close = 41
const comma = 44

/** The text of a geometry and how far it has been read. */
export class WktScanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The next position, counted from 1. */
  get position(): number {
    this.#skipWhiteSpace()
    return this.#at + 1
  }

  get ended(): boolean {
    this.#skipWhiteSpace()
    return this.#at === this.#text.length
  }

  get next(): string {
    this.#skipWhiteSpace()
    return this.#text.charAt(this.#at)
  }

  /** The run of letters that comes next, in upper case; read only by `take`. */
  peekWord(): string {
    this.#skipWhiteSpace()
    let end = this.#at
    while (isLetter(this.#text.charCodeAt(end))) end++
    return this.#text.slice(this.#at, end).toUpperCase()
  }

  take(expected: string): void {
    this.#skipWhiteSpace()
    this.#at += expected.length
  }

  takeIfNext(symbol: '(' | ',' | ')'): boolean {
    if (this.next !== symbol) return false
    this.#at++
    return true
  }

  /** Everything up to a bracket, a comma or white space: what should be a number. */
  takeToken(): string {
    this.#skipWhiteSpace()
    const text = this.#text
    let end = this.#at
    while (end < text.length && !isDelimiter(text.charCodeAt(end))) end++
    const token = text.slice(this.#at, end)
    this.#at = end
    return token
  }

  /** Says what stands at the current place instead of what belongs there. */
  unexpected(wanted: string): WktError {
    if (this.ended) return new WktError(`the text ends where ${wanted} is expected`, this.position)
    const at = this.#at
    const found = this.takeToken() || this.#text.charAt(at)
    return new WktError(`${wanted} is expected, not ${quoted(found)}`, at + 1)
  }

  #skipWhiteSpace(): void {
    const text = this.#text
    let at = this.#at
    while (isWhiteSpace(text.charCodeAt(at))) at++
    this.#at = at
  }
}

export function quoted(found: string): string {
  return found.length > 24 ? `"${found.slice(0, 24)}…"` : `"${found}"`
}

function isWhiteSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

function isDelimiter(code: number): boolean {
  return code <= comma && (isWhiteSpace(code) || code === open || code === close || code === comma)
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

/** The fault of a Well-Known Text, in words for its author; `position` counts characters from 1. */
export class WktError extends Error {
  readonly position: number

  constructor(problem: string, position: number) {
    super(`${problem} (at character ${position})`)
    this.name = 'WktError'
    this.position = position
  }
}
