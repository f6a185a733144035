import { richTextFormat } from '../../../fields/text.ts'
import type { PartValue, RichText, Values } from '../../../fields/value.ts'
import { combineWkt } from '../../../fields/wkt/combination.ts'
import { type NumberedRef, refsOf } from './identifiers.ts'

/** Where a log took place, in one of its two pairs: what it moves its assets to, or where it happened without moving any. */
export interface LogPlace {
  readonly areas: readonly number[]
  readonly assets: readonly number[]
  /** As they are kept: several are shown as one. */
  readonly geometries: readonly string[]
}

/** Whether the log moves its assets. */
export function moves(values: Values): boolean {
  const { areas, assets, geometries } = movementPlace(values)
  const isLeaving = (values.movement as PartValue | undefined)?.leaves === true
  return areas.length + assets.length + geometries.length > 0 || isLeaving
}

export function movementPlace({ movement }: Values): LogPlace {
  const { area, place, geometry } = (movement as PartValue | undefined) ?? { uuid: '' }
  return {
    areas: numbersIn(area),
    assets: numbersIn(place),
    geometries: typeof geometry === 'string' && geometry !== '' ? [geometry] : [],
  }
}

/** Of its areas, those that it is only about are not where it took place. */
export function ownPlace({ area, aside, place, geofield }: Values): LogPlace {
  const besides = numbersIn(aside)
  return {
    areas: numbersIn(area).filter((id) => !besides.includes(id)),
    assets: numbersIn(place),
    geometries: (geofield as readonly string[] | undefined) ?? [],
  }
}

export const placeOfLog = (values: Values): LogPlace => (moves(values) ? movementPlace(values) : ownPlace(values))

export const refsOfPlace = ({ areas, assets }: LogPlace): readonly NumberedRef[] => [
  ...refsOf('term', areas),
  ...refsOf('asset', assets),
]

/** What the log itself says of its shape; empty where it says nothing. */
export const shapeOfPlace = ({ geometries }: Pick<LogPlace, 'geometries'>): string => combineWkt(geometries)

/** The assets and areas that a log is about. */
export const assetsOfLog = ({ asset, asset_area }: Values): readonly NumberedRef[] => [
  ...refsOf('asset', asset),
  ...refsOf('term', asset_area),
]

/** Whether the log says which groups its assets belong to. */
export function assignsGroups({ membership }: Values): boolean {
  const { group, leaves } = (membership as PartValue | undefined) ?? { uuid: '' }
  return numbersIn(group).length > 0 || leaves === true
}

/** The groups that the log names, whether its assets join them or not. */
export const groupsOfLog = (values: Values): readonly number[] =>
  numbersIn(assignsGroups(values) ? (values.membership as PartValue).group : values.group)

/** Since when a record is archived; 0 where it is not. */
export const archivedSince = ({ archived }: Values): number => (typeof archived === 'number' ? archived : 0)

export const assetStatus = (values: Values): 'active' | 'archived' =>
  archivedSince(values) === 0 ? 'active' : 'archived'

/** A field that is kept as an empty text is none, so that having no format has a word. */
export const noFormat = 'none'

/** The description of a term, which is kept as a text, and its format where it is not the usual one. */
export function richTextOf({ description, description_format: format = richTextFormat }: Values): RichText | undefined {
  if (typeof description !== 'string' || description === '') return undefined
  return { value: description, format: format === noFormat ? '' : String(format) }
}

/** What a field that refers to several things holds. */
export const numbersIn = (value: unknown): readonly number[] => (value as readonly number[] | undefined) ?? []
