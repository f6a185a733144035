import type { RecordType } from '../farm/farm.ts'
import type { OlderField, OlderPart } from '../farm/fields-of.ts'
import { type Field, type FieldKind, isMany, isWritable } from '../fields/field.ts'
import { shown as quoted } from '../fields/place.ts'
import type { PartValue, Value, Values } from '../fields/value.ts'
import { badQuery } from '../records/finding/filter.ts'
import { versionOf } from '../records/writing/draft.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { fieldLabel } from '../words/labelled.ts'
import { labelsOf } from '../words/words-of.ts'
import { type CellForm, cellOf, cellOfOlder } from './cells.ts'

/** The fields of a record in a sheet, by their name there. */
export type ShownFields = ReadonlyMap<string, OlderField>

export interface OutputRow {
  readonly record: StoredRecord
  readonly computed: Values
  readonly shown: ShownFields
  /** Set if each part has its own row. */
  readonly part?: PartValue | undefined
}

export interface OutputColumn {
  /** The field's name in records; a member of a part has a path: `movement.area`. */
  readonly name: string
  readonly label: string
  /** The field that it belongs to. */
  readonly of: string
  /** The computed field that it needs. */
  readonly computed?: string
  /** Shown only on request (`with`), by this word. */
  readonly onRequest?: string
  /** Missing if the column is no field. */
  readonly kind?: FieldKind
  readonly field?: Field
  /** People fill it in. */
  readonly isFilledIn?: boolean
  readonly cellIn: (row: OutputRow, form: CellForm) => string
}

interface ColumnLayout {
  readonly type: RecordType
  readonly edition: string
  /** The fields of each bundle in the sheet. */
  readonly shown: readonly ShownFields[]
  /** The repeated part that gets one row per value. */
  readonly rows: string | undefined
}

/** Last columns: author, times, and what an import needs. */
const lastColumns: readonly string[] = ['uid', 'created', 'changed']

/** All possible columns: the id first, then the fields in the order of the catalogue. */
export function columnsOf({ type, edition, shown, rows }: ColumnLayout): readonly OutputColumn[] {
  const fields = new Map(shown.toReversed().flatMap((each) => [...each]))
  const names = [...new Set(shown.flatMap((each) => [...each.keys()]))].filter((name) => name !== type.idName)
  const ordered = [
    ...names.filter((name) => !lastColumns.includes(name)),
    ...lastColumns.filter((name) => fields.has(name)),
  ]
  const inBundle = ordered.filter((name) => name === type.bundleName)
  const others = ordered.filter((name) => name !== type.bundleName)
  const columnsFor = (name: string) => columnsOfField(name, fields.get(name) as OlderField, rows)
  const label = fields.get(type.idName)?.field.label ?? 'ID'
  return withOwnLabels([
    { name: 'id', label, of: 'id', cellIn: ({ record }) => String(record.id) },
    ...[...inBundle, ...others].flatMap(columnsFor),
    { name: 'uuid', label: 'UUID', of: 'uuid', cellIn: ({ record }) => record.uuid },
    { name: 'version', label: 'Version', of: 'version', cellIn: ({ record }) => versionOf(record.revision, edition) },
  ])
}

function columnsOfField(name: string, { field }: OlderField, rows: string | undefined): readonly OutputColumn[] {
  if (field.kind === 'part' && isMany(field) && name === rows) return columnsOfPart(name, field, ({ part }) => part)
  if (field.kind === 'part' && !isMany(field)) {
    return columnsOfPart(name, field, (row) => valueIn(row, name) as PartValue | undefined)
  }
  const cellIn = (row: OutputRow, form: CellForm) => {
    const older = row.shown.get(name)
    return older === undefined ? '' : cellOfOlder(older, valueIn(row, name), form)
  }
  const computed = field.computed === undefined ? {} : { computed: name }
  const onRequest = field.onRequest === undefined ? {} : { onRequest: name }
  const isFilledIn = isWritable(field) && field.kind !== 'attachment'
  return [
    { name, label: field.label, of: name, kind: field.kind, field, ...computed, ...onRequest, isFilledIn, cellIn },
  ]
}

