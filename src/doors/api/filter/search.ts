import type { Farm } from '../../../farm/farm.ts'
import { once } from '../../../farm/fields-of.ts'
import { isRelationship, type Member, type ResourceType } from '../../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import { areaVocabulary } from '../../../farm/newer/type-of-record.ts'
import { isMany } from '../../../fields/field.ts'
import { textKey } from '../../../fields/key.ts'
import { readQuery } from '../../../formats/query-string.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import { allOf, type Condition, eitherOf, type Order, type OrderBy } from '../../../storage/records/condition.ts'
import { idsOfSlice } from '../../../storage/records/finding.ts'
import type { ReadContext } from '../documents/implied-values.ts'
import {
  type MemberPath,
  type PageSlice,
  type QueryParameters,
  type SortField,
  sortIn,
  targetNumber,
} from '../query-parameters.ts'
import { type FilterProperty, isCompound, type ValueLocation } from './field-properties.ts'
import { filterCondition } from './filter-condition.ts'
import { type FilterGroup, filterIn, isGroup } from './filter-syntax.ts'
import { filterAttribute, uuidProperty } from './member-properties.ts'
import { kindCondition, memberNamed, refuseTooManyRoutes, routesOf } from './paths.ts'

interface SearchRequest {
  readonly parameters: QueryParameters
  readonly page: PageSlice
}

export interface SearchResult {
  readonly ids: readonly number[]
  readonly hasMore: boolean
}

/** One page of the records of a query. Fetches one more, to know whether a next page exists. */
export async function searchRecords(
  reading: ReadContext,
  type: ResourceType,
  { parameters, page }: SearchRequest,
): Promise<SearchResult> {
  const conditions = [...ofType(reading, type), ...(await conditionsOf(reading, type, parameters))]
  const order = orderOf(reading, type, parameters)
  const slice = { offset: page.offset, limit: page.limit + 1 }
  const ids = await idsOfSlice(reading.snapshot, { type: type.record, conditions, order }, slice)
  return { ids: ids.slice(0, page.limit), hasMore: ids.length > page.limit }
}

function ofType({ installation }: ReadContext, { bundles, kind }: ResourceType): readonly Condition[] {
  const bundle: Condition = { on: 'column', column: 'bundle', test: { operator: 'eq', values: bundles } }
  const isOfAreas = bundles.includes(areaVocabulary(installation.farm)[0])
  return kind === undefined || !isOfAreas ? [bundle] : [bundle, kindCondition(installation.farm, kind)]
}

async function conditionsOf(
  reading: ReadContext,
  type: ResourceType,
  parameters: QueryParameters,
): Promise<readonly Condition[]> {
  const group = filterIn(parameters)
  if (group.members.length === 0) return []
  return [refuseTooManyRoutes('filter', await groupCondition(reading, type, group))]
}

/** Conditions of one AND group must hold for the same value if there are several. */
async function groupCondition(reading: ReadContext, type: ResourceType, group: FilterGroup): Promise<Condition> {
  const { conjunction, members } = group
  const directConditions = members.flatMap((member) => (isGroup(member) ? [] : [member]))
  const conditions: Condition[] = []
  for (const together of conjunction === 'AND' ? [directConditions] : directConditions.map((one) => [one]))
    if (together.length > 0) conditions.push(await filterCondition(reading, type, together))
  for (const member of members) if (isGroup(member)) conditions.push(await groupCondition(reading, type, member))
  return conjunction === 'AND' ? allOf(conditions) : eitherOf(conditions)
}

/** The order of a query; the id breaks ties. */
const orderOf = (reading: ReadContext, type: ResourceType, parameters: QueryParameters): readonly Order[] =>
  sortIn(parameters).map((key) => {
    const by = orderAt(reading, type, key.path)
    if (by === undefined) throw cannotSort(reading, type, key)
    return { by, direction: key.direction }
  })

/** The sort key of a path; undefined if there can be several values, or none is in a column. */
function orderAt(reading: ReadContext, type: ResourceType, path: MemberPath): OrderBy | undefined {
  const [name = '', ...behind] = path
  const member = memberNamed(type, name)
  if (member !== undefined && isRelationship(member)) return orderAlong(reading, { type, member }, behind)
  const property = propertyAt(reading, type, path)
  return property === undefined || property.many ? undefined : orderIn(property.kept)
}

function propertyAt({ installation }: ReadContext, type: ResourceType, path: MemberPath): FilterProperty | undefined {
  const [name = '', within = '', ...behind] = path
  if (behind.length > 0) return undefined
  if (name === 'id') return within === '' ? uuidProperty : undefined
  const member = memberNamed(type, name)
  const askable = member === undefined ? undefined : filterAttribute(installation.farm, type, member)
  if (isCompound(askable)) return askable.properties.get(within)
  return within === '' ? askable : undefined
}

function orderIn(kept: ValueLocation): OrderBy | undefined {
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

/** Sorting over a to-one relationship whose target has the key in a column. */
function orderAlong(reading: ReadContext, { type, member }: MemberOf, path: MemberPath): OrderBy | undefined {
  const [way, another] = routesOf(type.record, member)
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

function cannotSort(reading: ReadContext, type: ResourceType, { parameter, path }: SortField) {
  const there = [...type.members.values()].flatMap(({ name }) =>
    orderAt(reading, type, [name]) === undefined ? [] : [name],
  )
  return badQuery(parameter, `${type.name} cannot be sorted by ${path.join('.')}`, ['id', ...there])
}

/** Relationships of any type that lead to users. */
const userRelationships = once((farm: Farm): readonly string[] => [
  ...new Set(
    [...resourceTypes(farm).values()].flatMap(({ members }) =>
      [...members.values()].flatMap(({ name, targets = [] }) => (targets.includes('user--user') ? [name] : [])),
    ),
  ),
])

/** True if the result can change with users, who change without a change of a record. */
export const dependsOnUsers = (farm: Farm, url: string): boolean =>
  readQuery(url)
    .filter(({ name }) => name === 'filter' || name === 'sort')
    .some(({ brackets, value }) =>
      userRelationships(farm).some((name) => [...brackets, value].some((text) => text.includes(name))),
    )
