import { isRelationship, type ResourceType } from '../../../farm/newer/resource-type.ts'
import { type Collected, SentPlace } from './sent-place.ts'

interface Placing {
  readonly given: ReadonlyMap<string, string>
  readonly collected: Collected
}

/** Where the member stands in a body that a field is kept for. */
export function placeOfField({ members }: ResourceType, field: string, { given, collected }: Placing): SentPlace {
  const member =
    members.get(given.get(field) ?? '') ??
    [...members.values()].find(
      ({ source }) =>
        (source.of === 'field' && source.field === field) || (source.of === 'two fields' && source.assets === field),
    ) ??
    members.get(field)
  if (member === undefined) return new SentPlace(['data', 'attributes', field], collected)
  return isRelationship(member)
    ? new SentPlace(['data', 'relationships', member.name, 'data'], collected)
    : new SentPlace(['data', 'attributes', member.name], collected)
}
