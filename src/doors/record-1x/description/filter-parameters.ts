import type { Farm, RecordType } from '../../../farm/farm.ts'
import { olderWords } from '../../../farm/fields-of.ts'
import { allOlderFields } from '../../../farm/older-fields.ts'
import type { Field, FieldKind, FieldOf, Fields } from '../../../fields/field.ts'
import { whole } from '../../../fields/number.ts'
import { text } from '../../../fields/text.ts'
import { isFilterable } from '../../../records/finding/filter.ts'
import type { Operator } from '../../../storage/records/condition.ts'
import { type Schema, schemaRef } from '../../http/openapi/schema.ts'
import { yesNoWords } from '../../http/yes-or-no.ts'
import { hasUuid } from '../intake/filters.ts'

/** What a field of one kind can be asked: a value that it equals, and what it may be compared with. */
interface Question {
  readonly equals: Schema
  readonly operators: readonly Operator[]
  /** What the operators of an order take; those of text take text. */
  readonly compares?: Schema
}

const aText: Schema = { type: 'string' }
const likeText: readonly Operator[] = ['ne', 'ct', 'sw']
const inOrder: readonly Operator[] = ['ne', 'gt', 'ge', 'lt', 'le']
const words: Question = { equals: aText, operators: likeText }
const numbers = (equals: Schema, given: string): Question => ({
  equals,
  operators: inOrder,
  compares: schemaRef(given),
})

const questions: { readonly [K in FieldKind]: (field: FieldOf<K>, farm: Farm) => Question | undefined } = {
  text: () => words,
  'long-text': () => words,
  'rich-text': () => words,
  timestamp: () => numbers({ type: 'string', description: 'Unix seconds' }, 'GivenTimestamp'),
  period: () => numbers({ type: 'string', description: 'The start, in Unix seconds' }, 'GivenTimestamp'),
  'yes-no': () => ({ equals: { type: 'string', enum: [...yesNoWords, ''] }, operators: [] }),
  whole: () => numbers(aText, 'GivenWhole'),
  decimal: () => numbers(aText, 'GivenDecimal'),
  choice: (field, farm) => ({
    equals: { type: 'string', examples: olderWords(farm, field.list) },
    operators: ['ne'],
  }),
  reference: (field) => ({
    equals: { type: 'string', description: field.to === 'term' ? 'The name of a term, or its id' : 'An id' },
    operators: ['ne'],
  }),
  geometry: () => ({ equals: aText, operators: ['ne'] }),
  attachment: () => ({ equals: { type: 'string', description: 'The id of a file' }, operators: ['ne'] }),
  part: () => undefined,
}

const questionOf = <K extends FieldKind>(field: FieldOf<K>, farm: Farm): Question | undefined =>
  questions[field.kind as K](field, farm)

/** The filters of a list, each a parameter of its own, under the path that names it: `timestamp.ge`, `movement.area`. */
export function filtersOf(type: RecordType, farm: Farm): readonly (readonly [string, Schema])[] {
  const known = [...allOlderFields(type)].map(([name, { field }]): readonly [string, Field] => [name, field])
  const all = new Map<string, Field>([['bundle', text('Bundle')], ['id', whole('ID')], ...known])
  return [
    ...filtersByUuid(['uuid'], 'UUID'),
    ...[...all].flatMap(([name, field]) => (isFilterable(field) ? filtersBy([name], field, farm) : [])),
  ]
}

const filtersByUuid = (path: readonly string[], label: string): readonly (readonly [string, Schema])[] => [
  named(path, `${label}; several values mean any of them`, listed(schemaRef('Uuid'))),
  named([...path, 'ne'], `${label}: ${meanings.ne}`, listed(schemaRef('Uuid'))),
]

function filtersBy(path: readonly string[], field: Field, farm: Farm): readonly (readonly [string, Schema])[] {
  if (field.kind === 'part') return filtersInto(path, field.fields, farm)
  const question = questionOf(field, farm)
  if (question === undefined) return []
  // `files` alone asks for the form of the files.
  const plain = path.join('.') === 'files' ? [...path, 'eq'] : path
  return [
    named(plain, `${field.label}; several values mean any of them, an empty one means none`, listed(question.equals)),
    ...question.operators.map((operator) => comparison([...path, operator], field, question)),
    ...(hasUuid(field) ? filtersByUuid([...path, 'uuid'], `${field.label}, by UUID`) : []),
  ]
}

const filtersInto = (path: readonly string[], fields: Fields, farm: Farm): readonly (readonly [string, Schema])[] =>
  Object.entries(fields).flatMap(([name, field]) => filtersBy([...path, name], field, farm))

const meanings: Readonly<Record<Operator, string>> = {
  eq: 'equal to any of them',
  ne: 'equal to none of them; an empty one means not empty',
  gt: 'greater',
  ge: 'greater or equal',
  lt: 'less',
  le: 'less or equal',
  ct: 'contains any of them',
  sw: 'starts with any of them',
}

function comparison(path: readonly string[], field: Field, question: Question): readonly [string, Schema] {
  const operator = path.at(-1) as Operator
  const isOrdered = operator !== 'ne' && question.compares !== undefined
  const schema = isOrdered ? question.compares : listed(question.equals)
  return named(path, `${field.label}: ${meanings[operator]}`, schema ?? aText)
}

const listed = (items: Schema): Schema => ({ type: 'array', items })

function named(path: readonly string[], description: string, schema: Schema): readonly [string, Schema] {
  const [first = '', ...inside] = path
  const name = first + inside.map((word) => `[${word}]`).join('')
  return [path.join('.'), { name, in: 'query', style: 'form', explode: true, description, schema }]
}
