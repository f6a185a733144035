import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { farmos, Visitor, withToken } from './client.ts'
import type { FarmosServer } from './server.ts'

describe('failures by plan', () => {
  let server: FarmosServer
  let visitor: Visitor

  beforeEach(async () => {
    server = await farmos()
    visitor = await withToken(server)
  })

  const statuses = async (count: number, path = '/log.json?limit=1'): Promise<number[]> => {
    const found: number[] = []
    for (let nth = 0; nth < count; nth += 1) found.push((await visitor.get(path)).status)
    return found
  }

  it('fail every nth request', async () => {
    server.fail({ every: 3, status: 502 })
    expect(await statuses(7)).toEqual([200, 200, 502, 200, 200, 502, 200])
  })

  it('fail one request only, those of one address, or so many of them', async () => {
    server.fail({ at: 2, status: 503, headers: { 'Retry-After': '1' } })
    expect(await statuses(3)).toEqual([200, 503, 200])
    server.mend()
    server.fail({ path: /^\/user/, times: 2, status: 500 })
    expect(await statuses(3, '/user.json')).toEqual([500, 500, 200])
    expect(await statuses(1)).toEqual([200])
  })

  it('end when they are mended', async () => {
    server.fail({ status: 504 })
    expect(await statuses(1)).toEqual([504])
    server.mend()
    expect(await statuses(1)).toEqual([200])
  })

  it('say what else a server has to say', async () => {
    server.fail({ at: 1, status: 503, headers: { 'Retry-After': '7' }, body: 'Site under maintenance' })
    const { headers, text } = await visitor.get('/log.json')
    expect([headers.get('retry-after'), text]).toEqual(['7', 'Site under maintenance'])
  })

  it('answer with a page and 200 where JSON was asked for', async () => {
    server.fail({ at: 1, status: 200, body: '<html>Log in to the network</html>' })
    const { headers, text } = await visitor.get('/log.json')
    expect([headers.get('content-type'), text]).toEqual(['text/html', '<html>Log in to the network</html>'])
  })

  it('cut the connection in the middle of a body', async () => {
    server.fail({ cut: true })
    await expect(visitor.get('/log.json')).rejects.toThrow()
  })

  it('cut a file in the middle without a word, as a server does that does not say how long it is', async () => {
    server.fail({ path: /^\/sites/, cut: 'quietly' })
    const { status, text } = await new Visitor(server).get(
      '/sites/default/files/farm/Lieferschein%20Gr%C3%B6%C3%9Fe%201.txt',
    )
    expect([status, 'The content of Lieferschein Größe 1.txt.\n'.startsWith(text), text.length < 30]).toEqual([
      200,
      true,
      true,
    ])
  })

  it('never answer', async () => {
    server.fail({ at: 1, silence: true })
    await expect(fetch(`${server.address}/farm.json`, { signal: AbortSignal.timeout(300) })).rejects.toThrow(/time/)
    expect((await visitor.get('/farm.json')).status).toBe(200)
  })

  it('answer late', async () => {
    server.fail({ at: 1, delay: 200 })
    const before = performance.now()
    expect((await visitor.get('/log.json')).status).toBe(200)
    expect(performance.now() - before).toBeGreaterThan(190)
  })

  it('lead to another host, which then sees whatever the client sends along', async () => {
    const seen: unknown[] = []
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.end('{}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    atEndOfFile(() => void other.close())
    const elsewhere = `http://localhost:${(other.address() as AddressInfo).port}/log.json`
    server.fail({ path: /^\/log/, redirect: elsewhere })
    const { status, headers } = await visitor.get('/log.json')
    expect([status, headers.get('location'), seen]).toEqual([302, elsewhere, []])
  })

  it('are seen from outside: what was asked, and how much of it at once', async () => {
    server.fail({ delay: 100 })
    await Promise.all([1, 2, 3].map((id) => visitor.get(`/log/${id}.json`)))
    expect(server.mostAtOnce).toBe(3)
    expect(
      server.requests
        .map(({ path }) => path)
        .toSorted()
        .slice(0, 2),
    ).toEqual(['/log/1.json', '/log/2.json'])
    await server.reached(4)
  })
})
