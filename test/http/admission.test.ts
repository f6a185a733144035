import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Admission, admitInTurn } from '../../src/doors/http/admission.ts'
import { takeRawBodies } from '../../src/doors/http/body.ts'
import { answerTo } from '../../src/doors/http/problem-details.ts'
import { limits } from '../../src/limits.ts'
import { houseWith, openFloor } from './floor.ts'

const MIB = 1024 * 1024
const smallRoom = { ...limits, bytesUnderWay: MIB }

describe('too many requests at once', () => {
  it('has no place beyond the limit, and again once others have left', () => {
    const admission = new Admission()
    const leave = Array.from({ length: limits.requestsUnderWay }, () => {
      expect(admission.refusalAtTheDoor()).toBe(null)
      return admission.enter()
    })
    expect(admission.refusalAtTheDoor()?.message).toMatch('The farm is busy: too many requests are being answered')
    leave[0]?.()
    expect(admission.refusalAtTheDoor()).toBe(null)
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
      .poll(async () => {
        const quick = AbortSignal.timeout(500)
        return fetch(`${address}/slow`, { signal: quick }).then(
          ({ status }) => status,
          () => 0,
        )
      })
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
    const admission = new Admission(smallRoom)
    const [first, second, third] = [bodyFrom(admission, 'a'), bodyFrom(admission, 'b'), bodyFrom(admission, 'c')]
    expect(first.take(MIB / 2 - 10_000)).toBe(null)
    expect(second.take(MIB / 2 - 10_000)).toBe(null)
    expect(third.take(60_000)).toBe(null)
    expect(third.take(60_000)?.message).toMatch('The farm is busy: too many large requests are on their way')
    first.letGo()
    first.letGo()
    expect(bodyFrom(admission, 'd').take(MIB / 2 - 10_000)).toBe(null)
    expect(bodyFrom(admission, 'e').take(100_000)).not.toBe(null)
  })

  it('gives the place of a refused body to others at once', () => {
    const admission = new Admission(smallRoom)
    const refused = bodyFrom(admission, 'a')
    expect(refused.take(MIB / 4)).toBe(null)
    expect(refused.take(MIB)).not.toBe(null)
    expect(bodyFrom(admission, 'a').take(MIB / 2 - 10_000)).toBe(null)
    expect(bodyFrom(admission, 'b').take(MIB / 2 - 10_000)).toBe(null)
  })

  it('leaves half of the place to others, however much one sender sends', () => {
    const admission = new Admission(smallRoom)
    const greedy = Array.from({ length: 10 }, () => bodyFrom(admission, 'a').take(100_000))
    expect(greedy.filter((refusal) => refusal === null)).toHaveLength(5)
    expect(bodyFrom(admission, 'b').take(MIB / 2 - 10_000)).toBe(null)
  })

  it('takes the place of bodies that dawdle, slowest first, when others need it, and never of one that has come', () => {
    let now = 0
    const admission = new Admission(smallRoom, () => now)
    const gone: string[] = []
    const begin = (network: string) => {
      const body = bodyFrom(admission, network, () => gone.push(network))
      expect(body.take(300_000)).toBe(null)
      return body
    }
    begin('whole').isWhole()
    now = 1
    begin('slowest')
    now = 2
    const brisk = begin('brisk')
    expect(bodyFrom(admission, 'new').take(200_000)?.message).toMatch('large requests')
    now = limits.briskMs
    expect(brisk.take(1)).toBe(null)
    expect(bodyFrom(admission, 'new').take(200_000)).not.toBe(null)
    expect(gone).toEqual([])
    now = limits.briskMs + 2
    expect(bodyFrom(admission, 'new').take(200_000)).toBe(null)
    expect(gone).toEqual(['slowest'])
    expect(bodyFrom(admission, 'newer').take(300_000)).not.toBe(null)
    now = limits.briskMs + 3
    expect(bodyFrom(admission, 'newer').take(300_000)).toBe(null)
    expect(gone).toEqual(['slowest', 'brisk'])
  })

  it('keeps the place of a body that goes on coming, however long it takes', () => {
    let now = 0
    const admission = new Admission({ ...smallRoom, bytesUnderWay: 8 * MIB }, () => now)
    const steady = bodyFrom(admission, 'steady', () => expect.unreachable('sent away'))
    for (let second = 0; second < 100; second += 1) {
      now = second * 1000
      expect(steady.take(30_000)).toBe(null)
    }
    expect(bodyFrom(admission, 'b').take(4 * MIB - 1000)).toBe(null)
    expect(bodyFrom(admission, 'c').take(3 * MIB)).not.toBe(null)
  })

  it('counts what many small pieces cost, not only their bytes', () => {
    const body = bodyFrom(new Admission(smallRoom), 'a')
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
    const first = await upload(port, from(1, header), piece)
    const second = await upload(port, from(2, header), piece)
    await expect.poll(() => hasPlaceFor(300_000)).toBe(false)
    const third = await upload(port, from(3, header), piece)
    await expect.poll(third.received).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1[\s\S]*large requests/i)
    expect((await post(3)).status).toBe(200)
    expect([first.received(), second.received()]).toEqual(['', ''])
    first.end()
    second.end()
    await expect.poll(() => hasPlaceFor(MIB / 2 - 1000)).toBe(true)
    expect((await post(500_000)).status).toBe(200)
    await expect.poll(() => hasPlaceFor(MIB / 2 - 1000)).toBe(true)
  })

  it('lets one sender, behind a trusted proxy too, hold up nobody but themselves', async () => {
    const { address, port } = await openSmallRoom()
    const post = (sender: number) =>
      fetch(`${address}/cow`, {
        method: 'POST',
        body: Buffer.alloc(200_000),
        headers: { 'x-forwarded-for': `192.0.2.${sender}` },
      })
    const uploads: Awaited<ReturnType<typeof upload>>[] = []
    for (let count = 0; count < 4; count += 1) {
      uploads.push(await upload(port, from(1, `Content-Length: ${limits.bodyBytes}`), 'x'.repeat(400_000)))
    }
    await expect.poll(() => uploads.filter(({ received }) => received().startsWith('HTTP/1.1 503')).length).toBe(3)
    expect((await post(1)).status).toBe(503)
    expect((await post(2)).status).toBe(200)
  })

  it('answers 503 to those who send much and then drip, as soon as others come', async () => {
    const { address, port, hasPlaceFor } = await openSmallRoom({ briskMs: 1500 })
    const drip = await Promise.all(
      [1, 2].map((sender) => upload(port, from(sender, `Content-Length: ${limits.bodyBytes}`), 'x'.repeat(500_000))),
    )
    await expect.poll(() => hasPlaceFor(200_000)).toBe(false)
    const dripping = setInterval(() => {
      for (const { send } of drip) send('x')
    }, 50)
    onTestFinished(() => clearInterval(dripping))
    await setTimeout(1700)
    expect(drip.map(({ received }) => received())).toEqual(['', ''])
    const answer = await fetch(`${address}/cow`, { method: 'POST', body: Buffer.alloc(200_000) })
    expect(answer.status).toBe(200)
    await expect
      .poll(() => drip.map(({ received }) => received()).join(''))
      .toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1[\s\S]*comes too slowly/i)
  })

  it('gives the places of requests whose small bodies never end to others', async () => {
    const { address, port } = await openSmallRoom({ requestsUnderWay: 3, briskMs: 1500 })
    const slow = await Promise.all([1, 2, 3].map((sender) => upload(port, from(sender, 'Content-Length: 10'), 'x')))
    const post = () => fetch(`${address}/cow`, { method: 'POST', body: 'x' })
    await expect.poll(async () => (await post()).status).toBe(503)
    await setTimeout(1700)
    expect((await post()).status).toBe(200)
    await expect
      .poll(() => slow.map(({ received }) => received()).join(''))
      .toMatch(/^HTTP\/1\.1 503 [\s\S]*comes too slowly/i)
  })
})

const bodyFrom = (admission: Admission, network: string, sendAway: () => void = () => {}) =>
  admission.expectBody({ network, sendAway })

/** The headers of a request that a proxy hands on for somebody. */
const from = (sender: number, header: string) => `X-Forwarded-For: 192.0.2.${sender}\r\n${header}`

/** A server with place for one MiB of bodies, behind a proxy on this machine. */
async function openSmallRoom(room: Partial<Record<keyof typeof limits, number>> = {}) {
  const app = Fastify({ bodyLimit: limits.bodyBytes })
  takeRawBodies(app)
  const admission = new Admission({ ...smallRoom, ...room })
  admitInTurn(app, houseWith({ trustedProxies: ['127.0.0.1'] }), admission)
  app.setErrorHandler((thrown, request, reply) => reply.send(answerTo(thrown, request, reply)))
  app.post('/cow', async () => 'Berta')
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const hasPlaceFor = (bytes: number) => {
    const body = bodyFrom(admission, 'visitor')
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
  return { received: () => received, send: (more: string) => socket.write(more), end: () => socket.destroy() }
}
