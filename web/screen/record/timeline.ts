import { assetsNamedIn, type KeptRecord, type KeptStay, timeOf } from '../../store/record.ts'

export interface TimelineEntry {
  readonly log: KeptRecord
  /** The groups that the asset was in at that time and that the log names: it took part with them. */
  readonly groups: readonly string[]
}

/** What happened to an asset: by itself, and with the groups that it was in at that time. The newest comes first. */
export function timelineOf(
  asset: string,
  logs: Iterable<KeptRecord>,
  memberships: readonly KeptStay[],
): readonly TimelineEntry[] {
  const entries = new Map<string, TimelineEntry>()
  for (const log of logs) {
    const named = new Set(assetsNamedIn(log))
    const groups = groupsAt(memberships, timeOf(log)).filter((group) => named.has(group))
    if (named.has(asset) || groups.length > 0) entries.set(log.uuid, { log, groups })
  }
  return [...entries.values()].sort(newestFirst)
}

/** The groups that memberships name for a time. */
export function groupsAt(memberships: readonly KeptStay[], at: number): string[] {
  return memberships.flatMap(({ place, from, until }) =>
    place !== null && from <= at && (until === null || until > at) ? [place] : [],
  )
}

const newestFirst = ({ log: one }: TimelineEntry, { log: other }: TimelineEntry) =>
  timeOf(other) - timeOf(one) || Number(other.id) - Number(one.id)
