import { normalised } from './geometry.ts'
import { assetReference, termReference } from './references.ts'
import type { View } from './view.ts'

/** As they are stored. */
interface Quantity {
  readonly measure?: string
  readonly value?: string
  readonly unit?: number
  readonly label?: string
}
interface Adjustment {
  readonly asset?: number
  readonly value?: string
}
export interface Movement {
  readonly area?: readonly number[]
  readonly geometry?: string
}
export interface Membership {
  readonly group?: readonly number[]
}
interface Tag {
  readonly id?: string
  readonly location?: string
  readonly type?: string
}

/** In an item of a collection a missing word or number is `false`, a missing reference has no key. */
const orFalse = (value: string | undefined): string | false => value ?? false

export const quantityShown = ({ measure, value, unit, label }: Quantity, view: View): unknown => ({
  measure: orFalse(measure),
  value: orFalse(value),
  ...(unit !== undefined && { unit: termReference(unit, view) }),
  label: orFalse(label),
})

export const adjustmentShown = ({ asset, value }: Adjustment, view: View): unknown => ({
  ...(asset !== undefined && { asset: assetReference(asset, view) }),
  value: orFalse(value),
})

export const tagShown = ({ id, location, type }: Tag): unknown => ({
  id: orFalse(id),
  location: orFalse(location),
  type: orFalse(type),
})

export const movementShown = (movement: Movement | undefined, view: View): unknown => ({
  area: (movement?.area ?? []).map((id) => termReference(id, view)),
  geometry: movement?.geometry === undefined ? null : normalised(movement.geometry),
})

export const membershipShown = (membership: Membership | undefined, view: View): unknown => ({
  group: (membership?.group ?? []).map((id) => assetReference(id, view)),
})
