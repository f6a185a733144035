import type { RecordTypeName } from '../../farm/farm.ts'
import { fieldsOf, olderFields, once } from '../../farm/fields-of.ts'
import type { FieldOf } from '../../fields/field.ts'
import type { CellFaults } from '../../fields/kind.ts'
import { isTree, type Tree } from '../../fields/place.ts'
import { dayWrittenIn, inNumbers } from '../../formats/csv/dates.ts'
import { amountIn, numberBy } from '../../formats/csv/decimals.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { KnownChoice } from '../../wire-1x/read-field.ts'
import { type CellMeaning, meaningOf } from '../../words/sheet-words.ts'
import { separateValues } from '../cells.ts'
import type { InputColumn } from './headers.ts'
import { tagsOfRow } from './match-rows.ts'
import { type CellRules, measureMeant, partTrees } from './read-cell.ts'
import { cellIn, columnFor, columnNamed, type SheetInput } from './sheet-input.ts'

/** What is needed to read the cells of one row that makes a record. */
interface TopicContext {
  readonly row: CsvRow
  readonly bundle: string | undefined
  readonly referred: CellRules['referred']
  readonly readingOf: (row: CsvRow, column: InputColumn) => Pick<CellRules, 'sign'>
  readonly fault: (column: InputColumn, message: string) => undefined
}

/** The body of a new record with what columns say that are no field alone, and with a name where it has none. */
export function withTopics(sheet: SheetInput, tree: Tree, on: TopicContext): Tree {
  const body: Record<string, unknown> = { ...tree }
  const type = sheet.type.name
  if (type === 'log') addPlace(sheet, body, on)
  if (type === 'log') addAmounts(sheet, body, on)
  if (type === 'asset') addAnimal(sheet, body, on)
  addNotes(sheet, body, on)
  if (body.name === undefined && (columnNamed(sheet, 'name') === undefined || tagsIn(sheet, on.row).length > 0)) {
    const name = composedName(sheet, on)
    if (name !== '') body.name = name
  }
  return body
}

export const topicsOf = ({ columns }: Pick<SheetInput, 'columns'>, subject: string): readonly InputColumn[] =>
  columns.filter(({ topic }) => topic?.subject === subject)

/** What stands under a subject in a row; empty where nothing does. */
export function topicCell(sheet: Pick<SheetInput, 'columns'>, row: CsvRow, subject: string): string {
  for (const column of topicsOf(sheet, subject)) {
    const cell = cellIn(row, column).trim()
    if (cell !== '') return cell
  }
  return ''
}

/** The time of day that a column beside the day says. */
function clockIn(sheet: SheetInput, row: CsvRow): string | undefined {
  const said = /^(\d{1,2})[:.](\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?)(?:\s*(?:uhr|hs?|hrs))?$/i
  const [, hour, rest] = said.exec(topicCell(sheet, row, 'clock')) ?? []
  return hour === undefined ? undefined : `${hour}:${rest}`
}

/** A day with the time that stands beside it. */
export function withClock(sheet: SheetInput, { row, column }: { row: CsvRow; column: InputColumn }): string {
  const cell = cellIn(row, column)
  const clock = column.name === 'timestamp' ? clockIn(sheet, row) : undefined
  const day = inNumbers(cell)
  return clock !== undefined && dayWrittenIn(cell) === day ? `${day} ${clock}` : cell
}

/** A column of a mixed diary that the type of this row has no field for: its cell belongs to the notes. */
export const isOfOtherKind = (sheet: SheetInput, bundle: string | undefined, { name, use }: InputColumn): boolean =>
  use === 'value' && bundle !== undefined && kindColumn(sheet) !== undefined && !fieldsOfKinds(sheet)(bundle).has(name)

/** The column that says what each row is by the words of people. */
const kindColumn = (sheet: SheetInput): InputColumn | undefined => {
  const column = columnFor(sheet, 'bundle')
  return sheet.type.name === 'log' && column?.because !== 'name' ? column : undefined
}

const fieldsOfKinds = once((sheet: SheetInput) => {
  const known = new Map<string, ReadonlySet<string>>()
  return (bundle: string): ReadonlySet<string> => {
    const own = sheet.type.bundles[bundle]
    const fields =
      known.get(bundle) ?? new Set(own && [...olderFields(fieldsOf(sheet.type, own))].map(([name]) => name))
    known.set(bundle, fields)
    return fields
  }
})

