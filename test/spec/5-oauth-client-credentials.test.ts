import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/access/oauth/registration.ts'
import { app, families, query, stranger, token } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm()

describe.each(shareOfThisEngine(families))('spec 5.2: client credentials at %s/token', (family) => {
  const machine = () =>
    app(farm, {
      secret: true,
      grants: ['client_credentials'],
      scopes: ['farm_worker', 'farm_viewer'],
      redirectUris: [],
    })
  const ask = (parameters: Record<string, string>) =>
    token(farm, { grant_type: 'client_credentials', ...parameters }, { family })

  test('ON-74 a client without a secret cannot use them, nor one with the wrong secret', async () => {
    expect(await ask({ client_id: 'farm' })).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
    const { id } = await machine()
    const answer = await ask({ client_id: id, client_secret: 'guess', scope: 'farm_worker' })
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    const given = { id: 'public-machine', label: 'x', grants: ['client_credentials' as const], scopes: ['farm_worker'] }
    await expect(addClient(farm.installation, given)).rejects.toMatchObject({ refusal: 'invalid-content' })
  })

  test('ON-75 there is no refresh token, and what is recorded belongs to the client’s own account', async () => {
    const { id, secret } = await machine()
    const answer = await ask({ client_id: id, client_secret: secret, scope: 'farm_worker' })
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      expires_in: 3600,
      token_type: 'Bearer',
      scope: 'farm_worker',
    })
    const authorization = `Bearer ${answer.body.access_token}`
    const log = await farm.anonymous.send('POST', '/log', {
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Measured', type: 'farm_observation', timestamp: 1_700_000_000 }),
    })
    expect(log, log.text).toMatchObject({ status: 201 })
    const { body: record } = await farm.anonymous.get(`/log/${log.body.id}.json`, { authorization })
    const { body: user } = await farm.anonymous.get(`/user/${record.uid.id}.json`, { authorization })
    expect(user.name).toBe(id)
    const login = await farm.anonymous.send('POST', `/user/login?${query({})}`, {
      body: new URLSearchParams({ name: id, pass: secret, form_id: 'user_login' }),
    })
    expect([login.status, login.headers.get('set-cookie')]).toEqual([200, null])
  })

  test('ON-75 a client cannot be named after a user and so get hold of the account', async () => {
    const manager = await stranger(farm)
    const given = { label: 'x', secret: true, grants: ['client_credentials' as const], scopes: ['farm_viewer'] }
    await expect(addClient(farm.installation, { ...given, id: manager.name })).rejects.toMatchObject({
      refusal: 'invalid-content',
    })
    await expect(addClient(farm.installation, { ...given, id: manager.name.toUpperCase() })).rejects.toMatchObject({
      refusal: 'invalid-content',
    })
  })

  test('a token can be narrower than the client’s scopes and never wider', async () => {
    const { id, secret } = await machine()
    const narrow = await ask({ client_id: id, client_secret: secret, scope: 'farm_viewer' })
    const write = await farm.anonymous.send('POST', '/log', {
      headers: { authorization: `Bearer ${narrow.body.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'No', type: 'farm_observation', timestamp: 1_700_000_000 }),
    })
    expect(write.status).toBe(403)
    const wide = await ask({ client_id: id, client_secret: secret, scope: 'farm_manager' })
    expect(wide).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  })
})
