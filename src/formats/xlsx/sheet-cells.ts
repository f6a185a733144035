import { Refusal } from '../../refusal.ts'
import type { CsvRow } from '../csv/read-csv.ts'
import { guarded } from '../csv/write-csv.ts'
import { type NumberStyle, plainStyle, shownNumber } from './number-formats.ts'

export type Attributes = Readonly<Record<string, string>>

/** What is told of the elements of a part, whatever prefixes its writer uses. */
export interface PartReader {
  open(element: string, attributes: Attributes): void
  close?(element: string): void
  text?(text: string): void
}

export interface WorksheetLimits {
  readonly columns: number
  /** Rows in which something stands. */
  readonly rows: number
  readonly cells: number
  /** Characters of one cell. */
  readonly cellLength: number
}

/** A row of a worksheet, with the marks that a row of CSV would have. */
export interface WorksheetRow extends CsvRow {
  readonly cells: string[]
}

interface CellContext {
  readonly epoch: 1900 | 1904
  readonly styles: readonly NumberStyle[]
  readonly strings: readonly string[]
  readonly limits: WorksheetLimits
}

/** A formula whose result was not saved with it. */
export const noResult = '#FORMULA!'

interface OpenCell {
  readonly at: number
  readonly type: string
  readonly style: NumberStyle
  value: string | undefined
  formula: string | undefined
}

/** Cells that are merged: counted from 1, both ends included. */
interface MergedRange {
  readonly from: { readonly row: number; readonly at: number }
  readonly to: { readonly row: number; readonly at: number }
}

/** Reads the rows of one worksheet (ECMA-376, 18.3.1) as a person sees them. */
export class SheetCells implements PartReader {
  readonly #on: CellContext
  readonly #rows: WorksheetRow[] = []
  readonly #merged: MergedRange[] = []
  #row = 0
  #isHidden = false
  #isSum = false
  #cells: string[] = []
  #numbers = new Set<number>()
  #cell: OpenCell | undefined
  #last = -1
  #count = 0
  #into: 'value' | 'formula' | undefined
  #phonetic = 0

  constructor(on: CellContext) {
    this.#on = on
  }

