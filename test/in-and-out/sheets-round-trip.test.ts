import { beforeAll, describe, expect, test } from 'vitest'
import { recordTypeNames } from '../../src/farm/fields-of.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { filledFields } from '../records/filled-fields.ts'
import { interfaceFarm, interfaceFields, resourceOf } from '../records/interface-types.ts'
import { type SampleFarm, sampleFarm } from '../records/sample-farm.ts'
import { taken } from './sheet-client.ts'

const interfaceOfStock = interfaceFarm(stockFarm)
const forms = ['', '&head=label', '&refs=id', '&times=unix', '&sep=semicolon&bom=1', '&sep=tab&head=label']

let ada: Client
let sample: SampleFarm

beforeAll(async () => {
  const farm = await openFarm()
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'America/St_Johns'))
  ada = await farm.login('manager')
  sample = await sampleFarm(ada, farm.base)
})

const stateOf = async (): Promise<string> => (await ada.read('/changes')).next

/** Two cursors may differ without a change: on PostgreSQL they name the transactions that are open anywhere in the cluster. */
const changesSince = async (state: string): Promise<Json> => (await ada.read(`/changes?since=${state}`)).changes

/** Sends a list back as it was read. */
async function sentBack(list: string, resource: string, query = ''): Promise<Json> {
  const sheet = await ada.get(list)
  expect(sheet.status, sheet.text).toBe(200)
  return taken(ada, `/${resource}${query}`, sheet.text)
}

describe.each(recordTypeNames)('every field of a %s, sent back as it was read, changes nothing', (type) => {
  const { bundles, bundleName } = interfaceOfStock.records[type]
  const resource = resourceOf[type]

  test.each(shareOfThisEngine(Object.keys(bundles)))(
    'leaves %s unchanged when its sheet is sent back',
    async (bundle) => {
      const { [bundleName]: _, ...own } = interfaceFields(interfaceOfStock.records[type], bundle)
      const { sent } = filledFields(own, { farm: interfaceOfStock, sample, bundle })
      const body = { ...sent, [bundleName]: sample.vids[bundle] ?? bundle }
      await ada.create(resource, body)
      await ada.create(resource, { ...body, name: '=1+1' })
      await ada.create(resource, { ...body, name: "'＝1+1" })
      const before = await stateOf()
      for (const form of forms) {
        const outcome = await sentBack(`/${resource}.csv?bundle=${bundle}${form}`, resource)
        expect(
          outcome.rows.filter(({ result }: Json) => result !== 'unchanged'),
          form,
        ).toEqual([])
        expect(outcome.counts.unchanged).toBeGreaterThan(1)
      }
      expect(await changesSince(before)).toEqual([])
    },
  )
})

describe('a whole list', () => {
  test.each(shareOfThisEngine(['log', 'farm_asset', 'taxonomy_term'] as const))(
    'of %s of all types comes back unchanged',
    async (resource) => {
      const before = await stateOf()
      const outcome = await sentBack(`/${resource}.csv`, resource)
      expect(outcome.counts).toMatchObject({ created: 0, changed: 0, fault: 0 })
      expect(await changesSince(before)).toEqual([])
    },
  )

  test('with a row for each quantity comes back unchanged, and one that is changed there is changed', async () => {
    const quantity = [
      { measure: 'weight', value: '1.234', unit: { name: 'kg' }, label: 'a; b' },
      { measure: 'count', value: '3' },
      { label: 'only this' },
    ]
    const log = { name: 'Weighed', type: 'farm_harvest', timestamp: 1_600_000_000, quantity }
    const id = await ada.create('log', log)
    await ada.create('log', { ...log, quantity: [] })
    const list = '/log.csv?name=Weighed&rows=quantity'
    const before = await stateOf()
    expect((await sentBack(list, 'log', '?rows=quantity')).counts).toEqual({
      created: 0,
      changed: 0,
      unchanged: 2,
      fault: 0,
    })
    expect(await changesSince(before)).toEqual([])
    const { text } = await ada.get(list)
    const changed = await taken(ada, '/log?rows=quantity', text.replace(',count,3,', ',count,4.5,'))
    expect(changed.rows[0]).toMatchObject({ row: 2, to_row: 4, result: 'changed' })
    expect((await ada.read(`/log/${id}.json`)).quantity).toMatchObject([
      { measure: 'weight', value: '1.234', label: 'a; b' },
      { measure: 'count', value: '4.5' },
      { label: 'only this' },
    ])
  })

  test('goes into another farm as new records, and is the same there', async () => {
    const other = await openFarm()
    const eve = await other.login('manager')
    const sheet = await ada.get(
      '/taxonomy_term.csv?bundle=farm_areas&fields=name,vocabulary,area_type,geofield,description',
    )
    const outcome = await taken(eve, '/taxonomy_term', sheet.text)
    expect(outcome.counts.created).toBeGreaterThan(1)
    const again = await taken(eve, '/taxonomy_term?overwrite=1', sheet.text)
    expect(again.counts).toMatchObject({ created: 0, changed: 0, unchanged: outcome.counts.created })
    await other.close()
  })
})
