import { Refusal } from '../../refusal.ts'
import type { Sheaf } from '../sql/insertion.ts'
import { type Carried, fates, type TableName } from '../sql/table-fates.ts'

/** A row as an export writes it: what is JSON in its table is opened here. */
export type ImportedRow = Readonly<Record<string, unknown>>

interface Piece {
  readonly name: string
  readonly table: TableName
  readonly bytes: Buffer
}

const rowsInAPortion = 1000

/** The rows of a piece in portions, each read line by line as its values are asked for. `see` is told of every row. */
export function* portionsOf({ name, table, bytes }: Piece, see: (row: ImportedRow) => void): Generator<Portion> {
  const lines = bytes.toString('utf8').split('\n')
  lines.pop()
  const columns = columnsOf(lines[0])
  if (columns.length === 0 && lines.length > 0) throw notARow(name, 1)
  for (let start = 0; start < lines.length; start += rowsInAPortion) {
    const some = lines.slice(start, start + rowsInAPortion)
    const rows = rowsIn(some, columns, (index) => notARow(name, start + index + 1))
    yield { table, columns, values: valuesOf(rows, { table, columns, see }), count: some.length }
  }
}

interface Portion extends Sheaf {
  readonly count: number
}

/** Those that the first line names; none where one cannot be the name of a column, because they are part of a statement. */
function columnsOf(line: string | undefined): readonly string[] {
  const columns = Object.keys(rowIn(line ?? ''))
  return columns.every((column) => /^[a-z][a-z0-9_]*$/.test(column)) ? columns : []
}

function* rowsIn(
  lines: readonly string[],
  columns: readonly string[],
  fault: (index: number) => Refusal,
): Generator<ImportedRow> {
  for (const [index, line] of lines.entries()) {
    const row = rowIn(line)
    const isWhole = Object.keys(row).length === columns.length && columns.every((column) => row[column] !== undefined)
    if (!isWhole) throw fault(index)
    yield row
  }
}

function rowIn(line: string): ImportedRow {
  try {
    return JSON.parse(line) ?? {}
  } catch {
    return {}
  }
}

const notARow = (name: string, line: number): Refusal =>
  new Refusal('invalid-content', `Line ${line} of ${name} is not a row of a table. Nothing was changed.`)

interface Reader extends Omit<Sheaf, 'values'> {
  readonly see: (row: ImportedRow) => void
}

function* valuesOf(rows: Iterable<ImportedRow>, { table, columns, see }: Reader): Generator<unknown> {
  // Only tables that are carried get past the verification.
  const { json = [] } = fates[table] as Carried
  for (const row of rows) {
    for (const column of columns) {
      const value = row[column]
      const isOpened = typeof value === 'object' && value !== null && json.includes(column)
      yield isOpened ? JSON.stringify(value) : value
    }
    see(row)
  }
}
