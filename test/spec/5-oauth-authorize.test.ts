import { request as rawRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { addClient, removeClient, setClient } from '../../src/access/oauth/registration.ts'
import { Browser, hiddenFields } from '../access/browser.ts'
import {
  app,
  asked,
  decide,
  families,
  person,
  pkcePair,
  query,
  redemption,
  sentBack,
  stranger,
  token,
} from '../access/flow.ts'
import type { Answer } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm({ settings: { developmentClient: 'farm_development' } })
const ada = await person(farm)
const client = await app(farm)

const isOwnPage = (answer: Answer) => {
  expect(answer, answer.text).toMatchObject({ status: 400 })
  expect(answer.headers.get('location')).toBeNull()
  expect(answer.headers.get('content-type')).toContain('text/html')
}

describe.each(shareOfThisEngine(families))('spec 5.2: %s/authorize', (family) => {
  const ask = (parameters: Record<string, string>, someone = ada) =>
    someone.browser.get(`${family}/authorize?${query(parameters)}`)
  const without = (name: string) => Object.fromEntries(Object.entries(asked(client)).filter(([key]) => key !== name))

  const isRefused = (answer: Answer, error: string, state: string | null = 'a state') => {
    const back = sentBack(answer)
    expect(answer.headers.get('location')?.startsWith(client.redirectUri)).toBe(true)
    expect([back.get('error'), back.get('state'), back.get('iss')]).toEqual([error, state, farm.base])
    expect(back.has('code')).toBe(false)
  }

  test('ON-01 an unknown or unnamed client gets our own page', async () => {
    isOwnPage(await ask(asked({ ...client, id: 'nobody' })))
    isOwnPage(await ask(without('client_id')))
  })

  test('ON-02 a disabled or removed client gets our own page', async () => {
    const disabled = await app(farm)
    await setClient(farm.installation, disabled.id, { disabled: true })
    isOwnPage(await ask(asked(disabled)))
    const removed = await app(farm)
    await removeClient(farm.installation, removed.id)
    isOwnPage(await ask(asked(removed)))
  })

  test('ON-03 a redirect URI that is not registered gets our own page', async () => {
    isOwnPage(await ask(asked(client, { redirect_uri: 'https://evil.example/cb' })))
  })

  test('ON-04 a client without redirect URIs gets our own page, whatever URI it names', async () => {
    isOwnPage(await ask(asked({ ...client, id: 'farm' })))
    isOwnPage(await ask({ ...without('redirect_uri'), client_id: 'farm' }))
  })

  test.each([
    'https://app.example/cb/',
    'https://app.example/cb/../x',
    'https://app.example/cb/x',
    'https://app.example/cb?x=1',
    'https://app.example/cb#f',
    'https://app.example/cb%2f..',
    'https://app.example/..;/cb',
  ])('ON-05 a path beside the registered one gets our own page: %s', async (uri) => {
    isOwnPage(await ask(asked(client, { redirect_uri: uri })))
  })

  test.each([
    'HTTPS://app.example/cb',
    'https://APP.example/cb',
    'https://app.example/CB',
    'https://app.example./cb',
    'https://app.example:443/cb',
    'https://app.example/%63b',
    'https://ａpp.example/cb',
    'https://app.example/ſb',
    'https://app.İxample/cb',
    'https://app.example/\u212Ab',
  ])('ON-06 another spelling of the registered URI gets our own page: %s', async (uri) => {
    isOwnPage(await ask(asked(client, { redirect_uri: uri })))
  })

  test.each([
    'https://app.example@evil.example/cb',
    'https://evil.example@@app.example/cb',
    'https://app.example\\@evil.example/cb',
    'https://app.example\\cb',
    'https://app.example/c\tb',
    'https://app.example/c\nb',
    'https://app.example/cb\0',
  ])('ON-07 a URI made to be misread gets our own page: %j', async (uri) => {
    isOwnPage(await ask(asked(client, { redirect_uri: uri })))
  })

  test('ON-08 a program on the own machine may listen on any port', async () => {
    const local = { id: 'farm_development', secret: '', redirectUri: 'http://localhost:49152/api/authorized' }
    const answer = await decide(ada, `${family}/authorize?${query(asked(local))}`)
    expect(answer.headers.get('location')?.startsWith(`${local.redirectUri}?code=`)).toBe(true)
    const { body } = await token(farm, redemption(local, sentBack(answer).get('code') ?? ''), { family })
    expect(body).toMatchObject({ token_type: 'Bearer' })
  })

  test.each([
    'http://localhost.evil.example/api/authorized',
    'http://127.0.0.1.nip.io/api/authorized',
    'https://localhost/api/authorized',
    'http://localhost/api/other',
    'http://127.0.0.1/api/authorized',
    'http://localhost:/api/authorized',
    'http://localhost:80@evil.example/api/authorized',
    'http://localhost:123456/api/authorized',
    'http://localhost:65536/api/authorized',
    'http://localhost:99999/api/authorized',
  ])('ON-09 what only looks like the own machine gets our own page: %s', async (uri) => {
    isOwnPage(await ask(asked({ id: 'farm_development', secret: '', redirectUri: uri })))
  })

  test.each([
    'http://app.example/cb',
    'javascript:alert(1)',
    'DaTa:text/html,x',
    'https://app.example/cb#f',
    'https://*.example/cb',
    '/cb',
    'app.example/cb',
    'https://user@app.example/cb',
    'https://app.example\\cb',
    'myapp:/cb',
    'file:///etc/passwd',
    'https://app.example/a/../cb',
    'http://localhost.evil.example/cb',
  ])('ON-10 a redirect URI that could leak a code is not registered: %s', async (uri) => {
    const registration = addClient(farm.installation, { id: `ten${family.length}`, label: 'Ten', redirectUris: [uri] })
    await expect(registration).rejects.toMatchObject({ refusal: 'invalid-content' })
  })

  test('ON-11 without a redirect URI the only registered one is used, and of several none', async () => {
    expect(await ask(without('redirect_uri'))).toMatchObject({ status: 200 })
    const two = await app(farm, { redirectUris: ['https://app.example/a', 'https://app.example/b'] })
    isOwnPage(await ask({ ...without('redirect_uri'), client_id: two.id }))
  })

  test('ON-12 the only response type is code', async () => {
    isRefused(await ask(without('response_type')), 'invalid_request')
    for (const type of ['token', 'id_token', 'code token']) {
      isRefused(await ask(asked(client, { response_type: type })), 'unsupported_response_type')
    }
  })

  test('ON-13 nothing is ever answered in a fragment or a form', async () => {
    for (const mode of ['fragment', 'form_post', 'web_message']) {
      const answer = await ask(asked(client, { response_mode: mode }))
      isRefused(answer, 'invalid_request')
      expect(answer.headers.get('location')).not.toContain('#')
    }
    expect(await ask(asked(client, { response_mode: 'query' }))).toMatchObject({ status: 200 })
  })

  test('ON-14 a parameter that comes twice is refused, and not by redirect where it decides about the redirect', async () => {
    for (const name of ['client_id', 'redirect_uri']) {
      const twice = `${query(asked(client))}&${query({ [name]: asked(client)[name] ?? '' })}`
      isOwnPage(await ada.browser.get(`${family}/authorize?${twice}`))
    }
    const repeat = (extra: Record<string, string>) =>
      ada.browser.get(`${family}/authorize?${query(asked(client, extra))}&${query(extra)}`)
    isRefused(await repeat({ scope: 'user_access' }), 'invalid_request')
    isRefused(await repeat({ state: 'a state' }), 'invalid_request', null)
    isRefused(await repeat({ code_challenge: pkcePair().challenge }), 'invalid_request')
  })

  test('ON-15 a scope that nobody defined or that is not the client’s is refused', async () => {
    isRefused(await ask(asked(client, { scope: 'farm_emperor' })), 'invalid_scope')
    const narrow = await app(farm, { scopes: ['farm_viewer'] })
    isRefused(await ask(asked(narrow, { scope: 'farm_viewer farm_manager' })), 'invalid_scope')
  })

  test('ON-16 a scope beyond the role is left out, and where nothing is left access is denied', async () => {
    const viewer = await person(farm, 'viewer')
    isRefused(await ask(asked(client, { scope: 'farm_manager' }), viewer), 'access_denied')
    const some = await decide(
      viewer,
      `${family}/authorize?${query(asked(client, { scope: 'farm_manager farm_viewer' }))}`,
    )
    const { body } = await token(farm, redemption(client, sentBack(some).get('code') ?? ''), { family })
    expect(body.scope).toBe('farm_viewer')
  })

  test('ON-17 without PKCE there has to be a state', async () => {
    isRefused(await ask(without('state')), 'invalid_request', null)
    const { challenge } = pkcePair()
    const proven = { ...without('state'), code_challenge: challenge, code_challenge_method: 'S256' }
    expect(await ask(proven)).toMatchObject({ status: 200 })
  })

  test('ON-18 a state of 2 KB comes back byte for byte, also through the login; one beyond all bounds does not get in', async () => {
    const state = '&#"<é+ %/'.repeat(190)
    expect(Buffer.byteLength(state)).toBeGreaterThan(1800)
    const address = `${family}/authorize?${query(asked(client, { state }))}`
    expect(sentBack(await decide(ada, address)).get('state')).toBe(state)

    const someone = await stranger(farm)
    const { destination = '' } = hiddenFields((await someone.browser.get(address)).text)
    const login = await someone.browser.post('/user/login', { name: someone.name, pass: someone.password, destination })
    const { pathname, search } = new URL(login.headers.get('location') ?? '')
    expect(sentBack(await decide(someone, pathname + search)).get('state')).toBe(state)

    const long = await ask(asked(client, { state: 'x'.repeat(9000) }))
    expect([400, 414, 431]).toContain(long.status)
    expect(long.headers.get('location')).toBeNull()
  })

  test('ON-19 a client that has to use PKCE is refused without a challenge', async () => {
    const strict = await app(farm, { pkce: 'required' })
    isRefused(await ask(asked(strict)), 'invalid_request')
  })

  test('ON-20 only S256 with a well-formed challenge is taken', async () => {
    const { challenge } = pkcePair()
    const faulty: Record<string, string>[] = [
      { code_challenge: challenge, code_challenge_method: 'plain' },
      { code_challenge: challenge, code_challenge_method: 'S512' },
      { code_challenge: challenge },
      { code_challenge_method: 'S256' },
      { code_challenge: challenge.slice(1), code_challenge_method: 'S256' },
      { code_challenge: 'a'.repeat(129), code_challenge_method: 'S256' },
      { code_challenge: `${challenge.slice(2)}é`, code_challenge_method: 'S256' },
    ]
    for (const parameters of faulty) isRefused(await ask(asked(client, parameters)), 'invalid_request')
  })

  const consent = async (someone = ada) => {
    const page = await ask(asked(client), someone)
    return hiddenFields(page.text)
  }
  const isNotLetIn = (answer: Answer, status: number) => {
    expect(answer, answer.text).toMatchObject({ status })
    expect(answer.headers.get('location')).toBeNull()
  }

  test('ON-21 consent without the right CSRF token, or from another site’s page, gives no code', async () => {
    const { request = '', csrf = '' } = await consent()
    const post = (fields: Record<string, string>, headers = {}) =>
      ada.browser.post(`${family}/authorize`, fields, headers)
    isNotLetIn(await post({ request, answer: 'approve' }), 403)
    isNotLetIn(await post({ request, csrf: `${csrf}x`, answer: 'approve' }), 403)
    isNotLetIn(await post({ request, csrf, answer: 'approve' }, { origin: 'https://evil.example' }), 403)
    isNotLetIn(
      await post({ request, csrf, answer: 'approve' }, { origin: farm.base, 'sec-fetch-site': 'cross-site' }),
      403,
    )
    const good = await post({ request, csrf, answer: 'approve' }, { origin: farm.base })
    expect(sentBack(good).has('code')).toBe(true)
  })

  test('ON-22 a decision counts once', async () => {
    const { request = '', csrf = '' } = await consent()
    const post = () => ada.browser.post(`${family}/authorize`, { request, csrf, answer: 'approve' })
    expect(sentBack(await post()).has('code')).toBe(true)
    isNotLetIn(await post(), 400)
    const again = await consent()
    const both = await Promise.all(
      [1, 2, 3, 4].map(() => ada.browser.post(`${family}/authorize`, { ...again, answer: 'approve' })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400])
  })

  test('ON-23 what was asked cannot be changed in the form', async () => {
    const { request = '', csrf = '' } = await consent()
    for (const extra of [
      { scope: 'farm_manager' },
      { redirect_uri: 'https://evil.example/cb' },
      { client_id: 'farm' },
    ]) {
      isNotLetIn(await ada.browser.post(`${family}/authorize`, { request, csrf, answer: 'approve', ...extra }), 400)
    }
    isNotLetIn(await ada.browser.post(`${family}/authorize`, { request: `${request}x`, csrf, answer: 'approve' }), 400)
    isNotLetIn(await ada.browser.post(`${family}/authorize`, { request, csrf, answer: 'perhaps' }), 400)
  })

  test('ON-24 somebody else who logged in meanwhile cannot answer', async () => {
    const bob = await person(farm)
    const { request = '' } = await consent(bob)
    const eve = await stranger(farm)
    await bob.browser.logIn(eve.name, eve.password)
    const { csrf = '' } = await consent(bob)
    isNotLetIn(await bob.browser.post(`${family}/authorize`, { request, csrf, answer: 'approve' }), 403)
  })

  test('ON-25 the pages forbid being framed', async () => {
    for (const answer of [
      await ask(asked(client)),
      await ask(asked(client), await stranger(farm)),
      await new Browser(farm).get('/user/login'),
    ]) {
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })

  test('ON-26 unknown parameters are ignored; a client that wants no page gets no code', async () => {
    const chatty = asked(client, { access_type: 'offline', prompt: 'select_account', foo: 'bar' })
    expect(await ask(chatty)).toMatchObject({ status: 200 })
    isRefused(await ask(asked(client, { prompt: 'none' }), await stranger(farm)), 'login_required')
    isRefused(await ask(asked(client, { prompt: 'none' })), 'consent_required')
  })

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/%0d%0aLocation:https://evil.example',
    '\r\nLocation: https://evil.example',
    '/account/..//evil.example',
    'javascript:alert(1)',
  ])('ON-27 a login stays on this server: %j', async (destination) => {
    const someone = await stranger(farm)
    const fields = { name: someone.name, pass: someone.password, form_id: 'user_login' }
    const byForm = await someone.browser.post('/user/login', { ...fields, destination })
    const byQuery = await new Browser(farm).post(`/user/login?${query({ destination })}`, fields)
    for (const answer of [byForm, byQuery]) {
      expect(answer.status).toBe(302)
      expect(new URL(answer.headers.get('location') ?? '').origin).toBe(farm.base)
      expect(answer.headers.get('location')).not.toMatch(/\s/)
    }
  })

  test('ON-28 after a password or a decision no redirect repeats the form', async () => {
    const someone = await stranger(farm)
    expect([302, 303]).toContain((await someone.browser.logIn(someone.name, someone.password)).status)
    expect([302, 303]).toContain((await decide(someone, `${family}/authorize?${query(asked(client))}`)).status)
  })

  test('ON-29 every answer names the issuer that the metadata names', async () => {
    const { body } = await farm.anonymous.get('/.well-known/oauth-authorization-server')
    const address = `${family}/authorize?${query(asked(client))}`
    expect(sentBack(await decide(ada, address)).get('iss')).toBe(body.issuer)
    expect(sentBack(await decide(ada, address, 'deny')).get('iss')).toBe(body.issuer)
    expect(sentBack(await decide(ada, address, 'deny')).get('error')).toBe('access_denied')
  })

  test('ON-30 no script may read these pages', async () => {
    const web = await app(farm, { origins: ['https://app.example'] })
    for (const origin of ['https://app.example', 'https://evil.example', 'null']) {
      const answer = await ada.browser.get(`${family}/authorize?${query(asked(web))}`, { origin })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('ON-31 the pages are not kept, send no referrer, and run nothing', async () => {
    for (const answer of [await ask(asked(client)), await ask(asked(client), await stranger(farm)), await ask({})]) {
      expect(answer.headers.get('cache-control')).toContain('no-store')
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/unsafe|script-src|\*/)
    }
  })

  test('ON-32 HEAD works, other methods do not', async () => {
    const address = `${family}/authorize?${query(asked(client))}`
    expect(await farm.anonymous.send('HEAD', address)).toMatchObject({ status: 200 })
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await farm.anonymous.send(method, address)
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toContain('GET')
    }
    const traced = await new Promise<number | undefined>((resolve, reject) => {
      const sent = rawRequest(farm.base + address, { method: 'TRACE' }, (answer) => resolve(answer.resume().statusCode))
      sent.on('error', reject).end()
    })
    expect(traced).toBe(405)
  })

  test('ON-33 markup in whatever the page shows is text', async () => {
    const label = `<img src=x onerror=alert(1)>"'&`
    const marked = await app(farm, { label })
    const page = await ask(asked(marked, { state: '"><script>alert(1)</script>' }))
    expect(page.text).not.toContain('<img')
    expect(page.text).not.toContain('<script')
    expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
  })

  test('the older name says that it is deprecated', async () => {
    const answer = await ask(asked(client))
    expect(answer.headers.get('deprecation')).toBe(family === '/oauth2' ? 'true' : null)
  })
})
