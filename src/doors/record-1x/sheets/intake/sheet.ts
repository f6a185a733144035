import type { Farm, RecordType } from '../../../../farm/farm.ts'
import { isBlank } from '../../../../fields/place.ts'
import { unguarded } from '../../../../formats/csv/formulas.ts'
import type { CsvRow } from '../../../../formats/csv/read-csv.ts'
import type { CellReading } from './cell-reading.ts'
import type { Column } from './columns.ts'
import type { MatchKey, SheetOptions } from './options.ts'

/** How the numbers and days of a column are written. */
export type ColumnForm = Pick<CellReading, 'sign' | 'order'>

/** A sheet of which it is known what its columns are, and how they are to be read. */
export interface Sheet {
  readonly farm: Farm
  readonly type: RecordType
  readonly options: SheetOptions
  /** What the rows are known by; undefined where all are new. */
  readonly match: MatchKey | undefined
  readonly headRow: number
  /** The cell of its title or headers that speaks of a plan. */
  readonly plan: { readonly row: number; readonly value: string } | undefined
  readonly columns: readonly Column[]
  /** The cells of the columns that are left out on purpose. */
  readonly leftOut: ReadonlySet<number>
  readonly forms: ReadonlyMap<number, ColumnForm>
  readonly zone: string
}

/** Rows that are about one record. */
export interface RowGroup {
  readonly rows: readonly [CsvRow, ...CsvRow[]]
}

/** What stands in a cell, without the mark that keeps a spreadsheet from working it out. */
export const cellIn = ({ cells }: CsvRow, column: Pick<Column, 'at'> | undefined): string =>
  column === undefined ? '' : unguarded(cells[column.at] ?? '')

export const columnFor = ({ columns }: Pick<Sheet, 'columns'>, use: Column['use']): Column | undefined =>
  columns.find((column) => column.use === use)

export const columnNamed = ({ columns }: Pick<Sheet, 'columns'>, name: string): Column | undefined =>
  columns.find((column) => column.name === name)

/** Kinds of which white space alone may be meant. */
const texts: readonly string[] = ['text', 'long-text', 'rich-text']

/** Whether nothing stands in a cell. */
export const isEmpty = ({ field }: Pick<Column, 'field'>, cell: string): boolean =>
  isBlank(texts.includes(field.kind) ? cell : cell.trim())
