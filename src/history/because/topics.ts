import type { Values } from '../../fields/value.ts'
import type { StayKind } from '../../storage/history/stay-rows.ts'
import { adjustmentsOf, assetsOf, membershipOf, movementOf, plainCount } from '../log-parts.ts'

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
    speaks: (log, asset) => assetsOf(log).includes(asset) && membershipOf(log) !== undefined,
  },
  inventory: {
    fields: ['inventory.asset', 'quantity.inventory_asset', 'asset'],
    speaks: (log, asset) =>
      adjustmentsOf(log).some(
        ({ thing, measure, unit }) =>
          thing.type === 'asset' && thing.id === asset && measure === plainCount.measure && unit === plainCount.unit,
      ),
  },
}
