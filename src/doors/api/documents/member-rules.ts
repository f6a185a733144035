import { richTextFormat } from '../../../fields/text.ts'
import type { PartValue, RichText, Values } from '../../../fields/value.ts'
import { combineWkt } from '../../../fields/wkt/combination.ts'
import { type NumberedRef, refsOf } from './identifiers.ts'

/** One of a log's two places: the target of its movement, or its own. */
export interface LogPlace {
  readonly areas: readonly number[]
  readonly assets: readonly number[]
  /** As stored; several are shown as one. */
  readonly geometries: readonly string[]
}

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

/** Areas that are only subjects of the log are not its place. */
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

/** The log's own geometry; empty without one. */
export const shapeOfPlace = ({ geometries }: Pick<LogPlace, 'geometries'>): string => combineWkt(geometries)

/** The assets and areas that a log is about. */
export const assetsOfLog = ({ asset, asset_area }: Values): readonly NumberedRef[] => [
  ...refsOf('asset', asset),
  ...refsOf('term', asset_area),
]

/** True if the log changes the groups of its assets. */
export function assignsGroups({ membership }: Values): boolean {
  const { group, leaves } = (membership as PartValue | undefined) ?? { uuid: '' }
  return numbersIn(group).length > 0 || leaves === true
}

/** The groups that the log names, with or without a membership. */
export const groupsOfLog = (values: Values): readonly number[] =>
  numbersIn(assignsGroups(values) ? (values.membership as PartValue).group : values.group)

/** Time of archiving; 0 if not archived. */
export const archivedSince = ({ archived }: Values): number => (typeof archived === 'number' ? archived : 0)

export const assetStatus = (values: Values): 'active' | 'archived' =>
  archivedSince(values) === 0 ? 'active' : 'archived'

/** An empty text is not stored, so "no format" needs a word of its own. */
export const noFormat = 'none'

/** The description of a term is stored as text, and its format beside it if it is not the default. */
export function richTextOf({ description, description_format: format = richTextFormat }: Values): RichText | undefined {
  if (typeof description !== 'string' || description === '') return undefined
  return { value: description, format: format === noFormat ? '' : String(format) }
}

export const numbersIn = (value: unknown): readonly number[] => (value as readonly number[] | undefined) ?? []
