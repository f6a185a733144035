import { describe, expect, test } from 'vitest'
import { blockAccount, removeAccount, setPassword, setRole, unblockAccount } from '../../src/access/accounts.ts'
import { invite } from '../../src/access/invitations.ts'
import { sweep } from '../../src/access/sweeping.ts'
import { Browser } from '../access/browser.ts'
import { type Person, passwordRequest, person, statusWith, stranger, token } from '../access/flow.ts'
import type { Answer } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'

const farm = await openFarm({ settings: { trustedProxies: ['127.0.0.1'] } })
const day = 86_400
const json = { 'content-type': 'application/json', accept: 'application/json' }

let guests = 0
let networks = 0

/** Each guest comes from elsewhere, so that failures are not counted together. */
const elsewhere = () => ({ 'x-forwarded-for': `10.1.${Math.floor(++networks / 250)}.${(networks % 250) + 1}` })

const newName = (): string => `guest-${++guests}`
const good = 'a password of its own'

/** A manager asks the server for something. */
async function administer(manager: Person, method: string, path: string, content?: unknown): Promise<Answer> {
  const csrf = (await manager.browser.get('/restws/session/token')).text
  const headers = { ...json, cookie: manager.browser.cookie, 'x-csrf-token': csrf }
  return farm.anonymous.send(method, path, {
    headers,
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  })
}

const keyIn = (link: string): string => link.split('#')[1] ?? ''

interface Made {
  readonly id: string
  readonly key: string
  readonly link: string
}

async function invited(manager: Person, role = 'worker'): Promise<Made> {
  const { status, body } = await administer(manager, 'POST', '/administer/invitations.json', { role })
  expect(status).toBe(201)
  return { id: body.id, link: body.link, key: keyIn(body.link) }
}

async function passwordLink(manager: Person, uid: number): Promise<Made> {
  const { status, body } = await administer(manager, 'POST', `/administer/people/${uid}/password-link`)
  expect(status).toBe(201)
  return { id: body.id, link: body.link, key: keyIn(body.link) }
}

const send = (path: string, content: unknown, headers = {}): Promise<Answer> =>
  farm.anonymous.send('POST', path, { headers: { ...json, ...elsewhere(), ...headers }, body: JSON.stringify(content) })

const accept = (key: string, given: { readonly name?: string; readonly password?: string } = {}): Promise<Answer> =>
  send('/invitation.json', { key, name: newName(), password: good, ...given })

const renew = (key: string, password = good): Promise<Answer> => send('/new-password.json', { key, password })

const people = async (manager: Person): Promise<readonly { name: string; role: string; id: string }[]> =>
  (await administer(manager, 'GET', '/administer/people.json')).body.people

/** Without what differs from request to request. */
const words = ({ status, body }: Answer) => ({ status, type: body.type, detail: body.detail })

const eventKinds = (): Promise<readonly { event: string; uid: number | null; actor: number | null }[]> =>
  farm.installation.database.read((all) =>
    all.selectFrom('access_event').select(['event', 'uid', 'actor']).orderBy('sequence').execute(),
  )

