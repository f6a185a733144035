import type { Farm, RecordType } from '../../farm/farm.ts'
import {
  allOlderFields,
  allTypeNames,
  hasComputed,
  olderWords,
  recordTypeNames,
  shownOnRequest,
} from '../../farm/fields-of.ts'
import { identityWords } from '../../farm/query-words.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import type { Field, FieldOf, Fields } from '../../fields/field.ts'
import type { LinkedKind, OlderFilter } from '../../fields/kind.ts'
import { isPlain, type PlainField, rulesOf } from '../../fields/kinds.ts'
import { whole } from '../../fields/number.ts'
import { text } from '../../fields/text.ts'
import { isFilterable } from '../../records/finding/filter.ts'
import { perPage } from '../../records/finding/paging.ts'
import type { Operator } from '../../storage/records/condition.ts'
import { hasUuid } from '../../wire-1x/filters.ts'
import { inQuery, type PathVariant, parameterRef, type Schema, schemaRef } from './openapi.ts'

const paging: Readonly<Record<string, Schema>> = {
  page: inQuery('page', 'Pages are counted from 0', { type: 'integer', minimum: 0, default: 0 }),
  limit: inQuery('limit', 'Records per page', {
    type: 'integer',
    minimum: 1,
    maximum: perPage.most,
    default: perPage.usual,
  }),
  sort: inQuery('sort', 'The field to sort by', { type: 'string' }),
  direction: inQuery('direction', 'Up or down', { type: 'string', enum: ['ASC', 'DESC', 'asc', 'desc'] }),
}

const full = inQuery('full', '0 gives references in place of records', { type: 'string', enum: ['0', '1'] })

const asOf = inQuery(
  'as_of',
  'Unix seconds, not in the future: what is computed, as it was at the end of that second',
  {
    type: 'integer',
  },
)

const report = inQuery('report', 'The logs of a figure, as the list of the figure says it; no other value is of use')

/** Only types with computed fields have a past. */
export const pastParameters = (type: RecordType): readonly Schema[] =>
  hasComputed(type) ? [parameterRef('as_of')] : []

/** Every parameter of every list, under the name by which the lists refer to it. */
export function listParameters(farm: Farm): Readonly<Record<string, Schema>> {
  const filters = recordTypeNames.flatMap((name) =>
    filtersOf(farm.records[name], farm).map(([field, schema]) => [`${resourceNames[name]}_${field}`, schema]),
  )
  return { ...paging, full, as_of: asOf, report, ...options(farm), ...Object.fromEntries(filters) }
}

/** A list under an ending is one of records, so that a program knows what it gets; references are asked for without. */
export const pageParameters = ({ formats }: PathVariant): readonly Schema[] => [
  ...Object.keys(paging).map(parameterRef),
  ...(formats === 'both' ? [parameterRef('full')] : []),
]

export const filterParameters = (farm: Farm, type: RecordType): readonly Schema[] => [
  ...recordParameters(type),
  ...figureParameters(type),
  ...filtersOf(type, farm).map(([field]) => parameterRef(`${resourceNames[type.name]}_${field}`)),
]

/** The filters of a list of logs, without what it shows. */
export const logFilterParameters = (farm: Farm): readonly Schema[] =>
  filtersOf(farm.records.log, farm).flatMap(([field]) =>
    field === 'timestamp' ? [] : [parameterRef(`${resourceNames.log}_${field}`)],
  )

/** For logs: filters by a figure of a report. */
export const figureParameters = (type: RecordType): readonly Schema[] =>
  type.name === 'log' ? [parameterRef('report')] : []

/** Options of a reader beside the record. */
export const recordParameters = (type: RecordType): readonly Schema[] => [
  parameterRef('files'),
  parameterRef(`${resourceNames[type.name]}_with`),
]

