import type { Reading, Writing } from '../storage/database.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import type { Stored } from '../storage/records/stored.ts'
import { lockVocabulary } from '../storage/records/term-rows.ts'
import type { RecordDraft } from './drafting.ts'

const parentsOf = (term: Stored | undefined): readonly number[] =>
  (term?.values.parent as readonly number[] | undefined) ?? []

/** All terms above these, by id, level by level; a circle in the data ends it too. */
export async function ancestorsOf(rows: Reading, terms: readonly Stored[]): Promise<ReadonlyMap<number, Stored>> {
  const known = new Map(terms.map((term) => [term.id, term]))
  let level = unknown(terms.flatMap(parentsOf), known)
  while (level.length > 0) {
    const above = await recordsByIds(rows, 'taxonomy_term', level)
    for (const [id, term] of above) known.set(id, term)
    level = unknown([...above.values()].flatMap(parentsOf), known)
  }
  return known
}

const unknown = (ids: readonly number[], known: ReadonlyMap<number, Stored>): readonly number[] =>
  [...new Set(ids)].filter((id) => !known.has(id))

/** The term itself and everything above it, nearest first. */
export function lineageOf(term: Stored, known: ReadonlyMap<number, Stored>): readonly number[] {
  const lineage = new Set([term.id])
  for (const id of lineage) for (const parent of parentsOf(known.get(id) ?? term)) lineage.add(parent)
  return [...lineage]
}

/** A term cannot stand above itself. */
export async function refuseCircles(rows: Writing, draft: RecordDraft, term: Stored): Promise<void> {
  if (term.type !== 'taxonomy_term' || !draft.given.has('parent')) return
  // Two terms that are put below each other at the same time would each find nothing wrong.
  await lockVocabulary(rows, term.bundle)
  const above = await ancestorsOf(rows, [...(await recordsByIds(rows, 'taxonomy_term', parentsOf(term))).values()])
  if (above.has(term.id)) draft.placeOf('parent').fault('would put the term below itself')
}
