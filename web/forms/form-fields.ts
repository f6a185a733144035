import type { CatalogueField, CatalogueFields } from '../../src/doors/app/documents.ts'
import { bundleOf } from '../look/names.ts'
import { me } from '../store/local-copy.ts'
import type { LocalRecord, LocalRecordType, RecordFields } from '../store/record.ts'
import type { FormReference } from './reference.tsx'

/** Subject of a form: an existing record, or a new one. */
export interface FormSubject {
  readonly type: LocalRecordType
  readonly bundle: string
  readonly record: LocalRecord | null
}

export function typeOfBundle(bundle: string): LocalRecordType | null {
  const types: readonly LocalRecordType[] = ['log', 'asset', 'term']
  return types.find((type) => bundleOf({ type, bundle }) !== undefined) ?? null
}

/** Fields of the catalogue. A reference of a vocabulary to itself gets the vocabulary's name. */
export function fieldsOf(subject: Pick<FormSubject, 'type' | 'bundle'>): CatalogueFields {
  const fields = Object.entries(bundleOf(subject)?.fields ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, withinNamed(field, subject.bundle)]))
}

const withinNamed = (field: CatalogueField, bundle: string): CatalogueField =>
  field.within === 'own' ? { ...field, within: [bundle] } : field

/** Initial values; the name is one of the fields. */
export function valuesAtFirst({ type, record }: FormSubject, given: RecordFields): RecordFields {
  if (record !== null) return { name: record.name, ...record.fields, ...given }
  return type === 'log' ? { timestamp: 'now', done: '1', ...ownersAtFirst(), ...given } : given
}

/** The farm assigns a log to its author by default, so the form shows the author. */
function ownersAtFirst(): RecordFields {
  const account = me.peek()?.account
  return account === undefined ? {} : { log_owner: [{ id: account.id }] }
}

/** The type is chosen before the form opens; archiving has its own button. */
const notEditable: ReadonlySet<string> = new Set(['type', 'vocabulary', 'archived', 'uuid', 'version'])

export const isEditable = (name: string, { read_only, computed }: CatalogueField): boolean =>
  read_only === undefined && computed === undefined && !notEditable.has(name)

interface Order {
  readonly first: readonly string[]
  readonly more: readonly string[]
}

/** Fields users look for first, in this order; the only ones shown first if the farm has no such record yet. */
const usual: readonly string[] = [
  ...['name', 'timestamp', 'done', 'area_type', 'parent', 'asset', 'area', 'movement', 'quantity'],
  ...['notes', 'description', 'geofield', 'images'],
]

/** Technical fields, always last. */
const seldom: ReadonlySet<string> = new Set(['data', 'weight'])

/** Order: required fields, fields this farm uses, the rest; within each the usual ones first, then catalogue order. */
export function orderOf(fields: CatalogueFields, used: ReadonlySet<string>): Order {
  const preferred = used.size === 0 ? new Set(usual) : used
  const editable = Object.entries(fields).filter(([name, field]) => isEditable(name, field))
  const isFirst = ([name, { required }]: [string, CatalogueField]) =>
    required === true || (preferred.has(name) && !seldom.has(name))
  const sorted = editable.toSorted(
    ([one, first], [other, second]) =>
      Number(second.required === true) - Number(first.required === true) || placeOf(one) - placeOf(other),
  )
  return {
    first: sorted.filter(isFirst).map(([name]) => name),
    more: sorted.filter((entry) => !isFirst(entry)).map(([name]) => name),
  }
}

const placeOf = (name: string): number => (usual.includes(name) ? usual.indexOf(name) : usual.length)

/** Fields with a value in some of the records. "No" does not count as a value. */
export function fieldsUsedIn(records: Iterable<{ readonly fields: RecordFields }>): ReadonlySet<string> {
  const used = new Set<string>()
  for (const { fields } of records)
    for (const [name, value] of Object.entries(fields)) if (value !== false && value !== '0') used.add(name)
  return used
}

/** Values from the address: "asset=5,7&done=0". Parts and geometries are not supported. */
export function valuesInQuery(query: URLSearchParams, fields: CatalogueFields): RecordFields {
  const given = [...query].flatMap(([name, text]) => {
    const field = fields[name]
    const value = field === undefined || !isEditable(name, field) ? undefined : spelled(text, field)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}

function spelled(text: string, { kind, many }: CatalogueField): unknown {
  const words = text.split(',').filter((word) => word !== '')
  if (kind === 'reference') return many === true ? words.map(reference) : words.map(reference)[0]
  if (kind === 'part' || kind === 'geometry' || kind === 'attachment' || kind === 'period') return undefined
  if (kind === 'rich-text') return { value: text }
  if (kind === 'yes-no') return text === '1' ? '1' : '0'
  return many === true ? words : text
}

const reference = (word: string): FormReference => (word.includes('-') ? { uuid: word } : { id: word })
