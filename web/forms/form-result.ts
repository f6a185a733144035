import type { CatalogueField, CatalogueFields } from '../../src/doors/app/documents.ts'
import type { LocalChange, NewPhoto } from '../store/outbox-entry.ts'
import type { RecordFields } from '../store/record.ts'
import { say } from '../words/say.ts'
import { type FieldFault, listOf } from './control.ts'
import { type FieldReading, fieldKinds, type ReadValues, type ValueRules } from './field-kinds.tsx'
import { isEmpty } from './field-value.ts'
import { type FormSubject, isEditable } from './form-fields.ts'

/** Result of a form. `changes` is empty if nothing differs. */
export interface FormResult {
  readonly uuid: string
  readonly name: string
  readonly changes: readonly LocalChange[]
  readonly photos: readonly NewPhoto[]
}

interface FormInput {
  readonly subject: FormSubject
  readonly fields: CatalogueFields
  readonly uuid: string
  readonly values: RecordFields
}

type FormOutcome =
  | { readonly faults: readonly FieldFault[]; readonly written: null }
  | { readonly faults: null; readonly written: FormResult }

/** Validates the values by the catalogue, and returns changes of the fields that differ. */
export function formResult({ subject, fields, uuid, values }: FormInput, by: ValueRules): FormOutcome {
  const editable = only(fields, (name) => isEditable(name, fields[name] as CatalogueFields[string]))
  const stored = { ...values, ...withoutNewFiles(editable, values) }
  const photos = newFiles(editable, values, uuid)
  const name = String(values.name ?? '')
  const { type, bundle, record } = subject
  if (record === null) {
    const { values: read, faults } = readValues(editable, stored, by)
    if (faults.length > 0) return { faults, written: null }
    return {
      faults: null,
      written: {
        uuid,
        name,
        photos,
        changes: [{ verb: 'make', type, bundle, uuid, fields: { ...unowned(editable), ...read } }],
      },
    }
  }
  const before = { name: record.name, ...record.fields }
  const touched = only(editable, (field) => field in changedFields(editable, before, stored))
  const { values: read, faults } = readValues(touched, stored, by)
  if (faults.length > 0) return { faults, written: null }
  const changed = changedFields(touched, before, read)
  const changes: readonly LocalChange[] =
    Object.keys(changed).length === 0 ? [] : [{ verb: 'change', type, uuid, fields: changed, read: record }]
  return { faults: null, written: { uuid, name, photos, changes } }
}

/** Explicitly nobody: without the field the farm would assign the author. */
const unowned = (fields: CatalogueFields): RecordFields => ('log_owner' in fields ? { log_owner: [] } : {})

const only = (fields: CatalogueFields, isWanted: (name: string) => boolean): CatalogueFields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)))

const attachments = (fields: CatalogueFields): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.kind === 'attachment')

function withoutNewFiles(fields: CatalogueFields, values: RecordFields): RecordFields {
  const stored = attachments(fields).map((name) => [name, listOf(values[name]).filter((one) => !(one instanceof Blob))])
  return Object.fromEntries(stored)
}

/** New photos and files are sent separately, after the record. */
function newFiles(fields: CatalogueFields, values: RecordFields, record: string): readonly NewPhoto[] {
  return attachments(fields).flatMap((name) =>
    listOf(values[name])
      .filter((one) => one instanceof Blob)
      .map((file): NewPhoto => ({ record, field: name === 'images' ? 'images' : 'files', file })),
  )
}

/** Only the fields that differ from the record as read; null for cleared ones. */
function changedFields(fields: CatalogueFields, before: RecordFields, after: RecordFields): RecordFields {
  const changed = Object.entries(fields).filter(
    ([name, field]) => written(before[name], field) !== written(after[name], field),
  )
  return Object.fromEntries(changed.map(([name]) => [name, after[name] ?? null]))
}

/** Canonical text of a value, to compare different spellings. */
function written(value: unknown, field: CatalogueField): string {
  if (isEmpty(value)) return field.kind === 'yes-no' ? 'false' : ''
  if (field.kind === 'yes-no') return String(value === true || value === '1')
  return JSON.stringify(plain(value))
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !isEmpty(one)).map(plain)
  if (value instanceof Blob) return { new: value.size }
  if (typeof value !== 'object' || value === null) return value
  const { id, name, uuid } = value as Readonly<Record<string, unknown>>
  // A reference compares by number, else UUID, else name. A tag has an `id` next to other members.
  const isReference = Object.keys(value).every((key) => key === 'id' || key === 'name' || key === 'uuid')
  if (isReference) return id !== undefined ? { id } : uuid !== undefined ? { uuid } : { name }
  const entries = Object.entries(value).filter(([, one]) => !isEmpty(one))
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, one]) => [key, plain(one)]),
  )
}

/** Reads all values of a form; the path of a fault begins with its field: "quantity[1].value". */
export function readValues(fields: CatalogueFields, values: RecordFields, rules: ValueRules): ReadValues {
  const faults: FieldFault[] = []
  const read = Object.entries(fields).flatMap(([name, field]) => {
    const one = readField(values[name], {
      ...rules,
      field,
      readFields: readValues,
      fault: (words, at = '') => {
        faults.push({ at: joined(name, at), words })
        return undefined
      },
    })
    return one === undefined ? [] : [[name, one] as const]
  })
  return { values: Object.fromEntries(read), faults }
}

const joined = (step: string, rest: string): string =>
  rest === '' || rest.startsWith('[') ? step + rest : `${step}.${rest}`

function readField(value: unknown, reading: FieldReading): unknown {
  const { field, fault } = reading
  const read = field.many === true ? readList(value, reading) : readOne(value, reading)
  if (read === undefined && field.required === true && isEmpty(value)) return fault(say('form.fault.required'))
  return read
}

function readOne(value: unknown, reading: FieldReading): unknown {
  return isEmpty(value) ? undefined : fieldKinds[reading.field.kind].read(value, reading)
}

/** Drops empty rows. */
function readList(value: unknown, reading: FieldReading): readonly unknown[] | undefined {
  const rows = (Array.isArray(value) ? value : [value]).filter((row) => !isEmpty(row))
  const read = rows.flatMap((row, index) => {
    const one = readOne(row, { ...reading, fault: (words, at = '') => reading.fault(words, `[${index}]${dotted(at)}`) })
    return one === undefined ? [] : [one]
  })
  return read.length === 0 ? undefined : read
}

const dotted = (at: string): string => (at === '' || at.startsWith('[') ? at : `.${at}`)
