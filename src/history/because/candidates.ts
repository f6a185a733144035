import type { TrashView } from '../../access/caller.ts'
import type { Snapshot } from '../../storage/database.ts'
import { lastLogsNaming } from '../../storage/history/naming-logs.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { lastTrashed } from '../../storage/trash-rows.ts'
import type { Against } from './against.ts'
import { inTheTrash } from './sentences.ts'
import { type Topic, topics } from './topics.ts'

/** A log that one might expect to decide. */
export interface Candidate {
  readonly log: StoredRecord
  /** Where the log cannot decide whatever it says. */
  readonly against?: Against
}

export interface Naming {
  readonly topic: Topic
  readonly assets: readonly number[]
  readonly trash: TrashView
}

/** Where candidates come from, by asset. */
type CandidateSource = (snapshot: Snapshot, naming: Naming) => Promise<ReadonlyMap<number, readonly Candidate[]>>

/** Among how many logs is looked for those that might be expected to decide: fewer for each where many assets are asked for. */
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

/** Among how many removed logs is looked. */
const mostRemoved = 200

/** Logs in the trash that would say something of the matter. */
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

/** The logs of every source that one might expect to decide for each of these assets. */
export async function candidatesOf(
  snapshot: Snapshot,
  naming: Naming,
): Promise<ReadonlyMap<number, readonly Candidate[]>> {
  const candidates = new Map<number, Candidate[]>(naming.assets.map((asset) => [asset, []]))
  for (const source of sources[naming.trash]) {
    for (const [asset, found] of await source(snapshot, naming)) candidates.get(asset)?.push(...found)
  }
  return candidates
}
