import { wordsOf } from '../farm/fields-of.ts'
import { keysOf } from '../fields/comparison.ts'
import type { Field, Kind, ReferenceField } from '../fields/field.ts'
import { takeField } from '../fields/intake.ts'
import { textKey, trimmedTextKey } from '../fields/key.ts'
import { placeAt, shown } from '../fields/place.ts'
import { wholeNumber } from '../fields/time.ts'
import type { Value } from '../fields/value.ts'
import type { Fault } from '../refusal.ts'
import type { Reading } from '../storage/database.ts'
import type { StayKind } from '../storage/history/stay-rows.ts'
import type { Condition, RecordColumn } from '../storage/records/condition.ts'
import { columnsOf } from '../storage/records/stored.ts'
import { mostNamesakes, termsByName } from '../storage/records/term-rows.ts'
import { badQuery } from './asked.ts'
import { vocabularyIn } from './create.ts'
import type { Filter } from './filters.ts'
import type { Keeping } from './keeping.ts'
import { targetOf } from './record-index.ts'

interface Ground {
  readonly keeping: Keeping
  readonly rows: Reading
  readonly type: 'log' | 'farm_asset' | 'taxonomy_term'
  readonly now: number
}

const none: Condition = { on: 'column', column: 'id', test: { operator: 'eq', values: [] } }

/** The filter as a condition on the rows. An empty value asks for records where the field is empty. */
export async function conditionOf(ground: Ground, filter: Filter): Promise<Condition> {
  const values = filter.values.filter((value) => value !== '')
  const conditions: Condition[] = []
  if (values.length < filter.values.length) conditions.push(emptiness(ground, filter))
  if (values.length > 0) conditions.push(await comparison(ground, { ...filter, values }))
  const [first = none, second] = conditions
  if (second === undefined) return first
  return { on: filter.operator === 'ne' ? 'all' : 'either', conditions }
}

/** `field=` asks for the empty ones, `field[ne]=` for the others, among the records that have the field. */
function emptiness(ground: Ground, filter: Filter): Condition {
  const having: Condition = { on: 'column', column: 'bundle', test: { operator: 'eq', values: filter.bundles } }
  const empty =
    filter.operator === 'eq' ? emptyOf(ground, filter) : ({ on: 'not', condition: emptyOf(ground, filter) } as const)
  return { on: 'all', conditions: [having, empty] }
}

function emptyOf({ type, now }: Ground, { path, field }: Filter): Condition {
  const column = columnOf(type, path)
  if (column === 'archived') return { on: 'column', column, test: { operator: 'eq', values: [0] } }
  if (column === 'status') return { on: 'column', column, test: { operator: 'eq', values: ['pending'] } }
  if (column !== undefined) return none
  const stay = field.computed ? stays[path] : undefined
  if (stay !== undefined) return { on: stay.on === 'staying' ? 'staying-nowhere' : 'unoccupied', kind: stay.kind, now }
  return unindexed(path, field)
}

function unindexed(path: string, field: Field): Condition {
  const target = targetOf(field)
  if (target !== '') return { on: 'no-reference', field: path, target }
  if (field.kind !== 'part') return { on: 'no-facet', field: path }
  const parts = Object.entries(field.fields).map(([name, own]) => unindexed(`${path}.${name}`, own))
  return { on: 'all', conditions: parts }
}

