import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { takeRawBodies } from '../../src/doors/http/body.ts'
import { Crowd, keepOrder } from '../../src/doors/http/crowd.ts'
import { limits } from '../../src/doors/http/limits.ts'
import { answerTo } from '../../src/doors/http/rim.ts'
import { openFloor } from './floor.ts'

const MIB = 1024 * 1024
const smallRoom = { ...limits, bytesUnderWay: MIB }

describe('too many requests at once', () => {
  it('has no place beyond the limit, and again once others have left', () => {
    const crowd = new Crowd()
    const leave = Array.from({ length: limits.requestsUnderWay }, () => {
      expect(crowd.refusalAtTheDoor()).toBe(null)
      return crowd.enter()
    })
    expect(crowd.refusalAtTheDoor()?.message).toMatch('Too many requests are being answered')
    leave[0]?.()
    expect(crowd.refusalAtTheDoor()).toBe(null)
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

describe('too many bytes at once', () => {
  it('has no place for bodies that would not fit into memory together, but always for small ones', () => {
    const crowd = new Crowd(smallRoom)
    const [first, second] = [crowd.expectBody(), crowd.expectBody()]
    expect(first.take(MIB - 10_000)).toBe(null)
    expect(second.take(60_000)).toBe(null)
    expect(second.take(60_000)?.message).toMatch('Too many large requests are on their way')
    first.letGo()
    first.letGo()
    const third = crowd.expectBody()
    expect(third.take(MIB - 10_000)).toBe(null)
    expect(crowd.expectBody().take(100_000)).not.toBe(null)
  })

  it('gives the place of a refused body to others at once', () => {
    const crowd = new Crowd(smallRoom)
    const refused = crowd.expectBody()
    expect(refused.take(MIB / 2)).toBe(null)
    expect(refused.take(MIB)).not.toBe(null)
    expect(crowd.expectBody().take(MIB - 10_000)).toBe(null)
  })

  it('counts what many small pieces cost, not only their bytes', () => {
    const body = new Crowd(smallRoom).expectBody()
    const refusals = Array.from({ length: 3000 }, () => body.take(1)).filter((refusal) => refusal !== null)
    expect(refusals).not.toEqual([])
  })

  it('lets bodies through while others only announce much and send next to nothing', async () => {
    const { address, port } = await openFloor((app) => {
      app.post('/cow', async ({ body }) => String((body as Buffer).length))
    })
    await Promise.all(Array.from({ length: 20 }, () => upload(port, `Content-Length: ${limits.bodyBytes}`, 'x')))
    for (const length of [3, MIB]) {
      const answer = await fetch(`${address}/cow`, { method: 'POST', body: Buffer.alloc(length) })
      expect([answer.status, await answer.text()]).toEqual([200, String(length)])
    }
  })

  it.each([
    ['in chunks', 'Transfer-Encoding: chunked', `60000\r\n${'x'.repeat(0x60000)}\r\n`],
    ['of announced length', `Content-Length: ${limits.bodyBytes}`, 'x'.repeat(0x60000)],
  ])('answers 503 to the unfinished body %s that is too much, and to no small one', async (_how, header, piece) => {
    const { address, port, hasPlaceFor } = await openSmallRoom()
    const post = (length: number) => fetch(`${address}/cow`, { method: 'POST', body: Buffer.alloc(length) })
    const first = await upload(port, header, piece)
    const second = await upload(port, header, piece)
    await expect.poll(() => hasPlaceFor(300_000)).toBe(false)
    const third = await upload(port, header, piece)
    await expect.poll(third.received).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1[\s\S]*large requests/i)
    expect((await post(3)).status).toBe(200)
    expect([first.received(), second.received()]).toEqual(['', ''])
    first.end()
    second.end()
    await expect.poll(() => hasPlaceFor(MIB - 1000)).toBe(true)
    expect((await post(900_000)).status).toBe(200)
    await expect.poll(() => hasPlaceFor(MIB - 1000)).toBe(true)
  })
})

/** A server with place for one MiB of bodies. */
async function openSmallRoom() {
  const app = Fastify({ bodyLimit: limits.bodyBytes })
  takeRawBodies(app)
  const crowd = new Crowd(smallRoom)
  keepOrder(app, crowd)
  app.setErrorHandler((thrown, request, reply) => reply.send(answerTo(thrown, request, reply)))
  app.post('/cow', async () => 'Berta')
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const hasPlaceFor = (bytes: number) => {
    const body = crowd.expectBody()
    const refusal = body.take(bytes)
    body.letGo()
    return refusal === null
  }
  return { address, port: Number(new URL(address).port), hasPlaceFor }
}

/** Begins a request and leaves it unfinished. */
async function upload(port: number, header: string, piece: string) {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`POST /cow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${header}\r\n\r\n${piece}`)
  return { received: () => received, end: () => socket.destroy() }
}
