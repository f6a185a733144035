import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { engineUnderTest, placeWithTables } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const past = 1_600_000_000

let farm: FarmUnderTest
let worker: Client
let other: Client

beforeAll(async () => {
  farm = await openFarm()
  worker = await farm.login('worker')
  other = await farm.login('worker')
})

const log = (fields: object = {}) => ({ name: 'Weeding', type: 'farm_activity', timestamp: past, ...fields })
const group = (fields: object = {}) => ({ name: 'Herd', type: 'group', ...fields })
const post = (path: string, body: object, more: object = {}) => ({ method: 'POST', path, body, ...more })
const statuses = ({ body }: { readonly body: Json }) => body.results.map((result: Json) => result.status)

/** What was made the first time is only told of the next. */
const asRepeated = (answer: string): string => answer.replaceAll('"status":201', '"status":200')

describe('a batch with a UUID of its own', () => {
  test('is carried out once, its changes have that id, and it is given its results again however late', async () => {
    farm.setClock(1_700_000_000)
    const uuid = randomUUID()
    const name = randomUUID()
    const operations = [post('/log', log({ name })), post('/farm_asset', group({ name }), { as: 'herd' })]
    const first = await worker.post('/batch', { uuid: uuid.toUpperCase(), operations })
    expect([first.status, first.headers.get('change-set'), statuses(first)]).toEqual([200, uuid, [201, 201]])
    farm.setClock(1_700_000_000 + 400 * 24 * 3600)
    await worker.delete(`/log/${first.body.results[0].id}`)
    const again = await worker.post('/batch', { operations, uuid })
    farm.setClock(null)
    expect([again.status, again.text]).toEqual([200, asRepeated(first.text)])
    expect(again.headers.get('change-set')).toBe(uuid)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await worker.ids(`/log.json?name=${name}`)).toEqual([])
    expect(await worker.ids(`/farm_asset.json?name=${name}`)).toHaveLength(1)
  })

  test('also where nothing of it could be done, or nothing was left to do', async () => {
    const uuid = randomUUID()
    const batch = { uuid, atomic: false, operations: [post('/log', { name: 'No type' }), post('/log', log())] }
    const first = await worker.post('/batch', batch)
    expect(statuses(first)).toEqual([422, 201])
    expect((await worker.post('/batch', batch)).text).toBe(asRepeated(first.text))
    const refused = { uuid: randomUUID(), operations: [post('/log', { name: 'No type' })] }
    expect((await worker.post('/batch', refused)).status).toBe(422)
    expect((await worker.post('/batch', { ...refused, operations: [post('/log', log())] })).status).toBe(200)
    const none = { uuid: randomUUID(), atomic: 0, operations: [post('/log', {})] }
    expect(statuses(await worker.post('/batch', none))).toEqual([422])
    expect((await worker.post('/batch', none)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('is known in XML, too, and in any order of its members', async () => {
    const uuid = randomUUID()
    const operations = [{ path: '/log', body: { timestamp: past, name: 'X', type: 'farm_activity' }, method: 'POST' }]
    const first = await worker.post('/batch', { operations, uuid })
    const body = `<batch><uuid>${uuid}</uuid><operations><item><method>POST</method><path>/log</path><body><name>X</name>
      <type>farm_activity</type><timestamp>${past}</timestamp></body></item></operations></batch>`
    const again = await worker.send('POST', '/batch', {
      headers: { 'content-type': 'application/xml', accept: 'application/json' },
      body,
    })
    expect([again.status, again.text]).toEqual([200, asRepeated(first.text)])
  })

  test('is refused as another batch, as another account’s, and under the id of other changes', async () => {
    const uuid = randomUUID()
    const operations = [post('/log', log())]
    const single = await worker.post('/log', log())
    await worker.post('/batch', { uuid, operations })
    const cases = [
      [await worker.post('/batch', { uuid, operations: [post('/log', log({ name: 'Other' }))] }), 'other changes'],
      [await worker.post('/batch', { uuid }), 'other changes'],
      [await worker.post('/batch', { uuid: single.headers.get('change-set'), operations }), 'other changes'],
      [await other.post('/batch', { uuid, operations }), 'another account'],
      [await other.post('/batch', { uuid: single.headers.get('change-set'), operations }), 'another account'],
    ] as const
    for (const [answer, why] of cases) {
      expect([answer.status, answer.body.type]).toEqual([409, 'urn:furrow:refusal:uuid-taken'])
      expect(answer.body.detail).toContain(why)
    }
    for (const bad of ['x', '00000000-0000-0000-0000-000000000000']) {
      const answer = await worker.post('/batch', { uuid: bad, operations })
      expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'uuid'])
    }
  })

  test('eight times at once, on two servers where there can be two, is carried out once', async () => {
    const place = await placeWithTables(engineUnderTest())
    const first = await openFarm({ place })
    const second = place.database === null ? first : await openFarm({ place })
    const authorization = `Bearer ${(await first.login('worker')).login.token}`
    const body = JSON.stringify({ uuid: randomUUID(), operations: [post('/log', log()), post('/log', log())] })
    const headers = { authorization, 'content-type': 'application/json' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, nth) =>
        (nth % 2 ? first : second).anonymous.send('POST', '/batch', { headers, body }),
      ),
    )
    expect(
      new Set(answers.map(({ status, body: { results } }) => `${status} ${results.map((one: Json) => one.id)}`)).size,
    ).toBe(1)
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true')).toHaveLength(7)
    await Promise.all([first.close(), second.close()])
  })
})