/** The computed fields that say who stays where. */
const stays: Readonly<Record<string, { readonly on: 'staying' | 'occupied'; readonly kind: StayKind }>> = {
  location: { on: 'staying', kind: 'movement' },
  group: { on: 'staying', kind: 'membership' },
  assets: { on: 'occupied', kind: 'movement' },
  members: { on: 'occupied', kind: 'membership' },
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

export const columnOf = (type: Ground['type'], path: string): RecordColumn | undefined =>
  (Object.hasOwn(columnNames, path) ? columnNames[path] : undefined) ?? columnsOf[type][path]?.column

async function comparison(ground: Ground, filter: Filter): Promise<Condition> {
  const { path, field, operator } = filter
  const stay = field.computed ? stays[path] : undefined
  const column = columnOf(ground.type, path)
  if (column !== undefined) return columnComparison(ground, filter, column)
  if (field.kind === 'reference') {
    const test = { operator: equality(filter), values: await idsAsked(ground, field, filter) }
    if (stay?.on === 'staying') return { on: 'staying', kind: stay.kind, places: test, now: ground.now }
    if (stay?.on === 'occupied') return { on: 'occupied', kind: stay.kind, assets: test, now: ground.now }
    return { on: 'reference', field: path, target: field.to, test }
  }
  if (field.kind === 'attachment') {
    return {
      on: 'reference',
      field: path,
      target: 'file',
      test: { operator: equality(filter), values: filter.values.map((value) => idAsked(filter, value)) },
    }
  }
  if (field.kind === 'part')
    throw badQuery(
      filter.asked,
      'say which part of it',
      Object.keys(field.fields).map((name) => `${filter.asked}[${name}]`),
    )
  if (field.kind === 'yes-no') return yesNoComparison(ground, filter)
  return {
    on: 'facet',
    field: path,
    test: { operator, values: filter.values.map((value) => keyAsked(ground, filter, value)) },
  }
}

function columnComparison(ground: Ground, filter: Filter, column: RecordColumn): Condition {
  const { operator, values } = filter
  const test = (compared: readonly (string | number)[]) =>
    ({ on: 'column', column, test: { operator, values: compared } }) as const
  if (column === 'name_key') return test(values.map(trimmedTextKey))
  if (column === 'bundle') {
    const words = values.map(textKey)
    if (ground.type !== 'taxonomy_term') return test(words)
    return test(words.map((word) => vocabularyIn(ground.keeping, word) ?? word))
  }
  if (column === 'status') {
    equality(filter)
    return test(values.map((value) => (valueAsked(ground, filter, value) === true ? 'done' : 'pending')))
  }
  if (operator === 'ct' || operator === 'sw')
    throw badQuery(filter.asked, `[${operator}] is for text`, ['eq', 'ne', 'gt', 'ge', 'lt', 'le'])
  if (column === 'archived' && (operator === 'eq' || operator === 'ne')) return archivedComparison(ground, filter)
  if (column === 'id' || filter.field.kind === 'reference') return test(values.map((value) => idAsked(filter, value)))
  return test(values.map((value) => Number(valueAsked(ground, filter, value))))
}

/** Clients ask for it as for a yes or no; a time that is none of those words is compared as it stands. */
function archivedComparison(ground: Ground, filter: Filter): Condition {
  const { operator, asked } = filter
  const test = (as: 'eq' | 'ne', values: readonly number[]): Condition => ({
    on: 'column',
    column: 'archived',
    test: { operator: as, values },
  })
  const times = filter.values.filter((value) => !yesWords.includes(value))
  const stranger = times.find((value) => value !== 'false' && wholeNumber(value) === undefined)
  if (stranger !== undefined) {
    throw badQuery(asked, `must be yes or no, or a Unix timestamp in whole seconds, not ${shown(stranger)}`, [
      ...['1', '0', 'true', 'false'],
    ])
  }
  const conditions: Condition[] = []
  if (times.length < filter.values.length) conditions.push(test(operator === 'eq' ? 'ne' : 'eq', [0]))
  if (times.length > 0) {
    const compared = times.map((value) => Number(valueAsked(ground, filter, value)))
    conditions.push(test(operator === 'eq' ? 'eq' : 'ne', compared))
  }
  const [only = none] = conditions
  return conditions.length === 1 ? only : { on: operator === 'eq' ? 'either' : 'all', conditions }
}

/** Nothing was archived in the first second of 1970: who asks for 1 means yes. */
const yesWords: readonly string[] = ['1', 'true']

function yesNoComparison(ground: Ground, filter: Filter): Condition {
  const operator = equality(filter)
  const wanted = filter.values
    .map((value) => valueAsked(ground, filter, value) === true)
    .map((yes) => (operator === 'eq' ? yes : !yes))
  const yes: Condition = { on: 'facet', field: filter.path, test: { operator: 'eq', values: ['1'] } }
  const having: Condition = { on: 'column', column: 'bundle', test: { operator: 'eq', values: filter.bundles } }
  const no: Condition = { on: 'all', conditions: [having, { on: 'no-facet', field: filter.path }] }
  return { on: operator === 'eq' ? 'either' : 'all', conditions: wanted.map((one) => (one ? yes : no)) }
}

function equality({ asked, operator }: Filter): 'eq' | 'ne' {
  if (operator === 'eq' || operator === 'ne') return operator
  throw badQuery(asked, `[${operator}] does not apply to it`, ['eq', 'ne'])
}

function idAsked({ asked }: Filter, value: string): number {
  const id = wholeNumber(value)
  if (id === undefined) throw badQuery(asked, `${shown(value)} is not an id`)
  return id
}

/** Terms by name first, then by id; everything else by id. */
async function idsAsked({ rows, keeping }: Ground, field: ReferenceField, filter: Filter): Promise<readonly number[]> {
  if (field.to !== 'taxonomy_term') return filter.values.map((value) => idAsked(filter, value))
  const vocabularies = Array.isArray(field.within) ? field.within : [...keeping.vocabularies.keys()]
  const ids: number[] = []
  for (const value of filter.values) {
    const named = await termsByName(rows, vocabularies, value)
    if (named.length > mostNamesakes)
      throw badQuery(filter.asked, `more than ${mostNamesakes} terms are called ${shown(value)}; ask by id`)
    const id = wholeNumber(value)
    ids.push(...(named.length > 0 ? named : id === undefined ? [] : [id]))
  }
  return ids
}

const comparedAsText: readonly Kind[] = ['text', 'long-text', 'rich-text', 'choice', 'geometry']
const onlyText: readonly string[] = ['ct', 'sw']

function keyAsked(ground: Ground, filter: Filter, value: string): string {
  const { field, operator, asked } = filter
  if (comparedAsText.includes(field.kind)) return textKey(value)
  if (onlyText.includes(operator))
    throw badQuery(asked, `[${operator}] is for text`, ['eq', 'ne', 'gt', 'ge', 'lt', 'le'])
  const single = singly(field)
  const [key] = keysOf(single, valueAsked(ground, { ...filter, field: single }, value))
  if (key === undefined) throw badQuery(asked, `${shown(value)} cannot be compared with it`)
  return key
}

/** One value of a field that may have several; a period is asked for by its start. */
function singly(field: Field): Field {
  if (field.kind === 'period') return { kind: 'timestamp', label: field.label }
  return 'many' in field ? ({ ...field, many: undefined } as unknown as Field) : field
}

function valueAsked({ keeping }: Ground, { field, asked }: Filter, value: string): Value | undefined {
  const faults: Fault[] = []
  const taken = takeField(field, value, placeAt(asked, { faults, words: (list) => wordsOf(keeping.farm, list) }))
  const [fault] = faults
  if (fault !== undefined) throw badQuery(asked, fault.message, fault.allowed)
  // Numbers and yes-no, the kinds asked for here, are their own values.
  return taken as Value | undefined
}
