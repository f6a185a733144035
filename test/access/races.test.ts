import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { addAccount, blockAccount, setPassword, setRole, unblockAccount } from '../../src/access/accounts.ts'
import type { Caller } from '../../src/access/caller.ts'
import { decide } from '../../src/access/oauth/consent.ts'
import { setClient, showClient } from '../../src/access/oauth/registration.ts'
import { passwordGrant } from '../../src/access/oauth/token-endpoint.ts'
import { engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { Browser, hiddenFields } from './browser.ts'
import {
  app,
  asked,
  codeFor,
  passwordRequest,
  person,
  query,
  redemption,
  refreshRequest,
  statusWith,
  stranger,
  token,
} from './flow.ts'

const races = rounds({ short: 1, long: 64 })
const racers = 16

/** One server on SQLite; on PostgreSQL two that know of each other only through the database. */
async function nodesOn(engine: (typeof engines)[number]): Promise<readonly [FarmUnderTest, FarmUnderTest]> {
  const first = await openFarm({ engine })
  if (engine === 'sqlite') return [first, first]
  const { data, database } = first.installation.settings
  return [first, await openFarm({ place: { data, database } })]
}

const race = <T>(nodes: readonly FarmUnderTest[], run: (node: FarmUnderTest) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: racers }, (_, at) => run(nodes[at % nodes.length] as FarmUnderTest)))

describe.each(engines)('races on %s', (engine) => {
  test('one of two managers who are shut out at once stays, each time', async () => {
    const nodes = await nodesOn(engine)
    const names = ['ada', 'ben'] as const
    for (const name of names)
      await addAccount(nodes[0].installation, { name, password: 'green fields 42', role: 'manager' })
    for (let round = 0; round < races; round++) {
      const outcomes = await Promise.allSettled([
        blockAccount(nodes[0].installation, names[0]),
        setRole(nodes[1].installation, names[1], 'worker'),
      ])
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.refusal] : []))
      expect(refused).toEqual(['conflict'])
      await unblockAccount(nodes[0].installation, names[0])
      await setRole(nodes[1].installation, names[1], 'manager')
    }
  })

  test(`ON-61 of ${racers} refreshes at once exactly one wins, each time`, async () => {
    const nodes = await nodesOn(engine)
    let held = (await token(nodes[0], passwordRequest(await stranger(nodes[0])))).body
    for (let round = 0; round < races; round++) {
      const answers = await race(nodes, (node) => token(node, refreshRequest(held.refresh_token)))
      const won = answers.filter(({ status }) => status === 200)
      expect(won.length).toBe(1)
      expect(answers.filter(({ body }) => body.error === 'invalid_grant').length).toBe(racers - 1)
      const before = held.access_token
      held = won[0]?.body
      expect([await statusWith(nodes[1], held.access_token), await statusWith(nodes[1], before)]).toEqual([200, 401])
    }
  })

  test(`ON-51 of ${racers} redemptions at once exactly one wins, each time, and the rest takes its tokens back`, async () => {
    const nodes = await nodesOn(engine)
    const ada = await person(nodes[0])
    const client = await app(nodes[0])
    for (let round = 0; round < races; round++) {
      const code = await codeFor(ada, client)
      const answers = await race(nodes, (node) => token(node, redemption(client, code)))
      const won = answers.filter(({ status }) => status === 200)
      expect(won.length).toBe(1)
      expect(answers.filter(({ body }) => body.error === 'invalid_grant').length).toBe(racers - 1)
      expect(await statusWith(nodes[1], won[0]?.body.access_token)).toBe(401)
    }
  })

  test('ON-57, ON-65 nothing that the old password opened outlives its change', async () => {
    const [here, there] = await nodesOn(engine)
    const client = await app(here)
    for (let round = 0; round < rounds({ short: 1, long: 12 }); round++) {
      const ada = await person(here)
      const [later, other] = [new Browser(there), new Browser(there)]
      const code = await codeFor(ada, client)
      const lateness = (round % 6) * 4
      const [, granted, redeemed] = await Promise.all([
        setPassword(here.installation, { name: ada.name, password: 'a new password' }),
        token(there, passwordRequest(ada)),
        setTimeout(lateness + 15).then(() => token(there, redemption(client, code))),
        later.logIn(ada.name, ada.password),
        setTimeout(lateness).then(() => other.logIn(ada.name, ada.password)),
      ])
      for (const { body } of [granted, redeemed]) expect(await statusWith(here, body.access_token ?? 'none')).toBe(401)
      for (const browser of [later, other]) {
        const page = await here.anonymous.get('/restws/session/token', { cookie: browser.cookie })
        expect(page.status).toBe(403)
      }
    }
  })

  test('ON-57 a yes gives nothing once a new password has ended the session that was asked', async () => {
    const [here, there] = await nodesOn(engine)
    const ada = await person(here)
    const page = await ada.browser.get(`/oauth/authorize?${query(asked(await app(here)))}`)
    const { request: id = '' } = hiddenFields(page.text)
    const session = /=([^;]+)/.exec(ada.browser.cookie)?.[1] ?? ''
    const { uid, name } = ada
    const caller: Caller = { uid, name, role: 'manager', rights: new Set(), carrier: 'cookie', client: null }
    await setPassword(there.installation, { name: ada.name, password: 'a new password' })
    const yes = decide(here.installation, { caller, session, id, answer: 'approve' })
    await expect(yes).rejects.toMatchObject({ refusal: 'bad-request' })
  })

  test('ON-91 a client that has proven who it is and is then changed gets no tokens as it was', async () => {
    const [here, there] = await nodesOn(engine)
    const ada = await stranger(here)
    const { id } = await app(here, { grants: ['password'], redirectUris: [] })
    const before = await showClient(here.installation, id)
    await setClient(there.installation, id, { scopes: ['farm_info'] })
    const parameters = {
      values: new Map(Object.entries(passwordRequest(ada, { client_id: id }))),
      repeated: new Set<string>(),
    }
    const request = { parameters, authorization: undefined, address: '192.0.2.1', loginFailed: () => {} }
    await expect(passwordGrant(here.installation, before, request)).rejects.toMatchObject({ error: 'invalid_client' })
  })

  test('ON-91 what one node revokes is dead on the other', async () => {
    const [here, there] = await nodesOn(engine)
    const { body } = await token(here, passwordRequest(await stranger(here)))
    expect(await statusWith(there, body.access_token)).toBe(200)
    await here.anonymous.send('POST', '/oauth/revoke', { body: new URLSearchParams({ token: body.refresh_token }) })
    expect(await statusWith(there, body.access_token)).toBe(401)
  })

  test('a session of one node is one of the other, with the same CSRF token', async () => {
    const [here, there] = await nodesOn(engine)
    const { browser } = await person(here)
    const tokenHere = await browser.get('/restws/session/token')
    const tokenThere = await there.anonymous.get('/restws/session/token', { cookie: browser.cookie })
    expect(tokenThere).toMatchObject({ status: 200, text: tokenHere.text })
  })
})
