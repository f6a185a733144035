import type { Farm } from '../farm/farm.ts'
import { fieldsOfBundle } from '../farm/fields-of.ts'
import type { ComputedRule } from '../fields/field.ts'
import type { Value, Values } from '../fields/value.ts'
import { computedRules, type WorkOut } from '../history/computed-rules.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/history/point-in-time.ts'
import type { StoredRecord } from '../storage/records/stored.ts'

/** What is enough to know of a record in order to compute for it. */
type RecordIdentity = Pick<StoredRecord, 'type' | 'id' | 'bundle'>

interface ComputedRequest {
  readonly farm: Farm
  readonly time: PointInTime
  /** The names of the computed fields that are wanted. */
  readonly asked: readonly string[]
}

/** One computed field of one record. */
interface ComputedField {
  readonly id: number
  readonly name: string
  readonly rule: ComputedRule
}

/** The computed values of these records at that time, by id; always for a whole page at once. */
export async function computedOf(
  snapshot: Snapshot,
  records: readonly RecordIdentity[],
  { farm, time, asked }: ComputedRequest,
): Promise<ReadonlyMap<number, Values>> {
  if (asked.length === 0) return new Map()
  const wanted = new Map<WorkOut<unknown>, ComputedField[]>()
  for (const { type, id, bundle } of records) {
    const fields = fieldsOfBundle(farm.records[type], bundle)
    for (const name of asked) {
      const rule = fields[name]?.computed
      if (rule === undefined) continue
      const { workOut } = computedRules[rule]
      const those = wanted.get(workOut)
      if (those === undefined) wanted.set(workOut, [{ id, name, rule }])
      else those.push({ id, name, rule })
    }
  }
  const computed = new Map<number, Record<string, Value>>()
  for (const [workOut, those] of wanted) {
    const worked = await workOut(snapshot, [...new Set(those.map(({ id }) => id))], time)
    for (const { id, name, rule } of those) {
      const values = computed.get(id) ?? {}
      values[name] = computedRules[rule].valueFrom(worked.get(id))
      computed.set(id, values)
    }
  }
  return computed
}
