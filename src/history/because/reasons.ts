import type { TrashView } from '../../access/caller.ts'
import type { Snapshot } from '../../storage/database.ts'
import { logsOfInventory } from '../../storage/history/inventory-rows.ts'
import type { PointInTime } from '../../storage/history/point-in-time.ts'
import { decidingLogs } from '../../storage/history/stay-rows.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { isDone, momentOf, plainCount } from '../log-parts.ts'
import type { Against } from './against.ts'
import { type Candidate, candidatesOf } from './candidates.ts'
import { notDecisive } from './sentences.ts'
import { type Topic, topics } from './topics.ts'

/** So many logs are shown of those that decided together, and of those that did not. */
export const mostShown = 5

/** Why something is so: the logs that decided, how many more did, and others that did not. */
export interface Reasons {
  readonly decidedBy: readonly StoredRecord[]
  readonly more: number
  readonly others: readonly (Against & { readonly log: StoredRecord })[]
}

interface Question {
  readonly topic: Topic
  readonly time: PointInTime
  readonly trash: TrashView
}

/** What the logs have decided of each of these assets, and why others have not. */
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

interface Deciding {
  readonly latest: readonly number[]
  readonly count: number
}

const none: Deciding = { latest: [], count: 0 }

async function decidingOf(
  snapshot: Snapshot,
  assets: readonly number[],
  { topic, time }: Omit<Question, 'trash'>,
): Promise<ReadonlyMap<number, Deciding>> {
  const now = time.second
  if (topic !== 'inventory') {
    const logs = await decidingLogs(snapshot, { type: 'asset', ids: assets }, { kind: topic, now })
    return new Map([...logs].map(([asset, log]) => [asset, { latest: [log], count: 1 }]))
  }
  const deciding = new Map<number, Deciding>()
  for (const asset of assets)
    deciding.set(asset, await logsOfInventory(snapshot, { ...plainCount, asset, now, most: mostShown }))
  return deciding
}

interface Judging extends Omit<Question, 'trash'> {
  readonly asset: number
  readonly decidedBy: readonly StoredRecord[]
}

type Other = Reasons['others'][number]

/** Nothing for a log that counts, though it is not among those shown. */
function judged({ log, against }: Candidate, { asset, topic, time, decidedBy }: Judging): readonly Other[] {
  if (against !== undefined) return [{ log, ...against }]
  if (!topics[topic].speaks(log.values, asset)) return [{ log, ...notDecisive.saysNothing(topic) }]
  if (!isDone(log.values)) return [{ log, ...notDecisive.notDone(log) }]
  if (momentOf(log.values) > time.second) return [{ log, ...notDecisive.notYet(log, time) }]
  const [decisive] = decidedBy
  if (topic === 'inventory' || decisive === undefined) return []
  const isSameSecond = momentOf(log.values) === momentOf(decisive.values)
  return [{ log, ...(isSameSecond ? notDecisive.sameSecond(decisive) : notDecisive.earlier(log, decisive)) }]
}

/** First those that say something of the matter, then the latest. */
const byInterest = (a: Other, b: Other): number =>
  Number(a.code === 'says-nothing') - Number(b.code === 'says-nothing') ||
  momentOf(b.log.values) - momentOf(a.log.values) ||
  b.log.id - a.log.id
