import { type Condition, eitherOf, every, none, type ReferenceRoute } from '../../../../storage/records/condition.ts'

const has = (way: ReferenceRoute): Condition => ({ on: 'leading to', way, to: { is: 'anything' } })
const says = (field: string): Condition => ({ on: 'field value', field, test: { is: 'all', tests: [] } })

export const toMovementArea: ReferenceRoute = { by: 'reference', field: 'movement.area', target: 'term' }
export const toMovementPlace: ReferenceRoute = { by: 'reference', field: 'movement.place', target: 'asset' }
export const toAssignedGroup: ReferenceRoute = { by: 'reference', field: 'membership.group', target: 'asset' }

/** Logs that move their assets (rules/log-place.ts). */
export const isMoving: Condition = eitherOf([
  has(toMovementArea),
  has(toMovementPlace),
  says('movement.geometry'),
  says('movement.leaves'),
])

/** Logs that say which groups their assets belong to (rules/log-groups.ts). */
export const isAssigning: Condition = eitherOf([has(toAssignedGroup), says('membership.leaves')])

export function not(condition: Condition): Condition {
  if (condition === none) return every
  return condition === every ? none : { on: 'not', condition }
}

/** Quantities that a log has. */
export const isTaken: Condition = has({ by: 'log' })
