import fc from 'fast-check'

/** A choice among `ways` ways; a style is the row of choices that one document is spelled by. */
export type Style = (ways: number) => number

export const styles: fc.Arbitrary<Style> = fc.integer({ min: 1, max: 2 ** 31 - 2 }).map((seed) => {
  let state = seed
  return (ways) => {
    state = (state * 48_271) % 2_147_483_647
    return state % ways
  }
})

/** One of the many ways to write a tree in XML: attributes or elements, sections, references, comments, white space. */
export function spelledXml(root: string, tree: Readonly<Record<string, unknown>>, style: Style): string {
  const declaration = ['', '<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-8"?>\n', '\ufeff'][style(4)]
  return `${declaration}<${root}>${members(Object.entries(tree), style)}</${root}>`
}

function element(name: string, value: unknown, style: Style): string {
  if (value === null) return `<${name} nil="true"/>`
  if (Array.isArray(value)) return list(name, value, style)
  if (typeof value !== 'object') return leaf(name, String(value), style)
  const entries = Object.entries(value as object)
  const inTag = entries.filter(([key, member]) => mayBeAttribute(key, member) && style(2) === 0)
  const attributes = inTag.map(([key, member]) => ` ${key}=${attribute(String(member), style)}`).join('')
  const rest = entries.filter((entry) => !inTag.includes(entry))
  return rest.length === 0 ? `<${name}${attributes}/>` : `<${name}${attributes}>${members(rest, style)}</${name}>`
}

const mayBeAttribute = (key: string, value: unknown): boolean =>
  (key === 'id' || key === 'name' || key === 'resource') && value !== null && typeof value !== 'object'

function list(name: string, items: readonly unknown[], style: Style): string {
  const [only] = items
  if (items.length === 0) return style(2) === 0 ? `<${name}/>` : `<${name} nil="true"/>`
  if (items.length === 1 && only !== null && style(3) === 0) return element(name, only, style)
  return `<${name}>${items.map((item) => between(style) + element('item', item, style)).join('')}${between(style)}</${name}>`
}

const members = (entries: readonly (readonly [string, unknown])[], style: Style): string =>
  entries
    .map(([key, value]) => {
      const spelled = element(key, value, style)
      return between(style) + (style(12) === 0 ? spelled.replace(...asEntry(key)) : spelled)
    })
    .join('') + between(style)

/** `<entry key="name">` says the same as `<name>`. */
const asEntry = (key: string): [RegExp, (whole: string) => string] => [
  new RegExp(`^<${key}(?=[ />])|</${key}>$`, 'g'),
  (tag) => (tag.startsWith('</') ? '</entry>' : `<entry key="${key}"`),
]

const between = (style: Style): string =>
  ['', '', '', '\n  ', '<!-- a remark, with <markup> -->', '\r\n\t'][style(6)] ?? ''

const leaf = (name: string, value: string, style: Style): string =>
  value === '' && style(2) === 0 ? `<${name}/>` : `<${name}>${text(value, style)}</${name}>`

function text(value: string, style: Style): string {
  const way = style(4)
  if (way === 0 && !value.includes('\r')) return `<![CDATA[${value.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
  return [...value].map((character) => spelledCharacter(character, way === 1 && style(3) === 0)).join('')
}

function spelledCharacter(character: string, isByNumber: boolean): string {
  const named = { '<': '&lt;', '&': '&amp;', '>': '&gt;', '\r': '&#xD;' }[character]
  return named ?? (isByNumber ? `&#${character.codePointAt(0)};` : character)
}

function attribute(value: string, style: Style): string {
  const quote = style(2) === 0 ? '"' : "'"
  const safe = value.replace(/[<&\t\n\r"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return `${quote}${safe}${quote}`
}
