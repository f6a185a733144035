import { describe, expect, it } from 'vitest'
import { Crowd } from '../../src/doors/http/crowd.ts'
import { limits } from '../../src/doors/http/limits.ts'
import { openFloor } from './floor.ts'

describe('too many requests at once', () => {
  it('has no place beyond the limit, and again once others have left', () => {
    const crowd = new Crowd()
    const leave = Array.from({ length: limits.requestsUnderWay }, () => {
      expect(crowd.noPlaceFor(0)).toBe(null)
      return crowd.enter(0)
    })
    expect(crowd.noPlaceFor(0)?.message).toMatch('Too many requests are being answered')
    leave[0]?.()
    expect(crowd.noPlaceFor(0)).toBe(null)
  })

  it('has no place for bodies that would not fit into memory together, but always for the only one', () => {
    const crowd = new Crowd()
    expect(crowd.noPlaceFor(limits.bytesUnderWay + 1)).toBe(null)
    const leave = crowd.enter(limits.bytesUnderWay + 1)
    expect(crowd.noPlaceFor(1)?.message).toMatch('Too many large requests are on their way')
    leave()
    expect(crowd.noPlaceFor(1)).toBe(null)
  })

  it('answers 503 with Retry-After, keeps /healthz open, and forgets requests that were cut off', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { address } = await openFloor((app) => {
      app.get('/healthz', async () => 'alive')
      app.get('/slow', async () => {
        await held
        return 'done'
      })
    })
    const patience = new AbortController()
    const cutOff = Array.from({ length: limits.requestsUnderWay }, () =>
      fetch(`${address}/slow`, { signal: patience.signal }).catch(() => null),
    )
    await expect.poll(async () => (await fetch(`${address}/nothing`)).status).toBe(404)
    await expect
      .poll(
        async () => {
          const quick = AbortSignal.timeout(500)
          return fetch(`${address}/slow`, { signal: quick }).then(
            ({ status }) => status,
            () => 0,
          )
        },
        { timeout: 20_000 },
      )
      .toBe(503)
    const away = await fetch(`${address}/slow`)
    expect(away.status).toBe(503)
    expect(away.headers.get('retry-after')).toBe('1')
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    patience.abort()
    await Promise.all(cutOff)
    release()
    await expect.poll(async () => (await fetch(`${address}/slow`)).status).toBe(200)
  })
})
