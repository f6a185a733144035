import type { Right } from '../../farm/people/roles.ts'
import { roleNames } from '../../farm/people/roles.ts'
import type { ComputedRule, FieldKind } from '../../fields/field.ts'
import {
  arrayOf,
  completeObject,
  type DocumentOf,
  described,
  idRef,
  nullable,
  objectOf,
  type Schema,
  schemaRef,
  text,
  textOf,
  uuidRef,
} from '../http/openapi.ts'

export type { MapLayer } from '../../storage/map-layers.ts'

/** Types of records as addresses and references name them. */
export type ResourceName = 'log' | 'farm_asset' | 'taxonomy_term' | 'quantity' | 'taxonomy_vocabulary' | 'user'

const yes = { type: 'boolean', const: true } as const
const number = { type: 'number' } as const
const texts = arrayOf(text)
const digits = { type: 'string', pattern: '^[0-9]+$' } as const

const byName = <const S extends Schema>(description: string, schema: S) =>
  described(description, { type: 'object', additionalProperties: schema })

const meSchema = completeObject({
  account: completeObject({
    id: idRef,
    name: text,
    role: described('Null: an account without a role', nullable({ type: 'string', enum: roleNames })),
    language: text,
  }),
  rights: described('What this caller may do', arrayOf(textOf<Right>())),
  csrf_token: described('For X-CSRF-Token; null but for sessions', nullable(text)),
  farm: completeObject({
    uuid: described('The same after a restore, unlike the edition', uuidRef),
    name: text,
    system_of_measurement: { type: 'string', enum: ['metric', 'us'] },
    timezone: text,
    withholding_factor: described('By how much proposed days of withholding are multiplied', text),
    tag_days: described('After how many days Today lists an animal without a tag', text),
    language: text,
    languages: texts,
  }),
  map_layers: described('What lies under the map', {
    type: 'array',
    items: completeObject({
      name: text,
      url: described('With {z}, {x} and {y}', text),
      credit: text,
      max_zoom: number,
    }),
  }),
  trial: described(
    'The other farm that this one is a trial beside, and whether recording is allowed here',
    nullable(completeObject({ address: text, recording: { type: 'boolean' } })),
  ),
  time: described('Unix seconds', digits),
  edition: described('As in /changes', text),
  catalogue: described('As in /changes', text),
  version: described('Of the program', text),
})

/** `/me.json`: the caller, and the farm. */
export type Me = DocumentOf<typeof meSchema>

const fieldSchema = objectOf({
  properties: {
    label: text,
    kind: textOf<FieldKind>(),
    required: yes,
    many: described('A list of values', yes),
    read_only: described('Set by the service', yes),
    computed: described('Worked out from the logs, by this rule', textOf<ComputedRule>()),
    on_request: described('Shown by ?with=', yes),
    to: described('What a reference points to', textOf<ResourceName>()),
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

/** A field of 1.x. A missing member means no. */
export interface CatalogueField extends Omit<DocumentOf<typeof fieldSchema>, 'fields'> {
  readonly fields?: CatalogueFields
}

export type CatalogueFields = Readonly<Record<string, CatalogueField>>

const bundleSchema = objectOf({
  properties: {
    label: text,
    plural: text,
    id: described('Of a vocabulary', idRef),
    fields: byName('By name', schemaRef<CatalogueField>('CatalogueField')),
  },
  required: ['label', 'plural', 'fields'],
})

/** A log type, an asset type or a vocabulary. */
export type CatalogueBundle = DocumentOf<typeof bundleSchema>

const bundles = byName('By name', bundleSchema)

const catalogueSchema = completeObject({
  catalogue: described('As in /changes', text),
  types: completeObject({ log: bundles, farm_asset: bundles, taxonomy_term: bundles }),
  lists: byName('The words that choices choose from, by the name of the list', {
    type: 'array',
    items: completeObject({ value: text, label: text }),
  }),
})

/** `/catalogue.json`: everything that can be recorded. */
export type CatalogueDocument = DocumentOf<typeof catalogueSchema>

export const appSchemas = { Me: meSchema, Catalogue: catalogueSchema, CatalogueField: fieldSchema }
