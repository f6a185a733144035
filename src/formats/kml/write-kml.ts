import type { Geometry, LinePositions, PolygonRings, PositionTexts } from '../../fields/wkt/geometry.ts'
import { jsonNumber } from '../../fields/wkt/number-token.ts'
import type { ShownFeature } from '../map/feature.ts'
import { attributeOf, textOf } from '../xml/write-xml.ts'

/** Text before, between and after the placemarks of a document. */
export const aroundKml = (title: string) => ({
  before: `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${textOf(title)}</name>\n`,
  between: '\n',
  behind: '\n</Document></kml>\n',
})

/** A placemark (OGC 07-147r2). The order of its elements is fixed. */
export function kmlOf({ geometry, name, properties, moment }: ShownFeature): string {
  const description = properties.get('description')
  const data = [...properties].filter(([property]) => property !== 'name' && property !== 'description')
  return [
    `<Placemark><name>${textOf(name)}</name>`,
    description === undefined ? '' : `<description>${textOf(String(description))}</description>`,
    moment === undefined ? '' : `<TimeStamp><when>${new Date(moment * 1000).toISOString()}</when></TimeStamp>`,
    `<ExtendedData>${data.map(dataOf).join('')}</ExtendedData>`,
    shapeOf(geometry),
    '</Placemark>',
  ].join('')
}

const dataOf = ([property, value]: readonly [string, string | number]): string =>
  `<Data name=${attributeOf(property)}><value>${textOf(String(value))}</value></Data>`

function shapeOf(geometry: Geometry): string {
  switch (geometry.type) {
    case 'Point':
      return pointOf(geometry.coordinates)
    case 'LineString':
      return lineOf(geometry.coordinates)
    case 'Polygon':
      return areaOf(geometry.coordinates)
    case 'MultiPoint':
      return several(geometry.coordinates.map(pointOf))
    case 'MultiLineString':
      return several(geometry.coordinates.map(lineOf))
    case 'MultiPolygon':
      return several(geometry.coordinates.map(areaOf))
    case 'GeometryCollection':
      return several(geometry.geometries.map(shapeOf))
  }
}

const several = (shapes: readonly string[]): string => `<MultiGeometry>${shapes.join('')}</MultiGeometry>`

const pointOf = (position: PositionTexts): string => `<Point>${coordinatesOf([position])}</Point>`

const lineOf = (line: LinePositions): string => `<LineString>${coordinatesOf(line)}</LineString>`

const areaOf = ([outer = [], ...holes]: PolygonRings): string =>
  `<Polygon>${boundary('outer', outer)}${holes.map((hole) => boundary('inner', hole)).join('')}</Polygon>`

const boundary = (which: 'outer' | 'inner', ring: LinePositions): string =>
  `<${which}BoundaryIs><LinearRing>${coordinatesOf(ring)}</LinearRing></${which}BoundaryIs>`

const coordinatesOf = (line: LinePositions): string =>
  `<coordinates>${line.map((position) => position.map(jsonNumber).join()).join(' ')}</coordinates>`
