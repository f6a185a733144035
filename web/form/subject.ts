import type { CatalogueField, CatalogueFields } from '../../src/doors/app/documents.ts'
import { bundleOf } from '../look/names.ts'
import { me } from '../store/local-copy.ts'
import type { KeptRecord, KeptRecordType, RecordFields } from '../store/record.ts'

/** What a form is about: a record as it was read, or one that is still to be made. */
export interface Subject {
  readonly type: KeptRecordType
  readonly bundle: string
  readonly record: KeptRecord | null
}

/** Which type of record has this bundle: "farm_harvest" is a log's. */
export function typeOfBundle(bundle: string): KeptRecordType | null {
  const types: readonly KeptRecordType[] = ['log', 'asset', 'term']
  return types.find((type) => bundleOf({ type, bundle }) !== undefined) ?? null
}

/** As the catalogue has them, with what a vocabulary refers to in itself said by its name. */
export function fieldsOf(subject: Pick<Subject, 'type' | 'bundle'>): CatalogueFields {
  const fields = Object.entries(bundleOf(subject)?.fields ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, withinNamed(field, subject.bundle)]))
}

const withinNamed = (field: CatalogueField, bundle: string): CatalogueField =>
  field.within === 'own' ? { ...field, within: [bundle] } : field

/** What stands in a form at first; the name is a field like any other there. */
export function valuesAtFirst({ type, record }: Subject, given: RecordFields): RecordFields {
  if (record !== null) return { name: record.name, ...record.fields, ...given }
  return type === 'log' ? { timestamp: 'now', done: '1', ...ownersAtFirst(), ...given } : given
}

/** The farm assigns a log to its author where nobody says otherwise: the form shows it. */
function ownersAtFirst(): RecordFields {
  const account = me.peek()?.account
  return account === undefined ? {} : { log_owner: [{ id: account.id }] }
}
