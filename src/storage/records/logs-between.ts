import type { Values } from '../../fields/value.ts'
import type { Snapshot } from '../database.ts'
import { ask, type Fragment, fragment, inSlices, joined, listed, paced } from '../sql/fragment.ts'
import type { Condition } from './condition.ts'
import { conditionSql } from './condition-sql.ts'

/** From the first second to before the last. */
export interface LogPeriod {
  readonly from: number
  readonly to: number
}

interface LogQuery extends LogPeriod {
  readonly bundle: string
  readonly status: string
  readonly conditions: readonly Condition[]
}

export interface LogBetween {
  readonly id: number
  readonly timestamp: number
  /** Without what has a column of its own. */
  readonly values: Values
}

const logsAtOnce = 500

/** The logs of one type and status within a time, in order of time, some at a time. */
export async function* logsBetween(snapshot: Snapshot, asked: LogQuery): AsyncGenerator<readonly LogBetween[]> {
  let after: Pick<LogBetween, 'timestamp' | 'id'> = { timestamp: asked.from, id: 0 }
  for (;;) {
    const [row] = await ask<{ readonly page: string | null }>(snapshot, logsAfter(asked, after))
    const logs = logsIn(row?.page ?? '[]')
    if (logs.length > 0) yield logs
    const last = logs.at(-1)
    if (last === undefined || logs.length < logsAtOnce) return
    after = last
  }
}

/** Id, time and values in turn. */
function logsIn(page: string): readonly LogBetween[] {
  const parts = JSON.parse(page) as readonly (number | Values)[]
  const logs: LogBetween[] = []
  for (let at = 0; at < parts.length; at += 3)
    logs.push({
      id: parts[at] as number,
      timestamp: parts[at + 1] as number,
      values: parts[at + 2] as Values,
    })
  return logs
}

/** A page is one row, and read at once: a hundred thousand rows take either engine longer to hand over than to find. */
function logsAfter(
  { bundle, status, to, conditions }: LogQuery,
  after: Pick<LogBetween, 'timestamp' | 'id'>,
): Fragment {
  const alike = conditions.map((condition) => conditionSql('log', condition))
  const all = [
    fragment`record.bundle = ${bundle} and record.status = ${status} and record.timestamp < ${to}`,
    fragment`(record.timestamp, record.id) > (${after.timestamp}, ${after.id})`,
    ...alike,
  ]
  return fragment`select '[' || string_agg(id || ',' || timestamp || ',' || fields, ',' order by timestamp, id) || ']' as page from (
    select record.id, record.timestamp, record.fields from log as record
    where ${paced('record.id')}${joined(all, ' and ')} order by record.timestamp, record.id limit ${logsAtOnce}) as page`
}

/** A log of any type. */
export interface AnyLog extends LogBetween {
  readonly name: string
  readonly bundle: string
}

interface Row extends Omit<AnyLog, 'values'> {
  readonly fields: string
}

/** The matching logs, sorted by time. */
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

/** What the service noted of a log, beside its values. */
export interface LogNote {
  readonly id: number
  readonly name: string
  readonly uid: number
  readonly created: number
}

/** The names, authors and times of entry of these logs. */
export async function notesOfLogs(snapshot: Snapshot, ids: readonly number[]): Promise<ReadonlyMap<number, LogNote>> {
  const rows = await inSlices(ids, (slice) =>
    ask<LogNote>(snapshot, fragment`select id, name, uid, created from log where id in (${listed(slice)})`),
  )
  return new Map(rows.map((row) => [row.id, row]))
}
