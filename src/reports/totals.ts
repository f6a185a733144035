import { medicalBundle } from '../farm/bundle-names.ts'
import type { ReportName } from '../farm/farm.ts'
import { beginningOf, dayAt, mondayOf } from '../fields/day.ts'
import { remindersAmong } from '../history/withholding.ts'
import { conditionOf } from '../records/finding/conditions.ts'
import type { RecordFilter } from '../records/finding/filter.ts'
import type { Records } from '../records/records.ts'
import type { Snapshot } from '../storage/database.ts'
import { inThePast } from '../storage/farm-state.ts'
import type { Condition } from '../storage/records/condition.ts'
import { type LogBetween, type LogPeriod, logsBetween } from '../storage/records/logs-between.ts'
import { ReportLine } from './line.ts'
import { factsOf, isNoSize, KnownThings, type LogFacts } from './log-facts.ts'
import type { ReportGrouping } from './report-names.ts'

/** Several crops, areas or materials in one log make a group of their own. */
const kinds: Readonly<Record<ReportGrouping, (facts: LogFacts) => string>> = {
  crop: ({ subject, herds }) => (herds.length > 0 ? `herd ${herds.join()}` : subject.kindOfCrop),
  planting: ({ subject }) => subject.kindOfAsset,
  asset: ({ subject }) => subject.kindOfAsset,
  area: ({ areas }) => `area ${areas.join()}`,
  // Logs without a material are grouped by log type.
  material: ({ materials, bundle }) => (materials.length > 0 ? `material ${materials.join()}` : `type ${bundle}`),
}

export interface TotalsQuery {
  readonly report: ReportName
  readonly groups: readonly ReportGrouping[]
  readonly asked: LogSelection
  readonly zone: string
}

/** All sums of a report, before they are rendered. */
export interface Totals {
  readonly things: KnownThings
  readonly lines: readonly ReportLine[]
  /** Harvests that name this planting alone. */
  readonly plantings: ReadonlyMap<number, ReportLine>
  readonly logs: readonly number[]
  readonly withoutLot: readonly number[]
  readonly withoutAmount: readonly number[]
  /** Only in the inputs report: the logs of each asset, sorted by time. */
  readonly treated: TreatmentsByAsset
}

export type TreatmentsByAsset = ReadonlyMap<number, readonly Pick<LogFacts, 'id' | 'timestamp'>[]>

export async function totalsOf(snapshot: Snapshot, installation: Records, wanted: TotalsQuery): Promise<Totals> {
  const { report, groups, asked, zone } = wanted
  const things = new KnownThings(asked.to)
  const weeks = new Weeks(zone)
  const lines = new Map<string, ReportLine>()
  const plantings = new Map<number, ReportLine>()
  const treated = new Map<number, LogFacts[]>()
  const all: { logs: number[]; withoutLot: number[]; withoutAmount: number[] } = {
    logs: [],
    withoutLot: [],
    withoutAmount: [],
  }
  const [group, another] = groups.map((one) => kinds[one])
  const kindOf =
    group !== undefined && another === undefined
      ? group
      : (facts: LogFacts) => groups.map((one) => kinds[one](facts)).join('; ')
  for await (const { bundle, logs } of logsCounted(snapshot, installation, { ...asked, report })) {
    await things.learn(snapshot, logs)
    if (report === 'harvest') await things.learnHerds(snapshot, logs)
    for (const log of logs) {
      const said = factsOf(log, bundle, things)
      const facts = report === 'inputs' ? { ...said, measured: said.measured.filter(isNoSize) } : said
      const week = weeks.of(facts.timestamp)
      const kind = kindOf(facts)
      lineIn(lines, kind, kind).add(facts, week)
      const [planting, another] = facts.subject.plantings
      if (planting !== undefined && another === undefined)
        lineIn(plantings, planting, `planting ${planting}`).add(facts, null)
      if (report === 'inputs') for (const asset of facts.subject.assets) noteTreatment(treated, asset, facts)
      all.logs.push(facts.id)
      if (!facts.hasLot) all.withoutLot.push(facts.id)
      if (facts.measured.length === 0) all.withoutAmount.push(facts.id)
    }
  }
  return { ...all, things, treated, lines: [...lines.values()], plantings }
}

