import { expect, test } from 'vitest'
import { corrected } from '../../web/sync/sender.ts'
import { entryOf } from './outbox-entries.ts'

const day = 86_400
const saved = (more: object = {}) =>
  entryOf(1, 'move', { at: 9 * day, clock: 'unsure', body: { timestamp: String(9 * day - 60) }, ...more })

test('a clock that was a day fast is corrected in entries saved before it was compared', () => {
  expect(corrected(saved(), day)).toEqual({
    clock: 'compared',
    ahead: day,
    at: 8 * day,
    body: { timestamp: String(8 * day - 60) },
  })
})

test('a day that the user chose is not corrected', () => {
  const chosen = { timestamp: String(3 * day), notes: 'late' }
  expect(corrected(saved({ body: chosen }), day)).toEqual({ clock: 'compared', ahead: day, at: 8 * day })
  expect(corrected(saved({ body: { done: '1' } }), day)).not.toHaveProperty('body')
})

test('a difference of two minutes is not corrected', () => {
  expect(corrected(saved(), 119)).toEqual({ clock: 'compared' })
})

test('a known clock difference is not corrected twice', () => {
  expect(corrected(saved({ ahead: day }), day + 3)).toEqual({ clock: 'compared' })
  expect(corrected(saved({ ahead: day }), 2 * day)).toMatchObject({ at: 8 * day })
})

test('a clock that the phone has corrected since changes nothing', () => {
  expect(corrected(saved({ ahead: day }), 0)).toEqual({ clock: 'compared' })
})

test('an entry that was on the wire is not corrected', () => {
  expect(corrected(saved({ tries: 1 }), day)).toEqual({})
})
