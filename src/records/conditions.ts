import { keysOf } from '../fields/comparison.ts'
import type { Field, Kind, ReferenceField } from '../fields/field.ts'
import { textKey } from '../fields/key.ts'
import { shown } from '../fields/place.ts'
import { wholeNumber } from '../fields/time.ts'
import type { StayKind } from '../storage/history/stay-rows.ts'
import { type Condition, together } from '../storage/records/condition.ts'
import { mostNamesakes, termsByName } from '../storage/records/term-rows.ts'
import { badQuery } from './asked.ts'
import { equality, type Inquiry, idAsked, refuseTextOperators, valueAsked } from './asked-values.ts'
import { columnComparison, columnOf, emptyColumn } from './column-conditions.ts'
import type { Filter } from './filters.ts'
import { targetOf } from './record-index.ts'

/** The filter as a condition on the rows. An empty value asks for records where the field is empty. */
export async function conditionOf(inquiry: Inquiry, filter: Filter): Promise<Condition> {
  const values = filter.values.filter((value) => value !== '')
  const conditions: Condition[] = []
  if (values.length < filter.values.length) conditions.push(emptiness(inquiry, filter))
  if (values.length > 0) conditions.push(await comparison(inquiry, { ...filter, values }))
  return together(filter.operator, conditions)
}

/** `field=` asks for the empty ones, `field[ne]=` for the others, among the records that have the field. */
function emptiness(inquiry: Inquiry, filter: Filter): Condition {
  const having: Condition = { on: 'column', column: 'bundle', test: { operator: 'eq', values: filter.bundles } }
  const empty =
    filter.operator === 'eq' ? emptyOf(inquiry, filter) : ({ on: 'not', condition: emptyOf(inquiry, filter) } as const)
  return { on: 'all', conditions: [having, empty] }
}

function emptyOf({ type, now }: Inquiry, { path, field }: Filter): Condition {
  const column = columnOf(type, path)
  if (column !== undefined) return emptyColumn(column)
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

async function comparison(inquiry: Inquiry, filter: Filter): Promise<Condition> {
  const { path, field, operator } = filter
  const stay = field.computed ? stays[path] : undefined
  const column = columnOf(inquiry.type, path)
  if (column !== undefined) return columnComparison(inquiry, filter, column)
  if (field.kind === 'reference') {
    const test = { operator: equality(filter), values: await idsAsked(inquiry, field, filter) }
    if (stay?.on === 'staying') return { on: 'staying', kind: stay.kind, places: test, now: inquiry.now }
    if (stay?.on === 'occupied') return { on: 'occupied', kind: stay.kind, assets: test, now: inquiry.now }
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
  if (field.kind === 'yes-no') return yesNoComparison(inquiry, filter)
  return {
    on: 'facet',
    field: path,
    test: { operator, values: filter.values.map((value) => keyAsked(inquiry, filter, value)) },
  }
}

/** No is also what was never said, among the records that can say it; what cannot is neither. */
function yesNoComparison(inquiry: Inquiry, filter: Filter): Condition {
  const operator = equality(filter)
  const yes: Condition = { on: 'facet', field: filter.path, test: { operator: 'eq', values: ['1'] } }
  const having: Condition = { on: 'column', column: 'bundle', test: { operator: 'eq', values: filter.bundles } }
  const no: Condition = { on: 'all', conditions: [having, { on: 'no-facet', field: filter.path }] }
  const any = together(
    'eq',
    filter.values.map((value) => (valueAsked(inquiry, filter, value) === true ? yes : no)),
  )
  return operator === 'eq' ? any : { on: 'not', condition: any }
}

/** Terms by name first, then by id; everything else by id. */
async function idsAsked({ rows, keeping }: Inquiry, field: ReferenceField, filter: Filter): Promise<readonly number[]> {
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

function keyAsked(inquiry: Inquiry, filter: Filter, value: string): string {
  const { field, asked } = filter
  if (comparedAsText.includes(field.kind)) return textKey(value)
  refuseTextOperators(filter)
  const single = singly(field)
  const [key] = keysOf(single, valueAsked(inquiry, { ...filter, field: single }, value))
  if (key === undefined) throw badQuery(asked, `${shown(value)} cannot be compared with it`)
  return key
}

/** One value of a field that may have several; a period is asked for by its start. */
function singly(field: Field): Field {
  if (field.kind === 'period') return { kind: 'timestamp', label: field.label }
  return 'many' in field ? ({ ...field, many: undefined } as unknown as Field) : field
}
