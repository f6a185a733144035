import type { areaFields } from '../farm/areas/areas.ts'
import type { ValuesOfFields } from '../fields/value.ts'
import type { Snapshot } from '../storage/database.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../storage/records/stored.ts'
import { byName, type Named } from './named.ts'

/** An area as it is drawn today. */
export interface DrawnPlace extends Named {
  readonly type: string
  /** Well-known text. */
  readonly shapes: readonly string[]
  /** Whether the report names it, and not only what lies in it. */
  readonly isNamed: boolean
}

/** These areas and all that they lie in, as far as they are drawn. */
export async function drawnPlaces(snapshot: Snapshot, named: Iterable<number>): Promise<readonly DrawnPlace[]> {
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

// The values of an area are what the catalogue says.
const asArea = ({ values }: StoredRecord) => values as ValuesOfFields<typeof areaFields>

function drawn(term: StoredRecord, wanted: ReadonlySet<number>): readonly DrawnPlace[] {
  const { area_type: type = '', geofield: shapes = [] } = asArea(term)
  if (shapes.length === 0) return []
  return [{ id: term.id, name: nameOf(term) ?? '', type, shapes, isNamed: wanted.has(term.id) }]
}