function noteTreatment(treated: Map<number, LogFacts[]>, asset: number, facts: LogFacts): void {
  const known = treated.get(asset)
  if (known === undefined) treated.set(asset, [facts])
  else known.push(facts)
}

function lineIn<K>(lines: Map<K, ReportLine>, key: K, kind: string): ReportLine {
  const known = lines.get(key)
  if (known !== undefined) return known
  const line = new ReportLine(kind)
  lines.set(key, line)
  return line
}

/** Figures over all logs of a report: total, without a lot, without an amount. */
const figuresOfAll = { all: 'logs', 'no-lot': 'withoutLot', 'no-amount': 'withoutAmount' } as const

/** The logs of the figure with that key; empty if the figure no longer exists. */
export function logsOfFigure(totals: Totals, key: string): readonly number[] {
  if (Object.hasOwn(figuresOfAll, key)) return totals[figuresOfAll[key as keyof typeof figuresOfAll]]
  for (const line of [...totals.lines, ...totals.plantings.values()]) {
    if (line.key === key) return line.logs
    if (`${line.key}-no-lot` === key) return line.withoutLot
    const amount = line.amounts.find((one) => one.key === key)
    if (amount !== undefined) return amount.logs
  }
  return []
}

/** Returns the week of a second. Seconds come in order, so the last week usually fits. */
class Weeks {
  readonly #zone: string
  #monday = 0
  #from = 0
  #to = 0

  constructor(zone: string) {
    this.#zone = zone
  }

  /** The Monday of its week. */
  of(second: number): number {
    if (second < this.#from || second >= this.#to) {
      this.#monday = mondayOf(dayAt(second, this.#zone))
      this.#from = beginningOf(this.#monday, this.#zone)
      this.#to = beginningOf(this.#monday + 7, this.#zone)
    }
    return this.#monday
  }
}

export interface LogSelection extends LogPeriod {
  readonly filters: readonly RecordFilter[]
}

/** Logs of one type. */
interface CountedLogs {
  readonly bundle: string
  readonly logs: readonly LogBetween[]
}

/** The log types that a report counts. */
export const bundlesCounted = ({ farm }: Records, report: ReportName): readonly string[] =>
  Object.entries(farm.records.log.bundles).flatMap(([name, bundle]) => (bundle.report === report ? [name] : []))

/** The logs that a report counts: those that are done. A reminder that was ticked is no treatment. */
async function* logsCounted(
  snapshot: Snapshot,
  installation: Records,
  { report, filters, from, to }: LogSelection & { readonly report: ReportName },
): AsyncGenerator<CountedLogs> {
  const conditions = await conditionsOf(snapshot, installation, filters)
  for (const bundle of bundlesCounted(installation, report)) {
    for await (const logs of logsBetween(snapshot, { bundle, status: 'done', from, to, conditions })) {
      if (bundle !== medicalBundle) yield { bundle, logs }
      else yield { bundle, logs: await treatmentsAmong(snapshot, logs) }
    }
  }
}

async function treatmentsAmong(snapshot: Snapshot, logs: readonly LogBetween[]): Promise<readonly LogBetween[]> {
  const ids = logs.map(({ id }) => id)
  const { reminders } = await remindersAmong(snapshot, ids)
  return logs.filter(({ id }) => !reminders.has(id))
}

export async function conditionsOf(
  snapshot: Snapshot,
  installation: Records,
  filters: readonly RecordFilter[],
): Promise<readonly Condition[]> {
  // Logs have no computed fields, so the time does not matter.
  const context = { installation, snapshot, type: 'log', time: inThePast(0) } as const
  const conditions: Condition[] = []
  for (const filter of filters) conditions.push(await conditionOf(context, filter))
  return conditions
}
