import { describe, expect, test } from 'vitest'
import { blockAccount, setPassword } from '../../src/access/accounts.ts'
import { removeClient } from '../../src/access/oauth/registration.ts'
import { wallClock } from '../../src/clock.ts'
import {
  app,
  codeFor,
  families,
  passwordRequest,
  person,
  pkcePair,
  redemption,
  refreshRequest,
  statusWith,
  token,
} from '../access/flow.ts'
import type { Answer } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const farm = await openFarm()
const ada = await person(farm)
const client = await app(farm)
const other = await app(farm)

const isInvalidGrant = (answer: Answer) =>
  expect(answer, answer.text).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })

describe.each(shareOfThisEngine(families))('spec 5.2: a code at %s/token', (family) => {
  const redeem = (code: string, extra: Record<string, string> = {}, by = client) =>
    token(farm, redemption(by, code, extra), { family })
  const code = (extra: Record<string, string> = {}) => codeFor(ada, client, extra, family)

  test('ON-48 a code that was never given is refused', async () => {
    const good = await code()
    const flipped = (good.startsWith('A') ? 'B' : 'A') + good.slice(1)
    for (const bad of ['random', good.slice(0, -1), flipped]) isInvalidGrant(await redeem(bad))
    expect(await redeem(good)).toMatchObject({ status: 200 })
  })

  test('ON-49 after a minute a code is worth nothing', async () => {
    const now = wallClock()
    farm.setClock(now)
    const late = await code()
    const inTime = await code()
    farm.setClock(now + 59)
    expect(await redeem(inTime)).toMatchObject({ status: 200 })
    farm.setClock(now + 60)
    isInvalidGrant(await redeem(late))
    farm.setClock(null)
  })

  test.each([0, 1, 30])(
    'ON-50 a second use after %i s is refused and takes back the tokens of the first',
    async (seconds) => {
      const now = wallClock()
      farm.setClock(now)
      const twice = await code()
      const { body } = await redeem(twice)
      expect(await statusWith(farm, body.access_token)).toBe(200)
      farm.setClock(now + seconds)
      isInvalidGrant(await redeem(twice))
      expect(await statusWith(farm, body.access_token)).toBe(401)
      isInvalidGrant(await token(farm, refreshRequest(body.refresh_token, { client_id: client.id }), { family }))
      farm.setClock(null)
    },
  )

  test('ON-51 of 16 concurrent uses at most one wins', async () => {
    const raced = await code()
    const answers = await Promise.all(Array.from({ length: 16 }, () => redeem(raced)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant').length).toBe(15)
  })

  test('ON-52 another client’s attempt is refused and burns the code', async () => {
    const stolen = await code()
    isInvalidGrant(await redeem(stolen, {}, other))
    isInvalidGrant(await redeem(stolen))
  })

  test('ON-53 the redirect URI has to be the one of the authorization', async () => {
    isInvalidGrant(await redeem(await code(), { redirect_uri: 'https://app.example/other' }))
    isInvalidGrant(await redeem(await code(), { redirect_uri: '' }))
    const unnamed = await codeFor(ada, client, { redirect_uri: '' }, family)
    expect(await redeem(unnamed, { redirect_uri: '' })).toMatchObject({ status: 200 })
  })

  test('ON-54 once a challenge was sent, only its verifier helps', async () => {
    const { verifier, challenge } = pkcePair()
    const proven = () => code({ code_challenge: challenge, code_challenge_method: 'S256' })
    for (const wrong of ['', pkcePair().verifier, verifier.slice(1), 'a'.repeat(129), challenge]) {
      isInvalidGrant(await redeem(await proven(), { code_verifier: wrong }))
    }
    expect(await redeem(await proven(), { code_verifier: verifier })).toMatchObject({ status: 200 })
  })

  test('ON-55 a verifier without a challenge is refused', async () => {
    isInvalidGrant(await redeem(await code(), { code_verifier: pkcePair().verifier }))
  })

  test('ON-57 a code dies with its user, the password or the client', async () => {
    const blocked = await person(farm)
    const ofBlocked = await codeFor(blocked, client, {}, family)
    await blockAccount(farm.installation, blocked.name)
    isInvalidGrant(await redeem(ofBlocked))

    const changed = await person(farm)
    const ofChanged = await codeFor(changed, client, {}, family)
    await setPassword(farm.installation, { name: changed.name, password: 'another password' })
    isInvalidGrant(await redeem(ofChanged))

    const gone = await app(farm)
    const ofGone = await codeFor(ada, gone, {}, family)
    await removeClient(farm.installation, gone.id)
    expect(await redeem(ofGone, {}, gone)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  test('ON-66 a code is neither an access token nor a refresh token, and neither of those is a code', async () => {
    const unused = await code()
    expect(await statusWith(farm, unused)).toBe(401)
    isInvalidGrant(await token(farm, refreshRequest(unused, { client_id: client.id }), { family }))
    const { body } = await token(farm, passwordRequest(ada), { family })
    isInvalidGrant(await redeem(body.access_token))
    isInvalidGrant(await redeem(body.refresh_token))
  })

  test('ON-99 of two authorizations in two tabs, each code works with its own verifier only', async () => {
    const [one, two] = [pkcePair(), pkcePair()]
    const asking = (pair: typeof one, state: string) =>
      code({ code_challenge: pair.challenge, code_challenge_method: 'S256', state })
    const [first, second] = [await asking(one, 'one'), await asking(two, 'two')]
    isInvalidGrant(await redeem(first, { code_verifier: two.verifier }))
    expect(await redeem(second, { code_verifier: two.verifier })).toMatchObject({ status: 200 })
    const local = await app(farm, { redirectUris: ['http://127.0.0.1/cb'] })
    const atPort = (port: number) => ({ redirect_uri: `http://127.0.0.1:${port}/cb` })
    const [left, right] = [
      await codeFor(ada, local, atPort(4001), family),
      await codeFor(ada, local, atPort(4002), family),
    ]
    isInvalidGrant(await redeem(left, atPort(4002), local))
    expect(await redeem(right, atPort(4002), local)).toMatchObject({ status: 200 })
  })
})

test('ON-56 a challenge survives a restart between the two steps', async () => {
  const before = await openFarm()
  const someone = await person(before)
  const app1 = await app(before)
  const { verifier, challenge } = pkcePair()
  const proof = { code_challenge: challenge, code_challenge_method: 'S256' }
  const [bare, proven] = [await codeFor(someone, app1, proof), await codeFor(someone, app1, proof)]
  await before.close()
  const { data, database } = before.installation.settings
  const after = await openFarm({ place: { data, database } })
  isInvalidGrant(await token(after, redemption(app1, bare)))
  expect(await token(after, redemption(app1, proven, { code_verifier: verifier }))).toMatchObject({ status: 200 })
})
