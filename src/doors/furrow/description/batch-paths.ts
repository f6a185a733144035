import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { limits } from '../../../limits.ts'
import {
  answer,
  contentOf,
  objectOf,
  operation,
  type Paths,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  writeHeaders,
  writeParameters,
} from '../../http/openapi.ts'

const recordResources = recordTypeNames.map((type) => resourceNames[type])

const resultName = `[A-Za-z0-9_-]{1,${limits.resultName}}`

const as: Schema = {
  type: 'string',
  pattern: `^${resultName}$`,
  description: 'A name for what this operation creates',
}

const ifMatchGiven: Schema = {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }],
  description: 'As the header If-Match: the version or the ETag that the record had when it was read',
}

/** The path of one record; an earlier result by its name. */
const pathOfOne = (type: string): Schema => ({
  type: 'string',
  pattern: `^/${type}/([1-9][0-9]*|[0-9a-fA-F-]{36}|\\$${resultName})$`,
  examples: [`/${type}/5`, `/${type}/$name`],
})

const creation = (type: string): Schema =>
  objectOf({
    properties: {
      method: { type: 'string', const: 'POST' },
      path: { type: 'string', const: `/${type}` },
      body: schemaRef(`${type}_new`),
      as,
    },
    required: ['method', 'path', 'body'],
  })

const change = (type: string): Schema =>
  objectOf({
    properties: {
      method: { type: 'string', const: 'PUT' },
      path: pathOfOne(type),
      body: schemaRef(`${type}_change`),
      if_match: ifMatchGiven,
    },
    required: ['method', 'path', 'body'],
  })

const removal = (type: string): Schema =>
  objectOf({
    properties: { method: { type: 'string', const: 'DELETE' }, path: pathOfOne(type), if_match: ifMatchGiven },
    required: ['method', 'path'],
  })

const resultSchema: Schema = {
  anyOf: [
    objectOf({
      properties: {
        status: { type: 'integer', enum: [200, 201] },
        uri: { type: 'string' },
        id: schemaRef('Id'),
        resource: { type: 'string', enum: recordResources },
      },
      required: ['status', 'uri', 'id', 'resource'],
    }),
    objectOf({
      properties: { status: { type: 'integer', minimum: 400 }, problem: schemaRef('Problem') },
      required: ['status', 'problem'],
    }),
  ],
}

/** What a batch is made of: an operation for each record type and method, with the body of the single request. */
export const batchSchemas: Readonly<Record<string, Schema>> = {
  ResultName: {
    type: 'string',
    pattern: `^\\$${resultName}$`,
    description: 'In a batch only: what an earlier operation has created under this name, after a $',
  },
  ...Object.fromEntries(
    recordResources.flatMap((type) => [
      [`batch_create_${type}`, creation(type)],
      [`batch_change_${type}`, change(type)],
      [`batch_remove_${type}`, removal(type)],
    ]),
  ),
  BatchOperation: {
    anyOf: ['create', 'change', 'remove'].flatMap((verb) =>
      recordResources.map((type) => schemaRef(`batch_${verb}_${type}`)),
    ),
  },
  BatchResult: resultSchema,
}

export const batchPaths: Paths = {
  '/batch': {
    post: operation({
      id: 'batch',
      summary: 'Carry out many changes in one transaction',
      tag: 'farm',
      parameters: [...writeParameters],
      body: contentOf(
        'both',
        objectOf({
          properties: {
            // A default would make generators ask for it in every request.
            atomic: {
              type: 'boolean',
              description: 'All or nothing, as where it is left out; or, if false, each as it can',
            },
            uuid: {
              ...schemaRef('Uuid'),
              description: 'The id of its changes; the same batch under the same is carried out once',
            },
            operations: {
              type: 'array',
              items: schemaRef('BatchOperation'),
              minItems: 1,
              maxItems: limits.operations,
            },
          },
          required: ['operations'],
        }),
      ),
      responses: {
        '200': {
          ...answer(
            'The results, in the order of the operations',
            'both',
            objectOf({
              properties: { results: { type: 'array', items: schemaRef('BatchResult') } },
              required: ['results'],
            }),
          ),
          headers: writeHeaders,
        },
        '409': responseRef('UuidTaken'),
        '422': responseRef('Invalid'),
        ...refusedOften,
      },
    }),
  },
}
