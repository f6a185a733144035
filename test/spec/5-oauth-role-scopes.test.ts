import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { setRole } from '../../src/access/accounts.ts'
import { setClient } from '../../src/access/oauth/registration.ts'
import { clientTokens } from '../../src/access/oauth/token-list.ts'
import { signatureKey } from '../../src/access/oauth/tokens.ts'
import {
  type App,
  app,
  basic,
  codeFor,
  families,
  type Person,
  passwordRequest,
  person,
  redemption,
  refreshRequest,
  statusWith,
  stranger,
  token,
} from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm()
await person(farm)

const tokensOf = async (someone: Person, scope: string) => (await token(farm, passwordRequest(someone, { scope }))).body
const secondsAndForm = ({ body }: { body: { access_token: string; expires_in: unknown } }) => [
  body.expires_in,
  body.access_token.split('.').length === 3 ? 'signed' : 'plain',
]
const partOf = (jwt: string, place: number) =>
  JSON.parse(Buffer.from(jwt.split('.')[place] ?? '', 'base64url').toString('utf8'))
const claimsOf = (jwt: string) => partOf(jwt, 1)

const as = (accessToken: string) => ({ authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' })
const log = JSON.stringify({ name: 'Weeding', type: 'farm_activity', timestamp: 1_700_000_000 })
const writes = async (accessToken: string) =>
  (await farm.anonymous.send('POST', '/log', { headers: as(accessToken), body: log })).status
const configures = async (accessToken: string) =>
  (await farm.anonymous.send('DELETE', '/trash', { headers: as(accessToken) })).status

const introspected = async (client: App, shown: string): Promise<string> => {
  const headers = { authorization: basic(client.id, client.secret) }
  const body = new URLSearchParams({ token: shown })
  return (await farm.anonymous.send('POST', '/oauth/introspect', { headers, body })).body.scope
}

describe.each(shareOfThisEngine(families))('a grant of role scopes at %s/token', (family) => {
  const ask = (parameters: Record<string, string>) => token(farm, parameters, { family })

  test('answers with a number of seconds and a signed token, whichever grant it is', async () => {
    const someone = await person(farm)
    const byPassword = await ask(passwordRequest(someone, { scope: 'farm_manager' }))
    expect(secondsAndForm(byPassword)).toEqual([3600, 'signed'])
    const again = await ask(refreshRequest(byPassword.body.refresh_token))
    expect(secondsAndForm(again)).toEqual([3600, 'signed'])
    const web = await app(farm)
    const code = await codeFor(someone, web, { scope: 'farm_worker farm_viewer' }, family)
    expect(secondsAndForm(await ask(redemption(web, code)))).toEqual([3600, 'signed'])
    const scopes = ['farm_worker']
    const machine = await app(farm, { secret: true, grants: ['client_credentials'], scopes, redirectUris: [] })
    const own = { grant_type: 'client_credentials', client_id: machine.id, client_secret: machine.secret }
    expect(secondsAndForm(await ask(own))).toEqual([3600, 'signed'])
  })

  test.each(['user_access', 'farm_info', 'farm_manager user_access', 'farm_info farm_viewer'])(
    'keeps its older form where it is of %s',
    async (scope) => {
      const someone = await stranger(farm)
      const { body } = await ask(passwordRequest(someone, { scope }))
      const older = { expires_in: '3600', access_token: expect.stringMatching(/^[\w-]{43}$/), scope }
      expect(body).toMatchObject(older)
      const narrower = scope.split(' ').find((name) => name.startsWith('farm_')) ?? scope
      const refreshed = await ask(refreshRequest(body.refresh_token, { scope: narrower }))
      expect(refreshed.body).toMatchObject({ ...older, scope: narrower })
    },
  )

  test('a client that was given a form of expires_in has it for every grant', async () => {
    const someone = await stranger(farm)
    const given = { grants: ['password' as const], redirectUris: [], accessLifetime: 120 }
    const words = await app(farm, { ...given, expiresIn: 'string' })
    const numbers = await app(farm, { ...given, expiresIn: 'number' })
    const of = (client: App, scope: string) => ask(passwordRequest(someone, { client_id: client.id, scope }))
    expect(secondsAndForm(await of(words, 'farm_manager'))).toEqual(['120', 'signed'])
    expect(secondsAndForm(await of(numbers, 'user_access'))).toEqual([120, 'plain'])
    await setClient(farm.installation, words.id, { expiresIn: 'by-scope' })
    expect(secondsAndForm(await of(words, 'farm_manager'))).toEqual([120, 'signed'])
    expect(secondsAndForm(await of(words, 'user_access'))).toEqual(['120', 'plain'])
  })
})

describe('a signed token', () => {
  test('is an HS256 JWT under a key of this farm, with a random jti and what a client may want to read', async () => {
    const someone = await stranger(farm, 'worker')
    const { access_token: jwt } = await tokensOf(someone, 'farm_manager')
    expect(jwt).toContain('.ey')
    const [header = '', claims = '', signature] = jwt.split('.')
    expect(partOf(jwt, 0)).toEqual({ typ: 'JWT', alg: 'HS256', jti: expect.stringMatching(/^[\w-]{43}$/) })
    const { jti, iat, nbf, exp, aud, sub, scope } = claimsOf(jwt)
    expect([jti, aud, sub, scope]).toEqual([partOf(jwt, 0).jti, 'farm', String(someone.uid), 'farm_worker'])
    expect([nbf, exp]).toEqual([iat, iat + 3600])
    const key = await signatureKey(farm.installation.database)
    expect(createHmac('sha256', key).update(`${header}.${claims}`).digest('base64url')).toBe(signature)
    const other = await openFarm()
    expect(await signatureKey(other.installation.database)).not.toEqual(key)
    expect(await statusWith(other, jwt)).toBe(401)
  })

  test('is known by its hash: nothing that it says about itself is believed, however well it is signed', async () => {
    const someone = await stranger(farm, 'viewer')
    const { access_token: jwt } = await tokensOf(someone, 'farm_viewer')
    expect(await statusWith(farm, jwt)).toBe(200)
    const key = await signatureKey(farm.installation.database)
    const [header = ''] = jwt.split('.')
    const claims = Buffer.from(JSON.stringify({ ...claimsOf(jwt), scope: 'farm_manager' })).toString('base64url')
    const forged = `${header}.${claims}.${createHmac('sha256', key).update(`${header}.${claims}`).digest('base64url')}`
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`
    for (const bad of [forged, none, `${jwt.slice(0, -2)}AA`]) expect(await statusWith(farm, bad)).toBe(401)
    const body = new URLSearchParams({ token: jwt })
    await farm.anonymous.send('POST', '/oauth/revoke', { body })
    expect(await statusWith(farm, jwt)).toBe(401)
  })

  test('is none of another: of twenty no two are the same, and no part of one is stored', async () => {
    const machine = await app(farm, {
      secret: true,
      grants: ['client_credentials'],
      scopes: ['farm_viewer'],
      redirectUris: [],
    })
    const own = { grant_type: 'client_credentials', client_id: machine.id, client_secret: machine.secret }
    const tokens: string[] = []
    for (let nth = 0; nth < 20; nth++) tokens.push((await token(farm, own)).body.access_token)
    expect(new Set(tokens.map((each) => claimsOf(each).jti)).size).toBe(20)
    const rows = await farm.installation.database.read((tables) =>
      tables.selectFrom('access_token').selectAll().where('client', '=', machine.id).execute(),
    )
    const stored = JSON.stringify(rows)
    expect(rows.length).toBe(20)
    for (const each of tokens) {
      expect(stored).not.toContain(claimsOf(each).jti)
      expect(stored).not.toContain(each.split('.')[2])
    }
  })
})

describe('a role scope above the role, asked for with a password', () => {
  test.each([
    ['viewer', 'farm_viewer', 403, 403],
    ['worker', 'farm_worker', 201, 403],
    ['manager', 'farm_manager', 201, 200],
  ] as const)('is given to a %s by its name, and comes to %s', async (role, effective, written, configured) => {
    const someone = await person(farm, role)
    const client = await app(farm, { secret: true, grants: ['password', 'refresh_token'], redirectUris: [] })
    const asked = passwordRequest(someone, {
      client_id: client.id,
      client_secret: client.secret,
      scope: 'farm_manager',
    })
    const { body } = await token(farm, asked)
    expect(body.scope).toBe('farm_manager')
    expect(await writes(body.access_token)).toBe(written)
    expect(await configures(body.access_token)).toBe(configured)
    expect((await farm.anonymous.get('/account', as(body.access_token))).status).toBe(403)
    expect(claimsOf(body.access_token).scope).toBe(effective)
    expect(await introspected(client, body.access_token)).toBe(effective)
    expect(await introspected(client, body.refresh_token)).toBe(effective)
    const [listed] = await clientTokens(farm.installation, { client: client.id })
    expect(listed?.scope).toBe(effective)
    const page = (await someone.browser.get('/account')).text
    expect(page.includes('configure the farm')).toBe(role === 'manager')
  })

  test('beside a lower one tells each effective scope once', async () => {
    const someone = await stranger(farm, 'worker')
    const { scope, access_token: jwt } = await tokensOf(someone, 'farm_manager farm_worker farm_viewer')
    expect(scope).toBe('farm_manager farm_worker farm_viewer')
    expect(claimsOf(jwt).scope).toBe('farm_worker farm_viewer')
  })

  test('stays by its name in every refresh, whatever becomes of the role, and the rights follow the role', async () => {
    const someone = await stranger(farm, 'manager')
    let tokens = await tokensOf(someone, 'farm_manager')
    const refreshed = async (extra: Record<string, string> = {}) => {
      tokens = (await token(farm, refreshRequest(tokens.refresh_token, extra))).body
      return [tokens.scope, claimsOf(tokens.access_token).scope, await writes(tokens.access_token)]
    }
    await setRole(farm.installation, someone.name, 'viewer')
    expect(await writes(tokens.access_token)).toBe(403)
    expect(await refreshed()).toEqual(['farm_manager', 'farm_viewer', 403])
    await setRole(farm.installation, someone.name, 'worker')
    expect(await writes(tokens.access_token)).toBe(201)
    expect(await refreshed({ scope: 'farm_manager' })).toEqual(['farm_manager', 'farm_worker', 201])
    expect(await configures(tokens.access_token)).toBe(403)
  })

  test('is refused without any role, and ends with the role', async () => {
    const nobody = await stranger(farm, null)
    const refused = await token(farm, passwordRequest(nobody, { scope: 'farm_manager farm_worker farm_viewer' }))
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    const someone = await stranger(farm, 'worker')
    const before = await tokensOf(someone, 'farm_manager')
    await setRole(farm.installation, someone.name, null)
    const lost = await token(farm, refreshRequest(before.refresh_token))
    expect(lost).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(await statusWith(farm, before.access_token)).toBe(401)
  })

  test('is cut where the user agreed on a page instead', async () => {
    const someone = await person(farm, 'worker')
    const web = await app(farm)
    const { body } = await token(
      farm,
      redemption(web, await codeFor(someone, web, { scope: 'farm_manager farm_worker' })),
    )
    expect(body.scope).toBe('farm_worker')
  })
})

describe('where no scope is asked for', () => {
  test('a client has its default, and one whose scopes were named has those', async () => {
    const someone = await stranger(farm)
    const given = { grants: ['password' as const], redirectUris: [] }
    const withDefault = await app(farm, { ...given, defaultScopes: ['farm_viewer'] })
    const named = await app(farm, { ...given, scopes: ['farm_worker', 'farm_viewer'] })
    const ask = async (client: App) =>
      (await token(farm, passwordRequest(someone, { client_id: client.id, scope: '' }))).body.scope
    expect(await ask(withDefault)).toBe('farm_viewer')
    expect(await ask(named)).toBe('farm_worker farm_viewer')
  })

  test('a client that acts on its own has the scopes that it was registered with', async () => {
    const scopes = ['farm_worker']
    const machine = await app(farm, { secret: true, grants: ['client_credentials'], scopes, redirectUris: [] })
    const headers = { authorization: basic(machine.id, machine.secret), accept: 'application/json' }
    const { body } = await token(farm, { grant_type: 'client_credentials' }, { headers })
    expect(body).toEqual({
      access_token: expect.any(String),
      expires_in: 3600,
      token_type: 'Bearer',
      scope: 'farm_worker',
    })
    expect(await writes(body.access_token)).toBe(201)
  })
})
