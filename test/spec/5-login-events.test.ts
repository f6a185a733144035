import { describe, expect, test } from 'vitest'
import { Browser } from '../access/browser.ts'
import {
  app,
  basic,
  codeFor,
  type Person,
  passwordRequest,
  person,
  redemption,
  refreshRequest,
  stranger,
  token,
} from '../access/flow.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const here = '203.0.113.9'
const farm = await openFarm({ settings: { basicAuth: /^person/u, trustedProxies: ['127.0.0.1'] } })

const loginsOf = ({ installation }: FarmUnderTest, uid: number) =>
  installation.database.read((snapshot) =>
    snapshot
      .selectFrom('access_event')
      .select(['uid', 'client', 'address'])
      .where('event', '=', 'logged-in')
      .where('uid', '=', uid)
      .orderBy('sequence')
      .execute(),
  )

const byBasic = ({ name, password }: Person, address: string) =>
  farm.anonymous.get('/farm.json', { authorization: basic(name, password), ...from(address).headers })

describe('spec 5: a login leaves one event, with client and address', () => {
  test('by the form, and by JSON', async () => {
    const { uid, name, password } = await stranger(farm)
    const typed = { name, pass: password, form_id: 'user_login' }
    for (const path of ['/user/login', '/user/login?_format=json'])
      await new Browser(farm).post(path, typed, from(here).headers)
    const login = { uid, client: null, address: here }
    expect(await loginsOf(farm, uid)).toEqual([login, login])
  })

  test('by the password grant; a refresh leaves none', async () => {
    const someone = await stranger(farm)
    const given = await token(farm, passwordRequest(someone), from(here))
    const again = await token(farm, refreshRequest(given.body.refresh_token), from(here))
    expect([given.status, again.status]).toEqual([200, 200])
    expect(await loginsOf(farm, someone.uid)).toEqual([{ uid: someone.uid, client: 'farm', address: here }])
  })

  test('by a code', async () => {
    const someone = await person(farm)
    const client = await app(farm)
    const code = await codeFor(someone, client)
    const before = (await loginsOf(farm, someone.uid)).length
    expect((await token(farm, redemption(client, code), from(here))).status).toBe(200)
    expect((await loginsOf(farm, someone.uid)).slice(before)).toEqual([
      { uid: someone.uid, client: client.id, address: here },
    ])
  })

  test('by the credentials of a client', async () => {
    const grants = ['client_credentials'] as const
    const { id, secret } = await app(farm, { secret: true, grants, scopes: ['farm_worker'], redirectUris: [] })
    const credentials = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope: 'farm_worker' }
    const { access_token } = (await token(farm, credentials, from(here))).body
    const me = await farm.anonymous.get('/me.json', { authorization: `Bearer ${access_token}` })
    const uid = Number(me.body.account.id)
    expect(await loginsOf(farm, uid)).toEqual([{ uid, client: id, address: here }])
  })

  test('by HTTP Basic once per account and address in an hour, however often the password is sent', async () => {
    const [someone, another] = [await stranger(farm), await stranger(farm)]
    const now = farm.installation.clock()
    const login = { uid: someone.uid, client: null, address: here }
    for (const [second, logins] of [
      [0, [login]],
      [61, [login]],
      [3599, [login]],
      [3600, [login, login]],
      [3700, [login, login]],
    ] as const) {
      farm.setClock(now + second)
      const answers = await Promise.all([1, 2, 3].map(() => byBasic(someone, here)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(await loginsOf(farm, someone.uid), `after ${second} seconds`).toEqual(logins)
    }
    await byBasic(someone, '203.0.113.10')
    await byBasic(another, here)
    expect((await loginsOf(farm, someone.uid)).slice(2)).toEqual([{ ...login, address: '203.0.113.10' }])
    expect(await loginsOf(farm, another.uid)).toEqual([{ ...login, uid: another.uid }])
    farm.setClock(null)
  })

  test('a failed login leaves no login event', async () => {
    const someone = await stranger(farm)
    await token(farm, passwordRequest({ name: someone.name, password: 'not this one' }), from(here))
    await byBasic({ ...someone, password: 'not this one' }, here)
    const client = await app(farm)
    await token(farm, passwordRequest(someone, { client_id: client.id }), from(here))
    expect(await loginsOf(farm, someone.uid)).toEqual([])
  })
})