  open(element: string, attributes: Attributes): void {
    switch (element) {
      case 'row':
        this.#row = attributes.r === undefined ? this.#row + 1 : Number(attributes.r)
        this.#isHidden = isYes(attributes.hidden)
        this.#isSum = false
        this.#cells = []
        this.#numbers = new Set()
        this.#last = -1
        return
      case 'c':
        this.#begin(attributes)
        return
      case 'v':
      case 't':
        this.#into = this.#cell !== undefined && this.#phonetic === 0 ? 'value' : undefined
        if (this.#cell !== undefined) this.#cell.value ??= ''
        return
      case 'f':
        this.#into = this.#cell === undefined ? undefined : 'formula'
        if (this.#cell !== undefined) this.#cell.formula = ''
        return
      case 'rPh':
        this.#phonetic += 1
        return
      case 'mergeCell':
        this.#merge(attributes.ref ?? '')
    }
  }

  text(piece: string): void {
    const cell = this.#cell
    if (cell === undefined || this.#into === undefined) return
    cell[this.#into] = (cell[this.#into] ?? '') + piece
    if ((cell[this.#into]?.length ?? 0) > this.#on.limits.cellLength)
      throw tooLarge(`row ${this.#row}: a cell may have ${this.#on.limits.cellLength} characters, this one has more`)
  }

  close(element: string): void {
    if (element === 'c') this.#end()
    else if (element === 'row') this.#endRow()
    else if (element === 'rPh') this.#phonetic -= 1
    if (element !== 'r') this.#into = undefined
  }

  #begin({ r: place, t: type = 'n', s: style }: Attributes): void {
    const at = place === undefined ? this.#last + 1 : columnIn(place)
    if (at < 0)
      throw new Refusal('unreadable-body', `The workbook has a cell "${place?.slice(0, 40)}" in row ${this.#row}.`)
    this.#last = at
    if (++this.#count > this.#on.limits.cells)
      throw tooLarge(`a sheet may have ${this.#on.limits.cells} cells, this one has more`)
    this.#cell = {
      at,
      type,
      style: this.#on.styles[Number(style ?? 0)] ?? plainStyle,
      value: undefined,
      formula: undefined,
    }
  }

  #end(): void {
    const cell = this.#cell
    this.#cell = undefined
    if (cell === undefined) return
    if (cell.formula !== undefined && adds.test(cell.formula)) this.#isSum = true
    const text = this.#textOf(cell)
    if (text === '') return
    if (cell.at >= this.#on.limits.columns)
      throw tooLarge(`row ${this.#row}: a sheet may have ${this.#on.limits.columns} columns, this row has more`)
    while (this.#cells.length < cell.at) this.#cells.push('')
    this.#cells[cell.at] = text
    if (isNumber(cell, text)) this.#numbers.add(cell.at)
  }

  #textOf({ type, value, formula, style }: OpenCell): string {
    if (value === undefined) return formula === undefined ? '' : noResult
    switch (type) {
      case 's':
        return guarded(this.#on.strings[Number(value)] ?? '')
      case 'str':
      case 'inlineStr':
        return guarded(unescaped(value))
      case 'b':
        return value.trim() === '1' ? 'yes' : 'no'
      case 'e':
        return value.trim()
      case 'd':
        return value.trim().replace(/(?:T00:00(?::00)?(?:\.0+)?)?Z?$/, '')
      default:
        if (value.trim() === '') return formula === undefined ? '' : noResult
        return shownNumber(value, style, this.#on.epoch)
    }
  }

  #endRow(): void {
    if (this.#cells.every((cell) => cell === '')) return
    const { rows } = this.#on.limits
    if (this.#rows.length === rows) throw tooLarge(`a sheet may have ${rows} rows, this one has more`)
    this.#rows.push({
      row: this.#row,
      cells: this.#cells,
      ...(this.#numbers.size === 0 ? {} : { numbers: this.#numbers }),
      ...(this.#isSum ? { isSum: true as const } : {}),
      ...(this.#isHidden ? { isHidden: true as const } : {}),
    })
  }

  #merge(range: string): void {
    const [, fromColumn, fromRow, toColumn, toRow] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(range) ?? []
    if (fromColumn === undefined || toColumn === undefined || this.#merged.length > this.#on.limits.rows) return
    const from = { row: Number(fromRow), at: columnIn(fromColumn) }
    this.#merged.push({ from, to: { row: Number(toRow), at: columnIn(toColumn) } })
  }

  /** Its rows, with what stands in cells that were merged downwards in each of them. */
  rows(): readonly WorksheetRow[] {
    const byNumber = new Map(this.#rows.map((row) => [row.row, row]))
    for (const { from, to } of this.#merged) {
      const text = byNumber.get(from.row)?.cells[from.at] ?? ''
      if (text === '' || from.at !== to.at) continue
      const last = Math.min(to.row, this.#rows.at(-1)?.row ?? 0)
      for (let number = from.row + 1; number <= last; number++) {
        const row = byNumber.get(number)
        if (row === undefined) continue
        while (row.cells.length < from.at) row.cells.push('')
        row.cells[from.at] ||= text
      }
    }
    return this.#rows
  }
}

/** Characters that XML cannot say are written as `_x000D_` (ECMA-376, 22.9.2.19). */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : text

const isYes = (word: string | undefined): boolean => word === '1' || word === 'true'

/** Whether a cell holds a number, which needs no decimal sign to be found out. */
const isNumber = ({ type, style }: OpenCell, text: string): boolean =>
  type === 'n' &&
  (style.shows === 'number' || style.shows === 'percent' || style.shows === 'text') &&
  !text.startsWith('#')

/** Formulas are saved in English, whatever language the spreadsheet speaks. */
const adds = /^\s*\+?(?:SUM|SUBTOTAL|AGGREGATE|SUMIFS?)\(/i

/** The column of a place such as `AB12`, counted from 0; -1 where it is none. */
function columnIn(place: string): number {
  const letters = /^[A-Z]{1,3}(?=\d*$)/.exec(place.replaceAll('$', ''))?.[0] ?? ''
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const tooLarge = (what: string): Refusal =>
  new Refusal(
    'too-large',
    `${what.charAt(0).toUpperCase()}${what.slice(1)}: divide it, or import it by the command line.`,
  )
