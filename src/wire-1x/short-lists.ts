import { listAccounts } from '../access/accounts.ts'
import type { Caller } from '../access/caller.ts'
import { olderFarm } from '../farm/fields-of.ts'
import { resourceNames } from '../farm/resource-names.ts'
import { textKey } from '../fields/key.ts'
import { shown } from '../fields/place.ts'
import { wholeNumber } from '../fields/scalars.ts'
import type { QueryEntry } from '../formats/query-string.ts'
import { badQuery } from '../records/finding/filter.ts'
import type { Records } from '../records/records.ts'
import { readEdition, requireEdition } from '../storage/farm-state.ts'
import { presentBundles } from '../storage/records/record-lookup.ts'
import { filtersOf, sortingOf } from './list-query.ts'
import type { WireDocument } from './record-template.ts'
import { addressOf } from './spelling.ts'

/** A collection that is short enough to be at hand as a whole: vocabularies, users. */
export interface ShortList {
  readonly type: 'vocabulary' | 'user'
  readonly base: string
  readonly all: readonly WireDocument[]
  /** The fields that it can be filtered and sorted by. */
  readonly names: readonly string[]
}

interface ListReader {
  readonly caller: Caller
  /** The address of the farm. */
  readonly base: string
}

/** Who can be named as an author or owner (spec 2.7): id and name of all, the mail address of oneself only. */
export async function usersFor(installation: Records, { caller, base }: ListReader) {
  const all = (await listAccounts(installation)).map(({ uid, name, mail }) => {
    const user = { uid: String(uid), id: String(uid), name, url: `${base}/user/${uid}` }
    return uid === caller.uid ? { ...user, mail } : user
  })
  return { type: 'user', base, all, names: ['uid', 'id', 'name'] } as const satisfies ShortList
}

/** The vocabularies and their numbers, which differ between installations (spec 2.4). */
export async function vocabulariesFor(installation: Records, { base }: ListReader) {
  const present = await installation.database.read(async (snapshot) => {
    requireEdition(installation, await readEdition(snapshot))
    return presentBundles(snapshot)
  })
  const { bundles } = olderFarm(installation.farm, present).records.term
  const all = [...installation.vocabularies].flatMap(([machine_name, vid]) => {
    const vocabulary = bundles[machine_name]
    if (vocabulary === undefined) return []
    const { title: name, description } = vocabulary
    return [
      { vid: String(vid), id: String(vid), name, machine_name, description, url: addressOf(base, 'vocabulary', vid) },
    ]
  })
  const names = ['vid', 'id', 'name', 'machine_name', 'description'] as const
  return { type: 'vocabulary', base, all, names } as const satisfies ShortList
}

/** The short lists by the resources that they are found under. */
export const shortLists = { [resourceNames.vocabulary]: vocabulariesFor, [resourceNames.user]: usersFor } as const

/** The entries that match a query, in its order. */
export const listedOf = (shortList: ShortList, entries: readonly QueryEntry[]): readonly WireDocument[] =>
  inOrder(shortList, alike(shortList, entries), entries)

const idNames: readonly string[] = ['id', 'vid', 'uid']
const idWords: readonly string[] = [...idNames, 'value', 'eq']

/** Entries equal in every given field; several values are alternatives. */
function alike({ all, names }: ShortList, entries: readonly QueryEntry[]): readonly WireDocument[] {
  const wanted = new Map<string, string[]>()
  for (const { name, brackets, value } of filtersOf(entries)) {
    if (!names.includes(name)) throw badQuery(name, 'is not a field that can be filtered', names)
    const strange = brackets.find((bracket) => !/^\d*$/.test(bracket) && !idWords.includes(bracket))
    if (strange !== undefined) throw badQuery(name, `[${strange}] is not an operator here`, ['eq'])
    if (idNames.includes(name) && value !== '' && wholeNumber(value) === undefined)
      throw badQuery(name, `${shown(value)} is not an id`)
    wanted.set(name, [...(wanted.get(name) ?? []), textKey(value)])
  }
  return all.filter((one) => [...wanted].every(([name, values]) => values.includes(textKey(String(one[name] ?? '')))))
}

/** The requested order; default: by id. */
function inOrder(
  { names }: ShortList,
  found: readonly WireDocument[],
  entries: readonly QueryEntry[],
): readonly WireDocument[] {
  const { sort = 'id', direction } = sortingOf(entries)
  if (!names.includes(sort)) throw badQuery('sort', `cannot sort by ${JSON.stringify(sort)}`, names)
  const keyOf = (one: WireDocument) => (idNames.includes(sort) ? Number(one[sort]) : textKey(String(one[sort] ?? '')))
  const sign = direction === 'asc' ? 1 : -1
  const keyed = found.map((one) => ({ one, key: keyOf(one) }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0)).map(({ one }) => one)
}
