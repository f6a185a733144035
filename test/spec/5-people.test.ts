import { describe, expect, test } from 'vitest'
import { Browser } from '../access/browser.ts'
import {
  app,
  codeFor,
  type Person,
  passwordRequest,
  person,
  redemption,
  statusWith,
  stranger,
  token,
} from '../access/flow.ts'
import type { Answer } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()

async function headersOf(manager: Person): Promise<Record<string, string>> {
  const csrf = (await manager.browser.get('/restws/session/token')).text
  return { 'content-type': 'application/json', cookie: manager.browser.cookie, 'x-csrf-token': csrf }
}

async function administer(manager: Person, method: string, path: string, content?: unknown): Promise<Answer> {
  return farm.anonymous.send(method, `/administer/${path}`, {
    headers: await headersOf(manager),
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  })
}

const logsIn = async ({ name, password }: Person): Promise<boolean> =>
  (await new Browser(farm).logIn(name, password)).status === 302

describe('people', () => {
  test('are listed with role, state, devices and when they were last there', async () => {
    const began = Math.floor(Date.now() / 1000)
    const [manager, worker] = [await person(farm), await stranger(farm, 'worker')]
    const { body } = await administer(manager, 'GET', 'people.json')
    const listed = (someone: Person) => body.people.find(({ id }: { id: string }) => id === String(someone.uid))
    expect(listed(manager)).toMatchObject({ name: manager.name, role: 'manager', state: 'active', sessions: 1 })
    const lastSeen = Number(listed(manager).last_seen)
    expect(lastSeen).toBeGreaterThanOrEqual(began)
    expect(lastSeen).toBeLessThanOrEqual(Date.now() / 1000)
    expect(listed(worker)).toMatchObject({ role: 'worker', state: 'active', mail: '', sessions: 0, last_seen: null })
    expect(JSON.stringify(body)).not.toContain('argon2')
  })

  test('get another role or none, are blocked and let in again', async () => {
    const [manager, worker] = [await person(farm), await person(farm, 'worker')]
    const change = async (content: unknown) => administer(manager, 'POST', `people/${worker.uid}`, content)
    expect((await change({ role: 'viewer' })).body.person).toMatchObject({ role: 'viewer', sessions: 1 })
    expect((await worker.browser.get('/me.json')).body.account.role).toBe('viewer')
    expect((await change({ role: null })).body.person.role).toBeNull()
    expect((await change({ blocked: true })).body.person).toMatchObject({ state: 'blocked', sessions: 0 })
    expect((await worker.browser.get('/me.json')).status).toBe(403)
    expect(await logsIn(worker)).toBe(false)
    expect((await change({ blocked: false })).body.person.state).toBe('active')
    expect(await logsIn(worker)).toBe(true)
  })

  test('are changed one thing at a time, in words that are known', async () => {
    const [manager, worker] = [await person(farm), await stranger(farm, 'worker')]
    const refused = async (content: unknown) =>
      (await administer(manager, 'POST', `people/${worker.uid}`, content)).status
    for (const content of [{}, { role: 'viewer', blocked: true }, { role: 'king' }, { blocked: 'yes' }, { uid: 1 }])
      expect([content, await refused(content)]).toEqual([content, 422])
    expect((await administer(manager, 'POST', 'people/999999', { role: 'viewer' })).status).toBe(404)
    expect((await administer(manager, 'POST', 'people/one', { role: 'viewer' })).status).toBe(404)
    expect((await administer(manager, 'DELETE', 'people/999999')).status).toBe(404)
    expect((await administer(manager, 'GET', 'people/999999/sessions.json')).status).toBe(404)
  })

  test('are removed, or blocked and kept where they have recorded something', async () => {
    const manager = await person(farm)
    const idle = await stranger(farm, 'worker')
    expect((await administer(manager, 'DELETE', `people/${idle.uid}`)).body).toEqual({ outcome: 'removed' })
    const busy = await stranger(farm, 'worker')
    const { body } = await token(farm, passwordRequest(busy))
    await farm.anonymous.send('POST', '/log', {
      headers: { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Hoeing', type: 'farm_activity', timestamp: 1 }),
    })
    expect((await administer(manager, 'DELETE', `people/${busy.uid}`)).body).toEqual({ outcome: 'kept' })
    expect(await statusWith(farm, body.access_token)).toBe(401)
  })

  test('keep their last manager, who is told so in words that fit whoever asks', async () => {
    const alone = await openFarm()
    const manager = await person(alone)
    const headers = await (async () => {
      const csrf = (await manager.browser.get('/restws/session/token')).text
      return { 'content-type': 'application/json', cookie: manager.browser.cookie, 'x-csrf-token': csrf }
    })()
    const send = (method: string, content?: unknown) =>
      alone.anonymous.send(method, `/administer/people/${manager.uid}`, {
        headers,
        ...(content === undefined ? {} : { body: JSON.stringify(content) }),
      })
    for (const answer of [
      await send('POST', { role: 'worker' }),
      await send('POST', { blocked: true }),
      await send('DELETE'),
    ]) {
      expect(answer.status).toBe(409)
      expect(answer.body.detail).toMatch(/^This is the last manager of the farm\. Make another one first: invite one/)
    }
  })

  test('may lower themselves while there is another manager, and administer nothing from then on', async () => {
    const [manager] = [await person(farm), await person(farm)]
    expect((await administer(manager, 'POST', `people/${manager.uid}`, { role: 'worker' })).body.person.role).toBe(
      'worker',
    )
    expect((await administer(manager, 'GET', 'people.json')).status).toBe(403)
    expect((await manager.browser.get('/me.json')).body.account.role).toBe('worker')
  })
})

describe('the devices of somebody', () => {
  test('are listed and ended one by one', async () => {
    const [manager, worker] = [await person(farm), await person(farm, 'worker')]
    const phone = new Browser(farm)
    await phone.logIn(worker.name, worker.password)
    const list = async () => (await administer(manager, 'GET', `people/${worker.uid}/sessions.json`)).body.sessions
    const sessions = await list()
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toMatchObject({ device: expect.any(String), address: '127.0.0.1', this_one: false })
    for (const { key } of sessions)
      expect((await administer(manager, 'DELETE', `people/${worker.uid}/sessions/${key}`)).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await phone.get('/me.json')).status).toBe(403)
    const gone = `people/${worker.uid}/sessions/${sessions[0].key}`
    expect((await administer(manager, 'DELETE', gone)).status).toBe(404)
  })

  test('belong to that person: another’s key ends nothing', async () => {
    const [manager, worker, other] = [await person(farm), await person(farm, 'worker'), await stranger(farm, 'worker')]
    const [{ key }] = (await administer(manager, 'GET', `people/${worker.uid}/sessions.json`)).body.sessions
    expect((await administer(manager, 'DELETE', `people/${other.uid}/sessions/${key}`)).status).toBe(404)
    expect((await worker.browser.get('/me.json')).status).toBe(200)
  })

  test('are ended all at once, with every token', async () => {
    const [manager, worker] = [await person(farm), await person(farm, 'worker')]
    const { body } = await token(farm, passwordRequest(worker))
    expect((await administer(manager, 'DELETE', `people/${worker.uid}/sessions`)).status).toBe(204)
    expect((await worker.browser.get('/me.json')).status).toBe(403)
    expect(await statusWith(farm, body.access_token)).toBe(401)
    const own = (await administer(manager, 'GET', `people/${manager.uid}/sessions.json`)).body.sessions
    expect(own).toMatchObject([{ this_one: true }])
  })
})

