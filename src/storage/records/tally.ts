import type { Snapshot } from '../database.ts'
import { ask, fragment, joined } from '../sql/fragment.ts'
import type { Condition, Search } from './condition.ts'

/** How many records match, where that can be told without looking at them: by bundle, log status, archived or not. */
export async function tallied(snapshot: Snapshot, { type, conditions }: Search): Promise<number | undefined> {
  if (type === 'quantity') return undefined
  const counted = conditions.map(countedBy)
  if (counted.some((one) => one === undefined)) return undefined
  const wanted = [fragment`record_table = ${type}`, ...counted.flatMap((one) => one ?? [])]
  const [sum] = await ask<{ count: number | null }>(
    snapshot,
    fragment`select sum(count) as count from tally where ${joined(wanted, ' and ')}`,
  )
  return Number(sum?.count ?? 0)
}

function countedBy(condition: Condition) {
  if (condition.on !== 'column' || condition.test.operator !== 'eq') return undefined
  const [value, second] = condition.test.values
  if (value === undefined || second !== undefined) return undefined
  if (condition.column === 'bundle') return fragment`bundle = ${value}`
  if (condition.column === 'status') return fragment`status = ${value}`
  return condition.column === 'archived' && value === 0 ? fragment`status = ${'kept'}` : undefined
}