describe('an invitation', () => {
  test('makes an account in its role, logs it in, and is worth nothing afterwards', async () => {
    const manager = await person(farm)
    const { key, link } = await invited(manager)
    expect(link).toBe(`${farm.base}/invitation#${key}`)
    expect(Buffer.from(key, 'base64url').length).toBeGreaterThanOrEqual(16)
    const guest = new Browser(farm)
    const name = newName()
    const answer = await guest.post('/invitation.json', { key, name, password: good }, { accept: 'application/json' })
    expect([answer.status, answer.body]).toEqual([200, { go_on: '/app/' }])
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/furrow_session=.*HttpOnly/)])
    expect((await guest.get('/me.json')).body).toMatchObject({ account: { name, role: 'worker' } })
    expect((await new Browser(farm).logIn(name, good)).status).toBe(302)
    expect((await accept(key)).status).toBe(404)
    const { uid } = (await eventKinds()).filter(({ event }) => event === 'invitation-used').at(-1) ?? {}
    expect((await people(manager)).find((one) => one.name === name)).toMatchObject({ id: String(uid), role: 'worker' })
  })

  test('is used up by nobody who only looks', async () => {
    const manager = await person(farm)
    const { key } = await invited(manager)
    for (let turn = 0; turn < 100; turn++) {
      const page = await farm.anonymous.send(turn % 2 === 0 ? 'GET' : 'HEAD', `/invitation?preview=${turn}`, {
        headers: { accept: 'text/html' },
      })
      expect([page.status, page.headers.getSetCookie()]).toEqual([200, []])
    }
    expect((await accept(key)).status).toBe(200)
  })

  test('gives one account, however many race for it', async () => {
    const manager = await person(farm)
    const before = (await people(manager)).length
    const { key } = await invited(manager)
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(key)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
    expect((await people(manager)).length).toBe(before + 1)
  })

  test('is refused in the same words whether it is unknown, used, revoked, over, or of another kind', async () => {
    const manager = await person(farm)
    const [used, revoked, over] = [await invited(manager), await invited(manager), await invited(manager)]
    await accept(used.key)
    await administer(manager, 'DELETE', `/administer/invitations/${revoked.id}`)
    const unknown = words(await accept('A'.repeat(43)))
    expect(unknown).toMatchObject({ status: 404, type: 'urn:furrow:refusal:not-found' })
    expect(words(await accept(used.key))).toEqual(unknown)
    expect(words(await accept(revoked.key))).toEqual(unknown)
    expect(words(await renew(over.key))).toEqual(unknown)
    const { uid } = await stranger(farm, 'worker')
    expect(words(await accept((await passwordLink(manager, uid)).key))).toEqual(unknown)
    farm.setClock(farm.installation.clock() + 7 * day)
    expect(words(await accept(over.key))).toEqual(unknown)
    farm.setClock(null)
  })

  test('works until its last second', async () => {
    const manager = await person(farm)
    const { key } = await invited(manager)
    const [{ expires }] = (await administer(manager, 'GET', '/administer/invitations.json')).body.invitations
    farm.setClock(Number(expires) - 1)
    expect((await accept(key)).status).toBe(200)
    farm.setClock(null)
  })

  test('is not used up by a name that is taken, by one that cannot be, or by a short password', async () => {
    const manager = await person(farm)
    const { key } = await invited(manager, 'viewer')
    expect(words(await accept(key, { name: manager.name }))).toMatchObject({
      status: 409,
      type: 'urn:furrow:refusal:conflict',
    })
    expect((await accept(key, { name: '' })).status).toBe(422)
    expect((await accept(key, { password: 'short' })).status).toBe(422)
    expect((await send('/invitation.json', { key, name: newName(), password: good, language: 'xx' })).status).toBe(422)
    expect((await accept(key)).status).toBe(200)
  })

  test('gives each name once if many race with two invitations', async () => {
    const manager = await person(farm)
    const name = newName()
    const keys = [(await invited(manager)).key, (await invited(manager)).key]
    const statuses = (await Promise.all(keys.map((key) => accept(key, { name })))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409])
  })

  test.each<[what: string, lose: (manager: Person) => Promise<unknown>]>([
    ['is blocked', ({ name }) => blockAccount(farm.installation, name)],
    ['is lowered', ({ name }) => setRole(farm.installation, name, 'worker')],
    ['is removed', ({ name }) => removeAccount(farm.installation, name)],
    [
      'was blocked for a moment',
      async ({ name }) => {
        await blockAccount(farm.installation, name)
        await unblockAccount(farm.installation, name)
      },
    ],
    [
      'lost the right in a way that took no links along',
      ({ uid }) =>
        farm.installation.database.write((tx) =>
          tx.updateTable('account').set({ role: 'worker' }).where('uid', '=', uid).execute(),
        ),
    ],
  ])('ends with the right of its maker, who %s', async (_what, lose) => {
    const [other, maker] = [await person(farm), await person(farm)]
    const { uid } = await stranger(farm, 'worker')
    const made = [await invited(maker), await passwordLink(maker, uid)]
    await lose(maker)
    expect((await accept(made[0]?.key ?? '')).status).toBe(404)
    expect((await renew(made[1]?.key ?? '')).status).toBe(404)
    const open = (await administer(other, 'GET', '/administer/invitations.json')).body.invitations
    const ids = open.map(({ id }: { id: string }) => id)
    if (_what !== 'lost the right in a way that took no links along')
      for (const { id } of made) expect(ids).not.toContain(id)
  })

  test('that is used while its maker is blocked gives an account before that or not at all', async () => {
    for (let turn = 0; turn < rounds({ short: 3, long: 30 }); turn++) {
      const maker = await person(farm)
      const [used, name] = [await invited(maker), newName()]
      const [{ status }] = await Promise.all([accept(used.key, { name }), blockAccount(farm.installation, maker.name)])
      expect([200, 404]).toContain(status)
      const events = await farm.installation.database.read((all) =>
        all
          .selectFrom('access_event')
          .select('event')
          .where((is) => is.or([is('uid', '=', maker.uid), is('actor', '=', maker.uid)]))
          .where('event', 'in', ['invitation-used', 'account-blocked'])
          .orderBy('sequence')
          .execute(),
      )
      const expected = status === 200 ? ['invitation-used', 'account-blocked'] : ['account-blocked']
      expect(events.map(({ event }) => event)).toEqual(expected)
    }
  })

  test('is listed without its key, by whom, for whom and until when, and can be taken back once', async () => {
    const manager = await person(farm)
    const content = { role: 'viewer', name: 'Ann from the market' }
    const { body } = await administer(manager, 'POST', '/administer/invitations.json', content)
    const listed = await administer(manager, 'GET', '/administer/invitations.json')
    expect(listed.body.invitations[0]).toMatchObject({
      id: body.id,
      kind: 'account',
      name: 'Ann from the market',
      role: 'viewer',
      by: { id: String(manager.uid), name: manager.name },
      expires: body.expires,
    })
    expect(listed.text).not.toContain(keyIn(body.link))
    expect((await administer(manager, 'DELETE', `/administer/invitations/${body.id}`)).status).toBe(204)
    expect((await administer(manager, 'DELETE', `/administer/invitations/${body.id}`)).status).toBe(404)
    expect((await administer(manager, 'DELETE', '/administer/invitations/nonsense')).status).toBe(404)
  })

  test('takes a role that there is, and nothing else', async () => {
    const manager = await person(farm)
    const refusedFor = async (content: unknown) =>
      (await administer(manager, 'POST', '/administer/invitations.json', content)).status
    expect(await refusedFor({ role: 'owner' })).toBe(422)
    expect(await refusedFor({})).toBe(422)
    expect(await refusedFor({ role: 'worker', admin: true })).toBe(422)
    expect(await refusedFor({ role: 'worker', name: 5 })).toBe(422)
    expect(await refusedFor(['worker'])).toBe(400)
  })

  test('made by the command line is nobody’s, and works', async () => {
    const { key } = await invite(farm.installation, { role: 'worker', name: '', by: null })
    expect((await accept(key)).status).toBe(200)
  })

  test('is not accepted for a page of another site', async () => {
    const { key } = await invited(await person(farm))
    const content = { key, name: newName(), password: good }
    expect((await send('/invitation.json', content, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send('/invitation.json', content)).status).toBe(200)
  })
})

