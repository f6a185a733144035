import { areaBundle } from '../farm/bundle-names.ts'
import { trimmedTextKey } from '../fields/key.ts'
import { uuidIn, wholeNumber } from '../fields/scalars.ts'
import type { Transaction } from '../storage/database.ts'
import { identitiesOf } from '../storage/identity.ts'
import { bundlesOfLocked } from '../storage/records/record-rows.ts'
import { allByKeys } from '../storage/records/term-rows.ts'
import type { MapFaults } from './map-faults.ts'
import type { MapOptions } from './map-options.ts'
import { plainText, type SentArea } from './sent-map.ts'

/** The existing areas by feature index; features without an entry are new. */
type AreaMatches = ReadonlyMap<number, number>

interface AreasToMatch {
  readonly areas: readonly SentArea[]
  readonly wish: MapOptions
  readonly faults: MapFaults
}

/** Matches features with existing areas. Each area matches one feature at most. */
export async function matchedAreas(tx: Transaction, asked: AreasToMatch): Promise<AreaMatches> {
  const ways = { uuid: byUuid, id: byId, name: byName }
  const found = await ways[asked.wish.match](tx, asked)
  const first = new Map<number, number>()
  for (const [index, id] of found) {
    const earlier = first.get(id)
    if (earlier === undefined) first.set(id, index)
    else asked.faults.add(index, { field: asked.wish.match, message: `is the same area as features[${earlier}]` })
  }
  return found
}

const wordsUnder = (name: string, areas: readonly SentArea[]): readonly (readonly [number, string])[] =>
  areas.flatMap(({ index, properties }) => {
    const text = plainText(properties.get(name) ?? '')
    return text === '' ? [] : [[index, text] as const]
  })

async function byUuid(tx: Transaction, { areas, faults }: AreasToMatch): Promise<Map<number, number>> {
  const words = wordsUnder('uuid', areas)
  const known = await identitiesOf(
    tx,
    words.flatMap(([, word]) => uuidIn(word) ?? []),
  )
  const matched = new Map<number, number>()
  const firstOf = new Map<string, number>()
  for (const [index, word] of words) {
    const uuid = uuidIn(word)
    const identity = uuid === undefined ? undefined : known.get(uuid)
    const earlier = firstOf.get(uuid ?? '')
    if (uuid !== undefined) firstOf.set(uuid, earlier ?? index)
    // A malformed UUID is reported as a fault of the record.
    if (identity === undefined && earlier !== undefined)
      faults.add(index, { field: 'uuid', message: `is that of features[${earlier}], too` })
    if (identity === undefined) continue
    if (identity.removed !== null)
      faults.add(index, {
        field: 'uuid',
        message: 'is that of something that was removed: restore it, or leave it out',
      })
    else if (identity.type !== 'term') faults.add(index, notAnArea('uuid'))
    else matched.set(index, identity.number)
  }
  return areasAmong(tx, matched, { field: 'uuid', faults })
}

async function byId(tx: Transaction, { areas, faults }: AreasToMatch): Promise<Map<number, number>> {
  const matched = new Map<number, number>()
  for (const [index, word] of wordsUnder('id', areas)) {
    const id = wholeNumber(word)
    if (id === undefined) faults.add(index, { field: 'id', message: `${JSON.stringify(word)} is not a number` })
    else matched.set(index, id)
  }
  return areasAmong(tx, matched, { field: 'id', faults })
}

async function byName(tx: Transaction, { areas, faults }: AreasToMatch): Promise<Map<number, number>> {
  const names = nameKeys(areas)
  const hits = await areasNamed(tx, names)
  const matched = new Map<number, number>()
  const firstOf = new Map<string, number>()
  for (const [index, key] of names) {
    const [id, ...others] = hits.get(key) ?? []
    const earlier = firstOf.get(key)
    if (earlier !== undefined && id === undefined)
      faults.add(index, { field: 'name', message: `is that of features[${earlier}], too` })
    firstOf.set(key, earlier ?? index)
    if (id === undefined) continue
    if (others.length === 0) matched.set(index, id)
    else {
      const allowed = [id, ...others].map((one) => `id ${one}`)
      faults.add(index, { field: 'name', message: 'is that of several areas: match by uuid or id', allowed })
    }
  }
  return matched
}

type NameKeys = readonly (readonly [index: number, key: string])[]

const nameKeys = (areas: readonly SentArea[]): NameKeys =>
  areas.flatMap((area) => {
    const nameText = area.said.get('name')
    return nameText === undefined ? [] : [[area.index, trimmedTextKey(plainText(nameText.text))] as const]
  })

const areasNamed = (tx: Transaction, names: NameKeys) =>
  allByKeys(tx, areaBundle, [...new Set(names.map(([, key]) => key))])

/** New features, each with the one area of the farm that has its name already. */
export async function namesakesOf(tx: Transaction, fresh: readonly SentArea[]): Promise<AreaMatches> {
  const names = nameKeys(fresh)
  const hits = await areasNamed(tx, names)
  return new Map(
    names.flatMap(([index, key]) => {
      const [id, ...others] = hits.get(key) ?? []
      return id === undefined || others.length > 0 ? [] : [[index, id] as const]
    }),
  )
}

interface MatchFaults {
  readonly field: string
  readonly faults: MapFaults
}

async function areasAmong(
  tx: Transaction,
  matched: ReadonlyMap<number, number>,
  { field, faults }: MatchFaults,
): Promise<Map<number, number>> {
  const there = new Map<number, number>()
  const all = [...matched]
  for (let start = 0; start < all.length; start += areasAtOnce) {
    const slice = all.slice(start, start + areasAtOnce)
    const bundles = await bundlesOfLocked(
      tx,
      'term',
      slice.map(([, id]) => id),
    )
    for (const [index, id] of slice) {
      if (bundles.get(id) === areaBundle) there.set(index, id)
      else faults.add(index, notAnArea(field))
    }
  }
  return there
}

const areasAtOnce = 500

const notAnArea = (field: string) => ({ field, message: 'is that of no area here' })
