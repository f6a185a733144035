import { describe, expect, test } from 'vitest'
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
  token,
} from '../access/flow.ts'
import type { Answer } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { leastProcessorTime } from '../harness/processor-time.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm()
const ada = await person(farm)
const confidential = await app(farm, {
  secret: true,
  grants: ['authorization_code', 'refresh_token', 'password', 'client_credentials'],
  scopes: ['farm_worker', 'user_access'],
})

const isRefused = (answer: Answer, error: string, status = 400) => {
  expect(answer, answer.text).toMatchObject({ status, body: { error } })
  expect(answer.body.access_token).toBeUndefined()
}

describe.each(shareOfThisEngine(families))('spec 5.2: %s/token', (family) => {
  const send = (body: string, headers: Record<string, string>) =>
    farm.anonymous.send('POST', `${family}/token`, { body, headers })
  const form = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
    token(farm, parameters, { family, headers })
  const formType = { 'content-type': 'application/x-www-form-urlencoded' }

  test('ON-34 only POST works', async () => {
    for (const method of ['GET', 'PUT']) {
      const answer = await farm.anonymous.send(method, `${family}/token`)
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toContain('POST')
    }
  })

  test('ON-35 a body of another type never gives a token', async () => {
    const body = query(passwordRequest(ada))
    const types = [
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/x-www-form-urlencoded x',
      'application/xml',
    ]
    for (const type of types) {
      const answer = await send(body, { 'content-type': type })
      expect([400, 415]).toContain(answer.status)
      expect(answer.body.error).toBe('invalid_request')
    }
    const untyped = await farm.anonymous.send('POST', `${family}/token`, { body: Buffer.from(body) })
    expect([400, 415]).toContain(untyped.status)
  })

  test('ON-36 nothing is read from the query', async () => {
    isRefused(
      await farm.anonymous.send('POST', `${family}/token?${query(passwordRequest(ada))}`, { headers: formType }),
      'invalid_request',
    )
    const mixed = await farm.anonymous.send('POST', `${family}/token?grant_type=password&client_id=farm`, {
      headers: formType,
      body: query({ username: ada.name, password: ada.password }),
    })
    isRefused(mixed, 'invalid_request')
  })

  test('ON-37 a repeated parameter is refused', async () => {
    for (const name of ['grant_type', 'username', 'client_id', 'scope']) {
      const twice = `${query(passwordRequest(ada))}&${query({ [name]: passwordRequest(ada)[name] ?? '' })}`
      isRefused(await send(twice, formType), 'invalid_request')
    }
  })

  test('ON-38 an empty parameter counts as omitted', async () => {
    const answer = await form(passwordRequest(ada, { client_secret: '', scope: '' }))
    expect(answer).toMatchObject({ status: 200, body: { scope: 'user_access' } })
    isRefused(await form(passwordRequest(ada, { grant_type: '' })), 'invalid_request')
    isRefused(await form(passwordRequest(ada, { username: '' })), 'invalid_request')
  })

  test.each(['implicit', 'urn:ietf:params:oauth:grant-type:device_code', 'toString', '__proto__'])(
    'ON-39 the grant %s does not exist',
    async (type) => {
      isRefused(await form(passwordRequest(ada, { grant_type: type })), 'unsupported_grant_type')
    },
  )

  test('ON-40 a grant that the client was not given is refused', async () => {
    isRefused(await form({ grant_type: 'authorization_code', client_id: 'farm', code: 'x' }), 'unauthorized_client')
    isRefused(await form(passwordRequest(ada, { client_id: 'farm_development' })), 'unauthorized_client')
  })

  test('ON-41 an unknown client and a wrong secret get the same answer', async () => {
    const unknown = await form(passwordRequest(ada, { client_id: 'nobody' }))
    const wrong = await form(passwordRequest(ada, { client_id: confidential.id, client_secret: 'guess' }))
    const secretless = await form(passwordRequest(ada, { client_secret: 'guess' }))
    for (const answer of [unknown, wrong, secretless]) isRefused(answer, 'invalid_client', 401)
    expect(new Set([unknown, wrong, secretless].map(({ text }) => text)).size).toBe(1)
    const byHeader = await form(passwordRequest(ada, { client_id: '' }), { authorization: basic('nobody', 'guess') })
    isRefused(byHeader, 'invalid_client', 401)
    expect(byHeader.headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  test('ON-42 a client with a secret has to show it for every grant', async () => {
    const requests = [
      { grant_type: 'authorization_code', code: 'x', redirect_uri: confidential.redirectUri },
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { grant_type: 'password', username: ada.name, password: ada.password },
      { grant_type: 'client_credentials' },
    ]
    for (const request of requests) {
      isRefused(await form({ ...request, client_id: confidential.id }), 'invalid_client', 401)
      isRefused(await form({ ...request, client_id: confidential.id, client_secret: '' }), 'invalid_client', 401)
      isRefused(await form(request, { authorization: basic(confidential.id, '') }), 'invalid_client', 401)
    }
  })

  test('ON-43 credentials in the header and in the body at once are refused', async () => {
    const { id, secret } = confidential
    const authorization = basic(id, secret)
    const request = { grant_type: 'client_credentials', scope: 'farm_worker' }
    isRefused(await form({ ...request, client_id: id, client_secret: secret }, { authorization }), 'invalid_request')
    isRefused(await form({ ...request, client_id: 'farm' }, { authorization }), 'invalid_request')
    expect(await form({ ...request, client_id: id }, { authorization })).toMatchObject({ status: 200 })
  })

  test('ON-44 a Basic header is decoded as RFC 6749 says, and nonsense is refused', async () => {
    const nonsense = [
      'Basic',
      'Basic ',
      'Basic !!!',
      `Basic ${Buffer.from('farm').toString('base64')}`,
      'Basic /////w==',
      basic('fa%zzrm', ''),
    ]
    for (const authorization of nonsense) {
      isRefused(await form(passwordRequest(ada, { client_id: '' }), { authorization }), 'invalid_client', 401)
    }
    const encoded = basic(
      encodeURIComponent(confidential.id).replace('-', '%2D'),
      encodeURIComponent(confidential.secret),
    )
    const answer = await form({ grant_type: 'client_credentials', scope: 'farm_worker' }, { authorization: encoded })
    expect(answer).toMatchObject({ status: 200 })
  })

  test('ON-45 no answer is kept by a cache or mistaken for something else', async () => {
    for (const answer of [
      await form(passwordRequest(ada)),
      await form({}),
      await form(passwordRequest(ada, { client_id: 'nobody' })),
    ]) {
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('pragma')).toBe('no-cache')
      expect(answer.headers.get('content-type')).toBe('application/json;charset=utf-8')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('ON-46 oversized bodies are refused without much work', async () => {
    const bodies = [
      `grant_type=password&client_id=farm&username=${'u'.repeat(1_000_000)}&password=x`,
      Array.from({ length: 10_000 }, (_, at) => `p${at}=1`).join('&'),
      `grant_type=password&client_id=farm&username=u&password=${'x'.repeat(100_000)}`,
    ]
    for (const body of bodies) {
      const refused = async () => expect([400, 413]).toContain((await send(body, formType)).status)
      expect(await leastProcessorTime(refused, { enough: 200 })).toBeLessThan(200)
    }
  })

  test('ON-47 only the origins of the very client may read the answer', async () => {
    const web = await app(farm, { origins: ['https://app.example'], grants: ['password'], redirectUris: [] })
    await app(farm, { origins: ['https://other.example'] })
    const from = (origin: string) => form(passwordRequest(ada, { client_id: web.id }), { origin })
    const allowed = await from('https://app.example')
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
    expect(allowed.headers.get('vary')).toContain('Origin')
    for (const origin of [
      'https://other.example',
      'https://evil.example',
      'null',
      'https://app.example.evil.example',
    ]) {
      expect((await from(origin)).headers.get('access-control-allow-origin')).toBeNull()
    }
    const preflight = await farm.anonymous.send('OPTIONS', `${family}/token`, {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    const record = await farm.anonymous.get('/log.json', { origin: 'https://app.example' })
    expect(record.headers.get('access-control-allow-origin')).toBe('https://app.example')
    for (const [path, expected] of [
      ['/user/1.json', 'https://app.example'],
      ['/user/login', null],
      ['/account', null],
      ['/oauth/authorize', null],
    ] as const) {
      const { headers } = await farm.anonymous.get(path, { origin: 'https://app.example' })
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, expected])
    }
  })

  test('the response has the fields that existing clients read', async () => {
    const answer = await form(passwordRequest(ada, { scope: 'farm_viewer user_access' }))
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: '3600',
      token_type: 'Bearer',
      scope: 'farm_viewer user_access',
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('existing clients’ own ways of asking work: Basic with an empty secret, and JSON', async () => {
    const python = await send(
      query({ grant_type: 'password', username: ada.name, password: ada.password, scope: 'user_access' }),
      { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', authorization: 'Basic ZmFybTo=' },
    )
    expect(python).toMatchObject({ status: 200, body: { scope: 'user_access' } })
    const { refresh_token, access_token } = python.body
    const script = await farm.anonymous.send('POST', `${family}/token`, {
      headers: { 'content-type': 'application/json', accept: 'json', authorization: `Bearer ${access_token}` },
      body: JSON.stringify(refreshRequest(refresh_token)),
    })
    expect(script).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
  })

  test('a client can be given another form of expires_in and other lifetimes', async () => {
    const strict = await app(farm, { grants: ['password'], redirectUris: [], expiresIn: 'number', accessLifetime: 120 })
    const { body } = await form(passwordRequest(ada, { client_id: strict.id }))
    expect(body.expires_in).toBe(120)
    expect(body.refresh_token).toBeUndefined()
  })

  test('a code is exchanged with the secret in the body and with it in the header', async () => {
    const inBody = await codeFor(ada, confidential, {}, family)
    expect(await form(redemption(confidential, inBody))).toMatchObject({ status: 200 })
    const inHeader = await codeFor(ada, confidential, {}, family)
    const { client_id: _id, client_secret: _secret, ...request } = redemption(confidential, inHeader)
    const authorization = basic(confidential.id, confidential.secret)
    expect(await form(request, { authorization })).toMatchObject({ status: 200 })
  })
})
