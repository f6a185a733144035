import type { Records } from '../records/records.ts'
import type { Snapshot } from '../storage/database.ts'
import { forever } from '../storage/history/stay-rows.ts'
import { entriesOfSet, setOfCreation } from '../storage/journal.ts'
import { logsBetween } from '../storage/records/logs-between.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import { nameOf } from '../storage/records/stored.ts'
import { assetsIn, type KnownThings } from './log-facts.ts'
import { listedBy, type NamedRecord } from './named-records.ts'
import { bundlesCounted, conditionsOf, type LogSelection, type TreatmentsByAsset } from './totals.ts'

/** A planned log after the withholding period of a treatment. */
export interface WithholdingLog {
  readonly log: NamedRecord
  readonly bundle: string
  readonly timestamp: number
  readonly assets: readonly NamedRecord[]
  /** The treatments: logs of the same change set, else the last log before. */
  readonly treatments: readonly NamedRecord[]
}

interface WithholdingQuery {
  readonly asked: LogSelection
  readonly things: KnownThings
  readonly treated: TreatmentsByAsset
}

/** Planned logs of the report's types, later than the report, for assets treated in it. */
export async function withholdingAfter(
  snapshot: Snapshot,
  installation: Records,
  { asked, things, treated }: WithholdingQuery,
): Promise<readonly WithholdingLog[]> {
  if (treated.size === 0) return []
  const conditions = await conditionsOf(snapshot, installation, asked.filters)
  const found: WithholdingLog[] = []
  for (const bundle of bundlesCounted(installation, 'inputs')) {
    const planned = { bundle, status: 'pending', from: asked.from, to: forever, conditions }
    for await (const logs of logsBetween(snapshot, planned)) {
      for (const { id, timestamp, values } of logs) {
        const before = assetsIn(values).map((asset) => [asset, treatmentsBefore(treated, asset, timestamp)] as const)
        const after = before.filter(([, treatments]) => treatments.length > 0)
        if (after.length === 0) continue
        const assets = listedBy(
          things.assets,
          after.map(([asset]) => asset),
        ).map((asset) => ({ id: asset.id, name: asset.name }))
        const treatments = await treatmentsOf(
          snapshot,
          id,
          after.map(([, ids]) => ids),
        )
        found.push({ log: await namedLog(snapshot, id), bundle, timestamp, assets, treatments })
      }
    }
  }
  return found.toSorted((one, other) => one.timestamp - other.timestamp || one.log.id - other.log.id)
}

const treatmentsBefore = (treated: TreatmentsByAsset, asset: number, second: number): readonly number[] =>
  (treated.get(asset) ?? [])
    .filter(({ timestamp }) => timestamp < second)
    .toSorted((one, other) => one.timestamp - other.timestamp)
    .map(({ id }) => id)

async function namedLog(snapshot: Snapshot, id: number): Promise<NamedRecord> {
  const log = (await recordsByIds(snapshot, 'log', [id])).get(id)
  return { id, name: log === undefined ? '' : (nameOf(log) ?? '') }
}

const mostEntries = 1000

async function treatmentsOf(
  snapshot: Snapshot,
  log: number,
  ofAssets: readonly (readonly number[])[],
): Promise<readonly NamedRecord[]> {
  const set = await setOfCreation(snapshot, { type: 'log', id: log })
  const entries = set === undefined ? [] : await entriesOfSet(snapshot, { set, after: 0, most: mostEntries })
  const together = new Set(entries.filter((entry) => entry.record_type === 'log').map((entry) => entry.record_id))
  const ids = ofAssets.map((treatments) => treatments.findLast((id) => together.has(id)) ?? treatments.at(-1) ?? 0)
  const known = await recordsByIds(snapshot, 'log', [...new Set(ids)])
  return [...known.values()].map((one) => ({ id: one.id, name: nameOf(one) ?? '' }))
}
