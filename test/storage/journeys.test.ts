import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Answer, Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const { query } = pg.Client.prototype
const statements: string[] = []
const underWay = new WeakMap<pg.Client, number>()
let journeys = 0

/** So far away is the database. What is sent meanwhile shares the journey. */
const farMilliseconds = 20

/** Notes what the driver is handed, hands it on as it is, and keeps its answer for a while. */
function noting(this: pg.Client, ...args: readonly unknown[]): unknown {
  const [given] = args
  const text = typeof given === 'string' ? given : (given as { readonly text?: string }).text
  const answered: unknown = Reflect.apply(query, this, args)
  // Nobody waits for a notice after the commit; a new connection is set up once, and asked which server leads.
  if (
    text === undefined ||
    /^(?:notify |select (?:set_config|system_identifier))/.test(text) ||
    !(answered instanceof Promise)
  )
    return answered
  statements.push(text.replace(/\s+/g, ' ').replaceAll('"', ''))
  const before = underWay.get(this) ?? 0
  underWay.set(this, before + 1)
  if (before === 0) journeys += 1
  return answered.finally(async () => {
    await sleep(farMilliseconds)
    underWay.set(this, (underWay.get(this) ?? 1) - 1)
  })
}

/** What a statement does to which tables, in the order in which they are named. */
function gist(statement: string): string {
  const tables = [...statement.matchAll(/\b(insert into|from|update) ([a-z_]+)/g)].map(([, verb, table]) =>
    verb === 'insert into' ? `insert ${table}` : table,
  )
  const lock = statement.includes('advisory') ? ['lock'] : []
  const named = [...lock, ...tables.filter((table) => !/^(unnest|pg_)/.test(String(table)))].join(', ')
  return /^(start|commit)/.exec(statement)?.[0] ?? named
}

const waiting = { timeout: 30_000, interval: 0 }

const log = (fields: object = {}) => ({ name: 'Weeding', type: 'farm_activity', timestamp: 1_600_000_000, ...fields })

