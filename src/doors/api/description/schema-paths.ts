import type { Farm } from '../../../farm/farm.ts'
import { ifNoneMatch, unchanged } from '../../http/openapi/header-parameters.ts'
import { answer, operation, type Paths } from '../../http/openapi/operations.ts'
import { refused } from './api-schemas.ts'
import { relationshipInPath, typeParameters } from './type-parameters.ts'

const all = '/api/{family}/{bundle}'

/** The addresses of JSON Schemas. */
export function schemaPaths(farm: Farm): Paths {
  const ofType = typeParameters(farm)
  const ofRelationship = [...ofType, relationshipInPath]
  return {
    '/api/schema': reading('readApiEntrySchema', 'The schema of the entry document'),
    [`${all}/schema`]: {
      parameters: ofType,
      ...reading('readApiDocumentSchema', 'The schema of one resource as a document'),
    },
    [`${all}/collection/schema`]: {
      parameters: ofType,
      ...reading('readApiCollectionSchema', 'The schema of a page of resources'),
    },
    [`${all}/resource/schema`]: { parameters: ofType, ...reading('readApiResourceSchema', 'The schema of a resource') },
    [`${all}/resource/relationships/{relationship}/related/schema`]: {
      parameters: ofRelationship,
      ...reading('readApiRelatedSchema', 'The schema of what a relationship leads to'),
    },
  }
}

const reading = (id: string, summary: string) => ({
  get: operation({
    id,
    summary,
    tag: 'api',
    parameters: [ifNoneMatch],
    responses: { '200': answer('A JSON Schema, 2019-09', 'json', { type: 'object' }), '304': unchanged, ...refused },
  }),
})
