import type { RecordTypeName } from '../../farm/farm.ts'
import type { FieldOf } from '../../fields/field.ts'
import type { CellFaults } from '../../fields/kind.ts'
import type { Tree } from '../../fields/place.ts'
import { amountIn, numberBy } from '../../formats/csv/decimals.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { measureOfUnit } from '../../reports/units.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { KnownChoice } from '../../wire-1x/read-field.ts'
import { type CellMeaning, meaningOf } from '../../words/sheet-words.ts'
import type { InputColumn } from './headers.ts'
import { tagsOfRow } from './match-rows.ts'
import { type CellRules, partTrees } from './read-cell.ts'
import { cellIn, columnNamed, type SheetInput } from './sheet-input.ts'

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
  if (type === 'log') addAmounts(sheet, body, on)
  if (type === 'asset') addAnimal(sheet, body, on)
  addNotes(sheet, body, on)
  if (columnNamed(sheet, 'name') === undefined) {
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

/** Further amounts, each with the unit that its header or its cell says. */
function addAmounts(sheet: SheetInput, body: Record<string, unknown>, on: TopicContext): void {
  const amounts = topicsOf(sheet, 'amount').flatMap((column) => amountOf(column, on))
  if (amounts.length === 0) return
  const first = Array.isArray(body.quantity) ? body.quantity : []
  body.quantity = [...first, ...amounts]
}

export function amountOf(column: InputColumn, { row, readingOf, fault }: TopicContext): readonly Tree[] {
  const cell = cellIn(row, column).trim()
  if (cell === '') return []
  const { number, unit: written } = amountIn(cell) ?? { number: cell, unit: undefined }
  const value = numberBy(readingOf(row, column).sign, number)
  if (value === undefined) {
    fault(column, 'is not an amount')
    return []
  }
  const unit = written ?? column.topic?.unit
  const measure = measureOfUnit(unit ?? '') ?? column.topic?.measure
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

/** Ear tag and chip of a row, each a tag of its kind. */
const tagsIn = (sheet: SheetInput, row: CsvRow) =>
  (['tag', 'chip'] as const).flatMap((subject) => {
    const id = topicCell(sheet, row, subject)
    return id === '' ? [] : [{ id, type: subject === 'tag' ? 'Ear tag' : 'Chip' }]
  })

/** A body of an animal that is there, with the tags of its row that it does not have yet. */
export function withMoreTags(
  sheet: SheetInput,
  tree: Tree,
  { row, before }: { readonly row: CsvRow; readonly before: StoredRecord },
): Tree {
  const field = sheet.type.name === 'asset' ? sheet.type.bundles[before.bundle]?.fields.tag : undefined
  const tags = field?.kind === 'part' && tree.tag === undefined ? tagsIn(sheet, row) : []
  if (field?.kind !== 'part' || tags.length === 0) return tree
  const had = partTrees(field, before.values.tag)
  const more = tags.filter(({ id }) => !had.some((one) => one.id === id))
  return more.length === 0 ? tree : { ...tree, tag: [...had, ...more] }
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
function addNotes(sheet: SheetInput, body: Record<string, unknown>, { row }: TopicContext): void {
  const lines = topicsOf(sheet, 'more-notes').flatMap((column) => {
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
  const label = sheet.labels[bundle ?? ''] ?? sheet.type.bundles[bundle ?? '']?.label ?? ''
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
