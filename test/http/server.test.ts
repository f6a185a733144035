import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { readBody } from '../../src/doors/http/body.ts'
import { Refusal } from '../../src/refusal.ts'
import { openFloor, sendRaw } from './floor.ts'

/** The parts of a problem that are looked at one by one. */
const problemIn = async (response: Response) =>
  (await response.json()) as { type: string; detail: string; request_id: string }

const twoRoutes = () =>
  openFloor((app) => {
    app.get('/cow/:id', () => ({ name: 'Berta' }))
    app.post('/cow', (request) => ({ read: readBody(request) }))
    app.get('/refuse/:name', (request) => {
      const { name } = request.params as { name: string }
      if (name === 'bug') throw new Error('the secret of the house')
      if (name === 'string') throw 'not even an error'
      if (name === 'busy') throw new Refusal('busy', 'Later.', { retryAfterSeconds: 7 })
      if (name === 'who')
        throw new Refusal('unauthenticated', 'Who are you?', { challenge: { error: 'invalid_token' } })
      throw new Refusal('invalid-content', 'No & never.', {
        faults: [{ field: 'quantity.0.measure', message: 'not <known>', allowed: ['count', 'weight'] }],
      })
    })
  })

describe('refusals (spec 7 leaves them open)', () => {
  test('come as problem details with every fault', async () => {
    const { address } = await twoRoutes()
    const response = await fetch(`${address}/refuse/faults`)
    expect(response.status).toBe(422)
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(await problemIn(response)).toEqual({
      type: 'urn:furrow:refusal:invalid-content',
      title: 'The content is not valid',
      status: 422,
      detail: 'No & never.',
      errors: [{ field: 'quantity.0.measure', message: 'not <known>', allowed: ['count', 'weight'] }],
    })
  })

  test.each([
    ['/refuse/faults', { accept: 'application/xml' }],
    ['/refuse/faults', { accept: 'text/xml;q=0.9, application/json;q=0.2' }],
    ['/refuse/nothing.xml', {}],
  ])('come as XML when %s is asked with %o', async (path, headers) => {
    const { address } = await twoRoutes()
    const response = await fetch(address + path, { headers: { accept: '*/*', ...headers } })
    expect(response.status).toBe(422)
    expect(response.headers.get('content-type')).toBe('application/problem+xml; charset=utf-8')
    expect(await response.text()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<problem xmlns="urn:ietf:rfc:7807"><type>urn:furrow:refusal:invalid-content</type>' +
        '<title>The content is not valid</title><status>422</status><detail>No &amp; never.</detail><errors><i>' +
        '<field>quantity.0.measure</field><message>not &lt;known&gt;</message><allowed><i>count</i><i>weight</i></allowed>' +
        '</i></errors></problem>',
    )
  })

  test('to an XML body come as XML', async () => {
    const { address } = await twoRoutes()
    const response = await fetch(`${address}/cow`, {
      method: 'POST',
      body: '<cow>',
      headers: { 'content-type': 'application/xml' },
    })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toContain('problem+xml')
  })

  test('say when to come again and how to log in', async () => {
    const { address } = await twoRoutes()
    const busy = await fetch(`${address}/refuse/busy`)
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '7'])
    const who = await fetch(`${address}/refuse/who`)
    expect([who.status, who.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="farm", error="invalid_token"',
    ])
  })

  test.each(['bug', 'string'])('a %s that is thrown is a silent 500; the log knows more', async (name) => {
    const { address, lines } = await twoRoutes()
    const response = await fetch(`${address}/refuse/${name}`)
    const problem = await problemIn(response)
    expect(response.status).toBe(500)
    expect(problem).toEqual({
      type: 'urn:furrow:bug',
      title: 'Something went wrong here',
      detail: 'It is a fault of this server: its log has more under this request_id.',
      status: 500,
      request_id: expect.any(String),
    })
    expect(response.headers.get('x-request-id')).toBe(problem.request_id)
    expect(lines.at(-1)).toMatchObject({ id: problem.request_id, status: 500 })
    expect(lines.at(-1)?.bug).toContain(name === 'bug' ? 'the secret of the house' : 'thrown: string')
  })
})

