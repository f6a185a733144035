import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const log = (name: string, fields: object = {}) => ({
  method: 'POST',
  path: '/log',
  body: { name, type: 'farm_activity', timestamp: 1_600_000_000, ...fields },
})

describe('beside spec 4: many changes in one request', () => {
  let farm: FarmUnderTest
  let worker: Client

  beforeAll(async () => {
    farm = await openFarm()
    worker = await farm.login('worker')
  })

  const batch = (operations: Json[], rest: object = {}) => worker.post('/batch', { operations, ...rest })
  const count = async (name: string) => (await worker.ids(`/log.json?name=${name}`)).length

  test('creates, updates and removes in order, and answers in order', async () => {
    const old = await worker.create('log', log('Old').body)
    const answer = await batch([
      log('New'),
      { method: 'PUT', path: `/log/${old}`, body: { done: 1 } },
      { method: 'DELETE', path: `/log/${old}` },
    ])
    expect(answer.status).toBe(200)
    expect(answer.body.results.map(({ status, id }: Json) => [status, id])).toEqual([
      [201, expect.stringMatching(/^\d+$/)],
      [200, old],
      [200, old],
    ])
    expect(await count('New')).toBe(1)
    expect(await count('Old')).toBe(0)
  })

  test('later operations refer to what earlier ones create', async () => {
    const answer = await batch([
      { method: 'POST', path: '/taxonomy_term', body: { name: 'Orchard', vocabulary: 'farm_areas' }, as: 'orchard' },
      { method: 'POST', path: '/farm_asset', body: { name: 'Geese', type: 'group' }, as: 'geese' },
      log('Drive out', { done: 1, asset: [{ id: '$geese' }], movement: { area: [{ id: '$orchard' }] } }),
      { method: 'PUT', path: '/farm_asset/$geese', body: { flags: ['monitor'] } },
    ])
    expect(answer.status, answer.text).toBe(200)
    const [orchard, geese] = answer.body.results
    expect(await worker.read(`/farm_asset/${geese.id}.json`)).toMatchObject({
      flags: ['monitor'],
      location: [{ id: orchard.id, name: 'Orchard' }],
    })
  })

  test('all or nothing: one refusal takes everything back and says where it stood', async () => {
    const answer = await batch([log('Kept?'), log('Unfit', { done: 'perhaps', colour: 'red' })])
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map(({ field }: Json) => field)).toEqual([
      'operations[1].body.done',
      'operations[1].body.colour',
    ])
    expect(await count('Kept?')).toBe(0)
  })

  test('reports the refusal of the first operation if several are refused', async () => {
    const unknown = log('Of nobody', { asset: [{ id: 99_999 }] })
    const typeless = { method: 'POST', path: '/log', body: { name: 'Typeless' } }
    const crowd = Array.from({ length: 200 }, (_, n) => ({ id: 1 + n }))
    for (const [operations, at] of [
      [[log('Fine'), unknown, typeless, unknown], 'operations[1].body.asset[0]'],
      [[log('Fine'), typeless, unknown], 'operations[1].body.type'],
      [[log('Fine'), log('Fine', { done: 'perhaps' }), typeless], 'operations[1].body.done'],
      [[...Array.from({ length: 60 }, () => log('Fine')), unknown], 'operations[60].body.asset[0]'],
      [[unknown, log('Crowded', { asset: crowd, movement: { area: crowd } })], 'operations[0].body.asset[0]'],
    ] as const) {
      const answer = await batch([...operations])
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].field).toBe(at)
      expect(await count('Fine')).toBe(0)
    }
  })

  test('more new records than are written at once come in their order, each with what is its own', async () => {
    const names = Array.from({ length: 117 }, (_, n) => `Row ${n}`)
    const categories = (n: number) => [{ name: `Bed ${n % 40}` }, { name: ` bED ${(n + 1) % 40} ` }]
    const answer = await batch(names.map((name, n) => log(name, { log_category: categories(n), notes: `Of ${name}` })))
    expect(answer.status, answer.text).toBe(200)
    const ids: string[] = answer.body.results.map(({ id }: Json) => id)
    expect(new Set(ids).size).toBe(117)
    const terms = await worker.read('/taxonomy_term.json?vocabulary=farm_log_categories')
    expect(terms.list.filter(({ name }: Json) => /^\s*bed/i.test(name))).toHaveLength(40)
    for (const n of [0, 1, 49, 50, 99, 100, 116]) {
      const found = await worker.read(`/log/${ids[n]}.json`)
      expect(found).toMatchObject({ name: `Row ${n}`, notes: { value: `Of Row ${n}` } })
      expect(found.log_category.map(({ name }: Json) => name.trim().toLowerCase())).toEqual([
        `bed ${n % 40}`,
        `bed ${(n + 1) % 40}`,
      ])
      expect(await worker.ids(`/log.json?notes=Of%20Row%20${n}`)).toEqual([ids[n]])
    }
  })

  test('a term of the batch is known by its name to what comes after it', async () => {
    const term = (name: string, fields: object = {}) => ({
      method: 'POST',
      path: '/taxonomy_term',
      body: { name, vocabulary: 'farm_crops', ...fields },
    })
    const planting = {
      method: 'POST',
      path: '/farm_asset',
      body: { name: 'P', type: 'planting', crop: [{ name: 'quince' }] },
    }
    const answer = await batch([term('Pome'), term('Quince', { parent: [{ name: 'pome' }] }), planting, planting])
    expect(answer.status, answer.text).toBe(200)
    const [pome, quince, ...plantings] = answer.body.results.map(({ id }: Json) => id)
    expect(await worker.read(`/taxonomy_term/${quince}.json`)).toMatchObject({ parent: [{ id: pome }] })
    expect(plantings).toHaveLength(2)
    for (const id of plantings)
      expect(await worker.read(`/farm_asset/${id}.json`)).toMatchObject({ crop: [{ id: quince }] })
  })

  test('each on its own: what can be carried out is, and a refused one leaves nothing behind', async () => {
    const answer = await batch(
      [
        log('Before'),
        log('Between', { log_category: [{ name: 'Half made' }], asset: [{ id: 999 }] }),
        { method: 'DELETE', path: '/log/99999' },
        log('After'),
      ],
      { atomic: false },
    )
    expect(answer.status).toBe(200)
    expect(answer.body.results.map(({ status }: Json) => status)).toEqual([201, 422, 404, 201])
    expect(answer.body.results[1].problem.errors[0].field).toBe('asset[0]')
    expect([await count('Before'), await count('Between'), await count('After')]).toEqual([1, 0, 1])
    expect(await worker.ids('/taxonomy_term.json?name=Half%20made')).toEqual([])
  })

  test('what one log may not ask for, many in a batch may not either', async () => {
    const made = await batch([
      ...Array.from({ length: 50 }, (_, n) => ({
        method: 'POST',
        path: '/farm_asset',
        body: { name: `Hen ${n}`, type: 'group' },
      })),
      ...Array.from({ length: 60 }, (_, n) => ({
        method: 'POST',
        path: '/taxonomy_term',
        body: { name: `Run ${n}`, vocabulary: 'farm_areas' },
      })),
    ])
    const ids = made.body.results.map(({ id }: Json) => ({ id }))
    const moved = { done: 1, asset: ids.slice(0, 50), movement: { area: ids.slice(50) } }
    expect((await batch([log('One herd', moved)])).status).toBe(200)
    for (const atomic of [true, false]) {
      const answer = await batch([log('Two herds', moved), log('Two herds', moved)], { atomic })
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].field).toBe('operations[1]')
    }
    expect(await count('Two herds')).toBe(0)
  })

  test('logs with many assets can be changed together as long as nothing is put anywhere', async () => {
    const herd = await batch(
      Array.from({ length: 200 }, (_, n) => ({
        method: 'POST',
        path: '/farm_asset',
        body: { name: `Duck ${n}`, type: 'group' },
      })),
    )
    const ids = herd.body.results.map(({ id }: Json) => ({ id }))
    const moved = { done: 1, asset: ids, movement: { area: [{ name: 'Pond' }] } }
    const logs: string[] = []
    for (const count of [13, 13]) {
      const made = await batch(Array.from({ length: count }, () => log('Drive', moved)))
      expect(made.status, made.text).toBe(200)
      logs.push(...made.body.results.map(({ id }: Json) => id))
    }
    const change = (body: object) => batch(logs.map((id) => ({ method: 'PUT', path: `/log/${id}`, body })))
    expect((await change({ notes: 'Wet' })).status).toBe(200)
    expect((await change({ asset: ids.slice(1) })).status).toBe(200)
    expect((await change({ asset: ids.slice(1), timestamp: 1_600_000_000 })).status).toBe(200)
    const away = await change({ movement: { area: [{ name: 'Meadow' }] } })
    expect([away.status, away.body.errors[0].field]).toEqual([422, 'operations[25]'])
    const later = await change({ timestamp: 1_600_000_001 })
    expect([later.status, later.body.errors[0].field]).toEqual([422, 'operations[25]'])
  })

  test('a name that nothing has created is no id', async () => {
    const answer = await batch([log('Lost', { asset: [{ id: '$nobody' }] })])
    expect(answer.status).toBe(422)
    expect((await batch([{ method: 'PUT', path: '/log/$nobody', body: {} }])).status).toBe(404)
  })

  test('a name stands for the record it was given to, and not for others with the same number', async () => {
    const bystander = await worker.create('log', log('Bystander').body)
    const made: Json[] = []
    while (made.length === 0 || Number(made.at(-1).id) < Number(bystander)) {
      made.push(
        (await batch([{ method: 'POST', path: '/farm_asset', body: { name: 'Herd', type: 'group' } }])).body.results[0],
      )
    }
    const next = await worker.create('log', log('Same number').body)
    for (const method of ['PUT', 'DELETE']) {
      const operations = [
        { method: 'POST', path: '/farm_asset', body: { name: 'Flock', type: 'group' }, as: 'flock' },
        { method, path: '/log/$flock', body: { name: 'Taken for another' } },
      ]
      const answer = await batch(operations)
      expect([answer.status, answer.body.errors[0].field]).toEqual([404, 'operations[1]'])
      expect(answer.body.detail).toContain('$flock is asset')
    }
    expect((await worker.read(`/log/${next}.json`)).name).toBe('Same number')
  })

  test('a name in a body refers to the record it was given to, or is refused', async () => {
    const ground = {
      method: 'POST',
      path: '/taxonomy_term',
      body: { name: 'Ground', vocabulary: 'farm_areas' },
      as: 'ground',
    }
    const mistaken = await batch([ground, log('Mistaken', { asset: [{ id: '$ground' }] })])
    expect([mistaken.status, mistaken.body.errors[0].field]).toEqual([422, 'operations[1].body.asset[0].id'])
    expect(mistaken.body.errors[0].message).toMatch(/^"\$ground" is taxonomy_term \d+, and not a farm_asset$/)
    const right = await batch([
      ground,
      log('Right', { movement: { area: [{ id: '$ground' }] } }),
      { method: 'PUT', path: '/taxonomy_term/$ground', body: { id: '$ground', name: 'Ground again' } },
    ])
    expect(right.body.results.map(({ status }: Json) => status)).toEqual([201, 201, 200])
  })

  test('a text that is called id is kept as it was written, also if it is the name of a result', async () => {
    const answer = await batch([
      { method: 'POST', path: '/farm_asset', body: { name: 'Geese', type: 'group' }, as: 'geese' },
      {
        method: 'POST',
        path: '/farm_asset',
        body: { name: 'Goose', type: 'animal', animal_type: { name: 'Goose' }, tag: [{ id: '$geese', type: 'Other' }] },
        as: 'goose',
      },
      { method: 'PUT', path: '/farm_asset/$goose', body: { parent: [{ id: '$geese' }], tag: { id: '$goose' } } },
    ])
    expect(answer.status, answer.text).toBe(200)
    const [geese, goose] = answer.body.results
    expect(await worker.read(`/farm_asset/${goose.id}.json`)).toMatchObject({
      parent: [{ id: geese.id }],
      tag: [{ id: '$goose' }],
    })
    expect(await worker.ids('/farm_asset.json?tag[id]=$goose')).toEqual([goose.id])
  })

  test('a name is given once', async () => {
    const twice = { method: 'POST', path: '/farm_asset', body: { name: 'Herd', type: 'group' }, as: 'herd' }
    const answer = await batch([twice, twice])
    expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'operations[1].as'])
  })

  test('a removal that others stand in the way of names its operation', async () => {
    const answer = await batch([
      { method: 'POST', path: '/farm_asset', body: { name: 'Herd', type: 'group' }, as: 'herd' },
      log('Refers', { asset: [{ id: '$herd' }] }),
      { method: 'DELETE', path: '/farm_asset/$herd' },
    ])
    expect([answer.status, answer.body.errors[0].field]).toEqual([409, 'operations[2]'])
  })

  test('batches that change the same records in other orders do not stand in each other’s way', async () => {
    const ids: string[] = []
    for (let n = 0; n < 10; n += 1) ids.push(await worker.create('log', log('Shared').body))
    const changes = (order: readonly string[], name: string) =>
      batch(order.map((id) => ({ method: 'PUT', path: `/log/${id}`, body: { name } })))
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => changes(n % 2 === 0 ? ids : ids.toReversed(), `Change ${n}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200))
  })

  test('batches and single changes of the same assets all come through', async () => {
    const herds: string[] = []
    for (let n = 0; n < 6; n += 1) herds.push(await worker.create('farm_asset', { name: `Herd ${n}`, type: 'group' }))
    const movement = { area: [], geometry: 'POINT (1 2)' }
    const moves = (order: readonly string[]) =>
      order.map((id, n) => log('Moved', { timestamp: 1_600_000_000 + n, done: 1, asset: [{ id }], movement }))
    const single = (n: number) => {
      const asset = [{ id: herds[n % 6] }, { id: herds[(n + 1) % 6] }]
      return worker.post('/log', log('Moved', { done: 1, asset, movement }).body)
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 5 === 0 ? batch(moves(n % 2 === 0 ? herds : herds.toReversed())) : single(n),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n % 5 === 0 ? 200 : 201)))
  })

  test('a batch that is not one is refused with all its faults', async () => {
    const answer = await batch(
      [
        { method: 'POST', path: '/user' },
        { method: 'DELETE', path: '/log' },
        { method: 'POST', path: '/log', body: {}, as: 'a b', x: 1 },
      ],
      { atomic: 'perhaps', more: 1 },
    )
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map(({ field }: Json) => field)).toEqual([
      'more',
      'atomic',
      'operations[0].path',
      'operations[1].method',
      'operations[2].as',
      'operations[2].x',
    ])
    for (const body of [[], 'x', {}, { operations: [] }, { operations: Array(1001).fill(log('Many')) }]) {
      expect((await worker.post('/batch', body)).status).toBe(422)
    }
    expect(await count('Many')).toBe(0)
  })

  test('what an operation lacks is asked for by its name', async () => {
    const answer = await batch([
      'not an operation',
      { path: '/log', body: {} },
      { method: 'POST', path: '/log' },
      { method: 'PUT', path: '/log/1' },
    ])
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([
      { field: 'operations[0].path', message: 'is required' },
      { field: 'operations[1].method', message: 'is required', allowed: ['POST'] },
      { field: 'operations[2].body', message: 'is required' },
      { field: 'operations[3].body', message: 'is required' },
    ])
  })

  test('with an Idempotency-Key the whole batch is carried out once', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const body = JSON.stringify({ operations: [log('Batched'), log('Batched')] })
    const [first, second] = [
      await worker.send('POST', '/batch', { headers, body }),
      await worker.send('POST', '/batch', { headers, body }),
    ]
    expect(second.text).toBe(first.text)
    expect(await count('Batched')).toBe(2)
  })

  test('whoever may not write may not batch', async () => {
    const viewer = await farm.login('viewer')
    expect((await viewer.post('/batch', { operations: [log('Forbidden')] })).status).toBe(403)
    expect((await farm.anonymous.post('/batch', { operations: [log('Forbidden')] })).status).toBe(403)
    expect(await count('Forbidden')).toBe(0)
  })
})
