import type { Records } from '../records/records.ts'
import type { Snapshot } from '../storage/database.ts'
import { forever } from '../storage/history/stay-rows.ts'
import { logsBetween } from '../storage/records/logs-between.ts'
import type { KnownThings } from './known-things.ts'
import { assetsIn } from './log-values.ts'
import { type Asked, bundlesCounted, conditionsOf } from './logs-counted.ts'
import { listedBy, type Named } from './named.ts'

/** A log that is still to be done when the time of withholding after a treatment is over. */
export interface Withholding {
  readonly log: Named
  readonly bundle: string
  readonly timestamp: number
  readonly assets: readonly Named[]
}

interface After {
  readonly asked: Asked
  readonly things: KnownThings
  /** When each asset was treated first within the report. */
  readonly treated: ReadonlyMap<number, number>
}

/** What is planned, of the types that the report counts, for what was treated in it, later than that. */
export async function withholdingAfter(
  snapshot: Snapshot,
  installation: Records,
  { asked, things, treated }: After,
): Promise<readonly Withholding[]> {
  if (treated.size === 0) return []
  const conditions = await conditionsOf(snapshot, installation, asked.filters)
  const found: Withholding[] = []
  for (const bundle of bundlesCounted(installation, 'inputs')) {
    const planned = { bundle, status: 'pending', from: asked.from, to: forever, conditions }
    for await (const logs of logsBetween(snapshot, planned)) {
      for (const { id, name, timestamp, values } of logs) {
        const assets = assetsIn(values).filter((asset) => (treated.get(asset) ?? forever) < timestamp)
        if (assets.length === 0) continue
        const named = listedBy(things.assets, assets).map((asset) => ({ id: asset.id, name: asset.name }))
        found.push({ log: { id, name }, bundle, timestamp, assets: named })
      }
    }
  }
  return found.toSorted((one, other) => one.timestamp - other.timestamp || one.log.id - other.log.id)
}
