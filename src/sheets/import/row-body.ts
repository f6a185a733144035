import { once } from '../../farm/fields-of.ts'
import { isMany, type PartField } from '../../fields/field.ts'
import { isTree, type Tree } from '../../fields/place.ts'
import { nameOfCharacter, uncarriable } from '../../fields/text.ts'
import type { Value } from '../../fields/value.ts'
import { amountIn } from '../../formats/csv/decimals.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { columnNumbered, type InputColumn } from './headers.ts'
import {
  amountTree,
  type CellRules,
  faultOfCode,
  faultOfSpreadsheet,
  isAmount,
  measureFor,
  partTrees,
  type RowFault,
  treeOfCell,
} from './read-cell.ts'
import { isCastrated, isOfOtherKind, meantBy, withClock, withMoreTags, withTopics } from './row-topics.ts'
import { cellIn, isEmpty, type RowGroup, type SheetInput } from './sheet-input.ts'

/** The body of a POST or PUT for the rows of one record. */
interface RowBody {
  readonly tree: Tree
  readonly faults: readonly RowFault[]
}

export function bodyOf(sheet: SheetInput, group: RowGroup, reader: RowContext): RowBody {
  const reading = new RowReader(sheet, reader)
  const tree: Record<string, unknown> = {}
  noteStrangeCells(reading, group)
  if (reader.bundle !== undefined) tree[sheet.type.bundleName] = reader.bundle
  for (const column of sheet.columns) {
    if (column.member !== undefined || isOfOtherKind(sheet, reader.bundle, column)) continue
    const cell = oneCell(reading, group, column)
    const value = saidIn(reading, { row: group.rows[0], column, cell, before: reading.beforeIn(column.name) })
    if (value !== undefined) tree[column.name] = value
  }
  for (const [name, value] of membersIn(reading, group)) tree[name] = value
  const [row] = group.rows
  if (reader.before !== undefined)
    return { tree: withMoreTags(sheet, tree, { row, before: reader.before }), faults: reading.faults }
  const on = {
    row,
    bundle: reader.bundle,
    referred: reader.referred,
    readingOf: (one: CsvRow, column: InputColumn) => reading.readingOf(one, column),
    fault: (column: InputColumn, message: string) => reading.fault({ row, column }, message),
  }
  if (isCastrated(sheet, row)) tree.animal_castrated ??= true
  return { tree: withTopics(sheet, tree, on), faults: reading.faults }
}

/** A cell common to all rows of a record: later rows repeat it or leave it empty. */
function oneCell(reading: RowReader, { rows: [first, ...others] }: RowGroup, column: InputColumn): string {
  const cell = withClock(reading.sheet, { row: first, column })
  for (const row of others) {
    const again = withClock(reading.sheet, { row, column })
    if (again !== '' && again !== cell)
      reading.fault({ row, column }, `is another than in row ${first.row}, which is about the same record`)
  }
  return cell
}

