import type { Asset, Farm, Log } from '../data/farm.ts'
import type { Movement } from './collections.ts'
import type { View } from './view.ts'

const movementOf = ({ values }: Log): Movement | undefined => values.movement as Movement | undefined
const hasAreas = (log: Log): boolean => (movementOf(log)?.area ?? []).length > 0
const hasMoved = (log: Log): boolean => hasAreas(log) || movementOf(log)?.geometry !== undefined
const assetsOf = ({ values }: Log): readonly number[] => (values.asset as number[] | undefined) ?? []

const isLater = (log: Log, than: Log | undefined): boolean =>
  than === undefined || log.timestamp > than.timestamp || (log.timestamp === than.timestamp && log.id > than.id)

/** For each asset the latest of such logs that is done and not of the future. */
function latestOf(farm: Farm, now: number, such: (log: Log) => boolean): ReadonlyMap<number, Log> {
  const latest = new Map<number, Log>()
  for (const log of farm.logs)
    if (log.done && log.timestamp <= now && such(log))
      for (const asset of assetsOf(log)) if (isLater(log, latest.get(asset))) latest.set(asset, log)
  return latest
}

interface Places {
  readonly areasOf: (asset: Asset) => readonly number[]
  readonly geometryOf: (asset: Asset) => string
  /** A later movement without areas takes the asset out of the area, though it still says that it is there. */
  readonly assetsIn: (area: number) => readonly number[]
}

export function placesOf({ farm, now }: View): Places {
  const there = latestOf(farm, now, hasAreas)
  const lastMoved = latestOf(farm, now, hasMoved)
  const isThere = new Set(farm.terms.map(({ id }) => id))
  const movement = (asset: Asset): Movement | undefined => {
    const log = there.get(asset.id)
    return log && movementOf(log)
  }
  return {
    areasOf: (asset) => (movement(asset)?.area ?? []).filter((id) => isThere.has(id)),
    geometryOf: (asset) => movement(asset)?.geometry ?? '',
    assetsIn: (area) =>
      farm.assets
        .filter(({ id, archived }) => {
          const log = lastMoved.get(id)
          return archived === 0 && log !== undefined && (movementOf(log)?.area ?? []).includes(area)
        })
        .map(({ id }) => id),
  }
}
