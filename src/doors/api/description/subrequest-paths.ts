import { answer, operation, type Paths } from '../../http/openapi/operations.ts'
import { described, objectOf, type Schema } from '../../http/openapi/schema.ts'
import { mediaType } from '../wire/top-level.ts'
import { refused } from './api-schemas.ts'

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'array', items: text }

const part = objectOf({
  properties: {
    requestId: described('By which others name it, and the answer does', text),
    action: { enum: ['view', 'create', 'update', 'replace', 'delete', 'exists', 'discover'] },
    uri: described(
      'An address under /api; {{id.body@$.data.id}} in it is filled with what another was answered with',
      text,
    ),
    headers: { type: 'object', additionalProperties: text },
    body: described('JSON, as a text; tokens in it are filled likewise', text),
    waitFor: described('The ids of those that have to be answered before', texts),
  },
  required: ['action', 'uri'],
})

const partAnswer = objectOf({
  properties: {
    headers: { type: 'object', additionalProperties: { type: 'array' } },
    body: text,
  },
  required: ['headers', 'body'],
})

const blueprint: Schema = { schema: { type: 'array', items: part, maxItems: 200 } }

export const subrequestPaths: Paths = {
  '/subrequests': {
    post: operation({
      id: 'askTogether',
      summary: 'Several requests to this interface in one',
      tag: 'api',
      parameters: [{ name: '_format', in: 'query', schema: { const: 'json' } }],
      body: { 'application/json': blueprint, [mediaType]: blueprint },
      responses: {
        '207': answer('What each was answered with', 'json', { type: 'object', additionalProperties: partAnswer }),
        ...refused,
      },
    }),
  },
}
