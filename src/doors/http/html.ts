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
  return typeof value === 'object' ? value.map(({ text }) => text).join('') : escaped(String(value))
}

const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => names[character] ?? '')
}
