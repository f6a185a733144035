import { assets, terms } from '../../store/local-copy.ts'
import type { LocalRecord, LocalStay } from '../../store/record.ts'
import { contentsOf, groupsOf, headOf, isAnimal, placesOf } from '../../store/stays.ts'
import { type Visit, visitsAtOnce } from '../../store/visits.ts'
import { now } from '../../words/format.ts'
import type { IconName } from '../icon.tsx'
import { iconOfAsset } from '../icon-of.ts'

/** A group with its members present, or a single asset. */
export interface Occupant {
  readonly asset: LocalRecord
  readonly icon: IconName
  /** Heads present; 1 for a single asset. */
  readonly count: number
  readonly isAnimal: boolean
  readonly since: number
  readonly until: number | null
  readonly log: string
  /** The move is not sent yet. */
  readonly waiting?: true
}

/** Sorted by count, the largest first. */
export function occupantsOf(area: string, at = now()): readonly Occupant[] {
  return occupantsAmong(contentsOf(area, at), (asset) => placed(groupsOf(asset, at)))
}

export function occupantsAmong(
  stays: readonly LocalStay[],
  groupsThen: (asset: string) => readonly string[],
): readonly Occupant[] {
  return visitsAtOnce(stays, { assets: assets.value, groupsOf: groupsThen })
    .flatMap(occupant)
    .sort((one, other) => other.count - one.count || one.asset.name.localeCompare(other.asset.name))
}

function occupant({ asset: id, members, from, until, log, waiting }: Visit): Occupant[] {
  const asset = assets.value.get(id)
  if (asset === undefined) return []
  const all = members.map((member) => assets.value.get(member))
  const heads = all.reduce((sum, member) => sum + (member === undefined ? 1 : headOf(member)), headOf(asset))
  const count = Math.max(1, heads)
  const pencil = waiting && { waiting }
  return [{ asset, icon: iconOfAsset(asset), count, isAnimal: isAnimal(id), since: from, until, log, ...pencil }]
}

/** Name of the previous place of an asset. */
export function previousPlaceOf({ asset, since }: Occupant): string | undefined {
  const [before] = placed(placesOf(asset.id, since - 1))
  return before === undefined ? undefined : terms.value.get(before)?.name
}

const placed = (stays: readonly { readonly place: string | null }[]): string[] =>
  stays.flatMap(({ place }) => (place === null ? [] : [place]))
