import type { ResourceType } from '../../../farm/newer/resource-type.ts'
import { allOf, type Condition, eitherOf } from '../../../storage/records/condition.ts'
import { filterIn } from '../query/filter/filter.ts'
import { type FilterCondition, type FilterGroup, isGroup } from '../query/filter/filter-tree.ts'
import type { Parameters } from '../query/parameters.ts'
import type { Reading } from '../wire/implied.ts'
import { type Step, stepsCondition } from './filter/steps.ts'

/** What a query asks of the records of a type. */
export async function conditionsOf(
  reading: Reading,
  type: ResourceType,
  parameters: Parameters,
): Promise<readonly Condition[]> {
  const group = filterIn(parameters)
  return group.members.length === 0 ? [] : [await groupCondition(reading, type, group)]
}

/** Conditions that stand in one group of which all have to hold, have to hold of the same value where there are several. */
async function groupCondition(reading: Reading, type: ResourceType, group: FilterGroup): Promise<Condition> {
  const steps = group.members.flatMap((member) => (isGroup(member) ? [] : [stepOf(member)]))
  const together = group.conjunction === 'AND' ? [steps] : steps.map((step) => [step])
  const conditions: Condition[] = []
  for (const some of together) if (some.length > 0) conditions.push(await stepsCondition(reading, [type], some))
  for (const member of group.members) if (isGroup(member)) conditions.push(await groupCondition(reading, type, member))
  return group.conjunction === 'AND' ? allOf(conditions) : eitherOf(conditions)
}

const stepOf = (asked: FilterCondition): Step => ({ names: asked.path, asked })
