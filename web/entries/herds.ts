import { assets, terms } from '../store/local-copy.ts'
import { isArchived, type KeptRecord } from '../store/record.ts'
import { isAnimal, membersOf, placesOf } from '../store/stays.ts'

/** The chosen assets and all members of chosen groups, by the current copy. */
export function allWhoMove(chosen: readonly KeptRecord[], at: number): readonly KeptRecord[] {
  const here = (id: string) => {
    const asset = assets.value.get(id)
    return asset !== undefined && !isArchived(asset)
  }
  const named = withMembers(
    chosen.map(({ id }) => id),
    { membersOf: (id) => membersOf(id, at).map(({ asset }) => asset), isHere: here },
  )
  return named.flatMap((id) => assets.value.get(id) ?? [])
}

/** Number of animals; groups are not counted. */
export const headsIn = (all: readonly KeptRecord[]): number => all.filter(({ bundle }) => bundle !== 'group').length

interface Whereabouts {
  readonly area: KeptRecord
  readonly since: number
}

/** Place of an asset. A group that never moved itself is where one of its members is. */
export function whereIs(asset: KeptRecord, at: number): Whereabouts | undefined {
  const own = placesOf(asset.id, at)
  const stays = own.length > 0 ? own : membersOf(asset.id, at).flatMap((member) => placesOf(member.asset, at))
  for (const { place, placeType, from } of stays) {
    const area = placeType === 'area' ? terms.value.get(place ?? '') : undefined
    if (area !== undefined) return { area, since: from }
  }
  return undefined
}

/** True for groups with members. */
export const isHerd = ({ id, bundle }: KeptRecord): boolean =>
  bundle === 'group' && membersOf(id).some(({ asset }) => isAnimal(asset))

/** Head count for "Milkers, 42". */
export const headsOf = ({ id, bundle }: KeptRecord): number => (bundle === 'group' ? membersOf(id).length : 1)

/** Limit of assets per log. A larger move becomes several logs in one set. */
export const mostInOneLog = 1000
export const mostAtOnce = 5000

export const areTooMany = (assets: readonly unknown[]): boolean => assets.length > mostAtOnce

interface Groups {
  /** Current members of a group; empty for other assets. */
  readonly membersOf: (asset: string) => readonly string[]
  readonly isHere: (asset: string) => boolean
}

/** The chosen assets and their members, also through nested groups; each once. */
export function withMembers(chosen: readonly string[], { membersOf, isHere }: Groups): readonly string[] {
  const named = new Set<string>()
  const name = (assets: readonly string[]) => {
    for (const asset of assets) {
      if (named.has(asset) || !isHere(asset)) continue
      named.add(asset)
      name(membersOf(asset))
    }
  }
  name(chosen)
  return [...named]
}

export function inShares<Item>(items: readonly Item[], most = mostInOneLog): readonly (readonly Item[])[] {
  const shares: Item[][] = []
  for (let at = 0; at < items.length; at += most) shares.push(items.slice(at, at + most))
  return shares
}
