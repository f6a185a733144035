import { randomUUID } from 'node:crypto'
import { Refusal } from '../../refusal.ts'
import { plainPartTooLarge } from '../plain-part.ts'

/** How much of XML is read. */
export interface XmlLimits {
  /** Elements, and as many attributes. */
  readonly elements: number
  readonly depth: number
  /** Character and entity references, and other things that cost a parser as much. */
  readonly references: number
  /** What is left of the text when its files are taken away. */
  readonly plainBytes: number
}

/** A document without its files: each is cut out, and a mark stands in its place. */
export interface CutXml {
  readonly plain: string
  /** The text with its files back in place of their marks. */
  restored(text: string): string
}

/**
 * A parser costs about a microsecond for every turn it takes, so what would make it turn without end is refused before:
 * this looks from one `<` to the next, which in well-formed XML begins markup wherever it stands, and nothing else does.
 */
export function cutXml(text: string, limits: XmlLimits): CutXml {
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

export const tooManyElements = ({ elements }: XmlLimits) =>
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
