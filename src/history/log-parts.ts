import type { PartValue, Values } from '../fields/value.ts'

/** The parts of a log that say something about its assets, as the rules read them. */
export interface Movement {
  readonly areas: readonly number[]
  /** Empty where the movement gives none. */
  readonly geometry: string
}

export interface Adjustment {
  readonly asset: number
  readonly value: string
}

const ids = (value: unknown): readonly number[] => (Array.isArray(value) ? value : [])

// The catalogue makes movement and membership one part each and inventory a list of parts.
const part = (log: Values, name: string): PartValue | undefined => log[name] as PartValue | undefined

export const assetsOf = (log: Values): readonly number[] => [...new Set(ids(log.asset))]

/** What the log says of where its assets go; undefined where it says nothing. */
export function movementOf(log: Values): Movement | undefined {
  const movement = part(log, 'movement')
  const areas = ids(movement?.area)
  const geometry = typeof movement?.geometry === 'string' ? movement.geometry : ''
  return areas.length > 0 || geometry !== '' ? { areas, geometry } : undefined
}

/** The groups that the log's assets join, leaving all others; none where it says nothing of groups. */
export const groupsOf = (log: Values): readonly number[] => ids(part(log, 'membership')?.group)

export function adjustmentsOf(log: Values): readonly Adjustment[] {
  const adjustments = (log.inventory ?? []) as readonly PartValue[]
  return adjustments.flatMap(({ asset, value }) =>
    typeof asset === 'number' && typeof value === 'string' ? [{ asset, value }] : [],
  )
}
