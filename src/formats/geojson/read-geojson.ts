import { isUtf8 } from 'node:buffer'
import type { LinePositions, PolygonRings, PositionTexts } from '../../fields/wkt/geometry.ts'
import { Refusal } from '../../refusal.ts'
import {
  type InputFeature,
  mapLimits,
  type PropertyText,
  propertyNamed,
  tooManyFeatures,
  tooManyPositions,
  type WantedProperties,
} from '../map/feature.ts'
import { type Projection, projected, projectionNamed } from '../map/projection.ts'
import { BadShape, geometryOf, type ShapeSketch } from '../map/shape.ts'
import { JsonScanner } from './json-scanner.ts'

/** The features of GeoJSON (RFC 7946): a collection, one feature, or a bare geometry. */
export function* featuresOfGeojson(bytes: Buffer, wanted: WantedProperties): Generator<InputFeature> {
  if (!isUtf8(bytes)) throw new Refusal('unreadable-body', 'The GeoJSON is not UTF-8: save it as UTF-8.')
  yield* new GeojsonReader(bytes, wanted).document()
}

interface Coordinates {
  readonly depth: number
  readonly tree: unknown
}

interface Members {
  type?: string
  sketch?: Partial<Record<'coordinates', Coordinates>> & { geometries?: readonly (ShapeSketch | null)[] }
  feature?: { sketch?: ShapeSketch | null; properties?: ReadonlyMap<string, PropertyText>; id?: string }
}

class GeojsonReader {
  readonly #json: JsonScanner
  readonly #wanted: WantedProperties
  #features = 0
  #positions = 0
  #projection: Projection

  constructor(bytes: Buffer, wanted: WantedProperties) {
    this.#json = new JsonScanner(bytes)
    this.#wanted = wanted
  }

  *document(): Generator<InputFeature> {
    const json = this.#json
    const members: Members = {}
    let isCollection = false
    for (let more = json.enters('{'); more; more = json.goesOn()) {
      const key = json.key()
      if (key === 'crs') this.#project(this.#crs())
      else if (key === 'features') {
        isCollection = true
        yield* this.#list()
      } else this.#member(members, key)
    }
    json.requireEnd()
    const { type = '' } = members
    if (isCollection !== (type === 'FeatureCollection')) throw notGeojson(type)
    if (isCollection) return
    if (type === 'Feature') yield this.#feature(members)
    else yield this.#feature({ type: 'Feature', feature: { sketch: this.#sketch(members) } })
  }

