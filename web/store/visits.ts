import { groupBundle } from '../../src/farm/bundle-names.ts'
import type { LocalRecord, LocalStay } from './record.ts'

/** A group with its members in an area, or a single asset. */
export interface Visit {
  readonly asset: string
  readonly members: readonly string[]
  readonly from: number
  readonly until: number | null
  /** The log that moved them. */
  readonly log: string
  /** Not sent yet. */
  readonly waiting?: true
}

interface VisitContext {
  readonly assets: ReadonlyMap<string, LocalRecord>
  readonly groupsOf: (asset: string, at: number) => readonly string[]
}

/** Groups stays by herd: "Milkers, 42". The start is that of the first arrival. */
export function visitsAtOnce(stays: readonly LocalStay[], { assets, groupsOf }: VisitContext): readonly Visit[] {
  const visits = new Map<string, { first: LocalStay; members: Set<string> }>()
  for (const stay of stays) {
    const [group] = assets.get(stay.asset)?.bundle === groupBundle ? [stay.asset] : groupsOf(stay.asset, stay.from)
    const visitor = group ?? stay.asset
    const { first = stay, members = new Set<string>() } = visits.get(visitor) ?? {}
    if (stay.asset !== visitor) members.add(stay.asset)
    visits.set(visitor, { first: stay.from < first.from ? stay : first, members })
  }
  return [...visits].map(
    ([
      asset,
      {
        first: { from, until, log, waiting },
        members,
      },
    ]) => ({
      asset,
      members: [...members],
      from,
      until,
      log,
      ...(waiting && { waiting }),
    }),
  )
}

/** All visits in a period, the latest first. Assets that one log moved and that left together are one visit. */
export function visitsInTurn(stays: readonly LocalStay[], known: VisitContext): readonly Visit[] {
  const together = new Map<string, LocalStay[]>()
  for (const stay of stays) {
    const key = `${stay.log} ${stay.from} ${stay.until}`
    const others = together.get(key)
    if (others === undefined) together.set(key, [stay])
    else others.push(stay)
  }
  return [...together.values()]
    .flatMap((some) => visitsAtOnce(some, known))
    .sort((one, other) => other.from - one.from || Number(other.log) - Number(one.log))
}
