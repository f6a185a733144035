import { describe, expect, test } from 'vitest'
import { blockAccount, setPassword, unblockAccount } from '../../src/access/accounts.ts'
import { setClient } from '../../src/access/oauth/registration.ts'
import { wallClock } from '../../src/clock.ts'
import { hiddenFields } from '../access/browser.ts'
import { app, families, passwordRequest, person, refreshRequest, statusWith, token } from '../access/flow.ts'
import type { Answer } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm()
const ada = await person(farm)
const day = 86_400

const isInvalidGrant = (answer: Answer) =>
  expect(answer, answer.text).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })

describe.each(shareOfThisEngine(families))('spec 5.2: refreshing at %s/token', (family) => {
  const first = async (extra: Record<string, string> = {}, someone = ada) => {
    const { body } = await token(farm, passwordRequest(someone, extra), { family })
    return body as { access_token: string; refresh_token: string; scope: string }
  }
  const refresh = (refreshToken: string, extra: Record<string, string> = {}) =>
    token(farm, refreshRequest(refreshToken, extra), { family })

  test('ON-58 gives a new pair, and the old refresh token is worth nothing', async () => {
    const old = await first()
    const answer = await refresh(old.refresh_token)
    expect(answer).toMatchObject({ status: 200, body: { scope: 'user_access', expires_in: '3600' } })
    expect(answer.body.access_token).not.toBe(old.access_token)
    expect(answer.body.refresh_token).not.toBe(old.refresh_token)
    expect(await statusWith(farm, answer.body.access_token)).toBe(200)
    isInvalidGrant(await refresh(old.refresh_token))
    expect(await refresh(answer.body.refresh_token)).toMatchObject({ status: 200 })
  })

  test('ON-59 the old access token stops working at once', async () => {
    const old = await first()
    await refresh(old.refresh_token)
    expect(await statusWith(farm, old.access_token)).toBe(401)
  })

  test('ON-60 a spent token that comes back soon is only refused; one that comes back later ends the family', async () => {
    // The other family of paths may have been here in the same second.
    const now = wallClock() + 1_000 * families.indexOf(family)
    farm.setClock(now)
    const old = await first()
    const { body: next } = await refresh(old.refresh_token)
    farm.setClock(now + 60)
    isInvalidGrant(await refresh(old.refresh_token))
    expect(await statusWith(farm, next.access_token)).toBe(200)
    farm.setClock(now + 61)
    isInvalidGrant(await refresh(old.refresh_token))
    expect(await statusWith(farm, next.access_token)).toBe(401)
    isInvalidGrant(await refresh(next.refresh_token))
    const events = await farm.installation.database.read((snapshot) =>
      snapshot
        .selectFrom('access_event')
        .select(['event', 'uid', 'client'])
        .where('at', '=', now + 61)
        .execute(),
    )
    expect(events).toEqual([{ event: 'refresh-token-reused', uid: ada.uid, client: 'farm' }])
    farm.setClock(null)
  })

  test('ON-61 of 16 concurrent refreshes exactly one wins, and its tokens live', async () => {
    const { refresh_token } = await first()
    const answers = await Promise.all(Array.from({ length: 16 }, () => refresh(refresh_token)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won.length).toBe(1)
    expect(await statusWith(farm, won[0]?.body.access_token)).toBe(200)
  })

  test('ON-62 another client cannot use it, and the owner still can', async () => {
    const { refresh_token } = await first()
    const other = await app(farm)
    isInvalidGrant(await refresh(refresh_token, { client_id: other.id }))
    expect(await refresh(refresh_token)).toMatchObject({ status: 200 })
  })

  test('ON-63 the scope can be narrowed for the access token and never widened', async () => {
    const { refresh_token } = await first({ scope: 'farm_worker farm_viewer' })
    const wider = await refresh(refresh_token, { scope: 'farm_manager' })
    expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    const narrower = await refresh(refresh_token, { scope: 'farm_viewer' })
    expect(narrower.body.scope).toBe('farm_viewer')
    expect((await refresh(narrower.body.refresh_token)).body.scope).toBe('farm_worker farm_viewer')
  })

  test('ON-64 ends after 14 idle days and after 90 days in any case, and stays ended', async () => {
    const now = wallClock()
    farm.setClock(now)
    const idle = await first()
    let busy = await first()
    farm.setClock(now + 14 * day)
    isInvalidGrant(await refresh(idle.refresh_token))
    farm.setClock(now)
    isInvalidGrant(await refresh(idle.refresh_token))
    for (let days = 13; days < 90; days += 13) {
      farm.setClock(now + days * day)
      busy = (await refresh(busy.refresh_token)).body
      expect(busy.access_token).toBeDefined()
    }
    farm.setClock(now + 90 * day)
    isInvalidGrant(await refresh(busy.refresh_token))
    farm.setClock(null)
  })

  test('ON-65 ends with a blocked user, a new password, a disabled client or a revoked application', async () => {
    const blocked = await person(farm)
    const ofBlocked = await first({}, blocked)
    await blockAccount(farm.installation, blocked.name)
    isInvalidGrant(await refresh(ofBlocked.refresh_token))
    expect(await statusWith(farm, ofBlocked.access_token)).toBe(401)
    await unblockAccount(farm.installation, blocked.name)
    isInvalidGrant(await refresh(ofBlocked.refresh_token))

    const changed = await person(farm)
    const ofChanged = await first({}, changed)
    await setPassword(farm.installation, { name: changed.name, password: 'quite another one' })
    isInvalidGrant(await refresh(ofChanged.refresh_token))
    expect(await statusWith(farm, ofChanged.access_token)).toBe(401)

    const leaving = await person(farm)
    const ofLeaving = await first({}, leaving)
    const { csrf = '' } = hiddenFields((await leaving.browser.get('/account')).text)
    expect(await leaving.browser.post('/account/applications', { csrf, client: 'farm' })).toMatchObject({ status: 302 })
    isInvalidGrant(await refresh(ofLeaving.refresh_token))

    const client = await app(farm, { grants: ['password', 'refresh_token'], redirectUris: [] })
    const ofClient = await first({ client_id: client.id })
    await setClient(farm.installation, client.id, { disabled: true })
    expect(await refresh(ofClient.refresh_token, { client_id: client.id })).toMatchObject({ status: 401 })
    await setClient(farm.installation, client.id, { disabled: false })
    isInvalidGrant(await refresh(ofClient.refresh_token, { client_id: client.id }))
  })

  test('ON-66 an access token does not refresh, and a refresh token opens nothing', async () => {
    const pair = await first()
    isInvalidGrant(await refresh(pair.access_token))
    expect(await statusWith(farm, pair.refresh_token)).toBe(401)
  })

  test('ON-67 who did not hear the answer cannot have it twice: one family lives at most', async () => {
    const lost = await first()
    const unheard = await refresh(lost.refresh_token)
    isInvalidGrant(await refresh(lost.refresh_token))
    const families = await farm.installation.database.read((snapshot) =>
      snapshot.selectFrom('refresh_token').select('family').where('rotated', 'is', null).execute(),
    )
    expect(new Set(families.map(({ family: id }) => id)).size).toBe(families.length)
    expect(await statusWith(farm, unheard.body.access_token)).toBe(200)
  })
})
