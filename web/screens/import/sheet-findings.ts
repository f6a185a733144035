import { answersIn, type ColumnMatch, questionsIn, type SheetProblem, type SheetRowResult } from './import-api.ts'
import type { SheetCheck } from './import-state.ts'

export interface PlacedFault extends SheetProblem {
  readonly row: number
}

export interface SheetColumn {
  readonly header: string
  readonly found: ColumnMatch | undefined
  /** Faults of the mapping. */
  readonly faults: readonly PlacedFault[]
  /** Value of the first row. */
  readonly example: string
}

/** Cells of several rows that have the same text and the same fault: one answer solves all. */
export interface AlikeFaults extends PlacedFault {
  readonly count: number
}

function alikeFaults(faults: readonly PlacedFault[]): readonly AlikeFaults[] {
  const groups = new Map<string, AlikeFaults>()
  for (const fault of faults) {
    const key = JSON.stringify([fault.column, fault.value, fault.message])
    groups.set(key, { ...fault, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  return [...groups.values()].filter(({ count, value }) => count > 1 && value !== '' && !/[[\]]/.test(value))
}

type SheetToSort = Pick<SheetCheck, 'found' | 'rows' | 'head' | 'shown'>

const faultsIn = (rows: readonly SheetRowResult[]): readonly PlacedFault[] =>
  rows.flatMap(({ row, faults = [] }) => faults.map((fault) => ({ ...fault, row })))

/** Sorts the findings: by column, as questions, by cell, or in a list. */
export function sheetFindings({ found, rows, head, shown }: SheetToSort) {
  const all = faultsIn(rows)
  const headers = head?.cells ?? []
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
        example: shown[0]?.cells[at] ?? '',
      }),
    ),
    questions,
    /** Faults of a cell; faults of an unknown column belong to the row. */
    at: (row: number, column: string): readonly PlacedFault[] =>
      others.filter((fault) => fault.row === row && fault.column === column),
    atRow: (row: number): readonly PlacedFault[] =>
      others.filter((fault) => fault.row === row && !headers.includes(fault.column)),
    alike: alikeFaults(others.filter(({ column }) => headers.includes(column))),
    areAtCells: others.length > 0,
    elsewhere: others.filter(({ row }) => !seen.has(row)),
  }
}
