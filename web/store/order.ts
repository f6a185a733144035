import type { Entry, PhotoWaiting } from './entry.ts'
import { grouped } from './grouped.ts'

/** Sets in the order in which they are sent, without those that wait for a person, or for something that does. */
export function sendable(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const stuck: Entry[] = []
  const sets: Entry[][] = []
  for (const set of setsIn(entries)) {
    const waits = set.some(
      (entry) => entry.state === 'needs-you' || stuck.some((other) => belongTogether(other, entry)),
    )
    if (waits) stuck.push(...set)
    else sets.push(set)
  }
  return sets
}

/** The first photo whose record is on the farm as far as this device has to do with it: text goes before. */
export function sendablePhoto(entries: readonly Entry[], photos: readonly PhotoWaiting[]): PhotoWaiting | undefined {
  const unsent = new Set(entries.map(({ record }) => record))
  return photos.find(({ state, record }) => state !== 'needs-you' && state !== 'sent' && !unsent.has(record))
}

/** A set stands where the first of it stands. */
const setsIn = (entries: readonly Entry[]) => [
  ...grouped(
    entries.toSorted((one, other) => one.n - other.n),
    ({ set }) => set,
  ).values(),
]

/** Entries on one record, or of which one refers to the other, keep their order. */
export const belongTogether = (one: Entry, other: Entry): boolean =>
  one.record === other.record || one.after.includes(other.record) || other.after.includes(one.record)
