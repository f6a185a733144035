import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { WakeSignal } from '../../web/sync/schedule.ts'

const long = 60_000

test('a wait leaves no listener behind, however it ends', async () => {
  const bell = new WakeSignal()
  const { signal } = new AbortController()
  await bell.wait(1, signal)
  const rung = bell.wait(long, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  bell.wake()
  await rung
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('an earlier wake-up ends the next wait at once, and an abort ends any wait', async () => {
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
