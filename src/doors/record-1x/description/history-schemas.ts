import { allTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { described, listOf, nullable, objectOf, type Schema, schemaRef } from '../../http/openapi/schema.ts'

const text: Schema = { type: 'string' }
const number: Schema = { type: 'integer', minimum: 0 }
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
