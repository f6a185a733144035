import type { RecordTypeName } from '../../farm/farm.ts'
import { type Fragment, fragment, joined, word } from '../sql/fragment.ts'
import type { Order, OrderBy } from './condition.ts'
import { conditionSql } from './condition-sql.ts'
import { toTarget, toValue } from './path.ts'
import { statusOrder } from './statuses.ts'

/** One key of an order, over the record table, which the query calls `record`. What has no key comes before all others. */
export function orderSql(type: RecordTypeName, { by, direction }: Order, statuses: readonly string[]): Fragment {
  if ('isStatus' in by) return statusOrder(by.isStatus, direction, statuses)
  if ('column' in by && !('along' in by)) return word(`record.${by.column} ${direction}`)
  const nothing = word(direction === 'asc' ? 'nulls first' : 'nulls last')
  return fragment`${keySql(type, by)} ${word(direction)} ${nothing}`
}

function keySql(type: RecordTypeName, by: OrderBy | { readonly key: string }): Fragment {
  if ('key' in by) return fragment`${by.key}`
  if ('facet' in by)
    return fragment`coalesce((select min(coalesce(whole_key, key)) from facet where record_id = record.id
      and path = ${toValue(type, by.facet)}), '')`
  if ('cases' in by) {
    const each = by.cases.map((one) => fragment`when ${conditionSql(type, one.when)} then ${keySql(type, one.by)}`)
    return each.length === 0 ? word('null') : fragment`(case ${joined(each, ' ')} end)`
  }
  return 'along' in by ? keyOfTarget(type, by) : word(`record.${by.column}`)
}

type Along = Extract<OrderBy, { readonly along: unknown }>

function keyOfTarget(type: RecordTypeName, { along, to, column }: Along): Fragment {
  const key = word(`target.${column}`)
  const table = word(to)
  const number = word(to === 'account' ? 'target.uid' : 'target.id')
  if (along.by === 'reference')
    return fragment`(select min(${key}) from reference join ${table} as target on ${number} = reference.target_id
      where reference.path = ${toTarget(type, along)} and reference.source_id = record.id)`
  const side = word(along.by === 'column' ? `record.${along.column}` : 'record.log_id')
  return fragment`(select ${key} from ${table} as target where ${number} = ${side})`
}
