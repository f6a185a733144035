import type { Farm } from '../farm/farm.ts'
import type { OlderField } from '../farm/fields-of.ts'
import { isMany } from '../fields/field.ts'
import { boundsOf, type GeometryBounds } from '../fields/wkt/bounds.ts'
import type { Geometry } from '../fields/wkt/geometry.ts'
import { positionsIn, shapesOf } from '../fields/wkt/shapes.ts'
import { writeWkt } from '../fields/wkt/writer.ts'
import type { MapFormatName } from '../formats/file-formats.ts'
import { type InputFeature, LeftOut, type PropertyText } from '../formats/map/feature.ts'
import { mapFormats } from '../formats/map/map-formats.ts'
import { crossingFault } from '../formats/map/shape.ts'
import { joinedValues, separateValues } from '../sheets/cells.ts'
import { Pauses } from '../storage/pauses.ts'
import { type MapOptions, valueOfMapText } from './map-options.ts'

export interface SentArea {
  /** The index of the feature in the map. */
  readonly index: number
  readonly properties: ReadonlyMap<string, PropertyText>
  /** Texts by field. */
  readonly said: ReadonlyMap<string, FieldText>
  readonly folders: readonly string[]
  readonly wkt: string | null
  readonly bounds: GeometryBounds | undefined
  /** The reason why its geometry is refused. */
  readonly fault?: string
  /** Where it crosses itself, which matters if it is written. Found out before the write begins. */
  readonly crossing: string | undefined
}

export interface SentMap {
  readonly areas: readonly SentArea[]
  readonly leftOut: LeftOut
}

/** Properties that identify a record. */
export const identityWords: readonly string[] = ['uuid', 'id', 'version']

/** Reads all features of a map. Lets other requests run in between. */
export async function sentMap(
  bytes: Buffer,
  format: MapFormatName,
  { known, sources, tracks, areaType }: Pick<MapOptions, 'known' | 'sources' | 'tracks' | 'areaType'>,
): Promise<SentMap> {
  const leftOut = new LeftOut()
  const names = new Set([...identityWords, ...known, ...[...sources.values()].flat()])
  const wanted = { wants: (property: string) => names.has(property), leftOut, tracks }
  const areas: SentArea[] = []
  const pauses = new Pauses()
  for await (const some of mapFormats[format].read(bytes, wanted)) {
    for (const feature of some) areas.push(withType(areaOf(feature, areas.length, sources), areaType))
    await pauses.ifDue()
  }
  return { areas, leftOut }
}

/** An area that says no type has the one that is given for all. */
function withType(area: SentArea, areaType: string | undefined): SentArea {
  if (areaType === undefined || area.said.has('area_type')) return area
  return { ...area, said: new Map(area.said).set('area_type', { property: 'area_type', text: areaType }) }
}

const areaOf = (
  { geometry, properties, folders, fault }: InputFeature,
  index: number,
  sources: MapOptions['sources'],
): SentArea => ({
  index,
  properties,
  said: fieldTexts(properties, { sources }),
  folders,
  wkt: geometry === null ? null : writeWkt(geometry),
  bounds: geometry === null ? undefined : boundsIn(geometry),
  crossing: geometry === null ? undefined : crossingFault(geometry),
  ...(fault === undefined ? {} : { fault }),
})

export const boundsIn = (geometry: Geometry): GeometryBounds | undefined => boundsOf(positionsIn(shapesOf(geometry)))

/** The text for a field, and the property it came from. */
interface FieldText {
  readonly property: string
  readonly text: PropertyText
}

/** Texts by field; an empty property counts as missing. */
function fieldTexts(
  properties: ReadonlyMap<string, PropertyText>,
  { sources }: Pick<MapOptions, 'sources'>,
): ReadonlyMap<string, FieldText> {
  const texts = new Map<string, FieldText>()
  for (const [field, names] of sources) {
    const property = names.find((name) => hasText(properties.get(name)))
    const text = property === undefined ? undefined : properties.get(property)
    if (property !== undefined && text !== undefined) texts.set(field, { property, text })
  }
  return texts
}

const hasText = (text: PropertyText | undefined): boolean => text !== undefined && plainText(text) !== ''

/** A single text, for map formats without lists. */
export const plainText = (text: PropertyText): string => (typeof text === 'string' ? text : joinedValues(text)).trim()

export const textsIn = (text: PropertyText): readonly string[] =>
  (typeof text === 'string' ? separateValues(text) : text).filter((one) => one.trim() !== '')

/** The same value as JSON. */
export function treeValue({ field }: OlderField, text: PropertyText, farm: Farm): unknown {
  if (!isMany(field)) return valueOfMapText(field, plainText(text), farm)
  return textsIn(text).map((one) => valueOfMapText(field, one, farm))
}
