import type { RecordTypeName } from '../../farm/farm.ts'
import type { Field } from '../../fields/field.ts'
import { textKey, trimmedTextKey } from '../../fields/key.ts'
import { comparesAsText, keysOf } from '../../fields/kinds.ts'
import { shown } from '../../fields/place.ts'
import { computedRules } from '../../history/computed-rules.ts'
import { identitiesOf } from '../../storage/identity.ts'
import {
  type Condition,
  none,
  type RecordColumn,
  together,
  type UnmarkedOnly,
} from '../../storage/records/condition.ts'
import { columnsOf } from '../../storage/records/stored.ts'
import { mostNamesakes, termsByName } from '../../storage/records/term-rows.ts'
import { targetOf } from '../record-index.ts'
import { badQuery, type FilterContext, type FilterValue, type RecordFilter } from './filter.ts'

/** The filter as a condition on the rows. */
export async function conditionOf(context: FilterContext, filter: RecordFilter): Promise<Condition> {
  const conditions: Condition[] = filter.values.flatMap((one) =>
    one.is === 'numbered' ? [{ on: 'numbered', numbers: one.numbers }] : [],
  )
  const values = filter.values.filter(({ is }) => is !== 'empty' && is !== 'filled' && is !== 'numbered')
  for (const is of ['empty', 'filled'] as const) {
    if (filter.values.some((one) => one.is === is)) conditions.push(emptiness(context, filter, is))
  }
  if (values.length > 0)
    conditions.push(await comparison(context, { ...filter, values: await withIds(context, { ...filter, values }) }))
  return together(filter.operator, conditions)
}

/** The values with ids in place of UUIDs; one that stands for nothing of that type is equal to nothing. */
async function withIds(
  { snapshot, type }: FilterContext,
  { field, values }: RecordFilter,
): Promise<readonly FilterValue[]> {
  const uuids = values.flatMap((one) => (one.is === 'uuid' ? [one.uuid] : []))
  if (uuids.length === 0) return values
  const identities = await identitiesOf(snapshot, uuids)
  const target = targetOf(field) || type
  return values.flatMap((one): readonly FilterValue[] => {
    if (one.is !== 'uuid') return [one]
    const identity = identities.get(one.uuid)
    return identity?.type === target ? [{ is: 'value', value: identity.number }] : []
  })
}

/** Records with the field where it is empty, or the others. */
function emptiness(context: FilterContext, filter: RecordFilter, is: 'empty' | 'filled'): Condition {
  const isWanted = (equality(filter) === 'eq') === (is === 'empty')
  const column = columnOf(context.type, filter.path)
  if (column !== undefined) return emptyColumn(column, isWanted ? 'eq' : 'ne')
  const empty = emptyOf(context, filter)
  return {
    on: 'all',
    conditions: [having(filter), isWanted ? empty : { on: 'not', condition: empty }],
  }
}

const having = ({ bundles }: RecordFilter): Condition => ({
  on: 'column',
  column: 'bundle',
  test: { operator: 'eq', values: bundles },
})

function emptyOf({ time }: FilterContext, { path, field }: RecordFilter): Condition {
  const stay = stayBehind(field)
  if (stay !== undefined) return { on: stay.by === 'staying' ? 'staying-nowhere' : 'unoccupied', kind: stay.kind, time }
  return unindexed(path, field)
}

/** For a computed field about locations or memberships. */
function stayBehind({ computed }: Field) {
  const filter = computed === undefined ? undefined : computedRules[computed].filter
  return filter?.by === 'working it out' ? undefined : filter
}

function unindexed(path: string, field: Field): Condition {
  const target = targetOf(field)
  if (target !== '') return { on: 'no-reference', field: path, target }
  if (field.kind !== 'part') return { on: 'no-facet', field: path }
  const parts = Object.entries(field.fields).map(([name, own]) => unindexed(`${path}.${name}`, own))
  return { on: 'all', conditions: parts }
}

async function comparison(context: FilterContext, filter: RecordFilter): Promise<Condition> {
  const { path, field, operator } = filter
  const stay = stayBehind(field)
  const column = columnOf(context.type, path)
  if (column !== undefined) return columnComparison(filter, column)
  const target = targetOf(field)
  if (target !== '') {
    const test = { operator: equality(filter), values: await idsAsked(context, filter) }
    if (stay?.by === 'staying') return { on: 'staying', kind: stay.kind, places: test, time: context.time }
    if (stay?.by === 'occupied') return { on: 'occupied', kind: stay.kind, assets: test, time: context.time }
    return { on: 'reference', field: path, target, test, ...unmarkedIn(filter) }
  }
  if (field.kind === 'yes-no') return yesNoComparison(filter)
  return { on: 'facet', field: path, test: { operator, values: keysAsked(filter) }, ...unmarkedIn(filter) }
}

