import { createHash } from 'node:crypto'
import type { Field, Fields } from '../../src/fields/field.ts'
import { isTree } from '../../src/fields/place.ts'
import type { Value, Values } from '../../src/fields/value.ts'
import type { MoveDifference } from '../../src/records/moving/move-job.ts'
import type { Records } from '../../src/records/records.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { removedNumbers } from '../../src/storage/identity.ts'
import { entriesOfSet, toldBy } from '../../src/storage/journal.ts'
import { recordPages } from '../../src/storage/records/record-lookup.ts'
import { recordsByIds } from '../../src/storage/records/record-rows.ts'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import { sourceTypes } from './source-lists.ts'
import type { NotedReading } from './target-farm.ts'
import { unknownName } from './translation.ts'

/** This farm as far as it came from the other one. Records are named by type and number: `log 12`. */
export interface FollowState {
  /** Fingerprints of the records as the other farm had them at the last time. */
  readonly bases: ReadonlyMap<string, string>
  /** Records that were ever brought from there. */
  readonly brought: ReadonlySet<string>
  /** Fingerprints of the records here. */
  readonly here: ReadonlyMap<string, string>
  /** Removed records: their numbers are not given again. */
  readonly removed: ReadonlySet<string>
  /** Placeholder terms by vocabulary. */
  readonly standIns: ReadonlyMap<string, number>
  readonly accounts: ReadonlySet<number>
}

export const keyOf = ({ type, id }: Pick<StoredRecord, 'type' | 'id'>): string => `${type} ${id}`

/** The numbers of the quantities among these records. */
export const quantityIds = (keys: readonly string[]): readonly number[] =>
  keys.flatMap((key) => (key.startsWith('quantity ') ? [Number(key.slice('quantity '.length))] : []))

const entriesAtOnce = 500

export async function followState(records: Records, { sets = [] }: NotedReading): Promise<FollowState> {
  const { read } = records.database
  const bases = new Map<string, string>()
  const brought = new Set<string>()
  for (const set of sets) {
    for (let after = 0; ; ) {
      const from = after
      const entries = await read((snapshot) => entriesOfSet(snapshot, { set, after: from, most: entriesAtOnce }))
      for (const entry of entries) {
        const record = toldBy(entry)
        const key = `${entry.record_type} ${entry.record_id}`
        brought.add(key)
        if (record === null) bases.delete(key)
        else bases.set(key, fingerprintOf(record))
      }
      if (entries.length < entriesAtOnce) break
      after = Number(entries.at(-1)?.sequence)
    }
  }
  const here = new Map<string, string>()
  const standIns = new Map<string, number>()
  for (const type of sourceTypes) {
    for await (const page of recordPages(read, type)) {
      for (const record of page) {
        if (type === 'term' && record.values.name === unknownName) standIns.set(record.bundle, record.id)
        else here.set(keyOf(record), fingerprintOf(record))
      }
    }
  }
  for (const [, id] of standIns) bases.delete(`term ${id}`)
  const quantities = quantityIds([...bases.keys()])
  for (const [, quantity] of await read((snapshot) => recordsByIds(snapshot, 'quantity', quantities)))
    if (quantity.log === undefined) here.set(keyOf(quantity), fingerprintOf(quantity))
  const accounts = await read((snapshot) => rowsOf(snapshot, 'account'))
  const removed = await read(removedNumbers)
  return {
    bases,
    brought,
    here,
    removed: new Set(removed.map(({ type, number }) => `${type} ${number}`)),
    standIns,
    accounts: new Set(accounts.map(({ uid }) => Number(uid))),
  }
}

/**
 * A record without its time of change and the UUIDs of its parts, which both sides give for themselves. The source does
 * not say when terms were created.
 */
export const fingerprintOf = ({ type, bundle, uid, created, values }: StoredRecord): string =>
  createHash('sha256')
    .update(JSON.stringify([bundle, uid, type === 'term' ? 0 : created, inOrder(values)]))
    .digest('base64')

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isTree(value)) return value
  const entries = Object.entries(value).filter(([name, inside]) => name !== 'uuid' && inside !== undefined)
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, inside]) => [name, inOrder(inside)])
}

/** The parts of a record keep the UUIDs that they have here. */
export function withKnownParts(values: Values, before: Values, given: ReadonlySet<string>): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, given.has(name) ? value : withUuidsOf(value, before[name])]),
  )
}

function withUuidsOf(value: Value, before: Value | undefined): Value {
  if (Array.isArray(value))
    return value.map((one, index) => withUuidsOf(one, Array.isArray(before) ? before[index] : undefined))
  return isTree(value) && isTree(before) && 'uuid' in value && typeof before.uuid === 'string'
    ? ({ ...value, uuid: before.uuid } as Value)
    : value
}

/** Fields that differ, with both sides. */
export function differingFields(fields: Fields, theirs: Values, ours: Values): readonly MoveDifference[] {
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)])
  return [...names].flatMap((field) => {
    const [there, here] = [theirs[field], ours[field]].map((value) => JSON.stringify(inOrder(value) ?? null))
    return there === here
      ? []
      : [{ field, there: told(theirs[field], fields[field]), here: told(ours[field], fields[field]) }]
  })
}

/** Texts with a format as their text, references as 1.x has them, and nothing as null. Long texts are cut. */
function told(value: Value | undefined, field: Field | undefined): unknown {
  if (value === undefined) return null
  if (Array.isArray(value)) return value.map((one) => told(one, field))
  if (field?.kind === 'reference') return { id: String(value) }
  if (!isTree(value)) return typeof value === 'string' && field?.kind !== 'geometry' ? shortened(value) : value
  if ('format' in value) return told(value.value, field)
  const inside: Fields = field?.kind === 'part' ? field.fields : {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (name === 'uuid' ? [] : [[name, told(one, inside[name])]])),
  )
}

export const shortened = (text: string, most = 300): string =>
  text.length > most ? `${text.slice(0, most - 3)}…` : text
