import { now } from '../words/format.ts'
import { memory } from './memory.ts'
import { stayTable } from './stay-table.ts'
import type { Stay, StayKind } from './types.ts'

/** Times are Unix seconds; where none is given, it is now. Stays of the last 400 days are kept, whole. */

/** Where an asset is or was. A log that names two areas makes two. */
export function placesOf(asset: string, at = now()): readonly Stay[] {
  return staysOf(asset).filter(lastingAt(at))
}

/** What is or was in an area: asset, since when, by which log. */
export function contentsOf(area: string, at = now()): readonly Stay[] {
  return staysIn(area).filter(lastingAt(at))
}

/** All stays in an area, in the order of time. */
export function staysIn(area: string): readonly Stay[] {
  return stayTable('movement').in('area', area)
}

/** All stays of an asset, in the order of time. */
export function staysOf(asset: string): readonly Stay[] {
  return stayTable('movement').of(asset)
}

/** The groups that an asset is or was in. */
export function groupsOf(asset: string, at = now()): readonly Stay[] {
  return stayTable('membership').of(asset).filter(lastingAt(at))
}

/** All its memberships, in the order of time. */
export function membershipsOf(asset: string): readonly Stay[] {
  return stayTable('membership').of(asset)
}

/** The members that a group has or had. */
export function membersOf(group: string, at = now()): readonly Stay[] {
  return stayTable('membership').in('asset', group).filter(lastingAt(at))
}

const day = 86_400

/** Whole days since the last animal left; null while one is there, and where none is known to have been. */
export function restOf(area: string, at = now()): number | null {
  let left: number | null = null
  for (const { asset, from, until } of staysIn(area)) {
    if (from > at || !isAnimal(asset)) continue
    if (until === null || until > at) return null
    left = Math.max(left ?? until, until)
  }
  return left === null ? null : Math.floor((at - left) / day)
}

export function isAnimal(asset: string): boolean {
  const bundle = memory.assets.value.get(asset)?.bundle
  return bundle === 'animal' || bundle === 'group'
}

const lastingAt =
  (at: number) =>
  ({ from, until }: Stay): boolean =>
    from <= at && (until === null || until > at)

export type { Stay, StayKind }
