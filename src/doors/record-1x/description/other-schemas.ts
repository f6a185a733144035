import type { Farm } from '../../../farm/farm.ts'
import { interfaceVersion } from '../../../version.ts'
import { objectOf, type Schema, schemaRef } from '../../http/openapi/schema.ts'

const text: Schema = { type: 'string' }
const address: Schema = { type: 'string', format: 'uri' }
const map = (values: Schema): Schema => ({ type: 'object', additionalProperties: values })

const infoSchemas: Readonly<Record<string, Schema>> = {
  Info: {
    type: 'object',
    properties: {
      name: text,
      url: address,
      api_version: { type: 'string', examples: [interfaceVersion] },
      system_of_measurement: { type: 'string', enum: ['metric', 'us'] },
      user: objectOf({
        properties: { uid: schemaRef('Id'), name: text, mail: text, language: text },
        required: ['uid', 'name', 'mail', 'language'],
      }),
      languages: map(
        objectOf({
          properties: { language: text, name: text, native: text, direction: { type: 'integer', enum: [0, 1] } },
          required: ['language', 'name', 'native', 'direction'],
        }),
      ),
      metrics: map(
        objectOf({
          properties: { label: text, value: text, link: text, weight: { type: 'integer' } },
          required: ['label', 'value', 'link', 'weight'],
        }),
      ),
      resources: map(map(schemaRef('InfoBundle'))),
    },
    required: ['name', 'url', 'api_version', 'user'],
    description: 'Modules may add to it. A caller without a role sees the required members only',
  },
  InfoBundle: objectOf({
    properties: {
      label: text,
      label_plural: text,
      fields: map(schemaRef('InfoField')),
      properties: map(schemaRef('InfoField')),
      vid: schemaRef('Id'),
    },
    required: ['label', 'label_plural', 'fields', 'properties'],
  }),
  InfoField: objectOf({
    properties: {
      label: text,
      type: text,
      required: { type: 'integer', enum: [0, 1] },
      default_value: {},
      data_schema: {},
      allowed_values: { type: 'array', items: text },
      fields: map(schemaRef('InfoField')),
      read_only: { type: 'integer', const: 1 },
    },
    required: ['label', 'type', 'required', 'default_value', 'data_schema'],
  }),
}

/** What is told beside the records. */
export const otherSchemas = (farm: Farm): Readonly<Record<string, Schema>> => ({
  ...infoSchemas,
  Vocabulary: objectOf({
    properties: {
      vid: schemaRef('Id'),
      id: schemaRef('Id'),
      name: text,
      machine_name: { type: 'string', enum: Object.keys(farm.records.term.bundles) },
      description: text,
      url: address,
    },
    required: ['vid', 'id', 'name', 'machine_name', 'description', 'url'],
  }),
  User: objectOf({
    properties: {
      uid: schemaRef('Id'),
      id: schemaRef('Id'),
      name: text,
      url: address,
      mail: { type: 'string', description: 'Of oneself only' },
    },
    required: ['uid', 'id', 'name', 'url'],
  }),
  FileInfo: objectOf({
    properties: {
      fid: schemaRef('Id'),
      id: schemaRef('Id'),
      name: text,
      mime: text,
      size: schemaRef('Whole'),
      url: address,
      timestamp: schemaRef('Timestamp'),
      owner: schemaRef('Reference'),
    },
    required: ['fid', 'id', 'name', 'mime', 'size', 'url', 'timestamp', 'owner'],
  }),
  AreaCollection: objectOf({
    properties: {
      type: { const: 'FeatureCollection' },
      features: { type: 'array', items: schemaRef('AreaFeature') },
    },
    required: ['type', 'features'],
  }),
  AreaFeature: objectOf({
    properties: {
      type: { const: 'Feature' },
      geometry: { type: 'object', description: 'RFC 7946, never an empty one' },
      properties: objectOf({
        properties: { id: schemaRef('Id'), name: text, area_type: text },
        required: ['id', 'name', 'area_type'],
      }),
    },
    required: ['type', 'geometry', 'properties'],
  }),
})
