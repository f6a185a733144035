import { animalBundle, assetPictures, logPictures, plantingBundle } from '../../src/farm/bundle-names.ts'
import { assets, terms } from '../store/local-copy.ts'
import { idsIn, isArea, isGroup, type LocalRecord, type LocalRecordType } from '../store/record.ts'
import { groupsOf, membersOf } from '../store/stays.ts'
import type { IconName } from './icon.tsx'

const logIcons: Readonly<Record<string, IconName>> = logPictures
const assetIcons: Readonly<Record<string, IconName>> = assetPictures

/** Icon by words in the name of a species, group or crop. */
const kinds: readonly (readonly [RegExp, IconName])[] = [
  [/sheep|\bewe|lamb|\bram\b|goat|flock/i, 'sheep'],
  [/\bhen|chick|poultry|duck|goose|geese|turkey|laying/i, 'hen'],
  [/\bpig|\bsows?\b|\bboar|\bhogs?\b|swine/i, 'pig'],
  [/wheat|barley|\boat|\brye|corn|maize|spelt|grain/i, 'wheat'],
  [/apple|\bpear|plum|cherr|nut|olive|tree|orchard/i, 'tree'],
]

/** Icon of a bundle. */
export function iconOfKind(type: LocalRecordType, bundle: string): IconName {
  if (type === 'log') return logIcons[bundle] ?? 'records'
  if (type === 'term') return isArea({ bundle }) ? 'map' : 'more'
  return assetIcons[bundle] ?? 'records'
}

/** Icon of a log in lists: an activity that is not a move shows its subject. */
export function iconOfLog({ bundle, fields }: LocalRecord): IconName {
  const known = logIcons[bundle]
  if (known !== undefined) return known
  if (fields.movement !== undefined) return 'move'
  const first = assets.value.get(idsIn(fields.asset)[0] ?? '')
  return first === undefined ? 'records' : iconOfAsset(first)
}

/** Icon of an asset, in lists and on the map. */
export function iconOfAsset(asset: LocalRecord): IconName {
  if (asset.bundle === animalBundle)
    return kindNamed(typesOf(asset, 'animal_type')) ?? kindNamed(groupNamesOf(asset)) ?? 'cow'
  if (asset.bundle === plantingBundle) return kindNamed(typesOf(asset, 'crop')) ?? 'carrot'
  if (isGroup(asset)) return kindNamed([asset.name]) ?? iconOfMembers(asset)
  return assetIcons[asset.bundle] ?? 'records'
}

function iconOfMembers({ id }: LocalRecord): IconName {
  const member = assets.value.get(membersOf(id)[0]?.asset ?? '')
  return member === undefined || isGroup(member) ? 'cow' : iconOfAsset(member)
}

const kindNamed = (names: readonly string[]): IconName | undefined =>
  kinds.find(([words]) => names.some((name) => words.test(name)))?.[1]

/** Names of the types and their parents: a breed may be below its species. */
function typesOf({ fields }: LocalRecord, field: string): string[] {
  const types = idsIn(fields[field]).flatMap((id) => terms.value.get(id) ?? [])
  const above = types.flatMap((type) => idsIn(type.fields.parent)).flatMap((id) => terms.value.get(id) ?? [])
  return [...types, ...above].map(({ name }) => name)
}

const groupNamesOf = ({ id }: LocalRecord): string[] =>
  groupsOf(id).flatMap(({ place }) => assets.value.get(place ?? '')?.name ?? [])
