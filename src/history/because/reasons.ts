import type { TrashView } from '../../access/caller.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { PointInTime } from '../../storage/farm-state.ts'
import { logsOfInventory } from '../../storage/history/inventory-rows.ts'
import { lastLogsNaming } from '../../storage/history/naming-logs.ts'
import { decidingLogs } from '../../storage/history/stay-rows.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { lastTrashed } from '../../storage/trash-rows.ts'
import { isDone, momentOf, plainCount } from '../implications.ts'
import { type CounterReason, inTheTrash, notDecisive, type Topic, topics } from './sentences.ts'

/** Logs shown per group: deciding ones, and others. */
const mostShown = 5

/** The explanation of a value: the deciding logs, how many more there are, and others that did not decide. */
export interface Reasons {
  readonly decidedBy: readonly StoredRecord[]
  readonly more: number
  readonly others: readonly (CounterReason & { readonly log: StoredRecord })[]
}

interface Question {
  readonly topic: Topic
  readonly time: PointInTime
  readonly trash: TrashView
}

/** Explains a value for each of these assets. */
export async function reasonsOf(
  snapshot: Snapshot,
  assets: readonly number[],
  { topic, time, trash }: Question,
): Promise<ReadonlyMap<number, Reasons>> {
  const deciding = await decidingOf(snapshot, assets, { topic, time })
  const logs = await recordsByIds(snapshot, 'log', [...new Set([...deciding.values()].flatMap(({ latest }) => latest))])
  const candidates = await candidatesOf(snapshot, { topic, assets, trash })
  return new Map(
    assets.map((asset) => {
      const { latest, count } = deciding.get(asset) ?? none
      const decidedBy = latest.flatMap((id) => logs.get(id) ?? [])
      const others = (candidates.get(asset) ?? [])
        .filter(({ log }) => !latest.includes(log.id))
        .flatMap((candidate) => judged(candidate, { asset, topic, time, decidedBy }))
        .toSorted(byInterest)
      return [asset, { decidedBy, more: count - latest.length, others: others.slice(0, mostShown) }]
    }),
  )
}

interface DecidingLogs {
  readonly latest: readonly number[]
  readonly count: number
}

const none: DecidingLogs = { latest: [], count: 0 }

async function decidingOf(
  snapshot: Snapshot,
  assets: readonly number[],
  { topic, time }: Omit<Question, 'trash'>,
): Promise<ReadonlyMap<number, DecidingLogs>> {
  const now = time.second
  if (topic !== 'inventory') {
    const logs = await decidingLogs(snapshot, { type: 'asset', ids: assets }, { kind: topic, now })
    return new Map([...logs].map(([asset, log]) => [asset, { latest: [log], count: 1 }]))
  }
  const deciding = new Map<number, DecidingLogs>()
  for (const asset of assets)
    deciding.set(asset, await logsOfInventory(snapshot, { ...plainCount, asset, now, most: mostShown }))
  return deciding
}

interface JudgedLog extends Omit<Question, 'trash'> {
  readonly asset: number
  readonly decidedBy: readonly StoredRecord[]
}

type RejectedLog = Reasons['others'][number]

/** Undefined for a log that counts but is beyond the ones shown. */
function judged({ log, against }: Candidate, { asset, topic, time, decidedBy }: JudgedLog): readonly RejectedLog[] {
  if (against !== undefined) return [{ log, ...against }]
  if (!topics[topic].speaks(log.values, asset)) return [{ log, ...notDecisive.saysNothing(topic) }]
  if (!isDone(log.values)) return [{ log, ...notDecisive.notDone(log) }]
  if (momentOf(log.values) > time.second) return [{ log, ...notDecisive.notYet(log, time) }]
  const [decisive] = decidedBy
  if (topic === 'inventory' || decisive === undefined) return []
  const isSameSecond = momentOf(log.values) === momentOf(decisive.values)
  return [{ log, ...(isSameSecond ? notDecisive.sameSecond(decisive) : notDecisive.earlier(log, decisive)) }]
}

/** Logs about the topic first, then the latest. */
const byInterest = (a: RejectedLog, b: RejectedLog): number =>
  Number(a.code === 'says-nothing') - Number(b.code === 'says-nothing') ||
  momentOf(b.log.values) - momentOf(a.log.values) ||
  b.log.id - a.log.id

/** A log that the user might expect to decide. */
interface Candidate {
  readonly log: StoredRecord
  /** The reason why the log cannot decide, whatever it contains. */
  readonly against?: CounterReason
}

interface CandidateQuery {
  readonly topic: Topic
  readonly assets: readonly number[]
  readonly trash: TrashView
}

/** Candidates by asset. */
type CandidateSource = (
  snapshot: Snapshot,
  naming: CandidateQuery,
) => Promise<ReadonlyMap<number, readonly Candidate[]>>

/** Logs searched for candidates: fewer per asset if many assets are asked for. */
const mostLooked = { inAll: 500, leastEach: 10, mostEach: 100 }

const logsNaming: CandidateSource = async (snapshot, { topic, assets }) => {
  const share = Math.floor(mostLooked.inAll / Math.max(1, assets.length))
  const most = Math.min(mostLooked.mostEach, Math.max(mostLooked.leastEach, share))
  const named = new Map<number, Set<number>>(assets.map((asset) => [asset, new Set()]))
  for (const field of topics[topic].fields) {
    for (const [asset, logs] of await lastLogsNaming(snapshot, { field, assets, most }))
      for (const log of logs) named.get(asset)?.add(log)
  }
  const logs = await recordsByIds(snapshot, 'log', [...new Set([...named.values()].flatMap((ids) => [...ids]))])
  return new Map(
    [...named].map(([asset, ids]) => [
      asset,
      [...ids].flatMap((id) => {
        const log = logs.get(id)
        return log === undefined ? [] : [{ log }]
      }),
    ]),
  )
}

/** Removed logs searched for candidates. */
const mostRemoved = 200

/** Logs in the trash about the topic. */
const removedLogs: CandidateSource = async (snapshot, { topic, assets }) => {
  const removed = await lastTrashed(snapshot, 'log', mostRemoved)
  return new Map(
    assets.map((asset) => [
      asset,
      removed
        .filter(({ record }) => topics[topic].speaks(record.values, asset))
        .map(({ record, removed }) => ({ log: record, against: inTheTrash(removed) })),
    ]),
  )
}

const sources: Readonly<Record<TrashView, readonly CandidateSource[]>> = {
  shown: [logsNaming, removedLogs],
  withheld: [logsNaming],
}

/** The candidates of every source, by asset. */
async function candidatesOf(
  snapshot: Snapshot,
  naming: CandidateQuery,
): Promise<ReadonlyMap<number, readonly Candidate[]>> {
  const candidates = new Map<number, Candidate[]>(naming.assets.map((asset) => [asset, []]))
  for (const source of sources[naming.trash]) {
    for (const [asset, found] of await source(snapshot, naming)) candidates.get(asset)?.push(...found)
  }
  return candidates
}
