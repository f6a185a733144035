import type { PositionTexts } from '../../fields/wkt/geometry.ts'
import { Refusal } from '../../refusal.ts'
import type { ShapeSketch } from './shape.ts'

/** Turns easting and northing into degrees of WGS 84; undefined where a map has degrees already. */
export type Projection = ((east: number, north: number) => readonly [longitude: number, latitude: number]) | undefined

/** Names of WGS 84 in degrees, and of systems that differ from it by less than a metre. */
const degrees = /^(?:urn:ogc:def:crs:OGC:(?:1\.3|2)?:CRS84h?|OGC:CRS84|CRS84|EPSG:(?:4326|4258|4283|7844|4269))$/i

/** The projection of a named coordinate reference system: degrees, UTM of all zones, Web Mercator. */
export function projectionNamed(name: string): Projection {
  const plain = name
    .trim()
    .replace(/^urn:ogc:def:crs:EPSG:[\d.]*:/i, 'EPSG:')
    .replace(/^https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/0\//i, 'EPSG:')
  if (degrees.test(plain)) return undefined
  const code = Number(/^EPSG::?(\d{4,6})$/i.exec(plain)?.[1] ?? 0)
  if (code === 3857 || code === 900913 || code === 3785) return fromWebMercator
  const utm = zoneOfCode(code)
  if (utm !== undefined) return fromUtm(utm)
  throw unknownSystem(name)
}

interface UtmZone {
  readonly zone: number
  readonly isSouth: boolean
}

/** ETRS89 (258xx), WGS 84 (326xx north, 327xx south), GDA94 (283xx), GDA2020 (78xx). */
function zoneOfCode(code: number): UtmZone | undefined {
  const zone = code % 100
  const family = Math.floor(code / 100)
  if (zone < 1 || zone > 60) return undefined
  if (family === 258 || family === 326) return { zone, isSouth: false }
  return family === 327 || family === 283 || family === 78 ? { zone, isSouth: true } : undefined
}

/** The projection that a `.prj` file describes (OGC 01-009, and as Esri writes it). */
export function projectionOfPrj(text: string): Projection {
  if (/^\s*GEOGCS/i.test(text) || /^\s*GEOGCRS/i.test(text)) {
    if (/WGS.?(?:19)?84|ETRS|GRS.?(?:19)?80|GDA|NAD.?(?:19)?83/i.test(text)) return undefined
    throw unknownSystem(nameOfPrj(text))
  }
  if (/Mercator_Auxiliary_Sphere|Pseudo.?Mercator|Popular_Visualisation/i.test(text)) return fromWebMercator
  const number = (parameter: string) =>
    Number(new RegExp(`PARAMETER\\["${parameter}",\\s*([-\\d.eE+]+)`, 'i').exec(text)?.[1] ?? Number.NaN)
  const meridian = number('central_meridian')
  const isUtm =
    /PROJECTION\["Transverse_Mercator"/i.test(text) &&
    number('scale_factor') === 0.9996 &&
    number('false_easting') === 500_000 &&
    (meridian + 183) % 6 === 0 &&
    /WGS.?(?:19)?84|ETRS|GRS.?(?:19)?80|GDA|NAD.?(?:19)?83/i.test(text)
  if (isUtm) return fromUtm({ zone: (meridian + 183) / 6, isSouth: number('false_northing') === 10_000_000 })
  throw unknownSystem(nameOfPrj(text))
}

const nameOfPrj = (text: string): string => /\["([^"]{1,100})"/.exec(text)?.[1] ?? text.slice(0, 100)

const unknownSystem = (name: string): Refusal =>
  new Refusal(
    'invalid-content',
    `The coordinates are in ${JSON.stringify(name.slice(0, 100))}, which is not read here: export the layer as WGS 84 (EPSG:4326).`,
    {
      faults: [
        {
          field: 'crs',
          message: `${name.slice(0, 100)} is not WGS 84, UTM or Web Mercator`,
          allowed: ['EPSG:4326', 'OGC:CRS84'],
        },
      ],
    },
  )

const earthRadius = 6_378_137
const inDegrees = 180 / Math.PI

function fromWebMercator(east: number, north: number): readonly [number, number] {
  return [(east / earthRadius) * inDegrees, (2 * Math.atan(Math.exp(north / earthRadius)) - Math.PI / 2) * inDegrees]
}

/** Krüger's series to the third order (Karney 2011): exact to a millimetre within a zone. */
function fromUtm({ zone, isSouth }: UtmZone): NonNullable<Projection> {
  const n = 1 / 298.257223563 / (2 - 1 / 298.257223563)
  const radius = (earthRadius / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64)
  const beta = [n / 2 - (2 * n ** 2) / 3 + (37 * n ** 3) / 96, n ** 2 / 48 + n ** 3 / 15, (17 * n ** 3) / 480]
  const delta = [2 * n - (2 * n ** 2) / 3 - 2 * n ** 3, (7 * n ** 2) / 3 - (8 * n ** 3) / 5, (56 * n ** 3) / 15]
  const central = zone * 6 - 183
  return (east, north) => {
    // Some offices write the zone before the easting: 32 512345.
    const easting = east > 1_000_000 ? east % 1_000_000 : east
    const xi = (north - (isSouth ? 10_000_000 : 0)) / (0.9996 * radius)
    const eta = (easting - 500_000) / (0.9996 * radius)
    let [xiPlain, etaPlain] = [xi, eta]
    for (const [index, factor] of beta.entries()) {
      const twice = 2 * (index + 1)
      xiPlain -= factor * Math.sin(twice * xi) * Math.cosh(twice * eta)
      etaPlain -= factor * Math.cos(twice * xi) * Math.sinh(twice * eta)
    }
    const chi = Math.asin(Math.sin(xiPlain) / Math.cosh(etaPlain))
    let latitude = chi
    for (const [index, factor] of delta.entries()) latitude += factor * Math.sin(2 * (index + 1) * chi)
    return [central + Math.atan2(Math.sinh(etaPlain), Math.cos(xiPlain)) * inDegrees, latitude * inDegrees]
  }
}

/** A sketch in degrees, to a millimetre. */
export function projected(sketch: ShapeSketch, projection: Projection): ShapeSketch {
  if (projection === undefined) return sketch
  if (sketch.type === 'GeometryCollection')
    return { ...sketch, geometries: sketch.geometries.map((one) => projected(one, projection)) }
  const put = (part: unknown): unknown => {
    if (!Array.isArray(part)) return part
    if (typeof part[0] !== 'string') return part.map(put)
    const [east = '', north = '', ...rest] = part as unknown as PositionTexts
    const place = projection(Number(east), Number(north))
    return [...place.map((degree) => degreesText(degree)), ...rest]
  }
  return { ...sketch, coordinates: put(sketch.coordinates) } as ShapeSketch
}

/** Without an exponent and zeros at the end. */
const degreesText = (degree: number): string => degree.toFixed(8).replace(/\.?0+$/, '')
