import { beforeAll, describe, expect, it } from 'vitest'
import { type Farm, kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { Client, type Json } from '../harness/client.ts'
import { engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const withScope = kit.withScope(stockFarm, {
  name: 'stall_reader',
  label: 'Read what is for sale',
  rights: ['enter', 'read-info', 'read-records'],
})
const withClient: Farm = kit.withClient(withScope, {
  id: 'market-stall',
  label: 'Market stall',
  grants: ['password', 'refresh_token'],
  scopes: ['stall_reader'],
  defaultScopes: ['stall_reader'],
  redirectUris: [],
  origins: ['https://stall.example'],
  pkce: 'required',
  accessLifetime: 120,
})

describe.each(engines)('a scope and a client that a module brought, on %s (spec 5.2)', (engine) => {
  let farm: FarmUnderTest
  let login: { readonly name: string; readonly password: string }
  const grant = async (form: Record<string, string>): Promise<Json> =>
    (await fetch(`${farm.base}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })).json()
  const passwordGrant = (form: Record<string, string>) =>
    grant({ grant_type: 'password', username: login.name, password: login.password, ...form })

  beforeAll(async () => {
    farm = await openFarm({ engine, farm: withClient })
    login = (await farm.login('manager')).login
  })

  it('gives tokens with that scope, for as long as the module says', async () => {
    const token = await passwordGrant({ client_id: 'market-stall' })
    expect(token).toMatchObject({ scope: 'stall_reader', expires_in: '120' })
    const stall = new Client(farm.base, { authorization: `Bearer ${token.access_token}` })
    expect((await stall.get('/log.json')).status).toBe(200)
    const written = await stall.post('/log', { name: 'Sale', type: 'farm_activity', timestamp: 1 })
    expect(written.status).toBe(403)
  })

  it('keeps each client to its own scopes', async () => {
    expect(await passwordGrant({ client_id: 'market-stall', scope: 'farm_manager' })).toMatchObject({
      error: 'invalid_scope',
    })
    expect(await passwordGrant({ client_id: 'farm', scope: 'stall_reader' })).toMatchObject({ error: 'invalid_scope' })
  })
})
