import { describe, expect, test } from 'vitest'
import { removeClient, setClient, showClient } from '../../src/access/oauth/registration.ts'
import { revokeTokens } from '../../src/access/oauth/token-list.ts'
import { wallClock } from '../../src/clock.ts'
import { hiddenFields } from '../access/browser.ts'
import {
  app,
  basic,
  codeFor,
  families,
  passwordRequest,
  person,
  query,
  redemption,
  refreshRequest,
  statusWith,
  token,
} from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm()
const ada = await person(farm)

describe.each(shareOfThisEngine(families))('spec 5.2: taking tokens back at %s', (family) => {
  const post = (path: string, parameters: Record<string, string>, headers: Record<string, string> = {}) =>
    farm.anonymous.send('POST', `${family}/${path}`, { body: new URLSearchParams(parameters), headers })
  const pair = async () => (await token(farm, passwordRequest(ada), { family })).body
  const confidential = () => app(farm, { secret: true })
  const pairOf = async (client: Awaited<ReturnType<typeof confidential>>) =>
    (await token(farm, redemption(client, await codeFor(ada, client, {}, family)), { family })).body

  test('ON-90 an unknown token is nothing to complain about; a wrong secret is; another’s token stays alive', async () => {
    expect(await post('revoke', { token: 'never given' })).toMatchObject({ status: 200 })
    expect(await post('revoke', {})).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const [owner, thief] = [await confidential(), await confidential()]
    const { access_token } = await pairOf(owner)
    const wrong = await post('revoke', { token: access_token }, { authorization: basic(owner.id, 'guess') })
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(await post('revoke', { token: access_token })).toMatchObject({ status: 401 })
    await post('revoke', { token: access_token }, { authorization: basic(thief.id, thief.secret) })
    expect(await statusWith(farm, access_token)).toBe(200)
    await post('revoke', { token: access_token }, { authorization: basic(owner.id, owner.secret) })
    expect(await statusWith(farm, access_token)).toBe(401)
  })

  test('ON-91 a revoked refresh token takes its access tokens along; a revoked access token goes alone', async () => {
    const whole = await pair()
    expect((await post('revoke', { token: whole.refresh_token })).body).toEqual({ revoked: true })
    expect(await statusWith(farm, whole.access_token)).toBe(401)
    expect(await token(farm, refreshRequest(whole.refresh_token), { family })).toMatchObject({ status: 400 })
    const half = await pair()
    await post('revoke', { token: half.access_token })
    expect(await statusWith(farm, half.access_token)).toBe(401)
    expect(await token(farm, refreshRequest(half.refresh_token), { family })).toMatchObject({ status: 200 })
  })

  test('ON-92 a wrong hint does not matter', async () => {
    for (const hint of ['refresh_token', 'unheard_of']) {
      const { access_token } = await pair()
      await post('revoke', { token: access_token, token_type_hint: hint })
      expect(await statusWith(farm, access_token)).toBe(401)
    }
    const { refresh_token, access_token } = await pair()
    await post('revoke', { token: refresh_token, token_type_hint: 'access_token' })
    expect(await statusWith(farm, access_token)).toBe(401)
  })

  test('existing clients revoke with JSON and without naming themselves', async () => {
    const { access_token } = await pair()
    const answer = await farm.anonymous.send('POST', `${family}/revoke`, {
      headers: { 'content-type': 'application/json', accept: 'json' },
      body: JSON.stringify({ token: access_token, token_type_hint: 'access_token' }),
    })
    expect(answer.status).toBe(200)
    expect(await statusWith(farm, access_token)).toBe(401)
  })

  test('ON-93 only a client with a secret may ask about tokens, and learns about its own only', async () => {
    const [owner, other] = [await confidential(), await confidential()]
    const { access_token, refresh_token, scope } = await pairOf(owner)
    expect(await post('introspect', { token: access_token })).toMatchObject({ status: 401 })
    expect(await post('introspect', { token: access_token, client_id: 'farm' })).toMatchObject({ status: 401 })
    const about = async (each: string, client = owner) =>
      (await post('introspect', { token: each }, { authorization: basic(client.id, client.secret) })).body
    expect(await about(access_token)).toMatchObject({
      active: true,
      scope,
      client_id: owner.id,
      username: ada.name,
      sub: String(ada.uid),
      token_type: 'Bearer',
    })
    expect(await about(refresh_token)).toMatchObject({ active: true, client_id: owner.id })
    for (const each of [access_token, refresh_token]) expect(await about(each, other)).toEqual({ active: false })
    expect(await about('never given')).toEqual({ active: false })
    farm.setClock(wallClock() + 3601)
    expect(await about(access_token)).toEqual({ active: false })
    farm.setClock(null)
  })

  test('ON-96 with a removed or disabled client its tokens are dead', async () => {
    const [removed, disabled] = [await app(farm), await app(farm)]
    const [ofRemoved, ofDisabled] = [await pairOf(removed), await pairOf(disabled)]
    await removeClient(farm.installation, removed.id)
    await setClient(farm.installation, disabled.id, { disabled: true })
    expect(await statusWith(farm, ofRemoved.access_token)).toBe(401)
    expect(await statusWith(farm, ofDisabled.access_token)).toBe(401)
  })

  test('ON-97 a user who takes a consent back ends that client’s tokens for this user only', async () => {
    const client = await app(farm)
    const [bob, eve] = [await person(farm), await person(farm)]
    const tokensOf = async (someone: typeof bob) =>
      (await token(farm, redemption(client, await codeFor(someone, client, {}, family)), { family })).body
    const [ofBob, ofEve] = [await tokensOf(bob), await tokensOf(eve)]
    const unspent = await codeFor(bob, client, {}, family)
    const { csrf = '' } = hiddenFields((await bob.browser.get('/account')).text)
    await bob.browser.post('/account/applications', { csrf, client: client.id })
    expect(await statusWith(farm, ofBob.access_token)).toBe(401)
    expect(await token(farm, redemption(client, unspent), { family })).toMatchObject({ status: 400 })
    expect(await statusWith(farm, ofEve.access_token)).toBe(200)
  })

  test('an operator ends the tokens of a client, or of a user with a client', async () => {
    const client = await app(farm)
    const bob = await person(farm)
    const ofAda = await pairOf(client)
    const { body: ofBob } = await token(farm, redemption(client, await codeFor(bob, client, {}, family)), { family })
    expect(await revokeTokens(farm.installation, { client: client.id, user: bob.name })).toBe(1)
    expect([await statusWith(farm, ofAda.access_token), await statusWith(farm, ofBob.access_token)]).toEqual([200, 401])
    expect(await revokeTokens(farm.installation, { client: client.id })).toBe(1)
    expect(await statusWith(farm, ofAda.access_token)).toBe(401)
  })

  test('ON-98 there is no development client where the settings have none', async () => {
    const bare = await openFarm({ settings: { developmentClient: null } })
    const answer = await token(
      bare,
      { grant_type: 'authorization_code', client_id: 'farm_development', code: 'x' },
      { family },
    )
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    const asked = { response_type: 'code', client_id: 'farm_development', state: 's', scope: 'user_access' }
    const page = await bare.anonymous.get(`${family}/authorize?${query(asked)}`)
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
  })
})

