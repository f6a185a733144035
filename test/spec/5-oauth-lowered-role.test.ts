import { expect, test } from 'vitest'
import { setRole } from '../../src/access/accounts.ts'
import { clientTokens } from '../../src/access/oauth/token-list.ts'
import {
  app,
  basic,
  codeFor,
  type Person,
  person,
  redemption,
  refreshRequest,
  statusWith,
  token,
} from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
await person(farm)
const all = 'farm_manager farm_worker farm_viewer'

const client = await app(farm)
/** By consent: what a role scope is to whoever shows a password is in 5-oauth-role-scopes. */
const tokensOf = async (someone: Person, scope: string) =>
  (await token(farm, redemption(client, await codeFor(someone, client, { scope })))).body
const refresh = (refreshToken: string, extra: Record<string, string> = {}) =>
  token(farm, refreshRequest(refreshToken, { client_id: client.id, ...extra }))

test('spec 5.2: a refresh tells the scopes that the role still covers, and all of them again once it does', async () => {
  const someone = await person(farm)
  const before = await tokensOf(someone, all)
  expect(before.scope).toBe(all)
  await setRole(farm.installation, someone.name, 'worker')
  const lowered = (await refresh(before.refresh_token)).body
  expect(lowered.scope).toBe('farm_worker farm_viewer')
  await setRole(farm.installation, someone.name, 'manager')
  expect((await refresh(lowered.refresh_token)).body.scope).toBe(all)
})

test('spec 5.2: where the role covers none of its scopes any more, a refresh ends the family', async () => {
  const someone = await person(farm)
  const before = await tokensOf(someone, 'farm_worker')
  await setRole(farm.installation, someone.name, 'viewer')
  expect(await refresh(before.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  expect(await statusWith(farm, before.access_token)).toBe(401)
  await setRole(farm.installation, someone.name, 'worker')
  expect(await refresh(before.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('spec 5.2: asking a refresh for a scope beyond the role is refused, and what is left stays', async () => {
  const someone = await person(farm)
  const before = await tokensOf(someone, all)
  await setRole(farm.installation, someone.name, 'viewer')
  const beyond = await refresh(before.refresh_token, { scope: 'farm_worker' })
  expect(beyond).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  expect((await refresh(before.refresh_token)).body.scope).toBe('farm_viewer')
})

test('spec 5.2: a code tells the scopes that the role still covers, and gives nothing where it covers none', async () => {
  const someone = await person(farm)
  const some = await codeFor(someone, client, { scope: all })
  const none = await codeFor(someone, client, { scope: 'farm_manager' })
  await setRole(farm.installation, someone.name, 'viewer')
  expect((await token(farm, redemption(client, some))).body.scope).toBe('farm_viewer')
  const refused = await token(farm, redemption(client, none))
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  await setRole(farm.installation, someone.name, 'manager')
  expect(await token(farm, redemption(client, none))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('spec 5.2: introspection, the list of tokens and the account page tell what a token still covers', async () => {
  const someone = await person(farm)
  const client = await app(farm, { secret: true })
  const given = (await token(farm, redemption(client, await codeFor(someone, client, { scope: all })))).body
  const told = async () => {
    const headers = { authorization: basic(client.id, client.secret) }
    const about = async (each: string) => {
      const body = new URLSearchParams({ token: each })
      return (await farm.anonymous.send('POST', '/oauth/introspect', { headers, body })).body
    }
    const [listed] = await clientTokens(farm.installation, { client: client.id })
    return [(await about(given.access_token)).scope, (await about(given.refresh_token)).scope, listed?.scope]
  }
  const page = async () => (await someone.browser.get('/account')).text
  expect(await told()).toEqual([all, all, all])
  expect(await page()).toContain('configure the farm')
  await setRole(farm.installation, someone.name, 'viewer')
  expect(await told()).toEqual(['farm_viewer', 'farm_viewer', 'farm_viewer'])
  expect(await page()).toContain('Read everything, change nothing')
  expect(await page()).not.toContain('configure the farm')
  await setRole(farm.installation, someone.name, null)
  expect(await told()).toEqual(['', '', ''])
  expect(await page()).toContain('nothing that your role covers')
})
