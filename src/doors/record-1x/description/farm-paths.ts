import type { Farm } from '../../../farm/farm.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { fileFormats } from '../../../formats/file-formats.ts'
import { interfaceVersion } from '../../../version.ts'
import {
  answer,
  answerAs,
  type DoorDescription,
  ifNoneMatch,
  languageOfLabels,
  objectOf,
  operation,
  type Paths,
  pathVariants,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  unchanged,
} from '../../http/openapi.ts'
import { idParameter, listSchema, pageParameters } from '../../http/record-parameters.ts'

/** A collection that is short enough to be at hand as a whole. */
interface DescribedList {
  readonly path: string
  /** The name of its schema, and of one of them in an operation's id. */
  readonly one: string
  readonly many: string
  /** Completes the sentence "List …". */
  readonly listed: string
  readonly filters: readonly string[]
}

const all: readonly DescribedList[] = [
  {
    path: `/${resourceNames.vocabulary}`,
    one: 'Vocabulary',
    many: 'Vocabularies',
    listed: 'the vocabularies and their numbers',
    filters: ['vid', 'id', 'name', 'machine_name', 'description'],
  },
  { path: '/user', one: 'User', many: 'Users', listed: 'who can be named', filters: ['uid', 'id', 'name'] },
]

const filter = (name: string): Schema => ({
  name,
  in: 'query',
  style: 'form',
  explode: true,
  schema: { type: 'array', items: { type: 'string' } },
})

/** The farm itself, and who and what can be named on it. */
export const farmDescription = (farm: Farm): DoorDescription => ({ paths: farmPaths(), schemas: farmSchemas(farm) })

/** Info record, vocabularies, users, files and the map. */
function farmPaths(): Paths {
  return { ...infoPaths(), ...Object.assign({}, ...all.map(shortListPaths)), ...filePaths(), ...areaMapPaths() }
}

const infoPaths = (): Paths =>
  Object.fromEntries(
    pathVariants.map(({ extension, formats, word }) => [
      `/farm${extension}`,
      {
        get: operation({
          id: `readFarm${word}`,
          summary: 'What the farm is and what can be recorded on it',
          tag: 'farm',
          parameters: [ifNoneMatch, languageOfLabels],
          responses: {
            '200': answer('The info record', formats, schemaRef('Info')),
            '304': unchanged,
            ...refusedOften,
          },
        }),
      },
    ]),
  )

function shortListPaths(shortList: DescribedList): Paths {
  const paths: Paths = {}
  for (const spelling of pathVariants) {
    const { extension, formats, word } = spelling
    paths[shortList.path + extension] = {
      get: operation({
        id: `list${shortList.many}${word}`,
        summary: `List ${shortList.listed}`,
        tag: 'farm',
        parameters: [...pageParameters(spelling), ...shortList.filters.map(filter), ifNoneMatch],
        responses: {
          '200': answer('A page of them', formats, listSchema(schemaRef(shortList.one), spelling)),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    }
    paths[`${shortList.path}/{id}${extension}`] = {
      parameters: [idParameter],
      get: operation({
        id: `read${shortList.one}${word}`,
        summary: `Read one ${shortList.one.toLowerCase()}`,
        tag: 'farm',
        parameters: [ifNoneMatch],
        responses: {
          '200': answer('It', formats, schemaRef(shortList.one)),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    }
  }
  return paths
}

function filePaths(): Paths {
  const info = pathVariants.map(({ extension, formats, word }) => [
    `/file/{id}${extension}`,
    {
      parameters: [idParameter],
      get: operation({
        id: `readFileInfo${word}`,
        summary: 'What a file is called and how large it is',
        tag: 'files',
        parameters: [ifNoneMatch],
        responses: {
          '200': answer('About the file', formats, schemaRef('FileInfo')),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    },
  ])
  const name: Schema = { name: 'name', in: 'path', required: true, schema: { type: 'string' } }
  const download = operation({
    id: 'downloadFile',
    summary: 'Download a file',
    tag: 'files',
    parameters: [ifNoneMatch],
    responses: {
      '200': answerAs('Its bytes; known harmless types under their own name', '*/*', {}),
      '304': unchanged,
      '404': responseRef('NotFound'),
      ...refusedOften,
    },
  })
  return { ...Object.fromEntries(info), '/file/{id}/{name}': { parameters: [idParameter, name], get: download } }
}

function areaMapPaths(): Paths {
  const map = (id: string, summary: string) =>
    operation({
      id,
      summary,
      tag: 'farm',
      parameters: [ifNoneMatch],
      responses: {
        '200': answerAs(
          'GeoJSON (RFC 7946), in this format only',
          fileFormats.geojson.mediaType,
          schemaRef('AreaCollection'),
        ),
        '304': unchanged,
        ...refusedOften,
      },
    })
  const areaType: Schema = {
    name: 'areaType',
    in: 'path',
    required: true,
    description: 'An area type, or all',
    schema: { type: 'string' },
  }
  return {
    '/farm/areas/geojson': { get: map('mapAreas', 'The areas that can be drawn on a map') },
    '/farm/areas/geojson/{areaType}': {
      parameters: [areaType],
      get: map('mapAreasOfType', 'The areas of one type that can be drawn on a map'),
    },
  }
}

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
const farmSchemas = (farm: Farm): Readonly<Record<string, Schema>> => ({
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
