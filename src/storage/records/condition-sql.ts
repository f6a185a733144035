import type { RecordTypeName } from '../../farm/farm.ts'
import type { PointInTime } from '../farm-state.ts'
import { nowhere, placeTypes, type StayKind } from '../history/stay-rows.ts'
import { type Fragment, fragment, joined, listed, paced, word } from '../sql/fragment.ts'
import type { ColumnComparison, Condition, Destination, UnmarkedOnly } from './condition.ts'
import { markOf, type ReferencePath, toTarget, toValue } from './path.ts'
import {
  always,
  compared,
  containsAny,
  facetLike,
  never,
  passes,
  passesInFacet,
  wholeKey,
  withoutImplied,
} from './value-test-sql.ts'

/** The condition as SQL over the record table, which the query calls `record`. */
export function conditionSql(type: RecordTypeName, condition: Condition): Fragment {
  switch (condition.on) {
    case 'column': {
      const column = word(`record.${condition.column}`)
      if (condition.test.operator === 'ct') return containing(condition.test, column)
      return anyOf(condition.test, (value) => compared(column, condition.test.operator, value))
    }
    case 'facet': {
      const { operator } = condition.test
      const having = (like: Fragment) =>
        hasFacet(type, condition.field, fragment`${like}${unmarked(type, condition, 'record_id')}`)
      if (operator === 'ct') return having(containing(condition.test, wholeKey))
      return anyOf(condition.test, (key) => having(facetLike(operator, key)))
    }
    case 'no-facet':
      return not(hasFacet(type, condition.field, always))
    case 'reference':
      return amongst(condition.test, (ids) =>
        refers(type, condition, fragment`target_id in (${ids})${unmarked(type, condition, 'source_id')}`),
      )
    case 'no-reference':
      return not(refers(type, condition, always))
    case 'staying':
      return amongst(condition.places, (places) => staysAt(condition, places))
    case 'staying-nowhere':
      return staysNowhere(condition)
    case 'occupied':
      return anyOf(
        condition.assets,
        (asset) => fragment`record.id in (${occupiedPlaces(condition, fragment`thing_id = ${asset}`)})`,
      )
    case 'unoccupied':
      return fragment`record.id not in (${occupiedPlaces(condition, always)})`
    case 'column value':
      return passes(word(`record.${condition.column}`), condition.test)
    case 'field value':
      return fragment`record.id in (${idsWithValue(type, condition)})`
    case 'numbered':
      return fragment`record.id in (${listedNumbers(condition.numbers)})`
    case 'leading to': {
      const ids = idsWhere(type, condition)
      return ids === undefined ? leads(type, condition) : fragment`record.id in (${ids})`
    }
    case 'not':
      return isNot(type, condition.condition)
    case 'either': {
      const ids = idsWhere(type, condition)
      if (ids !== undefined) return fragment`record.id in (${ids})`
      return each(type, condition.conditions, ' or ')
    }
    case 'all':
      return each(type, condition.conditions, ' and ')
  }
}

const each = (type: RecordTypeName, conditions: readonly Condition[], between: string): Fragment =>
  fragment`(${joined(
    conditions.map((one) => conditionSql(type, one)),
    between,
  )})`

const not = (truth: Fragment): Fragment => fragment`not (${truth})`

/** An absence is checked along the record itself: most entries of others do not matter. */
function isNot(type: RecordTypeName, condition: Condition): Fragment {
  if (condition.on === 'either')
    return fragment`(${joined(
      condition.conditions.map((one) => isNot(type, one)),
      ' and ',
    )})`
  if (condition.on === 'field value')
    return fragment`not exists (select 1 from facet where facet.record_id = record.id
      and facet.path = ${toValue(type, condition.field)} and ${passesInFacet(condition.test)})`
  if (condition.on !== 'leading to' || condition.to.is !== 'anything') return not(conditionSql(type, condition))
  const { way } = condition
  if (way.by === 'quantities') return fragment`not exists (select 1 from quantity where quantity.log_id = record.id)`
  if (way.by !== 'reference') return not(conditionSql(type, condition))
  const along = fragment`reference.source_id = record.id and reference.path = ${toTarget(type, way)}`
  return fragment`not exists (select 1 from reference where ${joined([along, ...besides(type, way)], ' and ')})`
}

