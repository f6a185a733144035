import type { Farm } from '../../../farm/farm.ts'
import { answerAs, described, objectOf, parameterRef, responseRef, type Schema, schemaRef } from '../../http/openapi.ts'
import { mediaType } from '../documents/document.ts'
import { describedType, describedTypeNames } from '../schemas/described-type.ts'
import { answeredResource } from '../schemas/resource-schema.ts'

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

export const documentWith = (data: Schema): Schema =>
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

/** One schema for each type, under its own name: `log--harvest`. A resource is one of them, told apart by `type`. */
export function typedResources(farm: Farm): Readonly<Record<string, Schema>> {
  const types = describedTypeNames(farm).flatMap((name) => describedType(farm, name) ?? [])
  return {
    ...Object.fromEntries(types.map((type) => [type.name, answeredResource(farm, type)])),
    ApiResource: { anyOf: types.map(({ name }) => schemaRef(name)) },
  }
}

export const apiSchemas: Readonly<Record<string, Schema>> = {
  ApiErrors: objectOf({
    properties: { jsonapi: anyObject, errors: { type: 'array', items: error, minItems: 1 } },
    required: ['jsonapi', 'errors'],
  }),
  ApiDocument: documentWith(schemaRef('ApiResource')),
  ApiCollection: documentWith({ type: 'array', items: schemaRef('ApiResource') }),
}

export const documentAnswer = (description: string, schema: string): Schema =>
  answerAs(description, mediaType, schemaRef(schema))

export const apiResponses: Readonly<Record<string, Schema>> = {
  ApiRefusal: documentAnswer('A refusal, with one error for each fault', 'ApiErrors'),
  ApiFailure: documentAnswer('Another refusal, or a fault of the server', 'ApiErrors'),
}

/** The refusals that every address may return. */
export const refused: Schema = { '4XX': responseRef('ApiRefusal'), '5XX': responseRef('ApiFailure') }

/** Path parameters that name resource types. */
export function typeParameters(farm: Farm): Readonly<Record<string, Schema>> {
  const types = describedTypeNames(farm).map((type) => type.split('--'))
  const words = (place: 0 | 1) => [...new Set(types.map((type) => type[place]))]
  return {
    ApiFamily: inPath('family', { enum: words(0) }),
    ApiBundle: inPath('bundle', { enum: words(1) }),
  }
}

export const inPath = (name: string, schema: Schema): Schema => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', ...schema },
})

export const typeInPath = [parameterRef('ApiFamily'), parameterRef('ApiBundle')]
export const uuidInPath = inPath('uuid', { format: 'uuid' })
export const relationshipInPath = inPath('relationship', {})