/** A seeding took place where it moved its planting to. */
function addPlace(sheet: SheetInput, body: Record<string, unknown>, { row, bundle }: TopicContext): void {
  const column = columnNamed(sheet, 'area')
  const name = cellIn(row, column).trim()
  if (column === undefined || name === '' || !isOfOtherKind(sheet, bundle, column)) return
  body.movement ??= { area: separateValues(name).map((one) => ({ name: one })) }
}

/** Further amounts, each with the unit that its header or its cell says. */
function addAmounts(sheet: SheetInput, body: Record<string, unknown>, on: TopicContext): void {
  const amounts = topicsOf(sheet, 'amount').flatMap((column) => amountOf(column, on))
  if (amounts.length === 0) return
  const first = Array.isArray(body.quantity) ? body.quantity : []
  body.quantity = [...first, ...amounts]
}

export function amountOf(column: InputColumn, { row, readingOf, fault }: TopicContext): readonly Tree[] {
  const cell = cellIn(row, column).trim()
  if (cell === '' || /^(?:[-–—/.]+|n\.?\/?a\.?|k\.?\s?a\.?)$/i.test(cell)) return []
  const { number, unit: written } = amountIn(cell) ?? { number: cell, unit: undefined }
  const value = numberBy(readingOf(row, column).sign, number)
  if (value === undefined || isRemark(column, written)) {
    if (column.topic?.label === undefined) fault(column, 'is not an amount')
    return []
  }
  const unit = written ?? column.topic?.unit
  const measure = measureMeant(unit ?? '') ?? column.topic?.measure
  const label = column.topic?.label
  return [
    {
      value,
      ...(measure === undefined ? {} : { measure }),
      ...(unit === undefined ? {} : { unit: { name: unit } }),
      ...(label === undefined ? {} : { label }),
    },
  ]
}

/** `8 NE` under `Wind (km/h)` is more than an amount. */
const isRemark = ({ topic }: InputColumn, written: string | undefined): boolean =>
  written !== undefined && topic?.label !== undefined && measureMeant(written) !== topic.measure

/** Ear tag and chip of a row, each a tag of its kind. */
const tagsIn = (sheet: SheetInput, row: CsvRow) =>
  (['tag', 'chip'] as const).flatMap((subject) => {
    const id = topicCell(sheet, row, subject)
    return id === '' ? [] : [{ id, type: subject === 'tag' ? 'Ear tag' : 'Chip' }]
  })

/** A body of an animal that is there, with the tags of its row that it does not have yet. */
export function withMoreTags(
  sheet: SheetInput,
  read: Tree,
  { row, before }: { readonly row: CsvRow; readonly before: StoredRecord },
): Tree {
  const field = sheet.type.name === 'asset' ? sheet.type.bundles[before.bundle]?.fields.tag : undefined
  const tree = withKeptNotes(sheet, read, before)
  const tags = field?.kind === 'part' && tree.tag === undefined ? tagsIn(sheet, row) : []
  if (field?.kind !== 'part' || tags.length === 0) return tree
  const had = partTrees(field, before.values.tag)
  const more = tags.filter(({ id }) => !had.some((one) => one.id === id))
  return more.length === 0 ? tree : { ...tree, tag: [...had, ...more] }
}

/** A register that comes again adds its remarks to those that an animal has. */
function withKeptNotes({ options }: SheetInput, tree: Tree, { values }: StoredRecord): Tree {
  const { description, ...rest } = tree
  const had = isTree(values.description) ? String(values.description.value ?? '') : ''
  if (options.again !== '0' || typeof description !== 'string' || had === '') return tree
  return had.includes(description.trim()) ? rest : { ...rest, description: `${had}\n${description}` }
}

/** Ear tag and chip are two tags, mother and father both parents; a wether is a castrated male. */
function addAnimal(sheet: SheetInput, body: Record<string, unknown>, on: TopicContext): void {
  const tags = tagsIn(sheet, on.row)
  if (tags.length > 0 && body.tag === undefined) body.tag = tags
  const field = sheet.type.bundles[on.bundle ?? '']?.fields.parent
  const parents = (['mother', 'father'] as const).flatMap((subject) => parentOf(sheet, on, { subject, field }))
  if (parents.length > 0 && body.parent === undefined) body.parent = parents
}

interface ParentColumn {
  readonly subject: 'mother' | 'father'
  readonly field: unknown
}

function parentOf(
  sheet: SheetInput,
  { row, referred }: TopicContext,
  { subject, field }: ParentColumn,
): readonly unknown[] {
  const cell = topicCell(sheet, row, subject)
  if (cell === '' || field === undefined) return []
  // An animal that the farm never had stays a note.
  const quiet: CellFaults = { fault: () => undefined, before: undefined }
  const found = referred(field as FieldOf<'reference'>, cell, quiet)
  return found === undefined ? [] : [found]
}