describe('the operations of a batch', () => {
  test('refer by UUID to what earlier ones have made, in bodies and in paths', async () => {
    const [herd, calf, move, gone] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const operations = [
      post('/farm_asset', group({ uuid: herd })),
      post('/farm_asset', group({ uuid: calf, parent: [{ uuid: herd.toUpperCase() }] })),
      post('/log', log({ uuid: move, asset: [{ uuid: herd }, { uuid: calf }] })),
      post('/log', log({ uuid: gone, asset: [{ uuid: calf }] })),
      { method: 'PUT', path: `/log/${move.toUpperCase()}.json`, body: { name: 'Moved', uuid: move } },
      { method: 'DELETE', path: `/log/${gone}` },
    ]
    const answer = await worker.post('/batch', { operations })
    expect(statuses(answer), answer.text).toEqual([201, 201, 201, 201, 200, 200])
    const [first, second] = answer.body.results
    expect(await worker.read(`/log/${move}.json`)).toMatchObject({
      name: 'Moved',
      asset: [{ id: first.id }, { id: second.id }],
    })
    expect((await worker.read(`/farm_asset/${calf}`)).parent).toMatchObject([{ id: first.id }])
    const unknown = { method: 'PUT', path: `/log/${randomUUID()}`, body: { name: 'X' } }
    expect((await worker.post('/batch', { operations: [unknown] })).status).toBe(404)
    const odd = { method: 'PUT', path: `/log/${'a'.repeat(36)}`, body: { name: 'X' } }
    expect((await worker.post('/batch', { operations: [odd] })).status).toBe(404)
  })

  test('count with 200 where they had been made before, beside new ones, and are refused by place where otherwise', async () => {
    const [one, two] = [randomUUID(), randomUUID()]
    const made = await worker.create('log', log({ uuid: one }))
    const creates = [post('/log', log()), post('/log', log({ uuid: one })), post('/log', log({ uuid: two }))]
    const answer = await worker.post('/batch', { operations: creates })
    expect(statuses(answer)).toEqual([201, 200, 201])
    expect(answer.body.results[1].id).toBe(made)
    expect(statuses(await worker.post('/batch', { operations: creates.slice(1) }))).toEqual([200, 200])
    const twice = randomUUID()
    const repeated = [post('/log', log({ uuid: twice })), post('/log', log({ uuid: twice }))]
    expect(statuses(await worker.post('/batch', { operations: repeated }))).toEqual([201, 200])
    const clash = randomUUID()
    const clashing = [post('/log', log({ uuid: clash })), post('/log', log({ uuid: clash, name: 'Other' }))]
    const nothing = await worker.post('/batch', { operations: clashing })
    expect([nothing.status, nothing.body.errors[0].field, nothing.body.id]).toEqual([409, 'operations[1]', undefined])
    const differing = [post('/log', log()), post('/log', log()), post('/log', log({ uuid: one, name: 'Other' }))]
    const refused = await worker.post('/batch', { operations: differing })
    expect([refused.status, refused.body.errors[0].field, refused.body.id]).toEqual([409, 'operations[2]', made])
    const each = await worker.post('/batch', { atomic: false, operations: differing })
    expect(statuses(each)).toEqual([201, 201, 409])
    expect(each.body.results[2].problem).toMatchObject({ id: made, type: 'urn:furrow:refusal:uuid-taken' })
    const faulty = [post('/log', log({ uuid: one })), post('/log', log({ uuid: randomUUID(), bogus: 1 }))]
    const faults = await worker.post('/batch', { operations: faulty })
    expect([faults.status, faults.body.errors[0].field]).toEqual([422, 'operations[1].body.bogus'])
  })

  test('take if_match: what has changed since is neither changed nor removed', async () => {
    const id = await worker.create('log', log())
    const { headers, body } = await worker.get(`/log/${id}.json?with=version`)
    const put = (if_match: unknown, name: string) => ({ method: 'PUT', path: `/log/${id}`, body: { name }, if_match })
    const run = (...operations: object[]) => worker.post('/batch', { operations })
    expect((await run(put(body.version, 'One'))).status).toBe(200)
    expect((await run(put(body.version, 'Two'))).status).toBe(412)
    expect((await run(put(headers.get('etag'), 'Two'))).status).toBe(412)
    expect((await run({ method: 'DELETE', path: `/log/${id}`, if_match: body.version })).status).toBe(412)
    const now = (await worker.read(`/log/${id}.json?with=version`)).version
    expect((await run(put([body.version, now], 'Three'))).status).toBe(200)
    expect((await run(put('*', 'Four'), put(`"${now}"`, 'Five'))).status).toBe(412)
    for (const bad of ['x', 5, [], [5], {}]) {
      const answer = await run(put(bad, 'X'))
      expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'operations[0].if_match'])
    }
    expect((await run({ ...post('/log', log()), if_match: now })).status).toBe(422)
    const last = (await worker.read(`/log/${id}.json?with=version`)).version
    expect((await run({ method: 'DELETE', path: `/log/${id}`, if_match: last })).status).toBe(200)
  })
})
