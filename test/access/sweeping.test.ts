import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { invite } from '../../src/access/invitations.ts'
import { keepSwept, sweep } from '../../src/access/sweeping.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { isAlone } from '../../src/storage/sql/advisory-locks.ts'
import type { Tables } from '../../src/storage/sql/tables.ts'
import { serve } from '../cli/built-furrow.ts'
import { emptyPlace, engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { app, asked, codeFor, type Person, passwordRequest, person, query, redemption, token } from './flow.ts'

const day = 86_400
const start = 1_700_000_000

const expiring = [
  'session',
  'invitation',
  'token_family',
  'access_token',
  'refresh_token',
  'authorization_request',
  'authorization_code',
  'login_streak',
  'login_failure',
  'kept_answer',
] as const satisfies readonly (keyof Tables)[]

/** Leaves something in every table whose rows expire. */
async function leaveTraces(farm: FarmUnderTest): Promise<Person> {
  const ada = await person(farm)
  await invite(farm.installation, { role: 'worker', name: '', by: ada.uid })
  const client = await app(farm)
  await token(farm, redemption(client, await codeFor(ada, client)))
  await ada.browser.get(`/oauth/authorize?${query(asked(client))}`)
  await token(farm, passwordRequest({ name: ada.name, password: 'a wrong one' }))
  const { body } = await token(farm, passwordRequest(ada))
  await token(farm, passwordRequest({ name: ada.name, password: 'a wrong one' }))
  const headers = { authorization: `Bearer ${body.access_token}`, 'idempotency-key': 'a key' }
  const kept = await farm.anonymous.send('POST', '/log', {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Kept', type: 'farm_activity', timestamp: 1 }),
  })
  expect(kept.status).toBe(201)
  return ada
}

describe.each(engines)('what has expired, on %s', (engine) => {
  let farm: FarmUnderTest

  beforeAll(async () => {
    farm = await openFarm({ engine })
  })

  const filled = () =>
    farm.installation.database.read(async (snapshot) => {
      const counts: Partial<Record<keyof Tables, number>> = {}
      for (const table of expiring) {
        const { count } = await snapshot
          .selectFrom(table)
          .select((row) => row.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        counts[table] = Number(count)
      }
      return counts
    })
  const tablesInUse = async () => {
    const counts = await filled()
    return expiring.filter((table) => counts[table] !== 0)
  }

  test('is taken away without a request, as its time comes, and nothing before', async () => {
    farm.setClock(start)
    await leaveTraces(farm)
    const atFirst = await filled()
    expect(await tablesInUse()).toEqual(expiring)
    await sweep(farm.installation)
    expect(await filled()).toEqual(atFirst)

    farm.setClock(start + 3601)
    await sweep(farm.installation)
    expect(await tablesInUse()).toEqual([
      'session',
      'invitation',
      'token_family',
      'refresh_token',
      'authorization_code',
      'login_streak',
      'kept_answer',
    ])
    farm.setClock(start + day + 1)
    await sweep(farm.installation)
    expect(await tablesInUse()).toEqual([
      'session',
      'invitation',
      'token_family',
      'refresh_token',
      'authorization_code',
    ])
    farm.setClock(start + 14 * day)
    await sweep(farm.installation)
    expect(await tablesInUse()).toEqual(['session', 'authorization_code'])
    farm.setClock(start + 30 * day)
    await sweep(farm.installation)
    expect(await tablesInUse()).toEqual(['authorization_code'])
    farm.setClock(start + 91 * day)
    await sweep(farm.installation)
    expect(await tablesInUse()).toEqual([])
    farm.setClock(null)
  })

  test('an event is kept for 90 days, or as long as the setting says', async () => {
    const at = (time: number) => ({ at: time, event: 'login-failed', uid: null, client: null, address: '203.0.113.9' })
    const times = () =>
      farm.installation.database.read(async (snapshot) =>
        (await snapshot.selectFrom('access_event').select('at').execute()).map((event) => event.at),
      )
    await farm.installation.database.write(async (tx) => {
      await tx.deleteFrom('access_event').execute()
      for (let count = 0; count < 450; count += 1)
        await tx
          .insertInto('access_event')
          .values(at(start - day))
          .execute()
      await tx.insertInto('access_event').values(at(start)).execute()
    })
    farm.setClock(start + 89 * day)
    await sweep(farm.installation)
    expect(await times()).toEqual([start])
    await sweep({ ...farm.installation, settings: { ...farm.installation.settings, eventDays: 365 } })
    expect(await times()).toEqual([start])
    await sweep({ ...farm.installation, settings: { ...farm.installation.settings, eventDays: 30 } })
    expect(await times()).toEqual([])
    farm.setClock(null)
  })

  test('is taken away however much there is of it', async () => {
    const old = { request: '', status: 200, headers: '{}', body: '[]', created: 1, uid: 1 }
    await farm.installation.database.write(async (tx) => {
      for (let count = 0; count < 450; count += 1) {
        await tx
          .insertInto('kept_answer')
          .values({ ...old, key: `key ${count}` })
          .execute()
      }
    })
    await sweep(farm.installation)
    expect(await filled()).toMatchObject({ kept_answer: 0 })
  })

  test('is taken away again and again until it is told to stop, also after a time without a database', async () => {
    farm.setClock(start)
    await leaveTraces(farm)
    const installation = { ...farm.installation }
    const failures: unknown[] = []
    const stop = keepSwept(installation, { everyMs: 20, whenFailed: (error) => failures.push(error) })
    onTestFinished(stop)
    const gone = await openDatabase(farm.installation.settings)
    await gone.close()
    installation.database = gone
    await expect.poll(() => failures.length).toBeGreaterThan(1)
    installation.database = farm.installation.database
    farm.setClock(start + day + 1)
    await expect.poll(tablesInUse).not.toContain('kept_answer')
    await stop()
    farm.setClock(start + 100 * day)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await tablesInUse()).toContain('session')
    farm.setClock(null)
  })
})

test('of several servers on one database one at a time ends what lies in the trash, and the others do not wait for it', async () => {
  const { installation } = await openFarm({ engine: 'postgres' })
  const removed = { uuid: 'a', type: 'log' as const, number: 1, uid: 1, draft: null, removed: 1, ended: null }
  await installation.database.write((tx) => tx.insertInto('identity').values(removed).execute())
  const ended = () =>
    installation.database.read(async (snapshot) => {
      const { ended } = await snapshot
        .selectFrom('identity')
        .select('ended')
        .where('uuid', '=', 'a')
        .executeTakeFirstOrThrow()
      return ended !== null
    })
  await installation.database.write(async (tx) => {
    expect(await isAlone(tx, 'trash')).toBe(true)
    await sweep(installation)
  })
  expect(await ended()).toBe(false)
  await sweep(installation)
  expect(await ended()).toBe(true)
})

test('a server takes away at its start what expired while it was not there', async () => {
  const place = await emptyPlace('sqlite')
  const database = await openDatabase(place)
  const answer = { uid: 1, key: 'old', request: '', status: 200, headers: '{}', body: '[]', created: 1 }
  await database.write((tx) => tx.insertInto('kept_answer').values(answer).execute())
  const server = await serve(['--data', place.data])
  const left = () => database.read((snapshot) => snapshot.selectFrom('kept_answer').selectAll().execute())
  await expect.poll(left).toEqual([])
  expect(await server.stop()).toBe(0)
  await database.close()
})
