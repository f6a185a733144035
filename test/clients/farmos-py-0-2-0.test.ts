import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'

/** `farm:` with an empty secret, as HTTP Basic carries it. */
const asFarmClient = 'Basic ZmFybTo='

describe.each(atLeastOn('postgres'))('what farmOS.py 0.2.0 sends on %s', (engine) => {
  let farm: FarmUnderTest
  let login: { readonly name: string; readonly password: string }
  const askToken = async (form: Record<string, string>, headers: Record<string, string> = {}): Promise<Json> => {
    const answer = await fetch(`${farm.base}/oauth2/token`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
        ...headers,
      },
      body: new URLSearchParams(form).toString(),
    })
    return { status: answer.status, ...((await answer.json()) as object) }
  }
  const passwordGrant = (changes: Record<string, string> = {}, authorization = asFarmClient) =>
    askToken(
      { grant_type: 'password', username: login.name, password: login.password, scope: 'user_access', ...changes },
      { authorization },
    )

  beforeAll(async () => {
    farm = await openFarm({ engine })
    login = (await farm.login('manager')).login
  })

  it('logs in with its client id in the header and none in the body', async () => {
    const token = await passwordGrant()
    expect(token).toMatchObject({ status: 200, token_type: 'Bearer', scope: 'user_access' })
    // The client adds it to the time of day: a number in any spelling will do.
    expect(Number(token.expires_in)).toBe(3600)
  })

  it('tells the ways apart in which a login can fail', async () => {
    expect(await passwordGrant({ password: 'wrong' })).toMatchObject({ error: 'invalid_grant' })
    expect(await passwordGrant({}, `Basic ${btoa('nobody:')}`)).toMatchObject({ error: 'invalid_client' })
    expect(await passwordGrant({}, `Basic ${btoa('farm:secret')}`)).toMatchObject({ error: 'invalid_client' })
    expect(await passwordGrant({ scope: 'bad_scope' })).toMatchObject({ error: 'invalid_scope' })
  })

  it('refreshes with its client id in the body and no header', async () => {
    const first = await passwordGrant()
    const form = {
      grant_type: 'refresh_token',
      client_id: 'farm',
      scope: 'user_access',
      refresh_token: first.refresh_token,
    }
    const second = await askToken(form)
    expect(second).toMatchObject({ status: 200, scope: 'user_access' })
    const info = (token: string) => fetch(`${farm.base}/farm.json`, { headers: { authorization: `Bearer ${token}` } })
    expect((await info(second.access_token)).status).toBe(200)
    expect((await info(first.access_token)).status).toBe(403)
  })

  it('writes with its bearer token alone', async () => {
    const { access_token } = await passwordGrant()
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Test Observation', type: 'farm_observation', timestamp: 1_580_000_000 })
    const made = await fetch(`${farm.base}/log`, { method: 'POST', headers, body })
    expect([made.status, made.headers.get('set-cookie')]).toEqual([201, null])
    const { id } = (await made.json()) as Json
    const gone = await fetch(`${farm.base}/log/${id}.json`, { method: 'DELETE', headers })
    expect(gone.status).toBe(200)
  })
})
