import type { Seen } from '../../records/sight.ts'
import { referenceTo, type Speller, spellField } from './spelling.ts'

export type Document = Record<string, unknown>

/** A record as the interface shows it. */
export function documentOf({ record, fields, computed, lineage }: Seen, speller: Speller): Document {
  const address = `${speller.base}/${record.type}/${record.id}`
  const noted: Record<string, unknown> = {
    id: String(record.id),
    tid: String(record.id),
    type: record.bundle,
    vocabulary: referenceTo(speller, 'taxonomy_vocabulary', speller.vocabularies.get(record.bundle) ?? 0),
    uid: referenceTo(speller, 'user', record.uid),
    created: String(record.created),
    changed: String(record.changed),
  }
  const document: Document = record.type === 'taxonomy_term' ? { id: noted.id } : {}
  for (const [name, field] of Object.entries(fields)) {
    const spelled = name in noted ? noted[name] : spellField(field, computed[name] ?? record.values[name], speller)
    if (spelled !== undefined) document[name] = spelled
  }
  document.url = address
  if (record.type === 'taxonomy_term') {
    document.parents_all = lineage.map((term) => referenceTo(speller, 'taxonomy_term', term))
  }
  return document
}

export const documentsOf = (speller: Speller): readonly Document[] =>
  speller.sight.seen.map((seen) => documentOf(seen, speller))
