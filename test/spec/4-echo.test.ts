import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RecordTypeName } from '../../src/farm/farm.ts'
import { recordTypeNames } from '../../src/farm/fields-of.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { anyFields } from '../records/any-fields.ts'
import { interfaceFarm, interfaceFields, resourceOf } from '../records/interface-types.ts'
import { lastOfJournal, revisionOf } from '../records/rows.ts'
import { type SampleFarm, sampleFarm } from '../records/sample-farm.ts'

const interfaceOfStock = interfaceFarm(stockFarm)

let farm: FarmUnderTest
let client: Client
let sample: SampleFarm

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  sample = await sampleFarm(client, farm.base)
  // An asset with a location, a group and an inventory, so that computed fields are echoed too.
  const done = { type: 'farm_activity', timestamp: '1000', done: '1' }
  const { group, ...others } = sample.assets
  await client.create('log', {
    ...done,
    name: 'Move',
    asset: Object.values(sample.assets),
    movement: { area: [{ id: sample.terms.farm_areas?.[0]?.id }], geometry: 'POINT (1 2)' },
    inventory: [{ asset: sample.assets.planting, value: '5' }],
  })
  await client.create('log', {
    ...done,
    name: 'Gather',
    asset: Object.values(others),
    membership: { group: [{ id: group }] },
  })
})

const onRequest = { log: '', asset: '&with=group,inventory,members', term: '', quantity: '' }

/** Every form in which a read gives a record. */
async function everyReading(type: RecordTypeName, id: string): Promise<readonly Json[]> {
  const more = onRequest[type]
  const one = (query: string) => client.read(`/${resourceOf[type]}/${id}.json?${query}`)
  const ofList = async (query: string) => (await client.read(`/${resourceOf[type]}.json?id=${id}&${query}`)).list[0]
  return [
    await one(''),
    await one(`files=link${more}`),
    await one(`files=inline${more}`),
    await ofList(''),
    await ofList(`files=inline${more}`),
  ]
}

const stateOf = async (type: RecordTypeName, id: string) => ({
  record: await client.read(`/${resourceOf[type]}/${id}.json`),
  revision: await revisionOf(farm, type, id),
  journal: await lastOfJournal(farm),
})

async function expectEchoesToChangeNothing(type: RecordTypeName, id: string): Promise<void> {
  const before = await stateOf(type, id)
  farm.setClock(farm.installation.clock() + 1)
  for (const reading of await everyReading(type, id)) {
    const answer = await client.put(`/${resourceOf[type]}/${id}`, reading)
    expect(answer, answer.text).toMatchObject({ status: 200 })
    expect(answer.body).toEqual(before.record)
  }
  expect(await stateOf(type, id)).toEqual(before)
}

describe.each(recordTypeNames)('4 writing back what was read of a %s changes nothing', (type) => {
  const { bundles, bundleName } = interfaceOfStock.records[type]

  it.each(shareOfThisEngine(Object.keys(bundles)))(
    'leaves a %s unchanged when what was read is written back',
    async (bundle) => {
      const { [bundleName]: _, ...own } = interfaceFields(interfaceOfStock.records[type], bundle)
      await fc.assert(
        fc.asyncProperty(anyFields(own, { farm: interfaceOfStock, sample, bundle }), async (fields) => {
          const id = await client.create(resourceOf[type], { ...fields, [bundleName]: sample.vids[bundle] ?? bundle })
          await expectEchoesToChangeNothing(type, id)
        }),
        { numRuns: rounds({ short: 1, long: 4 }), seed: 4 },
      )
    },
  )

  it('also of records that are referred to and computed from', async () => {
    const ids = type === 'asset' ? Object.values(sample.assets) : await client.ids(`/${resourceOf[type]}.json?limit=5`)
    expect(ids).not.toEqual([])
    for (const id of ids) await expectEchoesToChangeNothing(type, id)
  })
})