function options(farm: Farm): Record<string, Schema> {
  const parameters: Record<string, Schema> = {
    files: inQuery('files', 'Files as data URIs or as addresses', { type: 'string', enum: ['inline', 'link'] }),
  }
  for (const type of recordTypeNames) {
    const names = [...shownOnRequest(farm.records[type]), ...identityWords]
    const name = `(${names.join('|')})`
    parameters[`${resourceNames[type]}_with`] = inQuery('with', 'Fields shown only on request, separated by commas', {
      type: 'string',
      pattern: `^${name}(,${name})*$`,
      examples: [names.join(',')],
    })
  }
  return parameters
}

/** The filters of one kind: equality, and comparisons. */
interface Question {
  readonly equals: Schema
  readonly operators: readonly Operator[]
  /** Operand of order operators; text operators take text. */
  readonly compares?: Schema
}

const offered: Readonly<Record<OlderFilter['offers'], readonly Operator[]>> = {
  text: ['ne', 'ct', 'sw'],
  order: ['ne', 'gt', 'ge', 'lt', 'le'],
  inequality: ['ne'],
  nothing: [],
}

function plainQuestion(field: PlainField): Question {
  const { equals, offers, compares } = rulesOf(field).older.filter
  return { equals, operators: offered[offers], ...(compares === undefined ? {} : { compares: schemaRef(compares) }) }
}

const linkedQuestions: { readonly [K in LinkedKind]: (field: FieldOf<K>, farm: Farm) => Question | undefined } = {
  choice: (field, farm) => ({
    equals: { type: 'string', examples: olderWords(farm, field.list) },
    operators: ['ne'],
  }),
  reference: (field) => ({
    equals: { type: 'string', description: field.to === 'term' ? 'The name of a term, or its id' : 'An id' },
    operators: ['ne'],
  }),
  attachment: () => ({ equals: { type: 'string', description: 'The id of a file' }, operators: ['ne'] }),
  part: () => undefined,
}

const linkedQuestion = <K extends LinkedKind>(field: FieldOf<K>, farm: Farm): Question | undefined =>
  linkedQuestions[(field as Field).kind as K](field, farm)

const questionOf = (field: Field, farm: Farm): Question | undefined =>
  isPlain(field) ? plainQuestion(field) : linkedQuestion(field, farm)

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
  return named(path, `${field.label}: ${meanings[operator]}`, schema ?? { type: 'string' })
}

const listed = (items: Schema): Schema => ({ type: 'array', items })

function named(path: readonly string[], description: string, schema: Schema): readonly [string, Schema] {
  const [first = '', ...inside] = path
  const name = first + inside.map((word) => `[${word}]`).join('')
  return [path.join('.'), { name, in: 'query', style: 'form', explode: true, description, schema }]
}

/** A list between its links; the schema of XML is the same tree with other tags, see docs/xml.md. */
export function listSchema(item: Schema, { formats }: PathVariant): Schema {
  const link: Schema = { type: 'string', description: 'An address that repeats the query as it was asked' }
  return {
    type: 'object',
    properties: {
      self: link,
      first: link,
      last: link,
      prev: link,
      next: link,
      list: { type: 'array', items: formats === 'both' ? { anyOf: [item, schemaRef('Reference')] } : item },
    },
    required: ['self', 'first', 'last', 'list'],
    additionalProperties: false,
    xml: { name: 'list' },
  }
}

export const idParameter: Schema = { name: 'id', in: 'path', required: true, schema: schemaRef('Id') }

/** A record is found by its id, and by its UUID. */
export const recordParameter: Schema = { ...idParameter, schema: { anyOf: [schemaRef('Id'), schemaRef('Uuid')] } }

export const located: Schema = {
  Location: { description: 'Its address', schema: { type: 'string', format: 'uri' } },
}

/** The page size, for answers with `next`. */
export const limitParameter = ({ usual, most }: { readonly usual: number; readonly most: number }): Schema =>
  inQuery('limit', 'How many a page has', { type: 'integer', minimum: 1, maximum: most, default: usual })

/** The record type, as in addresses and references. */
export const resourceSchema = { type: 'string', enum: allTypeNames.map((type) => resourceNames[type]) } as const
