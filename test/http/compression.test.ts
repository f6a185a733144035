import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openFloor, sendRaw } from './floor.ts'

const page = JSON.stringify({ list: Array.from({ length: 100 }, (_, i) => ({ id: String(i), name: 'Käse' })) })

const served = () =>
  openFloor((app) => {
    app.get('/page', (_request, reply) => reply.type('application/json; charset=utf-8').send(page))
    app.get('/small', () => ({ a: 1 }))
    app.get('/photo', (_request, reply) => reply.type('image/jpeg').send(Buffer.alloc(5000)))
    app.get('/token', (_request, reply) =>
      reply.type('application/json').header('cache-control', 'no-store').send(page),
    )
  })

async function codingOf(path: string, accepted: string): Promise<string> {
  const { port } = await served()
  const answer = await sendRaw(
    port,
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${accepted}\r\nConnection: close\r\n\r\n`,
  )
  return /^content-encoding: (.*)\r$/im.exec(answer)?.[1] ?? 'none'
}

test.each([
  ['/page', 'gzip', 'gzip'],
  ['/page', 'gzip, deflate, br', 'br'],
  ['/page', 'br;q=0, gzip;q=0.5', 'gzip'],
  ['/page', '*', 'gzip'],
  ['/page', 'identity', 'none'],
  ['/page', 'gzip;q=0', 'none'],
  ['/small', 'gzip', 'none'],
  ['/photo', 'gzip', 'none'],
  ['/token', 'gzip, br', 'none'],
])('%s for a caller who accepts %s is compressed with %s', async (path, accepted, coding) => {
  expect(await codingOf(path, accepted)).toBe(coding)
})

test('what arrives is what was sent, and HEAD announces the same length', async () => {
  const { address, app } = await served()
  for (const coding of ['gzip', 'br']) {
    const { rawPayload, headers } = await app.inject({ url: '/page', headers: { 'accept-encoding': coding } })
    const plain = coding === 'br' ? brotliDecompressSync(rawPayload) : gunzipSync(rawPayload)
    expect(plain.toString()).toBe(page)
    expect(Number(headers['content-length'])).toBe(rawPayload.length)
    const head = await fetch(`${address}/page`, { method: 'HEAD', headers: { 'accept-encoding': coding } })
    expect(Number(head.headers.get('content-length'))).toBe(rawPayload.length)
  }
})
