import {
  activityBundle,
  animalBundle,
  birthBundle,
  comingAndGoing,
  groupBundle,
  logCategoryBundle,
  purchaseBundle,
  saleBundle,
} from '../../src/farm/bundle-names.ts'
import { grouped } from '../store/grouped.ts'
import { termBy } from '../store/local-copy.ts'
import type { LocalChange } from '../store/outbox-entry.ts'
import type { LocalRecord, RecordFields } from '../store/record.ts'
import { countedHeads, groupsOf, placesOf } from '../store/stays.ts'
import {
  type EntryBasics,
  log,
  logFields,
  movesOf,
  type NewRecordChange,
  newRecordChange,
  noteIn,
  type RecordIdentity,
  refsTo,
  refTo,
} from './changes.ts'
import type { ChosenTerm } from './entry-subject.ts'
import { chunks } from './herds.ts'

/** Changes by which animals come, go, are born and join herds; each function returns one set. */

export type AnimalLeaving = 'sold' | 'died' | 'slaughtered' | 'departed'

/** The log category of an activity, if this device does not know it yet. It outlasts the entry that needs it first. */
export function categoryFor(event: AnimalLeaving | 'arrived' | 'bought'): readonly NewRecordChange[] {
  const category = event === 'sold' || event === 'bought' ? undefined : comingAndGoing[event]
  if (category === undefined || termBy(category.uuid) !== undefined) return []
  const { uuid, name } = category
  return [{ ...newRecordChange('term', logCategoryBundle, { name }), uuid }]
}

const categoryIn = (event: AnimalLeaving | 'arrived'): RecordFields =>
  event === 'sold' ? {} : { log_category: [{ uuid: comingAndGoing[event].uuid }] }

/** A single animal, or so many of those that are counted by head. */
export interface HeadShare {
  readonly asset: LocalRecord
  readonly heads: number
}

interface Departure extends EntryBasics {
  readonly what: AnimalLeaving
  readonly who: readonly HeadShare[]
  /** Customer and papers of a sale. */
  readonly more?: RecordFields
}

/** Archives who is gone, from the time of the log on; a flock with animals left stays. */
export function departureOf({ what, who, name, timing, note = '', more }: Departure): readonly LocalChange[] {
  const counted = who.filter(({ asset }) => countedHeads(asset) !== undefined)
  const gone = who.filter(({ asset, heads }) => heads >= (countedHeads(asset) ?? 1))
  return [
    log(what === 'sold' ? saleBundle : activityBundle, {
      ...logFields(name, timing),
      asset: refsTo(who.map(({ asset }) => asset)),
      ...inventoryIn(counted.map(({ asset, heads }) => [asset, -heads])),
      ...categoryIn(what),
      ...more,
      ...noteIn(note),
    }),
    ...gone.map(({ asset }) => archivedAt(asset, timing.at)),
  ]
}

const archivedAt = ({ uuid }: LocalRecord, at: number): LocalChange => ({
  ...{ verb: 'change', type: 'asset', uuid },
  fields: { archived: String(at) },
})

function inventoryIn(changes: readonly (readonly [asset: RecordIdentity, by: number])[]): RecordFields {
  if (changes.length === 0) return {}
  return { inventory: changes.map(([asset, by]) => ({ asset: refTo(asset), value: String(by) })) }
}

/** Animals that the farm does not have yet: one for each tag, and one that stands for so many heads. */
export interface NewStock {
  readonly species: ChosenTerm
  readonly tags: readonly string[]
  readonly heads: number
  /** Name of those counted by head. */
  readonly flock: string
}

interface MadeStock {
  readonly changes: readonly NewRecordChange[]
  readonly all: readonly RecordIdentity[]
  readonly inventory: RecordFields
}

function stockOf({ species, tags, heads, flock }: NewStock): MadeStock {
  const tagged = tags.map((tag) => animalOf({ name: tag, tag, species }))
  const counted = heads > 0 ? [animalOf({ name: flock, tag: '', species })] : []
  const changes = [...tagged, ...counted]
  return {
    changes,
    all: changes.map(({ uuid }) => ({ id: uuid, uuid })),
    inventory: inventoryIn(counted.map(({ uuid }) => [{ id: uuid, uuid }, heads])),
  }
}

interface NewAnimal {
  readonly name: string
  readonly tag: string
  readonly species: ChosenTerm
  /** Sex, date of birth, parents. */
  readonly more?: RecordFields
}

/** Refers to a new species by name: two phones that add "Sheep" make one term. */
export const animalOf = ({ name, tag, species, more }: NewAnimal): NewRecordChange =>
  newRecordChange('asset', animalBundle, {
    name: name.trim() || tag,
    animal_type: 'id' in species ? { ...refTo(species), name: species.name } : { name: species.name },
    ...(tag === '' ? {} : { tag: [{ id: tag }] }),
    ...more,
  })

interface Arrival extends EntryBasics {
  /** `bought` is a purchase. */
  readonly what: 'arrived' | 'bought'
  readonly stock: NewStock | null
  /** Archived animals that come back. */
  readonly back: readonly LocalRecord[]
  readonly herd: LocalRecord | undefined
  readonly to: readonly LocalRecord[]
  /** Seller and papers of a purchase. */
  readonly more?: RecordFields
}

