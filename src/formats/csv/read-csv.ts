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
  /** Where several rows were made of one: which of them it is. */
  readonly part?: number
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
