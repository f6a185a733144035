/** Why it cannot be told how a column is written: a cell that leaves it open, and what whoever sends the sheet may say. */
export interface UnclearColumn {
  readonly fault: string
  readonly row: number
  readonly text: string
  readonly allowed?: readonly string[]
}