export function arrivalOf({ what, stock, back, herd, to, more, ...basics }: Arrival): readonly LocalChange[] {
  const { name, timing, note = '' } = basics
  const made = stock === null ? undefined : stockOf(stock)
  const all = [...(made?.all ?? []), ...back]
  return [
    ...(made?.changes ?? []),
    ...back.map(({ uuid }): LocalChange => ({ verb: 'change', type: 'asset', uuid, fields: { archived: '0' } })),
    log(what === 'bought' ? purchaseBundle : activityBundle, {
      ...logFields(name, timing),
      asset: refsTo(all),
      ...made?.inventory,
      ...groupsIn(herd === undefined ? [] : [herd]),
      ...placesIn(to),
      ...(what === 'bought' ? {} : categoryIn(what)),
      ...more,
      ...noteIn(note),
    }),
  ]
}

/** All herds of some animals from now on: none means that they leave every herd. */
const onlyGroups = (groups: readonly RecordIdentity[]): RecordFields =>
  groups.length === 0 ? { membership: { leaves: true } } : groupsIn(groups)

const groupsIn = (groups: readonly RecordIdentity[]): RecordFields =>
  groups.length === 0 ? {} : { membership: { group: refsTo(groups) } }

const placesIn = (to: readonly RecordIdentity[]): RecordFields =>
  to.length === 0 ? {} : { movement: { area: refsTo(to) } }

interface Birth extends EntryBasics {
  /** The mother, or a flock counted by head. */
  readonly mother: LocalRecord
  readonly young: readonly { readonly name: string; readonly tag: string; readonly sex: string }[]
  readonly species: ChosenTerm
}

/** The young are in their mother's herds and places. A flock grows by as many; a stillbirth has no animal. */
export function birthOf({ mother, young, species, name, timing, note = '' }: Birth): readonly LocalChange[] {
  const isFlock = countedHeads(mother) !== undefined
  const more = { date: String(timing.at), parent: refsTo([mother]) }
  const made = young.map(({ sex, ...called }) =>
    animalOf({ ...called, species, more: sex === '' ? more : { ...more, animal_sex: sex } }),
  )
  const born = isFlock ? [] : made
  const groups = groupsOf(mother.id, timing.at).flatMap(({ place }) => place ?? [])
  const places = placesOf(mother.id, timing.at).flatMap(({ place, placeType }) => (placeType === 'area' ? place : []))
  return [
    ...born,
    log(birthBundle, {
      ...logFields(name, timing),
      ...(isFlock ? inventoryIn([[mother, young.length]]) : { mother: refTo(mother) }),
      ...(born.length === 0 ? {} : { asset: born.map(({ uuid }) => ({ uuid })) }),
      ...(born.length === 0 ? {} : groupsIn(groups.map(known))),
      ...(born.length === 0 ? {} : placesIn(places.flatMap((id) => (id === null ? [] : [known(id)])))),
      ...noteIn(note),
    }),
  ]
}

/** Ids of the copy, which are UUIDs before there is a number. */
const known = (id: string): RecordIdentity => ({ id, uuid: id.includes('-') ? id : '' })

interface HerdJoining extends EntryBasics {
  /** The herd that they join; undefined if they only leave one. */
  readonly herd: RecordIdentity | undefined
  /** The herd that they leave. */
  readonly from?: RecordIdentity
  readonly members: readonly RecordIdentity[]
  /** Whether they stay in their other herds. */
  readonly others: 'kept' | 'left'
}

/** One log for all that are in the same other herds: a log names every herd of its animals. */
export function joiningOf({ herd, from, members, others, name, timing }: HerdJoining): readonly NewRecordChange[] {
  const herdsOf = (member: RecordIdentity) =>
    others === 'left' ? [] : groupsOf(member.id, timing.at).flatMap(({ place }) => place ?? [])
  const together = grouped(members, (member) => herdsOf(member).toSorted().join())
  return [...together].flatMap(([herds, those]) => {
    const kept = herds.split(',').filter((id) => id !== '' && id !== herd?.id && id !== from?.id)
    return chunks(those).map((some) =>
      log(activityBundle, {
        ...logFields(name, timing),
        asset: refsTo(some),
        ...onlyGroups([...kept.map(known), ...(herd === undefined ? [] : [herd])]),
      }),
    )
  })
}

interface HerdWithStock extends Omit<HerdJoining, 'herd' | 'from'> {
  /** An existing herd, or the name of a new one. */
  readonly herd: LocalRecord | { readonly name: string }
  /** Animals that are made with it. */
  readonly stock: NewStock | null
  /** Animals counted by head, which those that get a tag were among. */
  readonly outOf?: LocalRecord | undefined
  readonly to: readonly LocalRecord[]
  /** Name of the log that moves it. */
  readonly moveName: string
}

/** A herd with its animals, known and new, and the place where it is. */
export function herdOf({
  herd: given,
  stock,
  outOf,
  members,
  to,
  moveName,
  ...basics
}: HerdWithStock): readonly LocalChange[] {
  const group = 'id' in given ? [] : [newRecordChange('asset', groupBundle, { name: given.name })]
  const [herd] = 'id' in given ? [given] : group.map(({ uuid }) => ({ id: uuid, uuid }))
  if (herd === undefined) return []
  const made = stock === null ? null : stockOf(stock)
  const fresh = made?.all ?? []
  const counted = outOf === undefined ? {} : inventoryIn([[outOf, -fresh.length]])
  const isEmptied = outOf !== undefined && fresh.length >= (countedHeads(outOf) ?? 0)
  const [first, ...rest] = joiningOf({ ...basics, herd, members: [...fresh, ...members] })
  return [
    ...group,
    ...(made?.changes ?? []),
    ...(first === undefined
      ? []
      : [{ ...first, fields: { ...first.fields, ...made?.inventory, ...counted } }, ...rest]),
    ...(isEmptied ? [archivedAt(outOf, basics.timing.at)] : []),
    ...(to.length === 0 ? [] : movesOf({ ...basics, name: moveName, assets: [herd, ...members, ...fresh], to })),
  ]
}