describe('addresses and methods', () => {
  test('an unknown address is 404, whatever the method and however long the body', async () => {
    const { address } = await twoRoutes()
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const body = method === 'GET' ? null : 'x'.repeat(100_000)
      expect((await fetch(`${address}/sheep`, { method, body })).status, method).toBe(404)
    }
  })

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])(
    '%s on a page that is only read is 405 and says what works',
    async (method) => {
      const { address } = await twoRoutes()
      const response = await fetch(`${address}/cow/5?full=1`, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect((await problemIn(response)).type).toBe('urn:furrow:refusal:method-not-allowed')
    },
  )

  test('TRACE is 405 and gives nothing back of what was sent', async () => {
    const { port } = await twoRoutes()
    const answer = await sendRaw(
      port,
      'TRACE /cow/5 HTTP/1.1\r\nHost: a\r\nCookie: secret=1\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 405 /)
    expect(answer).not.toContain('secret')
  })

  test('OPTIONS tells the methods and nothing else', async () => {
    const { address } = await twoRoutes()
    const response = await fetch(`${address}/cow`, { method: 'OPTIONS' })
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([204, 'POST, OPTIONS', ''])
  })

  test('HEAD and a trailing slash work, another case does not', async () => {
    const { address } = await twoRoutes()
    const head = await fetch(`${address}/cow/5`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '16', ''])
    expect((await fetch(`${address}/cow/5/`)).status).toBe(200)
    expect((await fetch(`${address}/COW/5`)).status).toBe(404)
  })

  test('a GET or DELETE may name a content type without having a body', async () => {
    const { address } = await twoRoutes()
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${address}/cow/5`, { headers })).status).toBe(200)
    expect((await fetch(`${address}/cow/5`, { headers, method: 'DELETE' })).status).toBe(405)
  })
})

describe('limits on the request as such', () => {
  test('an address of 8 KiB passes, one byte more is 414 and names the limit', async () => {
    const { address } = await twoRoutes()
    const fill = (length: number) => `/cow/${'5'.repeat(length - '/cow/'.length)}`
    expect((await fetch(address + fill(8192))).status).toBe(200)
    const response = await fetch(address + fill(8193))
    expect(response.status).toBe(414)
    expect((await problemIn(response)).detail).toContain('8 KiB')
  })

  test('headers beyond 16 KiB are 431', async () => {
    const { port } = await twoRoutes()
    const answer = await sendRaw(port, `GET /cow/5 HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 [\s\S]*"type":"urn:furrow:refusal:headers-too-large"[\s\S]*16 KiB/)
  })

  test('a body beyond 32 MiB is 413, announced or in chunks, and the connection lives on', async () => {
    const { port } = await twoRoutes()
    const tooMuch = Buffer.alloc(32 * 1024 * 1024 + 1, 'a')
    const next = 'GET /cow/5 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const head = 'POST /cow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
    const announced = await sendRaw(port, `${head}Content-Length: ${tooMuch.length}\r\n\r\n`, tooMuch, next)
    expect(announced).toMatch(/^HTTP\/1\.1 413 [\s\S]*32 MiB[\s\S]*HTTP\/1\.1 200 [\s\S]*Berta/)
    const size = tooMuch.length.toString(16)
    const chunked = await sendRaw(
      port,
      `${head}Transfer-Encoding: chunked\r\n\r\n${size}\r\n`,
      tooMuch,
      '\r\n0\r\n\r\n',
      next,
    )
    expect(chunked).toMatch(/^HTTP\/1\.1 413 [\s\S]*32 MiB[\s\S]*HTTP\/1\.1 200 [\s\S]*Berta/)
  })

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an unknown method', 'MOO /cow/5 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['two lengths', 'POST /cow HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    [
      'length and chunks',
      'POST /cow HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST /cow HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\n'],
    ['a broken chunk', 'POST /cow HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a header that folds', 'GET /cow/5 HTTP/1.1\r\nHost: a\r\nX: a\r\n b\0\r\n\r\n'],
    ['HTTP/1.1 without a host', 'GET /cow/5 HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('%s is 400', async (_what, bytes) => {
    const { port } = await twoRoutes()
    expect(await sendRaw(port, bytes)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test.each(['/cow/%', '/cow/%zz', '/cow/%C3%28', '/%E0%A4%A', '/nothing/%ff?a=%zz'])(
    'the address %s is a 4xx',
    async (path) => {
      const { port, lines } = await twoRoutes()
      const answer = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(
        /^HTTP\/1\.1 40[04] [\s\S]*x-content-type-options: nosniff[\s\S]*problem\+json[\s\S]*"status":40[04]/i,
      )
      expect(lines).toHaveLength(1)
    },
  )

  test('a caller who never finishes the headers, or falls silent, is not waited for', async () => {
    const { app } = await twoRoutes()
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = app.server
    expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 600_000,
      timeout: 30_000,
      keepAliveTimeout: 60_000,
    })
  })

  test('a body that breaks off leaves the server standing', async () => {
    const { address, port, lines } = await twoRoutes()
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST /cow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"')
      setTimeout(() => socket.resetAndDestroy(), 50)
    })
    await new Promise((resolve) => socket.on('close', resolve))
    await expect.poll(() => lines).toHaveLength(1)
    expect((await fetch(`${address}/cow/5`)).status).toBe(200)
    expect(lines).toMatchObject([
      { path: '/cow', aborted: true },
      { path: '/cow/5', status: 200 },
    ])
  })
})

