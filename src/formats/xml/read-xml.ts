import { randomUUID } from 'node:crypto'
import { SaxesParser } from 'saxes'
import { Refusal } from '../../refusal.ts'
import { plainPartTooLarge } from '../json/read-json.ts'

const memberAttributes = new Set(['id', 'uuid', 'name', 'resource'])

/** An element that is not closed yet. */
interface Open {
  readonly key: string
  readonly isItem: boolean
  readonly isNil: boolean
  readonly hasAttributes: boolean
  hasChildren: boolean
  /** Attributes and children by name, except children named `item`. */
  readonly members: Record<string, unknown>
  readonly items: unknown[]
  text: string
}

/**
 * The tree of an XML body, equal to that of JSON; the root's name is ignored. Saxes expands only the five entities and
 * stops at the first fault. This function also refuses all XML features that records do not need.
 */
export function treeOfXml(text: string, limits: XmlLimits): unknown {
  return new TreeBuilder(text, limits).tree()
}

class TreeBuilder {
  readonly #xml: CutXml
  readonly #limits: XmlLimits
  readonly #parser = new SaxesParser({ xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true })
  readonly #open: Open[] = []
  #elements = 0
  #attributes = 0
  #tree: unknown

  constructor(text: string, limits: XmlLimits) {
    this.#xml = cutXml(text, limits)
    this.#limits = limits
    const parser = this.#parser
    parser.on('error', (error) => {
      throw this.#unreadable(`The XML is broken at ${error.message}`)
    })
    parser.on('xmldecl', ({ version, encoding }) => this.#requireDeclaration(version, encoding))
    parser.on('attribute', () => {
      if (++this.#attributes > limits.elements) {
        throw new Refusal('too-large', `An XML body may hold ${limits.elements} attributes, this one holds more.`)
      }
    })
    parser.on('opentag', ({ name, attributes }) => this.#enter(name, attributes))
    parser.on('text', (text) => this.#add(text))
    parser.on('cdata', (text) => this.#add(text))
    parser.on('closetag', () => this.#leave())
  }

  tree(): unknown {
    this.#parser.write(this.#xml.plain).close()
    return this.#tree
  }

  #requireDeclaration(version = '1.0', encoding = 'utf-8'): void {
    if (version !== '1.0') throw this.#unreadable(`XML ${version} is not accepted, only 1.0.`)
    if (encoding.toLowerCase() !== 'utf-8')
      throw this.#unreadable(`The encoding "${encoding}" is not accepted, only UTF-8.`)
  }

  #enter(name: string, attributes: Readonly<Record<string, string>>): void {
    const limits = this.#limits
    if (++this.#elements > limits.elements) throw tooManyElements(limits)
    if (this.#open.length >= limits.depth) {
      throw new Refusal('too-large', `A body may be nested ${limits.depth} levels deep, this one is deeper.`)
    }
    if (name.includes(':')) throw this.#fault(name, 'Namespaces are not accepted.')
    const members = this.#membersIn(name, attributes)
    this.#open.push({
      key: name === 'entry' ? (attributes.key ?? name) : name,
      isItem: name === 'item',
      isNil: attributes.nil === 'true',
      hasAttributes: Object.keys(members).length > 0,
      hasChildren: false,
      members,
      items: [],
      text: '',
    })
  }

  #membersIn(name: string, attributes: Readonly<Record<string, string>>): Record<string, unknown> {
    const members: Record<string, unknown> = Object.create(null)
    for (const attribute in attributes) {
      if (memberAttributes.has(attribute)) members[attribute] = attributes[attribute]
      else if (attribute !== 'nil' && !(attribute === 'key' && name === 'entry')) {
        throw this.#fault(name, `The attribute "${attribute}" is not understood.`)
      }
    }
    return members
  }

  #add(text: string): void {
    const open = this.#open.at(-1)
    if (open) open.text += this.#xml.restored(text)
  }

