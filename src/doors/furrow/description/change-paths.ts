import { allTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import {
  described,
  inQuery,
  nullable,
  objectOf,
  operation,
  type Paths,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
} from '../../http/openapi.ts'

import { mostChanges } from '../change-feed.ts'

const resources: Schema = { type: 'string', enum: allTypeNames.map((type) => resourceNames[type]) }
const uuid: Schema = { type: 'string', format: 'uuid' }
const digits: Schema = { type: 'string', pattern: '^\\d+$' }
const cursor: Schema = { type: 'string', pattern: '^[A-Za-z0-9._-]+$' }

const parameters: readonly Schema[] = [
  inQuery(
    'since',
    'What a former answer has as next; 0: from the beginning. Without it nothing but next is told',
    cursor,
  ),
  inQuery('limit', 'The most changes of one page', {
    type: 'integer',
    minimum: 1,
    maximum: mostChanges,
    default: mostChanges,
  }),
  inQuery('type', 'Only changes of this type', resources),
  inQuery('records', '0: without the records themselves', { type: 'integer', enum: [0, 1], default: 1 }),
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'For a stream: the id of the last event that was seen, in the place of since',
    schema: { type: 'string' },
  },
]

const events: Schema = {
  type: 'string',
  description:
    'An event stream without end. Event change: data is a Change, id the cursor behind it. Event reset: the cursor is gone, as with 410, and the stream ends. A comment comes every 20 seconds.',
}

export const changePaths: Paths = {
  '/changes': {
    get: operation({
      id: 'readChanges',
      summary: 'What has changed since, as a page or as a stream of events',
      tag: 'farm',
      parameters,
      responses: {
        '200': {
          description: 'A page of changes; with Accept: text/event-stream a stream of events',
          content: {
            'application/json': { schema: schemaRef('Changes') },
            'text/event-stream': { schema: events },
          },
        },
        '410': responseRef('Problem'),
        '429': responseRef('Problem'),
        ...refusedOften,
      },
    }),
  },
}

export const changeSchemas: Readonly<Record<string, Schema>> = {
  Changes: objectOf({
    properties: {
      edition: described('Another one after a restore or an import: load everything again', { type: 'string' }),
      catalogue: described('Another one: read /farm.json and load everything again', { type: 'string' }),
      changes: { type: 'array', items: schemaRef('Change') },
      next: described('The cursor behind these changes', cursor),
      more: described('Whether there is more already', { type: 'boolean' }),
    },
    required: ['edition', 'catalogue', 'changes', 'next', 'more'],
  }),
  Change: objectOf({
    properties: {
      type: resources,
      id: schemaRef('Id'),
      uuid: described('Null for what was removed before UUIDs were kept', nullable(uuid)),
      version: described('Its revision and the edition', { type: 'string' }),
      verb: { type: 'string', enum: ['create', 'update', 'remove'] },
      at: described('Unix seconds of its last change on the page', digits),
      uid: described(
        'Who made that change; null of a removed record to those who may not read the trash',
        nullable(digits),
      ),
      set: described(
        'The changes that it was made with; null for what is older than sets, and as uid is',
        nullable(uuid),
      ),
      record: described('As it is now and as lists show it, with uuid and version, without what is computed', {
        type: 'object',
        properties: { uuid, version: { type: 'string' }, url: { type: 'string', format: 'uri' } },
        required: ['uuid', 'version', 'url'],
      }),
    },
    required: ['type', 'id', 'uuid', 'version', 'verb', 'at', 'uid', 'set'],
  }),
}
