import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Geometry } from '../../src/fields/wkt/geometry.ts'
import { parseWkt } from '../../src/fields/wkt/parser.ts'
import { writeWkt } from '../../src/fields/wkt/writer.ts'
import { featuresOfGeojson } from '../../src/formats/geojson/read-geojson.ts'
import { geojsonOf } from '../../src/formats/geojson/write-geojson.ts'
import { featuresOfKml, featuresOfKmz } from '../../src/formats/kml/read-kml.ts'
import { kmlOf } from '../../src/formats/kml/write-kml.ts'
import { type InputFeature, LeftOut } from '../../src/formats/map/feature.ts'
import { shapeKey } from '../../src/formats/map/shape.ts'
import { Refusal } from '../../src/refusal.ts'
import { leastProcessorTime } from '../harness/processor-time.ts'
import { rounds } from '../harness/rounds.ts'
import { zipped } from '../harness/zipped.ts'

const wanted = () => ({ wants: () => true, leftOut: new LeftOut() })
const geojsonFeatures = (bytes: Buffer): readonly InputFeature[] => [...featuresOfGeojson(bytes, wanted())]
const kmlFeatures = (bytes: Buffer): readonly InputFeature[] => [...featuresOfKml(bytes, wanted())].flat()

const digits = fc.stringMatching(/^-?(0|[1-8]\d?)(\.\d{1,25})?$/)
const position = fc.tuple(digits, digits)
const line = fc.array(position, { minLength: 2, maxLength: 6 })
const ring = fc
  .array(position, { minLength: 3, maxLength: 6 })
  .map((positions) => [...positions, positions[0] ?? (['0', '0'] as [string, string])])
const area = fc.array(ring, { minLength: 1, maxLength: 3 })
const coordinates = {
  Point: position,
  LineString: line,
  Polygon: area,
  MultiPoint: fc.array(position, { minLength: 1, maxLength: 4 }),
  MultiLineString: fc.array(line, { minLength: 1, maxLength: 3 }),
  MultiPolygon: fc.array(area, { minLength: 1, maxLength: 3 }),
}
const simple = fc
  .constantFrom(...(Object.keys(coordinates) as (keyof typeof coordinates)[]))
  .chain((type) =>
    (coordinates[type] as fc.Arbitrary<unknown>).map(
      (made) => ({ type, dimension: 'XY', coordinates: made }) as Geometry,
    ),
  )
const geometry = fc.oneof(
  simple,
  fc
    .array(simple, { minLength: 1, maxLength: 3 })
    .map((geometries): Geometry => ({ type: 'GeometryCollection', dimension: 'XY', geometries })),
)
const numRuns = rounds({ short: 60, long: 5_000 })

describe('a map that is written', () => {
  test('as GeoJSON is read with every digit', () => {
    fc.assert(
      fc.property(geometry, (shape) => {
        const text = geojsonOf({ geometry: shape, properties: new Map([['name', 'A']]) })
        const [read] = geojsonFeatures(Buffer.from(text))
        expect(read?.fault).toBeUndefined()
        expect(shapeKey(read?.geometry as Geometry)).toBe(shapeKey(shape))
        expect(parseWkt(writeWkt(shape))).toEqual(shape)
      }),
      { numRuns },
    )
  })

  test('as KML is read as the same shapes, with every digit', () => {
    fc.assert(
      fc.property(geometry, fc.string({ unit: 'grapheme' }), (shape, name) => {
        const text = `<kml>${kmlOf({ geometry: shape, name, properties: new Map([['note', name]]) })}</kml>`
        const [read] = kmlFeatures(Buffer.from(text))
        expect(read?.fault).toBeUndefined()
        expect(shapeKey(read?.geometry as Geometry)).toBe(shapeKey(shape))
      }),
      { numRuns },
    )
  })
})

