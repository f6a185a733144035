import { beforeAll, describe, expect, it } from 'vitest'
import { faultsOfFarm } from '../../src/farm/farm-validation.ts'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Client, Json } from '../harness/client.ts'
import { bindAnew, type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { makeByVerb } from '../records/newer-values.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

const kale = { crop: [{ name: 'Kale' }] }

const assetTypes = async (): Promise<string[]> => Object.keys((await client.read('/farm.json')).resources.farm_asset)
const vocabularies = async (): Promise<string[]> =>
  (await client.read('/taxonomy_vocabulary.json')).list.map((one: Json) => one.machine_name)
const schemas = async (): Promise<string[]> =>
  Object.keys((await client.read('/openapi.json')).components.schemas as object)
const asked = (query: string) => client.get(`/farm_asset.json?${query}`)

describe('4 what only the newer generation has', () => {
  it('is not there as long as there is no record of it', async () => {
    expect(await assetTypes()).not.toContain('seed')
    expect(await vocabularies()).not.toContain('product_type')
    expect(await schemas()).not.toContain('farm_asset_seed')
    const refused = await client.post('/farm_asset', { name: 'S', type: 'seed', ...kale })
    expect(refused.status).toBe(422)
    expect(refused.body.errors[0]).toMatchObject({ field: 'type', message: 'there is no type "seed"' })
    expect(refused.body.errors[0].allowed).not.toContain('seed')
    const unknown = await asked('material_type=Straw')
    expect(unknown.status).toBe(400)
    expect(unknown.body.errors[0].allowed).not.toContain('material_type')
    const batch = { operations: [{ method: 'POST', path: '/farm_asset', body: { name: 'S', type: 'seed', ...kale } }] }
    expect((await client.post('/batch', batch)).status).toBe(422)
    const { vid } = (await client.read('/taxonomy_vocabulary.json?machine_name=farm_crops')).list[0]
    const strange = await client.post('/taxonomy_term', { name: 'Cheese', vocabulary: 'product_type' })
    expect(strange.status).toBe(422)
    expect(Number(vid)).toBeLessThan(10)
  })

  it('is linked, listed and can be made from its first record on', async () => {
    const crop = [{ ref: 'name', name: 'Kale' } as const]
    const first = await makeByVerb(farm, { type: 'asset', bundle: 'seed', drafts: { name: 'Own seed', crop } })
    expect(await assetTypes()).toContain('seed')
    expect((await client.read('/farm.json')).metrics.seed).toMatchObject({ value: '1' })
    expect(await schemas()).toContain('farm_asset_seed')
    const second = await client.create('farm_asset', { name: 'Bought seed', type: 'seed', ...kale })
    expect(await client.ids('/farm_asset.json?type=seed')).toEqual([first, second])
    expect(await client.ids('/farm_asset.json?crop=Kale')).toEqual([first, second])
    expect((await client.read(`/farm_asset/${first}.json`)).crop).toMatchObject([{ name: 'Kale' }])
    const operations = [{ method: 'POST', path: '/farm_asset', body: { name: 'Third', type: 'seed', ...kale } }]
    expect((await client.post('/batch', { operations })).status).toBe(200)
    const refused = await client.post('/farm_asset', { name: 'P', type: 'product' })
    expect(refused.body.errors[0].allowed).toContain('seed')
    expect(refused.body.errors[0].allowed).not.toContain('product')
  })

  it('is asked for by its own fields from its first record on', async () => {
    const drafts = { name: 'Straw', material_type: { ref: 'name', name: 'Straw' } as const }
    const id = await makeByVerb(farm, { type: 'asset', bundle: 'material', drafts })
    const answer = await asked('material_type=Straw')
    expect(answer.body.list.map((one: Json) => one.id)).toEqual([id])
  })

  it('has a vocabulary, with the last number, from its first term on', async () => {
    const term = await makeByVerb(farm, { type: 'term', bundle: 'product_type', drafts: { name: 'Cheese' } })
    expect(await vocabularies()).toContain('product_type')
    const { vid } = (await client.read('/taxonomy_vocabulary.json?machine_name=product_type')).list[0]
    expect(Number(vid)).toBeGreaterThan(9)
    expect((await client.read(`/taxonomy_term/${term}.json`)).vocabulary.id).toBe(vid)
    const made = await client.create('taxonomy_term', { name: 'Wine', vocabulary: vid })
    expect(await client.ids('/taxonomy_term.json?bundle=product_type')).toEqual([term, made])
  })

  it('is gone again with its last record', async () => {
    for (const id of await client.ids('/farm_asset.json?type=seed')) await client.delete(`/farm_asset/${id}`)
    expect(await assetTypes()).not.toContain('seed')
    expect((await client.post('/farm_asset', { name: 'S', type: 'seed', ...kale })).status).toBe(422)
  })
})

describe('4 sales and purchases', () => {
  const sold = { name: 'Sold 12 lambs', type: 'farm_sale', timestamp: 1_600_000_000, done: 1 }
  const papers = { customer: 'Huber', invoice_number: '2026-17', lot_number: 'L4' }
  const logTypes = async () => Object.keys((await client.read('/farm.json')).resources.log)

  it('leave the bytes of the record interface alone until there is one', async () => {
    const info = (await client.get('/farm.json')).text
    expect(info).not.toMatch(/farm_sale|farm_purchase|customer|seller/)
    expect(await schemas()).not.toContain('log_farm_sale')
    const refused = await client.post('/log', { ...sold, ...papers })
    expect(refused.status).toBe(422)
    expect(refused.body.errors[0].allowed).not.toContain('farm_sale')
    expect((await client.get('/log.json?customer=Huber')).status).toBe(400)
    expect((await client.get('/farm.json')).text).toBe(info)
  })

  it('begin with a batch, which is not part of that interface, or with /api', async () => {
    const operations = [{ method: 'POST', path: '/log', body: { ...sold, ...papers } }]
    const { results } = (await client.post('/batch', { operations })).body
    expect(results[0]).toMatchObject({ status: 201, resource: 'log' })
    await bindAnew(farm)
    expect(await schemas()).toContain('log_farm_sale')
    expect(await logTypes()).toContain('farm_sale')
    expect(await client.read(`/log/${results[0].id}.json`)).toMatchObject(papers)
    expect(await logTypes()).not.toContain('farm_purchase')
    const again = await client.create('log', { ...sold, customer: 'Meier' })
    expect(await client.ids('/log.json?customer=Meier')).toEqual([again])
    await makeByVerb(farm, {
      type: 'log',
      bundle: 'farm_purchase',
      drafts: { name: 'Hay', timestamp: 1, seller: 'Wolf' },
    })
    expect(await schemas()).toContain('log_farm_purchase')
    expect(await client.ids('/log.json?seller=Wolf')).toHaveLength(1)
  })

  it('are what a module says where it has them, or uses their words for something else', () => {
    const own = kit.withLogType(stockFarm, 'farm_sale', {
      label: 'Market day',
      plural: 'Market days',
      fields: { ...kit.standardLogFields, customer: kit.termsOf('Customer', 'farm_crops') },
    })
    const everywhere = kit.withLogFields(stockFarm, { seller: kit.yesNo('Seller') })
    for (const larger of [own, everywhere]) expect(faultsOfFarm(larger)).toEqual([])
    expect(own.records.log.bundles.farm_sale?.label).toBe('Market day')
    expect(everywhere.records.log.bundles.farm_purchase?.fields.seller?.label).toBe('Seller')
    const elsewhere = kit.withLogFields(stockFarm, { customer: kit.whole('Customers') }, ['farm_harvest'])
    expect(faultsOfFarm(elsewhere)).toEqual([])
    expect(elsewhere.records.log.bundles.farm_sale?.fields).not.toHaveProperty('customer')
  })
})
