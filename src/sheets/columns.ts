import type { RecordType } from '../farm/farm.ts'
import type { OlderField } from '../farm/fields-of.ts'
import { type FieldKind, type FieldOf, isMany, isWritable } from '../fields/field.ts'
import { shown as quoted } from '../fields/place.ts'
import type { PartValue, Value, Values } from '../fields/value.ts'
import { badQuery } from '../records/finding/filter.ts'
import { versionOf } from '../records/writing/draft.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { type CellForm, cellOf, cellOfOlder } from './cells.ts'

/** The fields that a sheet shows of a record, by the names that they have there. */
export type ShownFields = ReadonlyMap<string, OlderField>

export interface OutputRow {
  readonly record: StoredRecord
  readonly computed: Values
  readonly shown: ShownFields
  /** Where each part has a row of its own. */
  readonly part?: PartValue | undefined
}

export interface OutputColumn {
  /** As records show the field; inside of a part behind its name: `movement.area`. */
  readonly name: string
  readonly label: string
  /** The field that it is, or is a part of. */
  readonly of: string
  /** What is to be worked out for it. */
  readonly computed?: string
  /** Only for who asks for it. */
  readonly onRequest?: true
  /** Of what is no field, none. */
  readonly kind?: FieldKind
  /** People fill it in. */
  readonly isFilledIn?: boolean
  readonly cellIn: (row: OutputRow, form: CellForm) => string
}

interface ColumnLayout {
  readonly type: RecordType
  readonly edition: string
  /** The fields of each kind of record that the sheet is about. */
  readonly shown: readonly ShownFields[]
  /** The repeated part of which each one has a row. */
  readonly rows: string | undefined
}

/** What stands last: who wrote it and when, and what is needed to send it back. */
const lastColumns: readonly string[] = ['uid', 'created', 'changed']

/** All columns that there can be: which record it is first, then its fields in the order of the catalogue. */
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
  const onRequest = field.onRequest === undefined ? {} : { onRequest: field.onRequest }
  const isFilledIn = isWritable(field) && field.kind !== 'attachment'
  return [{ name, label: field.label, of: name, kind: field.kind, ...computed, ...onRequest, isFilledIn, cellIn }]
}

type PartIn = (row: OutputRow) => PartValue | undefined

const columnsOfPart = (name: string, part: FieldOf<'part'>, partIn: PartIn): readonly OutputColumn[] =>
  Object.entries(part.fields).map(([inside, field]) => ({
    name: `${name}.${inside}`,
    label: `${part.label}: ${field.label}`,
    of: name,
    kind: field.kind,
    isFilledIn: isWritable(field) && field.kind !== 'attachment',
    cellIn: (row, form) => cellOf(field, partIn(row)?.[inside], form),
  }))

/** The value of a field, be it the record's own, worked out, or noted by the service; none where it is not shown of this record. */
export function valueIn({ record, computed, shown }: OutputRow, name: string): Value | undefined {
  const older = shown.get(name)
  if (older === undefined) return undefined
  const noted = notedOf(record)
  return Object.hasOwn(noted, name) ? noted[name] : (computed[older.own] ?? record.values[older.own])
}

const notedOf = ({ type, bundle, uid, created, changed }: StoredRecord): Values =>
  type === 'term' ? { vocabulary: bundle } : { type: bundle, uid, created, changed }

/** Where two columns would have one label, each says what it is called by programs. */
function withOwnLabels(columns: readonly OutputColumn[]): readonly OutputColumn[] {
  const labels = columns.map(({ label }) => label)
  const isShared = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label)
  return columns.map((column) =>
    isShared(column.label) ? { ...column, label: `${column.label} (${column.name})` } : column,
  )
}

interface ColumnChoice {
  readonly fields: readonly string[] | undefined
  /** What is shown only on request, and is asked for. */
  readonly with: readonly string[]
}

/** A sheet that comes back is known by these, whatever else is chosen. */
const alongside: readonly string[] = ['uuid', 'version']

/** The columns that somebody has asked for; without a wish all, but for what is shown only on request. */
export function chosenColumns(layout: ColumnLayout, wanted: ColumnChoice): readonly OutputColumn[] {
  requireRepeated(layout)
  const all = columnsOf(layout)
  if (wanted.fields === undefined) return all.filter(({ of, onRequest }) => !onRequest || wanted.with.includes(of))
  const names = [...wanted.fields, ...wanted.with, ...alongside]
  return [...new Set(names.flatMap((name) => columnsNamed(all, name)))]
}

/** Of these columns the one, or those of the part, that are called so. */
export function columnsNamed(all: readonly OutputColumn[], asked: string): readonly OutputColumn[] {
  const found = all.filter(({ name, of }) => name === asked || of === asked)
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

/** The names of the parts that a record can have several of. */
export const repeatedIn = (fields: ShownFields): readonly string[] =>
  [...fields].flatMap(([name, { field }]) => (field.kind === 'part' && isMany(field) ? [name] : []))
