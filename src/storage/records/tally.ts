import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { ask, fragment, joined, listed } from '../sql/fragment.ts'
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
  const { values } = condition.test
  if (values.length === 0) return undefined
  if (condition.column === 'bundle') return fragment`bundle in (${listed(values)})`
  if (condition.column === 'status') return fragment`status in (${listed(values)})`
  const isKept = condition.column === 'archived' && values.every((value) => value === 0)
  return isKept ? fragment`status = ${'kept'}` : undefined
}

/** The statuses that records of the type have. */
export async function statusesOf(snapshot: Snapshot, type: RecordTypeName): Promise<readonly string[]> {
  const found = await ask<{ status: string }>(
    snapshot,
    fragment`select status from tally where record_table = ${type} group by status having sum(count) > 0`,
  )
  return found.map(({ status }) => status)
}
