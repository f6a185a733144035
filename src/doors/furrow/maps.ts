import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { fileFormats, formatOfMediaType, isMapFormat, type MapFormatName } from '../../formats/file-formats.ts'
import { type MapOutputFormat, mapOutputFormats } from '../../formats/map/map-formats.ts'
import { type QueryEntry, readQuery } from '../../formats/query-string.ts'
import { refuseFarAway } from '../../maps/far-away.ts'
import { importAreas, importReport, withShapes } from '../../maps/import-areas.ts'
import { mapOfRecords } from '../../maps/map-of-records.ts'
import { importWords, mapOptionsOf } from '../../maps/map-options.ts'
import { sentMap } from '../../maps/sent-map.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { parameter } from '../../wire-1x/list-query.ts'
import { type BodyImport, bytesOf } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { carryOut } from '../http/idempotency.ts'
import { contentTypeOf, requirePlainUtf8 } from '../http/negotiation.ts'
import {
  answerAs,
  completeObject,
  type DoorDescription,
  ifNoneMatch,
  listOf,
  operation,
  type Paths,
  parameterRef,
  refusedOften,
  type Schema,
  schemaRef,
  unchanged,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { sendOne } from '../http/record-answers.ts'
import { figureParameters, filtersOf, pastParameters } from '../http/record-parameters.ts'
import type { SpooledAnswers } from '../http/spooled-answers.ts'
import { type MapImportDocument, mapImportSchemas } from './import-documents.ts'

/** Lists of records as maps (docs/maps.md). */
export function mapRoutes(app: FastifyInstance, installation: Records, answers: SpooledAnswers): void {
  for (const type of recordTypeNames) {
    for (const format of mapOutputFormats) {
      app.get(`/${resourceNames[type]}.${format}`, async (request, reply) => {
        const caller = await callerOf(request, installation)
        requireRight(caller, 'read-records')
        const base = baseAddressOf(request, installation)
        const pieces = mapOfRecords(installation, { caller, type, format, base, entries: readQuery(request.url) })
        const headers = { 'content-type': fileFormats[format].mediaType }
        const write = async (snapshot: Snapshot) => ({ headers, pieces: pieces(snapshot) })
        return answers.send({ request, reply, caller, write })
      })
    }
  }
}

const mapWords: Readonly<Record<RecordTypeName, string>> = {
  log: 'logs',
  asset: 'assets',
  term: 'areas',
  quantity: 'quantities',
}

export const mapDescription = (farm: Farm): DoorDescription => ({
  paths: mapPaths(farm),
  schemas: { MapCollection: collectionSchema, ...mapImportSchemas },
})

const mapPaths = (farm: Farm): Paths =>
  Object.fromEntries(
    recordTypeNames.flatMap((type) => mapOutputFormats.map((format): [string, Schema] => pathOf(farm, type, format))),
  )

const mapAnswers: Readonly<Record<MapOutputFormat, readonly [description: string, Schema]>> = {
  geojson: ['GeoJSON (RFC 7946); numbers with all their digits', schemaRef('MapCollection')],
  kml: ['KML 2.2', { type: 'string' }],
}

const capitalized = (word: string): string => word.replace(/^./, (first) => first.toUpperCase())

function pathOf(farm: Farm, type: RecordTypeName, format: MapOutputFormat): [string, Schema] {
  const [description, schema] = mapAnswers[format]
  const recordType = farm.records[type]
  const filters = filtersOf(recordType, farm).map(([field]) => parameterRef(`${resourceNames[type]}_${field}`))
  const get = operation({
    id: `map${capitalized(mapWords[type])}As${capitalized(format)}`,
    summary: `All ${mapWords[type]} that have a place, as a map`,
    tag: resourceNames[type],
    parameters: [
      parameterRef('sort'),
      parameterRef('direction'),
      ...filters,
      ...figureParameters(recordType),
      ...pastParameters(recordType),
      ifNoneMatch,
    ],
    responses: {
      '200': answerAs(description, fileFormats[format].mediaType, schema),
      '304': unchanged,
      ...refusedOften,
    },
  })
  return [`/${resourceNames[type]}.${format}`, { get }]
}

const collectionSchema = completeObject({
  type: { const: 'FeatureCollection' },
  features: listOf(
    completeObject({
      type: { const: 'Feature' },
      geometry: { type: 'object', description: 'RFC 7946, never an empty one' },
      properties: {
        type: 'object',
        description: 'The fields of the record, as texts and whole numbers',
        additionalProperties: { type: ['string', 'integer'] },
      },
    }),
  ),
})

function mapFormatOf(mediaType: string): MapFormatName | undefined {
  const format = formatOfMediaType(mediaType)
  return format !== undefined && isMapFormat(format) ? format : undefined
}

/** Imports the areas of a map in one transaction. */
export const mapImport: BodyImport = {
  isSentBy: (request, type) => type === 'term' && mapFormatOf(contentTypeOf(request).type) !== undefined,
  async take({ installation }, request, reply) {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'write-records')
    const contentType = contentTypeOf(request)
    requirePlainUtf8(request, contentType)
    const wish = mapOptionsOf(installation.farm, wordsIn(readQuery(request.url)))
    const map = await sentMap(bytesOf(request), mapFormatOf(contentType.type) ?? 'geojson', wish)
    await refuseFarAway(installation, { caller, map, wish })
    const base = baseAddressOf(request, installation)
    const json = await carryOut(installation, { request, reply, caller, beside: 'nobody' }, async (work) => {
      const imported = await importAreas(work, { map, wish, base })
      const report = importReport(imported, map, base)
      const answer: MapImportDocument = wish.shapes === 'shown' ? withShapes(report, map) : report
      return { status: 200, headers: {}, json: JSON.stringify(answer) }
    })
    return sendOne(request, reply, { root: 'import', json })
  },
}

/** Query parameters of every write. */
const ofEveryWrite: readonly string[] = ['dry_run']

/** Refuses unknown parameters: a typo would change what is written. */
function wordsIn(entries: readonly QueryEntry[]) {
  const known: readonly string[] = [...importWords, ...ofEveryWrite]
  for (const { name, brackets } of entries) {
    if (!known.includes(name) || brackets.length > 0) throw badQuery(name, 'does not go with a map', known)
  }
  return Object.fromEntries(importWords.map((word) => [word, parameter(entries, word)]))
}
