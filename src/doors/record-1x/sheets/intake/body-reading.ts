import type { Value } from '../../../../fields/value.ts'
import type { CsvRow } from '../../../../formats/csv/read-csv.ts'
import type { StoredRecord } from '../../../../storage/records/stored.ts'
import type { CellReading } from './cell-reading.ts'
import { treeOfCell } from './cell-tree.ts'
import type { Column } from './columns.ts'
import { cellIn, type Sheet } from './sheet.ts'
import type { SheetFault } from './sheet-fault.ts'

export interface Reader {
  readonly referred: CellReading['referred']
  /** The record that the rows are about; none where they are about a new one. */
  readonly before: StoredRecord | undefined
  readonly bundle: string | undefined
}

/** Where a cell stands. */
interface Spot {
  readonly row: CsvRow
  readonly column: Column
}

/** One cell that is to be read. */
export interface CellAt extends Spot {
  readonly cell: string
  readonly before: Value | undefined
}

/** Reads the cells of rows, gathering what is wrong with them. */
export class BodyReading {
  readonly sheet: Sheet
  readonly reader: Reader
  readonly faults: SheetFault[] = []

  constructor(sheet: Sheet, reader: Reader) {
    this.sheet = sheet
    this.reader = reader
  }

  tree({ row, column, cell, before }: CellAt): unknown {
    const fault = (message: string, allowed?: readonly string[]) => this.fault({ row, column }, message, allowed)
    return treeOfCell(column.field, cell, { reading: this.readingOf(column), spot: { fault, before } })
  }

  readingOf({ at }: Pick<Column, 'at'>): CellReading {
    const { farm, zone, forms } = this.sheet
    const { sign = '.', order = 'ymd' } = forms.get(at) ?? {}
    return { sign, order, zone, words: (list) => farm.lists[list] ?? [], referred: this.reader.referred }
  }

  fault({ row, column }: Spot, message: string, allowed?: readonly string[]): undefined {
    const place = { row: row.row, column: column.header, value: cellIn(row, column) }
    this.faults.push({ ...place, message, ...(allowed === undefined ? {} : { allowed }) })
    return undefined
  }

  /** What the record says so far in the field of a column. */
  beforeIn(own: string): Value | undefined {
    return this.reader.before?.values[own]
  }
}
