import { describe, expect, test } from 'vitest'
import { blockAccount } from '../../src/access/accounts.ts'
import { listSessions } from '../../src/access/sessions.ts'
import { wallClock } from '../../src/clock.ts'
import { Browser, hiddenFields } from '../access/browser.ts'
import { passwordRequest, person, stranger, token } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm()
const log = { name: 'Weeding', type: 'farm_activity', timestamp: 1_700_000_000 }

const write = (headers: Record<string, string>, at = farm) =>
  at.anonymous.send('POST', '/log', {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(log),
  })

describe('spec 5.1: logging in with the form', () => {
  test('gives a session cookie and a redirect; what it redirects to answers 200, also to the same form again', async () => {
    const ada = await stranger(farm)
    const form = { name: ada.name, pass: ada.password, form_id: 'user_login' }
    const answer = await ada.browser.post('/user/login', form)
    expect(answer.status).toBe(302)
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^furrow_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    )
    const { pathname, origin } = new URL(answer.headers.get('location') ?? '')
    expect(origin).toBe(farm.base)
    expect(await ada.browser.get(pathname)).toMatchObject({ status: 200 })
    expect(await ada.browser.post(pathname, form)).toMatchObject({ status: 200 })
    expect(await ada.browser.get(pathname, { accept: 'text/html' })).toMatchObject({ status: 200 })
  })

  test('with a wrong password shows the form again, 200 and without a cookie', async () => {
    const ada = await stranger(farm)
    const answer = await ada.browser.post('/user/login', { name: ada.name, pass: 'wrong', form_id: 'user_login' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.text).toContain('name="pass"')
    expect(answer.text).not.toContain('wrong')
  })

  test('opens a new session each time, and the one before is over', async () => {
    const ada = await person(farm)
    const before = ada.browser.cookie
    await ada.browser.logIn(ada.name, ada.password)
    expect(ada.browser.cookie).not.toBe(before)
    expect(await farm.anonymous.get('/log.json', { cookie: before })).toMatchObject({ status: 403 })
    const planted = new Browser(farm)
    planted.cookie = 'furrow_session=chosen-by-somebody-else'
    await planted.logIn(ada.name, ada.password)
    expect(planted.cookie).not.toContain('chosen-by-somebody-else')
  })

  test('refuses a form that another site’s page sends', async () => {
    const ada = await stranger(farm)
    const form = { name: ada.name, pass: ada.password, form_id: 'user_login' }
    const foreign = await ada.browser.post('/user/login', form, { origin: 'https://evil.example' })
    expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null])
    expect(await ada.browser.post('/user/login', form, { 'sec-fetch-site': 'cross-site' })).toMatchObject({
      status: 403,
    })
    expect(await ada.browser.post('/user/login', form, { origin: 'null' })).toMatchObject({ status: 403 })
    expect(
      await ada.browser.post('/user/login', form, { origin: 'null', 'sec-fetch-site': 'same-origin' }),
    ).toMatchObject({ status: 302 })
  })

  test('lasts for 30 days after its last use, and 180 in all', async () => {
    const now = wallClock()
    const day = 86_400
    const [used, unused] = [await person(farm), await person(farm)]
    for (let days = 29; days < 180; days += 29) {
      farm.setClock(now + days * day)
      expect(await used.browser.get('/log.json'), `after ${days} days`).toMatchObject({ status: 200 })
      const endOf = async () => (await listSessions(farm.installation, used.uid))[0]?.expires
      await expect.poll(endOf).toBeGreaterThan(now + Math.min(days + 29, 179) * day)
      if (days > 30) expect(await unused.browser.get('/log.json')).toMatchObject({ status: 403 })
    }
    farm.setClock(now + 180 * day - 60)
    expect(await used.browser.get('/log.json')).toMatchObject({ status: 200 })
    farm.setClock(now + 180 * day + 60)
    expect(await used.browser.get('/log.json')).toMatchObject({ status: 403 })
    farm.setClock(null)
  })

  test('is noted as used once a day at most', async () => {
    const now = wallClock()
    farm.setClock(now)
    const ada = await person(farm)
    const endOf = async () => {
      const [session] = await listSessions(farm.installation, ada.uid)
      return (session?.expires ?? 0) - now
    }
    const day = 86_400
    expect(await endOf()).toBe(30 * day)
    farm.setClock(now + day - 1)
    await ada.browser.get('/log.json')
    expect(await endOf()).toBe(30 * day)
    farm.setClock(now + day)
    await Promise.all([1, 2, 3, 4].map(() => ada.browser.get('/log.json')))
    await expect.poll(endOf).toBe(31 * day)
    farm.setClock(null)
  })

  test('ends for a blocked user at once', async () => {
    const ada = await person(farm)
    await blockAccount(farm.installation, ada.name)
    expect(await ada.browser.get('/log.json')).toMatchObject({ status: 403 })
  })

  test('under https the cookie is Secure and bound to the host, and one without that name is not looked at', async () => {
    const safe = await openFarm({ settings: { baseUrl: 'https://farm.example' } })
    const ada = await person(safe)
    const answer = await ada.browser.logIn(ada.name, ada.password)
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-furrow_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; /,
    )
    expect(answer.headers.get('location')).toBe('https://farm.example/app/')
    expect(await ada.browser.get('/log.json')).toMatchObject({ status: 200 })
    const cookie = ada.browser.cookie.replace('__Host-', '')
    expect(await safe.anonymous.get('/log.json', { cookie })).toMatchObject({ status: 403 })
  })

  test('a cookie that came twice with different values is nobody’s', async () => {
    const ada = await person(farm)
    const cookie = `${ada.browser.cookie}; furrow_session=other`
    expect(await farm.anonymous.get('/log.json', { cookie })).toMatchObject({ status: 403 })
  })
})

