import type { logProperties } from '../farm/logs/properties.ts'
import type { standardFields } from '../farm/logs/standard-fields.ts'
import type { PartValue, Values } from '../fields/value.ts'
import type { ValuesOf } from '../fields/value-of.ts'

/** A log as the catalogue has it: of a field that is called otherwise there, nothing here compiles. */
type Log = ValuesOf<typeof logProperties & typeof standardFields>

// The values of a log are what the catalogue says: nothing else is ever stored.
const asLog = (values: Values): Log => values as Log

export const isDone = (values: Values): boolean => asLog(values).status === 'done'

export const momentOf = (values: Values): number => Number(asLog(values).timestamp)

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

export const assetsOf = (values: Values): readonly number[] => [...new Set(asLog(values).asset)]

/** What the log says of where its assets go; undefined where it says nothing. */
export function movementOf(values: Values): Movement | undefined {
  const { area: areas = [], geometry = '' } = asLog(values).movement ?? {}
  return areas.length > 0 || geometry !== '' ? { areas, geometry } : undefined
}

/** The groups that the log's assets join, leaving all others; none where it says nothing of groups. */
export const groupsOf = (values: Values): readonly number[] => asLog(values).membership?.group ?? []

/** What was measured, counted or weighed: each is known by a UUID of its own. */
export const quantitiesOf = (values: Values): readonly PartValue[] =>
  (asLog(values).quantity as readonly PartValue[] | undefined) ?? []

export function adjustmentsOf(values: Values): readonly Adjustment[] {
  const adjustments = asLog(values).inventory ?? []
  return adjustments.flatMap(({ asset, value }) =>
    asset === undefined || value === undefined ? [] : [{ asset, value }],
  )
}
