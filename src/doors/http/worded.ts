import { Html, html } from './html.ts'

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