describe('RFC 8414: the metadata', () => {
  const path = '/.well-known/oauth-authorization-server'

  test('ON-94 the issuer is the configured address, whatever the request says about itself', async () => {
    const fixed = await openFarm({ settings: { baseUrl: 'https://farm.example' } })
    const answer = await fixed.anonymous.get(path, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' })
    expect(answer.body.issuer).toBe('https://farm.example')
    expect(answer.body.token_endpoint).toBe('https://farm.example/oauth/token')
    expect(answer.text).not.toContain('evil')
    const following = await farm.anonymous.get(path, { 'x-forwarded-host': 'evil.example' })
    expect(following.body.issuer).toBe(farm.base)
  })

  test('ON-95 it promises what works and nothing else', async () => {
    const { body } = await farm.anonymous.get(path)
    expect(body).toMatchObject({
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
    expect(body.grant_types_supported.sort()).toEqual([
      'authorization_code',
      'client_credentials',
      'password',
      'refresh_token',
    ])
    for (const name of ['authorization', 'token', 'revocation', 'introspection']) {
      const address = new URL(body[`${name}_endpoint`]).pathname
      expect([405, 400]).toContain((await farm.anonymous.get(address)).status)
    }
    const { scopes } = await showClient(farm.installation, 'farm')
    expect(body.scopes_supported).toEqual([...scopes, 'farm_admin'])
    for (const scope of scopes) {
      expect((await token(farm, passwordRequest(ada, { scope }))).body.scope).toBe(scope)
    }
  })
})
