import type { Snapshot } from '../database.ts'
import type { LogPeriod } from '../records/logs-between.ts'
import { toTarget } from '../records/path.ts'
import { ask, type Fragment, fragment, inSlices, listed, paced } from '../sql/fragment.ts'

/** A field of logs by which they name assets: `asset`, `inventory.asset`. */
interface NamingQuery {
  readonly field: string
  readonly assets: readonly number[]
  /** Maximum number of logs per asset. */
  readonly most: number
}

/** The logs that were entered last among those that name each of these assets there, by asset. */
export async function lastLogsNaming(
  snapshot: Snapshot,
  { field, assets, most }: NamingQuery,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const path = toTarget('log', { field, target: 'asset' })
  const found = await inSlices(assets, (slice) =>
    ask<{ asset: number; log: number }>(
      snapshot,
      // Down to the last so many in the index of each: an asset may be named by any number of logs.
      fragment`select asset.id as asset, reference.source_id as log from asset
        join reference on reference.path = ${path} and reference.target_id = asset.id
          and reference.source_id >= coalesce((select nth.source_id from reference as nth where nth.path = ${path}
            and nth.target_id = asset.id order by nth.source_id desc limit 1 offset ${most - 1}), 0)
        where asset.id in (${listed(slice)})`,
    ),
  )
  return grouped(found)
}

function grouped(rows: readonly { readonly asset: number; readonly log: number }[]): Map<number, number[]> {
  const byAsset = new Map<number, number[]>()
  for (const { asset, log } of rows) {
    const logs = byAsset.get(asset)
    if (logs === undefined) byAsset.set(asset, [log])
    else logs.push(log)
  }
  return byAsset
}

interface LogOfAsset {
  readonly target: number
  readonly log: number
  readonly timestamp: number
}

const toAreas = ['area', 'movement.area'].map((field) => toTarget('log', { field, target: 'term' }))
const toAssets = toTarget('log', { field: 'asset', target: 'asset' })

const during = ({ from, to }: LogPeriod): Fragment =>
  fragment`log.status = 'done' and log.timestamp >= ${from} and log.timestamp < ${to}`

/** The done logs of a period that took place in an area or moved something there. */
export const logsNamingArea = async (snapshot: Snapshot, area: number, period: LogPeriod): Promise<readonly number[]> =>
  (
    await ask<Pick<LogOfAsset, 'log'>>(
      snapshot,
      fragment`select distinct log.id as log from reference join log on log.id = reference.source_id
        where reference.path in (${listed(toAreas)}) and reference.target_id = ${area}
          and ${paced('log.id')}${during(period)}`,
    )
  ).map(({ log }) => log)

/** The done logs of a period that are about these assets. */
export const logsNamingAssets = (
  snapshot: Snapshot,
  assets: readonly number[],
  period: LogPeriod,
): Promise<readonly LogOfAsset[]> =>
  inSlices(assets, (slice) =>
    ask<LogOfAsset>(
      snapshot,
      fragment`select reference.target_id as target, log.id as log, log.timestamp as timestamp
        from reference join log on log.id = reference.source_id
        where reference.path = ${toAssets} and reference.target_id in (${listed(slice)})
          and ${paced('log.id')}${during(period)}`,
    ),
  )

const toCategories = toTarget('log', { field: 'log_category', target: 'term' })

/** The done logs of one of these categories. */
export const logsOfCategories = (snapshot: Snapshot, categories: readonly number[]): Promise<readonly number[]> =>
  inSlices(categories, async (slice) =>
    (
      await ask<{ readonly id: number }>(
        snapshot,
        fragment`select distinct log.id as id from reference join log on log.id = reference.source_id
          where reference.path = ${toCategories} and reference.target_id in (${listed(slice)})
            and ${paced('log.id')}log.status = 'done'`,
      )
    ).map(({ id }) => id),
  )

/** When the first done log was that names each of these assets; those that none does are missing. */
export async function firstLogsOf(snapshot: Snapshot, assets: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await inSlices(assets, (slice) =>
    ask<{ readonly asset: number; readonly first: number }>(
      snapshot,
      fragment`select reference.target_id as asset, min(log.timestamp) as first
        from reference join log on log.id = reference.source_id
        where reference.path = ${toAssets} and reference.target_id in (${listed(slice)})
          and ${paced('log.id')}log.status = 'done' group by reference.target_id`,
    ),
  )
  return new Map(rows.map(({ asset, first }) => [asset, Number(first)]))
}
