import { beforeAll, describe, expect, it } from 'vitest'
import { blockAccount } from '../../src/access/accounts.ts'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { type SampleFarm, sampleFarm } from '../records/sample-farm.ts'

let farm: FarmUnderTest
let client: Client
let sample: SampleFarm

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  sample = await sampleFarm(client, farm.base)
})

const log = (more: Record<string, unknown>) => ({ name: 'L', type: 'farm_birth', timestamp: '1', ...more })

describe('2.2 a reference leads to what exists and is of the right kind', () => {
  it.each(
    shareOfThisEngine([
      ['equipment', () => [sample.assets.equipment], () => [sample.assets.animal], 'equipment[0]', ['equipment']],
      ['mother', () => sample.assets.animal, () => sample.assets.group, 'mother', ['animal']],
      ['area', () => [sample.terms.farm_areas?.[0]?.id], () => ['5'], 'area[0]', ['farm_areas']],
      [
        'log_category',
        () => ['5'],
        () => [sample.terms.farm_areas?.[0]?.id],
        'log_category[0]',
        ['farm_log_categories'],
      ],
      [
        'membership',
        () => ({ group: [sample.assets.group] }),
        () => ({ group: [sample.assets.sensor] }),
        'membership.group[0]',
        ['group'],
      ],
      [
        'quantity',
        () => [{ unit: sample.terms.farm_quantity_units?.[0]?.id }],
        () => [{ unit: '5' }],
        'quantity[0].unit',
        ['farm_quantity_units'],
      ],
    ]),
  )(
    'refuses in %s a reference to another kind, and names the allowed ones',
    async (name, right, wrong, field, allowed) => {
      expect((await client.post('/log', log({ [name]: right() }))).status).toBe(201)
      const answer = await client.post('/log', log({ [name]: wrong() }))
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toMatchObject([{ field, allowed }])
    },
  )

  it.each(
    shareOfThisEngine([
      ['asset', ['999999'], 'asset[0]'],
      ['equipment', ['999999'], 'equipment[0]'],
      ['log_owner', ['999999'], 'log_owner[0]'],
      ['log_category', [{ id: '999999' }], 'log_category[0]'],
      ['movement', { area: ['999999'] }, 'movement.area[0]'],
      ['inventory', [{ asset: '999999', value: '1' }], 'inventory[0].asset'],
      ['mother', { id: '999999' }, 'mother'],
    ]),
  )('%s %j leads nowhere', async (name, value, field) => {
    const answer = await client.post('/log', log({ [name]: value }))
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field, message: expect.stringContaining('999999') }])
  })
})

