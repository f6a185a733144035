import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../build/free-port.mjs'
import { addAccount, blockAccount, setPassword, setRole } from '../../src/access/accounts.ts'
import { Browser } from '../access/browser.ts'
import { Listener } from '../feed/listener.ts'
import { Client, type Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { turnsOf, turnsUntil } from '../harness/processor-time.ts'

let farm: FarmUnderTest
let manager: Client
let metricsPort: number

beforeAll(async () => {
  metricsPort = await freePort()
  farm = await openFarm({ settings: { metricsPort } })
  manager = await farm.login()
})

const activity = (name: string) => ({ type: 'farm_activity', name, timestamp: 1_700_000_000 })
const names = (listener: Listener) => listener.changes.map(({ record }: Json) => record?.name)

describe('a stream of events', () => {
  test('tells of a change within a second of its commit, with the cursor behind it as its id', async () => {
    const listener = await Listener.open(manager, '/changes')
    expect(listener.status).toBe(200)
    expect(listener.headers.get('content-type')).toBe('text/event-stream')
    expect(listener.headers.get('cache-control')).toBe('no-cache')
    expect(listener.headers.get('x-accel-buffering')).toBe('no')
    expect(listener.headers.get('content-encoding')).toBeNull()
    const { next } = await manager.read('/changes')
    const made = await manager.post('/log', activity('Heard of'))
    expect(await turnsUntil(listener.hears(1))).toBeLessThan(turnsOf(1))
    const [event] = listener.events
    expect(event?.event).toBe('change')
    expect(event?.data).toEqual((await manager.read(`/changes?since=${next}`)).changes[0])
    expect(event?.data).toMatchObject({ id: made.body.id, verb: 'create' })
    expect((await manager.read(`/changes?since=${event?.id}`)).changes).toEqual([])
    await listener.close()
  })

  test('begins where since says, and Last-Event-ID beats it', async () => {
    const { next: before } = await manager.read('/changes')
    await manager.create('log', activity('First'))
    const { next: between } = await manager.read('/changes')
    await manager.create('log', activity('Second'))
    const bySince = await Listener.open(manager, `/changes?since=${before}`)
    await expect.poll(() => names(bySince)).toEqual(['First', 'Second'])
    const byId = await Listener.open(manager, `/changes?since=${before}`, { 'last-event-id': between })
    await expect.poll(() => names(byId)).toEqual(['Second'])
    const behindFirst = await Listener.open(manager, '/changes', { 'last-event-id': bySince.events[0]?.id ?? '' })
    await expect.poll(() => names(behindFirst)).toEqual(['Second'])
    await Promise.all([bySince.close(), byId.close(), behindFirst.close()])
  })

  test('tells where it begins, so that who loses it before the first event can come back', async () => {
    const first = await Listener.open(manager, '/changes')
    await expect.poll(() => first.lastId).not.toBe('')
    await first.close()
    await manager.create('log', activity('While nobody listened'))
    const again = await Listener.open(manager, '/changes', { 'last-event-id': first.lastId })
    await expect.poll(() => names(again)).toEqual(['While nobody listened'])
    await again.close()
  })

  test('tells removals, only of the type asked for, and without records where they are not wanted', async () => {
    const { next } = await manager.read('/changes')
    const id = await manager.create('log', activity('Removed while listened to'))
    await manager.create('farm_asset', { type: 'equipment', name: 'Plough' })
    await manager.delete(`/log/${id}`)
    const assets = await Listener.open(manager, `/changes?since=${next}&type=farm_asset`)
    const bare = await Listener.open(manager, `/changes?since=${next}&records=0`)
    await expect.poll(() => names(assets)).toEqual(['Plough'])
    await expect.poll(() => bare.changes.length).toBe(2)
    expect(bare.changes).toMatchObject([
      { type: 'farm_asset', verb: 'create' },
      { type: 'log', id, verb: 'remove' },
    ])
    expect(bare.changes[0]).not.toHaveProperty('record')
    await Promise.all([assets.close(), bare.close()])
  })

  test('tells each state of a record once, also where much has to be caught up with', async () => {
    const { next } = await manager.read('/changes')
    const many = (count: number, of: (n: number) => Json) => Array.from({ length: count }, (_, n) => of(n))
    const made = await manager.post('/batch', {
      operations: many(150, (n) => ({ method: 'POST', path: '/log', body: activity(`Made ${n}`) })),
    })
    const ids = made.body.results.map(({ id }: Json) => id)
    for (const turn of ['again', 'and again'])
      await manager.post('/batch', {
        operations: many(150, (n) => ({ method: 'PUT', path: `/log/${ids[n]}`, body: { name: `Log ${n} ${turn}` } })),
      })
    const listener = await Listener.open(manager, `/changes?since=${next}`)
    await expect.poll(() => listener.changes.length).toBe(150)
    await sleep(300)
    expect(listener.changes).toHaveLength(150)
    expect(new Set(listener.changes.map(({ id }: Json) => id))).toEqual(new Set(ids))
    expect(listener.changes.every(({ verb, version }: Json) => verb === 'create' && version.startsWith('3.'))).toBe(
      true,
    )
    await listener.close()
  })

  test('does not count among the requests in flight, and is counted by itself', async () => {
    const metrics = async (name: string) => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
    }
    const others = await metrics('furrow_event_streams')
    const listeners = await Promise.all(Array.from({ length: 3 }, () => Listener.open(manager, '/changes')))
    expect(listeners.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await metrics('furrow_event_streams')).toBe(others + 3)
    expect(await metrics('furrow_requests_in_flight')).toBe(0)
    await Promise.all(listeners.map((listener) => listener.close()))
    await expect.poll(() => metrics('furrow_event_streams')).toBe(others)
  })

  test('is refused to an account that listens to five, until one of them is closed', async () => {
    const viewer = await farm.login('viewer')
    const listeners = await Promise.all(Array.from({ length: 5 }, () => Listener.open(viewer, '/changes')))
    const sixth = await Listener.open(viewer, '/changes')
    await sixth.ended
    expect(sixth).toMatchObject({ status: 429, refusal: { type: 'urn:furrow:refusal:too-many-requests' } })
    expect(sixth.headers.get('retry-after')).toMatch(/^\d+$/)
    const other = await Listener.open(manager, '/changes')
    expect(other.status).toBe(200)
    await listeners[0]?.close()
    await expect.poll(async () => (await Listener.open(viewer, '/changes')).status).toBe(200)
    await Promise.all([other, ...listeners].map((listener) => listener.close()))
  })

  test('tells those who may not read the trash neither who removed a record nor with what, beside others who may', async () => {
    const viewer = await farm.login('viewer')
    const listeners = [await Listener.open(viewer, '/changes'), await Listener.open(manager, '/changes')]
    const id = await manager.create('log', { name: 'Mow', type: 'farm_activity', timestamp: 100 })
    await manager.delete(`/log/${id}`)
    const removals = () => listeners.map(({ changes }) => changes.find(({ verb }) => verb === 'remove'))
    await expect.poll(() => removals().filter((removal) => removal !== undefined).length).toBe(2)
    const [told, whole] = removals()
    expect(whole).toMatchObject({ uid: expect.stringMatching(/^\d+$/), set: expect.stringMatching(/-/) })
    expect(told).toEqual({ ...whole, uid: null, set: null })
    for (const reader of [viewer, manager]) {
      const { changes } = await reader.read('/changes?since=0&type=log')
      const page = changes.find((change: { id: string }) => change.id === id)
      expect(page).toEqual(reader === viewer ? told : whole)
    }
    await Promise.all(listeners.map((listener) => listener.close()))
  })

  test('HEAD asks for no stream', async () => {
    const answer = await manager.send('HEAD', '/changes', { headers: { accept: 'text/event-stream' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch('application/json')
  })

  test('refuses what cannot be asked before it begins', async () => {
    for (const path of ['/changes?since=nothing', '/changes?limit=0', '/changes?page=2']) {
      const refused = await Listener.open(manager, path)
      await refused.ended
      expect(refused).toMatchObject({ status: 400, refusal: { type: 'urn:furrow:refusal:bad-query' } })
    }
  })

  test('says reset where the cursor is gone, and ends', async () => {
    const { next } = await manager.read('/changes')
    const elsewhere = next.replace(/^./, (letter: string) => (letter === 'A' ? 'B' : 'A'))
    const listener = await Listener.open(manager, '/changes', { 'last-event-id': elsewhere })
    await listener.ended
    expect(listener.events).toMatchObject([{ event: 'reset', id: '', data: { detail: expect.stringMatching(/load/) } }])
  })
})

describe('a stream ends within a second', () => {
  const turnsUntilEnd = async (listener: Listener, change: () => Promise<unknown>): Promise<number> => {
    await expect.poll(() => listener.lastId).not.toBe('')
    await change()
    return turnsUntil(listener.ended)
  }

  test('after the token was revoked', async () => {
    const worker = await farm.login('worker')
    const listener = await Listener.open(worker, '/changes')
    const revocation = new URLSearchParams({ token: worker.login.token, client_id: 'farm' })
    expect(
      await turnsUntilEnd(listener, () => fetch(`${farm.base}/oauth/revoke`, { method: 'POST', body: revocation })),
    ).toBeLessThan(turnsOf(1))
  })

  test('after the account was blocked, its role lowered, or its password changed', async () => {
    const { installation } = farm
    for (const change of [
      (name: string) => blockAccount(installation, name),
      (name: string) => setRole(installation, name, 'viewer'),
      (name: string) => setRole(installation, name, null),
      (name: string) => setPassword(installation, { name, password: 'another password of theirs' }),
    ]) {
      const worker = await farm.login('worker')
      const listener = await Listener.open(worker, '/changes')
      expect(await turnsUntilEnd(listener, () => change(worker.login.name)), change.toString()).toBeLessThan(turnsOf(1))
    }
  })

  test('after the token has expired', async () => {
    const worker = await farm.login('worker')
    const listener = await Listener.open(worker, '/changes')
    const turns = await turnsUntilEnd(listener, async () => farm.setClock(Math.floor(Date.now() / 1000) + 100 * 86_400))
    farm.setClock(null)
    expect(turns).toBeLessThan(turnsOf(1))
  })

  test('after somebody has logged out', async () => {
    const login = {
      name: 'Reader',
      password: 'a password to read with',
      role: 'viewer',
      mail: '',
      language: 'en',
    } as const
    await addAccount(farm.installation, login)
    const browser = new Browser(farm)
    await browser.logIn(login.name, login.password)
    const reader = new Client(farm.base, { cookie: browser.cookie })
    const listener = await Listener.open(reader, '/changes')
    expect(listener.status).toBe(200)
    expect(await turnsUntilEnd(listener, () => browser.get('/user/logout'))).toBeLessThan(turnsOf(1))
  })

  test('when the server is stopped, which does not wait for it', async () => {
    const stopped = await openFarm()
    const listener = await Listener.open(await stopped.login('viewer'), '/changes')
    expect(await turnsUntil(stopped.close())).toBeLessThan(turnsOf(2))
    await listener.ended
  })
})

test('what others commit is told within a second, whichever process it was', async () => {
  const beside = await openFarm({
    place: { data: farm.installation.settings.data, database: farm.installation.settings.database },
  })
  const listener = await Listener.open(manager, '/changes')
  const writer = await beside.login('worker')
  await writer.create('log', activity('By another server'))
  expect(await turnsUntil(listener.hears(1))).toBeLessThan(turnsOf(1))
  await listener.close()
})
