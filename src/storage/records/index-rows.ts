import type { RecordTypeName } from '../../farm/farm.ts'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'

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

/** Brings the index rows of a record from what they were to what they are, touching only what differs. */
export async function reindexRecord(rows: Writing, change: IndexChange): Promise<void> {
  await reindexReferences(rows, change)
  await reindexFacets(rows, change)
}

async function reindexReferences(rows: Writing, { type, id, before, after }: IndexChange): Promise<void> {
  const spelled = (to: ReferenceTo) => `${to.field} ${to.type} ${to.id}`
  const old = new Map(before.references.map((to) => [spelled(to), to]))
  const now = new Map(after.references.map((to) => [spelled(to), to]))
  for (const [key, gone] of old) {
    if (now.has(key)) continue
    await rows
      .deleteFrom('reference')
      .where('source_type', '=', type)
      .where('source_id', '=', id)
      .where('field', '=', gone.field)
      .where('target_type', '=', gone.type)
      .where('target_id', '=', gone.id)
      .execute()
  }
  const added = [...now].filter(([key]) => !old.has(key)).map(([, to]) => to)
  await insertAll(
    rows,
    'reference',
    added.map((to) => ({ source_type: type, source_id: id, field: to.field, target_type: to.type, target_id: to.id })),
  )
}

async function reindexFacets(rows: Writing, { type, id, before, after }: IndexChange): Promise<void> {
  const spelled = (facets: readonly Facet[]) => facets.map((facet) => `${facet.field} ${facet.key}`).join('\n')
  if (spelled(before.facets) === spelled(after.facets)) return
  if (before.facets.length > 0) {
    await rows.deleteFrom('facet').where('record_type', '=', type).where('record_id', '=', id).execute()
  }
  await insertAll(
    rows,
    'facet',
    after.facets.map((facet) => facetRow(type, id, facet)),
  )
}

/** The row under which a value is looked up. */
export function facetRow(record_type: RecordTypeName, record_id: number, { field, key }: Facet) {
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