describe('the coordinates of KML', () => {
  const at = (coordinates: string) =>
    kmlFeatures(
      Buffer.from(
        `<kml><Placemark><LineString><coordinates>${coordinates}</coordinates></LineString></Placemark></kml>`,
      ),
    )[0]

  test.each([
    ['7,51 8,52', 'LINESTRING (7 51, 8 52)'],
    ['\n7 , 51\t, 0\n8,52 ,0 ', 'LINESTRING (7 51, 8 52)'],
    ['7,51,1.50 8,52', 'LINESTRING Z (7 51 1.50, 8 52 0)'],
  ])('reads the coordinates %j', (coordinates, wkt) =>
    expect(writeWkt(at(coordinates)?.geometry as Geometry)).toBe(wkt),
  )

  test.each(['7,51, 8,52', '7,51,0,8,52,0', '7,,51 8,52', '7 51 8 52', ',7,51 8,52', '7,51 8,52,', '7,51 x,52'])(
    '%j is a fault',
    (coordinates) => expect(at(coordinates)?.fault).toBeDefined(),
  )

  test('megabytes of white space and commas take little work', async () => {
    const work = () => {
      at(`7,51 ${' '.repeat(4_000_000)}8 ${'\n'.repeat(4_000_000)}`)
      at(','.repeat(4_000_000))
    }
    expect(await leastProcessorTime(work, { enough: 20_000 })).toBeLessThan(20_000)
  })
})

describe('whatever comes is read or refused, and never breaks anything', () => {
  const readOrRefused = async (read: () => unknown): Promise<void> => {
    try {
      await read()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      expect(error.status).toBeGreaterThanOrEqual(400)
      expect(error.status).toBeLessThan(500)
    }
  }
  const shape = parseWkt('MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0)))')
  const properties = new Map([['name', 'Field']])
  const maps = {
    geojson: Buffer.from(
      `{"type":"FeatureCollection","crs":null,"features":[${geojsonOf({ geometry: shape, properties })}]}`,
    ),
    kml: Buffer.from(
      `<?xml version="1.0"?><kml><Folder><name>F</name>${kmlOf({ geometry: shape, name: 'A', properties })}</Folder></kml>`,
    ),
  }
  const linking = Buffer.from(
    '<kml><NetworkLink><Link><href>a.kml</href></Link></NetworkLink><NetworkLink><Url><href>doc.kml</href></Url></NetworkLink></kml>',
  )
  const archive = zipped([
    { name: 'doc.kml', bytes: linking },
    { name: 'a.kml', bytes: maps.kml },
  ])
  const readers = {
    geojson: (bytes: Buffer) => geojsonFeatures(bytes),
    kml: (bytes: Buffer) => kmlFeatures(bytes),
    kmz: async (bytes: Buffer) => {
      for await (const _ of featuresOfKmz(bytes, wanted()));
    },
  }
  const pieces = fc.constantFrom(
    ...'{}[]",:-0123456789eE.tfn<>/&; PK',
    '<Placemark>',
    '</Placemark>',
    '"coordinates":',
    '<Point>',
    '<coordinates>',
    'null',
  )
  const spoiled = (whole: Buffer) =>
    fc
      .tuple(
        fc.nat(whole.length),
        fc.nat(12),
        fc.oneof(
          fc.uint8Array({ maxLength: 8 }),
          pieces.map((text) => Buffer.from(text)),
        ),
      )
      .map(([at, gone, put]) => Buffer.concat([whole.subarray(0, at), put, whole.subarray(at + gone)]))

  test.each([
    ['GeoJSON', maps.geojson, readers.geojson],
    ['KML', maps.kml, readers.kml],
    ['KMZ', archive, readers.kmz],
  ])('%s with something wrong in it', async (_name, whole, read) => {
    await fc.assert(
      fc.asyncProperty(spoiled(whole), (bytes) => readOrRefused(() => read(bytes))),
      { numRuns: numRuns * 5 },
    )
  })

  test.each([
    ['GeoJSON', readers.geojson],
    ['KML', readers.kml],
    ['KMZ', readers.kmz],
  ])('anything at all in place of %s', async (_name, read) => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.array(pieces, { maxLength: 60 }).map((texts) => Buffer.from(texts.join(''))),
      fc.json().map((text) => Buffer.from(text)),
    )
    await fc.assert(
      fc.asyncProperty(anything, (bytes) => readOrRefused(() => read(bytes))),
      { numRuns: numRuns * 5 },
    )
  })
})
