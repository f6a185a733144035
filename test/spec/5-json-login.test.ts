import { describe, expect, test } from 'vitest'
import { blockAccount } from '../../src/access/accounts.ts'
import { wallClock } from '../../src/clock.ts'
import { passwordRequest, stranger, token } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm({ settings: { trustedProxies: ['127.0.0.1'] } })
const log = JSON.stringify({ name: 'Weeding', type: 'farm_activity', timestamp: 1_700_000_000 })

const logIn = (sent: object, headers: Record<string, string> = {}) =>
  farm.anonymous.send('POST', '/user/login?_format=json', {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(sent),
  })
const cookieOf = (answer: { headers: Headers }) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
const write = (headers: Record<string, string>) =>
  farm.anonymous.send('POST', '/log', { headers: { 'content-type': 'application/json', ...headers }, body: log })

describe('POST /user/login?_format=json', () => {
  test.each(
    shareOfThisEngine([
      [null, ['authenticated']],
      ['viewer', ['authenticated', 'farm_viewer']],
      ['worker', ['authenticated', 'farm_worker']],
      ['manager', ['authenticated', 'farm_manager']],
    ] as const),
  )('tells an account with the role %s who it is, and what it may send along', async (role, roles) => {
    const { uid, name, password } = await stranger(farm, role)
    const answer = await logIn({ name, pass: password })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      current_user: { uid: String(uid), name, roles },
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      logout_token: expect.stringMatching(/^[\w-]{43}$/),
    })
    const cookie = cookieOf(answer)
    expect(await farm.anonymous.get('/api', { cookie })).toMatchObject({ status: 200 })
    expect((await farm.anonymous.get('/session/token', { cookie })).text).toBe(answer.body.csrf_token)
  })

  test('gives a session whose changes need its CSRF token', async () => {
    const { name, password } = await stranger(farm)
    const answer = await logIn({ name, pass: password })
    const cookie = cookieOf(answer)
    expect(await write({ cookie })).toMatchObject({ status: 403 })
    expect(await write({ cookie, 'x-csrf-token': answer.body.csrf_token })).toMatchObject({ status: 201 })
  })

  test('answers 400 to a wrong password, an unknown and a blocked user alike, without a cookie', async () => {
    const [known, blocked] = [await stranger(farm), await stranger(farm)]
    await blockAccount(farm.installation, blocked.name)
    const answers = [
      await logIn({ name: known.name, pass: 'wrong' }),
      await logIn({ name: 'nobody at all', pass: 'wrong' }),
      await logIn({ name: blocked.name, pass: blocked.password }),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.body.type]).toEqual([400, 'urn:furrow:refusal:wrong-password'])
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test.each(
    shareOfThisEngine([
      {},
      { name: 'ada' },
      { pass: 'x' },
      { name: '', pass: '' },
      { name: { $gt: '' }, pass: 'x' },
      [],
    ]),
  )('answers 400 to %j', async (sent) => {
    expect(await logIn(sent)).toMatchObject({ status: 400 })
  })

  test('counts failures together with the form, and then answers 429 in JSON', async () => {
    farm.setClock(wallClock())
    const { name, password } = await stranger(farm)
    const from = { 'x-forwarded-for': '10.77.0.1' }
    const form = () =>
      farm.anonymous.send('POST', '/user/login', { headers: from, body: new URLSearchParams({ name, pass: 'wrong' }) })
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await logIn({ name, pass: 'wrong' }, from)).status).toBe(400)
      expect((await form()).status).toBe(200)
    }
    const limited = await logIn({ name, pass: password }, from)
    expect([limited.status, limited.body.type]).toEqual([429, 'urn:furrow:refusal:too-many-requests'])
    expect(Number(limited.headers.get('retry-after'))).toBe(60)
    expect(limited.headers.get('set-cookie')).toBeNull()
    farm.setClock(null)
  })

  test('is nothing that another site’s page can do', async () => {
    const { name, password } = await stranger(farm)
    const foreign = await logIn({ name, pass: password }, { origin: 'https://evil.example' })
    expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null])
  })
})

describe('POST /user/logout?_format=json&token=…', () => {
  test('ends the session with the logout token of its login, and with no other', async () => {
    const [ada, bob] = [await stranger(farm), await stranger(farm)]
    const mine = await logIn({ name: ada.name, pass: ada.password })
    const other = await logIn({ name: bob.name, pass: bob.password })
    const cookie = cookieOf(mine)
    const logOut = (logoutToken: string) =>
      farm.anonymous.send('POST', `/user/logout?_format=json&token=${logoutToken}`, { headers: { cookie } })
    for (const bad of ['', other.body.logout_token]) expect(await logOut(bad)).toMatchObject({ status: 403 })
    expect(await farm.anonymous.get('/api', { cookie })).toMatchObject({ status: 200 })
    const done = await logOut(mine.body.logout_token)
    expect(done.status).toBe(204)
    expect(done.headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect(await farm.anonymous.get('/api', { cookie })).toMatchObject({ status: 401 })
    expect(await logOut(mine.body.logout_token)).toMatchObject({ status: 403 })
  })
})

test('GET /session/token answers a bearer of the newer generation, and its X-CSRF-Token is not looked at', async () => {
  const someone = await stranger(farm)
  const { body } = await token(farm, passwordRequest(someone, { scope: 'farm_manager' }))
  const authorization = `Bearer ${body.access_token}`
  const asked = await farm.anonymous.get('/session/token', { authorization })
  expect([asked.status, asked.headers.get('content-type')]).toEqual([200, 'text/plain;charset=UTF-8'])
  expect(asked.headers.get('set-cookie')).toBeNull()
  for (const sent of [asked.text, 'of somebody else', ''])
    expect(await write({ authorization, 'x-csrf-token': sent })).toMatchObject({ status: 201 })
})
