import { roleNames } from '../../farm/people/roles.ts'
import {
  answer,
  completeObject,
  type DoorDescription,
  described,
  ifNoneMatch,
  languageOfLabels,
  nullable,
  objectOf,
  operation,
  refusedOften,
  type Schema,
  schemaRef,
  unchanged,
} from '../http/openapi.ts'

const text: Schema = { type: 'string' }
const yes: Schema = { type: 'boolean', const: true }
const number: Schema = { type: 'number' }
const texts: Schema = { type: 'array', items: text }
const digits: Schema = { type: 'string', pattern: '^[0-9]+$' }

/** Of an object that has all of these members. */
const withAll = (properties: Readonly<Record<string, Schema>>): Schema => completeObject(properties)

const byName = (description: string, schema: Schema): Schema =>
  described(description, { type: 'object', additionalProperties: schema })

const me = withAll({
  account: withAll({
    id: schemaRef('Id'),
    name: text,
    role: described('Null: an account without a role', nullable({ type: 'string', enum: roleNames })),
    language: text,
  }),
  rights: described('What this caller may do', texts),
  csrf_token: described('For X-CSRF-Token; null but for sessions', nullable(text)),
  farm: withAll({
    uuid: described('The same after a restore, unlike the edition', schemaRef('Uuid')),
    name: text,
    system_of_measurement: { type: 'string', enum: ['metric', 'us'] },
    timezone: text,
    language: text,
    languages: texts,
  }),
  map_layers: described('What lies under the map', {
    type: 'array',
    items: withAll({ name: text, url: described('With {z}, {x} and {y}', text), credit: text, max_zoom: number }),
  }),
  time: described('Unix seconds', digits),
  edition: described('As in /changes', text),
  catalogue: described('As in /changes', text),
  version: described('Of the program', text),
})

const field = objectOf({
  properties: {
    label: text,
    kind: text,
    required: yes,
    many: described('A list of values', yes),
    read_only: described('Set by the service', yes),
    computed: described('Worked out from the logs, by this rule', text),
    on_request: described('Shown by ?with=', yes),
    to: described('What a reference points to', text),
    within: described('The types or the vocabulary that it points into; own: that of the term itself', {
      anyOf: [texts, { const: 'own' }],
    }),
    list: described('Which of the lists a choice is from', text),
    open: described('Other words are taken, too', yes),
    accepts: { type: 'string', enum: ['image', 'any'] },
    max_length: number,
    min: number,
    max: number,
    fields: byName('Those of a part, by name', schemaRef('CatalogueField')),
  },
  required: ['label', 'kind'],
})

const bundles = byName(
  'By name',
  objectOf({
    properties: {
      label: text,
      plural: text,
      id: described('Of a vocabulary', schemaRef('Id')),
      fields: byName('By name', schemaRef('CatalogueField')),
    },
    required: ['label', 'plural', 'fields'],
  }),
)

const catalogue = withAll({
  catalogue: described('As in /changes', text),
  types: withAll({ log: bundles, farm_asset: bundles, taxonomy_term: bundles }),
  lists: byName('The words that choices choose from, by the name of the list', {
    type: 'array',
    items: withAll({ value: text, label: text }),
  }),
})

export const appDescription: DoorDescription = {
  paths: {
    '/me.json': {
      get: operation({
        id: 'readMe',
        summary: 'Who is asking and what they may do, and the farm that is asked',
        tag: 'farm',
        responses: {
          '200': answer('The account, the farm, and the time there', 'json', schemaRef('Me')),
          ...refusedOften,
        },
      }),
    },
    '/catalogue.json': {
      get: operation({
        id: 'readCatalogue',
        summary: 'What can be recorded here: types, fields and words, with their labels',
        tag: 'farm',
        parameters: [ifNoneMatch, languageOfLabels],
        responses: {
          '200': answer('The catalogue', 'json', schemaRef('Catalogue')),
          '304': unchanged,
          ...refusedOften,
        },
      }),
    },
  },
  schemas: { Me: me, Catalogue: catalogue, CatalogueField: field },
}
