import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const statements: string[] = []
const { query } = pg.Client.prototype

/** Notes what the driver is handed, and hands it on as it is. */
function noting(this: pg.Client, ...args: readonly unknown[]): unknown {
  const [given] = args
  const text = typeof given === 'string' ? given : (given as { readonly text?: string }).text
  if (text !== undefined) statements.push(text.replace(/\s+/g, ' ').replaceAll('"', ''))
  return Reflect.apply(query, this, args)
}

/** What a statement does to which tables, in the order in which they are named. */
function gist(statement: string): string {
  const tables = [...statement.matchAll(/\b(insert into|from|update) ([a-z_]+)/g)].map(([, verb, table]) =>
    verb === 'insert into' ? `insert ${table}` : table,
  )
  const lock = statement.includes('advisory') ? ['lock'] : []
  const named = [...lock, ...tables.filter((table) => table !== 'unnest')].join(', ')
  return /^(start|commit)/.exec(statement)?.[0] ?? named
}

describe('what a POST asks of PostgreSQL', () => {
  let farm: FarmUnderTest
  let worker: Client

  beforeAll(async () => {
    farm = await openFarm({ engine: 'postgres' })
    worker = await farm.login('worker')
    pg.Client.prototype.query = noting as typeof query
  })

  afterAll(() => {
    pg.Client.prototype.query = query
  })

  const asked = async (body: object, status: number): Promise<readonly string[]> => {
    statements.length = 0
    const answer = await worker.post('/log', body)
    expect(answer.status, answer.text).toBe(status)
    // Listeners are told after the commit, and nobody waits for it.
    return statements.filter((statement) => !statement.startsWith('notify ')).map(gist)
  }

  const log = (fields: object = {}) => ({ name: 'Weeding', type: 'farm_activity', timestamp: 1_600_000_000, ...fields })
  const who = 'access_token'
  const beginning = ['start', 'lock, edition', 'account']
  const following = 'insert identity, insert reference, insert facet, insert journal'

  test('of a plain log: nine statements, a journey each', async () => {
    await worker.post('/log', log())
    const plain = [who, ...beginning, 'insert log', following, 'edition', 'insert change_set', 'commit']
    expect(await asked(log({ notes: 'Dry' }), 201)).toEqual(plain)
    expect(await asked(log({ flags: ['monitor'] }), 201)).toEqual(plain)
  })

  test('of one with quantities: nine as well, which also give each its number and keep its row', async () => {
    const numbered = ['insert log, generate_series', `${following}, insert quantity`]
    const expected = [who, ...beginning, ...numbered, 'edition', 'insert change_set', 'commit']
    expect(await asked(log({ quantity: [{ value: 1 }, { value: 2 }], flags: ['monitor'] }), 201)).toEqual(expected)
  })

  test('of one with a UUID: two more, for the lock and for what is there', async () => {
    const body = log({ uuid: randomUUID() })
    const found = ['lock', 'identity']
    const kept = ['insert log', following, 'edition', 'insert change_set', 'commit']
    expect(await asked(body, 201)).toEqual([who, ...beginning, ...found, ...kept])
    expect(await asked(body, 200)).toEqual([who, ...beginning, ...found, 'log', 'journal', 'edition', 'commit'])
  })

  test('of references by UUID: one more than by id, however many they are', async () => {
    const uuids = [randomUUID(), randomUUID(), randomUUID()]
    const ids = []
    for (const uuid of uuids) ids.push(await worker.create('farm_asset', { name: 'Herd', type: 'group', uuid }))
    const byId = await asked(log({ asset: ids.map((id) => ({ id })) }), 201)
    const byUuid = await asked(log({ asset: uuids.map((uuid) => ({ uuid })) }), 201)
    expect(byUuid).toEqual([...byId.slice(0, 4), 'identity', ...byId.slice(4)])
  })

  test('of a quantity and the log that takes it, in the newer generation: fifteen and thirty-four', async () => {
    const posted = async (type: string, attributes: object, relationships: object = {}) => {
      statements.length = 0
      const answer = await worker.post(`/api/${type.replace('--', '/')}`, { data: { type, attributes, relationships } })
      expect(answer.status, answer.text).toBe(201)
      const asked = statements.filter((statement) => !statement.startsWith('notify '))
      return { asked, data: { type, id: answer.body.data.id } }
    }
    const { data: unit } = await posted('taxonomy_term--unit', { name: 'kg' })
    const { data: asset } = await posted('asset--equipment', { name: 'Plough' })
    const { data: location } = await posted('asset--land', { name: 'North', land_type: 'field' })
    const quantity = await posted('quantity--standard', { value: { decimal: '1.5' } }, { units: { data: unit } })
    expect(quantity.asked).toHaveLength(15)
    const taking = await posted(
      'log--harvest',
      { name: 'Moved', timestamp: '2025-01-01T00:00:00+00:00', status: 'done', is_movement: true },
      { asset: { data: [asset] }, location: { data: [location] }, quantity: { data: [quantity.data] } },
    )
    expect(taking.asked).toHaveLength(34)
  })
})
