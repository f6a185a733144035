import { describe, expect, test } from 'vitest'
import { Browser, hiddenFields } from '../access/browser.ts'
import { basic, type Person, passwordRequest, person, stranger, token } from '../access/flow.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const wrong = 'not the password'
const forwarded = { 'x-forwarded-for': '203.0.113.9' }
const settings = { basicAuth: /^person/u, trustedProxies: ['127.0.0.1'] }

const eventsOf = (farm: FarmUnderTest) =>
  farm.installation.database.read((snapshot) =>
    snapshot
      .selectFrom('access_event')
      .select(['event', 'uid', 'client', 'address'])
      .where('event', 'in', ['login-failed', 'login-refused'])
      .orderBy('sequence')
      .execute(),
  )

const lastLine = (farm: FarmUnderTest, path: string) =>
  expect.poll(() => farm.lines.map((line) => JSON.parse(line)).findLast((line) => line.path === path))

const byForm = (farm: FarmUnderTest, name: string) =>
  new Browser(farm).post('/user/login', { name, pass: wrong, form_id: 'user_login' }, forwarded)

const doors: readonly [string, string, string | null, (farm: FarmUnderTest, someone: Person) => Promise<unknown>][] = [
  ['the form', '/user/login', null, (farm, { name }) => byForm(farm, name)],
  [
    'the password grant',
    '/oauth/token',
    'farm',
    (farm, { name }) => token(farm, passwordRequest({ name, password: wrong }), { headers: forwarded }),
  ],
  [
    'HTTP Basic',
    '/farm.json',
    null,
    (farm, { name }) => farm.anonymous.get('/farm.json', { authorization: basic(name, wrong), ...forwarded }),
  ],
]

describe.each(doors)('spec 5: a login by %s that fails', (_, path, client, attempt) => {
  test('leaves an event and is told in the log line, with the address and never with what was typed', async () => {
    const farm = await openFarm({ settings })
    const someone = await stranger(farm)
    await attempt(farm, someone)
    expect(await eventsOf(farm)).toEqual([{ event: 'login-failed', uid: someone.uid, client, address: '203.0.113.9' }])
    await lastLine(farm, path).toMatchObject({ login: 'failed', address: '203.0.113.9' })
    expect(farm.lines.join('')).not.toContain(wrong)
  })

  test('leaves one event a minute once it is refused after too many failures', async () => {
    const farm = await openFarm({ settings })
    const someone = await stranger(farm)
    farm.setClock(1_700_000_000)
    for (let count = 0; count < 13; count += 1) await attempt(farm, someone)
    const refused = { event: 'login-refused', uid: someone.uid, client, address: '203.0.113.9' }
    expect((await eventsOf(farm)).slice(10)).toEqual([refused])
    await lastLine(farm, path).toMatchObject({ login: 'refused', address: '203.0.113.9' })
    farm.setClock(1_700_000_061)
    await attempt(farm, someone)
    await attempt(farm, someone)
    expect((await eventsOf(farm)).slice(11)).toMatchObject([{ event: 'login-failed' }, refused])
  })
})

describe('spec 5: failed logins', () => {
  test('record no unknown name: it may be a password', async () => {
    const farm = await openFarm({ settings })
    await byForm(farm, 'green fields 42')
    expect(await eventsOf(farm)).toEqual([{ event: 'login-failed', uid: null, client: null, address: '203.0.113.9' }])
    const rows = await farm.installation.database.read((all) => all.selectFrom('access_event').selectAll().execute())
    expect(JSON.stringify(rows) + farm.lines.join('')).not.toContain('green fields')
  })

  test('count on the account page, where the present password is asked for', async () => {
    const farm = await openFarm({ settings })
    const someone = await person(farm)
    const { csrf = '' } = hiddenFields((await someone.browser.get('/account')).text)
    await someone.browser.post('/account/password', {
      csrf,
      old: wrong,
      new: 'a new password',
      again: 'a new password',
    })
    expect(await eventsOf(farm)).toMatchObject([{ event: 'login-failed', uid: someone.uid, address: '127.0.0.1' }])
  })

  test('are said in no line of a login that succeeds', async () => {
    const farm = await openFarm({ settings })
    const someone = await person(farm)
    await token(farm, passwordRequest(someone))
    await lastLine(farm, '/oauth/token').toMatchObject({ status: 200, address: '127.0.0.1' })
    expect(farm.lines.join('')).not.toContain('"login"')
    expect(await eventsOf(farm)).toEqual([])
  })
})

test('decisions: the request log has the addresses of callers unless a setting leaves them out', async () => {
  const farm = await openFarm({ settings: { ...settings, logAddresses: false } })
  await byForm(farm, 'nobody')
  await lastLine(farm, '/user/login').toMatchObject({ login: 'failed' })
  expect(farm.lines.join('')).not.toMatch(/address|203\.0\.113\.9|127\.0\.0\.1/)
})
