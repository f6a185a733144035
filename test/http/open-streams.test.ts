import { expect, test } from 'vitest'
import { OpenStreams } from '../../src/doors/http/concurrency.ts'

test('who listens has a place until they leave: so many of one account, and so many in all', () => {
  const streams = new OpenStreams({ streamsOfAccount: 2, streams: 3 })
  const leave = streams.enter(1)
  streams.enter(1)
  expect(() => streams.enter(1)).toThrow(expect.objectContaining({ status: 429 }))
  streams.enter(2)
  expect(() => streams.enter(3)).toThrow(expect.objectContaining({ status: 503 }))
  expect(streams.count).toBe(3)
  leave()
  leave()
  expect(streams.count).toBe(2)
  streams.enter(1)
  expect(streams.count).toBe(3)
})
