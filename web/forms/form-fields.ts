import type { CatalogueField, CatalogueFields } from '../../src/doors/app/documents.ts'
import { bundleOf } from '../look/names.ts'
import { me } from '../store/local-copy.ts'
import type { KeptRecord, KeptRecordType, RecordFields } from '../store/record.ts'
import type { FormReference } from './reference.tsx'

/** What a form is about: a record as it was read, or one that is still to be made. */
export interface FormSubject {
  readonly type: KeptRecordType
  readonly bundle: string
  readonly record: KeptRecord | null
}

/** Which type of record has this bundle. */
export function typeOfBundle(bundle: string): KeptRecordType | null {
  const types: readonly KeptRecordType[] = ['log', 'asset', 'term']
  return types.find((type) => bundleOf({ type, bundle }) !== undefined) ?? null
}

/** As the catalogue has them, with what a vocabulary refers to in itself said by its name. */
export function fieldsOf(subject: Pick<FormSubject, 'type' | 'bundle'>): CatalogueFields {
  const fields = Object.entries(bundleOf(subject)?.fields ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, withinNamed(field, subject.bundle)]))
}

const withinNamed = (field: CatalogueField, bundle: string): CatalogueField =>
  field.within === 'own' ? { ...field, within: [bundle] } : field

/** What stands in a form at first; the name is a field like any other there. */
export function valuesAtFirst({ type, record }: FormSubject, given: RecordFields): RecordFields {
  if (record !== null) return { name: record.name, ...record.fields, ...given }
  return type === 'log' ? { timestamp: 'now', done: '1', ...ownersAtFirst(), ...given } : given
}

/** The farm assigns a log to its author where nobody says otherwise: the form shows it. */
function ownersAtFirst(): RecordFields {
  const account = me.peek()?.account
  return account === undefined ? {} : { log_owner: [{ id: account.id }] }
}

/** The type is chosen before the form opens; archiving is a button of its own. */
const notAsked: ReadonlySet<string> = new Set(['type', 'vocabulary', 'archived', 'uuid', 'version'])

export const isAsked = (name: string, { read_only, computed }: CatalogueField): boolean =>
  read_only === undefined && computed === undefined && !notAsked.has(name)

interface Order {
  readonly first: readonly string[]
  readonly more: readonly string[]
}

/** What people look for first, in this order; and all that is asked at first where a farm has no such record yet. */
const usual: readonly string[] = [
  ...['name', 'timestamp', 'done', 'area_type', 'parent', 'asset', 'area', 'movement', 'quantity'],
  ...['notes', 'description', 'geofield', 'images'],
]

/** For programs, and for the order of terms: nobody looks for them first. */
const seldom: ReadonlySet<string> = new Set(['data', 'weight'])

/** What is required, then what this farm uses, then the rest; within each what is usual, then as the catalogue has it. */
export function orderOf(fields: CatalogueFields, used: ReadonlySet<string>): Order {
  const wanted = used.size === 0 ? new Set(usual) : used
  const asked = Object.entries(fields).filter(([name, field]) => isAsked(name, field))
  const isFirst = ([name, { required }]: [string, CatalogueField]) =>
    required === true || (wanted.has(name) && !seldom.has(name))
  const sorted = asked.toSorted(
    ([one, first], [other, second]) =>
      Number(second.required === true) - Number(first.required === true) || placeOf(one) - placeOf(other),
  )
  return {
    first: sorted.filter(isFirst).map(([name]) => name),
    more: sorted.filter((entry) => !isFirst(entry)).map(([name]) => name),
  }
}

const placeOf = (name: string): number => (usual.includes(name) ? usual.indexOf(name) : usual.length)

/** The fields that some of these records say something in. A no says as little as nothing. */
export function fieldsUsedIn(records: Iterable<{ readonly fields: RecordFields }>): ReadonlySet<string> {
  const used = new Set<string>()
  for (const { fields } of records)
    for (const [name, value] of Object.entries(fields)) if (value !== false && value !== '0') used.add(name)
  return used
}

/** What an address fills in: "asset=5,7&done=0". Parts and shapes are not spelled there. */
export function valuesInQuery(query: URLSearchParams, fields: CatalogueFields): RecordFields {
  const given = [...query].flatMap(([name, text]) => {
    const field = fields[name]
    const value = field === undefined || !isAsked(name, field) ? undefined : spelled(text, field)
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
