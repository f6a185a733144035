import { beforeAll, describe, expect, it } from 'vitest'
import { recordTypeNames } from '../../src/farm/fields-of.ts'
import { isRelationship, type ResourceType } from '../../src/farm/newer/resource-type.ts'
import { resourceTypes } from '../../src/farm/newer/resource-types.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { isMany } from '../../src/fields/field.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { filledFields } from '../records/filled-fields.ts'
import { interfaceFarm, interfaceFields, resourceOf } from '../records/interface-types.ts'
import { type SampleFarm, sampleFarm } from '../records/sample-farm.ts'
import { BothWays } from './both-ways.ts'

const interfaceOfStock = interfaceFarm(stockFarm)

let farm: FarmUnderTest
let client: Client
let sample: SampleFarm
let writes: BothWays

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(1_700_000_000)
  client = await farm.login()
  sample = await sampleFarm(client, farm.base)
  writes = new BothWays(farm, client)
})

/** What cannot be taken, whatever the field. */
const nonsense = [{ nonsense: [true] }, [[[]], 'x'.repeat(300)], { id: '999999999' }]

describe.each(recordTypeNames)('a dry run says what the write of a %s will say, and leaves nothing behind', (type) => {
  const { bundles, bundleName } = interfaceOfStock.records[type]
  const resource = `/${resourceOf[type]}`

  it.each(shareOfThisEngine(Object.keys(bundles)))('answers a dry run of a %s as the write does', async (bundle) => {
    const { [bundleName]: _, ...own } = interfaceFields(interfaceOfStock.records[type], bundle)
    const { sent } = filledFields(own, { farm: interfaceOfStock, sample, bundle })
    const body: Json = { ...sent, [bundleName]: sample.vids[bundle] ?? bundle }
    const wrong = Object.fromEntries(Object.keys(sent).map((name, nth) => [name, nonsense[nth % nonsense.length]]))
    expect((await writes.send('POST', resource, { ...body, ...wrong })).status).toBe(422)
    expect((await writes.send('POST', resource, { name: 'Bare', [bundleName]: body[bundleName] })).status).toBeLessThan(
      500,
    )
    const made = await writes.send('POST', `${resource}?with=uuid,version&files=link`, body)
    expect(made.status, made.text).toBe(201)
    const one = `${resource}/${made.body.id}`
    expect((await writes.send('PUT', one, wrong)).status).toBe(422)
    expect((await writes.send('PUT', one, { ...sent, name: `Renamed ${bundle}` })).status).toBe(200)
    expect((await writes.send('DELETE', one, undefined)).status).toBe(200)
    expect((await writes.send('DELETE', one, undefined)).status).toBe(404)
  })
})

describe('a dry run says what the write of a resource will say, and leaves nothing behind', () => {
  const types = [...resourceTypes(stockFarm).values()]
  const required = async (type: ResourceType): Promise<Json> => {
    const linked: Record<string, Json> = {}
    for (const member of type.members.values()) {
      if (member.field.required !== true || !isRelationship(member)) continue
      const [target = ''] = member.targets ?? []
      const made = await client.send('POST', `/api/${target.replace('--', '/')}`, {
        headers: { 'content-type': 'application/vnd.api+json' },
        body: JSON.stringify({ data: { type: target, attributes: { name: `For ${type.name}` } } }),
      })
      const { type: of, id } = made.body.data
      linked[member.name] = { data: isMany(member.field) ? [{ type: of, id }] : { type: of, id } }
    }
    return linked
  }

  it.each(shareOfThisEngine(types.map((type) => [type.name, type] as const)))(
    'answers a dry run of a %s as the write does',
    async (name, type) => {
      const all = `/api/${name.replace('--', '/')}`
      const relationships = await required(type)
      const fresh = new BothWays(farm, client)
      const attributes = type.members.has('name') ? { name: 'Tried' } : {}
      const kind = ['land_type', 'structure_type'].find((one) => type.members.has(one))
      const given = kind === undefined ? {} : { [kind]: 'other' }
      const resource = { type: name, attributes: { ...attributes, ...given }, relationships }
      const refused = await fresh.send('POST', all, {
        data: { ...resource, attributes: { ...attributes, no_such: 1 } },
      })
      expect(refused.status, refused.text).toBe(422)
      const made = await fresh.send('POST', all, { data: resource })
      expect(made.status, made.text).toBe(201)
      const { id } = made.body.data
      const changed = { type: name, id, attributes: type.members.has('name') ? { name: 'Tried again' } : {} }
      expect((await fresh.send('PATCH', `${all}/${id}`, { data: changed })).status).toBe(200)
      expect((await fresh.send('PATCH', `${all}/${id}`, { data: { ...changed, id: 'x' } })).status).toBeGreaterThan(399)
      expect((await fresh.send('DELETE', `${all}/${id}`, undefined)).status).toBe(204)
    },
  )
})
