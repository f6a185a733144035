import { described, objectOf, type Schema, schemaRef } from '../../http/openapi/schema.ts'

const anyObject: Schema = { type: 'object' }
const text: Schema = { type: 'string' }

const oneOrSeveral = (schema: Schema): Schema => ({
  anyOf: [schema, { type: 'array', items: schema }, { type: 'null' }],
})

const identifier = objectOf({
  properties: { type: described('Such as asset--land', text), id: text, meta: anyObject },
  required: ['type', 'id'],
})

const sentRelationship = objectOf({
  properties: { data: oneOrSeveral(schemaRef('ApiIdentifier')), links: anyObject, meta: anyObject },
})

const sent = (required: readonly string[]): Schema =>
  objectOf({
    properties: {
      data: objectOf({
        properties: {
          type: text,
          id: { type: 'string', format: 'uuid' },
          attributes: described('By the schema of the type, at /api/{family}/{bundle}/resource/schema', anyObject),
          relationships: { type: 'object', additionalProperties: sentRelationship },
        },
        required,
      }),
    },
    required: ['data'],
  })

/** What is read and written at the addresses of resources, beside documents. */
export const resourceSchemas: Readonly<Record<string, Schema>> = {
  ApiIdentifier: identifier,
  ApiRelationship: objectOf({
    properties: { jsonapi: anyObject, data: oneOrSeveral(schemaRef('ApiIdentifier')), links: anyObject },
    required: ['jsonapi', 'data', 'links'],
  }),
  ApiRelated: objectOf({
    properties: {
      jsonapi: anyObject,
      data: oneOrSeveral(schemaRef('ApiResource')),
      included: { type: 'array', items: schemaRef('ApiResource') },
      links: anyObject,
    },
    required: ['jsonapi', 'data', 'links'],
  }),
  ApiLinkage: objectOf({
    properties: { data: oneOrSeveral(schemaRef('ApiIdentifier')) },
    required: ['data'],
  }),
  ApiNewResource: sent(['type']),
  ApiChangedResource: sent(['type', 'id']),
}
