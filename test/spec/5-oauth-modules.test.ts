import { describe, expect, test } from 'vitest'
import { setClient } from '../../src/access/oauth/registration.ts'
import type { Farm } from '../../src/farm/farm.ts'
import type { ClientDeclaration } from '../../src/farm/people/clients.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { codeFor, passwordRequest, person, redemption, statusWith, stranger, token } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const kiosk: ClientDeclaration = {
  id: 'kiosk',
  label: 'Kiosk in the barn',
  grants: ['authorization_code', 'password'],
  scopes: ['harvest_board'],
  defaultScopes: ['harvest_board'],
  redirectUris: ['https://kiosk.example/cb'],
  origins: [],
  pkce: 'optional',
  accessLifetime: 600,
}

const withKiosk: Farm = {
  ...stockFarm,
  scopes: [...stockFarm.scopes, { name: 'harvest_board', label: 'Show the harvests', rights: ['read-records'] }],
  clients: [...stockFarm.clients, kiosk],
}

describe('spec 5.2: a module’s clients and scopes', () => {
  test('work like those that are there anyway', async () => {
    const farm = await openFarm({ farm: withKiosk })
    const { body } = await token(farm, passwordRequest(await stranger(farm), { client_id: 'kiosk', scope: '' }))
    expect(body).toMatchObject({ scope: 'harvest_board', expires_in: '600' })
    const authorization = `Bearer ${body.access_token}`
    expect(await farm.anonymous.get('/log.json', { authorization })).toMatchObject({ status: 200 })
    expect(await farm.anonymous.get('/api', { authorization })).toMatchObject({ status: 403 })
    const client = { id: 'kiosk', secret: '', redirectUri: 'https://kiosk.example/cb' }
    const code = await codeFor(await person(farm), client, { scope: 'harvest_board' })
    expect(await token(farm, redemption(client, code))).toMatchObject({ status: 200 })
    const { body: metadata } = await farm.anonymous.get('/.well-known/oauth-authorization-server')
    expect(metadata.scopes_supported).toContain('harvest_board')
  })

  test('are gone with the module, tokens and changed settings included', async () => {
    const before = await openFarm({ farm: withKiosk })
    const ada = await stranger(before)
    await setClient(before.installation, 'kiosk', { scopes: ['harvest_board', 'user_access'] })
    const { body } = await token(before, passwordRequest(ada, { client_id: 'kiosk', scope: 'user_access' }))
    expect(await statusWith(before, body.access_token)).toBe(200)
    await before.close()
    const { data, database } = before.installation.settings
    const after = await openFarm({ place: { data, database } })
    expect(await statusWith(after, body.access_token)).toBe(401)
    const again = await token(after, passwordRequest(ada, { client_id: 'kiosk' }))
    expect(again).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  test('a server does not start with a client that would be a danger', async () => {
    const faulty = { ...kiosk, redirectUris: ['http://kiosk.example/cb'] }
    const farm = { ...withKiosk, clients: [...stockFarm.clients, faulty] }
    await expect(openFarm({ farm })).rejects.toMatchObject({ refusal: 'invalid-content' })
  })
})
