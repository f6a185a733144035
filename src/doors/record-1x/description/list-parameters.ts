import type { Farm, RecordType } from '../../../farm/farm.ts'
import { hasComputed, recordTypeNames, shownOnRequest } from '../../../farm/fields-of.ts'
import { identityWords } from '../../../farm/query-words.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { perPage } from '../../../records/finding/paging.ts'
import type { Spelling } from '../../http/openapi/operations.ts'
import { inQuery } from '../../http/openapi/query-parameter.ts'
import { parameterRef, type Schema } from '../../http/openapi/schema.ts'
import { filtersOf } from './filter-parameters.ts'

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

/** Of what logs say something of, the past can be asked for. */
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
export const pageParameters = ({ formats }: Spelling): readonly Schema[] => [
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

/** Of logs: those that make up a figure of a report. */
export const figureParameters = (type: RecordType): readonly Schema[] =>
  type.name === 'log' ? [parameterRef('report')] : []

/** What a reader may wish for beside the record. */
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
    parameters[`${resourceNames[type]}_with`] = inQuery('with', 'What is shown only on request, with commas between', {
      type: 'string',
      pattern: `^${name}(,${name})*$`,
      examples: [names.join(',')],
    })
  }
  return parameters
}
