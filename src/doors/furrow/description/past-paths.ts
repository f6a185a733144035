import { resourceNames } from '../../../farm/resource-names.ts'
import { codesAgainst } from '../../../history/because/sentences.ts'
import {
  answer,
  described,
  ifNoneMatch,
  inQuery,
  listOf,
  nullable,
  objectOf,
  operation,
  type Paths,
  type PathVariant,
  parameterRef,
  pathVariants,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  unchanged,
} from '../../http/openapi.ts'

import { idParameter } from '../../http/record-parameters.ts'

import { stayKinds, staysPerPage } from '../stays.ts'

const ids: Schema = { type: 'array', items: schemaRef('Id') }
const seconds: Schema = { type: 'integer' }

const stays = operation({
  id: 'listStays',
  summary: 'Where assets were, or which groups they belonged to, from when until when, and by which log',
  tag: 'past',
  parameters: [
    inQuery('kind', 'Movements to areas, or memberships in groups', {
      type: 'string',
      enum: stayKinds,
      default: 'movement',
    }),
    inQuery('from', 'Unix seconds: stays that lasted longer', seconds),
    inQuery('to', 'Unix seconds: stays that began earlier', seconds),
    { ...inQuery('asset', 'Only of this asset; several mean any of them', ids), style: 'form', explode: true },
    { ...inQuery('area', 'Only in this area; several mean any of them', ids), style: 'form', explode: true },
    inQuery('within', '1: also in the areas below, on every level', { type: 'string', enum: ['0', '1'], default: '0' }),
    inQuery('after', 'Where the page begins, as the next of the page before says', { type: 'string' }),
    ifNoneMatch,
  ],
  responses: {
    '200': answer('A page of stays', 'json', schemaRef('Stays')),
    '304': unchanged,
    ...refusedOften,
  },
})

const because = (id: string, one: string, { formats, word }: PathVariant): Schema =>
  operation({
    id: `explain${id}${word}`,
    summary: `Why ${one} is where it is: which logs decide, and why others do not`,
    tag: 'past',
    parameters: [parameterRef('as_of'), parameterRef('page'), parameterRef('limit'), ifNoneMatch],
    responses: {
      '200': answer('The computed values, and why', formats, schemaRef('Because')),
      '304': unchanged,
      '404': responseRef('NotFound'),
      ...refusedOften,
    },
  })

export function pastPaths(): Paths {
  const paths: Paths = { '/stays': { get: stays } }
  for (const spelling of pathVariants) {
    const address = `/{id}/because${spelling.extension}`
    const parameters = [idParameter]
    paths[`/${resourceNames.asset}${address}`] = { parameters, get: because('Asset', 'an asset', spelling) }
    paths[`/${resourceNames.term}${address}`] = { parameters, get: because('Area', 'what is in an area', spelling) }
  }
  return paths
}

const second: Schema = { type: 'integer' }

const column = (description: string, item: Schema): Schema => ({
  ...described(description, { type: 'array', items: item }),
  maxItems: staysPerPage,
})

const link: Schema = { type: 'string', description: 'An address that repeats the query as it was asked' }

const explained: Readonly<Record<string, Schema>> = {
  field: { type: 'string', description: 'The name of a computed field' },
  value: {
    description: 'As the record shows it',
    anyOf: [{ type: 'array', items: schemaRef('Reference') }, { type: 'string' }, { type: 'null' }],
  },
  sentence: { type: 'string', description: 'Why, for people' },
  decided_by: listOf(schemaRef('BecauseLog')),
  more: { type: 'integer', minimum: 0, description: 'How many more logs decided together with these' },
  others: listOf(
    objectOf({
      properties: {
        log: schemaRef('BecauseLog'),
        code: { type: 'string', enum: codesAgainst },
        sentence: { type: 'string', description: 'Why it did not decide, for people' },
      },
      required: ['log', 'code', 'sentence'],
    }),
  ),
}

export const pastSchemas: Readonly<Record<string, Schema>> = {
  Because: objectOf({
    properties: {
      self: link,
      first: link,
      last: link,
      prev: link,
      next: link,
      record: schemaRef('Reference'),
      as_of: nullable(schemaRef('Timestamp')),
      values: listOf(objectOf({ properties: explained, required: Object.keys(explained) })),
      list: described('Of an area or a group: each asset of the page', {
        ...listOf(
          objectOf({
            properties: { asset: schemaRef('Reference'), ...explained },
            required: ['asset', ...Object.keys(explained)],
          }),
        ),
      }),
    },
    required: ['self', 'first', 'last', 'record', 'as_of', 'values', 'list'],
  }),
  BecauseLog: objectOf({
    properties: {
      uri: { type: 'string', format: 'uri' },
      id: schemaRef('Id'),
      resource: { type: 'string', const: resourceNames.log },
      uuid: { type: 'string', format: 'uuid' },
      name: { type: 'string' },
      timestamp: schemaRef('Timestamp'),
      who: objectOf({
        properties: { uid: { type: 'string' }, name: nullable({ type: 'string' }) },
        required: ['uid', 'name'],
      }),
    },
    required: ['uri', 'id', 'resource', 'uuid', 'name', 'timestamp', 'who'],
  }),
  Stays: described('One stay for each place in the lists, in the order of asset, from and log', {
    ...objectOf({
      properties: {
        asset: column('Who', schemaRef('Id')),
        place: column('Where; null for a bare geometry', nullable(schemaRef('Id'))),
        place_type: column(
          'What the place is',
          nullable({ type: 'string', enum: [resourceNames.term, resourceNames.asset] }),
        ),
        log: column('The log that says so', schemaRef('Id')),
        from: column('Since when, in Unix seconds', second),
        until: column('Until when, in Unix seconds; null while it lasts', nullable(second)),
        next: nullable({ type: 'string', description: 'The address of the next page' }),
      },
      required: ['asset', 'place', 'place_type', 'log', 'from', 'until', 'next'],
    }),
  }),
}
