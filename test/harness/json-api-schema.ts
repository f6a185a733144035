const link = {
  anyOf: [
    { type: 'string', format: 'uri-reference' },
    {
      type: 'object',
      required: ['href'],
      properties: { href: { type: 'string', format: 'uri-reference' }, meta: { type: 'object' } },
    },
  ],
}

const links = { type: 'object', additionalProperties: { $ref: '#/definitions/link' } }

const identifier = {
  type: 'object',
  required: ['type', 'id'],
  properties: { type: { type: 'string' }, id: { type: 'string' }, meta: { type: 'object' } },
  additionalProperties: false,
}

const linkage = {
  anyOf: [
    { type: 'null' },
    { $ref: '#/definitions/identifier' },
    { type: 'array', items: { $ref: '#/definitions/identifier' }, uniqueItems: true },
  ],
}

const memberName = '^[a-zA-Z0-9](?:[-\\w]*[a-zA-Z0-9])?$'

/** What the format itself asks of documents (jsonapi.org, version 1.0): what stands behind the references to its schema. */
export const jsonApiSchema = {
  $id: 'https://jsonapi.org/schema',
  oneOf: [{ $ref: '#/definitions/success' }, { $ref: '#/definitions/failure' }],
  definitions: {
    link,
    links,
    identifier,
    success: {
      type: 'object',
      required: ['data'],
      properties: {
        data: {
          anyOf: [
            { type: 'null' },
            { $ref: '#/definitions/resource' },
            { type: 'array', items: { $ref: '#/definitions/resource' }, uniqueItems: true },
          ],
        },
        included: { type: 'array', items: { $ref: '#/definitions/resource' }, uniqueItems: true },
        meta: { type: 'object' },
        links: { $ref: '#/definitions/links' },
        jsonapi: { type: 'object', properties: { version: { type: 'string' }, meta: { type: 'object' } } },
      },
      additionalProperties: false,
    },
    failure: {
      type: 'object',
      required: ['errors'],
      properties: {
        errors: { type: 'array', items: { type: 'object' } },
        jsonapi: { type: 'object' },
        meta: { type: 'object' },
        links: { $ref: '#/definitions/links' },
      },
      additionalProperties: false,
    },
    resource: {
      type: 'object',
      required: ['type', 'id'],
      properties: {
        type: { type: 'string' },
        id: { type: 'string' },
        attributes: { type: 'object', propertyNames: { pattern: memberName, not: { enum: ['id', 'type'] } } },
        relationships: {
          type: 'object',
          propertyNames: { pattern: memberName, not: { enum: ['id', 'type'] } },
          additionalProperties: {
            type: 'object',
            anyOf: [{ required: ['data'] }, { required: ['links'] }, { required: ['meta'] }],
            properties: { data: linkage, links: { $ref: '#/definitions/links' }, meta: { type: 'object' } },
            additionalProperties: false,
          },
        },
        links: { $ref: '#/definitions/links' },
        meta: { type: 'object' },
      },
      additionalProperties: false,
    },
  },
} as const
