import { isUtf8 } from 'node:buffer'
import { SaxesParser } from 'saxes'
import type { LinePositions, PositionTexts } from '../../fields/wkt/geometry.ts'
import { Refusal } from '../../refusal.ts'
import {
  type InputFeature,
  mapLimits,
  tooDeep,
  tooManyFeatures,
  tooManyPositions,
  type WantedProperties,
} from '../map/feature.ts'
import { BadShape, geometryOf, type ShapeSketch } from '../map/shape.ts'

/** The waypoints, routes and tracks of GPX 1.0 and 1.1. A track whose ends meet is an area. */
export function* featuresOfGpx(bytes: Buffer, wanted: WantedProperties): Generator<readonly InputFeature[]> {
  if (!isUtf8(bytes)) throw unreadable('is not UTF-8: save it as UTF-8')
  const found = parsed(bytes.toString('utf8').replace(/^\ufeff/, ''), wanted)
  if (found.length > mapLimits.features) throw tooManyFeatures()
  const open = found.filter(({ lines }) => lines.some((line) => line.length > 2 && !isClosed(line)))
  const [first] = open
  if (first !== undefined && wanted.tracks === undefined) throw openTracks(first.name, open.length)
  for (const one of found) yield [featureOf(one, wanted)]
}

interface GpxShape {
  readonly kind: 'wpt' | 'rte' | 'trk'
  name: string
  description: string
  /** Segments of a track; a route has one, a waypoint one position. */
  readonly lines: PositionTexts[][]
}

function parsed(text: string, { leftOut }: WantedProperties): readonly GpxShape[] {
  const parser = new SaxesParser({ xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true })
  const shapes: GpxShape[] = []
  const path: string[] = []
  let [positions, words, isGpx] = [0, '', false]
  parser.on('error', (error) => {
    throw unreadable(`is broken at ${error.message}`)
  })
  parser.on('doctype', () => {
    throw unreadable('has a DOCTYPE, which is not accepted')
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = name.slice(name.indexOf(':') + 1)
    if (path.push(element) > mapLimits.depth) throw tooDeep()
    words = ''
    if (element === 'gpx') isGpx = true
    if (element === 'wpt' || element === 'rte' || element === 'trk')
      shapes.push({ kind: element, name: '', description: '', lines: element === 'trk' ? [] : [[]] })
    const shape = shapes.at(-1)
    if (element === 'trkseg') shape?.lines.push([])
    if (!/^(?:wpt|rtept|trkpt)$/.test(element)) return
    if (++positions > mapLimits.positions) throw tooManyPositions(shapes.length - 1)
    shape?.lines.at(-1)?.push([String(attributes.lon ?? ''), String(attributes.lat ?? '')])
  })
  parser.on('text', (piece) => {
    if (words.length < 10_000) words += piece
  })
  parser.on('cdata', (piece) => {
    if (words.length < 10_000) words += piece
  })
  parser.on('closetag', () => {
    const element = path.pop()
    const shape = shapes.at(-1)
    const parent = path.at(-1)
    if (shape === undefined || parent !== shape.kind) return
    if (element === 'name') shape.name = words.trim()
    else if (element === 'desc' || element === 'cmt') shape.description = words.trim()
    else if (element === 'extensions') leftOut.count('extensions')
  })
  parser.write(text).close()
  if (!isGpx) throw unreadable('has no element <gpx>')
  return shapes
}

function featureOf({ kind, name, description, lines }: GpxShape, { tracks }: WantedProperties): InputFeature {
  const properties = new Map<string, string>()
  if (name !== '') properties.set('name', name)
  if (description !== '') properties.set('description', description)
  if (kind === 'wpt') properties.set('area_type', 'landmark')
  const plain = { properties, folders: [], geometry: null }
  try {
    const sketches = lines.filter((line) => line.length > 0).map((line) => sketchOf(kind, line, tracks))
    const [first, second] = sketches
    if (first === undefined) return plain
    return { ...plain, geometry: geometryOf(second === undefined ? first : collected(sketches)) }
  } catch (error) {
    if (error instanceof BadShape) return { ...plain, fault: error.message }
    throw error
  }
}

function sketchOf(kind: GpxShape['kind'], line: LinePositions, tracks: WantedProperties['tracks']): ShapeSketch {
  if (kind === 'wpt') return { type: 'Point', coordinates: line[0] ?? [] }
  if (line.length > 2 && (isClosed(line) || tracks === 'area')) {
    const [first, last] = [line[0] ?? [], line.at(-1) ?? []]
    const isSame = Number(first[0]) === Number(last[0]) && Number(first[1]) === Number(last[1])
    return { type: 'Polygon', coordinates: [isSame ? line : [...line, first]] }
  }
  return { type: 'LineString', coordinates: line }
}

function collected(sketches: readonly ShapeSketch[]): ShapeSketch {
  const rings = sketches.flatMap((one) => (one.type === 'Polygon' ? [one.coordinates] : []))
  const lines = sketches.flatMap((one) => (one.type === 'LineString' ? [one.coordinates] : []))
  if (rings.length === sketches.length) return { type: 'MultiPolygon', coordinates: rings }
  if (lines.length === sketches.length) return { type: 'MultiLineString', coordinates: lines }
  return { type: 'GeometryCollection', geometries: sketches }
}

/** The ends are within 30 m, or within 5 % of the length. */
function isClosed(line: LinePositions): boolean {
  const between = (one: PositionTexts | undefined, other: PositionTexts | undefined): number => {
    const [lon, lat] = [Number(one?.[0]) - Number(other?.[0]), Number(one?.[1]) - Number(other?.[1])]
    return Math.hypot(lon * Math.cos((Number(one?.[1]) * Math.PI) / 180), lat) * 111_320
  }
  const gap = between(line[0], line.at(-1))
  const length = line.reduce((sum, position, index) => (index === 0 ? 0 : sum + between(line[index - 1], position)), 0)
  return gap <= 30 || gap <= length * 0.05
}

const openTracks = (name: string, count: number): Refusal => {
  const which =
    count === 1 ? `The track ${JSON.stringify(name)} does` : `${count} tracks, such as ${JSON.stringify(name)}, do`
  const message = `${which} not end where it began: it may be an area or a line; say tracks=area or tracks=line`
  return new Refusal('invalid-content', `${message}.`, {
    faults: [{ field: 'tracks', message, allowed: ['tracks=area', 'tracks=line'] }],
  })
}

const unreadable = (what: string): Refusal => new Refusal('unreadable-body', `The GPX ${what}.`)