/** Each cell of a column that no field takes, behind its header. */
function addNotes(sheet: SheetInput, body: Record<string, unknown>, on: TopicContext): void {
  const { row } = on
  const isUnused = (column: InputColumn) =>
    column.topic?.subject === 'more-notes' ||
    (column.name !== 'area' && isOfOtherKind(sheet, on.bundle, column)) ||
    (column.topic?.label !== undefined && amountOf(column, on).length === 0) ||
    (column.topic?.subject === 'reason' && topicCell(sheet, row, 'departure') === '' && !saysGone(sheet, row)) ||
    (column.topic?.subject === 'clock' && clockIn(sheet, row) === undefined) ||
    (column.topic?.subject === 'came_by' &&
      meaningOf(topicCell(sheet, row, 'came_by'), cameWords, sheet.languages) === undefined)
  const lines = sheet.columns.filter(isUnused).flatMap((column) => {
    const cell = cellIn(row, column).trim()
    return cell === '' ? [] : [`${column.header.trim()}: ${cell}`]
  })
  const unknown = (['mother', 'father'] as const).flatMap((subject) => {
    const [column] = topicsOf(sheet, subject)
    const cell = topicCell(sheet, row, subject)
    const isMissing = cell !== '' && !(Array.isArray(body.parent) && body.parent.length > 0)
    return column !== undefined && isMissing ? [`${column.header.trim()}: ${cell}`] : []
  })
  if (lines.length + unknown.length === 0) return
  const name = sheet.type.name === 'log' ? 'notes' : 'description'
  body[name] = [...(typeof body[name] === 'string' ? [body[name]] : []), ...lines, ...unknown].join('\n')
}

const saysGone = (sheet: SheetInput, row: CsvRow): boolean =>
  meaningOf(topicCell(sheet, row, 'reason'), ['sold', 'died', 'slaughtered'], sheet.languages) !== undefined

/** Words for how an animal came that a log says. */
export const cameWords: readonly CellMeaning[] = ['born', 'bought']

const longestName = 255

/** What a record without a name is called: an animal by its tag, a log by its type and what it is about. */
function composedName(sheet: SheetInput, { row, bundle }: TopicContext): string {
  const cells = (...subjects: readonly string[]) =>
    subjects.map((one) => topicCell(sheet, row, one)).filter((one) => one !== '')
  if (sheet.type.name === 'term') return ''
  if (sheet.type.name === 'asset') {
    const named =
      cells('tag', 'chip')[0] ??
      tagsOfRow(sheet, row)[0] ??
      [cellIn(row, columnNamed(sheet, 'crop')).trim(), ...cells('variety')].filter(Boolean).join(' ')
    return named.slice(0, longestName)
  }
  const kind = cellIn(row, kindColumn(sheet)).trim()
  const label = (kind || sheet.labels[bundle ?? '']) ?? sheet.type.bundles[bundle ?? '']?.label ?? ''
  const about = [
    ...cells('crop', 'variety'),
    ...['asset', 'area', 'movement.area', 'material'].map((name) => cellIn(row, columnNamed(sheet, name)).trim()),
  ].filter((one) => one !== '')
  return [label, about[0] ?? ''].join(' ').trim().slice(0, longestName)
}

const meaningsOf: Readonly<Record<string, readonly CellMeaning[]>> = {
  done: ['done', 'planned', 'abandoned'],
  animal_sex: ['female', 'male', 'castrated'],
  animal_castrated: ['done', 'planned', 'castrated'],
}

/** What a word of a person means in a field that knows other words; undefined where the field reads it itself. */
export function meantBy(
  { type, languages }: Pick<SheetInput, 'languages'> & { readonly type: { readonly name: RecordTypeName } },
  field: string,
  cell: string,
): unknown {
  const among = meaningsOf[field]
  const meaning = among === undefined || type.name === 'term' ? undefined : meaningOf(cell, among, languages)
  switch (meaning) {
    case 'done':
      return true
    case 'planned':
      return false
    case 'abandoned':
      return new KnownChoice('abandoned')
    case 'female':
      return 'F'
    case 'male':
      return 'M'
    case 'castrated':
      return field === 'animal_castrated' ? true : 'M'
    default:
      return undefined
  }
}

/** Whether a row says by the word for its animal that it is castrated. */
export const isCastrated = (sheet: SheetInput, row: CsvRow): boolean =>
  meaningOf(cellIn(row, columnNamed(sheet, 'animal_sex')), ['female', 'male', 'castrated'], sheet.languages) ===
  'castrated'
