import { useState } from 'preact/hooks'
import { equipmentBundle, groupBundle } from '../../../src/farm/bundle-names.ts'
import { useLogs } from '../../look/use-logs.ts'
import { assetBy } from '../../store/local-copy.ts'
import { assetsNamedIn, isOnFarm, type LocalRecord, type LocalStay, timeOf } from '../../store/record.ts'
import { membershipsOf } from '../../store/stays.ts'
import { type StayColumns, staysIn } from '../../sync/load-stays.ts'
import { askServer } from '../../sync/request.ts'
import { now } from '../../words/format.ts'
import { type LogsSoFar, useLogsSoFar, useReadLog } from './paged-logs.ts'

export interface AssetLogs {
  /** Done logs that name the asset: measurements and photos. */
  readonly own: readonly LocalRecord[]
  /** Plans of the asset and its groups, the latest first. */
  readonly plans: readonly LocalRecord[]
  readonly groups: readonly string[]
  readonly soFar: LogsSoFar
  readonly timeline: readonly TimelineEntry[]
  /** Log that decides the location, if the copy has it. */
  readonly deciding: LocalRecord | undefined
}

/** Logs for the page of an asset; null until all are read, so that nothing moves. */
export function useAssetLogs(asset: LocalRecord, stay: LocalStay | undefined): AssetLogs | null {
  const [oldMemberships, setOldMemberships] = useState<readonly LocalStay[]>([])
  const known = membershipsOf(asset.id)
  const memberships = [...oldMemberships.filter(({ log }) => known.every((one) => one.log !== log)), ...known]
  const groups = groupsAt(memberships, now())
  const own = useLogs({ asset: asset.id, done: true, limit: 500 })
  const plans = useLogs({ asset: [asset.id, ...groups], done: false, limit: 100 })
  const deciding = useReadLog(stay?.log ?? null)
  const filtersUpTo = async (upTo: number) => {
    const all = await membershipsEver(asset.id, memberships)
    setOldMemberships(all)
    return filtersOf(
      asset,
      all.filter(({ from, place }) => from <= upTo && isKnownGroup(place)),
    )
  }
  const soFar = useLogsSoFar({
    queries: [{ asset: asset.id }, ...memberships.map(({ place, from, until }) => during(place ?? '', from, until))],
    filters: isOnFarm(asset) ? filtersUpTo : null,
  })
  if (own === null || plans === null || soFar.logs === null || (stay !== undefined && !deciding.isRead)) return null
  const timeline = timelineOf(asset.id, soFar.logs, memberships)
  return { own, plans, groups, soFar, timeline, deciding: deciding.record }
}

function isKnownGroup(id: string | null): boolean {
  const group = assetBy(id ?? '')
  return group === undefined || isOnFarm(group)
}

const during = (asset: string, from: number, until: number | null) =>
  until === null ? { asset, from } : { asset, from, before: until }

/** Includes memberships before the copy, if the server can be reached. */
async function membershipsEver(asset: string, known: readonly LocalStay[]): Promise<readonly LocalStay[]> {
  const answer = await askServer<StayColumns>(`/stays?kind=membership&asset=${asset}`)
  return answer.failure === null ? staysIn(answer.body) : known
}

/** Filters for all fields that can name the asset, and for its groups in their periods. */
function filtersOf({ id, bundle }: LocalRecord, memberships: readonly LocalStay[]): readonly string[] {
  return [
    `asset=${id}`,
    `inventory[asset]=${id}`,
    ...(bundle === equipmentBundle ? [`equipment=${id}`] : []),
    ...(bundle === groupBundle ? [`membership[group]=${id}`] : []),
    ...memberships.map(
      ({ place, from, until }) =>
        `asset=${place}&timestamp[ge]=${from}${until === null ? '' : `&timestamp[lt]=${until}`}`,
    ),
  ]
}

interface TimelineEntry {
  readonly log: LocalRecord
  /** Groups of the asset at that time that the log names. */
  readonly groups: readonly string[]
}

/** Logs of an asset, its own and those of its groups at the time; the newest first. */
export function timelineOf(
  asset: string,
  logs: Iterable<LocalRecord>,
  memberships: readonly LocalStay[],
): readonly TimelineEntry[] {
  const entries = new Map<string, TimelineEntry>()
  for (const log of logs) {
    const named = new Set(assetsNamedIn(log))
    const groups = groupsAt(memberships, timeOf(log)).filter((group) => named.has(group))
    if (named.has(asset) || groups.length > 0) entries.set(log.uuid, { log, groups })
  }
  return [...entries.values()].sort(newestFirst)
}

/** Groups at a time. */
export function groupsAt(memberships: readonly LocalStay[], at: number): string[] {
  return memberships.flatMap(({ place, from, until }) =>
    place !== null && from <= at && (until === null || until > at) ? [place] : [],
  )
}

const newestFirst = ({ log: one }: TimelineEntry, { log: other }: TimelineEntry) =>
  timeOf(other) - timeOf(one) || Number(other.id) - Number(one.id)