describe('spec 5.1: the CSRF token', () => {
  test('is plain text at the session-token address, bound to the session and the same each time', async () => {
    const [ada, bob] = [await person(farm), await person(farm)]
    const answer = await ada.browser.get('/restws/session/token')
    expect(answer.headers.get('content-type')).toBe('text/plain;charset=UTF-8')
    expect(answer.text).toMatch(/^[\w-]{43}$/)
    expect((await ada.browser.get('/session/token')).text).toBe(answer.text)
    expect((await bob.browser.get('/restws/session/token')).text).not.toBe(answer.text)
    expect(await farm.anonymous.get('/restws/session/token')).toMatchObject({ status: 403 })
  })

  test('is needed for every change with a cookie, and for no reading', async () => {
    const [ada, bob] = [await person(farm), await person(farm)]
    const { cookie } = ada.browser
    const own = (await ada.browser.get('/restws/session/token')).text
    const foreign = (await bob.browser.get('/restws/session/token')).text
    for (const headers of [{}, { 'x-csrf-token': '' }, { 'x-csrf-token': foreign }, { 'x-csrf-token': `${own}x` }]) {
      expect(await write({ cookie, ...headers })).toMatchObject({ status: 403 })
    }
    const created = await write({ cookie, 'x-csrf-token': own })
    expect(created.status).toBe(201)
    const path = `/log/${created.body.id}`
    for (const method of ['PUT', 'DELETE']) {
      const answer = await farm.anonymous.send(method, path, {
        headers: { cookie, 'content-type': 'application/json' },
        body: '{"name":"x"}',
      })
      expect(answer.status).toBe(403)
    }
    expect(await farm.anonymous.get(`${path}.json`, { cookie })).toMatchObject({ status: 200 })
    const form = await farm.anonymous.send('POST', '/log', {
      headers: { cookie },
      body: new URLSearchParams({ name: 'x' }),
    })
    expect(form.status).toBe(403)
  })

  test('is also given to a bearer, who needs none', async () => {
    const ada = await stranger(farm)
    const { body } = await token(farm, passwordRequest(ada))
    const authorization = `Bearer ${body.access_token}`
    const answer = await farm.anonymous.get('/restws/session/token', { authorization })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
    expect(await write({ authorization })).toMatchObject({ status: 201 })
  })

  test('has an address whose first segment can be set', async () => {
    const renamed = await openFarm({ settings: { restModule: 'farm_rest' } })
    const ada = await person(renamed)
    expect(await ada.browser.get('/farm_rest/session/token')).toMatchObject({ status: 200 })
    expect(await ada.browser.get('/restws/session/token')).toMatchObject({ status: 404 })
  })
})