describe('applications', () => {
  async function withTokens(someone: Person, client: Awaited<ReturnType<typeof app>>): Promise<string> {
    const { body } = await token(farm, redemption(client, await codeFor(someone, client)))
    return body.access_token
  }

  test('are listed with whom they hold tokens of, and revoked by client and by user', async () => {
    const [manager, ada, bob] = [await person(farm), await person(farm, 'worker'), await person(farm, 'worker')]
    const client = await app(farm)
    const tokens = [await withTokens(ada, client), await withTokens(bob, client)]
    const listed = (await administer(manager, 'GET', 'clients.json')).body.clients
    const found = listed.find(({ id }: { id: string }) => id === client.id)
    expect(found).toMatchObject({ label: 'An app', origin: 'registered', disabled: false })
    expect(found.users.map(({ name }: { name: string }) => name).sort()).toEqual([ada.name, bob.name].sort())
    expect(listed.find(({ id }: { id: string }) => id === 'farm')).toMatchObject({ origin: 'declared' })
    const ofAda = await administer(manager, 'GET', `clients/${client.id}/tokens.json?user=${ada.uid}`)
    expect(ofAda.body.tokens).toMatchObject([{ user: { id: String(ada.uid), name: ada.name }, scope: 'user_access' }])
    const applications = await administer(manager, 'GET', `people/${ada.uid}/applications.json`)
    expect(applications.body.applications).toMatchObject([{ client: client.id, label: 'An app' }])
    const revoked = await administer(manager, 'DELETE', `clients/${client.id}/tokens?user=${ada.uid}`)
    expect(revoked.body).toEqual({ ended: 1 })
    expect(await Promise.all(tokens.map((each) => statusWith(farm, each)))).toEqual([401, 200])
    expect((await administer(manager, 'DELETE', `clients/${client.id}/tokens`)).body).toEqual({ ended: 1 })
    expect(await statusWith(farm, tokens[1] ?? '')).toBe(401)
    expect((await administer(manager, 'DELETE', 'clients/nobody/tokens')).status).toBe(404)
    expect((await administer(manager, 'DELETE', `clients/${client.id}/tokens?user=x`)).status).toBe(400)
    expect((await administer(manager, 'DELETE', `clients/${client.id}/tokens?users=1`)).status).toBe(400)
  })

  test('are disabled with their tokens, and enabled again', async () => {
    const [manager, ada] = [await person(farm), await person(farm, 'worker')]
    const client = await app(farm)
    const held = await withTokens(ada, client)
    const change = (disabled: unknown) => administer(manager, 'POST', `clients/${client.id}`, { disabled })
    expect((await change(true)).body.client).toMatchObject({ disabled: true, users: [] })
    expect(await statusWith(farm, held)).toBe(401)
    expect((await change(false)).body.client).toMatchObject({ disabled: false })
    expect((await change('no')).status).toBe(422)
    expect((await administer(manager, 'POST', 'clients/nobody', { disabled: true })).status).toBe(404)
  })
})

describe('events', () => {
  test('tell what was done to whom and by whom, newest first, of some kinds and since some time', async () => {
    const [manager, worker] = [await person(farm), await stranger(farm, 'worker')]
    await administer(manager, 'POST', `people/${worker.uid}`, { role: 'viewer' })
    await administer(manager, 'POST', `people/${worker.uid}`, { blocked: true })
    const { body } = await administer(manager, 'GET', 'events.json?kind=role-changed&kind=account-blocked&limit=2')
    const user = { id: String(worker.uid), name: worker.name }
    const by = { id: String(manager.uid), name: manager.name }
    expect(body.events).toMatchObject([
      { kind: 'account-blocked', user, by },
      { kind: 'role-changed', user, by },
    ])
    const later = Number(body.events[0].at) + 100
    expect((await administer(manager, 'GET', `events.json?since=${later}`)).body.events).toEqual([])
    for (const query of ['kind=nonsense', 'limit=0', 'limit=1001', 'since=x', 'limit=1&limit=2', 'user=1'])
      expect([query, (await administer(manager, 'GET', `events.json?${query}`)).status]).toEqual([query, 400])
  })
})
