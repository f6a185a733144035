import type { RecordTypeName } from '../../farm/farm.ts'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import type { FacetRow, ReferenceRow } from '../tables.ts'

export interface ReferenceTo {
  readonly field: string
  readonly type: string
  readonly id: number
}

export interface Facet {
  readonly field: string
  readonly key: string
}

/** What can be looked up of a record beside its columns. */
export interface RecordIndex {
  readonly references: readonly ReferenceTo[]
  readonly facets: readonly Facet[]
}

export const nothingIndexed: RecordIndex = { references: [], facets: [] }

/** Long enough to tell values apart, short enough for an index entry on every engine. */
const indexedLength = 120

/** The part of a key that is indexed: whole characters only. */
export function indexedKey(key: string): string {
  if (key.length <= indexedLength) return key
  const splits = (key.codePointAt(indexedLength - 1) ?? 0) > 0xffff
  return key.slice(0, splits ? indexedLength - 1 : indexedLength)
}

interface IndexChange {
  readonly type: RecordTypeName
  readonly id: number
  readonly before: RecordIndex
  readonly after: RecordIndex
}

/** Brings the index rows of records from what they were to what they are, touching only what differs. */
export async function reindex(rows: Writing, changes: readonly IndexChange[]): Promise<void> {
  await reindexReferences(rows, changes)
  await reindexFacets(rows, changes)
}

async function reindexReferences(rows: Writing, changes: readonly IndexChange[]): Promise<void> {
  const added: ReferenceRow[] = []
  for (const { type, id, before, after } of changes) {
    const old = byTarget(before)
    const now = byTarget(after)
    for (const [key, to] of old) if (!now.has(key)) await deleteReference(rows, referenceRow(type, id, to))
    for (const [key, to] of now) if (!old.has(key)) added.push(referenceRow(type, id, to))
  }
  await insertAll(rows, 'reference', added)
}

function byTarget({ references }: RecordIndex): ReadonlyMap<string, ReferenceTo> {
  const found = new Map<string, ReferenceTo>()
  for (const to of references) found.set(`${to.field} ${to.type} ${to.id}`, to)
  return found
}

/** The rows under which it is known what a record refers to: one from each field to each target. */
export const referenceRows = (type: RecordTypeName, id: number, index: RecordIndex): readonly ReferenceRow[] =>
  [...byTarget(index).values()].map((to) => referenceRow(type, id, to))

const referenceRow = (source_type: RecordTypeName, source_id: number, { field, type, id }: ReferenceTo) => ({
  source_type,
  source_id,
  field,
  target_type: type,
  target_id: id,
})

async function deleteReference(rows: Writing, gone: ReferenceRow): Promise<void> {
  await rows
    .deleteFrom('reference')
    .where((is) => is.and({ ...gone }))
    .execute()
}

async function reindexFacets(rows: Writing, changes: readonly IndexChange[]): Promise<void> {
  const added: FacetRow[] = []
  for (const { type, id, before, after } of changes) {
    if (spelled(before.facets) === spelled(after.facets)) continue
    if (before.facets.length > 0) {
      await rows.deleteFrom('facet').where('record_type', '=', type).where('record_id', '=', id).execute()
    }
    for (const facet of after.facets) added.push(facetRow(type, id, facet))
  }
  await insertAll(rows, 'facet', added)
}

const spelled = (facets: readonly Facet[]): string => facets.map((facet) => `${facet.field} ${facet.key}`).join('\n')

/** The row under which a value is looked up. */
export function facetRow(record_type: RecordTypeName, record_id: number, { field, key }: Facet): FacetRow {
  const short = indexedKey(key)
  return { record_type, record_id, field, key: short, whole_key: short === key ? null : key }
}

export interface Referrer {
  readonly type: string
  readonly id: number
  readonly field: string
}

/** The first few records that refer to this one, without itself. */
export async function referrersOf(rows: Reading, type: string, id: number): Promise<readonly Referrer[]> {
  const found = await rows
    .selectFrom('reference')
    .select(['source_type', 'source_id', 'field'])
    .where('target_type', '=', type)
    .where('target_id', '=', id)
    .where((where) => where.not(where.and([where('source_type', '=', type), where('source_id', '=', id)])))
    .orderBy('source_type')
    .orderBy('source_id')
    .limit(6)
    .execute()
  return found.map((row) => ({ type: row.source_type, id: row.source_id, field: row.field }))
}
