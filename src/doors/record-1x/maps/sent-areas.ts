import { boundsOf, type GeometryBounds } from '../../../fields/wkt/bounds.ts'
import type { Geometry } from '../../../fields/wkt/geometry.ts'
import { positionsIn, shapesOf } from '../../../fields/wkt/shapes.ts'
import { writeWkt } from '../../../fields/wkt/writer.ts'
import { featuresOfGeojson } from '../../../formats/geojson/read-geojson.ts'
import { featuresOfKml } from '../../../formats/kml/read-kml.ts'
import { featuresOfKmz } from '../../../formats/kml/read-kmz.ts'
import { LeftOut, type MapFeature, type PropertyText, type WantedProperties } from '../../../formats/map/feature.ts'
import { Pauses } from '../../../storage/pauses.ts'
import type { MapImport } from './map-import.ts'
import { type Said, saidBy } from './said.ts'

/** The formats that a map can be sent in. */
export type SentFormat = 'geojson' | 'kml' | 'kmz'

/** A feature of a map, as far as it concerns an area. */
export interface SentArea {
  /** Which feature of the map it is. */
  readonly index: number
  readonly properties: ReadonlyMap<string, PropertyText>
  /** What these say of the fields of an area. */
  readonly said: ReadonlyMap<string, Said>
  readonly folders: readonly string[]
  readonly wkt: string | null
  readonly bounds: GeometryBounds | undefined
  /** Why its shape cannot be taken. */
  readonly fault?: string
}

export interface SentMap {
  readonly areas: readonly SentArea[]
  readonly leftOut: LeftOut
}

/** What a record is known by. */
export const identityWords: readonly string[] = ['uuid', 'id', 'version']

/** All features of a map. Others are answered in between. */
export async function sentMap(
  bytes: Buffer,
  format: SentFormat,
  { known, sources }: Pick<MapImport, 'known' | 'sources'>,
): Promise<SentMap> {
  const leftOut = new LeftOut()
  const names = new Set([...identityWords, ...known, ...[...sources.values()].flat()])
  const wanted = { wants: (property: string) => names.has(property), leftOut }
  const areas: SentArea[] = []
  const pauses = new Pauses()
  for await (const some of featuresIn(bytes, format, wanted)) {
    for (const feature of some) areas.push(areaOf(feature, areas.length, sources))
    await pauses.ifDue()
  }
  return { areas, leftOut }
}

const featuresIn = (
  bytes: Buffer,
  format: SentFormat,
  wanted: WantedProperties,
): Iterable<readonly MapFeature[]> | AsyncIterable<readonly MapFeature[]> => {
  if (format === 'kmz') return featuresOfKmz(bytes, wanted)
  return format === 'kml' ? featuresOfKml(bytes, wanted) : oneByOne(featuresOfGeojson(bytes, wanted))
}

function* oneByOne(features: Iterable<MapFeature>): Generator<readonly MapFeature[]> {
  for (const feature of features) yield [feature]
}

const areaOf = (
  { geometry, properties, folders, fault }: MapFeature,
  index: number,
  sources: MapImport['sources'],
): SentArea => ({
  index,
  properties,
  said: saidBy(properties, { sources }),
  folders,
  wkt: geometry === null ? null : writeWkt(geometry),
  bounds: geometry === null ? undefined : boundsIn(geometry),
  ...(fault === undefined ? {} : { fault }),
})

export const boundsIn = (geometry: Geometry): GeometryBounds | undefined => boundsOf(positionsIn(shapesOf(geometry)))
