import type { Farm, RecordTypeName } from '../../../farm/farm.ts'
import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import {
  answerAs,
  described,
  ifNoneMatch,
  listOf,
  nullable,
  objectOf,
  operation,
  type Paths,
  parameterRef,
  refusedOften,
  type Schema,
  schemaRef,
  unchanged,
} from '../../http/openapi.ts'

import { figureParameters, filtersOf, pastParameters } from '../../http/record-parameters.ts'

const words: Readonly<Record<RecordTypeName, string>> = {
  log: 'logs',
  asset: 'assets',
  term: 'areas',
  quantity: 'quantities',
}

/** Lists of records as maps. */
export const mapPaths = (farm: Farm): Paths =>
  Object.fromEntries(recordTypeNames.flatMap((type) => [geojsonPath(farm, type), kmlPath(farm, type)]))

const geojsonPath = (farm: Farm, type: RecordTypeName): readonly [string, Schema] =>
  pathOf(farm, type, {
    extension: 'geojson',
    answer: answerAs(
      'GeoJSON (RFC 7946); numbers with all their digits',
      'application/geo+json',
      schemaRef('MapCollection'),
    ),
  })

const kmlPath = (farm: Farm, type: RecordTypeName): readonly [string, Schema] =>
  pathOf(farm, type, {
    extension: 'kml',
    answer: answerAs('KML 2.2', 'application/vnd.google-earth.kml+xml', { type: 'string' }),
  })

function pathOf(
  farm: Farm,
  type: RecordTypeName,
  { extension, answer }: { readonly extension: string; readonly answer: Schema },
): readonly [string, Schema] {
  const recordType = farm.records[type]
  const filters = filtersOf(recordType, farm).map(([field]) => parameterRef(`${resourceNames[type]}_${field}`))
  const get = operation({
    id: `map${words[type].replace(/^./, (first) => first.toUpperCase())}As${extension === 'kml' ? 'Kml' : 'Geojson'}`,
    summary: `All ${words[type]} that have a place, as a map`,
    tag: resourceNames[type],
    parameters: [
      parameterRef('sort'),
      parameterRef('direction'),
      ...filters,
      ...figureParameters(recordType),
      ...pastParameters(recordType),
      ifNoneMatch,
    ],
    responses: { '200': answer, '304': unchanged, ...refusedOften },
  })
  return [`/${resourceNames[type]}.${extension}`, { get }]
}

const count: Schema = { type: 'integer', minimum: 0 }
const degrees: Schema = { type: 'number' }
const text: Schema = { type: 'string' }

const outcome = {
  result: { type: 'string', enum: ['created', 'changed', 'unchanged', 'fault'] },
  name: text,
  named: described('The map has no name for it: it was given one', { const: true }),
  uri: text,
  id: schemaRef('Id'),
  resource: { type: 'string', const: resourceNames.term },
  uuid: schemaRef('Uuid'),
  faults: described(
    'With on_fault=skip: why it was not taken',
    listOf(
      objectOf({
        properties: { field: text, message: text, allowed: listOf(text) },
        required: ['field', 'message'],
      }),
    ),
  ),
}

export const mapSchemas: Readonly<Record<string, Schema>> = {
  MapCollection: objectOf({
    properties: {
      type: { const: 'FeatureCollection' },
      features: listOf(
        objectOf({
          properties: {
            type: { const: 'Feature' },
            geometry: { type: 'object', description: 'RFC 7946, never an empty one' },
            properties: {
              type: 'object',
              description: 'The fields of the record, as texts and whole numbers',
              additionalProperties: { type: ['string', 'integer'] },
            },
          },
          required: ['type', 'geometry', 'properties'],
        }),
      ),
    },
    required: ['type', 'features'],
  }),
  MapImport: objectOf({
    properties: {
      counts: objectOf({
        properties: { created: count, changed: count, unchanged: count, fault: count },
        required: ['created', 'changed', 'unchanged'],
      }),
      where: described(
        'The rectangle that it lies in; null where nothing has a shape',
        nullable(
          objectOf({
            properties: { west: degrees, south: degrees, east: degrees, north: degrees },
            required: ['west', 'south', 'east', 'north'],
          }),
        ),
      ),
      left_out: described(
        'What was not taken over, and how often it was there',
        listOf(objectOf({ properties: { what: text, count }, required: ['what', 'count'] })),
      ),
      features: described(
        'What each feature has become, and each area that was made because features lie in it',
        listOf(
          objectOf({
            properties: { feature: count, parent: text, ...outcome },
            required: ['result', 'name'],
          }),
        ),
      ),
    },
    required: ['counts', 'where', 'left_out', 'features'],
  }),
}
