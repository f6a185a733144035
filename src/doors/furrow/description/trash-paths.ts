import { allTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { mostTrashDays } from '../../../storage/settings.ts'
import {
  answer,
  answerAs,
  dryRun,
  ifMatch,
  ifNoneMatch,
  inQuery,
  nullable,
  objectOf,
  operation,
  type Paths,
  parameterRef,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  unchanged,
  writeHeaders,
  writeParameters,
} from '../../http/openapi.ts'

import { idParameter, listSchema } from '../../http/record-parameters.ts'

const text: Schema = { type: 'string' }
const address: Schema = { type: 'string', format: 'uri' }
const uuid: Schema = { type: 'string', format: 'uuid' }
const resource: Schema = { type: 'string', enum: allTypeNames.map((type) => resourceNames[type]) }

const uuidParameter: Schema = { name: 'uuid', in: 'path', required: true, schema: uuid }

const record = { uri: address, id: schemaRef('Id'), resource, name: text }

const entry: Readonly<Record<string, Schema>> = {
  uuid,
  id: schemaRef('Id'),
  resource,
  type: { type: 'string', description: 'The type of a log or asset, the vocabulary of a term' },
  name: text,
  removed: schemaRef('Timestamp'),
  removed_by: { ...nullable(schemaRef('Reference')), description: 'Null where it was the command line' },
  set: { ...nullable(text), description: 'The change set of the removal' },
  ends: { ...schemaRef('Timestamp'), description: 'When it ends for good' },
  uri: address,
  files: { type: 'array', items: schemaRef('TrashFile') },
}

/** What was removed and can come back. */
export const trashSchemas: Readonly<Record<string, Schema>> = {
  TrashEntry: objectOf({ properties: entry, required: Object.keys(entry) }),
  TrashFile: objectOf({
    properties: { id: schemaRef('Id'), name: text, mime: text, size: schemaRef('Whole'), uri: address },
    required: ['id', 'name', 'mime', 'size', 'uri'],
  }),
  TrashedRecord: objectOf({
    properties: {
      ...entry,
      record: {
        type: 'object',
        description: 'The record as it was, without computed fields, its files by their addresses in the trash',
      },
    },
    required: [...Object.keys(entry), 'record'],
  }),
  Restored: objectOf({
    properties: {
      restored: {
        type: 'array',
        description: 'Those that came back, the one that was asked for first',
        items: objectOf({ properties: { ...record, uuid }, required: [...Object.keys(record), 'uuid'] }),
      },
      left_out: {
        type: 'array',
        description: 'What they referred to and what is gone for good',
        items: objectOf({
          properties: {
            from: objectOf({ properties: record, required: Object.keys(record) }),
            field: text,
            id: schemaRef('Id'),
            resource: text,
          },
          required: ['from', 'field', 'id', 'resource'],
        }),
      },
      same_name: {
        type: 'array',
        description: 'Terms whose name others of their vocabulary have too',
        items: objectOf({
          properties: { ...record, others: { type: 'array', items: schemaRef('Reference') } },
          required: [...Object.keys(record), 'others'],
        }),
      },
    },
    required: ['restored', 'left_out', 'same_name'],
  }),
  Ended: objectOf({
    properties: { ended: { type: 'integer', description: 'How many records ended for good' } },
    required: ['ended'],
  }),
}

const pages = {
  parameters: [parameterRef('page'), parameterRef('limit'), inQuery('type', 'Of one type only', resource), ifNoneMatch],
  responses: {
    '200': answer(
      'A page of the trash, what was removed last first',
      'json',
      listSchema(schemaRef('TrashEntry'), { extension: '.json', formats: 'json', word: 'Json' }),
    ),
    '304': unchanged,
    '404': responseRef('NotFound'),
    ...refusedOften,
  },
}

const one = {
  parameters: [ifNoneMatch],
  responses: {
    '200': answer('It, with the record as it was', 'json', schemaRef('TrashedRecord')),
    '304': unchanged,
    '404': responseRef('NotFound'),
    ...refusedOften,
  },
}

const ended: Schema = { ...answer('How many', 'json', schemaRef('Ended')), headers: writeHeaders }

export const trashPaths: Paths = {
  '/trash.json': { get: operation({ id: 'listTrashJson', summary: 'List what was removed', tag: 'trash', ...pages }) },
  '/trash': {
    get: operation({ id: 'listTrash', summary: 'List what was removed', tag: 'trash', ...pages }),
    delete: operation({
      id: 'emptyTrash',
      summary: 'End all that lies in the trash for good, for managers',
      tag: 'trash',
      parameters: [
        inQuery('older_than', 'Only what was removed so many days ago', {
          type: 'integer',
          minimum: 0,
          maximum: mostTrashDays,
        }),
        dryRun,
      ],
      responses: { '200': ended, ...refusedOften },
    }),
  },
  '/trash/{uuid}.json': {
    parameters: [uuidParameter],
    get: operation({ id: 'readTrashedJson', summary: 'Look at a record that was removed', tag: 'trash', ...one }),
  },
  '/trash/{uuid}': {
    parameters: [uuidParameter],
    get: operation({ id: 'readTrashed', summary: 'Look at a record that was removed', tag: 'trash', ...one }),
    delete: operation({
      id: 'endTrashed',
      summary: 'End a removed record for good, for managers',
      tag: 'trash',
      parameters: [ifMatch, ...writeParameters],
      responses: { '200': ended, '404': responseRef('NotFound'), ...refusedOften },
    }),
  },
  '/trash/{uuid}/restore': {
    parameters: [uuidParameter],
    post: operation({
      id: 'restoreTrashed',
      summary: 'Bring a removed record back as it was',
      tag: 'trash',
      parameters: [
        inQuery('with', 'Also what it refers to and lies in the trash too', { type: 'string', enum: ['referents'] }),
        inQuery('drop', 'Leave out what it refers to and is gone for good', { type: 'string', enum: ['missing'] }),
        ifMatch,
        ...writeParameters,
      ],
      responses: {
        '200': { ...answer('What came back', 'json', schemaRef('Restored')), headers: writeHeaders },
        '404': responseRef('NotFound'),
        '409': responseRef('NotRestorable'),
        ...refusedOften,
      },
    }),
  },
  '/trash/{uuid}/files/{id}': {
    parameters: [uuidParameter, idParameter],
    get: operation({
      id: 'downloadTrashedFile',
      summary: 'Download a file of a removed record',
      tag: 'trash',
      parameters: [ifNoneMatch],
      responses: {
        '200': answerAs('Its bytes; known harmless types under their own name', '*/*', {}),
        '304': unchanged,
        '404': responseRef('NotFound'),
        ...refusedOften,
      },
    }),
  },
}
