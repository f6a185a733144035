import type { MapFormatName } from '../file-formats.ts'
import { featuresOfGeojson } from '../geojson/read-geojson.ts'
import { aroundGeojson, geojsonOf } from '../geojson/write-geojson.ts'
import { featuresOfGpx } from '../gpx/read-gpx.ts'
import { featuresOfKml, featuresOfKmz } from '../kml/read-kml.ts'
import { aroundKml, kmlOf } from '../kml/write-kml.ts'
import { featuresOfShapefile } from '../shapefile/read-shapefile.ts'
import type { InputFeature, ShownFeature, WantedProperties } from './feature.ts'

type SomeFeatures = readonly InputFeature[]

interface MapFormat {
  /** The features of a file, some at a time. */
  readonly read: (bytes: Buffer, wanted: WantedProperties) => Iterable<SomeFeatures> | AsyncIterable<SomeFeatures>
  readonly write?: MapWriter
}

interface MapWriter {
  /** Text before, between and after the features. */
  readonly around: (title: string) => { readonly before: string; readonly between: string; readonly behind: string }
  readonly feature: (feature: ShownFeature) => string
}

/** A reader for each format, and a writer for those that lists can have. */
export const mapFormats = {
  geojson: {
    read: (bytes, wanted) => oneByOne(featuresOfGeojson(bytes, wanted)),
    write: { around: () => aroundGeojson, feature: geojsonOf },
  },
  kml: { read: featuresOfKml, write: { around: aroundKml, feature: kmlOf } },
  kmz: { read: featuresOfKmz },
  gpx: { read: featuresOfGpx },
  shapefile: { read: featuresOfShapefile },
} as const satisfies Readonly<Record<MapFormatName, MapFormat>>

function* oneByOne(features: Iterable<InputFeature>): Generator<SomeFeatures> {
  for (const feature of features) yield [feature]
}

/** A format for lists, at an address that ends in its name. */
export type MapOutputFormat = {
  [N in MapFormatName]: (typeof mapFormats)[N] extends { readonly write: MapWriter } ? N : never
}[MapFormatName]

export const mapOutputFormats = (Object.keys(mapFormats) as MapFormatName[]).filter(
  (name): name is MapOutputFormat => 'write' in mapFormats[name],
)
