import type { ReportName } from '../farm/farm.ts'
import { conditionOf } from '../records/finding/conditions.ts'
import type { Filter } from '../records/finding/filter.ts'
import type { Records } from '../records/records.ts'
import type { Snapshot } from '../storage/database.ts'
import { inThePast } from '../storage/history/point-in-time.ts'
import type { Condition } from '../storage/records/condition.ts'
import { type LogBetween, type LogPeriod, logsBetween } from '../storage/records/logs-between.ts'

/** Which logs a report is about. */
export interface Asked extends LogPeriod {
  readonly filters: readonly Filter[]
}

/** Logs of one type. */
export interface CountedLogs {
  readonly bundle: string
  readonly logs: readonly LogBetween[]
}

/** The log types that a report counts. */
export const bundlesCounted = ({ farm }: Records, report: ReportName): readonly string[] =>
  Object.entries(farm.records.log.bundles).flatMap(([name, bundle]) => (bundle.report === report ? [name] : []))

/** The logs that a report counts: those that are done. */
export async function* logsCounted(
  snapshot: Snapshot,
  installation: Records,
  { report, filters, from, to }: Asked & { readonly report: ReportName },
): AsyncGenerator<CountedLogs> {
  const conditions = await conditionsOf(snapshot, installation, filters)
  for (const bundle of bundlesCounted(installation, report)) {
    for await (const logs of logsBetween(snapshot, { bundle, status: 'done', from, to, conditions }))
      yield { bundle, logs }
  }
}

export async function conditionsOf(
  snapshot: Snapshot,
  installation: Records,
  filters: readonly Filter[],
): Promise<readonly Condition[]> {
  // Of logs nothing is computed, so that the time does not matter.
  const context = { installation, snapshot, type: 'log', time: inThePast(0) } as const
  const conditions: Condition[] = []
  for (const filter of filters) conditions.push(await conditionOf(context, filter))
  return conditions
}
