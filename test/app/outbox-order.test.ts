import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry, WaitingPhoto } from '../../web/store/outbox-entry.ts'
import { belongTogether, sendable, sendablePhoto } from '../../web/sync/sender.ts'
import { entryOf } from './outbox-entries.ts'

const order = (entries: readonly Entry[]) => sendable(entries).map((set) => set.map(({ n }) => n))

describe('what is sent next', () => {
  test('is the oldest set, as a whole', () => {
    const entries = [
      entryOf(1, 'a'),
      entryOf(2, 'b', { set: 'both' }),
      entryOf(3, 'c', { set: 'both' }),
      entryOf(4, 'a'),
    ]
    expect(order(entries)).toEqual([[1], [2, 3], [4]])
  })

  test('skips a set that waits for the user and those that depend on it; others pass', () => {
    const entries = [
      entryOf(1, 'cow', { state: 'needs-you' }),
      entryOf(2, 'cow', { method: 'PUT' }),
      entryOf(3, 'move', { after: ['cow'] }),
      entryOf(4, 'note', { after: ['move'] }),
      entryOf(5, 'hill', { set: 'both' }),
      entryOf(6, 'note', { set: 'both', method: 'PUT' }),
      entryOf(7, 'fence', { after: ['field'] }),
      entryOf(8, 'field', { method: 'DELETE' }),
    ]
    expect(order(entries)).toEqual([[7], [8]])
  })

  test('is not the removal of a record that a waiting entry refers to', () => {
    const entries = [
      entryOf(1, 'move', { after: ['cow'], state: 'needs-you' }),
      entryOf(2, 'cow', { method: 'DELETE' }),
    ]
    expect(order(entries)).toEqual([])
  })
})

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const someEntries = fc
  .array(fc.record({ record: name, after: fc.uniqueArray(name, { maxLength: 2 }), set: name, isStuck: fc.boolean() }))
  .map((some) =>
    some.map(({ record, after, set, isStuck }, at) =>
      entryOf(at, record, { after, set, state: isStuck && at % 3 === 0 ? 'needs-you' : 'waiting' }),
    ),
  )

test('never overtakes a dependency, and never waits without one', () => {
  fc.assert(
    fc.property(someEntries, (entries) => {
      const sets = sendable(entries)
      const going = new Set(sets.flat())
      const staying = entries.filter((entry) => !going.has(entry))
      for (const entry of going) {
        expect(entry.state).not.toBe('needs-you')
        const first = Math.min(...entries.filter(({ set }) => set === entry.set).map(({ n }) => n))
        const before = staying.filter(({ n, set }) => n < first && set !== entry.set)
        expect(before.filter((other) => belongTogether(other, entry))).toEqual([])
      }
      const stuckSets = new Set(staying.map(({ set }) => set))
      for (const set of stuckSets) {
        const own = entries.filter((entry) => entry.set === set)
        const others = staying.filter((entry) => entry.set !== set)
        const hasReason = own.some(
          (entry) => entry.state === 'needs-you' || others.some((other) => belongTogether(other, entry)),
        )
        expect(hasReason).toBe(true)
      }
    }),
  )
})

test('a photo is sent after all entries of its record', () => {
  const photo = (uuid: string, record: string, state: WaitingPhoto['state'] = 'waiting'): WaitingPhoto => ({
    ...{ uuid, record, state, type: 'log', field: 'images', set: uuid, name: '', size: 1, at: 1 },
    ...{ tries: 0, failures: 0, problem: null },
  })
  const photos = [photo('1', 'a', 'needs-you'), photo('2', 'a'), photo('3', 'b', 'sent'), photo('4', 'b')]
  expect(sendablePhoto([entryOf(1, 'a')], photos)?.uuid).toBe('4')
  expect(sendablePhoto([], photos)?.uuid).toBe('2')
  expect(sendablePhoto([entryOf(1, 'a'), entryOf(2, 'b')], photos)).toBeUndefined()
})
