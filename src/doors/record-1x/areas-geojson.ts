import type { FastifyInstance, FastifyRequest } from 'fastify'
import { areaBundle } from '../../farm/bundle-names.ts'
import { geoJsonGeometry } from '../../fields/wkt/geojson.ts'
import { fileFormats } from '../../formats/file-formats.ts'
import { searchFor } from '../../records/finding/find.ts'
import { perPage } from '../../records/finding/paging.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { atPresent } from '../../storage/farm-state.ts'
import { recordsInTurn } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { filtersIn } from '../../wire-1x/filters.ts'
import { AnswerBudget } from '../../wire-1x/spelling.ts'
import { streamBudgetOf } from '../http/answer-budget.ts'
import { callerOf } from '../http/caller.ts'
import {
  answerAs,
  arrayOf,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  idRef,
  ifNoneMatch,
  operation,
  type Paths,
  refusedOften,
  type Schema,
  schemaRef,
  text,
  unchanged,
} from '../http/openapi.ts'
import { deliver, withEtag } from '../http/record-answers.ts'

/** The areas that can be drawn on a map: those with a type and a geometry (spec 2.5). */
export function areasGeojsonRoutes(app: FastifyInstance, installation: Records): void {
  for (const path of ['/farm/areas/geojson', '/farm/areas/geojson/:areaType']) {
    app.get(path, async (request, reply) => {
      const { areaType } = request.params as { readonly areaType?: string }
      const features = await featuresAsked(installation, request, areaType === 'all' ? undefined : areaType)
      const headers = { 'content-type': fileFormats.geojson.mediaType }
      const body = `{"type":"FeatureCollection","features":[${features.join(',')}]}`
      return deliver(reply, withEtag(request, { status: 200, headers, body }))
    })
  }
}

const featureSchema = completeObject({
  type: { const: 'Feature' },
  geometry: { type: 'object', description: 'RFC 7946, never an empty one' },
  properties: completeObject({ id: idRef, name: text, area_type: text }),
})

type AreaFeature = DocumentOf<typeof featureSchema>

const collectionSchema = completeObject({
  type: { const: 'FeatureCollection' },
  features: arrayOf(schemaRef<AreaFeature>('AreaFeature')),
})

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

export const areasGeojsonDescription: DoorDescription = {
  paths: areaMapPaths(),
  schemas: { AreaCollection: collectionSchema, AreaFeature: featureSchema },
}

async function featuresAsked(
  installation: Records,
  request: FastifyRequest,
  areaType: string | undefined,
): Promise<readonly string[]> {
  const caller = await callerOf(request, installation)
  const drawable = [
    { name: 'bundle', brackets: [], value: areaBundle },
    { name: 'geofield', brackets: ['ne'], value: '' },
    areaType === undefined
      ? { name: 'area_type', brackets: ['ne'], value: '' }
      : { name: 'area_type', brackets: [], value: areaType },
  ]
  const onPage = (page: number) =>
    searchFor(installation, caller, {
      type: 'term',
      filters: filtersIn(installation, installation.farm.records.term, drawable),
      sorting: { path: 'id', direction: 'asc' },
      page,
      limit: perPage.most,
    })
  const time = atPresent(installation.clock())
  // All of one moment: an area that comes or goes meanwhile moves no other from one page to the next.
  return installation.database.read(async (snapshot) => {
    const features: string[] = []
    const budget = new AnswerBudget('ask for one kind of area at a time, as with /farm/areas/geojson/field')
    for (let page = 0, count = 1; page * perPage.most < count; page += 1) {
      const found = await onPage(page)(snapshot, time)
      count = found.count
      features.push(...(await featuresOf(snapshot, found.ids, budget)))
    }
    return features
  }, streamBudgetOf(request))
}

async function featuresOf(
  snapshot: Snapshot,
  ids: readonly number[],
  budget: AnswerBudget,
): Promise<readonly string[]> {
  const known = new Map<number, readonly string[]>()
  for await (const area of recordsInTurn(snapshot, 'term', ids)) {
    const features = drawn(area).map((feature) => JSON.stringify(feature))
    for (const feature of features) budget.take(feature.length)
    known.set(area.id, features)
  }
  return ids.flatMap((id) => known.get(id) ?? [])
}

function drawn({ id, values }: StoredRecord): readonly AreaFeature[] {
  // The catalogue says so, and only areas with a name, a type and geometries are looked for.
  const { geofield, name, area_type } = values as Readonly<Record<'name' | 'area_type', string>> & {
    readonly geofield?: readonly string[]
  }
  return (geofield ?? [])
    .map(geoJsonGeometry)
    .filter((geometry) => geometry !== null)
    .map((geometry) => ({ type: 'Feature', geometry, properties: { id: String(id), name, area_type } }))
}
