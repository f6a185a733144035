import { type Separator, saysSeparator } from './write-csv.ts'

interface CsvLimits {
  readonly columns: number
  /** Rows that are not empty. */
  readonly rows: number
  /** Characters of one cell. */
  readonly cellLength: number
}

export interface CsvRow {
  /** Row number from 1, as in a spreadsheet: a line break inside a cell begins no row. */
  readonly row: number
  readonly cells: readonly string[]
  /** Of a workbook: the cells that are numbers, which have a decimal point whatever the sheet has elsewhere. */
  readonly numbers?: ReadonlySet<number>
  /** Of a workbook: one of its cells adds up others. */
  readonly isSum?: true
  /** Of a workbook: its spreadsheet does not show it. */
  readonly isHidden?: true
  /** The place of a row in a grid or among several sheets, such as `Juni C7`. */
  readonly place?: string
}

const quote = '"'

/** Parser state: before a cell, in one with or without quotes, or after a quote that may have closed it. */
type State = 'before' | 'plain' | 'quoted' | 'closed'

/**
 * Reads rows by RFC 4180, piece by piece: quoted cells may hold separators, line breaks and doubled quotes; rows end
 * with CR, LF or both. An open quote, or text after a closing one, is a fault with its place. Empty rows are skipped,
 * and so is a first row `sep=;`, which spreadsheets do not count either.
 */
export class CsvReader {
  readonly #separator: string
  readonly #limits: CsvLimits
  readonly #endOfPlain: RegExp
  #state: State = 'before'
  #cell = ''
  #cells: string[] = []
  #row = 1
  #isAtBeginning = true
  #taken = 0
  #isBehindReturn = false
  #rows: CsvRow[] = []

  constructor(separator: Separator, limits: CsvLimits) {
    this.#separator = separator
    this.#limits = limits
    this.#endOfPlain = new RegExp(`[${separator}\r\n"]`, 'g')
  }

  /** The rows that end within this piece. */
  push(text: string): readonly CsvRow[] {
    for (let at = 0; at < text.length; ) at = this.#step(text, at)
    return this.#handOut()
  }

  /** The last row, if it has no line end. */
  end(): readonly CsvRow[] {
    if (this.#state === 'quoted') throw this.#fault('the quote that the cell begins with is never closed')
    if (this.#state !== 'before' || this.#cells.length > 0) {
      this.#endCell()
      this.#endRow()
    }
    return this.#handOut()
  }

  #handOut(): readonly CsvRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  #step(text: string, at: number): number {
    switch (this.#state) {
      case 'before':
        return this.#begin(text, at)
      case 'plain':
        return this.#goOnPlain(text, at)
      case 'quoted':
        return this.#goOnQuoted(text, at)
      case 'closed':
        return this.#goOnClosed(text, at)
    }
  }

  #begin(text: string, at: number): number {
    const isSecondHalf = this.#isBehindReturn && text[at] === '\n'
    this.#isBehindReturn = false
    if (isSecondHalf) return at + 1
    this.#state = text[at] === quote ? 'quoted' : 'plain'
    return this.#state === 'quoted' ? at + 1 : at
  }

  #goOnPlain(text: string, at: number): number {
    this.#endOfPlain.lastIndex = at
    const end = this.#endOfPlain.exec(text)?.index ?? text.length
    this.#add(text, at, end)
    if (text[end] === quote) throw this.#fault('put a cell that holds a quote in quotes, and double those inside')
    return end === text.length ? end : this.#closeBy(text, end)
  }

  #goOnQuoted(text: string, at: number): number {
    const end = text.indexOf(quote, at)
    this.#add(text, at, end < 0 ? text.length : end)
    if (end < 0) return text.length
    this.#state = 'closed'
    return end + 1
  }

  #goOnClosed(text: string, at: number): number {
    const next = text[at]
    if (next === quote) {
      this.#cell += quote
      this.#state = 'quoted'
      return at + 1
    }
    if (next !== this.#separator && next !== '\r' && next !== '\n')
      throw this.#fault('something stands behind the closing quote; double the quotes inside of a cell')
    return this.#closeBy(text, at)
  }

  /** Ends the cell at a separator or line end, and skips it. */
  #closeBy(text: string, at: number): number {
    this.#endCell()
    if (text[at] !== this.#separator) this.#endRow()
    this.#isBehindReturn = text[at] === '\r'
    return at + 1
  }

  #add(text: string, from: number, to: number): void {
    if (this.#cell.length + to - from > this.#limits.cellLength)
      throw this.#fault(`a cell may have ${this.#limits.cellLength} characters, this one has more`, 'too large')
    this.#cell += text.slice(from, to)
  }

  #endCell(): void {
    if (this.#cells.length === this.#limits.columns)
      throw this.#fault(`a sheet may have ${this.#limits.columns} columns, this row has more`, 'too large')
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#state = 'before'
  }

  #endRow(): void {
    const isAside = this.#isAtBeginning && saysSeparator.test(this.#cells.join(this.#separator))
    this.#isAtBeginning = false
    if (isAside) {
      this.#cells = []
      return
    }
    if (this.#cells.some((cell) => cell !== '')) {
      this.#taken += 1
      if (this.#taken > this.#limits.rows)
        throw this.#fault(`a sheet may have ${this.#limits.rows} rows, this one has more`, 'too large')
      this.#rows.push({ row: this.#row, cells: this.#cells })
    }
    this.#row += 1
    this.#cells = []
  }

  #fault(message: string, size?: 'too large'): CsvFault {
    return new CsvFault({ row: this.#row, column: this.#cells.length + 1 }, message, size)
  }
}

