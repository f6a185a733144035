/** A place in a request that is filled with what another was answered with: `{{land.body@$.data.id}}`. */
export interface Token {
  /** As it stands in the request. */
  readonly text: string
  readonly id: string
  readonly of: 'body' | 'headers'
  readonly path: string
}

/** Where a token may stand. */
export type Location = 'uri' | 'body'

const forms: Readonly<Record<Location, RegExp>> = {
  uri: /(?:\{|%7B){2}(.+?)(?:\}|%7D){2}/gi,
  body: /\{\{(.+?)\}\}/g,
}

/** The different tokens of a text. Ids may have dots, so that the last `.body@` or `.headers@` counts. */
export function tokensIn(location: Location, text: string): readonly Token[] {
  const found = new Map<string, Token>()
  for (const [whole, inside = ''] of text.matchAll(forms[location])) {
    const [, id, of, path] = /^(.*)\.(body|headers)@(.*)$/s.exec(plain(location, inside)) ?? []
    if (id === undefined || path === undefined) continue
    found.set(whole, { text: whole, id, of: of === 'headers' ? 'headers' : 'body', path })
  }
  return [...found.values()]
}

/** In a body, which is JSON, what JSON escapes is meant as it is read; in an address, what is percent-encoded. */
function plain(location: Location, inside: string): string {
  try {
    return location === 'uri' ? decodeURIComponent(inside) : String(JSON.parse(`"${inside}"`))
  } catch {
    return inside
  }
}

/** A token and the one value that takes its place. */
export interface Filling {
  readonly token: Token
  readonly value: unknown
}

/** What a text becomes when its tokens are filled; undefined where it would be longer than that. */
export function filled(
  location: Location,
  text: string,
  { fillings, longest }: { readonly fillings: readonly Filling[]; readonly longest: number },
): string | undefined {
  const spell = location === 'uri' ? inAddress(text) : inJson
  const written = new Map(fillings.map((filling) => [filling.token.text, spell(filling)]))
  let length = text.length
  for (const [whole] of text.matchAll(forms[location])) length += (written.get(whole) ?? whole).length - whole.length
  return length > longest ? undefined : text.replace(forms[location], (whole) => written.get(whole) ?? whole)
}

/** Inside the quotes of a text; what is no text is JSON by itself. */
const inJson = ({ value }: Filling): string =>
  typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value)

/** What begins an address is one itself; what stands in it is a value. */
const inAddress =
  (uri: string) =>
  ({ token, value }: Filling): string => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return uri.startsWith(token.text) ? text : encodeURIComponent(text)
  }
