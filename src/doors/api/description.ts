import type { DoorDescription } from '../http/openapi/door-description.ts'
import { answerAs, operation } from '../http/openapi/operations.ts'
import { described, objectOf, type Schema, schemaRef, withObjects } from '../http/openapi/schema.ts'
import { mediaType } from './wire/top-level.ts'

const text: Schema = { type: 'string' }

const error = objectOf({
  properties: {
    id: described('Under which the log of the server knows it', text),
    title: text,
    status: described('The HTTP status, as a text', text),
    code: described('The name of the refusal, see docs/refusals.md', text),
    detail: text,
    source: objectOf({
      properties: {
        pointer: described('Where in the body, as a JSON Pointer', text),
        parameter: described('Which parameter of the query', text),
      },
    }),
    meta: { type: 'object' },
  },
  required: ['title', 'status', 'detail'],
})

/** How any request to these addresses may be refused. */
const refused: Schema = {
  '4XX': answerAs('A refusal, with one error for each fault', mediaType, schemaRef('ApiErrors')),
  '5XX': answerAs('Another refusal, or a fault of the server', mediaType, schemaRef('ApiErrors')),
}

export const apiDescription: DoorDescription = {
  paths: {
    '/api': {
      get: operation({
        id: 'enterApi',
        summary: 'The entry of the newer interface',
        tag: 'farm',
        responses: { '200': answerAs('Where to go on', mediaType, withObjects('jsonapi', 'links')), ...refused },
      }),
    },
  },
  schemas: {
    ApiErrors: objectOf({
      properties: { jsonapi: { type: 'object' }, errors: { type: 'array', items: error, minItems: 1 } },
      required: ['jsonapi', 'errors'],
    }),
  },
}
