import { assets, terms } from '../../store/local-copy.ts'
import type { KeptRecord, KeptStay } from '../../store/record.ts'
import { contentsOf, groupsOf, isAnimal, placesOf } from '../../store/stays.ts'
import { type Visit, visitsAtOnce } from '../../store/visits.ts'
import { now } from '../../words/format.ts'
import type { IconName } from '../icon.tsx'
import { iconOfAsset } from '../icon-of.ts'

/** Who is in an area: a group with those of its members that are there, or an asset by itself. */
export interface Occupant {
  readonly asset: KeptRecord
  readonly icon: IconName
  /** How many are there; 1 for an asset by itself. */
  readonly count: number
  readonly isAnimal: boolean
  readonly since: number
  readonly until: number | null
  readonly log: string
  /** That they are here only this device knows. */
  readonly waiting?: true
}

/** The most numerous first. */
export function occupantsOf(area: string, at = now()): readonly Occupant[] {
  return occupantsAmong(contentsOf(area, at), (asset) => placed(groupsOf(asset, at)))
}

export function occupantsAmong(
  stays: readonly KeptStay[],
  groupsThen: (asset: string) => readonly string[],
): readonly Occupant[] {
  return visitsAtOnce(stays, { assets: assets.value, groupsOf: groupsThen })
    .flatMap(occupant)
    .sort((one, other) => other.count - one.count || one.asset.name.localeCompare(other.asset.name))
}

function occupant({ asset: id, members, from, until, log, waiting }: Visit): Occupant[] {
  const asset = assets.value.get(id)
  if (asset === undefined) return []
  const count = Math.max(1, members.length)
  const pencil = waiting && { waiting }
  return [{ asset, icon: iconOfAsset(asset), count, isAnimal: isAnimal(id), since: from, until, log, ...pencil }]
}

/** The name of the place where an asset was before it came. */
export function cameFrom({ asset, since }: Occupant): string | undefined {
  const [before] = placed(placesOf(asset.id, since - 1))
  return before === undefined ? undefined : terms.value.get(before)?.name
}

const placed = (stays: readonly { readonly place: string | null }[]): string[] =>
  stays.flatMap(({ place }) => (place === null ? [] : [place]))
