import type { Farm } from '../../../farm/farm.ts'
import { fieldsOfBundle } from '../../../farm/fields-of.ts'
import { olderFields } from '../../../farm/older-fields.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import { addressOf, referenceTo, type Speller, spellOlder } from './spelling.ts'

export type Document = Record<string, unknown>

/** What can be recorded here, and the numbers of the vocabularies. */
export interface Catalogue {
  readonly farm: Farm
  readonly vocabularies: ReadonlyMap<string, number>
}

/** A record as the interface shows it, without what is computed. */
export function documentOf(record: StoredRecord, catalogue: Catalogue, speller: Speller): Document {
  const noted = notedOf(record, catalogue, speller)
  const document: Document = record.type === 'term' ? { id: noted.id } : {}
  for (const [name, older] of olderFields(fieldsOfBundle(catalogue.farm.records[record.type], record.bundle))) {
    if (older.field.computed || older.field.onRequest) continue
    const spelled = noted[name] ?? spellOlder(older, record.values[older.own], speller)
    if (spelled !== undefined) document[name] = spelled
  }
  document.url = addressOf(speller.base, record.type, record.id)
  return document
}

/** What is shown of a record, and not computed, only to who asks for it. */
export function requestedOf(record: StoredRecord, { farm }: Catalogue, speller: Speller): Document {
  const fields = olderFields(fieldsOfBundle(farm.records[record.type], record.bundle))
  const onRequest = [...fields].filter(([, { field }]) => field.onRequest && !field.computed)
  return Object.fromEntries(
    onRequest.map(([name, older]) => [name, spellOlder(older, record.values[older.own], speller)]),
  )
}

/** What a record has beside its values. */
function notedOf(
  { id, type, bundle, uid, created, changed }: StoredRecord,
  { vocabularies }: Catalogue,
  speller: Speller,
) {
  const noted: Document = Object.create(null)
  noted.id = String(id)
  noted.type = bundle
  noted.uid = referenceTo(speller, 'user', uid)
  noted.created = String(created)
  noted.changed = String(changed)
  if (type !== 'term') return noted
  noted.tid = noted.id
  noted.vocabulary = referenceTo(speller, 'vocabulary', vocabularies.get(bundle) ?? 0)
  return noted
}