describe('the pages of links', () => {
  test.each(['/invitation', '/new-password'])(
    '%s is the same for everybody, with a script of ours alone',
    async (path) => {
      const page = await farm.anonymous.get(path, { accept: 'text/html' })
      expect(page.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; /,
      )
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.text).toContain('<noscript>')
      const [, script = ''] = /<script src="([^"]+)" defer><\/script>/.exec(page.text) ?? []
      expect((await farm.anonymous.get(script)).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    },
  )
})

describe('a link to a new password', () => {
  test('sets it once, logs in, and ends every session and token of the account', async () => {
    const [manager, worker] = [await person(farm), await person(farm, 'worker')]
    const { body } = await token(farm, passwordRequest(worker))
    expect(await statusWith(farm, body.access_token)).toBe(200)
    const { key, link } = await passwordLink(manager, worker.uid)
    expect(link).toBe(`${farm.base}/new-password#${key}`)
    const answer = await renew(key, 'quite another password')
    expect([answer.status, answer.body]).toEqual([200, { go_on: '/app/' }])
    expect(answer.headers.getSetCookie().join()).toContain('furrow_session=')
    expect(await statusWith(farm, body.access_token)).toBe(401)
    expect((await worker.browser.get('/me.json')).status).toBe(403)
    expect((await new Browser(farm).logIn(worker.name, worker.password)).status).toBe(200)
    expect((await new Browser(farm).logIn(worker.name, 'quite another password')).status).toBe(302)
    expect((await renew(key)).status).toBe(404)
  })

  test('is not used up by a short password, and ends after a day', async () => {
    const [manager, worker] = [await person(farm), await stranger(farm, 'worker')]
    const { key } = await passwordLink(manager, worker.uid)
    expect((await renew(key, 'short')).status).toBe(422)
    farm.setClock(farm.installation.clock() + day)
    expect((await renew(key)).status).toBe(404)
    farm.setClock(null)
    expect((await renew(key)).status).toBe(200)
  })

  test.each<[what: string, change: (worker: Person, manager: Person) => Promise<unknown>]>([
    ['got another password', ({ name }) => setPassword(farm.installation, { name, password: 'something else' })],
    ['is blocked', ({ name }) => blockAccount(farm.installation, name)],
    ['is removed', ({ name }) => removeAccount(farm.installation, name)],
    ['got another link', (worker, manager) => passwordLink(manager, worker.uid)],
    [
      'got another password in a way that took no links along',
      ({ uid }) =>
        farm.installation.database.write((tx) =>
          tx.updateTable('account').set({ password_hash: 'another' }).where('uid', '=', uid).execute(),
        ),
    ],
  ])('ends where the account %s', async (_what, change) => {
    const [manager, worker] = [await person(farm), await stranger(farm, 'worker')]
    const { key } = await passwordLink(manager, worker.uid)
    await change(worker, manager)
    expect((await renew(key)).status).toBe(404)
  })

  test('is made for accounts that log in and are not blocked', async () => {
    const [manager, worker] = [await person(farm), await stranger(farm, 'worker')]
    await blockAccount(farm.installation, worker.name)
    const made = async (uid: number) =>
      (await administer(manager, 'POST', `/administer/people/${uid}/password-link`)).status
    expect(await made(worker.uid)).toBe(409)
    expect(await made(999_999)).toBe(404)
  })

  test('is set once, however many race for it', async () => {
    const [manager, worker] = [await person(farm), await stranger(farm, 'worker')]
    const { key } = await passwordLink(manager, worker.uid)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, turn) => renew(key, `the password of ${turn}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
  })
})

test('what was made, used and taken back is left behind, with who did it', async () => {
  const [manager, worker] = [await person(farm), await stranger(farm, 'worker')]
  const before = (await eventKinds()).length
  const { key } = await invited(manager)
  await accept(key)
  await administer(manager, 'DELETE', `/administer/invitations/${(await invited(manager)).id}`)
  await renew((await passwordLink(manager, worker.uid)).key)
  await administer(manager, 'DELETE', `/administer/invitations/${(await passwordLink(manager, worker.uid)).id}`)
  await accept('nonsense')
  const left = (await eventKinds()).slice(before)
  const of = (kind: string) => left.filter(({ event }) => event === kind)
  expect(of('invitation-made')).toEqual(Array(2).fill({ event: 'invitation-made', uid: null, actor: manager.uid }))
  expect(of('invitation-used')).toMatchObject([{ actor: manager.uid }])
  expect(of('invitation-revoked')).toMatchObject([{ actor: manager.uid }])
  expect(of('password-link-made')).toMatchObject(Array(2).fill({ uid: worker.uid, actor: manager.uid }))
  expect(of('password-link-used')).toMatchObject([{ uid: worker.uid, actor: manager.uid }])
  expect(of('password-link-revoked')).toMatchObject([{ uid: worker.uid, actor: manager.uid }])
  expect(of('link-failed')).toMatchObject([{ uid: null, actor: null }])
})

test('links whose time is over are taken away', async () => {
  await invited(await person(farm))
  farm.setClock(farm.installation.clock() + 8 * day)
  await sweep(farm.installation)
  const left = await farm.installation.database.read((all) => all.selectFrom('invitation').selectAll().execute())
  expect(left).toEqual([])
  farm.setClock(null)
})

test('a right key works whatever was guessed before; after 100 wrong ones in an hour wrong ones are refused', async () => {
  const guessing = await openFarm()
  const guess = (key: string, path = '/invitation.json') =>
    guessing.anonymous.send('POST', path, {
      headers: json,
      body: JSON.stringify({ key, name: newName(), password: good }),
    })
  const keyOf = async () => (await invite(guessing.installation, { role: 'worker', name: '', by: null })).key
  guessing.setClock(guessing.installation.clock())
  const paths = ['/invitation.json', '/new-password.json', '/shared-report.json']
  for (let turn = 0; turn < 100; turn++)
    expect((await guess(`guess ${turn}`, paths[turn % paths.length])).status).toBe(404)
  for (const path of paths) {
    const refused = await guess('one more guess', path)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
  }
  const { name, password } = (await guessing.login('worker')).login
  expect((await token(guessing, passwordRequest({ name, password }))).status).toBe(200)
  expect((await guess(await keyOf())).status).toBe(200)
  const atOnce = Array.from({ length: 100 }, (_, turn) => guess(`at once ${turn}`))
  expect((await guess(await keyOf())).status).toBe(200)
  expect(new Set((await Promise.all(atOnce)).map(({ status }) => status))).toEqual(new Set([429]))
  guessing.setClock(guessing.installation.clock() + 3601)
  expect((await guess('another guess')).status).toBe(404)
})
