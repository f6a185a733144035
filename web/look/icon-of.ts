import { animalBundle, assetPictures, logPictures, plantingBundle } from '../../src/farm/bundle-names.ts'
import { assets, terms } from '../store/local-copy.ts'
import { idsIn, isArea, isGroup, type KeptRecord, type KeptRecordType } from '../store/record.ts'
import { groupsOf, membersOf } from '../store/stays.ts'
import type { IconName } from './icon.tsx'

const logIcons: Readonly<Record<string, IconName>> = logPictures
const assetIcons: Readonly<Record<string, IconName>> = assetPictures

/** What an animal, its group or a crop is called decides its picture. */
const kinds: readonly (readonly [RegExp, IconName])[] = [
  [/sheep|\bewe|lamb|\bram\b|goat|flock/i, 'sheep'],
  [/\bhen|chick|poultry|duck|goose|geese|turkey|laying/i, 'hen'],
  [/\bpig|\bsows?\b|\bboar|\bhogs?\b|swine/i, 'pig'],
  [/wheat|barley|\boat|\brye|corn|maize|spelt|grain/i, 'wheat'],
  [/apple|\bpear|plum|cherr|nut|olive|tree|orchard/i, 'tree'],
]

/** The picture of a kind that there may be nothing of yet. */
export function iconOfKind(type: KeptRecordType, bundle: string): IconName {
  if (type === 'log') return logIcons[bundle] ?? 'records'
  if (type === 'term') return isArea({ bundle }) ? 'map' : 'more'
  return assetIcons[bundle] ?? 'records'
}

/** The picture beside a log in lists: an activity that is no move shows whom it is about. */
export function iconOfLog({ bundle, fields }: KeptRecord): IconName {
  const known = logIcons[bundle]
  if (known !== undefined) return known
  if (fields.movement !== undefined) return 'move'
  const first = assets.value.get(idsIn(fields.asset)[0] ?? '')
  return first === undefined ? 'records' : iconOfAsset(first)
}

/** The picture beside an asset: in lists, and with its number on the map. */
export function iconOfAsset(asset: KeptRecord): IconName {
  if (asset.bundle === animalBundle)
    return kindNamed(typesOf(asset, 'animal_type')) ?? kindNamed(groupNamesOf(asset)) ?? 'cow'
  if (asset.bundle === plantingBundle) return kindNamed(typesOf(asset, 'crop')) ?? 'carrot'
  if (isGroup(asset)) return kindNamed([asset.name]) ?? iconOfMembers(asset)
  return assetIcons[asset.bundle] ?? 'records'
}

function iconOfMembers({ id }: KeptRecord): IconName {
  const member = assets.value.get(membersOf(id)[0]?.asset ?? '')
  return member === undefined || isGroup(member) ? 'cow' : iconOfAsset(member)
}

const kindNamed = (names: readonly string[]): IconName | undefined =>
  kinds.find(([words]) => names.some((name) => words.test(name)))?.[1]

/** A breed may stand below its species. */
function typesOf({ fields }: KeptRecord, field: string): string[] {
  const types = idsIn(fields[field]).flatMap((id) => terms.value.get(id) ?? [])
  const above = types.flatMap((type) => idsIn(type.fields.parent)).flatMap((id) => terms.value.get(id) ?? [])
  return [...types, ...above].map(({ name }) => name)
}

const groupNamesOf = ({ id }: KeptRecord): string[] =>
  groupsOf(id).flatMap(({ place }) => assets.value.get(place ?? '')?.name ?? [])
