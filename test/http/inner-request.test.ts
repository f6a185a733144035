import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { Admission, admitInTurn } from '../../src/doors/http/admission.ts'
import { askWithin } from '../../src/doors/http/inner-request.ts'
import { limits } from '../../src/limits.ts'
import { houseWith, openFloor } from './floor.ts'

const inner = (url: string, more: object = {}) => ({ method: 'GET', url, headers: {}, body: null, ...more })

test('a request within another comes from the same address and caller, with headers of its own', async () => {
  const { address } = await openFloor((app, installation) => {
    app.post('/inner', (request) => ({
      headers: request.headers,
      address: request.socket.remoteAddress,
      body: String(request.body),
    }))
    app.get('/outer', async (request) => {
      const headers = { accept: 'x/y', authorization: 'mine', 'content-length': '7', 'transfer-encoding': 'chunked' }
      const { status, body } = await askWithin(
        { request, installation, room: 1e6 },
        inner('/inner', { method: 'POST', headers, body: 'ä' }),
      )
      return { status, ...JSON.parse(body ?? ''), clock: installation.clock() }
    })
  })
  const answer = await fetch(`${address}/outer`, { headers: { authorization: 'Bearer a', 'user-agent': 'cow' } })
  expect(await answer.json()).toMatchObject({
    status: 200,
    address: '127.0.0.1',
    body: 'ä',
    headers: {
      accept: 'x/y',
      authorization: 'Bearer a',
      'user-agent': 'cow',
      'content-length': '2',
      host: new URL(address).host,
    },
  })
})

test('keeps no more of its answer than there is room for', async () => {
  const { address } = await openFloor((app, installation) => {
    app.get('/inner', () => 'x'.repeat(100_000))
    app.get('/outer', async (request) => {
      const rooms = await Promise.all(
        [100_000, 99_999].map((room) => askWithin({ request, installation, room }, inner('/inner'))),
      )
      return rooms.map(({ body }) => body?.length ?? null)
    })
  })
  expect(await (await fetch(`${address}/outer`)).json()).toEqual([100_000, null])
})

test('it takes no place of its own among the requests under way, and leaves none behind', async () => {
  const app = Fastify()
  const installation = houseWith()
  admitInTurn(app, installation, new Admission({ ...limits, requestsUnderWay: 1 }))
  app.get('/inner', () => 'in')
  app.get('/outer', async (request) => {
    const statuses = []
    for (let n = 0; n < 3; n++)
      statuses.push((await askWithin({ request, installation, room: 1000 }, inner('/inner'))).status)
    return statuses
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  for (let n = 0; n < 3; n++) expect(await (await fetch(`${address}/outer`)).json()).toEqual([200, 200, 200])
})
