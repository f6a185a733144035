import type { Values } from '../../fields/value.ts'
import type { Snapshot } from '../database.ts'
import { ask, fragment, joined, listed } from '../sql/fragment.ts'
import { inSlices } from '../sql/slices.ts'
import type { Condition } from './condition.ts'
import { conditionSql } from './condition-sql.ts'
import type { LogBetween } from './logs-between.ts'

/** A log of any type. */
export interface AnyLog extends LogBetween {
  readonly name: string
  readonly bundle: string
}

interface Row extends Omit<AnyLog, 'values'> {
  readonly fields: string
}

/** Those of these logs that are so, in order of time. */
export async function logsAmong(
  snapshot: Snapshot,
  ids: readonly number[],
  conditions: readonly Condition[],
): Promise<readonly AnyLog[]> {
  const alike = conditions.map((condition) => conditionSql('log', condition))
  const rows = await inSlices(ids, (slice) =>
    ask<Row>(
      snapshot,
      fragment`select record.id, record.bundle, record.name, record.timestamp, record.fields from log as record
        where ${joined([fragment`record.id in (${listed(slice)})`, ...alike], ' and ')}`,
    ),
  )
  return rows
    .map(({ fields, ...row }) => ({ ...row, values: JSON.parse(fields) as Values }))
    .toSorted((one, other) => one.timestamp - other.timestamp || one.id - other.id)
}
