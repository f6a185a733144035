import { accountsByIds } from '../../../access/accounts.ts'
import type { Farm, RecordTypeName } from '../../../farm/farm.ts'
import { once } from '../../../farm/fields-of.ts'
import { areaNumbers } from '../../../farm/newer/area-assets.ts'
import { isOfAreas, typeOfRecord } from '../../../farm/newer/type-of-record.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { filesByIds, type StoredFile } from '../../../storage/file-rows.ts'
import { knownBy, knownTerms } from '../../../storage/records/record-lookup.ts'
import { configUuid } from '../config/config-uuid.ts'
import { type ConfigThing, keyOf, type NumberedThing, type Thing } from './thing.ts'

/** What a thing is called. */
export interface Identifier {
  readonly type: string
  readonly id: string
  readonly meta: Readonly<Record<string, unknown>>
  /** What a relationship says of a file beside that, as it shows it. */
  readonly shownAs?: Readonly<Record<'image' | 'file', Readonly<Record<string, unknown>>>>
}

/** The number of a record as the newer generation shows it. */
export const shownNumber = (of: NumberedThing['of'], id: number, isArea: 'area' | 'other'): number =>
  of === 'term' && isArea === 'area' ? areaNumbers + id : id

/** The area or asset behind a number that was shown. */
export const thingOfAssetNumber = (number: number): NumberedThing =>
  number >= areaNumbers ? { of: 'term', id: number - areaNumbers } : { of: 'asset', id: number }

/** What these things are called, by their keys; those that are gone are missing. */
export async function identifiersOf(
  snapshot: Snapshot,
  farm: Farm,
  things: readonly Thing[],
): Promise<ReadonlyMap<string, Identifier>> {
  const found = new Map<string, Identifier>()
  const numbered = new Map<NumberedThing['of'], Set<number>>()
  for (const thing of things) {
    if (thing.of === 'config') found.set(keyOf(thing), configIdentifier(thing))
    else numbered.set(thing.of, (numbered.get(thing.of) ?? new Set()).add(thing.id))
  }
  for (const [of, ids] of numbered) {
    for (const [id, identifier] of await identifiersIn(snapshot, farm, { of, ids: [...ids] }))
      found.set(keyOf({ of, id }), identifier)
  }
  return found
}

export const configIdentifier = once(
  ({ type, id }: ConfigThing): Identifier => ({
    type,
    id: configUuid(type, id),
    meta: { drupal_internal__target_id: id },
  }),
)

interface Asked {
  readonly of: NumberedThing['of']
  readonly ids: readonly number[]
}

type Found = readonly (readonly [number, Identifier])[]

async function identifiersIn(snapshot: Snapshot, farm: Farm, { of, ids }: Asked): Promise<Found> {
  if (of === 'user') {
    const accounts = await accountsByIds(snapshot, ids)
    return [...accounts].map(([id, { uuid }]) => [id, { type: 'user--user', id: uuid, meta: targetId(id) }])
  }
  if (of === 'file') {
    const files = await filesByIds(snapshot, ids)
    return [...files].map(([id, file]) => [id, fileIdentifier(file)])
  }
  return recordIdentifiers(snapshot, farm, { of, ids })
}

async function recordIdentifiers(
  snapshot: Snapshot,
  farm: Farm,
  { of, ids }: { readonly of: RecordTypeName; readonly ids: readonly number[] },
): Promise<Found> {
  if (of === 'term') return termIdentifiers(snapshot, farm, ids)
  const known = await knownBy(snapshot, of, ids)
  return [...known].flatMap(([id, { uuid, bundle }]) => {
    const type = typeOfRecord(farm, { type: of, bundle, values: {} })
    return type === undefined ? [] : [[id, { type: type.name, id: uuid, meta: targetId(id) }]]
  })
}

/** What kind of asset an area is, is among its fields. */
async function termIdentifiers(snapshot: Snapshot, farm: Farm, ids: readonly number[]): Promise<Found> {
  const known = await knownTerms(snapshot, ids)
  return [...known].flatMap(([id, { uuid, bundle, fields }]) => {
    const isArea = isOfAreas(farm, bundle)
    const type = typeOfRecord(farm, { type: 'term', bundle, values: isArea ? JSON.parse(fields) : {} })
    if (type === undefined) return []
    return [[id, { type: type.name, id: uuid, meta: targetId(shownNumber('term', id, isArea ? 'area' : 'other')) }]]
  })
}

const targetId = (id: number) => ({ drupal_internal__target_id: id })

export const fileIdentifier = ({ id, uuid, alt, title, width, height, description }: StoredFile): Identifier => ({
  type: 'file--file',
  id: uuid,
  meta: targetId(id),
  shownAs: { image: { alt, title, width, height }, file: { display: true, description } },
})
