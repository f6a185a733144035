import { request as rawRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { setRole } from '../../src/access/accounts.ts'
import { newSecret } from '../../src/access/secrets.ts'
import { wallClock } from '../../src/clock.ts'
import { passwordRequest, person, stranger, token } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm({ settings: { basicAuth: /^restws/ } })
const ada = await person(farm)

const tokenWith = async (scope: string, someone = ada): Promise<string> =>
  (await token(farm, passwordRequest(someone, { scope }))).body.access_token
const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })
const log = { name: 'Weeding', type: 'farm_activity', timestamp: 1_700_000_000 }
const write = (headers: Record<string, string>) =>
  farm.anonymous.send('POST', '/log', {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(log),
  })
const logCount = () =>
  farm.installation.database.read(async (snapshot) => (await snapshot.selectFrom('log').select('id').execute()).length)

/** With several headers of the same name, which fetch does not send. */
const raw = (path: string, headers: Record<string, string | string[]>) =>
  new Promise<number>((resolve, reject) => {
    const sent = rawRequest(farm.base + path, { headers }, (answer) => resolve(answer.resume().statusCode ?? 0))
    sent.on('error', reject).end()
  })

describe('spec 5.1: the Authorization header', () => {
  test('ON-76 without a credential there is a challenge without an error: 403 for records, 401 under /api', async () => {
    for (const [path, status] of [
      ['/log.json', 403],
      ['/farm.json', 403],
      ['/api', 401],
    ] as const) {
      const answer = await farm.anonymous.get(path)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
      expect(answer.headers.get('www-authenticate')).not.toContain('error')
    }
  })

  test('ON-77 half a header, too much of one, and two of them are refused', async () => {
    const good = await tokenWith('user_access')
    for (const authorization of ['Bearer', 'Bearer ', `Bearer ${good} b`, `Bearer ${good},Bearer ${good}`, good, '']) {
      expect([400, 401]).toContain((await farm.anonymous.get('/api', { authorization })).status)
    }
    expect([400, 401]).toContain(await raw('/api', { authorization: [`Bearer ${good}`, `Bearer ${good}`] }))
    expect([400, 401]).toContain(await raw('/api', { authorization: [`Bearer ${good}`, 'Basic YTpi'] }))
    expect([400, 401]).toContain(await raw('/api', { authorization: ['Basic YTpi', `Bearer ${good}`] }))
  })

  test('ON-78 the scheme may be written in lower case', async () => {
    const good = await tokenWith('user_access')
    expect(await farm.anonymous.get('/api', { authorization: `bearer ${good}` })).toMatchObject({ status: 200 })
  })

  test('ON-79 a token in the query or in a form is not looked at, and not logged', async () => {
    const good = await tokenWith('user_access')
    expect(await farm.anonymous.get(`/api?access_token=${good}`)).toMatchObject({ status: 401 })
    const form = await farm.anonymous.send('POST', '/log', { body: new URLSearchParams({ access_token: good }) })
    expect(form.status).toBe(403)
    expect(farm.lines.join('')).not.toContain(good)
  })

  test('ON-80 an expired, a revoked, a made-up and an endless token are invalid', async () => {
    const now = wallClock()
    farm.setClock(now)
    const expiring = await tokenWith('user_access')
    farm.setClock(now + 3599)
    expect(await farm.anonymous.get('/api', bearer(expiring))).toMatchObject({ status: 200 })
    farm.setClock(now + 3600)
    const expired = await farm.anonymous.get('/api', bearer(expiring))
    farm.setClock(null)
    const revoked = await tokenWith('user_access')
    await farm.anonymous.send('POST', '/oauth/revoke', { body: new URLSearchParams({ token: revoked }) })
    const answers = [expired]
    for (const each of [revoked, newSecret(), 'x'.repeat(5000)])
      answers.push(await farm.anonymous.get('/api', bearer(each)))
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
    expect(await farm.anonymous.get('/log.json', bearer(revoked))).toMatchObject({ status: 403 })
    expect([400, 401, 431]).toContain(
      await raw('/api', { authorization: `Bearer ${'x'.repeat(1_000_000)}` }).catch(() => 431),
    )
  })

  test('ON-81 a bad token is not made up for by a good cookie', async () => {
    const { cookie } = ada.browser
    const { text: csrf } = await ada.browser.get('/restws/session/token')
    const before = await logCount()
    const answer = await write({ cookie, 'x-csrf-token': csrf, authorization: 'Bearer made-up' })
    expect(answer.status).toBe(403)
    expect(await logCount()).toBe(before)
    expect(await farm.anonymous.get('/api', { cookie, authorization: 'Bearer made-up' })).toMatchObject({ status: 401 })
  })

  test('ON-82 a token whose scope is too narrow is told which scope it takes', async () => {
    const answer = await write(bearer(await tokenWith('farm_viewer')))
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
    expect(answer.headers.get('www-authenticate')).toContain('scope="farm_worker"')
  })

  test('ON-83 a farm_info token reads the info record and nothing else', async () => {
    const info = bearer(await tokenWith('farm_info'))
    expect(await farm.anonymous.get('/farm.json', info)).toMatchObject({ status: 200 })
    for (const path of [
      '/api',
      '/log.json',
      '/farm_asset.json',
      '/taxonomy_term.json',
      '/taxonomy_vocabulary.json',
      '/user.json',
      '/restws/session/token',
      '/account',
    ]) {
      expect([path, (await farm.anonymous.get(path, info)).status]).toEqual([path, 403])
    }
    expect(await write(info)).toMatchObject({ status: 403 })
  })

  test('ON-84 a manager’s viewer token writes nothing', async () => {
    const before = await logCount()
    expect(await write(bearer(await tokenWith('farm_viewer')))).toMatchObject({ status: 403 })
    expect(await logCount()).toBe(before)
  })

  test('ON-85 who loses the role loses its power with the next request', async () => {
    const someone = await stranger(farm, 'worker')
    const held = bearer(await tokenWith('user_access', someone))
    expect(await write(held)).toMatchObject({ status: 201 })
    await setRole(farm.installation, someone.name, 'viewer')
    expect(await write(held)).toMatchObject({ status: 403 })
    expect(await farm.anonymous.get('/log.json', held)).toMatchObject({ status: 200 })
    await setRole(farm.installation, someone.name, null)
    expect(await farm.anonymous.get('/log.json', held)).toMatchObject({ status: 403 })
  })

  test('ON-86 no answer to a bearer sets a cookie', async () => {
    const held = bearer(await tokenWith('user_access'))
    for (const path of ['/api', '/farm.json', '/log.json', '/restws/session/token', '/account', '/user/logout']) {
      const answer = await farm.anonymous.get(path, { ...held, cookie: ada.browser.cookie })
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    expect((await write(held)).headers.get('set-cookie')).toBeNull()
  })

  test('ON-87 the header that one description calls Authentication is not looked at', async () => {
    const good = await tokenWith('user_access')
    expect(await farm.anonymous.get('/api', { authentication: `Bearer ${good}` })).toMatchObject({ status: 401 })
  })

  test('ON-88 a token of another farm is worth nothing here', async () => {
    const other = await openFarm()
    const foreign = (await token(other, passwordRequest(await stranger(other)))).body.access_token
    expect(await farm.anonymous.get('/api', bearer(foreign))).toMatchObject({ status: 401 })
  })

  test('ON-89 a hundred thousand tokens of 256 bits do not repeat, and their bits are even', () => {
    const onesIn = Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)
    const seen = new Set<string>()
    let ones = 0
    for (let made = 0; made < 100_000; made++) {
      const secret = newSecret()
      seen.add(secret)
      for (const byte of Buffer.from(secret, 'base64url').subarray(0, 4)) ones += onesIn[byte] ?? 0
    }
    expect(seen.size).toBe(100_000)
    expect(Buffer.from(newSecret(), 'base64url').length).toBe(32)
    expect(Math.abs(ones / (100_000 * 32) - 0.5)).toBeLessThan(0.005)
  })
})
