import type { RecordTypeName } from '../../farm/farm.ts'
import type { Transaction } from '../database.ts'
import { slicesOf } from '../sql/fragment.ts'
import { insertAll } from '../sql/insertion.ts'
import { prepared, preparedSending } from '../sql/prepared.ts'
import type { FacetRow, ReferenceRow } from '../sql/tables.ts'

export interface ReferenceTo {
  /** Its number, see path.ts. */
  readonly path: number
  readonly id: number
}

export interface Facet {
  readonly path: number
  readonly key: string
}

/** The index of a record beside its columns. */
export interface RecordIndex {
  readonly references: readonly ReferenceTo[]
  readonly facets: readonly Facet[]
  /** The files among the references. */
  readonly files: readonly number[]
}

/** Long enough to tell values apart, short enough for an index entry on every engine. */
const indexedLength = 120

/** The part of a key that is indexed. */
export const indexedKey = (key: string): string => beginning(key, indexedLength)

/** No longer than what is indexed of any long key: another may be cut one unit earlier, before a character of two. */
export const shortestIndexed = (key: string): string => beginning(key, indexedLength - 1)

/** Whole characters only. */
function beginning(key: string, length: number): string {
  if (key.length <= length) return key
  const splits = (key.codePointAt(length - 1) ?? 0) > 0xffff
  return key.slice(0, splits ? length - 1 : length)
}

interface RecordIndexEntry {
  readonly id: number
  readonly index: RecordIndex
}

/** Index rows of new records of one type. */
export const indexRows = (entered: readonly RecordIndexEntry[]) => ({
  reference: entered.flatMap(({ id, index }) => referenceRows(id, index)),
  facet: entered.flatMap(({ id, index }) => facetRows(id, index)),
})

/** The index of one record before and after a change. */
interface IndexChange {
  readonly id: number
  readonly before: RecordIndex
  readonly after: RecordIndex
}

/** Rewrites the index of records of one type along the paths where it differs. Fields that no module knows any more stay in it. */
export async function reindex(tx: Transaction, changes: readonly IndexChange[]): Promise<void> {
  const gone = new GoneEntries()
  const reference: ReferenceRow[] = []
  const facet: FacetRow[] = []
  for (const { id, before, after } of changes) {
    const references = rewritten(referenceRows(id, before), referenceRows(id, after), referenceKey)
    const facets = rewritten(facetRows(id, before), facetRows(id, after), facetKey)
    gone.add(id, { references: references.paths, facets: facets.paths })
    reference.push(...references.rows)
    facet.push(...facets.rows)
  }
  await gone.delete(tx)
  await insertAll(tx, 'reference', reference)
  await insertAll(tx, 'facet', facet)
}

type KeyOf<R> = (row: R) => string

const referenceKey: KeyOf<ReferenceRow> = ({ path, target_id }) => `${path} ${target_id}`
const facetKey: KeyOf<FacetRow> = ({ path, nth, key, whole_key }) => `${path} ${nth} ${whole_key ?? key}`

/** The paths along which rows differ, and all rows along them from now on. */
function rewritten<R extends Pick<ReferenceRow, 'path'>>(
  before: readonly R[],
  after: readonly R[],
  keyOf: KeyOf<R>,
): { readonly paths: readonly number[]; readonly rows: readonly R[] } {
  const had = new Set(before.map(keyOf))
  const has = new Set(after.map(keyOf))
  const differing = [...before.filter((row) => !has.has(keyOf(row))), ...after.filter((row) => !had.has(keyOf(row)))]
  const paths = new Set(differing.map(({ path }) => path))
  return { paths: [...paths], rows: after.filter(({ path }) => paths.has(path)) }
}

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

/** In byte order, which is the same everywhere. */
function numberThoseThatBeginAlike(long: readonly FacetRow[]): void {
  const last = new Map<string, number>()
  for (const row of long.toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)))) {
    const beginning = `${row.path} ${row.key}`
    row.nth = (last.get(beginning) ?? 0) + 1
    last.set(beginning, row.nth)
  }
}

const bytesOf = ({ whole_key }: FacetRow): Buffer => Buffer.from(whole_key ?? '')

/** Everything of some records along some paths. */
class GoneEntries {
  readonly #references = new Map<string, IdsAlongPaths>()
  readonly #facets = new Map<string, IdsAlongPaths>()

  add(id: number, { references, facets }: { readonly [K in 'references' | 'facets']: readonly number[] }): void {
    note(this.#references, id, references)
    note(this.#facets, id, facets)
  }

  async delete(tx: Transaction): Promise<void> {
    for (const { ids, paths } of this.#references.values())
      for (const slice of slicesOf(ids)) await deleteReferences(tx, { ids: slice, paths })
    for (const { ids, paths } of this.#facets.values())
      for (const slice of slicesOf(ids)) await deleteFacets(tx, { ids: slice, paths })
  }
}

/** Records that lose what they have along the same paths. */
type IdsAlongPaths = { readonly ids: number[]; readonly paths: readonly number[] }

function note(along: Map<string, IdsAlongPaths>, id: number, given: readonly number[]): void {
  if (given.length === 0) return
  const paths = [...new Set(given)].sort((a, b) => a - b)
  const same = along.get(paths.join())
  if (same === undefined) along.set(paths.join(), { ids: [id], paths })
  else same.ids.push(id)
}

type AlongPaths = { readonly ids: readonly number[]; readonly paths: readonly number[] }

const deleteReferences = preparedSending((tx, { ids, paths }: AlongPaths) =>
  tx.deleteFrom('reference').where('source_id', 'in', ids).where('path', 'in', paths),
)

const deleteFacets = preparedSending((tx, { ids, paths }: AlongPaths) =>
  tx.deleteFrom('facet').where('record_id', 'in', ids).where('path', 'in', paths),
)

interface IndexedRecord {
  readonly type: RecordTypeName
  readonly id: number
}

/**
 * Takes a record out of the index, also where it was entered under a field that no module knows any more. Answers the files
 * that it referred to.
 */
export async function unindex(tx: Transaction, record: IndexedRecord): Promise<readonly number[]> {
  const [references, facets] = await Promise.all([referencesOf(tx, record), facetPathsOf(tx, record)])
  const gone = new GoneEntries()
  gone.add(record.id, { references: references.map(({ path }) => path), facets: facets.map(({ path }) => path) })
  await gone.delete(tx)
  return references.filter(({ target_type }) => target_type === 'file').map(({ target_id }) => target_id)
}

// Crossed, so that SQLite begins with the few rows that have the number.
const referencesOf = prepared((snapshot, { type, id }: { readonly type: string; readonly id: number }) =>
  snapshot
    .selectFrom('reference')
    .crossJoin('path')
    .select(['path', 'target_id', 'target_type'])
    .where('source_id', '=', id)
    .whereRef('path.id', '=', 'reference.path')
    .where('source_type', '=', type),
)

const facetPathsOf = prepared((snapshot, { type, id }: { readonly type: string; readonly id: number }) =>
  snapshot
    .selectFrom('facet')
    .crossJoin('path')
    .select('path')
    .where('record_id', '=', id)
    .whereRef('path.id', '=', 'facet.path')
    .where('source_type', '=', type),
)