describe('journeys to PostgreSQL', () => {
  let farm: FarmUnderTest
  let worker: Client
  let animal: string

  beforeAll(async () => {
    farm = await openFarm({ engine: 'postgres' })
    worker = await farm.login('worker')
    animal = await worker.create('farm_asset', { name: 'Rosa', type: 'animal', animal_type: [{ name: 'Cow' }] })
    pg.Client.prototype.query = noting as typeof query
  })

  afterAll(() => {
    pg.Client.prototype.query = query
  })

  const counted = async (work: () => Promise<Answer>, status: number) => {
    // The end of an earlier read is sent after its answer.
    await sleep(2 * farMilliseconds)
    statements.length = 0
    journeys = 0
    const answer = await work()
    expect(answer.status, answer.text).toBe(status)
    return { statements: statements.map(gist), journeys, answer }
  }

  const asked = async (work: () => Promise<Answer>, status: number) => (await counted(work, status)).statements

  /** Tried until the processor is there in time to send together what goes together. */
  const takes = (most: number, work: () => Promise<Answer>, status: number) =>
    vi.waitFor(async () => expect((await counted(work, status)).journeys).toBeLessThanOrEqual(most), waiting)

  const term = (name: string, vocabulary: string) => worker.create('taxonomy_term', { name, vocabulary })

  const posted = (body: object, status = 201) => asked(() => worker.post('/log', body), status)

  /** Tried until no other database of the server is written to meanwhile: its transactions count as changes. */
  const unchanged = (work: () => Promise<Answer>, times = 1) =>
    vi.waitFor(async () => {
      const { statements } = await counted(work, times === 1 ? 200 : 304)
      expect(statements).toEqual(Array(times).fill(who))
    }, waiting)

  const who = 'access_token'
  const beginning = ['start', 'lock, edition', 'account']
  const following = 'insert identity, insert reference, insert facet, insert journal'
  const end = ['insert change_set', 'commit']

  test.each([
    ['one log', '/log/1.json', 4],
    ['a page of logs', '/log.json', 6],
    ['a page of animals', '/farm_asset.json?type=animal', 8],
    ['/farm.json', '/farm.json', 3],
    ['a page of /api', '/api/log/activity', 12],
  ])('%s that did not change is one journey of one statement', async (_, path, afterChange) => {
    const changed = async () => {
      await worker.create('log', log())
      return worker.get(path)
    }
    await takes(4 + afterChange, changed, 200)
    await unchanged(() => worker.get(path))
  })

  test('a page that the client already has is one journey of one statement', async () => {
    await unchanged(async () => {
      const tag = (await worker.get('/log.json')).headers.get('etag') ?? ''
      await worker.get('/log.json', { 'if-none-match': tag })
      return worker.get('/log.json', { 'if-none-match': tag })
    }, 3)
  })

  test('requests that come together share the question for their tokens', async () => {
    await worker.get('/farm.json')
    const many = async () => (await Promise.all(Array.from({ length: 8 }, () => worker.get('/farm.json'))))[0] as Answer
    // On a busy machine they may come one by one.
    await expect.poll(async () => (await asked(many, 200)).length, { timeout: 30_000 }).toBeLessThan(8)
  })

  test('a plain log is four journeys: caller, beginning, row, all the rest', async () => {
    await worker.post('/log', log())
    const plain = [who, ...beginning, 'insert log', following, ...end]
    expect(await posted(log({ notes: 'Dry' }))).toEqual(plain)
    expect(await posted(log({ flags: ['monitor'] }))).toEqual(plain)
    await takes(4, () => worker.post('/log', log()), 201)
  })

  test('quantities add no statement to a log', async () => {
    const numbered = ['insert log, generate_series', `${following}, insert quantity`]
    const expected = [who, ...beginning, ...numbered, ...end]
    expect(await posted(log({ quantity: [{ value: 1 }, { value: 2 }], flags: ['monitor'] }))).toEqual(expected)
  })

  test('a UUID adds two statements: the lock, and the record that has it', async () => {
    const body = log({ uuid: randomUUID() })
    const found = ['lock', 'identity']
    expect(await posted(body)).toEqual([who, ...beginning, ...found, 'insert log', following, ...end])
    expect(await posted(body, 200)).toEqual([who, ...beginning, ...found, 'log', 'journal', 'edition', 'commit'])
  })

  test('references by UUID add one statement, however many they are', async () => {
    const uuids = [randomUUID(), randomUUID(), randomUUID()]
    const ids = []
    for (const uuid of uuids) ids.push(await worker.create('farm_asset', { name: 'Herd', type: 'group', uuid }))
    const byId = await posted(log({ asset: ids.map((id) => ({ id })) }))
    const byUuid = await posted(log({ asset: uuids.map((uuid) => ({ uuid })) }))
    expect(byUuid).toEqual([...byId.slice(0, 4), 'identity', ...byId.slice(4)])
  })

  test('a log that moves an animal and counts is six journeys', async () => {
    const [area, unit] = [await term('North', 'farm_areas'), await term('kg', 'farm_quantity_units')]
    const body = () =>
      log({
        done: 1,
        asset: [{ id: animal }],
        area: [{ id: area }],
        movement: { area: [{ id: area }] },
        quantity: [{ value: 1, unit: { id: unit } }],
      })
    await takes(6, () => worker.post('/log', body()), 201)
  })

  test('a change of a log is three journeys', async () => {
    const id = await worker.create('log', log({ asset: [{ id: animal }] }))
    let times = 0
    const change = () => worker.put(`/log/${id}`, { notes: `Wet ${++times}` })
    await change()
    const written = ['facet', 'insert facet', 'insert journal']
    expect(await asked(change, 200)).toEqual([who, ...beginning, 'log', 'log', ...written, ...end])
    await takes(3, change, 200)
  })

  test('a batch of a hundred logs is eight journeys', async () => {
    const operations = Array.from({ length: 100 }, () => ({ method: 'POST', path: '/log', body: log() }))
    const batch = () => worker.post('/batch', { operations })
    await takes(8, batch, 200)
  })

  test('a refreshed token is seven journeys', async () => {
    const token = (fields: Record<string, string>) =>
      fetch(`${farm.base}/oauth/token`, { method: 'POST', body: new URLSearchParams({ client_id: 'farm', ...fields }) })
    const { name: username, password } = worker.login
    const first = await token({ grant_type: 'password', username, password, scope: 'user_access' })
    let { refresh_token } = (await first.json()) as { refresh_token: string }
    const refresh = async (): Promise<Answer> => {
      const answer = await token({ grant_type: 'refresh_token', refresh_token })
      const body = (await answer.json()) as { refresh_token: string }
      refresh_token = body.refresh_token
      return { status: answer.status, headers: answer.headers, text: '', body }
    }
    await takes(7, refresh, 200)
  })

  test('in the newer generation: one log, a new log, a quantity, and the log that takes it', async () => {
    const post = async (type: string, attributes: object, relationships: object = {}) => {
      const data = { type, attributes, relationships }
      const { answer, ...counts } = await counted(() => worker.post(`/api/${type.replace('--', '/')}`, { data }), 201)
      return { ...counts, data: { type, id: answer.body.data.id as string } }
    }
    const { data: unit } = await post('taxonomy_term--unit', { name: 'kg' })
    const { data: asset } = await post('asset--equipment', { name: 'Plough' })
    const { data: location } = await post('asset--land', { name: 'North', land_type: 'field' })
    const plain = await post('log--activity', { name: 'Weeding', timestamp: '2025-01-01T00:00:00+00:00' })
    expect(plain.statements).toEqual([who, ...beginning, 'insert log', following, 'account', ...end])
    await unchanged(() => worker.get(`/api/log/activity/${plain.data.id}`))
    const quantity = await post('quantity--standard', { value: { decimal: '1.5' } }, { units: { data: unit } })
    expect(quantity.statements).toHaveLength(13)
    const taking = async () => {
      const { data } = await post('quantity--standard', { value: { decimal: '1.5' } }, { units: { data: unit } })
      return post(
        'log--harvest',
        { name: 'Moved', timestamp: '2025-01-01T00:00:00+00:00', status: 'done', is_movement: true },
        { asset: { data: [asset] }, location: { data: [location] }, quantity: { data: [data] } },
      )
    }
    expect((await taking()).statements).toHaveLength(30)
    await vi.waitFor(async () => expect((await taking()).journeys).toBeLessThanOrEqual(12), waiting)
  })
})
