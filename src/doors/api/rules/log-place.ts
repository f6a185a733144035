import type { PartValue, Values } from '../../../fields/value.ts'
import { combineWkt } from '../../../fields/wkt/combination.ts'
import { type NumberedThing, thingsOf } from '../wire/thing.ts'
import { numbersIn } from './numbers-in.ts'

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

export const thingsOfPlace = ({ areas, assets }: LogPlace): readonly NumberedThing[] => [
  ...thingsOf('term', areas),
  ...thingsOf('asset', assets),
]

/** What the log itself says of its shape; empty where it says nothing. */
export const shapeOfPlace = ({ geometries }: Pick<LogPlace, 'geometries'>): string => combineWkt(geometries)

/** The assets and areas that a log is about. */
export const assetsOfLog = ({ asset, asset_area }: Values): readonly NumberedThing[] => [
  ...thingsOf('asset', asset),
  ...thingsOf('term', asset_area),
]
