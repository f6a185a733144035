import { beforeEach, describe, expect, test } from 'vitest'
import type { Answer, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { addressOf, details, JsonApiClient, type Named, named, pointers, to } from './json-api-client.ts'

const farm = await openFarm()
const ada = new JsonApiClient(await farm.login('manager'))
const nowhere = '00000000-0000-4000-8000-000000000000'

let log: Json
let spade: Json
let rake: Json
let kilo: Json
let amount: Json

beforeEach(async () => {
  spade = await ada.made('asset/equipment', { name: 'Spade' })
  rake = await ada.made('asset/equipment', { name: 'Rake' })
  kilo = await ada.made('taxonomy_term/unit', { name: 'kg' })
  amount = await ada.made('quantity/standard', { label: 'Two' }, { units: to(kilo) })
  log = await ada.made('log/activity', { name: 'Dig' }, { asset: to([spade]) })
})

const at = (resource: Named, name: string): string => `${addressOf(resource)}/relationships/${name}`
const idsIn = ({ body }: Answer): unknown => (body.data === null ? null : body.data.map(({ id }: Json) => id))
const idsOf = async (resource: Named, name: string): Promise<unknown> => idsIn(await ada.get(at(resource, name)))

describe('GET of a relationship', () => {
  test('to many shows identifiers, as the resource does, and no resources', async () => {
    const { status, body } = await ada.get(at(log, 'asset'))
    expect(status).toBe(200)
    const { data, links } = (await ada.read(log)).relationships.asset
    expect(body).toMatchObject({ jsonapi: { version: '1.0' }, data, links })
    expect(Object.keys(data[0])).toEqual(['type', 'id', 'meta'])
  })

  test('to one shows one identifier, or null', async () => {
    expect((await ada.get(at(amount, 'units'))).body.data).toMatchObject(named(kilo))
    expect((await ada.get(at(amount, 'inventory_asset'))).body.data).toBeNull()
  })

  test('of the farm’s own saying is shown, too', async () => {
    expect((await ada.get(at(log, 'log_type'))).body.data).toMatchObject({ type: 'log_type--log_type' })
    expect((await ada.get(at(log, 'uid'))).body.data).toMatchObject({ type: 'user--user' })
  })

  test.each(shareOfThisEngine(['name', 'nothing', '__proto__', 'constructor']))(
    'under a name that is no relationship is 404: %s',
    async (name) => {
      expect((await ada.get(at(log, name))).status).toBe(404)
      expect((await ada.get(`${addressOf(log)}/${name}`)).status).toBe(404)
    },
  )

  test('of what is not there, or of another type, is 404', async () => {
    expect((await ada.get(at({ type: 'log--activity', id: nowhere }, 'asset'))).status).toBe(404)
    expect((await ada.get(at({ ...named(log), type: 'log--harvest' }, 'asset'))).status).toBe(404)
  })
})

describe('what a relationship leads to', () => {
  test('is a list of whole resources, or one, or null', async () => {
    const many = await ada.get(`${addressOf(log)}/asset`)
    expect([many.status, many.body.data]).toEqual([200, [await ada.read(spade)]])
    const one = await ada.get(`${addressOf(amount)}/units`)
    expect([one.status, one.body.data]).toEqual([200, await ada.read(kilo)])
    const none = await ada.get(`${addressOf(amount)}/inventory_asset`)
    expect([none.status, none.body.data]).toEqual([200, null])
  })

  test('takes fields and include from there', async () => {
    await ada.send('POST', at(log, 'quantity'), to([amount]))
    const { body } = await ada.get(`${addressOf(log)}/quantity?include=units&fields[taxonomy_term--unit]=name`)
    expect(body.data).toMatchObject([{ ...named(amount), attributes: { label: 'Two' } }])
    expect(body.included).toMatchObject([{ ...named(kilo), attributes: { name: 'kg' } }])
    expect((await ada.get(`${addressOf(log)}/quantity?include=asset`)).status).toBe(400)
  })
})

describe('POST to a relationship', () => {
  test('adds to what is there, and answers with all of it', async () => {
    const added = await ada.send('POST', at(log, 'asset'), to([rake]))
    expect([added.status, idsIn(added)]).toEqual([200, [spade.id, rake.id]])
    expect(await idsOf(log, 'asset')).toEqual([spade.id, rake.id])
  })

  test('leaves what is there already where it is, once, and is no new revision', async () => {
    const before = await ada.read(log)
    const again = await ada.send('POST', at(log, 'asset'), to([spade]))
    expect([again.status, idsIn(again)]).toEqual([200, [spade.id]])
    expect(await ada.read(log)).toEqual(before)
    const upper = { type: spade.type, id: spade.id.toUpperCase() }
    expect(idsIn(await ada.send('POST', at(log, 'asset'), to([upper])))).toEqual([spade.id])
  })

  test('of nothing adds nothing', async () => {
    expect((await ada.send('POST', at(log, 'asset'), { data: [] })).status).toBe(200)
    expect(await idsOf(log, 'asset')).toEqual([spade.id])
  })

  test('to one is 409', async () => {
    const refused = await ada.send('POST', at(amount, 'inventory_asset'), to([spade]))
    expect([refused.status, details(refused)]).toEqual([409, [expect.stringContaining('PATCH')]])
  })

  test('takes a quantity over that was made before', async () => {
    const added = await ada.send('POST', at(log, 'quantity'), to([amount]))
    expect([added.status, idsIn(added)]).toEqual([200, [amount.id]])
  })
})

describe('PATCH of a relationship', () => {
  test('replaces what is there, in the order that is sent', async () => {
    const replaced = await ada.send('PATCH', at(log, 'asset'), to([rake, spade]))
    expect([replaced.status, idsIn(replaced)]).toEqual([200, [rake.id, spade.id]])
    expect(await idsOf(log, 'asset')).toEqual([rake.id, spade.id])
  })

  test('to one replaces it, and null empties it', async () => {
    const pound = await ada.made('taxonomy_term/unit', { name: 'lb' })
    expect((await ada.send('PATCH', at(amount, 'units'), to(pound))).body.data).toMatchObject(named(pound))
    const emptied = await ada.send('PATCH', at(amount, 'units'), { data: null })
    expect([emptied.status, emptied.body.data]).toEqual([200, null])
    expect((await ada.read(amount)).relationships.units.data).toBeNull()
  })

  test('to many is emptied by [] and by null', async () => {
    expect(idsIn(await ada.send('PATCH', at(log, 'asset'), { data: [] }))).toEqual([])
    await ada.send('PATCH', at(log, 'asset'), to([rake]))
    expect(idsIn(await ada.send('PATCH', at(log, 'asset'), { data: null }))).toEqual([])
  })

  test('leaves everything else as it was', async () => {
    const { attributes } = await ada.read(log)
    await ada.send('PATCH', at(log, 'equipment'), to([rake]))
    const after = await ada.read(log)
    expect(after.attributes).toMatchObject({ name: 'Dig', timestamp: attributes.timestamp, status: attributes.status })
    expect(after.relationships.asset.data).toMatchObject([named(spade)])
  })

  test('of a required one that would be empty is 422', async () => {
    const kind = await ada.made('taxonomy_term/animal_type', { name: 'Cow' })
    const cow = await ada.made('asset/animal', { name: 'Bella' }, { animal_type: to(kind) })
    const refused = await ada.send('PATCH', at(cow, 'animal_type'), { data: null })
    expect(refused.status).toBe(422)
    expect((await ada.read(cow)).relationships.animal_type.data).toMatchObject(named(kind))
  })
})

describe('DELETE in a relationship', () => {
  test('takes out what is listed, and leaves the rest and what it led to', async () => {
    await ada.send('POST', at(log, 'asset'), to([rake]))
    const less = await ada.send('DELETE', at(log, 'asset'), to([spade]))
    expect([less.status, idsIn(less)]).toEqual([200, [rake.id]])
    expect((await ada.get(addressOf(spade))).status).toBe(200)
  })

  test('of what is not there takes nothing out', async () => {
    const same = await ada.send('DELETE', at(log, 'asset'), to([rake]))
    expect([same.status, idsIn(same)]).toEqual([200, [spade.id]])
  })

  test('to one is 409, and without a body 400', async () => {
    expect((await ada.send('DELETE', at(amount, 'units'), to([kilo]))).status).toBe(409)
    const empty = await ada.drop({ type: log.type, id: `${log.id}/relationships/asset` })
    expect([empty.status, details(empty)]).toEqual([400, ['The body is empty.']])
    expect(await idsOf(log, 'asset')).toEqual([spade.id])
  })
})

describe('a relationship is not written', () => {
  test.each(shareOfThisEngine(['POST', 'PATCH', 'DELETE']))(
    'with the same resource twice: %s is refused',
    async (method) => {
      const refused = await ada.send(method, at(log, 'asset'), to([rake, rake]))
      expect([method, refused.status]).toEqual([method, 400])
      const upper = { ...named(rake), id: rake.id.toUpperCase() }
      expect((await ada.send(method, at(log, 'asset'), to([rake, upper]))).status).toBe(400)
      expect(await idsOf(log, 'asset')).toEqual([spade.id])
    },
  )

  test.each(shareOfThisEngine(['POST', 'PATCH', 'DELETE']))(
    'with a body that names nothing: %s is 400',
    async (method) => {
      for (const document of [{}, [], 'x', null, { data: 5 }, { data: 'x' }, { data: [null] }, { data: [{}] }]) {
        const refused = await ada.send(method, at(log, 'asset'), document)
        expect([method, document, refused.status]).toEqual([method, document, 400])
      }
      expect(await idsOf(log, 'asset')).toEqual([spade.id])
    },
  )

  test('with what is not there, or of the wrong type', async () => {
    const missing = await ada.send('POST', at(log, 'asset'), to([{ type: 'asset--land', id: nowhere }]))
    expect([missing.status, pointers(missing), details(missing)]).toEqual([
      404,
      ['/data/0'],
      [`asset[0]: there is no asset--land "${nowhere}"`],
    ])
    const wrong = await ada.send('PATCH', at(log, 'category'), to([kilo]))
    expect([wrong.status, pointers(wrong)]).toEqual([400, ['/data/0/type']])
    const list = await ada.send('PATCH', at(amount, 'units'), to([kilo]))
    expect([list.status, pointers(list)]).toEqual([400, ['/data']])
  })

  test.each(shareOfThisEngine(['log_type', 'uid', 'revision_user']))(
    'where the farm itself says it: %s is 403',
    async (name) => {
      const refused = await ada.send('PATCH', at(log, name), { data: null })
      expect([refused.status, refused.body.errors[0].code]).toEqual([403, 'forbidden'])
    },
  )

  test('of what is computed: 403', async () => {
    for (const method of ['POST', 'PATCH', 'DELETE'])
      expect((await ada.send(method, at(spade, 'location'), to([rake]))).status).toBe(403)
  })

  test('of what is not there, or under a name that is none: 404', async () => {
    expect((await ada.send('POST', at({ type: log.type, id: nowhere }, 'asset'), to([rake]))).status).toBe(404)
    expect((await ada.send('POST', at(log, 'name'), to([rake]))).status).toBe(404)
    expect((await ada.send('POST', at({ ...named(log), type: 'log--harvest' }, 'asset'), to([rake]))).status).toBe(404)
  })
})

describe('an area and an asset in one relationship', () => {
  test('are added, replaced and taken out alike', async () => {
    const field = await ada.made('asset/land', { name: 'Field', land_type: 'field' })
    expect(idsIn(await ada.send('POST', at(log, 'asset'), to([field])))).toEqual([spade.id, field.id])
    expect(idsIn(await ada.send('POST', at(rake, 'parent'), to([field])))).toEqual([field.id])
    expect(idsIn(await ada.send('DELETE', at(log, 'asset'), to([spade])))).toEqual([field.id])
    expect(idsIn(await ada.send('PATCH', at(rake, 'parent'), to([spade])))).toEqual([spade.id])
  })
})
