import type { Farm } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import type { Stored } from '../../storage/records/stored.ts'
import { referenceTo, type Speller, spellField } from './spelling.ts'

export type Document = Record<string, unknown>

/** What can be recorded here, and the numbers of the vocabularies. */
export interface Catalogue {
  readonly farm: Farm
  readonly vocabularies: ReadonlyMap<string, number>
}

/** A record as the interface shows it, without what is computed. */
export function documentOf(record: Stored, { farm, vocabularies }: Catalogue, speller: Speller): Document {
  const noted: Record<string, unknown> = {
    id: String(record.id),
    tid: String(record.id),
    type: record.bundle,
    vocabulary: referenceTo(speller, 'taxonomy_vocabulary', vocabularies.get(record.bundle) ?? 0),
    uid: referenceTo(speller, 'user', record.uid),
    created: String(record.created),
    changed: String(record.changed),
  }
  const document: Document = record.type === 'taxonomy_term' ? { id: noted.id } : {}
  for (const [name, field] of Object.entries(fieldsOfBundle(farm.records[record.type], record.bundle))) {
    if (field.computed) continue
    const spelled = Object.hasOwn(noted, name) ? noted[name] : spellField(field, record.values[name], speller)
    if (spelled !== undefined) document[name] = spelled
  }
  document.url = `${speller.base}/${record.type}/${record.id}`
  return document
}
