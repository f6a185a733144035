import type { RecordTypeName } from '../../farm/farm.ts'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import type { FacetRow, ReferenceRow } from '../tables.ts'

export interface ReferenceTo {
  /** Its number, see path.ts. */
  readonly path: number
  readonly type: string
  readonly id: number
}

export interface Facet {
  readonly path: number
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
  readonly id: number
  readonly before: RecordIndex
  readonly after: RecordIndex
}

/** Brings the index rows of records from what they were to what they are, touching only what differs. */
export async function reindex(rows: Writing, changes: readonly IndexChange[]): Promise<void> {
  const references: ReferenceRow[] = []
  const facets: FacetRow[] = []
  for (const { id, before, after } of changes) {
    const [hadReferences, hasReferences] = [referenceRows(id, before), referenceRows(id, after)]
    const [hadFacets, hasFacets] = [facetRows(id, before), facetRows(id, after)]
    for (const gone of without(hadReferences, hasReferences)) await deleteReference(rows, gone)
    for (const gone of without(hadFacets, hasFacets)) await deleteFacet(rows, gone)
    references.push(...without(hasReferences, hadReferences))
    facets.push(...without(hasFacets, hadFacets))
  }
  await insertAll(rows, 'reference', references)
  await insertAll(rows, 'facet', facets)
}

function without<R extends object>(these: readonly R[], those: readonly R[]): readonly R[] {
  if (these.length === 0 || those.length === 0) return these
  const others = new Set(those.map(spelled))
  return these.filter((row) => !others.has(spelled(row)))
}

const spelled = (row: object): string => JSON.stringify(Object.values(row))

/** One from each field to each target. */
export function referenceRows(source_id: number, { references }: RecordIndex): readonly ReferenceRow[] {
  const found = new Map<string, ReferenceRow>()
  for (const { path, id } of references) found.set(`${path} ${id}`, { source_id, path, target_id: id })
  return [...found.values()]
}

/** One for each value of each field. */
export function facetRows(record_id: number, { facets }: RecordIndex): readonly FacetRow[] {
  const found = new Map<string, FacetRow>()
  const long: FacetRow[] = []
  for (const { path, key } of facets) {
    const value = `${path} ${key}`
    if (found.has(value)) continue
    const short = indexedKey(key)
    const row = { record_id, path, key: short, nth: 0, whole_key: short === key ? null : key }
    found.set(value, row)
    if (short !== key) long.push(row)
  }
  if (long.length > 0) numberThoseThatBeginAlike(long)
  return [...found.values()]
}

/** In the order of their bytes, which is the same wherever they are put in order. */
function numberThoseThatBeginAlike(long: readonly FacetRow[]): void {
  const last = new Map<string, number>()
  for (const row of long.toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)))) {
    const beginning = `${row.path} ${row.key}`
    row.nth = (last.get(beginning) ?? 0) + 1
    last.set(beginning, row.nth)
  }
}

const bytesOf = ({ whole_key }: FacetRow): Buffer => Buffer.from(whole_key ?? '')

async function deleteReference(rows: Writing, gone: ReferenceRow): Promise<void> {
  await rows
    .deleteFrom('reference')
    .where((is) => is.and({ ...gone }))
    .execute()
}

async function deleteFacet(rows: Writing, { whole_key: _, ...gone }: FacetRow): Promise<void> {
  await rows
    .deleteFrom('facet')
    .where((is) => is.and(gone))
    .execute()
}

/** Takes a record out of the index, also where it was entered under a field that no module knows any more. */
export async function unindex(rows: Writing, type: RecordTypeName, id: number): Promise<void> {
  const paths = rows.selectFrom('path').select('id').where('source_type', '=', type)
  await rows.deleteFrom('reference').where('source_id', '=', id).where('path', 'in', paths).execute()
  await rows.deleteFrom('facet').where('record_id', '=', id).where('path', 'in', paths).execute()
}

export interface Referrer {
  readonly type: string
  readonly id: number
  readonly field: string
}

/** The first few records that refer to this one, without itself. */
export async function referrersOf(rows: Reading, type: string, id: number): Promise<readonly Referrer[]> {
  const found = await referring(rows, type, id)
    .select(['path.source_type', 'reference.source_id', 'path.field'])
    .where((where) => where.not(where.and({ source_type: type, source_id: id })))
    .orderBy('source_type')
    .orderBy('source_id')
    .limit(6)
    .execute()
  return found.map((row) => ({ type: row.source_type, id: row.source_id, field: row.field }))
}

export async function isReferredTo(rows: Reading, type: string, id: number): Promise<boolean> {
  const [found] = await referring(rows, type, id).select('source_id').limit(1).execute()
  return found !== undefined
}

/** Along the few paths that lead to records of that type: where two tables are crossed, SQLite begins with the first. */
const referring = (rows: Reading, type: string, id: number) =>
  rows
    .selectFrom('path')
    .crossJoin('reference')
    .whereRef('reference.path', '=', 'path.id')
    .where('path.target_type', '=', type)
    .where('reference.target_id', '=', id)
