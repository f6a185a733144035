import type { LinePositions, PolygonRings, PositionTexts } from '../../fields/wkt/geometry.ts'
import {
  type InputFeature,
  mapLimits,
  type PropertyText,
  propertyNamed,
  tooManyPositions,
  type WantedProperties,
} from '../map/feature.ts'
import { BadShape, geometryOf, type ShapeSketch } from '../map/shape.ts'

export interface Element {
  /** Without its namespace prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** An open placemark. */
interface Placemark {
  readonly properties: Map<string, PropertyText>
  sketch?: ShapeSketch | undefined
  /** True if it has a geometry type that areas do not support. */
  isBeyond: boolean
  fault?: string
}

/** An open geometry. */
interface OpenShape {
  readonly rings: LinePositions[]
  readonly members: ShapeSketch[]
  line: LinePositions
}

const containers: readonly string[] = ['kml', 'Document', 'Folder']
const shapes: readonly string[] = ['Point', 'LineString', 'LinearRing', 'Polygon', 'MultiGeometry']
const around: readonly string[] = ['ExtendedData', 'SchemaData', 'outerBoundaryIs', 'innerBoundaryIs']
/** Geometry types that areas do not support. */
const otherShapes: readonly string[] = ['Track', 'MultiTrack', 'Model', 'Tour']

/** Turns KML elements into features; unused elements are counted. */
export class KmlBuilder {
  readonly #wanted: WantedProperties
  readonly #open: Element[] = []
  readonly #folders: string[] = []
  readonly #shapes: OpenShape[] = []
  #made: InputFeature[] = []
  #count = 0
  #placemark: Placemark | undefined
  /** The depth of an element that is skipped with its content. */
  #passedOver: number | undefined
  #text: string | undefined
  isKml = false
  /** The target of each NetworkLink; empty if it has none. */
  readonly links: string[] = []
  /** The address being read. */
  #href: string | undefined

  constructor(wanted: WantedProperties) {
    this.#wanted = wanted
  }

  /** Features made since the last call. */
  take(): readonly InputFeature[] {
    const made = this.#made
    this.#made = []
    return made
  }

  enter(element: Element): void {
    const parent = this.#open.at(-1)?.name ?? ''
    this.#open.push(element)
    const { name } = element
    if (this.#passedOver !== undefined) {
      if (name === 'href' && this.#open[this.#passedOver - 1]?.name === 'NetworkLink') this.#href = ''
      return
    }
    if (name === 'kml') this.isKml = true
    if (name === 'Folder') this.#folders.push('')
    if (this.#placemark === undefined) this.#enterContainer(name)
    else if (shapes.includes(name)) this.#shapes.push({ rings: [], members: [], line: [] })
    else if (this.#isText(name, parent)) this.#text = ''
    else if (!around.includes(name) && name !== 'Data') this.#passOver(name)
  }

  #enterContainer(name: string): void {
    if (name === 'Placemark') this.#placemark = { properties: new Map(), isBeyond: false }
    else if (name === 'name') this.#text = ''
    else if (!containers.includes(name)) this.#passOver(name)
  }

  #isText(name: string, parent: string): boolean {
    if (parent === 'Placemark') return name === 'name' || name === 'description'
    if (parent === 'Data') return name === 'value'
    return (parent === 'SchemaData' && name === 'SimpleData') || (name === 'coordinates' && shapes.includes(parent))
  }

  #passOver(name: string): void {
    this.#passedOver = this.#open.length
    if (name === 'NetworkLink') {
      this.links.push('')
      return
    }
    if (this.#placemark !== undefined && otherShapes.includes(name)) this.#placemark.isBeyond = true
    // The column names of a table are no properties.
    if (name !== 'Schema' && name !== 'displayName') this.#wanted.leftOut.count(name.slice(0, 100))
  }

  add(text: string): void {
    if (this.#href !== undefined) this.#href += text
    else if (this.#text !== undefined && this.#passedOver === undefined) this.#text += text
  }

  leave(): void {
    const element = this.#open.pop()
    if (element === undefined) return
    if (this.#passedOver !== undefined) {
      if (this.#href !== undefined) this.links[this.links.length - 1] = this.#href.trim()
      this.#href = undefined
      if (this.#open.length < this.#passedOver) this.#passedOver = undefined
      return
    }
    const text = this.#text
    const { name } = element
    const parent = this.#open.at(-1)
    if (text !== undefined && this.#ends(name)) {
      this.#text = undefined
      this.#read(text, element, parent)
    } else if (shapes.includes(name)) this.#endShape(name, parent?.name ?? '')
    else if (name === 'Placemark') this.#endPlacemark()
    else if (name === 'Folder') this.#folders.pop()
  }

  #ends(name: string): boolean {
    return ['name', 'description', 'value', 'SimpleData', 'coordinates'].includes(name)
  }

  #read(text: string, { name, attributes }: Element, parent: Element | undefined): void {
    if (this.#placemark === undefined) {
      if (parent?.name === 'Folder') this.#folders[this.#folders.length - 1] = text.trim()
    } else if (name === 'coordinates') this.#readCoordinates(text)
    else if (name === 'value') this.#say(parent?.attributes.name ?? '', text)
    else if (name === 'SimpleData') this.#say(attributes.name ?? '', text)
    else this.#say(name, text)
  }

  /** The name and the description of the placemark win. */
  #say(property: string, text: string): void {
    const properties = this.#placemark?.properties
    if (properties === undefined || text.trim() === '') return
    if (this.#wanted.wants(property) && !properties.has(property)) properties.set(property, text.trim())
    else this.#wanted.leftOut.count(propertyNamed(property))
  }

  #readCoordinates(text: string): void {
    const shape = this.#shapes.at(-1)
    if (shape !== undefined) shape.line = this.#orFault(() => positionsOfKml(text, this.#count)) ?? []
  }

  #endShape(name: string, parent: string): void {
    const shape = this.#shapes.pop()
    const placemark = this.#placemark
    if (shape === undefined || placemark === undefined) return
    const above = this.#shapes.at(-1)
    if (name === 'LinearRing' && parent.endsWith('BoundaryIs')) {
      // The outer ring may come after the holes.
      if (parent === 'outerBoundaryIs') above?.rings.unshift(shape.line)
      else above?.rings.push(shape.line)
      return
    }
    const sketch = sketchOf(name, shape)
    if (sketch === undefined) return
    if (above !== undefined) above.members.push(sketch)
    else if (placemark.sketch === undefined) placemark.sketch = sketch
    else placemark.fault ??= 'has two shapes; put them into one MultiGeometry'
  }

  #endPlacemark(): void {
    const placemark = this.#placemark
    this.#placemark = undefined
    if (placemark === undefined || (placemark.isBeyond && placemark.sketch === undefined)) return
    this.#placemark = placemark
    const { sketch, properties } = placemark
    const geometry = sketch === undefined ? null : (this.#orFault(() => geometryOf(sketch)) ?? null)
    this.#placemark = undefined
    const { fault } = placemark
    const folders = this.#folders.filter((folder) => folder !== '')
    this.#made.push({ geometry, properties, folders, ...(fault === undefined ? {} : { fault }) })
    this.#count++
  }

  #orFault<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof BadShape) || this.#placemark === undefined) throw error
      this.#placemark.fault ??= error.message
      return undefined
    }
  }
}

