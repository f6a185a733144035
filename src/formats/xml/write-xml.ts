import { uncarriable } from '../../fields/text.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const relations = ['self', 'first', 'last', 'prev', 'next'] as const

/** The links of a page of records, as in the JSON envelope. */
type Links = { readonly [relation in (typeof relations)[number]]?: string }

/** The JSON tree as an XML document. */
export function xmlOfTree(root: string, tree: unknown): string {
  return declaration + (isObject(tree) ? container(root, membersOf(tree)) : elementOf(root, tree))
}

/** Text before and after the items of a page. */
export function xmlAroundItems(links: Links): { readonly before: string; readonly behind: string } {
  const shown = relations
    .filter((relation) => links[relation] !== undefined)
    .map((relation) => `<link rel="${relation}" href=${attributeOf(links[relation] ?? '')}/>`)
  return { before: `${declaration}<list>${shown.join('')}`, behind: '</list>' }
}

export const xmlOfItem = (name: string, item: unknown): string => elementOf(name, item)

function elementOf(name: string, value: unknown, attributes = ''): string {
  if (value === null) return `<${name}${attributes} nil="true"/>`
  if (Array.isArray(value)) return container(name, value.map((item) => elementOf('item', item)).join(''), attributes)
  if (!isObject(value)) return container(name, textOf(String(value)), attributes)
  if (!isReference(value)) return container(name, membersOf(value), attributes)
  const { resource, id, uri } = value
  const title = value.name === undefined ? '' : ` name=${attributeOf(value.name)}`
  return container(name, textOf(uri), `${attributes} resource=${attributeOf(resource)} id=${attributeOf(id)}${title}`)
}

const container = (name: string, content: string, attributes = '') =>
  content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`

function membersOf(object: Readonly<Record<string, unknown>>): string {
  let members = ''
  for (const key in object) {
    if (object[key] === undefined) continue
    members += isElementName(key)
      ? elementOf(key, object[key])
      : elementOf('entry', object[key], ` key=${attributeOf(key)}`)
  }
  return members
}

/** `item` and `entry` have a meaning, so a member of that name becomes an entry. */
const isElementName = (key: string) => /^[A-Za-z_][\w.-]*$/.test(key) && key !== 'item' && key !== 'entry'

type Reference = { readonly uri: string; readonly id: string; readonly resource: string; readonly name?: string }

/** Exactly the four keys of a reference: a whole record has more and is written out. */
function isReference(object: Readonly<Record<string, unknown>>): object is Reference {
  const { uri, id, resource, name } = object
  if (typeof uri !== 'string' || uri === '' || typeof id !== 'string' || typeof resource !== 'string') return false
  return Object.keys(object).length === (name === undefined ? 3 : 4) && (name === undefined || typeof name === 'string')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const meanings: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

const meaningOf = (character: string) => meanings[character] ?? character

/** Text between tags. A carriage return is escaped, because readers take it for a line end. */
export const textOf = (text: string) => carriable(text).replace(/[&<>\r]/g, meaningOf)

/** An attribute's value in double quotes. Readers turn raw tabs and line ends in it into spaces. */
export const attributeOf = (text: string) => `"${carriable(text).replace(/[&<>"\t\n\r]/g, meaningOf)}"`

const eachUncarriable = new RegExp(uncarriable, 'gu')

/** Records never contain characters that XML cannot hold, but a refusal may quote them. */
const carriable = (text: string) => (uncarriable.test(text) ? text.replace(eachUncarriable, '\ufffd') : text)
