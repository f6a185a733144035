import type { Page } from 'playwright-core'
import { openBrowser } from '../harness/browser.ts'

/** What a browser's own parser finds in an XML answer, by the rules of docs/xml.md: an independent reading of what we write. */
export interface XmlReader {
  read(documents: readonly string[]): Promise<readonly XmlReading[]>
}

export interface XmlReading {
  readonly root: string
  readonly tree: unknown
  /** Where the browser says that it is no XML. */
  readonly broken?: string
}

export async function openXmlReader(): Promise<XmlReader> {
  const browser = await openBrowser()
  const page: Page = await browser.newPage()
  return { read: (documents) => page.evaluate(readAll, [...documents]) }
}

interface XmlElement {
  readonly tagName: string
  readonly textContent: string
  readonly children: ArrayLike<XmlElement>
  readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>
  getAttribute(name: string): string | null
}

declare const DOMParser: new () => {
  parseFromString(
    text: string,
    type: string,
  ): { readonly documentElement: XmlElement; getElementsByTagName(name: string): ArrayLike<XmlElement> }
}

/** Runs inside the browser, so everything it needs stands inside it. */
function readAll(documents: string[]): XmlReading[] {
  const members = (element: XmlElement): Record<string, unknown> =>
    Object.fromEntries(
      Array.from(element.children, (child) => [
        child.tagName === 'entry' ? child.getAttribute('key') : child.tagName,
        valueIn(child),
      ]),
    )
  const valueIn = (element: XmlElement): unknown => {
    const children = Array.from(element.children)
    const attributes = Array.from(element.attributes, ({ name, value }) => [name, value] as const)
    if (element.getAttribute('nil') === 'true') return null
    if (element.tagName === 'link' && attributes.length > 0) return Object.fromEntries(attributes)
    if (children.length > 0 && children.every((child) => child.tagName === 'item')) return children.map(valueIn)
    if (children.length > 0 && children.every((child) => child.tagName === 'i')) return children.map(valueIn)
    if (children.length > 0) return members(element)
    const named = attributes.filter(([name]) => name !== 'key' && name !== 'xmlns')
    return named.length === 0 ? element.textContent : { ...Object.fromEntries(named), uri: element.textContent }
  }
  const listOf = (element: XmlElement): unknown =>
    Array.from(element.children, (child) => [child.tagName, valueIn(child)])
  return documents.map((text) => {
    const document = new DOMParser().parseFromString(text, 'application/xml')
    const [error] = Array.from(document.getElementsByTagName('parsererror'))
    const root = document.documentElement
    if (error) return { root: '', tree: null, broken: error.textContent }
    return { root: root.tagName, tree: root.tagName === 'list' ? listOf(root) : valueIn(root) }
  })
}

/** What XML can say of a JSON tree: scalars are text, and empty lists, objects and texts are all just empty. */
export function asXmlSays(tree: unknown): unknown {
  if (tree === null) return null
  if (Array.isArray(tree)) return tree.length === 0 ? '' : tree.map(asXmlSays)
  if (typeof tree !== 'object') return String(tree)
  const members = Object.entries(tree).map(([key, value]) => [key, asXmlSays(value)])
  return members.length === 0 ? '' : Object.fromEntries(members)
}
