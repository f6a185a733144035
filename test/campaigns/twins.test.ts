import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Twins } from '../../campaigns/fuzz/twins.mjs'
import { Client } from '../../campaigns/ground/client.mjs'
import { Findings } from '../../campaigns/ground/findings.mjs'

interface Answer {
  readonly status: number
  readonly text: string
}

/** A server that answers everything with this. */
async function answering(answer: (port: number) => Answer): Promise<Client> {
  const server = createServer(({ socket }, response) => {
    const { status, text } = answer(socket.localPort ?? 0)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = new Client((server.address() as AddressInfo).port, null)
  onTestFinished(() => {
    client.close()
    server.close()
  })
  return client
}

async function findingsBetween(one: (port: number) => Answer, other: (port: number) => Answer) {
  const findings = new Findings()
  const clients = { sqlite: await answering(one), postgres: await answering(other) }
  const twins = new Twins(clients, { findings, afterWrite: async () => {} })
  await twins.get('/log.json')
  const strict = findings.all().length
  await twins.withoutNumbers().get('/log.json')
  return { strict, withoutNumbers: findings.all().length - strict }
}

it('two engines that give another status, another refusal or another order are found out', async () => {
  const list = { status: 200, text: '{"list":["a","b"]}' }
  expect(
    await findingsBetween(
      () => list,
      () => ({ ...list, status: 201 }),
    ),
  ).toEqual({ strict: 1, withoutNumbers: 1 })
  expect(
    await findingsBetween(
      () => list,
      () => ({ ...list, text: '{"list":["b","a"]}' }),
    ),
  ).toEqual({
    strict: 1,
    withoutNumbers: 1,
  })
})

it('an id counts, unless numbers are left out, and a status inside a batch always does', async () => {
  const result = (id: number, status: number) => () => ({
    status: 200,
    text: JSON.stringify({ results: [{ status, id: String(id), uri: `/log/${id}` }] }),
  })
  expect(await findingsBetween(result(7, 201), result(9, 201))).toEqual({ strict: 1, withoutNumbers: 0 })
  expect(await findingsBetween(result(7, 201), result(7, 404))).toEqual({ strict: 1, withoutNumbers: 1 })
})

it('the address, the moment and what is random are not compared', async () => {
  const now = Math.floor(Date.now() / 1000)
  const record = (later: number) => (port: number) => ({
    status: 200,
    text: JSON.stringify({
      uri: `http://127.0.0.1:${port}/log/1`,
      changed: String(now + later),
      images: [`/file/1/log_image_${now + later}.png`],
      uuid: randomUUID(),
    }),
  })
  expect(await findingsBetween(record(0), record(1))).toEqual({ strict: 0, withoutNumbers: 0 })
})

it('a time in words counts, unless it is the moment', async () => {
  const sheet = (milliseconds: number) => () => {
    const time = new Date(milliseconds).toISOString()
    return { status: 200, text: `id,changed,local\n1,${time},${time.slice(0, 16)}\n` }
  }
  const now = Date.now()
  expect(await findingsBetween(sheet(now), sheet(now + 70_000))).toEqual({ strict: 0, withoutNumbers: 0 })
  const longAgo = now - 3 * 86_400_000
  expect(await findingsBetween(sheet(longAgo), sheet(longAgo + 1000))).toMatchObject({ strict: 1 })
})

it('where a cursor ends is not compared, but whether there is one is', async () => {
  const page = (next: string | null) => () => ({ status: 200, text: JSON.stringify({ changes: [], next }) })
  const ofPostgres = page('Xb9pu8jk.m.12mdyhl18s.q6-2')
  expect(await findingsBetween(page('VVDabD6U.m.1kibntm017'), ofPostgres)).toEqual({ strict: 0, withoutNumbers: 0 })
  expect(await findingsBetween(page(null), ofPostgres)).toEqual({ strict: 1, withoutNumbers: 1 })
})
