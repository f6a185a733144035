import { type FileToPack, zipOf } from '../zip/write-zip.ts'
import { serialOf } from './number-formats.ts'

/** What stands in a cell: a text, a number in plain digits, a day, or a day and a time of a clock such as `2025-05-01T08:30:00`. */
export type XlsxCell = string | { readonly number: string } | { readonly time: string }

export interface XlsxColumn {
  readonly header: string
  readonly holds: 'text' | 'number' | 'time' | 'anything'
  /** In characters. */
  readonly width: number
  /** The cells of another sheet that its drop-down offers. */
  readonly offers?: string
}

export interface XlsxSheet {
  readonly name: string
  readonly columns: readonly XlsxColumn[]
  /** Some at a time, without the headers. */
  readonly rows: Iterable<readonly XlsxCell[]> | AsyncIterable<readonly XlsxCell[]>
}

/** A workbook (ECMA-376), written row by row. Sheets come one after the other: a later one can tell of the rows before. */
export const xlsxOf = (sheets: readonly XlsxSheet[]): AsyncGenerator<Buffer> => zipOf(partsOf(sheets))

/** More characters no spreadsheet takes in one cell. */
export const longestCell = 32_767

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function* partsOf(sheets: readonly XlsxSheet[]): Generator<FileToPack> {
  const part = (name: string, text: string): FileToPack => ({ name, pieces: [declaration + text] })
  const numbers = sheets.map((_, index) => index + 1)
  const overrides = [
    ['/xl/workbook.xml', `${mediaType}.sheet.main+xml`],
    ['/xl/styles.xml', `${mediaType}.styles+xml`],
    ...numbers.map((number) => [`/xl/worksheets/sheet${number}.xml`, `${mediaType}.worksheet+xml`]),
  ].map(([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`)
  yield part(
    '[Content_Types].xml',
    `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
  )
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${relations}/${type}" Target="${target}"/>`
  const related = (text: string) => `<Relationships xmlns="${packaged}/relationships">${text}</Relationships>`
  yield part('_rels/.rels', related(relation(1, 'officeDocument', 'xl/workbook.xml')))
  const named = sheets.map(
    ({ name }, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  yield part(
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${named.join('')}</sheets></workbook>`,
  )
  const targets = numbers.map((number) => relation(number, 'worksheet', `worksheets/sheet${number}.xml`))
  yield part(
    'xl/_rels/workbook.xml.rels',
    related([...targets, relation(sheets.length + 1, 'styles', 'styles.xml')].join('')),
  )
  yield part('xl/styles.xml', styles)
  for (const [index, sheet] of sheets.entries())
    yield { name: `xl/worksheets/sheet${index + 1}.xml`, pieces: worksheet(sheet) }
}

/** Places behind the point that a number may have of its own; others are shown as they are. */
const mostPlaces = 10

/** Which entry of the table below a cell has. Days are shown by the habits of whoever opens the file (formats 14 and 22). */
const styleNumbers = { anything: 0, header: 1, text: 2, time: 3, day: 4, number: 0 } as const
const firstOfPlaces = 5

const placesFormats = Array.from({ length: mostPlaces }, (_, index) => `0.${'0'.repeat(index + 1)}`)

const styles = [
  `<styleSheet xmlns="${main}"><numFmts count="${mostPlaces}">`,
  ...placesFormats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`),
  '</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>',
  `<cellXfs count="${firstOfPlaces + mostPlaces}"><xf numFmtId="0"/><xf numFmtId="0" fontId="1" applyFont="1"/>`,
  '<xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/><xf numFmtId="14" applyNumberFormat="1"/>',
  ...placesFormats.map((_, index) => `<xf numFmtId="${164 + index}" applyNumberFormat="1"/>`),
  '</cellXfs></styleSheet>',
].join('')

async function* worksheet({ columns, rows }: XlsxSheet): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width, holds }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${styleNumbers[holds]}" customWidth="1"/>`,
  )
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${widths.join('')}</cols><sheetData>`
  const headers = columns.map(({ header }, at) => textCell(place(1, at), header, styleNumbers.header))
  yield `<row r="1">${headers.join('')}</row>`
  let number = 1
  let text = ''
  for await (const cells of rows) {
    number += 1
    const written = cells.map((cell, at) => cellText(place(number, at), cell, columns[at]?.holds ?? 'anything'))
    text += `<row r="${number}">${written.join('')}</row>`
    if (text.length < 65_536) continue
    yield text
    text = ''
  }
  yield `${text}</sheetData>${choicesOf(columns)}</worksheet>`
}

const lastRow = 1_048_576

function choicesOf(columns: readonly XlsxColumn[]): string {
  const lists = columns.flatMap(({ offers }, at) =>
    offers === undefined
      ? []
      : `<dataValidation type="list" allowBlank="1" sqref="${letters(at)}2:${letters(at)}${lastRow}"><formula1>${escaped(offers)}</formula1></dataValidation>`,
  )
  return lists.length === 0 ? '' : `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`
}

function cellText(at: string, cell: XlsxCell, holds: XlsxColumn['holds']): string {
  if (typeof cell === 'string')
    return cell === '' ? '' : textCell(at, cell, styleNumbers[holds === 'text' ? 'text' : 'anything'])
  if ('number' in cell) {
    const places = Math.min(cell.number.split('.')[1]?.length ?? 0, mostPlaces)
    const style = places === 0 ? styleNumbers.number : firstOfPlaces + places - 1
    return `<c r="${at}" s="${style}"><v>${cell.number}</v></c>`
  }
  const isDay = cell.time.length === 10
  const serial = serialOf(isDay ? `${cell.time}T00:00:00` : cell.time)
  return serial === undefined
    ? textCell(at, cell.time, styleNumbers.anything)
    : `<c r="${at}" s="${isDay ? styleNumbers.day : styleNumbers.time}"><v>${serial}</v></c>`
}

const textCell = (at: string, text: string, style: number): string =>
  `<c r="${at}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

const place = (row: number, at: number): string => `${letters(at)}${row}`

/** The letters of a column that is counted from 0. */
export function letters(at: number): string {
  const before = Math.floor(at / 26)
  return (before === 0 ? '' : letters(before - 1)) + String.fromCharCode(65 + (at % 26))
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML cannot say, and what looks like them (ECMA-376, 22.9.2.19). */
const unsayable = /[^\t\n -\ufffd]|_(?=x[0-9A-Fa-f]{4}_)/g

const escaped = (text: string): string =>
  text
    .replace(unsayable, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>"]/g, (one) => entities[one] ?? one)

/** Whether a text is a number that a spreadsheet keeps as it is written. */
export const isPlainNumber = (text: string): boolean =>
  /^-?(?:0|[1-9]\d*)(?:\.\d{1,10})?$/.test(text) &&
  text.replace(/[-.]/g, '').replace(/^0+/, '').length <= 15 &&
  text !== '-0'