/** A malformed sheet, with the place of the fault: rows and columns are counted from 1. */
export class CsvFault extends Error {
  readonly row: number
  readonly column: number
  /** True if the sheet is well formed but exceeds a limit. */
  readonly isTooLarge: boolean

  constructor({ row, column }: { readonly row: number; readonly column: number }, message: string, size?: 'too large') {
    super(message)
    this.name = 'CsvFault'
    this.row = row
    this.column = column
    this.isTooLarge = size !== undefined
  }
}

export const csvEncodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const
export type CsvEncoding = (typeof csvEncodings)[number]

/** Why bytes are no text. */
export class UnknownEncoding extends Error {}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf])
/** An archive, as .xlsx and .ods are, and what .xls is. */
const archive = Buffer.from('PK\x03\x04')
const compoundFile = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
const utf16Marks = { 'utf-16le': Buffer.from([0xff, 0xfe]), 'utf-16be': Buffer.from([0xfe, 0xff]) } as const
const longestMark = 4

/**
 * UTF-8, with or without a byte order mark, or UTF-16 with one. Other bytes are Windows-1252, as older spreadsheets write it, unless they
 * begin with that mark. All pieces are read: the last letter may be the first that is no UTF-8.
 */
export async function encodingOf(pieces: AsyncIterable<Buffer>): Promise<CsvEncoding> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  let beginning = Buffer.alloc(0)
  const judge = (piece?: Buffer) => {
    try {
      if (isUtf8) utf8.decode(piece, { stream: piece !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  for await (const piece of pieces) {
    judge(piece)
    if (beginning.length < longestMark) beginning = Buffer.concat([beginning, piece.subarray(0, longestMark)])
  }
  judge()
  refuseWorkbook(beginning)
  const utf16 = (['utf-16le', 'utf-16be'] as const).find((one) => beginning.subarray(0, 2).equals(utf16Marks[one]))
  if (utf16 !== undefined) return utf16
  if (isUtf8) return 'utf-8'
  if (beginning.subarray(0, utf8Mark.length).equals(utf8Mark))
    throw new UnknownEncoding('it says that it is UTF-8, and is not')
  return 'windows-1252'
}

/** Refuses what is no text, by its first bytes. */
export function refuseWorkbook(bytes: Buffer): void {
  const first = bytes.subarray(0, 4)
  if (first.equals(compoundFile))
    throw new UnknownEncoding(
      'it is a workbook of Excel 97 (.xls), or one with a password; save it as Excel workbook (.xlsx) without a password, or as CSV UTF-8',
    )
  if (first.equals(archive))
    throw new UnknownEncoding(
      'it is a workbook or an archive; send .xlsx as an Excel workbook, or save its sheet as CSV UTF-8',
    )
}

/** The text of the pieces, without a byte order mark. */
export async function* decoded(pieces: AsyncIterable<Buffer>, encoding: CsvEncoding): AsyncGenerator<string> {
  const decoder = encoding === 'windows-1252' ? undefined : new TextDecoder(encoding)
  for await (const piece of pieces) yield decoder?.decode(piece, { stream: true }) ?? windows1252(piece)
}

/** Characters of Windows-1252 from 0x80 to 0x9f; a space marks an undefined one. */
const inPlaceOfControls = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

// Decoded by hand, because Node.js 20 decodes windows-1252 as Latin-1.
const windows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (control) => {
    const letter = inPlaceOfControls.charAt(control.charCodeAt(0) - 0x80)
    return letter === ' ' ? control : letter
  })
