import { answersIn, type ColumnMatch, questionsIn, type SheetProblem, type SheetRowResult } from './import-api.ts'
import type { SheetCheck } from './import-state.ts'

export interface PlacedFault extends SheetProblem {
  readonly row: number
}

export interface SheetColumn {
  readonly header: string
  readonly found: ColumnMatch | undefined
  /** Why it is not clear what it stands for. */
  readonly faults: readonly PlacedFault[]
  /** What its first row says. */
  readonly example: string
}

type SheetToSort = Pick<SheetCheck, 'found' | 'rows' | 'head' | 'shown'>

const faultsIn = (rows: readonly SheetRowResult[]): readonly PlacedFault[] =>
  rows.flatMap(({ row, faults = [] }) => faults.map((fault) => ({ ...fault, row })))

/** What the farm says of a sheet, put where it belongs: to a column, as a question, at a cell, or in a list. */
export function sheetFindings({ found, rows, head, shown }: SheetToSort) {
  const all = faultsIn(rows)
  const headers = head?.cells.map(({ text }) => text) ?? []
  const questions = questionsIn(all)
  const problems = all.filter(({ allowed = [] }) => answersIn(allowed).length === 0)
  const ofHead = problems.filter(({ row }) => row === found.head_row)
  const others = problems.filter(({ row }) => row !== found.head_row)
  const seen = new Set(shown.map(({ row }) => row))
  return {
    columns: headers.map(
      (header, at): SheetColumn => ({
        header,
        found: found.columns.find(({ column }) => column === header),
        faults: ofHead.filter(({ column }) => column === header),
        example: shown[0]?.cells[at]?.text ?? '',
      }),
    ),
    questions,
    /** At the cell of that row and column; of a column that there is not, at the row itself. */
    at: (row: number, column: string): readonly PlacedFault[] =>
      others.filter((fault) => fault.row === row && fault.column === column),
    atRow: (row: number): readonly PlacedFault[] =>
      others.filter((fault) => fault.row === row && !headers.includes(fault.column)),
    areAtCells: others.length > 0,
    elsewhere: others.filter(({ row }) => !seen.has(row)),
  }
}
