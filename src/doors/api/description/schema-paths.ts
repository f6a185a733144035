import { ifNoneMatch, unchanged } from '../../http/openapi/header-parameters.ts'
import { answer, operation, type Paths } from '../../http/openapi/operations.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import { refused } from './api-schemas.ts'
import { relationshipInPath, typeInPath } from './type-parameters.ts'

const all = '/api/{family}/{bundle}'

/** The addresses of JSON Schemas. */
export const schemaPaths: Paths = {
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
