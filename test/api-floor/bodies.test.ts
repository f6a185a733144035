import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/config.ts'
import { hasBody, readTree, readUpload } from '../../src/doors/api/body/request-body.ts'
import { apiRefusalForm } from '../../src/doors/api/errors.ts'
import { openFloor, sendRaw } from '../http/floor.ts'

function addRoutes(app: FastifyInstance): void {
  app.route({
    method: ['POST', 'PATCH', 'DELETE'],
    url: '/api/tree',
    handler: (request) => JSON.stringify(hasBody(request) ? readTree(request) : 'no body'),
  })
  app.get('/api/tree', () => '"read"')
  app.post('/api/empty', (request) => JSON.stringify(readTree(request)))
  app.post('/api/file', (request) => {
    const { name, bytes } = readUpload(request, defaultSettings)
    return `${name} ${bytes.toString('hex')}`
  })
}

const open = () => openFloor(addRoutes, undefined, [apiRefusalForm])

async function send(
  path: string,
  method: string,
  init: { readonly body?: string | Buffer; readonly headers: Record<string, string> },
) {
  const { address } = await open()
  const answer = await fetch(address + path, { method, ...init } as RequestInit)
  return { status: answer.status, text: await answer.text() }
}

describe('a body of /api', () => {
  test.each(
    ['POST', 'PATCH', 'DELETE'].flatMap((method) =>
      [
        'application/vnd.api+json',
        'application/json',
        'Application/JSON',
        'application/vnd.api+json; charset=utf-8',
        'application/vnd.api+json; ext="https://example.org/x"; profile=y; charset=latin1',
      ].map((type) => [method, type] as const),
    ),
  )('of a %s may be %s', async (method, type) => {
    const body = '{"data": {"type": "log--harvest", "name": "käse"}}'
    expect(await send('/api/tree', method, { body, headers: { 'content-type': type } })).toEqual({
      status: 200,
      text: '{"data":{"type":"log--harvest","name":"käse"}}',
    })
  })

  test.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'])(
    'is refused as %s',
    async (type) => {
      const { status, text } = await send('/api/tree', 'POST', { body: '{}', headers: { 'content-type': type } })
      expect([status, text]).toEqual([
        415,
        expect.stringContaining('send application/vnd.api+json or application/json'),
      ])
    },
  )

  test.each(['{', '{"data": 1, "data": 2}', '{"data": {}}{}', "{'a': 1}", '\u0000'])(
    'is strict JSON: %s',
    async (body) => {
      const { status, text } = await send('/api/tree', 'POST', {
        body,
        headers: { 'content-type': 'application/json' },
      })
      expect([status, text]).toEqual([400, expect.stringContaining('"code":"unreadable-body"')])
    },
  )

  test('that is given twice is pointed at', async () => {
    const body = '{"data": {"attributes": {"name": 1, "name": 2}}}'
    const { text } = await send('/api/tree', 'PATCH', { body, headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(text).errors[0].source).toEqual({ pointer: '/data/attributes/name' })
  })

  test('is refused where it is compressed, or empty', async () => {
    const headers = { 'content-type': 'application/vnd.api+json' }
    const packed = await send('/api/tree', 'POST', { body: '{}', headers: { ...headers, 'content-encoding': 'gzip' } })
    expect(packed.status).toBe(415)
    expect((await send('/api/empty', 'POST', { headers })).status).toBe(400)
  })

  test.each(['GET', 'DELETE'])('need not come with %s, though its type does', async (method) => {
    const { port } = await open()
    const head = `${method} /api/tree HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/vnd.api+json\r\n`
    for (const length of ['', 'Content-Length: 0\r\n'])
      expect(await sendRaw(port, `${head}${length}\r\n`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"(no body|read)"$/)
  })
})

describe('an upload', () => {
  const upload = (disposition: string, type = 'application/octet-stream') =>
    send('/api/file', 'POST', {
      body: Buffer.from([1, 2, 255]),
      headers: { 'content-type': type, ...(disposition === '' ? {} : { 'content-disposition': disposition }) },
    })

  test.each([
    ['file; filename="a.jpg"', 'a.jpg'],
    ['attachment; filename="beans 1.jpg"', 'beans 1.jpg'],
    ['file;filename="../../etc/a.png"', '_._.._etc_a.png'],
    ['file; filename="a\\"b.jpg"', 'a"b.jpg'],
    ["file; filename*=UTF-8''a.jpg", 'a.jpg'],
    ['file; filename="a.jpg"; filename*=UTF-8\'\'%E2%82%AC.jpg', '€.jpg'],
  ])('under %s', async (disposition, name) => {
    expect(await upload(disposition)).toEqual({ status: 200, text: `${name} 0102ff` })
  })

  test.each([
    ['', 400],
    ['file', 400],
    ['file; filename=a.jpg', 400],
    ['file; filename=""', 400],
    ["file; filename*=UTF-8''%zz", 400],
    ["file; filename*=UTF-8''%20", 400],
  ])('under %s is refused', async (disposition, status) => {
    expect((await upload(disposition)).status).toBe(status)
  })

  test('is octets', async () => {
    expect((await upload('file; filename="a.jpg"', 'image/jpeg')).status).toBe(415)
    expect((await upload('file; filename="a.jpg"', 'application/octet-stream; a=b')).status).toBe(200)
  })
})
