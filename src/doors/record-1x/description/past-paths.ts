import { resourceNames } from '../../../farm/resource-names.ts'
import { ifNoneMatch, unchanged } from '../../http/openapi/header-parameters.ts'
import { answer, operation, type Paths, refusedOften } from '../../http/openapi/operations.ts'
import { described, nullable, objectOf, type Schema, schemaRef } from '../../http/openapi/schema.ts'
import { stayKinds, staysPerPage } from '../past/stays-query.ts'

const inQuery = (name: string, description: string, schema: Schema): Schema => ({
  name,
  in: 'query',
  description,
  schema,
})

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

export const pastPaths = (): Paths => ({ '/stays': { get: stays } })

const column = (description: string, item: Schema): Schema => ({
  ...described(description, { type: 'array', items: item }),
  maxItems: staysPerPage,
})

export const pastSchemas: Readonly<Record<string, Schema>> = {
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
        from: column('Since when', schemaRef('Timestamp')),
        until: column('Until when; null while it lasts', nullable(schemaRef('Timestamp'))),
        next: nullable({ type: 'string', description: 'The address of the next page' }),
      },
      required: ['asset', 'place', 'place_type', 'log', 'from', 'until', 'next'],
    }),
  }),
}
