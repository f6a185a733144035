import { recordTypeNames } from '../../farm/fields-of.ts'
import { limits } from '../http/limits.ts'
import { idempotencyKey } from './header-parameters.ts'
import { answer, contentOf, operation, type Paths, refusedOften } from './operations.ts'
import { objectOf, responseRef, type Schema, schemaRef } from './schema.ts'

const operationSchema: Schema = {
  ...objectOf({
    properties: {
      method: { enum: ['POST', 'PUT', 'DELETE'] },
      path: {
        type: 'string',
        description: 'Of a collection or a record; `$name` stands for the id of an earlier result',
      },
      body: { type: 'object', description: 'As for the single request; `{"id": "$name"}` refers to an earlier result' },
      as: {
        type: 'string',
        pattern: `^[\\w-]{1,${limits.resultName}}$`,
        description: 'A name for what this operation creates',
      },
    },
    required: ['method', 'path'],
  }),
}

const resultSchema: Schema = {
  anyOf: [
    objectOf({
      properties: {
        status: { enum: [200, 201] },
        uri: { type: 'string' },
        id: { type: 'string' },
        resource: { enum: recordTypeNames },
      },
      required: ['status', 'uri', 'id', 'resource'],
    }),
    objectOf({
      properties: { status: { type: 'integer', minimum: 400 }, problem: schemaRef('Problem') },
      required: ['status', 'problem'],
    }),
  ],
}

export const batchPaths: Paths = {
  '/batch': {
    post: operation({
      id: 'batch',
      summary: 'Carry out many changes in one transaction',
      tag: 'farm',
      parameters: [idempotencyKey],
      body: contentOf(
        'both',
        objectOf({
          properties: {
            atomic: { type: 'boolean', default: true, description: 'All or nothing, or each as it can' },
            operations: { type: 'array', items: operationSchema, minItems: 1, maxItems: limits.operations },
          },
          required: ['operations'],
        }),
      ),
      responses: {
        '200': answer(
          'The results, in the order of the operations',
          'both',
          objectOf({ properties: { results: { type: 'array', items: resultSchema } }, required: ['results'] }),
        ),
        '422': responseRef('Invalid'),
        ...refusedOften,
      },
    }),
  },
}
