/** One thing that is wrong with a sheet: where it stands, what it says there, and what would be right. */
export interface SheetFault {
  /** As a spreadsheet counts them. */
  readonly row: number
  /** The header, or the name of a field that has no column. */
  readonly column: string
  /** As the cell says it. */
  readonly value: string
  readonly message: string
  readonly allowed?: readonly string[]
}
