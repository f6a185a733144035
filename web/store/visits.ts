import { groupBundle } from '../../src/farm/bundle-names.ts'
import type { KeptRecord, KeptStay } from './record.ts'

/** Who was in an area together: a group with those of its members that were there, or an asset by itself. */
export interface Visit {
  readonly asset: string
  readonly members: readonly string[]
  readonly from: number
  readonly until: number | null
  /** The log that brought them. */
  readonly log: string
  /** It is not sent yet. */
  readonly waiting?: true
}

interface VisitContext {
  readonly assets: ReadonlyMap<string, KeptRecord>
  readonly groupsOf: (asset: string, at: number) => readonly string[]
}

/** Those that share a group are told of as the group: "Milkers, 42". Since when, is said of the first that came. */
export function visitsAtOnce(stays: readonly KeptStay[], { assets, groupsOf }: VisitContext): readonly Visit[] {
  const visits = new Map<string, { first: KeptStay; members: Set<string> }>()
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

/** All visits of a time: those that one log brought, and that left together, are one. The latest comes first. */
export function visitsInTurn(stays: readonly KeptStay[], known: VisitContext): readonly Visit[] {
  const together = new Map<string, KeptStay[]>()
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
