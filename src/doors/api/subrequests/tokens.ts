import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '../../../limits.ts'

/** A placeholder for a part of an earlier answer: `{{land.body@$.data.id}}`. */
export interface Token {
  /** The text as in the request. */
  readonly text: string
  readonly id: string
  readonly of: 'body' | 'headers'
  readonly path: string
}

export type TokenLocation = 'uri' | 'body'

const tokenForms: Readonly<Record<TokenLocation, RegExp>> = {
  uri: /(?:\{|%7B){2}(.+?)(?:\}|%7D){2}/gi,
  body: /\{\{(.+?)\}\}/g,
}

/** The distinct tokens of a text. Ids may contain dots, so the last `.body@` or `.headers@` counts. */
export function tokensIn(location: TokenLocation, text: string): readonly Token[] {
  const found = new Map<string, Token>()
  for (const [whole, inside = ''] of text.matchAll(tokenForms[location])) {
    const [, id, of, path] = /^(.*)\.(body|headers)@(.*)$/s.exec(plain(location, inside)) ?? []
    if (id === undefined || path === undefined) continue
    found.set(whole, { text: whole, id, of: of === 'headers' ? 'headers' : 'body', path })
  }
  return [...found.values()]
}

/** Unescapes JSON in a body, and percent-encoding in an address. */
function plain(location: TokenLocation, inside: string): string {
  try {
    return location === 'uri' ? decodeURIComponent(inside) : String(JSON.parse(`"${inside}"`))
  } catch {
    return inside
  }
}

/** A token and its value. */
export interface TokenValue {
  readonly token: Token
  readonly value: unknown
}

/** The text with its tokens filled; undefined if it exceeds a length. */
export function filled(
  location: TokenLocation,
  text: string,
  { fillings, longest }: { readonly fillings: readonly TokenValue[]; readonly longest: number },
): string | undefined {
  const spell = location === 'uri' ? inAddress(text) : inJson
  const written = new Map(fillings.map((filling) => [filling.token.text, spell(filling)]))
  let length = text.length
  for (const [whole] of text.matchAll(tokenForms[location]))
    length += (written.get(whole) ?? whole).length - whole.length
  return length > longest ? undefined : text.replace(tokenForms[location], (whole) => written.get(whole) ?? whole)
}

/** Inside the quotes of a JSON string; other values are JSON themselves. */
const inJson = ({ value }: TokenValue): string =>
  typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value)

/** A token at the start is an address; elsewhere it is an encoded value. */
const inAddress =
  (uri: string) =>
  ({ token, value }: TokenValue): string => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return uri.startsWith(token.text) ? text : encodeURIComponent(text)
  }

export interface PartAnswer {
  /** The id of the part, and that of the copy. */
  readonly id: string
  readonly contentId: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Headers of a part that the answer shows. */
const shownHeaders = [
  'content-type',
  'location',
  'allow',
  'etag',
  'retry-after',
  'www-authenticate',
  'x-request-id',
  'change-set',
  'dry-run',
  'idempotent-replayed',
] as const

/** The answers of all parts in order, for tokens of later ones. */
export class PartAnswers {
  readonly #all: PartAnswer[] = []
  readonly #trees = new Map<PartAnswer, unknown>()
  #bytes = 0

  get count(): number {
    return this.#all.length
  }

  /** Bytes left for further answers. */
  get room(): number {
    return limits.subanswerBytes - this.#bytes
  }

  add(answer: PartAnswer): void {
    this.#all.push(answer)
    this.#bytes += answer.body.length
  }

  /** The values of a token, from each copy of the part it names. */
  valuesOf({ id, of, path }: Token): readonly unknown[] {
    const most = limits.subrequests + 1
    return this.#all
      .filter((answer) => answer.id === id || answer.contentId === id)
      .flatMap((answer) => findByJsonPath(path, of === 'headers' ? headersOf(answer) : this.#treeOf(answer), most))
      .slice(0, most)
  }

  /** An object by content id, in order of answering. */
  spelled(): string {
    const members = this.#all.map((answer) => {
      const spelled = { headers: headersOf(answer), body: answer.body }
      return `${JSON.stringify(answer.contentId)}:${JSON.stringify(spelled)}`
    })
    return `{${members.join(',')}}`
  }

  #treeOf(answer: PartAnswer): unknown {
    if (!this.#trees.has(answer)) this.#trees.set(answer, treeOf(answer.body))
    return this.#trees.get(answer)
  }
}

function treeOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const headersOf = ({ status, headers, contentId }: PartAnswer): Record<string, readonly unknown[]> => ({
  status: [status],
  ...Object.fromEntries(shownHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, [headers[name]]]]))),
  'content-id': [`<${contentId}>`],
})

/** A name, a position, or all members. */
type JsonPathStep = string | number | typeof everyMember

const everyMember = Symbol('all')

const jsonPathForm = /^\$(?:\.[^.[\]\s]+|\[\d{1,9}\]|\[\*\]|\['[^']*'\])*$/
const jsonPathStep = /\.([^.[\]\s]+)|\[(\d+)\]|\[\*\]|\['([^']*)'\]/g

/** The values of a JSONPath, up to a limit; none if it uses more than `$`, `.name`, `[n]` and `[*]`. */
export function findByJsonPath(path: string, tree: unknown, most: number): readonly unknown[] {
  if (!jsonPathForm.test(path)) return []
  const steps = [...path.matchAll(jsonPathStep)].map(([, name, position, quoted]): JsonPathStep => {
    if (position !== undefined) return Number(position)
    const word = name ?? quoted
    return word === undefined || word === '*' ? everyMember : word
  })
  let found: readonly unknown[] = [tree]
  for (const one of steps) found = found.flatMap((value) => under(value, one)).slice(0, most)
  return found.filter((value) => value !== null && value !== undefined)
}

function under(value: unknown, one: JsonPathStep): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (one === everyMember) return Object.values(value)
  if (typeof one === 'number') return Array.isArray(value) && one in value ? [value[one]] : []
  return !Array.isArray(value) && Object.hasOwn(value, one) ? [(value as Record<string, unknown>)[one]] : []
}
