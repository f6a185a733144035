import type { Farm } from '../../../farm/farm.ts'
import {
  answer,
  answerAs,
  type DoorDescription,
  described,
  ifNoneMatch,
  objectOf,
  operation,
  type Paths,
  type Schema,
  schemaRef,
  unchanged,
  withObjects,
} from '../../http/openapi.ts'
import { mediaType } from '../documents/document.ts'
import {
  apiResponses,
  apiSchemas,
  refused,
  relationshipInPath,
  typedResources,
  typeInPath,
  typeParameters,
} from './components.ts'
import { filePaths, resourcePaths, sharedParameters, typedPaths, typedTag } from './resource-operations.ts'

/** /api, from the catalogue with all modules. */
export const apiDescription = (farm: Farm): DoorDescription => ({
  tags: [
    { name: 'api', description: 'The newer interface, JSON:API' },
    { name: typedTag, description: 'The newer interface by type, for generated clients' },
  ],
  paths: {
    '/api': {
      get: operation({
        id: 'enterApi',
        summary: 'The entry of the newer interface',
        tag: 'api',
        parameters: [ifNoneMatch],
        responses: {
          '200': answerAs('Where to go on', mediaType, withObjects('jsonapi', 'meta', 'links')),
          '304': unchanged,
          ...refused,
        },
      }),
    },
    ...subrequestPaths,
    ...filePaths(farm),
    ...resourcePaths,
    ...typedPaths(farm),
    ...schemaPaths,
  },
  parameters: { ...typeParameters(farm), ...sharedParameters },
  responses: apiResponses,
  schemas: { ...apiSchemas, ...typedResources(farm), ...resourceSchemas },
})

const all = '/api/{family}/{bundle}'

const schemaPaths: Paths = {
  '/api/schema': reading('readApiEntrySchema', 'The schema of the entry document'),
  [`${all}/schema`]: ofType('readApiDocumentSchema', 'The schema of one resource as a document'),
  [`${all}/collection/schema`]: ofType('readApiCollectionSchema', 'The schema of a page of resources'),
  [`${all}/resource/schema`]: ofType('readApiResourceSchema', 'The schema of a resource'),
  [`${all}/resource/relationships/{relationship}/related/schema`]: {
    parameters: [...typeInPath, relationshipInPath],
    ...reading('readApiRelatedSchema', 'The schema of what a relationship leads to'),
  },
}

function ofType(id: string, summary: string): Schema {
  return { parameters: typeInPath, ...reading(id, summary) }
}

function reading(id: string, summary: string): Schema {
  return {
    get: operation({
      id,
      summary,
      tag: 'api',
      parameters: [ifNoneMatch],
      responses: { '200': answer('A JSON Schema, 2019-09', 'json', { type: 'object' }), '304': unchanged, ...refused },
    }),
  }
}

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

const subrequestPaths: Paths = {
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

const anyObject: Schema = { type: 'object' }

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

/** Schemas for resource addresses, in addition to documents. */
const resourceSchemas: Readonly<Record<string, Schema>> = {
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
