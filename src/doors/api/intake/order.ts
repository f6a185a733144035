import type { ResourceType } from '../../../farm/newer/resource-type.ts'
import { badQuery } from '../../../records/finding/bad-query.ts'
import type { Order } from '../../../storage/records/condition.ts'
import type { Parameters } from '../query/parameters.ts'
import { type SortKey, sortIn } from '../query/sort.ts'
import type { Reading } from '../wire/implied.ts'
import { askableOf, isCompound, uuidProperty } from './filter/properties.ts'
import type { Kept, Property } from './filter/property.ts'

/** The order that a query asks for; the number settles ties. */
export function orderOf(reading: Reading, type: ResourceType, parameters: Parameters): readonly Order[] {
  return sortIn(parameters).flatMap((key) => {
    const property = propertyAt(reading, type, key)
    const by = property === undefined || property.many ? undefined : orderBy(property.kept)
    if (by === undefined) throw cannotSort(reading, type, key)
    return by.map((one) => ({ by: one, direction: key.direction }))
  })
}

function propertyAt({ installation }: Reading, type: ResourceType, { path }: SortKey): Property | undefined {
  const [name = '', within, ...further] = path
  if (name === 'id') return uuidProperty
  const member = type.members.get(name)
  const askable = member === undefined ? undefined : askableOf(installation.farm, type, member)
  if (further.length > 0 || isCompound(askable) !== (within !== undefined)) return undefined
  return isCompound(askable) ? askable.get(within ?? '') : askable
}

function orderBy(kept: Kept): readonly Order['by'][] | undefined {
  if (kept.in === 'column') return [{ column: kept.column }]
  if (kept.in === 'index') return [{ facet: kept.field }]
  return undefined
}

function cannotSort(reading: Reading, type: ResourceType, { parameter, path }: SortKey) {
  const sortable = [...type.members.values()].flatMap(({ name }) => {
    const property = propertyAt(reading, type, { path: [name], direction: 'asc', parameter })
    return property === undefined || property.many || orderBy(property.kept) === undefined ? [] : [name]
  })
  return badQuery(parameter, `${type.name} cannot be sorted by ${path.join('.')}`, ['id', ...sortable])
}
