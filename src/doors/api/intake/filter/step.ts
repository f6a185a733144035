import type { Member, ResourceType } from '../../../../farm/newer/resource-type.ts'
import { badQuery } from '../../../../records/finding/filter.ts'
import type { FilterCondition } from '../../query/filter/filter-tree.ts'
import { type Path, targetNumber } from '../../query/path.ts'

/** What is asked, and the names that are left of its path. */
export interface Step {
  readonly names: Path
  readonly asked: FilterCondition
}

/** Behind the first name. */
export const further = ({ names, asked }: Step): Step => ({ names: names.slice(1), asked })

/** Whether it is asked of what a relationship leads to. */
const isOfTarget = ({ names, asked }: Step): boolean => names.length < asked.path.length

/** What a step asks about; the number of a target is asked for by one name, whatever its type calls it. */
export function memberAt(type: ResourceType, step: Step): Member | undefined {
  const [name = ''] = step.names
  if (name === targetNumber && isOfTarget(step)) return [...type.members.values()].find(isNumber)
  return memberNamed(type, name)
}

const isNumber = ({ source }: Member): boolean => source.of === 'note' && source.note === 'number'

export function memberNamed({ members }: ResourceType, name: string): Member | undefined {
  return members.get(name) ?? [...members.values()].find(({ alias }) => alias === name)
}

export const isOfUuid = ({ names: [name] }: Step): boolean => name === 'id'

/** It is enough that one of the types has the name. */
export function refuseUnknown(types: readonly ResourceType[], step: Step): void {
  if (isOfUuid(step) || types.some((type) => memberAt(type, step) !== undefined)) return
  const known = new Set(types.flatMap(({ members }) => [...members.keys()]))
  const [first, ...others] = types.map(({ name }) => name)
  const whose = others.length === 0 ? `${first} has` : `none of ${[first, ...others].join(', ')} has`
  throw cannotAsk(step, `${whose} ${others.length === 0 ? 'no' : 'a'} ${step.names[0]}`, ['id', ...known])
}

/** Without anything behind the name. */
export function wholly(steps: readonly Step[]): readonly FilterCondition[] {
  return steps.map((step) => {
    const [name, behind] = step.names
    if (behind === undefined) return step.asked
    throw cannotAsk(step, `${name} has no ${behind}`)
  })
}

export function cannotAsk({ asked: { parameter, path } }: Step, message: string, allowed?: readonly string[]) {
  return badQuery(parameter, `${path.join('.')} cannot be asked about: ${message}`, allowed)
}