describe('logging out', () => {
  test('ends the session and takes the cookie away; nobody cannot', async () => {
    const ada = await person(farm)
    const { cookie } = ada.browser
    const answer = await ada.browser.get('/user/logout')
    expect(answer.status).toBe(302)
    expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect(await farm.anonymous.get('/log.json', { cookie })).toMatchObject({ status: 403 })
    expect(await farm.anonymous.get('/user/logout')).toMatchObject({ status: 403 })
  })

  test('again, in a browser, says that nobody is logged in and where to log in', async () => {
    const ada = await person(farm)
    await ada.browser.get('/user/logout')
    const again = await ada.browser.get('/user/logout', { accept: 'text/html' })
    expect(again.status).toBe(200)
    expect(again.text).toContain('You are logged out')
    expect(again.text).toContain('href="/user/login"')
    const headers = { accept: 'text/html', authorization: 'Bearer no-such-token' }
    expect((await fetch(`${farm.base}/user/logout`, { headers })).status).toBe(403)
  })

  test('is nothing that another site’s page can do', async () => {
    const ada = await person(farm)
    expect(await ada.browser.get('/user/logout', { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 })
    expect(await ada.browser.get('/log.json')).toMatchObject({ status: 200 })
  })
})

describe('the account page', () => {
  const csrfOf = async (browser: Browser) => hiddenFields((await browser.get('/account')).text).csrf ?? ''

  test('sends a browser that is not logged in to the login and back', async () => {
    const ada = await stranger(farm)
    const asked = await ada.browser.get('/account', { accept: 'text/html' })
    expect(asked.headers.get('location')).toBe(`${farm.base}/user/login?destination=%2Faccount`)
    expect(await farm.anonymous.get('/account')).toMatchObject({ status: 403 })
  })

  test('a new password needs the old one, and ends other sessions and all tokens but not this session', async () => {
    const ada = await person(farm)
    const elsewhere = new Browser(farm)
    await elsewhere.logIn(ada.name, ada.password)
    const { body } = await token(farm, passwordRequest(ada))
    const csrf = await csrfOf(ada.browser)
    const change = (fields: Record<string, string>) =>
      ada.browser.post('/account/password', {
        csrf,
        old: ada.password,
        new: 'a new password',
        again: fields.new ?? 'a new password',
        ...fields,
      })
    for (const fault of [{ old: 'wrong' }, { new: 'short' }, { again: 'a new passwort' }, { again: '' }]) {
      expect(await change(fault)).toMatchObject({ status: 422 })
    }
    const differing = /id="again"[^>]*aria-invalid="true"[^>]*>\n<p class="alert" id="again-fault"/
    expect((await change({ again: 'a new passwort' })).text).toMatch(differing)
    expect(await change({ csrf: '' })).toMatchObject({ status: 403 })
    expect(await elsewhere.get('/log.json')).toMatchObject({ status: 200 })
    const changed = await change({})
    expect([changed.status, changed.headers.get('location')]).toEqual([302, `${farm.base}/account?done=password`])
    expect((await ada.browser.get('/account?done=password')).text).toContain('Your password is changed.')
    for (const done of ['nothing', '__proto__', 'constructor', 'toString']) {
      const page = await ada.browser.get(`/account?done=${done}`)
      expect(page, done).toMatchObject({ status: 200 })
      expect(page.text).not.toContain('role="status"')
    }
    expect(await ada.browser.get('/log.json')).toMatchObject({ status: 200 })
    expect(await elsewhere.get('/log.json')).toMatchObject({ status: 403 })
    expect(await farm.anonymous.get('/log.json', { authorization: `Bearer ${body.access_token}` })).toMatchObject({
      status: 403,
    })
    expect((await token(farm, passwordRequest({ name: ada.name, password: 'a new password' }))).status).toBe(200)
    expect((await token(farm, passwordRequest(ada))).status).toBe(400)
  })

  test('lists sessions and ends one, or all others; somebody else’s cannot be ended', async () => {
    const [ada, bob] = [await person(farm), await person(farm)]
    const browsers = [new Browser(farm), new Browser(farm), new Browser(farm)] as const
    for (const browser of browsers) await browser.logIn(ada.name, ada.password)
    const page = await ada.browser.get('/account')
    const ids = [...page.text.matchAll(/name="session" value="([^"]+)"/g)].map(([, id = '']) => id)
    expect(ids.length).toBe(3)
    await bob.browser.post('/account/sessions', { csrf: await csrfOf(bob.browser), session: ids[0] ?? '' })
    const alive = async () => Promise.all(browsers.map(async (browser) => (await browser.get('/log.json')).status))
    expect(await alive()).toEqual([200, 200, 200])
    const csrf = await csrfOf(ada.browser)
    await ada.browser.post('/account/sessions', { csrf, session: ids[0] ?? '' })
    expect((await alive()).sort()).toEqual([200, 200, 403])
    await ada.browser.post('/account/sessions', { csrf })
    expect(await alive()).toEqual([403, 403, 403])
    expect(await ada.browser.get('/log.json')).toMatchObject({ status: 200 })
  })

  test('takes no form without its CSRF token or from another site’s page', async () => {
    const ada = await person(farm)
    const csrf = await csrfOf(ada.browser)
    for (const path of ['/account/sessions', '/account/applications', '/account/password']) {
      expect(await ada.browser.post(path, {})).toMatchObject({ status: 403 })
      const stale = await ada.browser.post(path, { csrf: 'of another session' }, { accept: 'text/html' })
      expect(stale).toMatchObject({ status: 403 })
      expect(stale.text).toContain('<a href="/account">')
      const over = await new Browser(farm).post(path, { csrf }, { accept: 'text/html' })
      expect(over).toMatchObject({ status: 403 })
      expect(over.text).toContain('<a href="/user/login?destination=%2Faccount">')
      expect(await ada.browser.post(path, { csrf }, { origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    }
  })
})

test('decisions: with TLS required, plain http gets an explanation and no redirect', async () => {
  const strict = await openFarm({
    settings: { requireTls: true, baseUrl: 'https://farm.example', trustedProxies: ['127.0.0.1'] },
  })
  const ada = await stranger(strict)
  const plain = await token(strict, passwordRequest(ada))
  expect([plain.status, plain.headers.get('location')]).toEqual([403, null])
  expect(plain.body.error_description).toContain('https')
  expect(await strict.anonymous.get('/log.json')).toMatchObject({ status: 403 })
  const proxied = await token(strict, passwordRequest(ada), { headers: { 'x-forwarded-proto': 'https' } })
  expect(proxied.status).toBe(200)
})

test.each(shareOfThisEngine(['/', '/user/login?destination=%2Faccount', '/oauth/authorize?client_id=x', '/nowhere']))(
  'decisions: with TLS required, a browser that comes over http to %s is led to https, on a page with its style',
  async (path) => {
    const strict = await openFarm({ settings: { requireTls: true, baseUrl: 'https://farm.example' } })
    const page = await strict.anonymous.get(path, { accept: 'text/html' })
    expect([page.status, page.headers.get('location')]).toEqual([403, null])
    expect(page.text).toContain(`<a class="button" href="https://farm.example${path}">`)
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(page.text) ?? []
    const sheet = await strict.anonymous.get(style)
    expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  },
)