describe('every answer', () => {
  test.each(['/cow/5', '/nothing', '/refuse/bug', '/refuse/who'])(
    'of %s carries the headers that keep browsers careful',
    async (path) => {
      const { address } = await twoRoutes()
      const { headers } = await fetch(address + path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': 'private, no-cache, must-revalidate',
        vary: 'Accept, Accept-Encoding, Authorization, Cookie',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(headers.get('server') ?? headers.get('x-powered-by')).toBeNull()
    },
  )

  test('may have a policy and a lifetime of its own, but a refusal falls back', async () => {
    const { address } = await openFloor((app) => {
      app.get('/page', (request, reply) => {
        reply.header('content-security-policy', "default-src 'self'").header('cache-control', 'public, max-age=60')
        if (request.url.includes('no')) throw new Refusal('forbidden', 'No.')
        return 'page'
      })
    })
    const page = await fetch(`${address}/page`)
    expect(page.headers.get('content-security-policy')).toBe("default-src 'self'")
    expect(page.headers.get('cache-control')).toBe('public, max-age=60')
    const refused = await fetch(`${address}/page?no`)
    expect(refused.headers.get('cache-control')).toBe('private, no-cache, must-revalidate')
  })

  test('has one line in the log, without anything that could be a secret', async () => {
    const { address, lines } = await openFloor((app) => {
      app.post('/oauth/token', (request, reply) => {
        request.uid = 3
        return reply.send({ access_token: 'quite-secret' })
      })
    })
    await fetch(`${address}/oauth/token?code=quite-secret`, {
      method: 'POST',
      body: 'password=quite-secret',
      headers: { authorization: 'Bearer quite-secret', cookie: 'session=quite-secret' },
    })
    expect(lines).toEqual([
      {
        time: 1_700_000_000,
        id: expect.any(String),
        address: '127.0.0.1',
        method: 'POST',
        path: '/oauth/token',
        status: 200,
        ms: expect.any(Number),
        bytes: 31,
        uid: 3,
      },
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })
})
