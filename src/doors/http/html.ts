import { escapedHtml } from '../../fields/text.ts'

/** Text that is HTML already. Only the `html` tag makes it, so whatever else is put into a page is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Content = Html | string | number | null | readonly Html[]

/** Escapes every value that is not itself Html, for element content and quoted attributes alike. */
export function html(fixed: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(fixed.map((text, at) => text + (at < values.length ? asHtml(values[at] ?? null) : '')).join(''))
}

function asHtml(value: Content): string {
  if (value === null) return ''
  if (value instanceof Html) return value.text
  return typeof value === 'object' ? value.map(({ text }) => text).join('') : escapedHtml(String(value))
}

type Value = Html | string | number

/** Words as markup: placeholders are filled, and what stands in brackets becomes a link, to one address after the other. */
export function worded(
  words: string,
  {
    values = {},
    links = [],
  }: { readonly values?: Readonly<Record<string, Value>>; readonly links?: readonly string[] },
): Html {
  const addresses = [...links]
  const parts = words.split(/(\{\w+\}|\[[^\]]*\])/).map((part) => {
    if (part.startsWith('[')) return html`<a href="${addresses.shift() ?? ''}">${part.slice(1, -1)}</a>`
    const value = part.startsWith('{') ? values[part.slice(1, -1)] : undefined
    return value === undefined ? html`${part}` : html`${value}`
  })
  return new Html(parts.map(({ text }) => text).join(''))
}
