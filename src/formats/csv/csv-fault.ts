/** Why a text is not a sheet, and where: rows and columns are counted from 1, as a spreadsheet counts them. */
export class CsvFault extends Error {
  readonly row: number
  readonly column: number
  /** Whether it is well formed, and only more than is taken. */
  readonly isTooLarge: boolean

  constructor({ row, column }: { readonly row: number; readonly column: number }, message: string, size?: 'too large') {
    super(message)
    this.name = 'CsvFault'
    this.row = row
    this.column = column
    this.isTooLarge = size !== undefined
  }
}
