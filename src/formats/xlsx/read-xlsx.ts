import { posix } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { SaxesParser } from 'saxes'
import { mebibyte } from '../../fields/byte-size.ts'
import { Refusal } from '../../refusal.ts'
import { entriesOfZip, unpackedPieces, type ZipEntry } from '../zip/read-zip.ts'
import { type NumberStyle, styleOf } from './number-formats.ts'
import {
  type Attributes,
  type PartReader,
  SheetCells,
  unescaped,
  type WorksheetLimits,
  type WorksheetRow,
} from './sheet-cells.ts'

const mostStrings = 1_000_000
const mostStringCharacters = 64 * mebibyte
const deepest = 64

/** A sheet of a workbook, unread. */
interface Worksheet {
  readonly name: string
  readonly isHidden: boolean
  readonly path: string
}

/** The media type of the file inside of an archive that tells who wrote it. */
const otherArchives: readonly (readonly [string, string])[] = [
  ['content.xml', 'is an OpenDocument file: save it as Excel workbook (.xlsx) or as CSV UTF-8'],
  ['xl/workbook.bin', 'is a binary workbook (.xlsb): save it as Excel workbook (.xlsx)'],
  ['Index/Document.iwa', 'is a document of Numbers: export it as Excel (.xlsx) or CSV'],
]

