import type { ResourceType } from '../../../farm/newer/resource-type.ts'
import { areaVocabulary } from '../../../farm/newer/type-of-record.ts'
import { allOf, type Condition, eitherOf } from '../../../storage/records/condition.ts'
import { idsOfSlice } from '../../../storage/records/finding.ts'
import { filterIn } from '../query/filter/filter.ts'
import { type FilterGroup, isGroup } from '../query/filter/filter-tree.ts'
import type { PageAsked } from '../query/page.ts'
import type { Parameters } from '../query/parameters.ts'
import type { ReadContext } from '../wire/implied.ts'
import { conditionOn } from './filter/steps.ts'
import { refuseTooManyWays } from './filter/ways-asked.ts'
import { kindCondition } from './kind-condition.ts'
import { orderOf } from './order.ts'

interface Asked {
  readonly parameters: Parameters
  readonly page: PageAsked
}

export interface Found {
  readonly ids: readonly number[]
  readonly hasMore: boolean
}

/** The records of a type that a query asks for, one page of them. One more than that is looked for, to tell whether there are more. */
export async function searchIn(reading: ReadContext, type: ResourceType, { parameters, page }: Asked): Promise<Found> {
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

/** What a query asks of the records of a type. */
async function conditionsOf(
  reading: ReadContext,
  type: ResourceType,
  parameters: Parameters,
): Promise<readonly Condition[]> {
  const group = filterIn(parameters)
  if (group.members.length === 0) return []
  return [refuseTooManyWays('filter', await groupCondition(reading, type, group))]
}

/** Conditions that stand in one group of which all have to hold, have to hold of the same value where there are several. */
async function groupCondition(reading: ReadContext, type: ResourceType, group: FilterGroup): Promise<Condition> {
  const { conjunction, members } = group
  const asked = members.flatMap((member) => (isGroup(member) ? [] : [member]))
  const conditions: Condition[] = []
  for (const together of conjunction === 'AND' ? [asked] : asked.map((one) => [one]))
    if (together.length > 0) conditions.push(await conditionOn(reading, type, together))
  for (const member of members) if (isGroup(member)) conditions.push(await groupCondition(reading, type, member))
  return conjunction === 'AND' ? allOf(conditions) : eitherOf(conditions)
}
