import type { Values } from '../../fields/value.ts'
import type { StayKind } from '../../storage/history/stay-rows.ts'
import { adjustmentsOf, assetsOf, groupsOf, movementOf } from '../log-parts.ts'

/** What a log may say of an asset. */
export type Topic = StayKind | 'inventory'

interface Speaking {
  /** The fields by which logs name the assets that they may say it of. */
  readonly fields: readonly string[]
  /** Whether the log says it of the asset. */
  readonly speaks: (log: Values, asset: number) => boolean
}

export const topics: Readonly<Record<Topic, Speaking>> = {
  movement: {
    fields: ['asset'],
    speaks: (log, asset) => assetsOf(log).includes(asset) && movementOf(log) !== undefined,
  },
  membership: {
    fields: ['asset'],
    speaks: (log, asset) => assetsOf(log).includes(asset) && groupsOf(log).length > 0,
  },
  inventory: {
    fields: ['inventory.asset', 'asset'],
    speaks: (log, asset) => adjustmentsOf(log).some((adjustment) => adjustment.asset === asset),
  },
}
