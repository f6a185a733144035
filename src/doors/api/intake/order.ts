import type { ResourceType } from '../../../farm/newer/resource-type.ts'
import { isRelationship, type Member } from '../../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import { isMany } from '../../../fields/field.ts'
import { textKey } from '../../../fields/key.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Order, OrderBy } from '../../../storage/records/condition.ts'
import type { Parameters } from '../query/parameters.ts'
import { type Path, targetNumber } from '../query/path.ts'
import { type SortKey, sortIn } from '../query/sort.ts'
import type { ReadContext } from '../wire/implied.ts'
import { askableOf, uuidProperty } from './filter/properties.ts'
import { isCompound, type Kept, type Property } from './filter/property.ts'
import { memberNamed } from './filter/step.ts'
import { waysOf } from './filter/ways.ts'

/** The order that a query asks for; the number settles ties. */
export const orderOf = (reading: ReadContext, type: ResourceType, parameters: Parameters): readonly Order[] =>
  sortIn(parameters).map((key) => {
    const by = orderAt(reading, type, key.path)
    if (by === undefined) throw cannotSort(reading, type, key)
    return { by, direction: key.direction }
  })

/** What a path leads to, as a key to sort by; nothing where there may be several values, or no row tells them. */
function orderAt(reading: ReadContext, type: ResourceType, path: Path): OrderBy | undefined {
  const [name = '', ...behind] = path
  const member = memberNamed(type, name)
  if (member !== undefined && isRelationship(member)) return orderAlong(reading, { type, member }, behind)
  const property = propertyAt(reading, type, path)
  return property === undefined || property.many ? undefined : orderIn(property.kept)
}

function propertyAt({ installation }: ReadContext, type: ResourceType, path: Path): Property | undefined {
  const [name = '', within = '', ...behind] = path
  if (behind.length > 0) return undefined
  if (name === 'id') return within === '' ? uuidProperty : undefined
  const member = memberNamed(type, name)
  const askable = member === undefined ? undefined : askableOf(installation.farm, type, member)
  if (isCompound(askable)) return askable.properties.get(within)
  return within === '' ? askable : undefined
}

function orderIn(kept: Kept): OrderBy | undefined {
  switch (kept.in) {
    case 'column':
      return { column: kept.column }
    case 'index':
      return { facet: kept.field }
    case 'cases':
      return { cases: kept.cases.map(({ value, when }) => ({ when, by: { key: textKey(String(value)) } })) }
    case 'either': {
      const places = kept.places.map(({ when, kept: there }) => ({ when, by: orderIn(there) }))
      const known = places.flatMap(({ when, by }) => (by === undefined ? [] : [{ when, by }]))
      return known.length === places.length ? { cases: known } : undefined
    }
    case 'log':
      return { along: { by: 'log' }, to: 'log', column: kept.column }
    case 'record':
      return undefined
  }
}

interface MemberOf {
  readonly type: ResourceType
  readonly member: Member
}

/** Over a relationship to one, where its target is kept in one place and the key in a column of it. */
function orderAlong(reading: ReadContext, { type, member }: MemberOf, path: Path): OrderBy | undefined {
  const [way, another] = waysOf(type.record, member)
  if (way === undefined || another !== undefined || isMany(member.field)) return undefined
  if (way.to === 'file' || way.way.by === 'last revision') return undefined
  if (way.to === 'user') {
    const column = path.length === 1 ? userColumns[path[0] ?? ''] : undefined
    return column === undefined ? undefined : { along: way.way, to: 'account', column }
  }
  const [name = '', ...behind] = path
  if (name === targetNumber && behind.length === 0) return { along: way.way, to: way.to, column: 'id' }
  const target = (member.targets ?? []).flatMap((one) => resourceTypes(reading.installation.farm).get(one) ?? [])[0]
  const property = target === undefined || path.length === 0 ? undefined : propertyAt(reading, target, path)
  if (property?.kept.in !== 'column') return undefined
  return { along: way.way, to: way.to, column: property.kept.column }
}

const userColumns = {
  id: 'uuid',
  name: 'name_key',
  display_name: 'name_key',
  created: 'created',
} as const satisfies Readonly<Record<string, string>> as Readonly<Record<string, 'uuid' | 'name_key' | 'created'>>

function cannotSort(reading: ReadContext, type: ResourceType, { parameter, path }: SortKey) {
  const there = [...type.members.values()].flatMap(({ name }) =>
    orderAt(reading, type, [name]) === undefined ? [] : [name],
  )
  return badQuery(parameter, `${type.name} cannot be sorted by ${path.join('.')}`, ['id', ...there])
}
