import { expect, test } from 'vitest'
import { baseAddressOf } from '../../src/doors/http/origin.ts'
import { openFloor, sendRaw } from './floor.ts'

const echo = () =>
  openFloor((app, installation) => {
    app.get('/cow/:id', (request) => ({
      url: request.url,
      base: baseAddressOf(request, installation),
      last: request.headers['x-last'],
    }))
    app.post('/cow', (request) => ({ bytes: (request.body as Buffer).length }))
  })

const get = (target: string, headers = 'Host: a\r\n') => `GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`

test.each([
  ['http://b.example/cow/5?full=1', 'http://b.example'],
  ['HTTP://user:secret@b.example:8080/cow/5?full=1', 'http://b.example:8080'],
])(
  'the address %s is that path on that host (RFC 9112, 3.2.2), and the log has no more than the path',
  async (target, base) => {
    const { port, lines } = await echo()
    const answer = await sendRaw(port, get(target))
    expect(answer).toContain(JSON.stringify({ url: '/cow/5?full=1', base }))
    expect(lines).toMatchObject([{ path: '/cow/5', status: 200 }])
  },
)

test.each(['http://b.example', 'http://b.example?full=1', 'http://'])(
  'the address %s is the root of its host, and knows its methods',
  async (target) => {
    const { port, lines } = await openFloor((app) => app.get('/', () => 'root'))
    expect(await sendRaw(port, get(target))).toMatch(/^HTTP\/1\.1 200 [\s\S]*root$/)
    expect(await sendRaw(port, get(target).replace('GET', 'DELETE'))).toMatch(/^HTTP\/1\.1 405 /)
    expect(lines).toMatchObject([{ path: '/' }, { path: '/' }])
  },
)

test('a request with two hosts is 400 (RFC 9112, 3.2): a proxy may have looked at the other one', async () => {
  const { port } = await echo()
  expect(await sendRaw(port, get('/cow/5', 'Host: a\r\nhOST: b\r\n'))).toMatch(/^HTTP\/1\.1 400 [\s\S]*one Host header/)
  expect(await sendRaw(port, get('/cow/5', 'Host: a\r\nPost: b\r\n'))).toMatch(/^HTTP\/1\.1 200 /)
})

test('no header is dropped, however many there are', async () => {
  const { port } = await echo()
  const answer = await sendRaw(port, get('/cow/5', `Host: a\r\n${'x:\r\n'.repeat(3000)}X-Last: seen\r\n`))
  expect(answer).toContain('"last":"seen"')
})

test('an expectation that is not known is no reason to refuse, and 100-continue is answered with it', async () => {
  const { port, lines } = await echo()
  const post = (expectation: string) =>
    `POST /cow HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nExpect: ${expectation}\r\nContent-Length: 3\r\nConnection: close\r\n\r\nmoo`
  expect(await sendRaw(port, post('miracles'))).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"bytes":3\}$/)
  expect(await sendRaw(port, post('100-continue'))).toMatch(/^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 200 /)
  expect(lines).toHaveLength(2)
})

test('a path that is not properly encoded is refused in words of ours, without saying it again', async () => {
  const { port } = await echo()
  const answer = await sendRaw(port, get('/cow/berta%zz'))
  expect(answer).toMatch(
    /^HTTP\/1\.1 400 [\s\S]*"detail":"The path of the address is not properly percent-encoded UTF-8\."/,
  )
  expect(answer).not.toContain('berta')
})
