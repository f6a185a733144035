import { assets, terms } from '../store/local-copy.ts'
import { isArchived, type LocalRecord } from '../store/record.ts'
import { headOf, isAnimal, membersOf, placesOf } from '../store/stays.ts'
import { now } from '../words/format.ts'

/** The chosen assets and all members of chosen groups, by the current copy. */
export function movingAssets(chosen: readonly LocalRecord[], at: number): readonly LocalRecord[] {
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

/** Number of animals, with those counted by head; groups are not counted. */
export const headsIn = (all: readonly LocalRecord[]): number => all.reduce((sum, asset) => sum + headOf(asset), 0)

interface Whereabouts {
  readonly area: LocalRecord
  readonly since: number
}

/** Place of an asset. A group that never moved itself is where one of its members is. */
export function whereIs(asset: LocalRecord, at: number): Whereabouts | undefined {
  const own = placesOf(asset.id, at)
  const stays = own.length > 0 ? own : membersOf(asset.id, at).flatMap((member) => placesOf(member.asset, at))
  for (const { place, placeType, from } of stays) {
    const area = placeType === 'area' ? terms.value.get(place ?? '') : undefined
    if (area !== undefined) return { area, since: from }
  }
  return undefined
}

/** True for groups with members. */
export const isHerd = ({ id, bundle }: LocalRecord): boolean =>
  bundle === 'group' && membersOf(id).some(({ asset }) => isAnimal(asset))

/** Head count for "Milkers, 42". */
export const headsOf = (asset: LocalRecord): number => headsIn(movingAssets([asset], now()))

/** Limit of assets per log. A larger move becomes several logs in one set. */
export const maxAssetsPerLog = 1000
export const maxAssetsPerMove = 5000

export const areTooMany = (assets: readonly unknown[]): boolean => assets.length > maxAssetsPerMove

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

export function chunks<Item>(items: readonly Item[], most = maxAssetsPerLog): readonly (readonly Item[])[] {
  const shares: Item[][] = []
  for (let at = 0; at < items.length; at += most) shares.push(items.slice(at, at + most))
  return shares
}