  #leave(): void {
    const open = this.#open.pop()
    if (!open) return
    const value = this.#valueOf(open)
    const parent = this.#open.at(-1)
    if (!parent) {
      const isEmpty = typeof value === 'string' && value.trim() === ''
      this.#tree = isEmpty ? Object.create(null) : value
    } else if (open.isItem) {
      parent.items.push(value)
    } else {
      if (open.key in parent.members) throw this.#fault(open.key, `"${open.key}" is given twice.`)
      parent.members[open.key] = value
      parent.hasChildren = true
    }
  }

  #valueOf({ key, isItem, isNil, hasAttributes, hasChildren, members, items, text }: Open): unknown {
    const isLeaf = !hasChildren && items.length === 0
    const isBlank = text.trim() === ''
    if (isNil) {
      if (isLeaf && isBlank && !hasAttributes) return null
      throw this.#fault(key, 'An element that is nil must be empty.')
    }
    if (isLeaf && !hasAttributes) return text
    if (isItem && isLeaf && isBlank && Object.keys(members).join() === 'resource') return ''
    if (isLeaf && !isBlank) members.uri = text
    else if (!isBlank) throw this.#fault(key, 'Text and elements do not mix in one element.')
    if (items.length === 0) return members
    if (hasChildren || hasAttributes) throw this.#fault(key, 'Items and members do not mix in one element.')
    return items
  }

  #fault(name: string, message: string): Refusal {
    const field = [...this.#open.slice(1).map((open) => open.key), name].join('.')
    return new Refusal('unreadable-body', `The XML could not be read at "${field}": ${message}`, {
      faults: [{ field, message }],
    })
  }

  #unreadable(detail: string): Refusal {
    return new Refusal('unreadable-body', detail)
  }
}

interface XmlLimits {
  /** Elements, and as many attributes. */
  readonly elements: number
  readonly depth: number
  /** Character and entity references, and other constructs that cost a parser as much. */
  readonly references: number
  /** Bytes of the text without embedded files. */
  readonly plainBytes: number
}

/** A document with a mark in place of each embedded file. */
interface CutXml {
  readonly plain: string
  /** Puts the files back in place of their marks. */
  restored(text: string): string
}

/**
 * A parser needs about a microsecond per token, so documents with too many are refused before parsing. The scan goes
 * from one `<` to the next: in well-formed XML each one begins markup.
 */
function cutXml(text: string, limits: XmlLimits): CutXml {
  const files: string[] = []
  const marker = `data:${randomUUID()}:`
  let plain = ''
  let kept = 0
  const cut = (start: number, end: number) => {
    if (end < 0 || end - start < 1024 || !text.startsWith('data:', start)) return
    const file = text.slice(start, end)
    if (/[^\w+/=\s;:,.-]/.test(file)) return
    const number = files.push(file.replace(/\r\n?/g, '\n'))
    plain += `${text.slice(kept, start)}${marker}${number};`
    kept = end
  }
  let comments = 0
  let turns = 0
  for (let at = text.indexOf('<'); at >= 0; ) {
    if (++turns > 3 * limits.elements) throw tooManyElements(limits)
    if (text.startsWith('<!--', at)) {
      const end = endOf(text, '-->', at + 4)
      comments += end - at
      at = text.indexOf('<', end)
    } else if (text.startsWith('<![CDATA[', at)) {
      const end = endOf(text, ']]>', at + 9)
      cut(at + 9, end)
      at = text.indexOf('<', end)
    } else {
      requireElement(text, at)
      const tagEnd = text.indexOf('>', at)
      const next = text.indexOf('<', at + 1)
      if (tagEnd < 0 || (next >= 0 && next < tagEnd))
        throw new Refusal('unreadable-body', 'The XML is broken: a tag does not end.')
      cut(tagEnd + 1, next)
      at = next
    }
  }
  plain += text.slice(kept)
  requireAffordable(plain, comments, limits)
  return {
    plain,
    restored: (piece) => {
      if (files.length === 0 || !piece.includes(marker)) return piece
      return piece.replace(new RegExp(`${marker}(\\d+);`, 'g'), (_mark, number) => files[Number(number) - 1] ?? '')
    },
  }
}

const tooManyElements = ({ elements }: XmlLimits) =>
  new Refusal('too-large', `An XML body may hold ${elements} elements, this one holds more.`)

function endOf(text: string, closing: string, from: number): number {
  const end = text.indexOf(closing, from)
  if (end < 0) throw new Refusal('unreadable-body', `The XML is broken: "${closing}" is missing.`)
  return end
}

function requireElement(text: string, at: number): void {
  if (text.startsWith('<!', at)) throw new Refusal('unreadable-body', 'A DOCTYPE is not accepted.')
  if (!text.startsWith('<?', at)) return
  const isDeclaration = at === text.indexOf('<') && text.startsWith('<?xml ', at)
  if (!isDeclaration) throw new Refusal('unreadable-body', 'Processing instructions are not accepted.')
}

function requireAffordable(plain: string, comments: number, limits: XmlLimits): void {
  if (plain.length > limits.plainBytes) throw plainPartTooLarge(limits.plainBytes)
  if (comments > limits.references) {
    throw new Refusal('too-large', `The comments of an XML body may have ${limits.references} characters together.`)
  }
  if (countOf('&', plain) > limits.references || countOf(']', plain) > limits.references) {
    throw new Refusal('too-large', `An XML body may hold ${limits.references} references, and as many square brackets.`)
  }
}

function countOf(character: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++
  return count
}