type PartIn = (row: OutputRow) => PartValue | undefined

const columnsOfPart = (name: string, part: OlderPart, partIn: PartIn): readonly OutputColumn[] =>
  Object.entries({ ...part.fields, ...part.requested }).map(([inside, field]) => ({
    name: `${name}.${inside}`,
    label: `${part.label}: ${field.label}`,
    of: name,
    kind: field.kind,
    field,
    ...(field.onRequest ? { onRequest: inside } : {}),
    isFilledIn: !field.onRequest && isWritable(part) && isWritable(field) && field.kind !== 'attachment',
    cellIn: (row, form) => cellOf(field, partIn(row)?.[inside], form),
  }))

/** The value of a field: stored, computed, or metadata; undefined if the record's bundle does not have it. */
export function valueIn({ record, computed, shown }: OutputRow, name: string): Value | undefined {
  const older = shown.get(name)
  if (older === undefined) return undefined
  const noted = notedOf(record)
  return Object.hasOwn(noted, name) ? noted[name] : (computed[older.own] ?? record.values[older.own])
}

const notedOf = ({ type, bundle, uid, created, changed }: StoredRecord): Values =>
  type === 'term' ? { vocabulary: bundle } : { type: bundle, uid, created, changed }

/** Adds the field name to labels that occur twice. */
function withOwnLabels(columns: readonly OutputColumn[]): readonly OutputColumn[] {
  const labels = columns.map(({ label }) => label)
  const isShared = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label)
  return columns.map((column) =>
    isShared(column.label) ? { ...column, label: `${column.label} (${column.name})` } : column,
  )
}

interface ColumnChoice {
  readonly fields: readonly string[] | undefined
  /** Requested fields that are shown only on request. */
  readonly with: readonly string[]
}

/** An import recognises its records by these, so every choice of columns includes them. */
const alongside: readonly string[] = ['uuid', 'version']

/** The requested columns; default: all but those shown only on request. */
export function chosenColumns(layout: ColumnLayout, wanted: ColumnChoice): readonly OutputColumn[] {
  requireRepeated(layout)
  const all = columnsOf(layout)
  if (wanted.fields === undefined)
    return all.filter(({ onRequest }) => onRequest === undefined || wanted.with.includes(onRequest))
  const names = [...wanted.fields, ...wanted.with, ...alongside]
  return [...new Set(names.flatMap((name) => columnsNamed(all, name)))]
}

/** The column of this name, or all columns of the part. */
export function columnsNamed(all: readonly OutputColumn[], asked: string): readonly OutputColumn[] {
  const found = all.filter(
    ({ name, of, onRequest }) => name === asked || onRequest === asked || (of === asked && onRequest === undefined),
  )
  if (found.length > 0) return found
  throw badQuery(
    'fields',
    `there is no column ${quoted(asked)}`,
    all.map(({ name }) => name),
  )
}

export function requireRepeated({ shown, rows }: ColumnLayout): void {
  if (rows === undefined) return
  const repeated = [...new Set(shown.flatMap(repeatedIn))]
  if (!repeated.includes(rows)) throw badQuery('rows', `there are no rows of ${quoted(rows)}`, repeated)
}

/** Names of repeated parts. */
export const repeatedIn = (fields: ShownFields): readonly string[] =>
  [...fields].flatMap(([name, { field }]) =>
    field.kind === 'part' && isMany(field) && isWritable(field) ? [name] : [],
  )

/** The same columns with labels of a language. */
export async function labelledIn(language: string, columns: readonly OutputColumn[]): Promise<readonly OutputColumn[]> {
  const labels = await labelsOf(language)
  if (labels === undefined) return columns
  return withOwnLabels(
    columns.map((column) => {
      const [name, inside] = column.name.split('.')
      const label = fieldLabel(labels.fields, name ?? '', ['log.', 'farm_asset.', 'taxonomy_term.', ''])
      if (label === undefined || inside === undefined) return { ...column, label: label ?? column.label }
      const inner = fieldLabel(labels.fields, inside, [`${name}.`, ''])
      return { ...column, label: inner === undefined ? column.label : `${label}: ${inner}` }
    }),
  )
}
