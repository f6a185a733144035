import { answerAs } from '../../http/openapi/operations.ts'
import { described, objectOf, type Schema, schemaRef } from '../../http/openapi/schema.ts'
import { mediaType } from '../wire/top-level.ts'

const text: Schema = { type: 'string' }
const anyObject: Schema = { type: 'object' }

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
    meta: anyObject,
  },
  required: ['title', 'status', 'detail'],
})

const resource = objectOf({
  properties: {
    type: described('Its family and type, such as log--harvest', text),
    id: { type: 'string', format: 'uuid' },
    links: anyObject,
    attributes: anyObject,
    relationships: anyObject,
  },
  required: ['type', 'id', 'links', 'attributes'],
})

const documentWith = (data: Schema): Schema =>
  objectOf({
    properties: {
      jsonapi: anyObject,
      data,
      included: { type: 'array', items: schemaRef('ApiResource') },
      meta: anyObject,
      links: anyObject,
    },
    required: ['jsonapi', 'data', 'links'],
  })

export const apiSchemas: Readonly<Record<string, Schema>> = {
  ApiErrors: objectOf({
    properties: { jsonapi: anyObject, errors: { type: 'array', items: error, minItems: 1 } },
    required: ['jsonapi', 'errors'],
  }),
  ApiResource: resource,
  ApiDocument: documentWith(schemaRef('ApiResource')),
  ApiCollection: documentWith({ type: 'array', items: schemaRef('ApiResource') }),
}

/** An answer that is a JSON:API document of that schema. */
export const documentAnswer = (description: string, schema: string): Schema =>
  answerAs(description, mediaType, schemaRef(schema))

/** How any request to these addresses may be refused. */
export const refused: Schema = {
  '4XX': documentAnswer('A refusal, with one error for each fault', 'ApiErrors'),
  '5XX': documentAnswer('Another refusal, or a fault of the server', 'ApiErrors'),
}
