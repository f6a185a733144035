import type { Snapshot } from '../database.ts'
import { toTarget } from '../records/path.ts'
import { ask, fragment, listed } from '../sql/fragment.ts'
import { inSlices } from '../sql/slices.ts'

/** A field of logs by which they name assets: `asset`, `inventory.asset`. */
interface Naming {
  readonly field: string
  readonly assets: readonly number[]
  /** How many logs of each asset at most. */
  readonly most: number
}

/** The logs that were entered last among those that name each of these assets there, by asset. */
export async function lastLogsNaming(
  snapshot: Snapshot,
  { field, assets, most }: Naming,
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