function anyOf<T extends string | number>(test: ColumnComparison<T>, one: (value: T) => Fragment): Fragment {
  const any = test.values.length === 0 ? never : fragment`(${joined(withoutImplied(test).map(one), ' or ')})`
  return test.operator === 'ne' ? not(any) : any
}

const containing = ({ values }: ColumnComparison<string | number>, side: Fragment): Fragment =>
  values.length === 0 ? never : containsAny(side, values.map(String))

/** A list instead of an `or` for each: of that an engine takes only so many. */
function amongst(test: ColumnComparison<number>, some: (ids: Fragment) => Fragment): Fragment {
  if (test.values.length === 0) return anyOf(test, () => always)
  const found = some(listed(test.values))
  return test.operator === 'ne' ? not(found) : found
}

const hasFacet = (type: RecordTypeName, field: string, like: Fragment): Fragment =>
  fragment`record.id in (select record_id from facet where path = ${toValue(type, field)} and ${paced('record_id', 'whole_key')}${like})`

const refers = (type: RecordTypeName, field: ReferencePath, to: Fragment): Fragment =>
  fragment`record.id in (select source_id from reference where path = ${toTarget(type, field)} and ${paced('source_id')}${to})`

interface Markable {
  readonly field: string
  readonly unmarked?: UnmarkedOnly
}

/** Leaves out the marked ones, whose ids are in this column. */
export function unmarked(type: RecordTypeName, condition: Markable, ids: 'record_id' | 'source_id'): Fragment {
  if (condition.unmarked === undefined) return word('')
  const marked = fragment`select record_id from facet where path = ${toValue(type, markOf(condition.field))}`
  return fragment` and ${word(ids)} not in (${marked})`
}

type ConditionOn<On extends Condition['on']> = Extract<Condition, { readonly on: On }>

/**
 * The numbers of the records that are so, where they can be looked up without looking at the records themselves. Whoever asks
 * for records among them begins with those, however many records there are.
 */
function idsWhere(type: RecordTypeName, condition: Condition): Fragment | undefined {
  if (!isLookedUp(condition)) return undefined
  switch (condition.on) {
    case 'field value':
      return idsWithValue(type, condition)
    case 'leading to':
      return idsLeading(type, condition)
    case 'either':
      return joined(
        condition.conditions.flatMap((one) => idsWhere(type, one) ?? []),
        ' union all ',
      )
    default:
      return fragment`select record.id from ${word(type)} as record where ${paced('record.id')}${conditionSql(type, condition)}`
  }
}

function isLookedUp(condition: Condition): boolean {
  if (condition.on === 'leading to') return condition.way.by === 'reference' || condition.way.by === 'quantities'
  if (condition.on === 'either') return condition.conditions.length > 0 && condition.conditions.every(isLookedUp)
  return condition.on === 'all' ? condition.conditions.some(isLookedUp) : condition.on === 'field value'
}

const idsWithValue = (type: RecordTypeName, { field, test }: ConditionOn<'field value'>): Fragment =>
  fragment`select record_id from facet where path = ${toValue(type, field)} and ${paced('record_id', 'whole_key')}${passesInFacet(test)}`

function idsLeading(type: RecordTypeName, { way, to }: ConditionOn<'leading to'>): Fragment | undefined {
  if (way.by === 'quantities') return logsWith(to)
  if (way.by !== 'reference') return undefined
  const there = to.is === 'anything' ? [] : [fragment`reference.target_id in (${numbersOf(to)})`]
  const along = fragment`reference.path = ${toTarget(type, way)}`
  return fragment`select reference.source_id from reference where ${paced('reference.source_id')}${joined([along, ...there, ...besides(type, way)], ' and ')}`
}

type Reference = Extract<ConditionOn<'leading to'>['way'], { readonly by: 'reference' }>

