import { sql } from 'kysely'
import type { RecordTypeName } from '../../farm/farm.ts'
import type { Reading } from '../database.ts'
import type { Condition, Order } from './condition.ts'
import { conditionSql } from './condition-sql.ts'
import { tableOf } from './stored.ts'

export interface Search {
  readonly type: RecordTypeName
  readonly conditions: readonly Condition[]
  /** First by the first, ties by the next; the id settles what is left. */
  readonly order: readonly Order[]
}

function matching(rows: Reading, { type, conditions }: Search) {
  // The three record tables share the columns that are named here, so one type stands for all.
  let query = rows.selectFrom(`${tableOf[type] as 'log'} as record`)
  for (const condition of conditions) query = query.where(conditionSql(type, condition))
  return query
}

export async function countMatches(rows: Reading, search: Search): Promise<number> {
  const { count } = await matching(rows, search)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface Slice {
  readonly offset: number
  readonly limit: number
}

/** Only the ids: what a page shows is looked up for the page, not for what it skips. */
export async function idsOfMatches(rows: Reading, search: Search, slice: Slice): Promise<readonly number[]> {
  let query = matching(rows, search).select('record.id')
  for (const { by, direction } of search.order) {
    const value =
      'column' in by
        ? sql.ref(`record.${by.column}`)
        : sql`coalesce((select min(key) from facet where record_type = ${search.type} and record_id = record.id and field = ${by.facet}), '')`
    query = query.orderBy(value, direction)
  }
  const found = await query.orderBy('record.id').limit(slice.limit).offset(slice.offset).execute()
  return found.map((row) => row.id)
}
