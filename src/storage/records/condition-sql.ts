import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RecordTypeName } from '../../farm/farm.ts'
import { nowhere, type StayKind } from '../history/stay-rows.ts'
import type { Comparing, Condition, Operator } from './condition.ts'
import { indexedKey } from './index-rows.ts'

type Truth = RawBuilder<SqlBool>

/** The condition as SQL over the record table, which the query calls `record`. */
export function conditionSql(type: RecordTypeName, condition: Condition): Truth {
  switch (condition.on) {
    case 'column': {
      const column = sql.ref<string>(`record.${condition.column}`)
      return anyOf(condition.test, (value) => compared(column, condition.test.operator, value))
    }
    case 'facet':
      return anyOf(condition.test, (key) => hasFacet(type, condition.field, facetLike(condition.test.operator, key)))
    case 'no-facet':
      return not(hasFacet(type, condition.field, always))
    case 'reference': {
      const target = sql<SqlBool>`target_type = ${condition.target}`
      return anyOf(condition.test, (id) => refers(type, condition.field, sql<SqlBool>`${target} and target_id = ${id}`))
    }
    case 'no-reference':
      return not(refers(type, condition.field, always))
    case 'staying':
      return anyOf(condition.places, (place) =>
        staysNow(condition, sql<SqlBool>`asset_id = record.id and place_id = ${place}`),
      )
    case 'staying-nowhere':
      return not(staysNow(condition, sql<SqlBool>`asset_id = record.id and place_id <> ${nowhere}`))
    case 'occupied':
      return anyOf(condition.assets, (asset) => isOccupied(condition, sql<SqlBool>`asset_id = ${asset}`))
    case 'unoccupied':
      return not(isOccupied(condition, always))
    case 'not':
      return not(conditionSql(type, condition.condition))
    case 'either':
      return joined(type, condition.conditions, sql` or `)
    case 'all':
      return joined(type, condition.conditions, sql` and `)
  }
}

const joined = (type: RecordTypeName, conditions: readonly Condition[], word: RawBuilder<unknown>): Truth =>
  sql<SqlBool>`(${sql.join(
    conditions.map((one) => sql`(${conditionSql(type, one)})`),
    word,
  )})`

const always: Truth = sql<SqlBool>`1 = 1`
const not = (truth: Truth): Truth => sql<SqlBool>`not (${truth})`

function anyOf<T extends string | number>(test: Comparing<T>, one: (value: T) => Truth): Truth {
  const any = test.values.length === 0 ? not(always) : sql<SqlBool>`(${sql.join(test.values.map(one), sql` or `)})`
  return test.operator === 'ne' ? not(any) : any
}

const signs = { eq: sql`=`, ne: sql`=`, gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }

function compared(side: RawBuilder<string>, operator: Operator, value: string | number): Truth {
  if (operator === 'ct') return sql<SqlBool>`${side} like ${`%${literally(value)}%`} escape '\\'`
  if (operator === 'sw') return sql<SqlBool>`${side} like ${`${literally(value)}%`} escape '\\'`
  return sql<SqlBool>`${side} ${signs[operator]} ${value}`
}

/** Contains and starts-with look for the text itself: `%` and `_` in it are ordinary characters. */
const literally = (text: string | number): string => String(text).replace(/[\\%_]/g, '\\$&')

const lastCharacter = '\u{10ffff}'

/** Narrowed by the indexed beginning of the key wherever the operator allows, decided by the whole key. */
function facetLike(operator: Operator, key: string): Truth {
  const short = indexedKey(key)
  const decided = compared(sql<string>`coalesce(whole_key, key)`, operator, key)
  if (operator === 'eq' || operator === 'ne') return sql<SqlBool>`key = ${short} and ${decided}`
  if (operator === 'gt' || operator === 'ge') return sql<SqlBool>`key >= ${short} and ${decided}`
  if (operator === 'lt' || operator === 'le') return sql<SqlBool>`key <= ${short} and ${decided}`
  if (operator === 'sw') return sql<SqlBool>`key >= ${short} and key < ${short + lastCharacter} and ${decided}`
  return decided
}

const hasFacet = (type: RecordTypeName, field: string, like: Truth): Truth =>
  sql<SqlBool>`record.id in (select record_id from facet where record_type = ${type} and field = ${field} and ${like})`

const refers = (type: RecordTypeName, field: string, to: Truth): Truth =>
  sql<SqlBool>`record.id in (select source_id from reference where source_type = ${type} and field = ${field} and ${to})`

interface StayingNow {
  readonly kind: StayKind
  readonly now: number
}

const staysNow = ({ kind, now }: StayingNow, like: Truth): Truth =>
  sql<SqlBool>`exists (select 1 from stay where kind = ${kind} and ${like} and timestamp <= ${now} and until > ${now})`

const isOccupied = ({ kind, now }: StayingNow, like: Truth): Truth =>
  sql<SqlBool>`exists (select 1 from stay join asset on asset.id = stay.asset_id where kind = ${kind}
    and place_id = record.id and ${like} and timestamp <= ${now} and until > ${now} and asset.archived = 0)`