/** Another field that refers to the same target does not count. */
function besides(type: RecordTypeName, { except, target }: Reference): readonly Fragment[] {
  if (except === undefined) return []
  const path = toTarget(type, { field: except, target })
  return [
    fragment`not exists (select 1 from reference as besides where besides.source_id = reference.source_id
      and besides.path = ${path} and besides.target_id = reference.target_id)`,
  ]
}

/** The logs that have a quantity like that. */
function logsWith(to: Destination): Fragment {
  const logs = fragment`select record.log_id from quantity as record where record.log_id is not null`
  if (to.is === 'anything') return logs
  const isSo = to.is === 'record' ? conditionSql(to.type, to.condition) : fragment`record.id in (${numbersOf(to)})`
  return fragment`${logs} and ${paced('record.id')}${isSo}`
}

type DefiniteDestination = Exclude<Destination, { readonly is: 'anything' }>

function numbersOf(to: DefiniteDestination): Fragment {
  if (to.is === 'number') return listedNumbers(to.numbers)
  return (
    idsWhere(to.type, to.condition) ??
    fragment`select record.id from ${word(to.type)} as record where ${paced('record.id')}${conditionSql(to.type, to.condition)}`
  )
}

const mostListed = 1_000

/** Engines limit lists to some thousands; longer ones are keys of a JSON object, which both can read. */
function listedNumbers(numbers: readonly number[]): Fragment {
  if (numbers.length === 0) return word('null')
  if (numbers.length <= mostListed) return listed(numbers)
  const names = JSON.stringify(Object.fromEntries(numbers.map((number) => [number, 0])))
  return fragment`select cast(told.key as bigint) from json_each(${names}) as told`
}

/** Along what stands in the row of the record itself, or follows from its journal. */
function leads(type: RecordTypeName, { way, to }: ConditionOn<'leading to'>): Fragment {
  const side = besideRecord(type, way)
  if (to.is !== 'anything') return fragment`${side} in (${numbersOf(to)})`
  const isOfUser = way.by === 'last revision' || (way.by === 'column' && way.column === 'uid')
  // Nobody is the author of what the farm itself has made.
  return isOfUser ? fragment`${side} <> 0` : fragment`${side} is not null`
}

function besideRecord(type: RecordTypeName, way: ConditionOn<'leading to'>['way']): Fragment {
  if (way.by === 'log') return word('record.log_id')
  if (way.by === 'column') return word(`record.${way.column}`)
  return fragment`coalesce((select journal.uid from journal where journal.record_type = ${type}
    and journal.record_id = record.id order by journal.sequence desc limit 1), record.uid)`
}

interface StayingThen {
  readonly kind: StayKind
  readonly time: PointInTime
}

/** Assets, in areas or groups. */
const ofAssets = (kind: StayKind): Fragment =>
  fragment`kind = ${kind} and thing_type = 'asset' and place_type = ${placeTypes[kind]}`

/** Looked up from the place, because few assets stay in one place and many places are no asset's. */
const staysAt = ({ kind, time: { second } }: StayingThen, places: Fragment): Fragment =>
  fragment`record.id in (select thing_id from stay where ${ofAssets(kind)} and place_id in (${places}) and place_id <> ${nowhere}
    and until > ${second} and timestamp <= ${second})`

/** Never moved, or last of all to a bare geometry. */
const staysNowhere = ({ kind, time: { second } }: StayingThen): Fragment =>
  fragment`coalesce((select place_id from stay where ${ofAssets(kind)} and thing_id = record.id and timestamp <= ${second}
    order by timestamp desc, log_id desc limit 1), ${nowhere}) = ${nowhere}`

const occupiedPlaces = ({ kind, time: { second, archivedBy } }: StayingThen, like: Fragment): Fragment =>
  fragment`select place_id from stay join asset on asset.id = stay.thing_id where ${ofAssets(kind)} and ${like}
    and until > ${second} and timestamp <= ${second} and (asset.archived = 0 or asset.archived > ${archivedBy})`
