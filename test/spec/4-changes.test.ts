import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

let farm: FarmUnderTest
let manager: Client

beforeAll(async () => {
  farm = await openFarm()
  manager = await farm.login()
})

const cursorNow = async (): Promise<string> => (await manager.read('/changes')).next
const since = (cursor: string, more = ''): Promise<Json> => manager.read(`/changes?since=${cursor}${more}`)
const activity = (name: string) => ({ type: 'farm_activity', name, timestamp: 1_700_000_000 })

test('without since there is nothing but the cursor to begin from', async () => {
  const answer = await manager.read('/changes')
  expect(Object.keys(answer)).toEqual(['edition', 'catalogue', 'changes', 'next', 'more'])
  expect(answer).toMatchObject({ changes: [], more: false })
  expect(answer.next).toMatch(/^[\w.-]+$/)
})

test('an answer with nothing new has at most 300 bytes, and the same cursor again', async () => {
  const next = await cursorNow()
  const answer = await manager.get(`/changes?since=${next}`)
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(300)
  expect(answer.body).toMatchObject({ changes: [], next, more: false })
})

test('a record that was made is told with who, when, the set, and the record as lists show it', async () => {
  const cursor = await cursorNow()
  const made = await manager.post('/log', activity('Weeding'))
  const { changes, edition, next } = await since(cursor)
  const [listed] = (await manager.read(`/log.json?id=${made.body.id}`)).list
  expect(changes).toHaveLength(1)
  const [{ record, ...change }] = changes
  expect(change).toEqual({
    type: 'log',
    id: made.body.id,
    uuid: expect.stringMatching(/^[\da-f-]{36}$/),
    version: `1.${edition}`,
    verb: 'create',
    at: listed.created,
    uid: listed.uid.id,
    set: made.headers.get('change-set'),
  })
  expect(record).toEqual({ ...listed, uuid: change.uuid, version: change.version })
  expect((await since(next)).changes).toEqual([])
})

test('each record is once on a page, as it is now, with what became of it since the cursor', async () => {
  const kept = await manager.create('log', activity('Kept'))
  const cursor = await cursorNow()
  const made = await manager.create('log', activity('Made'))
  await manager.put(`/log/${kept}`, { name: 'Kept, and changed' })
  await manager.put(`/log/${made}`, { name: 'Made, and changed' })
  await manager.put(`/log/${kept}`, { name: 'Kept, and changed twice' })
  const { changes, edition } = await since(cursor)
  expect(changes.map(({ id, verb, version, record }: Json) => [id, verb, version, record.name])).toEqual([
    [made, 'create', `2.${edition}`, 'Made, and changed'],
    [kept, 'update', `3.${edition}`, 'Kept, and changed twice'],
  ])
})

test('a removal is told with the UUID and the revision that it was, and no record', async () => {
  const id = await manager.create('log', activity('Soon gone'))
  const [{ uuid }] = (await since('0')).changes.filter((change: Json) => change.type === 'log' && change.id === id)
  const cursor = await cursorNow()
  const removed = await manager.delete(`/log/${id}`)
  const { changes, edition } = await since(cursor)
  expect(changes).toEqual([
    {
      type: 'log',
      id,
      uuid,
      version: `2.${edition}`,
      verb: 'remove',
      at: expect.stringMatching(/^\d+$/),
      uid: expect.stringMatching(/^\d+$/),
      set: removed.headers.get('change-set'),
    },
  ])
})

test('what was made and removed since the cursor is told as removed', async () => {
  const cursor = await cursorNow()
  const id = await manager.create('log', activity('Short-lived'))
  await manager.delete(`/log/${id}`)
  expect((await since(cursor)).changes).toMatchObject([{ id, verb: 'remove' }])
})

test('pages of any length lead to the same last state of every record', async () => {
  const cursor = await cursorNow()
  const ids: string[] = []
  for (const name of ['A', 'B', 'C', 'D', 'E']) ids.push(await manager.create('log', activity(name)))
  for (const id of ids.slice(0, 3)) await manager.put(`/log/${id}`, { name: `${id} again` })
  await manager.delete(`/log/${ids[4]}`)
  const whole = await since(cursor)
  const lastOf = (changes: readonly Json[]) => new Map(changes.map((change) => [change.id, change.version]))
  for (const limit of [1, 2, 3, 4, 1000]) {
    const seen: Json[] = []
    let [next, more] = [cursor, true]
    while (more) {
      const page = await since(next, `&limit=${limit}`)
      expect(page.changes.length).toBeLessThanOrEqual(limit)
      seen.push(...page.changes)
      ;({ next, more } = page)
    }
    expect(lastOf(seen)).toEqual(lastOf(whole.changes))
    expect((await since(next)).changes).toEqual([])
  }
})

test('since=0 tells of everything, first terms included, and only of the type that is asked for', async () => {
  const { changes } = await since('0')
  expect(new Set(changes.map(({ type }: Json) => type))).toContain('taxonomy_term')
  const tractor = await manager.create('farm_asset', { type: 'equipment', name: 'Tractor' })
  const assets = await since('0', '&type=farm_asset')
  expect(assets.changes.map(({ type }: Json) => type)).toEqual(['farm_asset'])
  expect(assets).toMatchObject({ changes: [{ id: tractor }], more: false })
  expect((await since(assets.next)).changes).toEqual([])
})

