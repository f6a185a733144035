import { beforeAll, describe, expect, test } from 'vitest'
import { removeQuantityIn } from '../../src/records/quantities/writing.ts'
import { openRecords } from '../../src/records/records.ts'
import type { Client } from '../harness/client.ts'
import { engines, placeWithTables } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { FarmOfVerbs } from './verbs.ts'

describe.each(engines)('quantities, seen through the record interface on %s', (engine) => {
  let server: FarmUnderTest
  let farm: FarmOfVerbs
  let client: Client

  beforeAll(async () => {
    const place = await placeWithTables(engine)
    server = await openFarm({ engine, place })
    client = await server.login('manager')
    farm = new FarmOfVerbs(await openRecords(server.installation), place)
  })

  const remove = (id: number) => farm.change((work) => removeQuantityIn(work, { id }))

  test('it has no such type: neither addresses nor a word in /farm.json', async () => {
    await farm.quantity({ value: '1' })
    expect((await client.get('/quantity.json')).status).toBe(404)
    expect((await client.get('/quantity/1.json')).status).toBe(404)
    expect(Object.keys((await client.read('/farm.json')).resources)).not.toContain('quantity')
  })

  test('a log shows all that it has taken, and one that waits is in no log', async () => {
    const made = await farm.quantity({ measure: 'weight', value: '2.50', label: 'Sack' })
    const log = await farm.log({}, [made.uuid], 'farm_harvest')
    expect((await client.read(`/log/${log.id}.json`)).quantity).toMatchObject([
      { measure: 'weight', value: '2.50', label: 'Sack' },
    ])
  })

  test('the feed tells of those that are records of their own, without showing them', async () => {
    const { next: cursor } = await client.read('/changes')
    const made = await farm.quantity({ value: '1' })
    const log = await farm.log({}, [made.uuid])
    const told = await client.read(`/changes?since=${cursor}`)
    expect(told.changes).toMatchObject([
      { type: 'quantity', id: String(made.id), uuid: made.uuid, verb: 'create' },
      { type: 'log', id: String(log.id), verb: 'create', record: { id: String(log.id) } },
    ])
    expect(told.changes[0].record).toBeUndefined()
    const ofType = await client.read(`/changes?since=${cursor}&type=quantity`)
    expect(ofType.changes).toMatchObject([{ type: 'quantity', id: String(made.id) }])
  })

  test('of what is written through the record interface the feed tells no more than the log', async () => {
    const { next: cursor } = await client.read('/changes')
    const id = await client.create('log', {
      name: 'Weighed',
      type: 'farm_harvest',
      timestamp: 1_600_000_000,
      quantity: [{ value: '1' }, { value: '2' }],
    })
    await client.put(`/log/${id}`, { quantity: [{ value: '2' }] })
    await client.delete(`/log/${id}`)
    const told = await client.read(`/changes?since=${cursor}`)
    expect(told.changes.map(({ type }: { type: string }) => type)).not.toContain('quantity')
  })

  test('one that was deleted while it waited lies in the trash and is restored from there', async () => {
    const made = await farm.quantity({ value: '1', label: 'Back' })
    await remove(made.id)
    const [entry] = (await client.read('/trash.json?type=quantity')).list
    expect(entry).toMatchObject({ uuid: made.uuid, resource: 'quantity', type: 'standard', name: '' })
    expect((await client.read(`/trash/${made.uuid}`)).record).toMatchObject({ label: 'Back', value: '1' })
    expect((await client.post(`/trash/${made.uuid}/restore`, {})).status).toBe(200)
    expect(await farm.quantityNow(made)).toMatchObject({ values: { label: 'Back' } })
  })

  test('one that went with its log is not in the trash: the log is', async () => {
    const made = await farm.quantity({ value: '1' })
    const log = await farm.log({}, [made.uuid])
    await client.delete(`/log/${log.id}`)
    const uuids = (await client.read('/trash.json')).list.map(({ uuid }: { uuid: string }) => uuid)
    expect(uuids).toContain(log.uuid)
    expect(uuids).not.toContain(made.uuid)
    const answer = await client.post(`/trash/${made.uuid}/restore`, {})
    expect(answer).toMatchObject({ status: 409 })
    expect(answer.text).toContain('comes back with its log')
  })

  test('a set tells of them, and its undoing gives back what a log took', async () => {
    const made = await farm.quantity({ value: '1' })
    const log = await farm.log({}, [made.uuid])
    const set = await farm.lastSet()
    expect((await client.read(`/sets/${set}.json`)).counts).toEqual({ log: { create: 1 }, quantity: { update: 1 } })
    const undone = await client.post(`/changes/${set}/undo`, {})
    expect(undone.status, undone.text).toBe(200)
    expect(await farm.now(log)).toBeUndefined()
    expect(await farm.quantityNow(made)).toMatchObject({ log: null, values: { value: '1' } })
  })

  test('who adjusts an asset, or names a material, is named as a log only', async () => {
    const asset = await client.create('farm_asset', { name: 'Heap', type: 'compost' })
    const log = await client.create('log', {
      name: 'Turned',
      type: 'farm_input',
      timestamp: 1_600_000_000,
      inventory: [{ asset: { id: asset }, value: '5' }],
      material: [{ name: 'Manure' }],
    })
    const answer = await client.delete(`/farm_asset/${asset}`)
    expect(answer.status).toBe(409)
    expect(answer.text).toContain(`log ${log} still refers to it`)
    expect(answer.text).not.toContain('quantity')
  })
})
