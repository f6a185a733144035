import type { Values } from '../../fields/value.ts'
import type { Snapshot } from '../database.ts'
import { ask, type Fragment, fragment, joined } from '../sql/fragment.ts'
import type { Condition } from './condition.ts'
import { conditionSql } from './condition-sql.ts'

/** From the first second to before the other. */
export interface Period {
  readonly from: number
  readonly to: number
}

export interface LogsAsked extends Period {
  readonly bundle: string
  readonly status: string
  readonly conditions: readonly Condition[]
}

export interface LogBetween {
  readonly id: number
  readonly name: string
  readonly timestamp: number
  /** Without what has a column of its own. */
  readonly values: Values
}

interface Row extends Omit<LogBetween, 'values'> {
  readonly fields: string
}

const logsAtOnce = 500

/** The logs of one type and status within a time, in order of time, some at a time. */
export async function* logsBetween(snapshot: Snapshot, asked: LogsAsked): AsyncGenerator<readonly LogBetween[]> {
  let after = { timestamp: asked.from, id: 0 }
  for (;;) {
    const rows = await ask<Row>(snapshot, logsAfter(asked, after))
    if (rows.length > 0) yield rows.map(({ fields, ...row }) => ({ ...row, values: JSON.parse(fields) }))
    const last = rows.at(-1)
    if (last === undefined || rows.length < logsAtOnce) return
    after = last
  }
}

function logsAfter({ bundle, status, to, conditions }: LogsAsked, after: Pick<Row, 'timestamp' | 'id'>): Fragment {
  const alike = conditions.map((condition) => conditionSql('log', condition))
  const all = [
    fragment`record.bundle = ${bundle} and record.status = ${status} and record.timestamp < ${to}`,
    fragment`(record.timestamp, record.id) > (${after.timestamp}, ${after.id})`,
    ...alike,
  ]
  return fragment`select record.id, record.name, record.timestamp, record.fields from log as record
    where ${joined(all, ' and ')} order by record.timestamp, record.id limit ${logsAtOnce}`
}