test('records=0 leaves the records out', async () => {
  const cursor = await cursorNow()
  await manager.create('log', activity('Bare'))
  const [change] = (await since(cursor, '&records=0')).changes
  expect(Object.keys(change)).toEqual(['type', 'id', 'uuid', 'version', 'verb', 'at', 'uid', 'set'])
})

test('records are without what is computed, and show files as addresses', async () => {
  const cursor = await cursorNow()
  const area = await manager.create('taxonomy_term', { vocabulary: { id: await areas() }, name: 'North field' })
  const trailer = await manager.create('farm_asset', {
    type: 'equipment',
    name: 'Trailer',
    images: ['data:image/gif;base64,R0lGODlhAQABAAAAACw='],
  })
  await manager.create('log', {
    ...activity('Moved'),
    done: 1,
    asset: [{ id: trailer }],
    movement: { area: [{ id: area }] },
  })
  const { changes } = await since(cursor)
  const recordOf = (type: string) => changes.find((change: Json) => change.type === type).record
  expect(recordOf('farm_asset').images).toEqual([expect.stringMatching(/\/file\/\d+\//)])
  for (const computed of ['location', 'geometry', 'group', 'inventory'])
    expect(recordOf('farm_asset')).not.toHaveProperty(computed)
  expect(recordOf('taxonomy_term')).not.toHaveProperty('assets')
  expect(recordOf('taxonomy_term')).not.toHaveProperty('parents_all')
})

async function areas(): Promise<string> {
  const { list } = await manager.read('/taxonomy_vocabulary.json?machine_name=farm_areas')
  return list[0].vid
}

test('a term that is renamed is told of, and what refers to it is not', async () => {
  const log = await manager.create('log', { ...activity('Categorised'), log_category: [{ name: 'Fencing' }] })
  const { log_category } = await manager.read(`/log/${log}.json`)
  const cursor = await cursorNow()
  await manager.put(`/taxonomy_term/${log_category[0].id}`, { name: 'Fences' })
  expect((await since(cursor)).changes).toMatchObject([
    { type: 'taxonomy_term', verb: 'update', record: { name: 'Fences' } },
  ])
})

test('the changes of one request share their set, and a batch of which each counts for itself is seen as a whole', async () => {
  const cursor = await cursorNow()
  const operations = [
    { method: 'POST', path: '/log', body: activity('First of a batch') },
    { method: 'POST', path: '/log', body: { type: 'nothing' } },
    { method: 'POST', path: '/log', body: activity('Last of a batch') },
  ]
  const done = await manager.post('/batch', { atomic: false, operations })
  expect(done.body.results.map(({ status }: Json) => status)).toEqual([201, 422, 201])
  const { changes } = await since(cursor)
  const set = done.headers.get('change-set')
  expect(changes.map((change: Json) => [change.record.name, change.set])).toEqual([
    ['First of a batch', set],
    ['Last of a batch', set],
  ])
})

test('accounts and settings are not in it', async () => {
  const cursor = await cursorNow()
  await farm.login('viewer')
  expect((await since(cursor)).changes).toEqual([])
})

describe('a question that cannot be answered', () => {
  test.each(
    shareOfThisEngine([
      ['since=', 'since'],
      ['since=1', 'since'],
      ['since=nothing', 'since'],
      ['since=AAAAAAAA.zz', 'since'],
      ['since=AAAAAAAA.1.1.1.1', 'since'],
      ['since=AAAAAAAA.1.1.-1', 'since'],
      ['since=0&since=0', 'since'],
      ['since=0&limit=0', 'limit'],
      ['since=0&limit=1001', 'limit'],
      ['since=0&type=user', 'type'],
      ['since=0&type=asset', 'type'],
      ['since=0&records=2', 'records'],
      ['since=0&page=2', 'page'],
      ['since[gt]=0', 'since'],
    ]),
  )('%s is refused and names %s', async (query, field) => {
    const answer = await manager.get(`/changes?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].field).toBe(field)
  })

  test('a cursor of another farm is gone, and the answer says what to do', async () => {
    const cursor = await cursorNow()
    const elsewhere = cursor.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))
    const answer = await manager.get(`/changes?since=${elsewhere}`)
    expect(answer).toMatchObject({ status: 410, body: { type: 'urn:furrow:refusal:gone' } })
    expect(answer.body.detail).toMatch(/new cursor.*load everything again/)
  })

  test('a cursor whose last entry is another one here is gone', async () => {
    await manager.create('log', activity('Named by the cursor'))
    const cursor = await cursorNow()
    const [origin, sequence, mark = '', ...rest] = cursor.split('.')
    const other = (Number.parseInt(mark, 36) + 1).toString(36)
    const later = (Number.parseInt(sequence ?? '', 36) + 1).toString(36)
    expect((await manager.get(`/changes?since=${[origin, sequence, other, ...rest].join('.')}`)).status).toBe(410)
    expect((await manager.get(`/changes?since=${[origin, later, mark, ...rest].join('.')}`)).status).toBe(410)
  })
})

test('a page ends early where its records are large, and the next goes on', async () => {
  const cursor = await cursorNow()
  const data = '\n'.repeat(1_000_000)
  for (let count = 0; count < 12; count++) await manager.create('log', { ...activity(`Large ${count}`), data })
  const first = await since(cursor)
  expect(first.more).toBe(true)
  expect(first.changes.length).toBeGreaterThan(1)
  const second = await since(first.next)
  expect(second.more).toBe(false)
  expect([...first.changes, ...second.changes].map(({ record }) => record.name)).toEqual(
    Array.from({ length: 12 }, (_, count) => `Large ${count}`),
  )
})
