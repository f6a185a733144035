import { xmlAroundItems, xmlOfItem, xmlOfTree } from '../formats/xml/write-xml.ts'

/** The formats that this generation of the interface is written in. */
export type AnswerFormat = 'json' | 'xml'

/** One thing as JSON, under the name that XML gives its root. */
export interface WireRoot {
  readonly root: string
  readonly json: string | Buffer
}

export const textIn = (format: AnswerFormat, { root, json }: WireRoot): string | Buffer =>
  format === 'xml' ? xmlOfTree(root, JSON.parse(json.toString())) : json

/** The links of a page of a list. */
export interface ListLinks {
  readonly self: string
  readonly first: string
  readonly last: string
  readonly prev?: string
  readonly next?: string
}

/** A page of a list: its links, and each item in the format of the answer. */
export interface WireListPage {
  readonly links: ListLinks
  readonly list: readonly Buffer[]
}

/** The format of a list, and the name that XML gives its items. */
interface ItemFormat {
  readonly format: AnswerFormat
  readonly item: string
}

/** An item of a list, which is at hand as JSON. */
export const itemIn = ({ format, item }: ItemFormat, json: Buffer): Buffer =>
  format === 'xml' ? Buffer.from(xmlOfItem(item, JSON.parse(json.toString()))) : json

export const listIn = (format: AnswerFormat, page: WireListPage): Buffer =>
  Buffer.concat(format === 'xml' ? piecesOfXml(page) : piecesOfJson(page))

function piecesOfJson({ links, list }: WireListPage): readonly Buffer[] {
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(links).slice(0, -1)},"list":[`)]
  for (const json of list) pieces.push(json, comma)
  pieces[Math.max(pieces.length - 1, 1)] = end
  return pieces
}

const comma = Buffer.from(',')
const end = Buffer.from(']}')

function piecesOfXml({ links, list }: WireListPage): readonly Buffer[] {
  const { before, behind } = xmlAroundItems(links)
  return [Buffer.from(before), ...list, Buffer.from(behind)]
}
