import type { areaFields } from '../farm/areas/areas.ts'
import { trimmedTextKey } from '../fields/key.ts'
import type { ValuesOfFields } from '../fields/value.ts'
import type { Snapshot } from '../storage/database.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../storage/records/stored.ts'
import { compareTexts } from './line.ts'

/** The id and name of a record. */
export interface NamedRecord {
  readonly id: number
  readonly name: string
}

/** A term and its parent: a variety and its crop. */
export interface TermWithParent extends NamedRecord {
  readonly parent: NamedRecord | null
}

export type Terms = ReadonlyMap<number, TermWithParent>

export async function namedTerms(snapshot: Snapshot, ids: Iterable<number>): Promise<Terms> {
  const terms = await recordsByIds(snapshot, 'term', [...new Set(ids)])
  const firstParents = new Map(
    [...terms].flatMap(([id, { values }]) => {
      const [parent] = (values.parent as readonly number[] | undefined) ?? []
      return parent === undefined ? [] : [[id, parent] as const]
    }),
  )
  const parents = await recordsByIds(snapshot, 'term', [...new Set(firstParents.values())])
  return new Map(
    [...terms].map(([id, term]) => {
      const parent = parents.get(firstParents.get(id) ?? 0)
      const above = parent === undefined ? null : { id: parent.id, name: nameOf(parent) ?? '' }
      return [id, { id, name: nameOf(term) ?? '', parent: above }]
    }),
  )
}

/** The known ones, sorted by name. */
export const listedBy = <T extends NamedRecord>(known: ReadonlyMap<number, T>, ids: Iterable<number>): readonly T[] =>
  [...ids].flatMap((id) => known.get(id) ?? []).toSorted(byName)

const byName = (one: NamedRecord, other: NamedRecord): number =>
  compareTexts([trimmedTextKey(one.name)], [trimmedTextKey(other.name)]) || one.id - other.id

/** An area with its current geometry. */
export interface ReportPlace extends NamedRecord {
  readonly type: string
  /** Well-known text. */
  readonly shapes: readonly string[]
  /** False for an area that only contains a named one. */
  readonly isNamed: boolean
}

/** These areas and all their ancestors, if they have a geometry. */
export async function drawnPlaces(snapshot: Snapshot, named: Iterable<number>): Promise<readonly ReportPlace[]> {
  const wanted = new Set(named)
  const known = new Map<number, StoredRecord>()
  for (let level = [...wanted]; level.length > 0; ) {
    const found = [...(await recordsByIds(snapshot, 'term', level)).values()]
    for (const term of found) known.set(term.id, term)
    level = [...new Set(found.flatMap(parentsOf))].filter((id) => !known.has(id))
  }
  return [...known.values()].flatMap((term) => drawn(term, wanted)).toSorted(byName)
}

const parentsOf = ({ values }: StoredRecord): readonly number[] =>
  (values.parent as readonly number[] | undefined) ?? []

// The cast is safe: the catalogue defines the values of an area.
const asArea = ({ values }: StoredRecord) => values as ValuesOfFields<typeof areaFields>

function drawn(term: StoredRecord, wanted: ReadonlySet<number>): readonly ReportPlace[] {
  const { area_type: type = '', geofield: shapes = [] } = asArea(term)
  if (shapes.length === 0) return []
  return [{ id: term.id, name: nameOf(term) ?? '', type, shapes, isNamed: wanted.has(term.id) }]
}
