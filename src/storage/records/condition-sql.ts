import type { RecordTypeName } from '../../farm/farm.ts'
import type { PointInTime } from '../history/point-in-time.ts'
import { nowhere, type StayKind } from '../history/stay-rows.ts'
import { type Fragment, fragment, joined, listed, word } from '../sql/fragment.ts'
import type { Comparing, Condition, Operator } from './condition.ts'
import { indexedKey, shortestIndexed } from './index-rows.ts'
import { type Referring, toTarget, toValue } from './path.ts'

/** The condition as SQL over the record table, which the query calls `record`. */
export function conditionSql(type: RecordTypeName, condition: Condition): Fragment {
  switch (condition.on) {
    case 'column': {
      const column = word(`record.${condition.column}`)
      return anyOf(condition.test, (value) => compared(column, condition.test.operator, value))
    }
    case 'facet':
      return anyOf(condition.test, (key) => hasFacet(type, condition.field, facetLike(condition.test.operator, key)))
    case 'no-facet':
      return not(hasFacet(type, condition.field, always))
    case 'reference':
      return amongst(condition.test, (ids) => refers(type, condition, fragment`target_id in (${ids})`))
    case 'no-reference':
      return not(refers(type, condition, always))
    case 'staying':
      return amongst(condition.places, (places) => staysAt(condition, places))
    case 'staying-nowhere':
      return staysNowhere(condition)
    case 'occupied':
      return anyOf(
        condition.assets,
        (asset) => fragment`record.id in (${occupiedPlaces(condition, fragment`asset_id = ${asset}`)})`,
      )
    case 'unoccupied':
      return fragment`record.id not in (${occupiedPlaces(condition, always)})`
    case 'not':
      return not(conditionSql(type, condition.condition))
    case 'either':
      return each(type, condition.conditions, ' or ')
    case 'all':
      return each(type, condition.conditions, ' and ')
  }
}

const each = (type: RecordTypeName, conditions: readonly Condition[], between: string): Fragment =>
  fragment`(${joined(
    conditions.map((one) => conditionSql(type, one)),
    between,
  )})`

const always: Fragment = fragment`1 = 1`
const not = (truth: Fragment): Fragment => fragment`not (${truth})`

function anyOf<T extends string | number>(test: Comparing<T>, one: (value: T) => Fragment): Fragment {
  const any = test.values.length === 0 ? not(always) : fragment`(${joined(test.values.map(one), ' or ')})`
  return test.operator === 'ne' ? not(any) : any
}

/** A list instead of an `or` for each: of that an engine takes only so many. */
function amongst(test: Comparing<number>, some: (ids: Fragment) => Fragment): Fragment {
  if (test.values.length === 0) return anyOf(test, () => always)
  const found = some(listed(test.values))
  return test.operator === 'ne' ? not(found) : found
}

const signs = { eq: word('='), ne: word('='), gt: word('>'), ge: word('>='), lt: word('<'), le: word('<=') }

function compared(side: Fragment, operator: Operator, value: string | number): Fragment {
  if (operator === 'ct') return fragment`${side} like ${`%${literally(value)}%`} escape '\\'`
  if (operator === 'sw') return fragment`${side} like ${`${literally(value)}%`} escape '\\'`
  return fragment`${side} ${signs[operator]} ${value}`
}

/** Contains and starts-with look for the text itself: `%` and `_` in it are ordinary characters. */
const literally = (text: string | number): string => String(text).replace(/[\\%_]/g, '\\$&')

const lastCharacter = '\u{10ffff}'

/** Narrowed by the indexed beginning of the key wherever the operator allows, decided by the whole key. */
function facetLike(operator: Operator, key: string): Fragment {
  const short = indexedKey(key)
  const decided = compared(word('coalesce(whole_key, key)'), operator, key)
  if (operator === 'eq' || operator === 'ne') return fragment`key = ${short} and ${decided}`
  if (operator === 'gt' || operator === 'ge') return fragment`key >= ${shortestIndexed(key)} and ${decided}`
  if (operator === 'lt' || operator === 'le') return fragment`key <= ${key} and ${decided}`
  if (operator === 'sw') return fragment`key >= ${short} and key < ${short + lastCharacter} and ${decided}`
  return decided
}

const hasFacet = (type: RecordTypeName, field: string, like: Fragment): Fragment =>
  fragment`record.id in (select record_id from facet where path = ${toValue(type, field)} and ${like})`

const refers = (type: RecordTypeName, field: Referring, to: Fragment): Fragment =>
  fragment`record.id in (select source_id from reference where path = ${toTarget(type, field)} and ${to})`

interface StayingThen {
  readonly kind: StayKind
  readonly time: PointInTime
}

/** Looked up from the place, because few assets stay in one place and many places are no asset's. */
const staysAt = ({ kind, time: { second } }: StayingThen, places: Fragment): Fragment =>
  fragment`record.id in (select asset_id from stay where kind = ${kind} and place_id in (${places}) and place_id <> ${nowhere}
    and until > ${second} and timestamp <= ${second})`

/** Never moved, or last of all to a bare geometry. */
const staysNowhere = ({ kind, time: { second } }: StayingThen): Fragment =>
  fragment`coalesce((select place_id from stay where kind = ${kind} and asset_id = record.id and timestamp <= ${second}
    order by timestamp desc, log_id desc limit 1), ${nowhere}) = ${nowhere}`

const occupiedPlaces = ({ kind, time: { second, archivedBy } }: StayingThen, like: Fragment): Fragment =>
  fragment`select place_id from stay join asset on asset.id = stay.asset_id where kind = ${kind} and ${like}
    and until > ${second} and timestamp <= ${second} and (asset.archived = 0 or asset.archived > ${archivedBy})`
