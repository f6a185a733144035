import { beforeEach, describe, expect, it } from 'vitest'
import { farmos, passwordGrant, Visitor, withCookie, withToken } from './client.ts'
import { addAccount } from './farms/adding.ts'
import { hillFarm } from './farms/hill-farm.ts'
import type { FarmosServer } from './server.ts'

const form = { name: 'hanna', pass: 'hanna secret', form_id: 'user_login' }

describe('the login form of a farmOS 1.x', () => {
  let server: FarmosServer
  let visitor: Visitor

  beforeEach(async () => {
    server = await farmos()
    visitor = new Visitor(server)
  })

  it('answers a login with a cookie and leads to the page of the user', async () => {
    const { status, headers } = await visitor.send('/user/login', form)
    expect(status).toBe(302)
    expect(headers.get('location')).toBe(`${server.address}/users/hanna`)
    expect(headers.get('set-cookie')).toMatch(/^SESS[0-9a-f]{32}=[\w-]{43}; .*HttpOnly$/)
  })

  it('is shown again after a wrong password, and where it does not say which form it is', async () => {
    const { form_id: _, ...nameless } = form
    for (const wrong of [{ ...form, pass: 'x' }, nameless]) {
      const { status, headers } = await visitor.send('/user/login', wrong)
      expect([status, headers.get('set-cookie')]).toEqual([200, null])
    }
  })

  it('takes no mail, no blocked user, and nothing after five wrong tries', async () => {
    expect((await visitor.send('/user/login', { ...form, name: 'hanna@hill.example' })).status).toBe(200)
    expect(
      (await visitor.send('/user/login', { ...form, name: 'former hand', pass: 'former hand secret' })).status,
    ).toBe(200)
    for (let nth = 0; nth < 5; nth += 1) await visitor.send('/user/login', { ...form, pass: 'x' })
    expect((await visitor.send('/user/login', form)).status).toBe(403)
  })

  it('leads to a token of 43 signs for writes, which strangers do not get', async () => {
    const { headers, text } = await (await withCookie(server)).get('/restws/session/token')
    expect(headers.get('content-type')).toBe('text/plain;charset=UTF-8')
    expect(text).toMatch(/^[\w-]{43}$/)
    expect((await visitor.get('/restws/session/token')).status).toBe(403)
  })

  it('ends by `/user/logout`', async () => {
    const logged = await withCookie(server)
    expect((await logged.get('/log.json')).status).toBe(200)
    expect((await logged.get('/user/logout')).status).toBe(302)
    expect((await logged.get('/log.json')).status).toBe(403)
  })
})

describe('tokens of a farmOS 1.x', () => {
  let server: FarmosServer
  let visitor: Visitor

  beforeEach(async () => {
    server = await farmos()
    visitor = new Visitor(server)
  })

  it('come in pairs, and last for an hour that is a number', async () => {
    const { status, headers, body } = await visitor.send('/oauth2/token', passwordGrant)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{40}$/),
      expires_in: 3600,
      token_type: 'Bearer',
      scope: 'user_access',
      refresh_token: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
  })

  it('are given to the client in the body or as Basic, by name or by mail', async () => {
    const { client_id: _, ...rest } = passwordGrant
    const asBasic = { authorization: `Basic ${Buffer.from('farm:').toString('base64')}` }
    expect((await visitor.send('/oauth/token', rest, asBasic)).status).toBe(200)
    expect((await visitor.send('/oauth/token', { ...passwordGrant, username: 'hanna@hill.example' })).status).toBe(200)
  })

  it.each([
    [{ password: 'x' }, 401, 'invalid_grant'],
    [{ client_id: 'other' }, 400, 'invalid_client'],
    [{ client_secret: 'x' }, 400, 'invalid_client'],
    [{ scope: '' }, 400, 'invalid_scope'],
    [{ scope: 'everything' }, 400, 'invalid_scope'],
    [{ grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    [{ username: 'former hand', password: 'former hand secret' }, 401, 'invalid_grant'],
  ])('are refused to %j', async (more, status, error) => {
    expect(await visitor.send('/oauth2/token', { ...passwordGrant, ...more })).toMatchObject({
      status,
      body: { error },
    })
  })

  it('are renewed once by a refresh token; the former access token lives on', async () => {
    const { body: first } = await visitor.send('/oauth2/token', passwordGrant)
    const renewal = { grant_type: 'refresh_token', client_id: 'farm', refresh_token: first.refresh_token }
    const { body: second } = await visitor.send('/oauth2/token', renewal)
    for (const { access_token } of [first, second])
      expect((await visitor.get('/log.json', { authorization: `Bearer ${access_token}` })).status).toBe(200)
    expect(await visitor.send('/oauth2/token', renewal)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid refresh token' },
    })
  })

  it('end after their time, and then the answer is 403 and says nothing about tokens', async () => {
    let now = 1_000_000
    const aging = await farmos(hillFarm(), { now: () => now })
    const hanna = await withToken(aging)
    now += 3601
    const { status, text, headers } = await hanna.get('/log.json')
    expect([status, text, headers.get('www-authenticate')]).toEqual([403, '403 Forbidden', null])
  })

  it('end when a test wants them to', async () => {
    const hanna = await withToken(server)
    server.endTokens()
    expect((await hanna.get('/log.json')).status).toBe(403)
  })

  it('bring a cookie along with every answer', async () => {
    const { headers } = await (await withToken(server)).get('/log.json')
    expect(headers.get('set-cookie')).toMatch(/^SESS/)
  })
})

describe('Basic at a farmOS 1.x', () => {
  const basic = (name: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:${name} secret`).toString('base64')}`,
  })

  it('does nothing unless its module is on, and then for some names only', async () => {
    const farm = hillFarm()
    addAccount(farm, 'restws_hanna')
    const off = new Visitor(await farmos(farm))
    const on = new Visitor(await farmos(farm, { takesBasic: true }))
    expect((await off.get('/log.json', basic('restws_hanna'))).status).toBe(403)
    expect((await on.get('/log.json', basic('restws_hanna'))).status).toBe(200)
    expect((await on.get('/log.json', basic('hanna'))).status).toBe(403)
  })
})