/** Parts that are no rows: each is counted as left out. */
const unreadParts: readonly (readonly [string, RegExp])[] = [
  ['macros', /vbaProject\.bin$/i],
  ['pictures', /^xl\/media\//i],
  ['charts', /^xl\/charts\/chart\d*\.xml$/i],
  ['external links', /^xl\/externalLinks\/externalLink\d*\.xml$/i],
  ['comments', /^xl\/(?:threadedComments\/|comments)[^/]*\.xml$/i],
]

/** An Excel workbook (ECMA-376, transitional and strict), of which one sheet is read at a time. */
export class Workbook {
  readonly sheets: readonly Worksheet[]
  /** What is in the file beside its sheets, and how often. */
  readonly leftOut: readonly { readonly what: string; readonly count: number }[]
  readonly #parts: WorkbookParts
  readonly #epoch: 1900 | 1904
  readonly #styles: readonly NumberStyle[]
  readonly #strings: readonly string[]

  private constructor(parts: WorkbookParts, head: WorkbookHead, words: WorkbookWords) {
    this.#parts = parts
    this.sheets = head.sheets
    this.#epoch = head.epoch
    this.#styles = words.styles
    this.#strings = words.strings
    this.leftOut = unreadParts.flatMap(([what, pattern]) => {
      const count = parts.names.filter((name) => pattern.test(name)).length
      return count === 0 ? [] : [{ what, count }]
    })
  }

  /** `unpackedBytes` is what all its parts may unpack to, whatever its archive says. */
  static async open(bytes: Buffer, unpackedBytes: number): Promise<Workbook> {
    const parts = new WorkbookParts(bytes, unpackedBytes)
    const main = (await parts.relations('_rels/.rels', '')).find(({ type }) => type === 'officeDocument')?.target
    const path = main ?? 'xl/workbook.xml'
    if (!parts.has(path)) throw parts.otherArchive()
    const relations = await parts.relations(
      posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`),
      path,
    )
    const head = await headOf(parts, path, new Map(relations.map(({ id, target }) => [id, target])))
    const pathOf = (type: string) => relations.find((one) => one.type === type)?.target
    const strings = await stringsOf(parts, pathOf('sharedStrings'))
    return new Workbook(parts, head, { strings, styles: await stylesOf(parts, pathOf('styles')) })
  }

  /** The rows of a sheet in which something stands. */
  async rows({ path }: Worksheet, limits: WorksheetLimits): Promise<readonly WorksheetRow[]> {
    const cells = new SheetCells({ epoch: this.#epoch, styles: this.#styles, strings: this.#strings, limits })
    await this.#parts.parse(path, cells)
    return cells.rows()
  }
}

interface WorkbookHead {
  readonly sheets: readonly Worksheet[]
  readonly epoch: 1900 | 1904
}

interface WorkbookWords {
  readonly styles: readonly NumberStyle[]
  readonly strings: readonly string[]
}

interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
}

/** The parts of a workbook, by their names in the archive. */
class WorkbookParts {
  readonly #bytes: Buffer
  readonly #entries: ReadonlyMap<string, ZipEntry>
  #room: number

  constructor(bytes: Buffer, unpackedBytes: number) {
    this.#bytes = bytes
    this.#room = unpackedBytes
    this.#entries = new Map(
      entriesOfZip(bytes).map((entry) => [entry.name.replace(/\\/g, '/').replace(/^\//, ''), entry]),
    )
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  has(path: string): boolean {
    return this.#entries.has(path)
  }

  otherArchive(): Refusal {
    const known = otherArchives.find(([part]) => this.has(part))?.[1]
    return unreadable(known ?? 'is no Excel workbook: it has no part xl/workbook.xml')
  }

  /** The parts that a part refers to. */
  async relations(path: string, from: string): Promise<readonly Relation[]> {
    const relations: Relation[] = []
    if (!this.has(path)) return relations
    await this.parse(path, {
      open(element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
        if (element !== 'Relationship' || mode === 'External') return
        const inside = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(from), target)
        relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: inside })
      },
    })
    return relations
  }

  /** Reads one part from its first byte to its last, a piece at a time. */
  async parse(path: string, reader: PartReader): Promise<void> {
    const entry = this.#entries.get(path)
    if (entry === undefined) throw unreadable(`has no part "${path.slice(0, 100)}"`)
    const parser = parserFor(reader, path)
    const decoder = new StringDecoder('utf8')
    for await (const piece of unpackedPieces(this.#bytes, entry, this.#room)) {
      this.#room -= piece.length
      parser.write(decoder.write(piece))
    }
    parser.write(decoder.end()).close()
  }
}

function parserFor(reader: PartReader, path: string): SaxesParser {
  const parser = new SaxesParser({ xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true })
  let depth = 0
  const broken = (what: string) => unreadable(`has a broken part "${path.slice(0, 100)}": ${what}`)
  parser.on('error', (error) => {
    throw broken(error.message)
  })
  parser.on('doctype', () => {
    throw broken('it has a DOCTYPE, which is not accepted')
  })
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (encoding.toLowerCase() !== 'utf-8') throw broken(`it is in "${encoding.slice(0, 40)}" and not in UTF-8`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > deepest) throw broken(`it is nested more than ${deepest} levels deep`)
    reader.open(local(name), attributes as Attributes)
  })
  const add = (text: string) => reader.text?.(text)
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', ({ name }) => {
    depth--
    reader.close?.(local(name))
  })
  return parser
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

async function headOf(parts: WorkbookParts, path: string, targets: ReadonlyMap<string, string>): Promise<WorkbookHead> {
  const sheets: Worksheet[] = []
  let epoch: 1900 | 1904 = 1900
  await parts.parse(path, {
    open(element, attributes) {
      if (element === 'workbookPr' && /^(?:1|true)$/.test(attributes.date1904 ?? '')) epoch = 1904
      if (element !== 'sheet') return
      const id = Object.entries(attributes).find(([name]) => local(name) === 'id' && name !== 'id')?.[1] ?? ''
      const target = targets.get(id)
      // A sheet of a chart alone, or of a dialogue, has no cells.
      if (target === undefined || !parts.has(target) || !/worksheets?\//i.test(target)) return
      const isHidden = attributes.state === 'hidden' || attributes.state === 'veryHidden'
      sheets.push({ name: attributes.name ?? '', isHidden, path: target })
    },
  })
  return { sheets, epoch }
}

async function stringsOf(parts: WorkbookParts, path: string | undefined): Promise<readonly string[]> {
  const strings: string[] = []
  if (path === undefined || !parts.has(path)) return strings
  let [text, characters, isText, phonetic] = ['', 0, false, 0]
  await parts.parse(path, {
    open(element) {
      if (element === 'si') text = ''
      if (element === 'rPh') phonetic += 1
      isText = element === 't' && phonetic === 0
    },
    text(piece) {
      if (isText) text += piece
    },
    close(element) {
      isText = false
      if (element === 'rPh') phonetic -= 1
      if (element !== 'si') return
      characters += text.length
      if (strings.length === mostStrings || characters > mostStringCharacters) throw tooManyStrings()
      strings.push(unescaped(text))
    },
  })
  return strings
}

async function stylesOf(parts: WorkbookParts, path: string | undefined): Promise<readonly NumberStyle[]> {
  const styles: NumberStyle[] = []
  if (path === undefined || !parts.has(path)) return styles
  const codes = new Map<number, string>()
  let isCell = false
  await parts.parse(path, {
    open(element, attributes) {
      if (element === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      if (element === 'cellXfs') isCell = true
      if (element !== 'xf' || !isCell) return
      const id = Number(attributes.numFmtId ?? 0)
      styles.push(styleOf(id, codes.get(id)))
    },
    close(element) {
      if (element === 'cellXfs') isCell = false
    },
  })
  return styles
}

const unreadable = (what: string): Refusal => new Refusal('unreadable-body', `The workbook ${what}.`)

const tooManyStrings = (): Refusal =>
  new Refusal('too-large', `A workbook may hold ${mostStrings} different texts, this one holds more: divide it.`)
