import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import type { Client } from '../harness/client.ts'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { turnsOf, turnsUntil } from '../harness/processor-time.ts'
import { rounds } from '../harness/rounds.ts'
import { Listener } from './listener.ts'

const logged = (client: Client, body: object = {}) =>
  client.create('log', { type: 'farm_activity', name: 'Heard of', timestamp: 1_700_000_000, ...body })

describe('a write that stays open elsewhere in the cluster', () => {
  test('delays no event by more than two seconds', async () => {
    const farm = await openFarm({ engine: 'postgres' })
    const manager = await farm.login()
    const open = new pg.Client({ connectionString: inject('postgres').url })
    await open.connect()
    await open.query('begin')
    await open.query('select pg_current_xact_id()')
    const listener = await Listener.open(manager, '/changes')
    let { next } = await manager.read('/changes')
    const until = performance.now() + rounds({ short: 3_000, long: 60_000 })
    let count = 0
    while (performance.now() < until) {
      const id = await logged(manager)
      count += 1
      expect(await turnsUntil(listener.hears(count))).toBeLessThan(turnsOf(2))
      const page = await manager.read(`/changes?since=${next}`)
      expect(page.changes).toMatchObject([{ id }])
      next = page.next
      await sleep(200)
    }
    expect(next.length).toBeLessThan(60)
    await open.query('rollback')
    await open.end()
    await listener.close()
  })

  test('is reported once it commits', async () => {
    const farm = await openFarm({ engine: 'postgres' })
    const manager = await farm.login()
    const id = await logged(manager)
    const { next } = await manager.read('/changes')
    const open = new pg.Client({ connectionString: farm.installation.settings.database ?? '' })
    await open.connect()
    await open.query('begin')
    await open.query(
      `insert into journal (at, uid, record_type, record_id, verb, after, revision, mark)
         select at, uid, record_type, record_id, 'update', after, 2, 5 from journal where record_type = 'log' and record_id = ${id}`,
    )
    const later = await logged(manager)
    const overtaken = await manager.read(`/changes?since=${next}&records=0`)
    expect(overtaken.changes).toMatchObject([{ id: later }])
    await open.query('commit')
    await open.end()
    const caughtUp = await manager.read(`/changes?since=${overtaken.next}&records=0`)
    expect(caughtUp.changes).toMatchObject([{ id, verb: 'update' }])
    expect((await manager.read(`/changes?since=${caughtUp.next}`)).changes).toEqual([])
  })
})

test.each(engines)('%s: many who listen from the same place are told by one reading', async (engine) => {
  let reads = 0
  const counting = (database: Database): Database => ({
    ...database,
    read: (work) => {
      reads += 1
      return database.read(work)
    },
  })
  const farm = await openFarm({ engine, around: counting })
  const clients = await Promise.all(Array.from({ length: 8 }, () => farm.login('viewer')))
  const manager = await farm.login()
  const listeners = await Promise.all(
    clients.flatMap((client) => Array.from({ length: 5 }, () => Listener.open(client, '/changes'))),
  )
  await sleep(500)
  reads = 0
  await logged(manager)
  for (const listener of listeners) await expect.poll(() => listener.changes.length).toBe(1)
  expect(reads).toBeLessThan(15)
  await Promise.all(listeners.map((listener) => listener.close()))
})

test('who does not take what they are told is told no more until they do, and holds up nobody', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  const { next } = await manager.read('/changes')
  for (let count = 0; count < 12; count++) await logged(manager, { data: 'x'.repeat(1_000_000) })
  const { hostname, port } = new URL(farm.base)
  const socket = connect(Number(port), hostname)
  const head = [
    `GET /changes?since=${next} HTTP/1.1`,
    `Host: ${hostname}`,
    'Accept: text/event-stream',
    `Authorization: Bearer ${manager.login.token}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.pause()
  await sleep(500)
  const brisk = await Listener.open(manager, `/changes?since=${next}`)
  await expect.poll(() => brisk.changes.length).toBe(12)
  const sent = () => farm.lines.filter((line) => line.includes('/changes')).length
  expect(sent()).toBe(1)
  let bytes = 0
  socket.on('data', (piece) => {
    bytes += piece.length
  })
  socket.resume()
  await expect.poll(() => bytes).toBeGreaterThan(12_000_000)
  socket.destroy()
  await brisk.close()
})

test('a comment comes every twenty seconds, and nothing cuts a stream off that is silent otherwise', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const listener = await Listener.open(await farm.login('viewer'), '/changes')
  const comments = expect.poll(() => listener.comments.length, { timeout: 240_000 }).toBe(rounds({ short: 1, long: 2 }))
  expect(await turnsUntil(comments)).toBeLessThan(turnsOf(rounds({ short: 21.5, long: 42 })))
  expect(listener.hasEnded).toBe(false)
  await listener.close()
})
