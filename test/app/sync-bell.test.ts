import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { WakeSignal } from '../../web/sync/schedule.ts'

const long = 60_000

test('whoever waits for a bell leaves nothing behind, however the waiting ends', async () => {
  const bell = new WakeSignal()
  const { signal } = new AbortController()
  await bell.wait(1, signal)
  const rung = bell.wait(long, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  bell.wake()
  await rung
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a bell that was rung before lets the next one pass, and nobody waits longer than until the end', async () => {
  const bell = new WakeSignal()
  const over = new AbortController()
  bell.wake()
  await bell.wait(long, over.signal)
  const waiting = bell.wait(long, over.signal)
  over.abort()
  await waiting
  await bell.wait(long, over.signal)
  expect(getEventListeners(over.signal, 'abort')).toEqual([])
})
