import { medicalBundle, type WithheldProduct, withheldProducts, withholdingLabels } from '../farm/bundle-names.ts'
import { inUnits, scaleOf } from '../fields/exact-decimal.ts'
import { trimmedTextKey } from '../fields/key.ts'
import type { PartValue, Value, Values } from '../fields/value.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/farm-state.ts'
import {
  type LogPair,
  labelledLogsNaming,
  pairsAbout,
  pairsOfLogs,
  type StaySpan,
  staysInPlaces,
  staysOfAssets,
} from '../storage/history/withholding-rows.ts'
import { fieldsByIds, momentsByIds, termNames } from '../storage/records/record-rows.ts'
import { areasOfSite, assetsOf, quantitiesOf } from './implications.ts'

/** A product that may not be used until a second, and the log that says so. An older reminder withholds all. */
export interface WithholdingPeriod {
  readonly product: WithheldProduct | 'all'
  readonly until: number
  readonly log: number
}

type Withheld = ReadonlyMap<number, readonly WithholdingPeriod[]>

/** What is withheld of these assets at that time (docs/rules/withholding.md). */
export async function withheldOfAssets(
  snapshot: Snapshot,
  assets: readonly number[],
  { second }: PointInTime,
): Promise<Withheld> {
  const groups = await staysOfAssets(snapshot, assets, { kind: 'membership', until: second })
  const sites = await staysOfAssets(snapshot, assets, { kind: 'movement', until: second })
  const until = { labels, until: second }
  const logs = await withholdingLogs(snapshot, [
    ...(await labelledLogsNaming(snapshot, { type: 'asset', ids: placesAnd(assets, groups) }, until)),
    ...(await labelledLogsNaming(snapshot, { type: 'term', ids: placesAnd([], sites) }, until)),
  ])
  const [groupsBy, sitesBy] = [byAsset(groups), byAsset(sites)]
  const found = new LatestEnds(second)
  for (const asset of assets) {
    const [herds, places] = [groupsBy.get(asset) ?? [], sitesBy.get(asset) ?? []]
    for (const log of logs) {
      const isNamed = log.assets.includes(asset) || isIn(herds, log.assets, log.timestamp)
      const isThere = log.assets.length === 0 && isIn(places, log.areas, log.timestamp)
      for (const { product, until } of log.ends)
        if (isNamed || (isThere && product === 'harvest')) found.note(asset, { product, until, log: log.id })
    }
  }
  for (const pair of await pairsAbout(snapshot, assets, { ...until, bundle: medicalBundle })) {
    const planned = reminderAfter(pair)
    if (planned === undefined) continue
    for (const asset of assetsOf(pair.other.values))
      found.note(asset, { product: 'all', until: planned, log: pair.log })
  }
  return found.of(assets)
}

/** When the reminder that was made with an older treatment was planned for; undefined if the other is none. */
function reminderAfter({
  timestamp,
  other: { bundle, values },
}: Pick<LogPair, 'timestamp' | 'other'>): number | undefined {
  const planned = Number(values.timestamp)
  return bundle === medicalBundle && values.status !== 'done' && planned > timestamp ? planned : undefined
}

/** Done medical logs: the time until which older reminders withhold everything, and the logs that are such reminders. */
export async function remindersAmong(
  snapshot: Snapshot,
  logs: readonly number[],
): Promise<{ readonly until: ReadonlyMap<number, number>; readonly reminders: ReadonlySet<number> }> {
  const until = new Map<number, number>()
  const reminders = new Set<number>()
  const asked = { labels, until: Number.MAX_SAFE_INTEGER, bundle: medicalBundle }
  for (const pair of await pairsOfLogs(snapshot, logs, asked)) {
    const { log, created, other } = pair
    const planned = reminderAfter(pair)
    if (planned !== undefined) until.set(log, planned)
    const seenFromOther = { timestamp: Number(other.values.timestamp), other: created }
    if (other.bundle === medicalBundle && reminderAfter(seenFromOther) !== undefined) reminders.add(log)
  }
  return { until, reminders }
}

/** What is withheld of these areas at that time: crops, grazing and entry, and of logs about no asset all products. */
export async function withheldOfAreas(
  snapshot: Snapshot,
  areas: readonly number[],
  { second }: PointInTime,
): Promise<Withheld> {
  const there = await staysInPlaces(snapshot, areas, { kind: 'movement', until: second })
  const until = { labels, until: second }
  const logs = await withholdingLogs(snapshot, [
    ...(await labelledLogsNaming(snapshot, { type: 'term', ids: areas }, until)),
    ...(await labelledLogsNaming(snapshot, { type: 'asset', ids: [...byAsset(there).keys()] }, until)),
  ])
  const staying = byAsset(there)
  const found = new LatestEnds(second)
  for (const area of areas) {
    for (const log of logs) {
      const isNamed = log.areas.includes(area)
      const stood =
        log.areas.length === 0 && log.assets.some((asset) => isIn(staying.get(asset), [area], log.timestamp))
      if (!isNamed && !stood) continue
      for (const { product, until } of log.ends)
        if (log.assets.length === 0 || ofLand.includes(product)) found.note(area, { product, until, log: log.id })
    }
  }
  return found.of(areas)
}