describe('2.1 a reference is written', () => {
  it.each(
    shareOfThisEngine([
      ['as {id} in digits', (id: string) => ({ id })],
      ['as {id} with a number', (id: string) => ({ id: Number(id) })],
      ['as digits', (id: string) => id],
      ['as a number', (id: string) => Number(id)],
      [
        'as it is read',
        (id: string) => ({ uri: 'https://elsewhere.example/x', id, resource: 'farm_asset', name: 'x' }),
      ],
    ]),
  )('%s, one or several', async (_form, spelled) => {
    const id = sample.assets.group ?? ''
    for (const asset of [[spelled(id)], spelled(id)]) {
      const { body } = await client.post('/log', log({ asset }))
      expect(body.asset).toEqual([{ uri: `${farm.base}/farm_asset/${id}`, id, resource: 'farm_asset' }])
    }
    const mother = sample.assets.animal ?? ''
    expect((await client.post('/log', log({ mother: spelled(mother) }))).body.mother.id).toBe(mother)
  })

  it.each(
    shareOfThisEngine([
      ...[
        { tid: '1' },
        { uri: 'http://x/farm_asset/1' },
        { id: { $gt: '' } },
        { id: [1] },
        'abc',
        '01',
        '1.0',
        1.5,
        -1,
        0,
      ],
      ...[true, '__proto__', { id: '9007199254740993' }, ' 1', [[1]]],
    ]),
  )('not as %j', async (reference) => {
    const answer = await client.post('/log', log({ asset: [reference] }))
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].field).toMatch(/^asset\[0\]/)
  })

  it.each(
    shareOfThisEngine([
      ['asset', [{}], 'asset[0]'],
      ['asset', {}, 'asset[0]'],
      ['asset', [{ resource: 'farm_asset' }], 'asset[0]'],
      ['asset', [{ colour: null }], 'asset[0]'],
      ['log_category', [{ id: '5' }, {}], 'log_category[1]'],
      ['log_owner', [{}], 'log_owner[0]'],
      ['mother', {}, 'mother'],
      ['mother', [{}], 'mother'],
      ['movement', { area: [{}] }, 'movement.area[0]'],
      ['membership', { group: {} }, 'membership.group[0]'],
      ['quantity', [{ value: '1', unit: {} }], 'quantity[0].unit'],
      ['inventory', [{ asset: {}, value: '1' }], 'inventory[0].asset'],
    ]),
  )('never as something that names nothing: %s %j', async (name, value, field) => {
    const count = async () => (await client.read('/log.json?full=0')).list.length
    const before = await count()
    const body = log({ [name]: value })
    for (const answer of [
      await client.post('/log', body),
      await client.post('/batch', { operations: [{ method: 'POST', path: '/log', body }] }),
    ]) {
      expect(answer.status, answer.text).toBe(422)
      expect(answer.body.errors).toHaveLength(1)
      expect(answer.body.errors[0].field.replace(/^operations\[0\]\.body\./, '')).toBe(field)
      expect(answer.body.errors[0].message).toContain('must name what it refers to: {"id": "12"}')
    }
    expect(await count()).toBe(before)
  })

  it.each([
    ...[null, '', [], [null], [''], [[]], { id: null }, [{ id: '' }, { id: null, resource: 'farm_asset' }]],
    ...[[{ tid: null }], [{ uid: '' }], [{ target_id: null }], [{ value: null }], [{ uri: '', name: null }]],
  ])('as none by an empty template: %j', async (asset) => {
    const answer = await client.post('/log', log({ asset, movement: {}, membership: {}, quantity: [{}], files: [{}] }))
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body).toMatchObject({ asset: [], quantity: [], files: [] })
  })

  it('an empty item in XML means none', async () => {
    const headers = { 'content-type': 'application/xml' }
    const items = '<item/><item></item><item nil="true"/><item resource="farm_asset"/><item id=""/>'
    const body = `<log><name>L</name><type>farm_birth</type><timestamp>1</timestamp><asset>${items}</asset><mother/></log>`
    const answer = await client.send('POST', '/log.json', { headers, body })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.asset).toEqual([])
  })

  it('a fault in a list counts every sent item, also empty ones', async () => {
    const { group = '' } = sample.assets
    const answer = await client.post(
      '/log',
      log({
        asset: ['', { id: null }, group, null, '999999'],
        log_owner: [[], 'nobody', '999998'],
        quantity: [{}, { measure: 'weight', unit: { id: '999997' } }],
        movement: { area: ['', { id: '999996' }] },
        files: ['', '/file/999995/x.txt'],
      }),
    )
    expect(answer.status, answer.text).toBe(422)
    expect(answer.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'asset[4]',
      'files[1]',
      'log_owner[1]',
      'log_owner[2]',
      'movement.area[1]',
      'quantity[1].unit',
    ])
  })

  it('several times as once, in the order in which it came first', async () => {
    const { group = '', sensor = '' } = sample.assets
    const { body } = await client.post('/log', log({ asset: [sensor, group, sensor] }))
    expect(body.asset.map((asset: { id: string }) => asset.id)).toEqual([sensor, group])
  })
})

it('2.2 a log is assigned to active users; who is blocked later stays on what he has', async () => {
  const worker = await farm.login('worker')
  const uid = (await worker.read('/farm.json')).user.uid
  const id = await client.create('log', log({ log_owner: [uid] }))
  await blockAccount(farm.installation, worker.login.name)
  expect((await client.post('/log', log({ log_owner: [uid] }))).body.errors).toMatchObject([{ field: 'log_owner[0]' }])
  const kept = await client.put(`/log/${id}`, { log_owner: [{ id: uid }], name: 'Renamed' })
  expect(kept.body).toMatchObject({ name: 'Renamed', log_owner: [{ id: uid }] })
})

it('4 terms that many create by name at the same moment, each in another order, are all created, once', async () => {
  const names = ['Hail', 'Frost', 'Drought', 'Flood', 'Wind', 'Snow']
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => {
      const turned = [...names.slice(n % 6), ...names.slice(0, n % 6)]
      return client.post('/log', log({ log_category: turned.map((name) => ({ name })) }))
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(201))
  for (const name of names) expect(await client.ids(`/taxonomy_term.json?name=${name}`)).toHaveLength(1)
})
