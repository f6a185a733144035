import type { Farm, RecordType } from '../../farm/farm.ts'
import { allFieldsOf, recordTypeNames, shownOnRequest, wordsOf } from '../../farm/fields-of.ts'
import type { Field, FieldOf, Kind } from '../../fields/field.ts'
import { whole, yesNoWords } from '../../fields/number.ts'
import { text } from '../../fields/text.ts'
import { isFilterable } from '../../records/filters.ts'
import { perPage } from '../../records/paging.ts'
import { operators } from '../../storage/records/condition.ts'
import { parameterRef, type Schema } from './schema.ts'

const inQuery = (name: string, description: string, schema: Schema): Schema => ({
  name,
  in: 'query',
  description,
  schema,
})

const ofEveryList: Readonly<Record<string, Schema>> = {
  page: inQuery('page', 'Pages are counted from 0', { type: 'integer', minimum: 0, default: 0 }),
  limit: inQuery('limit', 'Records per page', {
    type: 'integer',
    minimum: 1,
    maximum: perPage.most,
    default: perPage.usual,
  }),
  sort: inQuery('sort', 'The field to sort by', { type: 'string' }),
  direction: inQuery('direction', 'Up or down', { type: 'string', enum: ['ASC', 'DESC', 'asc', 'desc'] }),
  full: inQuery('full', '0 gives references in place of records', { type: 'string', enum: ['0', '1'] }),
}

const ofRecordLists: Readonly<Record<string, Schema>> = {
  compared: {
    name: 'compared',
    in: 'query',
    style: 'form',
    explode: true,
    description: `Filters with an operator (${operators.join(', ')}) or into a part: timestamp[ge]=…, movement[area]=…. The members are parameters of their own`,
    schema: {
      type: 'object',
      propertyNames: { pattern: '^[a-z_]+(\\[[a-z_0-9]*\\])+$' },
      additionalProperties: { type: 'string' },
    },
  },
}

/** What a filter of each kind is asked by; undefined: it has no plain filter. */
const asked: { readonly [K in Kind]: (field: FieldOf<K>, farm: Farm) => Schema | undefined } = {
  text: () => ({ type: 'string' }),
  'long-text': () => ({ type: 'string' }),
  'rich-text': () => ({ type: 'string' }),
  timestamp: () => ({ type: 'string', description: 'Unix seconds' }),
  period: () => ({ type: 'string', description: 'The start, in Unix seconds' }),
  'yes-no': () => ({ type: 'string', enum: [...yesNoWords, ''] }),
  whole: () => ({ type: 'string' }),
  decimal: () => ({ type: 'string' }),
  choice: (field, farm) => ({ type: 'string', examples: wordsOf(farm, field.list) }),
  reference: (field) => ({
    type: 'string',
    description: field.to === 'taxonomy_term' ? 'The name of a term, or its id' : 'An id',
  }),
  geometry: () => ({ type: 'string' }),
  attachment: () => ({ type: 'string', description: 'The id of a file' }),
  part: () => undefined,
}

const askedBy = <K extends Kind>(field: FieldOf<K>, farm: Farm): Schema | undefined =>
  asked[field.kind as K](field, farm)

/** Every parameter of every list, under the name by which the lists refer to it. */
export function listParameters(farm: Farm): Readonly<Record<string, Schema>> {
  const filters = recordTypeNames.flatMap((name) =>
    filtersOf(farm.records[name], farm).map(([field, schema]) => [`${name}_${field}`, schema]),
  )
  return { ...ofEveryList, ...ofRecordLists, ...wishes(farm), ...Object.fromEntries(filters) }
}

export const shortListParameters: readonly Schema[] = Object.keys(ofEveryList).map(parameterRef)

export const recordListParameters = (farm: Farm, type: RecordType): readonly Schema[] => [
  ...shortListParameters,
  ...Object.keys(ofRecordLists).map(parameterRef),
  ...recordParameters(type),
  ...filtersOf(type, farm).map(([field]) => parameterRef(`${type.name}_${field}`)),
]

/** What a reader may wish for beside the record. */
export const recordParameters = (type: RecordType): readonly Schema[] => [
  parameterRef('files'),
  ...(shownOnRequest(type).length === 0 ? [] : [parameterRef(`${type.name}_with`)]),
]

function wishes(farm: Farm): Record<string, Schema> {
  const parameters: Record<string, Schema> = {
    files: inQuery('files', 'Files as data URIs or as addresses', { type: 'string', enum: ['inline', 'link'] }),
  }
  for (const type of recordTypeNames) {
    const names = shownOnRequest(farm.records[type])
    if (names.length === 0) continue
    parameters[`${type}_with`] = {
      name: 'with',
      in: 'query',
      style: 'form',
      explode: false,
      description: 'Computed fields that are shown only on request',
      schema: { type: 'array', items: { type: 'string', enum: names } },
    }
  }
  return parameters
}

/** `files` alone asks for the form of the files; their filter is among the compared ones. */
function filtersOf(type: RecordType, farm: Farm): readonly (readonly [string, Schema])[] {
  const known = [...allFieldsOf(type)].map(([name, { field }]): readonly [string, Field] => [name, field])
  const standing: readonly (readonly [string, Field])[] = [
    ['bundle', text('Bundle')],
    ['id', whole('ID')],
  ]
  return [...new Map([...standing, ...known])].flatMap(([name, field]) => {
    const schema = askedBy(field, farm)
    const isPlain = schema !== undefined && name !== 'files' && isFilterable(field)
    return isPlain ? [[name, filterOf(name, field, schema)] as const] : []
  })
}

const filterOf = (name: string, field: Field, schema: Schema): Schema => ({
  name,
  in: 'query',
  style: 'form',
  explode: true,
  description: `${field.label}; several values mean any of them, an empty one means none`,
  schema: { type: 'array', items: schema },
})