const ofLand: readonly WithheldProduct[] = ['harvest', 'grazing', 'entry']

/** As the record interface shows it. Computed parts are no rows of their own and have no UUID. */
export const withheldValue = (found: readonly WithholdingPeriod[] | undefined): Value =>
  (found ?? []).map((one) => ({ ...one }) as unknown as PartValue)

interface WithholdingLog {
  readonly id: number
  readonly timestamp: number
  readonly assets: readonly number[]
  readonly areas: readonly number[]
  readonly ends: readonly { readonly product: WithheldProduct; readonly until: number }[]
}

async function withholdingLogs(snapshot: Snapshot, logs: readonly number[]): Promise<readonly WithholdingLog[]> {
  const ids = [...new Set(logs)]
  const [values, moments] = [await fieldsByIds(snapshot, 'log', ids), await momentsByIds(snapshot, ids)]
  const units = await termNames(snapshot, [...new Set([...values.values()].flatMap(unitsIn))])
  return [...values].map(([id, fields]) => {
    const timestamp = moments.get(id) ?? 0
    const ends = withholdingsIn(fields, units).flatMap(({ product, seconds }) =>
      seconds > 0 ? [{ product, until: timestamp + seconds }] : [],
    )
    return { id, timestamp, assets: assetsOf(fields), areas: areasOfSite(fields), ends }
  })
}

/** How long a log withholds each product, in seconds; 0 means none. */
export const withholdingsIn = (
  values: Values,
  units: ReadonlyMap<number, string>,
): readonly { readonly product: WithheldProduct; readonly seconds: number }[] =>
  quantitiesOf(values).flatMap(({ measure, label, unit, value }) => {
    const product = withheldProducts.find((one) => withholdingLabels[one] === label)
    const length = secondsIn[trimmedTextKey(units.get(Number(unit)) ?? '')]
    if (product === undefined || measure !== 'time' || length === undefined || typeof value !== 'string') return []
    return [{ product, seconds: Math.max(0, Math.round(secondsOf(value, length))) }]
  })

/** Whether a quantity says how long something is withheld, or what each animal got: such quantities are in no sum. */
export const labels: readonly string[] = Object.values(withholdingLabels)

export const unitsIn = (values: Values): readonly number[] =>
  quantitiesOf(values).flatMap(({ unit }) => (typeof unit === 'number' ? [unit] : []))

const [hour, day] = [3_600, 86_400]
const secondsIn: Readonly<Record<string, number | undefined>> = {
  ...{ hours: hour, hour, h: hour, stunden: hour, stunde: hour, horas: hour, hora: hour },
  ...{ days: day, day, d: day, tage: day, tag: day, días: day, día: day },
}

/** Exact up to the last second; nobody withholds for longer than times can be written. */
function secondsOf(value: string, length: number): number {
  const scale = scaleOf(value)
  return Number((inUnits(value, scale) * BigInt(length)) / 10n ** BigInt(scale))
}

/** The latest end of each product, of those that are not over. */
class LatestEnds {
  readonly #second: number
  readonly #found = new Map<number, Map<string, WithholdingPeriod>>()

  constructor(second: number) {
    this.#second = second
  }

  note(thing: number, one: WithholdingPeriod): void {
    if (one.until <= this.#second) return
    const known = this.#found.get(thing) ?? new Map<string, WithholdingPeriod>()
    this.#found.set(thing, known)
    const other = known.get(one.product)
    const isLater = other === undefined || one.until > other.until || (one.until === other.until && one.log > other.log)
    if (isLater) known.set(one.product, one)
  }

  of(things: readonly number[]): Withheld {
    return new Map(
      things.flatMap((thing) => {
        const known = this.#found.get(thing)
        if (known === undefined) return []
        return [[thing, inOrder.flatMap((product) => known.get(product) ?? [])] as const]
      }),
    )
  }
}

const inOrder: readonly WithholdingPeriod['product'][] = [...withheldProducts, 'all']

const isIn = (stays: readonly StaySpan[] | undefined, places: readonly number[], second: number): boolean =>
  stays?.some(({ place, from, until }) => from <= second && second < until && places.includes(place)) ?? false

const placesAnd = (ids: readonly number[], stays: readonly StaySpan[]): readonly number[] => [
  ...new Set([...ids, ...stays.map(({ place }) => place)]),
]

function byAsset(stays: readonly StaySpan[]): ReadonlyMap<number, readonly StaySpan[]> {
  const found = new Map<number, StaySpan[]>()
  for (const stay of stays) {
    const known = found.get(stay.asset)
    if (known === undefined) found.set(stay.asset, [stay])
    else known.push(stay)
  }
  return found
}
