import type { RecordTypeName } from '../../farm/farm.ts'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import { prepared } from '../prepared.ts'
import type { FacetRow, ReferenceRow } from '../tables.ts'

export interface ReferenceTo {
  /** Its number, see path.ts. */
  readonly path: number
  readonly id: number
}

export interface Facet {
  readonly path: number
  readonly key: string
}

/** What can be looked up of a record beside its columns. */
export interface RecordIndex {
  /** Every path that was looked along, whether or not there was something at its end. */
  readonly paths: ReadonlySet<number>
  readonly references: readonly ReferenceTo[]
  readonly facets: readonly Facet[]
}

/** Long enough to tell values apart, short enough for an index entry on every engine. */
const indexedLength = 120

/** The part of a key that is indexed: whole characters only. */
export function indexedKey(key: string): string {
  if (key.length <= indexedLength) return key
  const splits = (key.codePointAt(indexedLength - 1) ?? 0) > 0xffff
  return key.slice(0, splits ? indexedLength - 1 : indexedLength)
}

interface Entered {
  readonly id: number
  readonly index: RecordIndex
}

/** Enters new records of one type. */
export async function enterIndex(rows: Writing, entered: readonly Entered[]): Promise<void> {
  await insertAll(
    rows,
    'reference',
    entered.flatMap(({ id, index }) => referenceRows(id, index)),
  )
  await insertAll(
    rows,
    'facet',
    entered.flatMap(({ id, index }) => facetRows(id, index)),
  )
}

interface IndexedRecord {
  readonly type: RecordTypeName
  readonly id: number
}

interface Entries {
  readonly references: readonly EnteredReference[]
  readonly facets: readonly FacetRow[]
}

type EnteredReference = ReferenceRow & { readonly target_type: string }

/** What is entered of a record, whatever module or release entered it. */
const entriesOf = async (rows: Reading, { type, id }: IndexedRecord): Promise<Entries> => ({
  references: await referencesOf(rows, { type, id }),
  facets: await facetsOf(rows, { type, id }),
})

type Asked = { readonly type: string; readonly id: number }

// Crossed, so that SQLite begins with the few rows that have the number.
const referencesOf = prepared((rows, { type, id }: Asked) =>
  rows
    .selectFrom('reference')
    .crossJoin('path')
    .select(['source_id', 'path', 'target_id', 'target_type'])
    .where('source_id', '=', id)
    .whereRef('path.id', '=', 'reference.path')
    .where('source_type', '=', type),
)

const facetsOf = prepared((rows, { type, id }: Asked) =>
  rows
    .selectFrom('facet')
    .crossJoin('path')
    .select(['record_id', 'path', 'key', 'nth', 'whole_key'])
    .where('record_id', '=', id)
    .whereRef('path.id', '=', 'facet.path')
    .where('source_type', '=', type),
)

/** Beyond that, entering a record anew takes less than taking back one entry after the other. */
const mostTakenBack = 8

/**
 * Brings what is entered of a record to what it is now, touching only what differs, and nothing of fields that no module
 * knows any more. Answers the files that it refers to no longer.
 */
export async function reindex(rows: Writing, record: IndexedRecord, index: RecordIndex): Promise<readonly number[]> {
  const { references, facets } = await entriesOf(rows, record)
  const had = {
    references: references.filter(({ path }) => index.paths.has(path)),
    facets: facets.filter(({ path }) => index.paths.has(path)),
  }
  const has = { references: referenceRows(record.id, index), facets: facetRows(record.id, index) }
  const gone = {
    references: without(had.references, has.references, spelledReference),
    facets: without(had.facets, has.facets, spelledFacet),
  }
  if (gone.references.length + gone.facets.length > mostTakenBack) {
    await deleteAlong(rows, record.id, [...index.paths])
    await enterIndex(rows, [{ id: record.id, index }])
  } else {
    for (const row of gone.references) await deleteReference(rows, row)
    for (const row of gone.facets) await deleteFacet(rows, row)
    await insertAll(rows, 'reference', without(has.references, had.references, spelledReference))
    await insertAll(rows, 'facet', without(has.facets, had.facets, spelledFacet))
  }
  return filesIn(gone.references)
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

async function deleteReference(rows: Writing, { path, source_id, target_id }: ReferenceRow): Promise<void> {
  await rows
    .deleteFrom('reference')
    .where((is) => is.and({ path, source_id, target_id }))
    .execute()
}

async function deleteFacet(rows: Writing, { record_id, path, key, nth }: FacetRow): Promise<void> {
  await rows
    .deleteFrom('facet')
    .where((is) => is.and({ record_id, path, key, nth }))
    .execute()
}

async function deleteAlong(rows: Writing, id: number, paths: readonly number[]): Promise<void> {
  await rows.deleteFrom('reference').where('source_id', '=', id).where('path', 'in', paths).execute()
  await rows.deleteFrom('facet').where('record_id', '=', id).where('path', 'in', paths).execute()
}

/**
 * Takes a record out of the index, also where it was entered under a field that no module knows any more. Answers the files
 * that it referred to.
 */
export async function unindex(rows: Writing, record: IndexedRecord): Promise<readonly number[]> {
  const { references, facets } = await entriesOf(rows, record)
  const paths = new Set([...references, ...facets].map(({ path }) => path))
  if (paths.size > 0) await deleteAlong(rows, record.id, [...paths])
  return filesIn(references)
}
