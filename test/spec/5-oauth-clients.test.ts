import { createRequire } from 'node:module'
import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { hiddenFields } from '../access/browser.ts'
import { app, decide, person, stranger, token } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

// The package brings no types.
const farmOS = createRequire(import.meta.url)('farmos')

const farm = await openFarm()
const insecure = { [oauth.allowInsecureRequests]: true } as const

describe('ON-100 the whole flow by oauth4webapi, a strict client', () => {
  const discover = async () => {
    const issuer = new URL(farm.base)
    const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    return oauth.processDiscoveryResponse(issuer, answer)
  }

  test.each([
    ['without a secret', false],
    ['with a secret', true],
  ])('authorization code with PKCE, refresh, introspection and revocation, %s', async (_, secret) => {
    const ada = await person(farm)
    const registered = await app(farm, {
      secret,
      expiresIn: 'number',
      pkce: 'required',
      scopes: ['farm_manager', 'farm_viewer'],
    })
    const server = await discover()
    const client: oauth.Client = { client_id: registered.id }
    const proof = secret ? oauth.ClientSecretBasic(registered.secret) : oauth.None()

    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(server.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      client_id: registered.id,
      redirect_uri: registered.redirectUri,
      response_type: 'code',
      scope: 'farm_manager',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const approved = await decide(ada, address.pathname + address.search)
    const back = oauth.validateAuthResponse(server, client, new URL(approved.headers.get('location') ?? ''), state)
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      proof,
      back,
      registered.redirectUri,
      verifier,
      insecure,
    )
    const granted = await oauth.processAuthorizationCodeResponse(server, client, answer)
    expect(granted).toMatchObject({ token_type: 'bearer', scope: 'farm_manager', expires_in: 3600 })

    const entry = await oauth.protectedResourceRequest(
      granted.access_token,
      'GET',
      new URL(`${farm.base}/api`),
      undefined,
      undefined,
      insecure,
    )
    expect(entry.status).toBe(200)

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, proof, granted.refresh_token ?? '', insecure),
    )
    expect(refreshed.access_token).not.toBe(granted.access_token)
    if (secret) {
      const about = await oauth.introspectionRequest(server, client, proof, refreshed.access_token, insecure)
      expect(await oauth.processIntrospectionResponse(server, client, about)).toMatchObject({
        active: true,
        username: ada.name,
      })
    }
    const revoked = await oauth.revocationRequest(server, client, proof, refreshed.refresh_token ?? '', insecure)
    await oauth.processRevocationResponse(revoked)
    const after = oauth.protectedResourceRequest(
      refreshed.access_token,
      'GET',
      new URL(`${farm.base}/api`),
      undefined,
      undefined,
      insecure,
    )
    await expect(after).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    })
  })

  test('a denial reaches the client as such', async () => {
    const ada = await person(farm)
    const registered = await app(farm)
    const server = await discover()
    const query = new URLSearchParams({
      client_id: registered.id,
      redirect_uri: registered.redirectUri,
      response_type: 'code',
      scope: 'farm_viewer',
      state: 'abc',
    })
    const denied = await decide(ada, `/oauth/authorize?${query}`, 'deny')
    const client = { client_id: registered.id }
    const address = new URL(denied.headers.get('location') ?? '')
    expect(() => oauth.validateAuthResponse(server, client, address, 'abc')).toThrow(oauth.AuthorizationResponseError)
  })

  test('client credentials', async () => {
    const machine = await app(farm, {
      secret: true,
      expiresIn: 'number',
      grants: ['client_credentials'],
      scopes: ['farm_worker'],
      redirectUris: [],
    })
    const server = await discover()
    const client = { client_id: machine.id }
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(machine.secret),
      { scope: 'farm_worker' },
      insecure,
    )
    const granted = await oauth.processClientCredentialsResponse(server, client, answer)
    expect(granted).toMatchObject({ scope: 'farm_worker', expires_in: 3600 })
    expect(granted.refresh_token).toBeUndefined()
  })
})

describe('ON-100 the flows of existing clients', () => {
  test('farmOS.js: log in, read, record, refresh by itself, log out', async () => {
    const ada = await stranger(farm)
    const client = farmOS(farm.base, { clientId: 'farm' })
    const first = await client.authorize(ada.name, ada.password)
    expect(first).toMatchObject({ token_type: 'Bearer', scope: 'user_access' })
    expect(await client.info()).toMatchObject({ api_version: '1.3', user: { name: ada.name } })
    const made = await client.log.send({ name: 'Mulching', type: 'farm_activity', timestamp: '1700000000' })
    expect(Number(made.id)).toBeGreaterThan(0)

    await farm.anonymous.send('POST', '/oauth/revoke', { body: new URLSearchParams({ token: first.access_token }) })
    expect(await client.info()).toMatchObject({ user: { name: ada.name } })
    const second = client.getToken()
    expect(second.access_token).not.toBe(first.access_token)

    expect(await client.revokeTokens()).toBe(true)
    const after = await farm.anonymous.get('/log.json', { authorization: `Bearer ${second.access_token}` })
    expect(after.status).toBe(403)
  })

  test('farmOS.py: the password grant of the newer model, without a secret', async () => {
    const ada = await stranger(farm)
    const answer = await token(farm, {
      grant_type: 'password',
      username: ada.name,
      password: ada.password,
      client_id: 'farm',
      scope: 'farm_manager',
    })
    expect(answer).toMatchObject({ status: 200, body: { scope: 'farm_manager' } })
  })

  test('farmOS.py: the authorization code of requests-oauthlib, with the parameters that it adds', async () => {
    const ada = await person(farm)
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'farm_development',
      redirect_uri: 'http://localhost/api/authorized',
      scope: 'user_access',
      state: 'Xk2',
      access_type: 'offline',
      prompt: 'select_account',
    })
    const approved = await decide(ada, `/oauth2/authorize?${query}`)
    const code = new URL(approved.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const redeemed = await token(
      farm,
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: 'http://localhost/api/authorized',
        client_id: 'farm_development',
      },
      { family: '/oauth2', headers: { accept: 'application/json' } },
    )
    expect(redeemed).toMatchObject({ status: 200, body: { expires_in: '3600' } })
  })

  test('farmOS.py: the session, with its form posted again to where the login points', async () => {
    const ada = await stranger(farm)
    const form = { name: ada.name, pass: ada.password, form_id: 'user_login' }
    const login = await ada.browser.post('/user/login', form)
    const again = await ada.browser.post(new URL(login.headers.get('location') ?? '').pathname, form)
    expect(again.status).toBe(200)
    const csrf = await ada.browser.get('/restws/session/token')
    const made = await farm.anonymous.send('POST', '/log', {
      headers: { cookie: ada.browser.cookie, 'x-csrf-token': csrf.text, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Harrowing', type: 'farm_activity', timestamp: 1_700_000_000 }),
    })
    expect(made.status).toBe(201)
    expect(hiddenFields(again.text)).toEqual({})
  })
})
