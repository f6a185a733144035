import { describe, expect, test } from 'vitest'
import { apiRefusalForm, pointed, pointerOfPath } from '../../src/doors/api/errors.ts'
import { readQuery } from '../../src/formats/query-string.ts'
import { limits } from '../../src/limits.ts'
import { Refusal } from '../../src/refusal.ts'
import { openFloor, sendRaw } from '../http/floor.ts'

const spelled = (refusal: Refusal) => {
  const { status, headers, body } = apiRefusalForm.spell(refusal)
  return { status, headers, ...JSON.parse(body.toString()) }
}

describe('a refusal as JSON:API', () => {
  test('has one error for each fault, with all that is known of it', () => {
    const refusal = new Refusal('invalid-content', 'Two things are wrong.', {
      faults: [
        { field: 'name', message: 'is required', pointer: '/data/attributes/name' },
        { field: 'status', message: 'is not known', pointer: '/data/attributes/status', allowed: ['done', 'pending'] },
      ],
    })
    const error = { title: 'Unprocessable Content', status: '422', code: 'invalid-content' }
    expect(spelled(refusal)).toEqual({
      status: 422,
      headers: { 'content-type': 'application/vnd.api+json' },
      jsonapi: { version: '1.0', meta: { links: { self: { href: 'http://jsonapi.org/format/1.0/' } } } },
      errors: [
        { ...error, detail: 'name: is required', source: { pointer: '/data/attributes/name' } },
        {
          ...error,
          detail: 'status: is not known',
          source: { pointer: '/data/attributes/status' },
          meta: { allowed: ['done', 'pending'] },
        },
      ],
    })
  })

  test('without faults is one error, with what a program needs to go on', () => {
    const { errors } = spelled(new Refusal('uuid-taken', 'It is taken.', { members: { trash: '/trash/1' } }))
    expect(errors).toEqual([
      { title: 'Conflict', status: '409', code: 'uuid-taken', detail: 'It is taken.', meta: { trash: '/trash/1' } },
    ])
  })

  test('of a query names the parameter, of broken JSON the place', () => {
    const faults = [{ field: 'page[limit]', message: 'must be a number' }]
    expect(spelled(new Refusal('bad-query', 'x', { faults })).errors[0].source).toEqual({ parameter: 'page[limit]' })
    const twice = [{ field: 'data.attributes.name', message: '"name" is given twice.' }]
    expect(spelled(new Refusal('unreadable-body', 'x', { faults: twice })).errors[0].source).toEqual({
      pointer: '/data/attributes/name',
    })
  })

  test('of a stranger is 401 with a challenge', () => {
    const { status, headers } = spelled(new Refusal('unauthenticated', 'Who are you?'))
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="farm"'])
  })

  test('points at what was sent, where a door says where that is', () => {
    const refusal = new Refusal('invalid-content', 'x', {
      faults: [
        { field: 'asset.0', message: 'a' },
        { field: 'b', message: 'b', pointer: '/data/b' },
      ],
    })
    const { details } = pointed(refusal, ({ field }) => pointerOfPath(['data', 'relationships', field]))
    expect(details.faults?.map(({ pointer }) => pointer)).toEqual(['/data/relationships/asset.0', '/data/b'])
    expect(pointerOfPath(['a/b', 'c~d', 0])).toBe('/a~1b/c~0d/0')
  })
})

describe('under /api every no is JSON:API', () => {
  const open = () =>
    openFloor(
      (app) => {
        app.get('/api/log/harvest', (request) => readQuery(request.url))
        app.post('/api/log/harvest', () => ({}))
        app.get('/api/bug', () => {
          throw new Error('Oh')
        })
        app.get('/api/busy', () => {
          throw new Refusal('busy', 'Not now.', { retryAfterSeconds: 7 })
        })
      },
      undefined,
      [apiRefusalForm],
    )

  test.each([
    ['GET', '/api/nothing', 404, {}],
    ['GET', '/api/log/harvest/relationships', 404, { accept: 'text/html' }],
    ['DELETE', '/api/log/harvest', 405, {}],
    ['GET', '/api/log/harvest?name=%zz', 400, {}],
    ['GET', '/api/log/%zz', 400, {}],
    ['GET', `/api/log/harvest?a=${'x'.repeat(limits.urlBytes)}`, 414, {}],
    ['GET', '/api/busy', 503, {}],
    ['GET', '/api/bug', 500, {}],
    ['GET', '/%61pi/bug', 500, { accept: 'application/xml' }],
  ])('answers %s %s with %i as JSON:API', async (method, path, status, headers) => {
    const { address } = await open()
    const answer = await fetch(address + path, { method, headers: headers as Record<string, string> })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/vnd.api+json'])
    const { errors } = (await answer.json()) as { errors: { status: string }[] }
    expect(errors.map((error) => error.status)).toEqual([String(status)])
  })

  test('with the headers that belong to it', async () => {
    const { address } = await open()
    const wrongMethod = await fetch(`${address}/api/log/harvest`, { method: 'PUT' })
    expect(wrongMethod.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
    expect((await fetch(`${address}/api/busy`)).headers.get('retry-after')).toBe('7')
  })

  test('also a body that is too large', async () => {
    const { port } = await open()
    const head = `POST /api/log/harvest HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n`
    const answer = await sendRaw(port, `${head}Content-Length: ${limits.bodyBytes + 1}\r\n\r\n`, Buffer.alloc(1))
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*content-type: application\/vnd\.api\+json\r\n/)
  })

  test('refusals elsewhere are not JSON:API', async () => {
    const { address } = await open()
    for (const path of ['/apiary', '/log', '/xapi/a'])
      expect((await fetch(address + path)).headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  })
})
