import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { journalOf, lastOfJournal } from '../records/rows.ts'

const now = 1_700_000_000
let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

const log = { name: 'L', type: 'farm_harvest', timestamp: '1000' }
const full = {
  ...log,
  done: '1',
  notes: 'Notes',
  flags: ['review'],
  lot_number: '7',
  log_category: [{ name: 'Tillage' }],
  quantity: [{ measure: 'count', value: '3' }],
  geofield: 'POINT (1 2)',
  data: 'data',
}

describe('4 an update changes what it names and nothing else', () => {
  it.each(
    shareOfThisEngine([
      [{ name: 'New' }, { name: 'New' }],
      [{ timestamp: 2000 }, { timestamp: '2000' }],
      [{ done: false }, { done: '0' }],
      [{ notes: { value: 'New', format: 'farm_format' } }, { notes: { value: 'New', format: 'farm_format' } }],
      [{ flags: ['priority', 'monitor'] }, { flags: ['priority', 'monitor'] }],
      [{ lot_number: '8' }, { lot_number: '8' }],
      [{ quantity: [{ value: '4' }] }, { quantity: [{ measure: null, value: '4', label: null }] }],
      [{ geofield: [{ geom: 'POINT (3 4)' }] }, { geofield: [{ geom: 'POINT (3 4)' }] }],
      [{ data: '' }, { data: '' }],
      [{ log_owner: [] }, { log_owner: [] }],
      [{}, {}],
    ]),
  )('changes only what %j names', async (change, changed) => {
    farm.setClock(now)
    const id = await client.create('log', full)
    const before = await client.read(`/log/${id}.json`)
    farm.setClock(now + 10)
    const { body } = await client.put(`/log/${id}`, change)
    const time = Object.keys(change).length === 0 ? String(now) : String(now + 10)
    expect(body).toEqual({ ...before, ...changed, changed: time })
    farm.setClock(null)
  })

  it.each(shareOfThisEngine(['notes', 'flags', 'lot_number', 'log_category', 'quantity', 'geofield', 'data']))(
    'null empties %s as if it had never been there',
    async (name) => {
      const [id, empty] = [await client.create('log', full), await client.create('log', log)]
      const { body } = await client.put(`/log/${id}`, { [name]: null })
      expect(body[name]).toEqual((await client.read(`/log/${empty}.json`))[name])
    },
  )

  it.each(shareOfThisEngine(['name', 'timestamp']))('but %s cannot be emptied', async (name) => {
    const id = await client.create('log', full)
    for (const value of [null, '', []]) {
      const answer = await client.put(`/log/${id}`, { [name]: value })
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toMatchObject([{ field: name }])
    }
  })

  it('cannot empty the crop of a planting', async () => {
    const id = await client.create('farm_asset', { name: 'P', type: 'planting', crop: [{ name: 'Leek' }] })
    expect((await client.put(`/farm_asset/${id}`, { crop: [] })).status).toBe(422)
    expect((await client.put(`/farm_asset/${id}`, { crop: [{ name: 'Kale' }] })).body.crop).toMatchObject([
      { name: 'Kale' },
    ])
  })
})

describe('4 what a record is stays', () => {
  it.each(
    shareOfThisEngine([
      [{ id: '999' }, 'id'],
      [{ id: 'x' }, 'id'],
      [{ type: 'farm_activity' }, 'type'],
      [{ type: '__proto__' }, 'type'],
    ]),
  )('%j is refused', async (change, field) => {
    const id = await client.create('log', log)
    const answer = await client.put(`/log/${id}`, { name: 'New', ...change })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field }])
    expect((await client.read(`/log/${id}.json`)).name).toBe('L')
  })

  it('the same id and type may be said again', async () => {
    const id = await client.create('log', log)
    for (const own of [id, Number(id), null, '']) {
      expect((await client.put(`/log/${id}`, { id: own, type: 'farm_harvest' })).status).toBe(200)
    }
  })

  it('a term keeps its number and vocabulary', async () => {
    const id = await client.create('taxonomy_term', { name: 'T', vocabulary: 'farm_crops' })
    const put = (change: Record<string, unknown>) => client.put(`/taxonomy_term/${id}`, change)
    expect((await put({ tid: '1' })).body.errors).toMatchObject([{ field: 'tid' }])
    expect((await put({ vocabulary: 'farm_areas' })).body.errors).toMatchObject([{ field: 'vocabulary' }])
    expect((await put({ tid: id, id, vocabulary: 'farm_crops', name: 'U' })).body.name).toBe('U')
  })
})

it('4 an update of what is not there is 404 and creates nothing', async () => {
  const before = await lastOfJournal(farm)
  const answer = await client.put('/log/999999', { log_category: [{ name: 'Never' }] })
  expect(answer.status).toBe(404)
  expect(await lastOfJournal(farm)).toBe(before)
})

it('4 two clients that change different fields at once both keep their change', async () => {
  const id = await client.create('log', log)
  for (let round = 0; round < 12; round += 1) {
    const changes = [
      { name: `name ${round}` },
      { notes: `notes ${round}` },
      { lot_number: `lot ${round}` },
      { flags: [`flag ${round}`] },
      { quantity: [{ label: `label ${round}` }] },
      { log_category: [{ name: `category ${round}` }] },
    ]
    const answers = await Promise.all(changes.map((change) => client.put(`/log/${id}`, change)))
    expect(answers.map((answer) => answer.status)).toEqual(changes.map(() => 200))
    expect(await client.read(`/log/${id}.json`)).toMatchObject({
      name: `name ${round}`,
      notes: { value: `notes ${round}` },
      lot_number: `lot ${round}`,
      flags: [`flag ${round}`],
      quantity: [{ label: `label ${round}` }],
      log_category: [{ name: `category ${round}` }],
    })
  }
})

it('4 every change is noted once, with who made it', async () => {
  const worker = await farm.login('worker')
  const [uid, workerId] = [(await client.read('/farm.json')).user.uid, (await worker.read('/farm.json')).user.uid]
  const id = await client.create('log', { ...log, uid: { id: workerId } })
  await worker.put(`/log/${id}`, { name: 'New' })
  await worker.put(`/log/${id}`, { name: 'New' })
  await client.delete(`/log/${id}`)
  const rows = (await journalOf(farm)).filter((row) => row.record_type === 'log' && row.record_id === Number(id))
  expect(rows.map((row) => `${row.verb} by ${row.uid}`)).toEqual([
    ...[`create by ${uid}`, `update by ${workerId}`, `remove by ${uid}`],
  ])
})
