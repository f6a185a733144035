import type { FastifyInstance, FastifyRequest } from 'fastify'
import { geoJsonGeometry } from '../../fields/wkt/geojson.ts'
import { find } from '../../records/find.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { Stored } from '../../storage/records/stored.ts'
import { callerOf } from '../http/caller.ts'
import { deliver, tagged } from './answer.ts'
import { mostPerPage } from './paging.ts'
import type { RecordHouse } from './record-house.ts'

/** The areas that can be drawn on a map: those with a type and a geometry (spec 2.5). */
export function areasGeojsonRoutes(app: FastifyInstance, house: RecordHouse): void {
  for (const path of ['/farm/areas/geojson', '/farm/areas/geojson/:areaType']) {
    app.get(path, async (request, reply) => {
      const { areaType } = request.params as { readonly areaType?: string }
      const areas = await areasOf(house, request, areaType === 'all' ? undefined : areaType)
      const body = JSON.stringify({ type: 'FeatureCollection', features: areas.flatMap(featuresOf) })
      const headers = { 'content-type': 'application/geo+json' }
      return deliver(reply, tagged(request, { status: 200, headers, body }))
    })
  }
}

async function areasOf(
  house: RecordHouse,
  request: FastifyRequest,
  areaType: string | undefined,
): Promise<readonly Stored[]> {
  const caller = await callerOf(request, house)
  const drawable = [
    { name: 'bundle', brackets: [], value: 'farm_areas' },
    { name: 'geofield', brackets: ['ne'], value: '' },
    areaType === undefined
      ? { name: 'area_type', brackets: ['ne'], value: '' }
      : { name: 'area_type', brackets: [], value: areaType },
  ]
  const areas: Stored[] = []
  for (let page = 0, last = 0; page <= last; page += 1) {
    const leaf = await find(house, caller, {
      query: {
        type: 'taxonomy_term',
        filters: drawable,
        sorting: { sort: 'id', direction: 'asc' },
        page,
        limit: mostPerPage,
      },
      view: async (rows, ids) => [...(await recordsByIds(rows, 'taxonomy_term', ids)).values()],
    })
    last = leaf.last
    areas.push(...leaf.shown)
  }
  return areas.toSorted((one, other) => one.id - other.id)
}

const featuresOf = ({ id, values }: Stored) =>
  // The catalogue makes an area's geofield a list of Well-Known Texts.
  ((values.geofield ?? []) as readonly string[]).map((wkt) => ({
    type: 'Feature',
    geometry: geoJsonGeometry(wkt),
    properties: { id: String(id), name: values.name, area_type: values.area_type },
  }))
