import { once } from '../../../../farm/fields-of.ts'
import { nameOfCharacter, uncarriable } from '../../../../fields/characters.ts'
import type { Tree } from '../../../../fields/place.ts'
import { BodyReading, type CellAt, type Reader } from './body-reading.ts'
import type { Column } from './columns.ts'
import { membersIn } from './members.ts'
import { cellIn, isEmpty, type RowGroup, type Sheet } from './sheet.ts'
import type { SheetFault } from './sheet-fault.ts'

/** What the rows of one record say, as the body of a POST or PUT has it. */
interface Body {
  readonly tree: Tree
  readonly faults: readonly SheetFault[]
}

export function bodyOf(sheet: Sheet, group: RowGroup, reader: Reader): Body {
  const reading = new BodyReading(sheet, reader)
  const tree: Record<string, unknown> = {}
  noteStrangeCells(reading, group)
  if (reader.bundle !== undefined) tree[sheet.type.bundleName] = reader.bundle
  for (const column of sheet.columns) {
    if (column.member !== undefined) continue
    const cell = oneCell(reading, group, column)
    const value = saidIn(reading, { row: group.rows[0], column, cell, before: reading.beforeIn(column.name) })
    if (value !== undefined) tree[column.name] = value
  }
  for (const [name, value] of membersIn(reading, group)) tree[name] = value
  return { tree, faults: reading.faults }
}

/** The cell that all rows of a record share: those below the first repeat it or leave it empty. */
function oneCell(reading: BodyReading, { rows: [first, ...others] }: RowGroup, column: Column): string {
  const cell = cellIn(first, column)
  for (const row of others) {
    const again = cellIn(row, column)
    if (again !== '' && again !== cell)
      reading.fault({ row, column }, `is another than in row ${first.row}, which is about the same record`)
  }
  return cell
}

/** Undefined where nothing is said. */
function saidIn(reading: BodyReading, at: CellAt): unknown {
  const { column, cell, row } = at
  const { before } = reading.reader
  const isThere = !isEmpty(column, cell)
  switch (column.use) {
    case 'value':
      if (isThere) return reading.tree(at)
      return before !== undefined && reading.sheet.options.empty === 'clear' ? null : undefined
    case 'uuid':
      return isThere ? cell.trim() : undefined
    case 'created':
    case 'uid':
      return isThere && before === undefined ? reading.tree({ ...at, before: undefined }) : undefined
    case 'computed':
      if (isThere && before === undefined)
        reading.fault(
          { row, column },
          'follows from the logs; leave it empty in the row of a new record, and record a log',
        )
      return undefined
    default:
      return undefined
  }
}

/** What stands under no header, and what no text may hold. */
function noteStrangeCells({ sheet, faults }: BodyReading, { rows }: RowGroup): void {
  const headers = headersOf(sheet)
  for (const { row, cells } of rows) {
    for (const [at, cell] of cells.entries()) {
      if (cell === '' || (headers.has(at) && !uncarriable.test(cell))) continue
      if (cell.trim() === '' || sheet.leftOut.has(at)) continue
      const place = { row, column: headers.get(at) ?? `column ${at + 1}`, value: cell }
      if (!headers.has(at)) faults.push({ ...place, message: 'stands under no header; give it one, or leave it out' })
      const strange = uncarriable.exec(cell)
      if (strange) faults.push({ ...place, message: `holds ${nameOfCharacter(strange[0])}, which no text can have` })
    }
  }
}

const headersOf = once((sheet: Sheet) => new Map(sheet.columns.map(({ at, header }) => [at, header])))