function sketchOf(name: string, { line, rings, members }: OpenShape): ShapeSketch | undefined {
  if (name === 'MultiGeometry') return gathered(members)
  if (name === 'Polygon')
    return rings.length === 0 ? undefined : { type: 'Polygon', coordinates: rings as PolygonRings }
  const [position] = line
  if (position === undefined) return undefined
  return name === 'Point' ? { type: 'Point', coordinates: position } : { type: 'LineString', coordinates: line }
}

/** Combines several geometries: KML does not say if they are of one type. */
function gathered(members: readonly ShapeSketch[]): ShapeSketch | undefined {
  if (members.length === 0) return undefined
  const points = members.flatMap((member) => (member.type === 'Point' ? [member.coordinates] : []))
  if (points.length === members.length) return { type: 'MultiPoint', coordinates: points }
  const lines = members.flatMap((member) => (member.type === 'LineString' ? [member.coordinates] : []))
  if (lines.length === members.length) return { type: 'MultiLineString', coordinates: lines }
  const areas = members.flatMap((member) => (member.type === 'Polygon' ? [member.coordinates] : []))
  if (areas.length === members.length) return { type: 'MultiPolygon', coordinates: areas }
  return { type: 'GeometryCollection', geometries: members }
}

/** Each character can match in one place only, so that a megabyte of white space takes linear time. */
const numbersAndCommas = /,|[^\s,]+/g

/** `lon,lat,altitude` separated by white space; some programs also write a space beside a comma. */
function positionsOfKml(text: string, feature: number): LinePositions {
  const positions: PositionTexts[] = []
  let position: string[] = []
  let isAfterComma = false
  const put = (number: string): void => {
    if (position.push(number) > 3)
      throw new BadShape(
        `"${position.join().slice(0, 60)}" has more than a longitude, a latitude and an altitude: put white space between positions`,
      )
  }
  for (const [token] of text.matchAll(numbersAndCommas)) {
    if (token === ',') {
      if (isAfterComma || position.length === 0) put('')
      isAfterComma = true
      continue
    }
    if (!isAfterComma && position.length > 0) {
      positions.push(position)
      position = []
    }
    if (positions.length >= mapLimits.positions) throw tooManyPositions(feature)
    put(token)
    isAfterComma = false
  }
  if (isAfterComma) put('')
  return position.length === 0 ? positions : [...positions, position]
}
