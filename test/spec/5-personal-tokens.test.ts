import { describe, expect, test } from 'vitest'
import { blockAccount, replacePassword, setRole } from '../../src/access/accounts.ts'
import { listEvents } from '../../src/access/events.ts'
import { setClient } from '../../src/access/oauth/registration.ts'
import { hiddenFields } from '../access/browser.ts'
import { basic, type Person, passwordRequest, person, statusWith, stranger, token } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm({ settings: { basicAuth: /./ } })
const wanted = { name: 'A script', scope: 'farm_viewer', days: '30' }

async function ask({ browser }: Person, given: Record<string, string> = {}) {
  const { csrf = '' } = hiddenFields((await browser.get('/account')).text)
  return browser.post('/account/tokens', { ...wanted, csrf, ...given })
}

async function made(someone: Person, given: Record<string, string> = {}): Promise<string> {
  const { status, text } = await ask(someone, given)
  const [, shown = ''] = /<code>(furrow_[\w-]{43})<\/code>/.exec(text) ?? []
  expect([status, shown.length]).toEqual([200, 50])
  return shown
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

describe('a personal token', () => {
  test('is shown once, acts within its scope, and is ended on the same page', async () => {
    const someone = await person(farm, 'worker')
    const secret = await made(someone)
    expect((await farm.anonymous.get('/log.json', bearer(secret))).status).toBe(200)
    expect((await farm.anonymous.send('DELETE', '/log/1', { headers: bearer(secret) })).status).toBe(403)
    const page = (await someone.browser.get('/account')).text
    expect(page).toContain('A script')
    expect(page).not.toContain(secret)
    const [, id = ''] = /name="token" value="([^"]+)"/.exec(page) ?? []
    const { csrf = '' } = hiddenFields(page)
    expect((await someone.browser.post('/account/tokens/end', { csrf, token: id })).status).toBe(302)
    expect(await statusWith(farm, secret)).toBe(401)
    const events = await listEvents(farm.installation, { kinds: [], since: 0, most: 100 })
    const own = events.filter(({ uid, kind }) => uid === someone.uid && kind.startsWith('personal-token'))
    expect(own.map(({ kind }) => kind)).toEqual(['personal-token-ended', 'personal-token-made'])
  })

  test('is made in a session only, and by nobody’s token or Basic', async () => {
    const someone = await person(farm)
    const given = await token(farm, passwordRequest(someone))
    const form = (headers: Record<string, string>) =>
      farm.anonymous.send('POST', '/account/tokens', { headers, body: new URLSearchParams(wanted) })
    for (const headers of [
      {},
      bearer(given.body.access_token),
      bearer(await made(someone, { scope: 'user_access' })),
      { authorization: basic(someone.name, someone.password) },
    ])
      expect((await form(headers)).status).toBe(403)
    expect((await someone.browser.post('/account/tokens', wanted)).status).toBe(403)
  })

  test('takes the password of the last 15 minutes', async () => {
    const someone = await person(farm)
    farm.setClock(Math.floor(Date.now() / 1000) + 901)
    try {
      expect((await ask(someone)).status).toBe(422)
      expect((await ask(someone, { password: 'another' })).status).toBe(422)
      await made(someone, { password: someone.password })
      await made(someone)
    } finally {
      farm.setClock(null)
    }
  })

  test.each([
    ['a scope beyond the role', { scope: 'farm_manager' }],
    ['the scope to administer', { scope: 'farm_admin' }],
    ['a scope that is none', { scope: 'everything' }],
    ['no scope', { scope: '' }],
    ['no day', { days: '0' }],
    ['more than 366 days', { days: '367' }],
    ['half a day', { days: '0.5' }],
    ['no name', { name: ' ' }],
    ['a name that turns a list around', { name: 'a\u202eb' }],
  ])('is not made with %s', async (_why, given) => {
    const someone = await person(farm, 'worker')
    expect((await ask(someone, given)).status).toBe(422)
    expect((await someone.browser.get('/account')).text).toContain('You have no personal token.')
  })

  test('is no manager’s way to farm_admin either', async () => {
    expect((await ask(await person(farm), { scope: 'farm_admin' })).status).toBe(422)
  })

  test('is one of at most 20', async () => {
    const someone = await person(farm)
    const answers = await Promise.all(Array.from({ length: 22 }, () => ask(someone)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(2)
  })

  test('ends at its end', async () => {
    const secret = await made(await person(farm), { days: '1' })
    farm.setClock(Math.floor(Date.now() / 1000) + 86_401)
    expect(await statusWith(farm, secret)).toBe(401)
    farm.setClock(null)
  })

  test('ends with a block and with a new password', async () => {
    const [blocked, changed] = [await person(farm), await person(farm)]
    const secrets = [await made(blocked), await made(changed)]
    await stranger(farm)
    await blockAccount(farm.installation, blocked.name)
    await replacePassword(farm.installation, changed.uid, { password: 'a new password', session: '' })
    for (const secret of secrets) expect(await statusWith(farm, secret)).toBe(401)
  })

  test('may less when the role is lowered', async () => {
    const someone = await person(farm, 'worker')
    const secret = await made(someone, { scope: 'farm_worker' })
    const log = { name: 'A log', type: 'farm_activity', timestamp: 1_700_000_000 }
    const write = () =>
      farm.anonymous.send('POST', '/log', {
        headers: { ...bearer(secret), 'content-type': 'application/json' },
        body: JSON.stringify(log),
      })
    expect((await write()).status).toBe(201)
    await setRole(farm.installation, someone.name, 'viewer')
    expect((await write()).status).toBe(403)
    expect((await farm.anonymous.get('/log.json', bearer(secret))).status).toBe(200)
  })

  test('ends when tokens are switched off for the farm, and none is made until they are on again', async () => {
    const someone = await person(farm)
    const secret = await made(someone)
    await setClient(farm.installation, 'personal-tokens', { disabled: true })
    expect(await statusWith(farm, secret)).toBe(401)
    expect((await ask(someone)).status).toBe(422)
    await setClient(farm.installation, 'personal-tokens', { disabled: false })
    await made(someone)
  })

  test('is revoked by whoever has it, as RFC 7009 says', async () => {
    const someone = await person(farm)
    const secret = await made(someone)
    const revoked = await farm.anonymous.send('POST', '/oauth/revoke', { body: new URLSearchParams({ token: secret }) })
    expect([revoked.status, await statusWith(farm, secret)]).toEqual([200, 401])
    expect((await someone.browser.get('/account')).text).toContain('You have no personal token.')
  })
})
