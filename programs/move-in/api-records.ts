import type { Farm } from '../../src/farm/farm.ts'
import { resourceTypes } from '../../src/farm/newer/resource-types.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import type { ApiIndex } from './api-index.ts'
import { type ApiFarm, resourcesIn } from './api-resources.ts'
import { ApiTranslation } from './api-translation.ts'
import type { MoveChange, NoteChange } from './findings.ts'

/** Families of records, referenced ones first. */
export const recordFamilies = ['taxonomy_term', 'asset', 'log'] as const

export function translationFor(
  source: ApiFarm,
  known: ApiIndex,
  { now, note }: { readonly now: number; readonly note: NoteChange },
): ApiTranslation {
  const quantities = [...resourcesIn(source, 'quantity')].map(([, quantity]) => quantity)
  const translation = new ApiTranslation({ source, known, now, note }, quantities)
  if (source.isFurrow) for (const [, asset] of resourcesIn(source, 'asset')) translation.seeGeometry(asset)
  return translation
}

/** Records of the source, referenced ones first; last the quantities that no log has. */
export function* translatedRecords(source: ApiFarm, translation: ApiTranslation): Generator<StoredRecord> {
  for (const family of recordFamilies)
    for (const [, resource] of resourcesIn(source, family)) yield translation.record(resource)
  for (const [, quantity] of resourcesIn(source, 'quantity'))
    if (!translation.isTaken(quantity) && translation.isKnown(quantity)) yield translation.record(quantity)
}

/** Records and members that the server does not show to this account. */
export function apiChanges(farm: Farm, source: ApiFarm): readonly MoveChange[] {
  const hidden = source.hidden.map((address): MoveChange => ({ about: address, at: '', case: 'left-out' }))
  const members: MoveChange[] = []
  for (const family of recordFamilies) {
    const shown = new Map<string, { readonly counts: Map<string, number>; total: number }>()
    for (const [, { type, attributes, relationships, unknownType }] of resourcesIn(source, family)) {
      if (unknownType !== undefined) continue
      const known = shown.get(type) ?? { counts: new Map(), total: 0 }
      known.total += 1
      for (const name of [...Object.keys(attributes), ...Object.keys(relationships)])
        known.counts.set(name, (known.counts.get(name) ?? 0) + 1)
      shown.set(type, known)
    }
    for (const [type, { counts, total }] of shown) {
      const taken = resourceTypes(farm).get(type)?.members
      const names = new Set([...counts.keys(), ...describedMembers(source.schemas.get(type))])
      for (const name of names) {
        if (taken?.has(name) !== true) continue
        const missing = total - (counts.get(name) ?? 0)
        if (missing > 0)
          members.push({ about: type, at: name, case: 'left-out', was: `${missing} of ${total} records` })
      }
    }
  }
  return [...hidden, ...members]
}

function describedMembers(schema: Tree | undefined): readonly string[] {
  const definitions = isTree(schema?.definitions) ? schema.definitions : {}
  return ['attributes', 'relationships'].flatMap((name) => {
    const members = definitions[name]
    return isTree(members) && isTree(members.properties) ? Object.keys(members.properties) : []
  })
}
