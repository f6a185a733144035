import { beforeAll, describe, expect, it } from 'vitest'
import { recordTypeNames } from '../../src/farm/fields-of.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { filledFields } from '../records/filled-fields.ts'
import { interfaceFarm, interfaceFields, resourceOf } from '../records/interface-types.ts'
import { type SampleFarm, sampleFarm } from '../records/sample-farm.ts'

const interfaceOfStock = interfaceFarm(stockFarm)

let client: Client
let sample: SampleFarm

beforeAll(async () => {
  const farm = await openFarm()
  client = await farm.login()
  sample = await sampleFarm(client, farm.base)
})

describe.each(recordTypeNames)('2 every field of a %s is read back as it was written', (type) => {
  const { bundles, bundleName } = interfaceOfStock.records[type]
  const resource = resourceOf[type]

  it.each(Object.keys(bundles))('reads every field of a %s back as it was written', async (bundle) => {
    const fields = interfaceFields(interfaceOfStock.records[type], bundle)
    const { [bundleName]: _, ...own } = fields
    const { sent, read } = filledFields(own, { farm: interfaceOfStock, sample, bundle })
    const onRequest = Object.keys(own).filter((name) => own[name]?.onRequest && !own[name]?.computed)
    const made = await client.post(`/${resource}?with=${onRequest}`, {
      ...sent,
      [bundleName]: sample.vids[bundle] ?? bundle,
    })
    expect(made, made.text).toMatchObject({ status: 201 })
    expect(made.body).toMatchObject(read)
    const address = `/${resource}/${made.body.id}.json`
    expect(await client.read(`${address}?with=${onRequest}`)).toMatchObject(read)
    const record = await client.read(address)
    const shown = Object.entries(fields)
      .filter(([, field]) => !field.onRequest)
      .map(([name]) => name)
    const added = type === 'term' ? ['id', 'url', 'parents_all'] : ['url']
    expect(Object.keys(record).toSorted()).toEqual([...new Set([...shown, ...added])].toSorted())
  })
})
