import { once } from '../../../../farm/fields-of.ts'
import { isMany, type PartField } from '../../../../fields/field.ts'
import { isTree, type Tree } from '../../../../fields/place.ts'
import { amountIn } from '../../../../formats/csv/decimal-sign.ts'
import type { CsvRow } from '../../../../formats/csv/read-csv.ts'
import type { BodyReading } from './body-reading.ts'
import type { Column } from './columns.ts'
import { amountTree, isAmount, measureFor, partTrees } from './plain-parts.ts'
import { cellIn, isEmpty, type RowGroup, type Sheet } from './sheet.ts'

/** A part whose members have columns of their own. */
interface SpreadPart {
  readonly name: string
  readonly part: PartField
  readonly columns: readonly Column[]
  /** As the record has them. */
  readonly had: readonly Tree[]
}

/** The parts that have a column for each member, by name; those of which nothing is said are left out. */
export function membersIn(reading: BodyReading, group: RowGroup): ReadonlyMap<string, unknown> {
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

const spreadParts = (reading: BodyReading): readonly SpreadPart[] =>
  partsOfColumns(reading.sheet).map((one) => ({ ...one, had: partTrees(one.part, reading.beforeIn(one.name)) }))

const partsOfColumns = once((sheet: Sheet): readonly Omit<SpreadPart, 'had'>[] => {
  const parts = new Map<string, Column[]>()
  for (const column of sheet.columns) {
    if (column.member !== undefined) parts.set(column.member.of, [...(parts.get(column.member.of) ?? []), column])
  }
  return [...parts].flatMap(([name, columns]) => {
    const part = columns[0]?.member?.part
    return part === undefined ? [] : [{ name, part, columns }]
  })
})

/** One part, which keeps what no cell says. */
function onePart(reading: BodyReading, row: CsvRow, { name, part, columns, had }: SpreadPart): unknown {
  const { empty } = reading.sheet.options
  const said = { ...(had.length === 0 ? measureIn(row, columns) : {}), ...membersOf(reading, row, columns) }
  const clears = empty === 'clear' && reading.reader.before !== undefined
  if (Object.keys(said).length === 0 && !clears) return undefined
  const [first] = columns
  if (had.length > 1 && first !== undefined)
    return reading.fault(
      { row, column: first },
      `the record has ${had.length} of them; send the sheet with rows=${name}, a row for each`,
    )
  const cleared = clears ? Object.fromEntries(columns.map(({ member }) => [member?.name ?? '', null])) : {}
  const tree = { ...had[0], ...cleared, ...said }
  if (Object.values(tree).every((member) => member === null)) return null
  return isMany(part) ? [tree] : tree
}

/** A part for each row: it is what the row says of it. What has no column stays as it is. */
function eachRow(reading: BodyReading, { rows }: RowGroup, { columns, had, part }: SpreadPart): unknown {
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

/** The measure that a row does not say, by the unit that it says. */
function measureIn(row: CsvRow, columns: readonly Column[]): Tree {
  const cellOf = (name: string) =>
    cellIn(
      row,
      columns.find(({ member }) => member?.name === name),
    ).trim()
  const [part] = columns.flatMap(({ member }) => member?.part ?? [])
  if (part === undefined || !isAmount(part) || cellOf('value') === '') return {}
  return measureFor(part, amountIn(cellOf('value'))?.unit ?? cellOf('unit'))
}

/** What a row says of a part. */
function membersOf(reading: BodyReading, row: CsvRow, columns: readonly Column[]): Tree {
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
  readonly column: Column
  readonly part: PartField
  readonly cell: string
  readonly said: Record<string, unknown>
}

/** `12,5 kg` says two things; the unit may stand in its own column, too, if it is the same there. */
function takeAmount(reading: BodyReading, { row, column, part, cell, said }: AmountAt): void {
  const fault = (message: string, allowed?: readonly string[]) => reading.fault({ row, column }, message, allowed)
  const spot = { fault, before: undefined }
  const amount = amountTree(part, cell, { reading: reading.readingOf(column), spot })
  const unitColumn = reading.sheet.columns.find(
    ({ member }) => member?.of === column.member?.of && member?.name === 'unit',
  )
  const unit = cellIn(row, unitColumn).trim()
  if (unit !== '' && unit !== amountIn(cell)?.unit)
    reading.fault({ row, column }, `has another unit than ${JSON.stringify(unit)} beside it`)
  Object.assign(said, amount)
}

/** Of a part that there is one of: what its member says so far. */
function memberBefore(reading: BodyReading, { member }: Column) {
  const before = member === undefined ? undefined : reading.beforeIn(member.of)
  const part = Array.isArray(before) && before.length === 1 ? before[0] : before
  return isTree(part) && member !== undefined ? (part[member.name] as never) : undefined
}
