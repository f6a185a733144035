import { describe, expect, test } from 'vitest'
import type { ServerSettings } from '../../src/config.ts'
import { baseAddressOf, clientAddressOf, isTrustedProxy } from '../../src/doors/http/origin.ts'
import { openServer } from '../../src/doors/http/server.ts'
import { houseWith, openFloor, sendRaw } from './floor.ts'

async function ask(headers: Record<string, string>, settings: Partial<ServerSettings>) {
  const { port } = await openFloor((app, installation) => {
    app.get(
      '/*',
      (request) => `base ${baseAddressOf(request, installation)} client ${clientAddressOf(request, installation)}`,
    )
  }, settings)
  const lines = Object.entries({ Host: 'farm.example', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return sendRaw(port, `GET /log HTTP/1.1\r\n${lines.join('')}Connection: close\r\n\r\n`)
}

const forwarded = {
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'public.example',
  'X-Forwarded-For': '203.0.113.9',
}

describe('the base address', () => {
  test('is the one that is configured, whatever the request says', async () => {
    const settings = { baseUrl: 'https://farm.example', trustedProxies: ['127.0.0.1'] }
    expect(await ask({ ...forwarded, Host: 'evil.example' }, settings)).toContain('base https://farm.example ')
  })

  test.each(['farm.example', 'localhost:8080', '192.168.1.5:80', '[::1]:8080', 'my_farm', 'a'])(
    'follows Host: %s',
    async (host) => {
      expect(await ask({ Host: host }, {})).toContain(`base http://${host} `)
    },
  )

  test.each(['', 'a b', 'a/b', 'a@b', 'a:b', 'a:123456', '<x>', 'a"b', '-a', 'a?b', 'a#b', '[::1', 'x'.repeat(300)])(
    'refuses Host: %s',
    async (host) => {
      expect(await ask({ Host: host }, {})).toMatch(/^HTTP\/1\.1 400 /)
    },
  )

  test('believes forwarded headers from a listed proxy only', async () => {
    expect(await ask(forwarded, {})).toContain('base http://farm.example client 127.0.0.1')
    expect(await ask(forwarded, { trustedProxies: ['10.0.0.0/8', '127.0.0.2'] })).toContain(
      'base http://farm.example client 127.0.0.1',
    )
    expect(await ask(forwarded, { trustedProxies: ['127.0.0.0/8'] })).toContain(
      'base https://public.example client 203.0.113.9',
    )
  })
})

describe('forwarded headers of a neighbour that is not listed', () => {
  const warningsAfter = async (headers: Record<string, string>, settings: Partial<ServerSettings> = {}) => {
    const { address, lines } = await openFloor((app) => {
      app.get('/*', () => 'ok')
    }, settings)
    for (const _ of [1, 2, 3]) await fetch(`${address}/log`, { headers })
    return lines.flatMap(({ warning }) => (typeof warning === 'string' ? [warning] : []))
  }

  test.each(Object.entries(forwarded))('are said once in the log, with what to set: %s', async (name, value) => {
    const [warning, ...more] = await warningsAfter({ [name]: value })
    expect(warning).toContain('127.0.0.1')
    expect(warning).toContain('--trusted-proxy 127.0.0.1')
    expect(warning).toContain('FURROW_TRUSTED_PROXY')
    expect(more).toEqual([])
  })

  test('are nothing to speak of where there are none, or where the neighbour is listed', async () => {
    expect(await warningsAfter({})).toEqual([])
    expect(await warningsAfter(forwarded, { trustedProxies: ['127.0.0.1'] })).toEqual([])
  })
})

test.each([
  ['198.51.100.7, 203.0.113.9', '203.0.113.9'],
  ['198.51.100.7, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
  ['10.9.9.9, 10.1.2.3', '10.9.9.9'],
  ['203.0.113.9, nonsense', '127.0.0.1'],
  ['2001:db8::5', '2001:db8::5'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['', '127.0.0.1'],
])('of the forwarded addresses %s the caller is %s', async (list, client) => {
  const settings = { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] }
  expect(await ask({ 'X-Forwarded-For': list }, settings)).toMatch(new RegExp(`client ${client}$`))
})

test('proxies are listed as addresses or ranges of both families', () => {
  const { settings } = houseWith({ trustedProxies: ['fd00::/8', '::1', '192.168.0.0/16'] })
  for (const address of ['fd12::1', '::1', '192.168.7.7', '::ffff:192.168.7.7'])
    expect(isTrustedProxy(address, settings)).toBe(true)
  for (const address of ['fe80::1', '127.0.0.1', '192.169.0.1', ''])
    expect(isTrustedProxy(address, settings)).toBe(false)
})

test.each(['proxy.local', '10.0.0.0/x', '10.0.0.0/99', ''])(
  'a server does not start with the trusted proxy "%s"',
  (entry) => {
    expect(() => openServer(houseWith({ trustedProxies: [entry] }))).toThrow()
  },
)

describe('where TLS is required', () => {
  const settings = { requireTls: true, trustedProxies: ['127.0.0.1'] }

  test('plain http is refused with an explanation and no redirect (spec 7)', async () => {
    const answer = await ask({}, settings)
    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*urn:furrow:refusal:tls-required[\s\S]*https:\/\//)
    expect(answer).not.toMatch(/^location:/im)
    expect(await ask({ 'X-Forwarded-Proto': 'https' }, { requireTls: true })).toMatch(/^HTTP\/1\.1 403 /)
    expect(await ask({ 'X-Forwarded-Proto': 'https, http' }, settings)).toMatch(/^HTTP\/1\.1 403 /)
  })

  test.each([
    [{ ...settings, baseUrl: 'https://farm.example' }, 'evil.example', 'use https://farm.example from'],
    [settings, 'farm.example:8080', 'use https://farm.example from'],
    [settings, '[::1]:8080', 'use https://[::1] from'],
    [settings, 'a b', 'use https:// from'],
  ])('the refusal names the address to use instead', async (given, host, words) => {
    expect(await ask({ Host: host }, given)).toContain(words)
  })

  test('https by a trusted proxy passes, and so does the health check', async () => {
    expect(await ask({ 'X-Forwarded-Proto': 'https' }, settings)).toMatch(/^HTTP\/1\.1 200 /)
    const { address } = await openFloor((app) => {
      app.get('/healthz', () => 'ok')
    }, settings)
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
  })
})