  *#list(): Generator<InputFeature> {
    const json = this.#json
    for (let more = json.enters('['); more; more = json.goesOn()) {
      this.#positions = 0
      const members: Members = {}
      for (let inside = json.enters('{'); inside; inside = json.goesOn()) this.#member(members, json.key())
      if (members.type !== 'Feature')
        throw json.fault(`features[${this.#features}] is of the type "${members.type ?? ''}", and not a Feature`)
      yield this.#feature(members)
    }
  }

  #feature({ feature = {} }: Members): InputFeature {
    if (this.#features++ >= mapLimits.features) throw tooManyFeatures()
    const { sketch = null, id } = feature
    const properties = new Map(feature.properties)
    if (id !== undefined && !properties.has('uuid') && /^[\da-f-]{36}$/i.test(id)) properties.set('uuid', id)
    const plain = { properties, folders: [], geometry: null }
    try {
      return { ...plain, geometry: sketch === null ? null : geometryOf(projected(sketch, this.#projection)) }
    } catch (error) {
      if (error instanceof BadShape) return { ...plain, fault: error.message }
      throw error
    }
  }

  #member(members: Members, key: string): void {
    const json = this.#json
    if (key === 'type') members.type = json.peek() === '"' ? json.text() : this.#skipped('')
    else if (key === 'coordinates') members.sketch = { ...members.sketch, coordinates: this.#coordinates() }
    else if (key === 'geometries') members.sketch = { ...members.sketch, geometries: this.#geometries() }
    else if (key === 'geometry') members.feature = { ...members.feature, sketch: this.#geometry() }
    else if (key === 'properties') members.feature = { ...members.feature, properties: this.#properties() }
    else if (key === 'id' && json.peek() === '"') members.feature = { ...members.feature, id: json.text() }
    else if (key === 'id' || key === 'bbox') json.skip()
    else {
      json.skip()
      this.#wanted.leftOut.count(`member ${key.slice(0, 100)}`)
    }
  }

  #skipped<T>(value: T): T {
    this.#json.skip()
    return value
  }

  #properties(): ReadonlyMap<string, PropertyText> {
    const json = this.#json
    const properties = new Map<string, PropertyText>()
    if (json.peek() !== '{') return this.#skipped(properties)
    for (let more = json.enters('{'); more; more = json.goesOn()) {
      const key = json.key()
      const isOfUse = this.#wanted.wants(key) && json.peek() !== '{'
      if (isOfUse && properties.has(key)) throw json.fault(`the property "${key.slice(0, 100)}" is given twice`)
      if (isOfUse) properties.set(key, this.#property())
      else {
        this.#wanted.leftOut.count(propertyNamed(key))
        json.skip()
      }
    }
    return properties
  }

  #property(): PropertyText {
    const json = this.#json
    if (json.peek() !== '[') return json.scalar()
    const list: string[] = []
    for (let more = json.enters('['); more; more = json.goesOn()) list.push(json.scalar())
    return list
  }

  #geometry(): ShapeSketch | null {
    const json = this.#json
    if (json.peek() === 'n') {
      json.scalar()
      return null
    }
    const members: Members = {}
    for (let more = json.enters('{'); more; more = json.goesOn()) this.#member(members, json.key())
    return this.#sketch(members)
  }

  #geometries(): readonly (ShapeSketch | null)[] {
    const json = this.#json
    const list: (ShapeSketch | null)[] = []
    for (let more = json.enters('['); more; more = json.goesOn()) list.push(this.#geometry())
    return list
  }

  #sketch({ type = '', sketch = {} }: Members): ShapeSketch | null {
    if (type === 'GeometryCollection') {
      const geometries = (sketch.geometries ?? []).filter((one) => one !== null)
      return geometries.length === 0 ? null : { type, geometries }
    }
    const depth = depthOf.get(type)
    if (depth === undefined) throw notGeojson(type)
    const { coordinates } = sketch
    if (coordinates === undefined || isEmpty(coordinates.tree)) return null
    if (coordinates.depth !== depth)
      throw this.#json.fault(`the coordinates of features[${this.#features}] are not those of a ${type}`)
    return { type, coordinates: coordinates.tree } as ShapeSketch
  }

  /** Nested lists of positions, all of the same depth. */
  #coordinates(): Coordinates {
    const json = this.#json
    const list: unknown[] = []
    let depth: number | undefined
    for (let more = json.enters('['); more; more = json.goesOn()) {
      const inner = json.peek() === '[' ? this.#coordinates() : { depth: 0, tree: json.number() }
      if (depth !== undefined && inner.depth !== depth && !isEmpty(inner.tree))
        throw json.fault('positions and lists of them are mixed')
      depth = Math.max(depth ?? 0, inner.depth)
      list.push(inner.tree)
    }
    if (depth === 0 && ++this.#positions > mapLimits.positions) throw tooManyPositions(this.#features)
    return { depth: (depth ?? 0) + 1, tree: list as PositionTexts | LinePositions | PolygonRings }
  }

  #project(crs: string | null): void {
    this.#projection = crs === null ? undefined : projectionNamed(crs)
    if (this.#projection !== undefined && this.#features > 0)
      throw this.#json.fault('"crs" stands behind the features that it is about; put it before them')
  }

  /** The name of the coordinate reference system (GeoJSON 2008); null without one. */
  #crs(): string | null {
    const json = this.#json
    if (json.peek() !== '{') return json.scalar() || null
    let name = 'unknown'
    for (let more = json.enters('{'); more; more = json.goesOn()) {
      if (json.key() !== 'properties' || json.peek() !== '{') json.skip()
      else
        for (let inside = json.enters('{'); inside; inside = json.goesOn()) {
          if (json.key() === 'name' && json.peek() === '"') name = json.text()
          else json.skip()
        }
    }
    return name
  }
}

const isEmpty = (tree: unknown): boolean => Array.isArray(tree) && tree.length === 0

const depthOf = new Map([
  ['Point', 1],
  ['LineString', 2],
  ['MultiPoint', 2],
  ['Polygon', 3],
  ['MultiLineString', 3],
  ['MultiPolygon', 4],
])

function notGeojson(type: string): Refusal {
  const found = type === '' ? 'It has no type' : `"${type.slice(0, 100)}" is none of its types`
  const advice = type === 'Topology' ? ' TopoJSON is another format: export GeoJSON.' : ''
  return new Refusal(
    'unreadable-body',
    `This is not GeoJSON: ${found}, such as FeatureCollection, Feature or Polygon.${advice}`,
  )
}
