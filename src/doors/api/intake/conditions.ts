import type { ResourceType } from '../../../farm/newer/resource-type.ts'
import { allOf, type Condition, eitherOf } from '../../../storage/records/condition.ts'
import { filterIn } from '../query/filter/filter.ts'
import { type FilterGroup, isGroup } from '../query/filter/filter-tree.ts'
import type { Parameters } from '../query/parameters.ts'
import type { ReadContext } from '../wire/implied.ts'
import { conditionOn } from './filter/steps.ts'
import { refuseTooManyWays } from './filter/ways-asked.ts'

/** What a query asks of the records of a type. */
export async function conditionsOf(
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