/** Undefined if the cell is empty. */
function saidIn(reading: RowReader, at: CellAt): unknown {
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

/** Notes cells without a header, and characters that no text may hold. */
function noteStrangeCells({ sheet, faults }: RowReader, { rows }: RowGroup): void {
  const headers = headersOf(sheet)
  for (const { row, cells } of rows) {
    for (const [at, cell] of cells.entries()) {
      if (cell === '' || (headers.has(at) && !strangeCell.test(cell))) continue
      if (cell.trim() === '' || sheet.leftOut.has(at)) continue
      const place = { row, column: headers.get(at) ?? columnNumbered(at), value: cell }
      if (!headers.has(at)) faults.push({ ...place, message: 'stands under no header; give it one, or leave it out' })
      const wrong = faultOfSpreadsheet(cell)
      if (wrong !== undefined && headers.has(at)) faults.push({ ...place, message: wrong })
      const strange = uncarriable.exec(cell)
      if (strange) faults.push({ ...place, message: `holds ${nameOfCharacter(strange[0])}, which no text can have` })
    }
  }
}

const strangeCell = new RegExp(`${uncarriable.source}|^#[A-Z]`, 'u')

const headersOf = once((sheet: SheetInput) => new Map(sheet.columns.map(({ at, header }) => [at, header])))

export interface RowContext {
  readonly referred: CellRules['referred']
  /** The existing record; undefined for a new one. */
  readonly before: StoredRecord | undefined
  readonly bundle: string | undefined
}

interface CellPlace {
  readonly row: CsvRow
  readonly column: InputColumn
}

interface CellAt extends CellPlace {
  readonly cell: string
  readonly before: Value | undefined
}

/** Reads the cells of rows and collects faults. */
class RowReader {
  readonly sheet: SheetInput
  readonly reader: RowContext
  readonly faults: RowFault[] = []

  constructor(sheet: SheetInput, reader: RowContext) {
    this.sheet = sheet
    this.reader = reader
  }

  tree({ row, column, cell, before }: CellAt): unknown {
    const fault = (message: string, allowed?: readonly string[]) => this.fault({ row, column }, message, allowed)
    if (faultOfSpreadsheet(cell) !== undefined) return undefined
    const lost = faultOfCode(column.field, cell)
    if (lost !== undefined) return fault(lost)
    const meant = column.member === undefined ? meantBy(this.sheet, column.name, cell) : undefined
    if (meant !== undefined) return meant
    return treeOfCell(column.field, cell, { reading: this.readingOf(row, column), spot: { fault, before } })
  }

  readingOf({ numbers }: CsvRow, { at }: Pick<InputColumn, 'at'>): CellRules {
    const { farm, zone, forms } = this.sheet
    const { sign: written = '.', order = 'ymd' } = forms.get(at) ?? {}
    const sign = numbers?.has(at) ? '.' : written
    return { sign, order, zone, words: (list) => farm.lists[list] ?? [], referred: this.reader.referred }
  }

  fault({ row, column }: CellPlace, message: string, allowed?: readonly string[]): undefined {
    const place = { row: row.row, column: column.header, value: cellIn(row, column) }
    this.faults.push({ ...place, message, ...(allowed === undefined ? {} : { allowed }) })
    return undefined
  }

  /** The current value of a column's field. */
  beforeIn(own: string): Value | undefined {
    return this.reader.before?.values[own]
  }
}

/** A part with one column per member. */
interface SpreadPart {
  readonly name: string
  readonly part: PartField
  readonly columns: readonly InputColumn[]
  /** The parts of the existing record. */
  readonly had: readonly Tree[]
}

/** Parts with one column per member, by name; parts without any value are left out. */
function membersIn(reading: RowReader, group: RowGroup): ReadonlyMap<string, unknown> {
  const trees = new Map<string, unknown>()
  for (const spread of spreadParts(reading)) {
    const isRepeated = isMany(spread.part)
    const tree =
      isRepeated && reading.sheet.options.rows === spread.name
        ? eachRow(reading, group, spread)
        : onePart(reading, group.rows[0], spread)
    if (tree !== undefined) trees.set(spread.name, tree)
  }
  return trees
}

const spreadParts = (reading: RowReader): readonly SpreadPart[] =>
  partsOfColumns(reading.sheet).map((one) => ({ ...one, had: partTrees(one.part, reading.beforeIn(one.name)) }))

const partsOfColumns = once((sheet: SheetInput): readonly Omit<SpreadPart, 'had'>[] => {
  const parts = new Map<string, InputColumn[]>()
  for (const column of sheet.columns) {
    if (column.member !== undefined) parts.set(column.member.of, [...(parts.get(column.member.of) ?? []), column])
  }
  return [...parts].flatMap(([name, columns]) => {
    const part = columns[0]?.member?.part
    return part === undefined ? [] : [{ name, part, columns }]
  })
})

/** One part; members without a cell keep their value. */
function onePart(reading: RowReader, row: CsvRow, { name, part, columns, had }: SpreadPart): unknown {
  const { empty } = reading.sheet.options
  const members = { ...(had.length === 0 ? measureIn(row, columns) : {}), ...membersOf(reading, row, columns) }
  const clears = empty === 'clear' && reading.reader.before !== undefined
  if (Object.keys(members).length === 0 && !clears) return undefined
  const [first] = columns
  if (had.length > 1 && first !== undefined)
    return reading.fault(
      { row, column: first },
      `the record has ${had.length} of them; send the sheet with rows=${name}, a row for each`,
    )
  const cleared = clears ? Object.fromEntries(columns.map(({ member }) => [member?.name ?? '', null])) : {}
  const tree = { ...had[0], ...cleared, ...members }
  if (Object.values(tree).every((member) => member === null)) return null
  return isMany(part) ? [tree] : tree
}

/** One part per row. Members without a column keep their value. */
function eachRow(reading: RowReader, { rows }: RowGroup, { columns, had, part }: SpreadPart): unknown {
  const inferred = (row: CsvRow) => (had.length === 0 ? measureIn(row, columns) : {})
  const said = rows
    .map((row) => ({ ...inferred(row), ...membersOf(reading, row, columns) }))
    .filter((one) => Object.keys(one).length > 0)
  const [first] = columns
  if (said.length === 0 || first === undefined)
    return reading.sheet.options.empty === 'clear' && reading.reader.before !== undefined ? null : undefined
  const unsaid = Object.keys(part.fields).filter((name) => !columns.some(({ member }) => member?.name === name))
  const rest = had.map((one) => Object.fromEntries(unsaid.map((name) => [name, one[name]])))
  const isLost = rest.some((one) => Object.values(one).some((member) => member !== null && member !== undefined))
  if (isLost && had.length !== said.length)
    return reading.fault(
      { row: rows[0], column: first },
      `the record has ${had.length} of them, and the sheet no column for ${unsaid.join(', ')}`,
    )
  return said.map((one, index) => ({ ...(had.length === said.length ? rest[index] : {}), ...one }))
}

/** The measure of a row that has only a unit. */
function measureIn(row: CsvRow, columns: readonly InputColumn[]): Tree {
  const cellOf = (name: string) =>
    cellIn(
      row,
      columns.find(({ member }) => member?.name === name),
    ).trim()
  const [part] = columns.flatMap(({ member }) => member?.part ?? [])
  if (part === undefined || !isAmount(part) || cellOf('value') === '') return {}
  return measureFor(part, amountIn(cellOf('value'))?.unit ?? cellOf('unit'))
}

/** The members of a part in a row. */
function membersOf(reading: RowReader, row: CsvRow, columns: readonly InputColumn[]): Tree {
  const said: Record<string, unknown> = {}
  for (const column of columns) {
    const cell = cellIn(row, column)
    if (column.member === undefined || isEmpty(column, cell)) continue
    const { part, name } = column.member
    const amount = name === 'value' && isAmount(part) ? amountIn(cell) : undefined
    if (amount === undefined) said[name] = reading.tree({ row, column, cell, before: memberBefore(reading, column) })
    else takeAmount(reading, { row, column, part, cell, said })
  }
  return said
}

interface AmountAt {
  readonly row: CsvRow
  readonly column: InputColumn
  readonly part: PartField
  readonly cell: string
  readonly said: Record<string, unknown>
}

/** `12,5 kg` holds value and unit; a unit column may repeat the same unit. */
function takeAmount(reading: RowReader, { row, column, part, cell, said }: AmountAt): void {
  const fault = (message: string, allowed?: readonly string[]) => reading.fault({ row, column }, message, allowed)
  const spot = { fault, before: undefined }
  const amount = amountTree(part, cell, { reading: reading.readingOf(row, column), spot })
  const unitColumn = reading.sheet.columns.find(
    ({ member }) => member?.of === column.member?.of && member?.name === 'unit',
  )
  const unit = cellIn(row, unitColumn).trim()
  if (unit !== '' && unit !== amountIn(cell)?.unit)
    reading.fault({ row, column }, `has another unit than ${JSON.stringify(unit)} beside it`)
  Object.assign(said, amount)
}

/** The current value of a member, for a part that does not repeat. */
function memberBefore(reading: RowReader, { member }: InputColumn) {
  const before = member === undefined ? undefined : reading.beforeIn(member.of)
  const part = Array.isArray(before) && before.length === 1 ? before[0] : before
  return isTree(part) && member !== undefined ? (part[member.name] as never) : undefined
}
