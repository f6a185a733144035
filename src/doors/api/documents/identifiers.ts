import { createHash } from 'node:crypto'
import { accountsByIds } from '../../../access/accounts.ts'
import type { Farm, RecordTypeName } from '../../../farm/farm.ts'
import { once } from '../../../farm/fields-of.ts'
import { areaNumbers } from '../../../farm/newer/area-assets.ts'
import { isOfAreas, typeOfRecord } from '../../../farm/newer/type-of-record.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { filesByIds, type StoredFile } from '../../../storage/file-rows.ts'
import { knownBy, knownTerms } from '../../../storage/records/record-lookup.ts'

/** A record, a user, a file, or a word of the catalogue. */
export type ResourceRef = NumberedRef | ConfigRef

export interface NumberedRef {
  readonly of: RecordTypeName | 'user' | 'file'
  readonly id: number
  /** `meta` of the identifier. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** The role of a file in a relationship. */
  readonly as?: 'image' | 'file'
}

/** A bundle as a resource: a log type, a vocabulary, … */
export interface ConfigRef {
  readonly of: 'config'
  /** Such as `log_type--log_type`. */
  readonly type: string
  readonly id: string
}

export const isConfig = (thing: ResourceRef): thing is ConfigRef => thing.of === 'config'

export const keyOf = (thing: ResourceRef): string =>
  thing.of === 'config' ? `${thing.type} ${thing.id}` : `${thing.of} ${thing.id}`

export const refsOf = (of: NumberedRef['of'], ids: unknown): readonly NumberedRef[] =>
  // Reference fields hold one id or several.
  (Array.isArray(ids) ? ids : ids === undefined ? [] : [ids]).map((id) => ({ of, id: Number(id) }))

/** Targets of a relationship: one, none, or several. */
export type Targets = ResourceRef | null | readonly ResourceRef[]

export const refsIn = (targets: Targets | undefined): readonly ResourceRef[] =>
  targets === undefined || targets === null ? [] : Array.isArray(targets) ? targets : [targets as ResourceRef]

/** A resource before its targets are named. */
export interface ApiResource {
  readonly thing: ResourceRef
  /** Such as `asset--land`. */
  readonly type: string
  readonly id: string
  /** For types with revisions. */
  readonly revision?: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Readonly<Record<string, Targets>>
}

export interface Identifier {
  readonly type: string
  readonly id: string
  readonly meta: Readonly<Record<string, unknown>>
  /** Additional `meta` of a file, by its role. */
  readonly shownAs?: Readonly<Record<'image' | 'file', Readonly<Record<string, unknown>>>>
}

/** The id of a record as /api shows it. */
export const shownNumber = (of: NumberedRef['of'], id: number, isArea: 'area' | 'other'): number =>
  of === 'term' && isArea === 'area' ? areaNumbers + id : id

/** Identifiers by key; missing targets are left out. */
export async function identifiersOf(
  snapshot: Snapshot,
  farm: Farm,
  things: readonly ResourceRef[],
): Promise<ReadonlyMap<string, Identifier>> {
  const found = new Map<string, Identifier>()
  const numbered = new Map<NumberedRef['of'], Set<number>>()
  for (const thing of things) {
    if (thing.of === 'config') found.set(keyOf(thing), configIdentifier(thing))
    else numbered.set(thing.of, (numbered.get(thing.of) ?? new Set()).add(thing.id))
  }
  const ofKinds = [...numbered].map(async ([of, ids]) => {
    for (const [id, identifier] of await identifiersIn(snapshot, farm, { of, ids: [...ids] }))
      found.set(keyOf({ of, id }), identifier)
  })
  await Promise.all(ofKinds)
  return found
}

/** Furrow's own UUID namespace, for words of catalogues. */
const namespace = Buffer.from('6f1b1a3e0d5c4e0f9a7bb5c1d2e3f405', 'hex')

export const configIdentifier = once(
  ({ type, id }: ConfigRef): Identifier => ({
    type,
    id: configUuid(type, id),
    meta: { drupal_internal__target_id: id },
  }),
)

interface NumbersOfKind {
  readonly of: NumberedRef['of']
  readonly ids: readonly number[]
}

type IdentifierEntries = readonly (readonly [number, Identifier])[]

async function identifiersIn(snapshot: Snapshot, farm: Farm, { of, ids }: NumbersOfKind): Promise<IdentifierEntries> {
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
): Promise<IdentifierEntries> {
  if (of === 'term') return termIdentifiers(snapshot, farm, ids)
  const known = await knownBy(snapshot, of, ids)
  return [...known].flatMap(([id, { uuid, bundle }]) => {
    const type = typeOfRecord(farm, { type: of, bundle, values: {} })
    return type === undefined ? [] : [[id, { type: type.name, id: uuid, meta: targetId(id) }]]
  })
}

/** The asset type of an area depends on its fields. */
async function termIdentifiers(snapshot: Snapshot, farm: Farm, ids: readonly number[]): Promise<IdentifierEntries> {
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

/**
 * The UUID (version 5, RFC 9562) of a word of the catalogue, the same on every farm: `log_type--log_type`, `harvest`.
 */
export function configUuid(type: string, id: string): string {
  const bytes = createHash('sha1').update(namespace).update(`${type}.${id}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
