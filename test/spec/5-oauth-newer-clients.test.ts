import { describe, expect, test } from 'vitest'
import { addAccount } from '../../src/access/accounts.ts'
import { listClients, setClient } from '../../src/access/oauth/registration.ts'
import { passwordRequest, statusWith, stranger, token } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm()
const ada = await stranger(farm, 'worker')
const all = 'farm_manager farm_worker farm_viewer'

const send = (body: string, headers: Record<string, string> = {}) =>
  farm.anonymous.send('POST', '/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })
const typed = `username=${encodeURIComponent(ada.name)}&password=${encodeURIComponent(ada.password)}`

describe('the client fieldkit', () => {
  test('comes with every farm: public, by password and refresh, for the three roles, an hour, from no origin', async () => {
    const fieldkit = (await listClients(farm.installation)).find(({ id }) => id === 'fieldkit')
    expect(fieldkit).toMatchObject({
      grants: ['password', 'refresh_token'],
      scopes: all.split(' '),
      defaultScopes: all.split(' '),
      secretHash: null,
      accessLifetime: 3600,
      origins: [],
    })
    const { body } = await send(`grant_type=password&client_id=fieldkit&${typed}`)
    expect(body).toMatchObject({ scope: all, expires_in: 3600, refresh_token: expect.any(String) })
    expect(await statusWith(farm, body.access_token)).toBe(200)
    for (const scope of ['user_access', 'farm_info']) {
      const refused = await send(`grant_type=password&client_id=fieldkit&scope=${scope}&${typed}`)
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    }
  })

  test('is there after the next start of a farm that did not have it, as the operator has left it', async () => {
    const before = await openFarm()
    const { name, password } = await stranger(before)
    await setClient(before.installation, 'fieldkit', { origins: ['https://app.example'], accessLifetime: 600 })
    await before.close()
    const { data, database } = before.installation.settings
    const after = await openFarm({ place: { data, database } })
    const answer = await token(after, passwordRequest({ name, password }, { client_id: 'fieldkit', scope: '' }), {
      headers: { origin: 'https://app.example' },
    })
    expect(answer.body).toMatchObject({ scope: all, expires_in: 600 })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
  })
})

describe('a token is given to every way in which existing clients ask', () => {
  const cases: readonly (readonly [string, string, Record<string, string>, string])[] = [
    [
      'Basic "farm:" and no client_id',
      `grant_type=password&${typed}&scope=farm_manager`,
      { authorization: 'Basic ZmFybTo=' },
      'farm_manager',
    ],
    [
      'an empty client_secret',
      `grant_type=password&client_id=farm&client_secret=&${typed}&scope=farm_manager`,
      {},
      'farm_manager',
    ],
    ['Accept: json and no scope', `grant_type=password&client_id=fieldkit&${typed}`, { accept: 'json' }, all],
    [
      'Accept: application/vnd.api+json',
      `grant_type=password&client_id=farm&${typed}&scope=farm_manager`,
      { accept: 'application/vnd.api+json' },
      'farm_manager',
    ],
    [
      'parameters that nobody knows',
      `grant_type=password&client_id=farm&${typed}&scope=farm_worker&allow_redirects=True&verify=`,
      {},
      'farm_worker',
    ],
  ]

  test.each(shareOfThisEngine(cases))('gives a token to a request with %s', async (_way, body, headers, scope) => {
    const answer = await send(body, headers)
    expect(answer.body).toEqual({
      access_token: expect.stringContaining('.ey'),
      expires_in: 3600,
      token_type: 'Bearer',
      scope,
      refresh_token: expect.any(String),
    })
    expect(answer.headers.get('content-type')).toBe('application/json;charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('values that are not percent-encoded are taken as they stand', async () => {
    const password = '100% sure: é/ü? %zz %C3%28 ~*'
    await addAccount(farm.installation, { name: 'mail@farm.example', password, role: 'worker' })
    const plain = `grant_type=password&client_id=fieldkit&username=mail@farm.example&password=${password}`
    expect(await send(plain, { accept: 'json' })).toMatchObject({ status: 200, body: { scope: all } })
    const encoded = `grant_type=password&client_id=fieldkit&username=mail%40farm.example&password=${encodeURIComponent(password)}`
    expect(await send(encoded)).toMatchObject({ status: 200 })
    expect(await send(`${plain}%00`)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('a refresh with scope, stray parameters and the old bearer, good or dead, attached', async () => {
    let last = (await send(`grant_type=password&client_id=farm&${typed}&scope=farm_manager`)).body
    const attached = [`Bearer ${last.access_token}`, 'Bearer gone', undefined]
    for (const authorization of attached) {
      const body = `grant_type=refresh_token&client_id=farm&refresh_token=${last.refresh_token}&scope=farm_manager&allow_redirects=True`
      const answer = await send(body, authorization === undefined ? {} : { authorization })
      expect(answer).toMatchObject({ status: 200, body: { scope: 'farm_manager', expires_in: 3600 } })
      expect(await statusWith(farm, last.access_token)).toBe(401)
      last = answer.body
      expect(await statusWith(farm, last.access_token)).toBe(200)
    }
  })
})

describe('a token is refused in words that existing clients read', () => {
  test.each(
    shareOfThisEngine([
      [
        'a wrong password',
        `grant_type=password&client_id=farm&username=${ada.name}&password=wrong&scope=farm_manager`,
        400,
        'invalid_grant',
      ],
      ['an unknown client', `grant_type=password&client_id=nobody&${typed}&scope=farm_manager`, 401, 'invalid_client'],
      [
        'a secret of a client that has none',
        `grant_type=password&client_id=fieldkit&client_secret=x&${typed}`,
        401,
        'invalid_client',
      ],
      ['an unknown scope', `grant_type=password&client_id=farm&${typed}&scope=farm_everything`, 400, 'invalid_scope'],
      [
        'no password',
        `grant_type=password&client_id=farm&username=${ada.name}&scope=farm_manager`,
        400,
        'invalid_request',
      ],
      ['an unknown grant', 'grant_type=implicit&client_id=farm', 400, 'unsupported_grant_type'],
      [
        'a refresh token that is none',
        'grant_type=refresh_token&client_id=farm&refresh_token=none',
        400,
        'invalid_grant',
      ],
    ]),
  )('refuses a token to a request with %s', async (_what, body, status, error) => {
    expect(await send(body)).toMatchObject({ status, body: { error } })
  })

  test('an address with a bad host in its path is an address where nothing is', async () => {
    const body = `grant_type=password&client_id=farm&${typed}`
    const answer = await farm.anonymous.send('POST', '/:123SesameStreet/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    expect(answer.status).toBe(404)
  })
})
