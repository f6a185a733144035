import { ifNoneMatch, unchanged } from '../../http/openapi/header-parameters.ts'
import { operation, type Paths } from '../../http/openapi/operations.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import { configTypeNames } from '../config/config-types.ts'
import { documentAnswer, refused } from './api-schemas.ts'

/** Users and words of the catalogue, which are only read. */
export const shortListPaths = (): Paths => Object.assign({}, ...['user--user', ...configTypeNames].map(pathsOf))

function pathsOf(type: string): Paths {
  const [family = ''] = type.split('--')
  const path = `/api/${family}/${family}`
  const word = family.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const plain = family.replaceAll('_', ' ')
  return {
    [path]: {
      get: operation({
        id: `listApi${word}`,
        summary: `The resources ${type}`,
        tag: 'api',
        parameters: [...queryParameters, ifNoneMatch],
        responses: { '200': documentAnswer(`A page of them`, 'ApiCollection'), '304': unchanged, ...refused },
      }),
    },
    [`${path}/{uuid}`]: {
      get: operation({
        id: `readApi${word}`,
        summary: `One ${plain}`,
        tag: 'api',
        parameters: [uuidInPath, ifNoneMatch],
        responses: { '200': documentAnswer('It', 'ApiDocument'), '304': unchanged, ...refused },
      }),
    },
  }
}

const deepObject = (name: string, description: string): Schema => ({
  name,
  in: 'query',
  description,
  style: 'deepObject',
  explode: true,
  schema: { type: 'object', additionalProperties: true },
})

/** What can be asked of every list of this interface. */
const queryParameters: readonly Schema[] = [
  deepObject('filter', 'Such as filter[name]=x, see docs/api.md'),
  deepObject('page', 'page[limit], at most 50, and page[offset]'),
  { name: 'sort', in: 'query', description: 'Such as -name,id', schema: { type: 'string' } },
]

const uuidInPath: Schema = {
  name: 'uuid',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
}
