import { describe, expect, test } from 'vitest'
import { app } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const origin = 'https://field.example'
const farm = await openFarm()
await app(farm, { origins: [origin] })

const preflight = (path: string, method: string) =>
  farm.anonymous.send('OPTIONS', path, { headers: { origin, 'access-control-request-method': method } })

describe('5 a script of another origin that asks first', () => {
  test.each([
    ['/log', 'GET, HEAD, POST, OPTIONS'],
    ['/log.json', 'GET, HEAD, POST, OPTIONS'],
    ['/farm_asset/5', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['/taxonomy_term/5.json', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['/batch', 'POST, OPTIONS'],
    ['/log/5/images', 'POST, OPTIONS'],
    ['/farm.json', 'GET, HEAD, OPTIONS'],
    ['/farm/areas/geojson/field', 'GET, HEAD, OPTIONS'],
    ['/file/3/leek.png', 'GET, HEAD, OPTIONS'],
    ['/restws/session/token', 'GET, HEAD, OPTIONS'],
    ['/oauth/token', 'POST, OPTIONS'],
    ['/oauth2/revoke', 'POST, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('is offered what %s takes, and nothing else', async (path, methods) => {
    const { status, headers } = await preflight(path, 'PATCH')
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-methods')).toBe(methods)
    expect(headers.get('allow')).toBe(methods)
  })

  test('is told 200 under /api, before anybody is asked who they are', async () => {
    const { status, headers, text } = await preflight('/api', 'PATCH')
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
    const names = headers.get('access-control-allow-headers')?.split(', ')
    const needed = ['Accept', 'Authorization', 'Content-Disposition', 'Content-Type', 'X-CSRF-Token']
    expect(names).toEqual(expect.arrayContaining(needed))
    const unknown = await farm.anonymous.send('OPTIONS', '/api', {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    })
    expect(unknown.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('may name what it sends, and sees which set its changes are and whether they had been made before', async () => {
    const { headers } = await preflight('/log/5/images', 'POST')
    expect(headers.get('access-control-allow-headers')?.split(', ')).toEqual(
      expect.arrayContaining(['Content-Disposition', 'If-Match', 'Idempotency-Key']),
    )
    const shown = (await farm.anonymous.get('/log.json', { origin })).headers.get('access-control-expose-headers')
    expect(shown?.split(', ')).toEqual(
      expect.arrayContaining(['Change-Set', 'Idempotent-Replayed', 'ETag', 'Location']),
    )
  })

  test('is offered nothing where there is nothing', async () => {
    const { status, headers } = await preflight('/nothing/here', 'GET')
    expect(status).toBe(404)
    expect(headers.get('access-control-allow-methods')).toBeNull()
  })

  test.each([
    '/',
    '/user/login',
    '/user/logout',
    '/account',
    '/account/password',
    '/setup',
    '/oauth/authorize',
    '/docs',
    '/docs/concepts',
    '/docs/api',
  ])('is never let into the page %s', async (path) => {
    const answers = [await preflight(path, 'GET'), await farm.anonymous.get(path, { origin })]
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('access-control-allow-methods')).toBeNull()
    }
  })
})
