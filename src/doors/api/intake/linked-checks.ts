import type { Farm } from '../../../farm/farm.ts'
import type { ResourceType } from '../../../farm/newer/resource-type.ts'
import { byType } from '../../../history/each-type.ts'
import { thatAreNoPlaces } from '../../../history/newer/whereabouts.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { termNames } from '../../../storage/records/record-rows.ts'
import type { Linked, SentLinkage } from './linkage.ts'

/** A log takes place in what is a place; what is none is noted where it stands. */
export async function refuseNoPlaces(
  snapshot: Snapshot,
  linkages: readonly SentLinkage[],
  links: Linked,
): Promise<void> {
  const linkage = linkages.find(({ member }) => member.source.of === 'rule' && member.source.rule === 'log location')
  if (linkage === undefined) return
  const things = links
    .thingsOf(linkage)
    .map(({ of, id }) => ({ type: of === 'term' ? ('term' as const) : ('asset' as const), id }))
  const wrong = await thatAreNoPlaces(snapshot, byType(things))
  if (links.missing.length > 0) return
  for (const [index, { type, id }] of things.entries()) {
    if (wrong.some((one) => one.type === type && one.id === id))
      linkage.identifiers[index]?.place.fault('is no place; set its is_location first')
  }
}

interface Filling {
  readonly farm: Farm
  readonly type: ResourceType
  readonly linkages: readonly SentLinkage[]
}

/** The names of what a relationship leads to that go into a text beside it, by their numbers. */
export async function namesToFill(
  snapshot: Snapshot,
  links: Linked,
  { farm, type, linkages }: Filling,
): Promise<ReadonlyMap<number, string>> {
  const bundles = type.bundles.map((name) => farm.records[type.record].bundles[name])
  const isFilling = ({ member: { source } }: SentLinkage) =>
    source.of === 'field' &&
    bundles.some((bundle) => {
      const field = bundle?.fields[source.field]
      return field?.kind === 'reference' && field.fills !== undefined
    })
  const ids = linkages.filter(isFilling).flatMap((linkage) => links.thingsOf(linkage).map(({ id }) => id))
  return ids.length === 0 ? new Map() : termNames(snapshot, ids)
}