const unmarkedIn = ({ partlyHidden }: RecordFilter): { readonly unmarked?: UnmarkedOnly } =>
  partlyHidden === undefined ? {} : { unmarked: partlyHidden }

/** No is also what was never said, among the records that can say it; what cannot is neither. */
function yesNoComparison(filter: RecordFilter): Condition {
  const operator = equality(filter)
  const yes: Condition = {
    on: 'facet',
    field: filter.path,
    test: { operator: 'eq', values: ['1'] },
    ...unmarkedIn(filter),
  }
  const no: Condition = { on: 'all', conditions: [having(filter), { on: 'no-facet', field: filter.path }] }
  const any = together(
    'eq',
    valuesIn(filter).map((value) => (value === true ? yes : no)),
  )
  return operator === 'eq' ? any : { on: 'not', condition: any }
}

async function idsAsked(
  { snapshot, installation }: FilterContext,
  { asked, field, values }: RecordFilter,
): Promise<readonly number[]> {
  const within = field.kind === 'reference' ? field.within : undefined
  const vocabularies = Array.isArray(within) ? within : [...installation.vocabularies.keys()]
  const ids: number[] = []
  for (const one of values) {
    if (one.is === 'value') ids.push(Number(one.value))
    if (one.is !== 'term') continue
    const named = await termsByName(snapshot, vocabularies, one.name)
    if (named.length > mostNamesakes)
      throw badQuery(asked, `more than ${mostNamesakes} terms are called ${shown(one.name)}; ask by id`)
    ids.push(...(named.length > 0 ? named : one.id === undefined ? [] : [one.id]))
  }
  return ids
}

function keysAsked(filter: RecordFilter): readonly string[] {
  const { field, asked } = filter
  if (comparesAsText(field)) return valuesIn(filter).map((value) => textKey(String(value)))
  refuseTextOperators(filter)
  return valuesIn(filter).map((value) => {
    const [key] = keysOf(singly(field), value)
    if (key === undefined) throw badQuery(asked, `${shown(value)} cannot be compared with it`)
    return key
  })
}

/** One value of a field that may have several; a period is asked for by its start. */
export function singly(field: Field): Field {
  if (field.kind === 'period') return { kind: 'timestamp', label: field.label }
  return 'many' in field ? ({ ...field, many: undefined } as unknown as Field) : field
}

const columnNames: Readonly<Record<string, RecordColumn>> = {
  id: 'id',
  tid: 'id',
  name: 'name_key',
  type: 'bundle',
  vocabulary: 'bundle',
  uid: 'uid',
  created: 'created',
  changed: 'changed',
}

export const columnOf = (type: RecordTypeName, path: string): RecordColumn | undefined =>
  (Object.hasOwn(columnNames, path) ? columnNames[path] : undefined) ?? columnsOf[type][path]?.column

/** The value of a column whose field is empty; most are never empty. */
function emptyColumn(column: RecordColumn, operator: 'eq' | 'ne'): Condition {
  if (column === 'archived') return { on: 'column', column, test: { operator, values: [0] } }
  if (column === 'status') return { on: 'column', column, test: { operator, values: ['pending'] } }
  return operator === 'eq' ? none : { on: 'not', condition: none }
}

function columnComparison(filter: RecordFilter, column: RecordColumn): Condition {
  const { operator } = filter
  const values = valuesIn(filter)
  const test = (compared: readonly (string | number)[]) =>
    ({ on: 'column', column, test: { operator, values: compared } }) as const
  if (column === 'name_key') {
    const isWhole = operator === 'eq' || operator === 'ne'
    return test(values.map((value) => (isWhole ? trimmedTextKey : textKey)(String(value))))
  }
  if (column === 'bundle') return test(values.map((value) => textKey(String(value))))
  if (column === 'status') {
    equality(filter)
    return test(values.map(String))
  }
  refuseTextOperators(filter)
  return test(values.map(Number))
}

function equality({ asked, operator }: RecordFilter): 'eq' | 'ne' {
  if (operator === 'eq' || operator === 'ne') return operator
  throw badQuery(asked, `[${operator}] does not apply to it`, ['eq', 'ne'])
}

/** Contains and starts-with are asked of text only. */
function refuseTextOperators({ asked, operator }: RecordFilter): void {
  if (operator === 'ct' || operator === 'sw')
    throw badQuery(asked, `[${operator}] is for text`, ['eq', 'ne', 'gt', 'ge', 'lt', 'le'])
}

/** The values themselves, of a filter that asks neither for none nor for terms. */
const valuesIn = ({ values }: Pick<RecordFilter, 'values'>): readonly (string | number | boolean)[] =>
  values.flatMap((one) => (one.is === 'value' ? [one.value] : []))
