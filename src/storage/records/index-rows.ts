import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot, Transaction } from '../database.ts'
import { inSlices, slicesOf } from '../sql/fragment.ts'
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
  /** Every path that was looked along, whether or not there was something at its end. */
  readonly paths: ReadonlySet<number>
  readonly references: readonly ReferenceTo[]
  readonly facets: readonly Facet[]
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

interface IndexedRecord {
  readonly type: RecordTypeName
  readonly id: number
}

interface Entries {
  readonly references: readonly EnteredReference[]
  readonly facets: readonly FacetRow[]
}

type EnteredReference = ReferenceRow & { readonly target_type: string }

/** Stored index rows of one type, whatever module or release wrote them. */
async function entriesOf(snapshot: Snapshot, type: RecordTypeName, ids: readonly number[]): Promise<Entries> {
  const [references, facets] = await Promise.all([
    inSlices(ids, (slice) => referencesOf(snapshot, { type, ids: slice })),
    inSlices(ids, (slice) => facetsOf(snapshot, { type, ids: slice })),
  ])
  return { references, facets }
}

type IndexedIds = { readonly type: string; readonly ids: readonly number[] }

// Crossed, so that SQLite begins with the few rows that have the number.
const referencesOf = prepared((snapshot, { type, ids }: IndexedIds) =>
  snapshot
    .selectFrom('reference')
    .crossJoin('path')
    .select(['source_id', 'path', 'target_id', 'target_type'])
    .where('source_id', 'in', ids)
    .whereRef('path.id', '=', 'reference.path')
    .where('source_type', '=', type),
)

const facetsOf = prepared((snapshot, { type, ids }: IndexedIds) =>
  snapshot
    .selectFrom('facet')
    .crossJoin('path')
    .select(['record_id', 'path', 'key', 'nth', 'whole_key'])
    .where('record_id', 'in', ids)
    .whereRef('path.id', '=', 'facet.path')
    .where('source_type', '=', type),
)

/** Brings what is entered of a record to what it is now. Answers the files that it refers to no longer. */
export async function reindex(
  tx: Transaction,
  { type, id }: IndexedRecord,
  index: RecordIndex,
): Promise<readonly number[]> {
  return (await reindexAll(tx, type, [{ id, index }])).get(id) ?? []
}

/**
 * Brings what is entered of records of one type to what they are now, touching only paths along which something differs, and nothing of
 * fields that no module knows any more. Answers the files that they refer to no longer, by record.
 */
export async function reindexAll(
  tx: Transaction,
  type: RecordTypeName,
  entered: readonly RecordIndexEntry[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const entries = await entriesOf(
    tx,
    type,
    entered.map(({ id }) => id),
  )
  const referencesHad = byRecord(entries.references, ({ source_id }) => source_id)
  const facetsHad = byRecord(entries.facets, ({ record_id }) => record_id)
  const gone = new GoneEntries()
  const added: { readonly reference: ReferenceRow[]; readonly facet: FacetRow[] } = { reference: [], facet: [] }
  const files = new Map<number, readonly number[]>()
  for (const { id, index } of entered) {
    const isKnown = ({ path }: { readonly path: number }) => index.paths.has(path)
    const references = changeBetween(referencesHad(id).filter(isKnown), referenceRows(id, index), spelledReference)
    const facets = changeBetween(facetsHad(id).filter(isKnown), facetRows(id, index), spelledFacet)
    gone.add(id, { references: references.gone, facets: facets.gone })
    added.reference.push(...references.added)
    added.facet.push(...facets.added)
    files.set(id, filesIn(references.gone))
  }
  await gone.delete(tx)
  await insertAll(tx, 'reference', added.reference)
  await insertAll(tx, 'facet', added.facet)
  return files
}

/** Rows of the index by the record that they are of. */
function byRecord<R>(rows: readonly R[], idOf: (row: R) => number): (id: number) => readonly R[] {
  const found = new Map<number, R[]>()
  for (const row of rows) {
    const those = found.get(idOf(row))
    if (those === undefined) found.set(idOf(row), [row])
    else those.push(row)
  }
  return (id) => found.get(id) ?? []
}

interface Change<R, S> {
  readonly gone: readonly R[]
  /** Also the rows that stay along a path from which something was removed. */
  readonly added: readonly S[]
}

function changeBetween<R extends S, S extends Pick<ReferenceRow, 'path'>>(
  had: readonly R[],
  has: readonly S[],
  spelled: (row: S) => string,
): Change<R, S> {
  const gone = without(had, has, spelled)
  const stale = new Set(gone.map(({ path }) => path))
  const kept = had.filter(({ path }) => !stale.has(path))
  return { gone, added: without(has, kept, spelled) }
}

const filesIn = (references: readonly EnteredReference[]): readonly number[] =>
  references.filter(({ target_type }) => target_type === 'file').map(({ target_id }) => target_id)

function without<R extends S, S>(these: readonly R[], those: readonly S[], spelled: (row: S) => string): readonly R[] {
  const others = new Set(those.map(spelled))
  return these.filter((row) => !others.has(spelled(row)))
}

const spelledReference = ({ path, target_id }: ReferenceRow): string => `${path} ${target_id}`
const spelledFacet = ({ path, nth, key, whole_key }: FacetRow): string => `${path} ${nth} ${whole_key ?? key}`

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

/** Everything of some records along the paths of rows that are gone. */
class GoneEntries {
  readonly #references = new Map<string, IdsAlongPaths>()
  readonly #facets = new Map<string, IdsAlongPaths>()

  add(id: number, { references, facets }: Entries): void {
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

function note(along: Map<string, IdsAlongPaths>, id: number, entries: readonly Pick<ReferenceRow, 'path'>[]): void {
  if (entries.length === 0) return
  const paths = [...new Set(entries.map(({ path }) => path))].sort((a, b) => a - b)
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

/**
 * Takes a record out of the index, also where it was entered under a field that no module knows any more. Answers the files
 * that it referred to.
 */
export async function unindex(tx: Transaction, { type, id }: IndexedRecord): Promise<readonly number[]> {
  const entries = await entriesOf(tx, type, [id])
  const gone = new GoneEntries()
  gone.add(id, entries)
  await gone.delete(tx)
  return filesIn(entries.references)
}
