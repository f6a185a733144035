import { allTypeNames, recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import {
  answer,
  contentOf,
  described,
  ifMatch,
  ifNoneMatch,
  inQuery,
  listOf,
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

import { idParameter } from '../../http/record-parameters.ts'

import { entriesPerPage, setsPerPage } from '../change-sets.ts'
import { revisionsPerPage } from '../history.ts'

const text: Schema = { type: 'string' }
const number: Schema = { type: 'integer', minimum: 0 }

const limit = ({ usual, most }: { readonly usual: number; readonly most: number }): Schema =>
  inQuery('limit', 'How many a page has', { type: 'integer', minimum: 1, maximum: most, default: usual })

const setParameter: Schema = { name: 'set', in: 'path', required: true, schema: text }

const words = { log: ['a log', 'Log'], asset: ['an asset', 'Asset'], term: ['a term', 'Term'] } as const

/** What became of records, and which changes were made together. */
export const historyPaths: Paths = {
  ...Object.fromEntries(
    recordTypeNames.map((type) => [
      `/${resourceNames[type]}/{id}/history.json`,
      {
        parameters: [idParameter],
        get: operation({
          id: `readHistoryOf${words[type][1]}`,
          summary: `Read what became of ${words[type][0]}, newest first; also of one that was removed`,
          tag: resourceNames[type],
          parameters: [
            limit(revisionsPerPage),
            inQuery('before', 'Only revisions before this one: the next of the page before', number),
            ifNoneMatch,
          ],
          responses: {
            '200': answer('Its revisions', 'json', schemaRef('History')),
            '304': unchanged,
            '404': responseRef('NotFound'),
            ...refusedOften,
          },
        }),
      },
    ]),
  ),
  ...Object.fromEntries(
    recordTypeNames.map((type) => [
      `/${resourceNames[type]}/{id}/revert`,
      {
        parameters: [idParameter],
        post: operation({
          id: `revert${words[type][1]}`,
          summary: `Let ${words[type][0]} be as it was at an earlier revision, as a new one`,
          tag: resourceNames[type],
          parameters: [parameterRef('files'), ifMatch, ...writeParameters],
          body: contentOf('both', schemaRef('Revert')),
          responses: {
            '200': {
              ...answer('The record as it is now', 'both', schemaRef(resourceNames[type])),
              headers: writeHeaders,
            },
            '404': responseRef('NotFound'),
            '409': responseRef('Conflict'),
            '422': responseRef('Invalid'),
            ...refusedOften,
          },
        }),
      },
    ]),
  ),
  '/sets.json': {
    get: operation({
      id: 'listSets',
      summary: 'List which changes were made together, newest first',
      tag: 'history',
      parameters: [
        inQuery('uid', 'Only those of this user', number),
        inQuery('from', 'Only those since this time', number),
        inQuery('to', 'Only those before this time', number),
        limit(setsPerPage),
        inQuery('before', 'Only sets before this one: the next of the page before', text),
        ifNoneMatch,
      ],
      responses: {
        '200': answer('A page of sets', 'json', schemaRef('SetList')),
        '304': unchanged,
        ...refusedOften,
      },
    }),
  },
  '/sets/{set}.json': {
    parameters: [setParameter],
    get: operation({
      id: 'readSet',
      summary: 'Read the changes of one set, in the order in which they were made',
      tag: 'history',
      parameters: [
        limit(entriesPerPage),
        inQuery('after', 'Only entries behind this one: the next of the page before', number),
        ifNoneMatch,
      ],
      responses: {
        '200': answer('The set', 'json', schemaRef('SetWithEntries')),
        '304': unchanged,
        '404': responseRef('NotFound'),
        ...refusedOften,
      },
    }),
  },
}

export const undoPaths: Paths = {
  '/changes/{set}/undo': {
    parameters: [setParameter],
    post: operation({
      id: 'undoSet',
      summary: 'Take back all changes of a set, or none of them',
      tag: 'history',
      parameters: [
        inQuery('leave', 'Keep and name what others use, or have changed since', { type: 'string', enum: ['used'] }),
        ...writeParameters,
      ],
      responses: {
        '200': { ...answer('What was done, and what was left', 'both', schemaRef('Undone')), headers: writeHeaders },
        '404': responseRef('NotFound'),
        '409': responseRef('Conflict'),
        ...refusedOften,
      },
    }),
  },
}

const resource: Schema = { type: 'string', enum: allTypeNames.map((type) => resourceNames[type]) }
const verb: Schema = { type: 'string', enum: ['create', 'update', 'remove', 'restore'] }
const uuid: Schema = { type: 'string', format: 'uuid' }

const which = { type: resource, id: schemaRef('Id'), uuid: nullable(uuid), name: nullable(text) }

const set = {
  id: text,
  who: schemaRef('Who'),
  at: schemaRef('Timestamp'),
  client: described('The OAuth client that a token was given to', nullable(text)),
  request: described('The id of the request', nullable(text)),
  counts: described('How many changes, by type and verb', {
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: number },
  }),
  undoes: described('The set that this one took back', nullable(text)),
  undone_by: described('The set that has taken this one back', nullable(text)),
}

export const historySchemas: Readonly<Record<string, Schema>> = {
  Who: objectOf({
    properties: {
      uid: schemaRef('Whole'),
      name: described('Null for what the farm brought along itself', nullable(text)),
      blocked: { type: 'boolean' },
    },
    required: ['uid', 'name', 'blocked'],
  }),
  History: objectOf({
    properties: {
      type: resource,
      id: schemaRef('Id'),
      uuid: nullable(uuid),
      revisions: { type: 'array', items: schemaRef('Revision') },
      next: described('Give it as before for the next page; null on the last', nullable(number)),
    },
    required: ['type', 'id', 'uuid', 'revisions', 'next'],
  }),
  Revision: objectOf({
    properties: {
      revision: number,
      verb,
      at: schemaRef('Timestamp'),
      who: described('Null of a removed record to those who may not read the trash', nullable(schemaRef('Who'))),
      client: nullable(text),
      request: nullable(text),
      set: nullable(text),
      fields: described(
        'The fields that it changed, spelled as in the record; null where the record is ended for good, or withheld',
        nullable({
          type: 'object',
          additionalProperties: objectOf({ properties: { before: {}, after: {} }, required: ['before', 'after'] }),
        }),
      ),
    },
    required: ['revision', 'verb', 'at', 'who', 'client', 'request', 'set', 'fields'],
  }),
  Revert: {
    ...objectOf({
      properties: { revision: { anyOf: [{ type: 'integer', minimum: 1 }, schemaRef('Whole')] } },
      required: ['revision'],
    }),
    xml: { name: 'revert' },
  },
  SetList: objectOf({
    properties: {
      sets: { type: 'array', items: schemaRef('ChangeSet') },
      next: described('Give it as before for the next page; null on the last', nullable(text)),
    },
    required: ['sets', 'next'],
  }),
  ChangeSet: objectOf({ properties: set, required: Object.keys(set) }),
  SetWithEntries: objectOf({
    properties: {
      ...set,
      entries: { type: 'array', items: schemaRef('SetEntry') },
      next: described('Give it as after for the next page; null on the last', nullable(number)),
    },
    required: [...Object.keys(set), 'entries', 'next'],
  }),
  Undone: {
    ...objectOf({
      properties: {
        set: described('The set of the undoing: undo it to do again what was undone', text),
        undoes: text,
        undone: listOf(objectOf({ properties: { ...which, verb }, required: ['type', 'id', 'uuid', 'name', 'verb'] })),
        left: listOf(
          objectOf({ properties: { ...which, because: text }, required: ['type', 'id', 'uuid', 'name', 'because'] }),
        ),
      },
      required: ['set', 'undoes', 'undone', 'left'],
    }),
    xml: { name: 'undo' },
  },
  SetEntry: objectOf({
    properties: {
      type: resource,
      id: schemaRef('Id'),
      uuid: nullable(uuid),
      name: described('Null of a removed record to those who may not read the trash', nullable(text)),
      verb,
      revision: number,
    },
    required: ['type', 'id', 'uuid', 'name', 'verb', 'revision'],
  }),
}
