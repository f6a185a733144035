import { inQuery } from '../../http/openapi/query-parameter.ts'
import type { Schema } from '../../http/openapi/schema.ts'

const deepObject = (name: string, description: string): Schema => ({
  name,
  in: 'query',
  description,
  style: 'deepObject',
  explode: true,
  schema: { type: 'object', additionalProperties: true },
})

/** How what is shown can be shaped. */
export const shapeParameters: readonly Schema[] = [
  inQuery('include', 'What is shown beside them, over several steps: asset,quantity.units'),
  deepObject('fields', 'The members to show of a type: fields[log--harvest]=name,timestamp'),
  inQuery('as_of', 'A second of the past, for what is computed'),
]

/** Which of a list, and in which order. */
export const listParameters: readonly Schema[] = [
  deepObject('filter', 'Such as filter[name]=x, see docs/json-api.md'),
  deepObject('page', 'page[limit], at most 50, and page[offset]'),
  inQuery('sort', 'Such as -timestamp,name'),
]

export const versionParameter = inQuery('resourceVersion', 'A revision: id:3, or the present one: rel:latest-version')
