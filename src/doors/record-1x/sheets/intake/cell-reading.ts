import type { Choice } from '../../../../farm/farm.ts'
import type { FieldOf } from '../../../../fields/field.ts'
import type { Value } from '../../../../fields/value.ts'
import type { DateOrder } from '../../../../formats/csv/date-order.ts'
import type { DecimalSign } from '../../../../formats/csv/decimal-sign.ts'

/** How the cells of one column are read. */
export interface CellReading {
  readonly sign: DecimalSign
  readonly order: DateOrder
  readonly zone: string
  readonly words: (list: string) => readonly Choice[]
  /** What a word in the place of a reference stands for, as JSON has it. */
  readonly referred: (field: FieldOf<'reference'>, word: string, spot: CellSpot) => unknown
}

/** One cell: what is wrong with it is noted, and what the record says there so far. */
export interface CellSpot {
  readonly fault: (message: string, allowed?: readonly string[]) => undefined
  readonly before: Value | undefined
}

/** A cell that is being read. */
export interface On {
  readonly reading: CellReading
  readonly spot: CellSpot
}
