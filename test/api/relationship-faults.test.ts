import { describe, expect, test } from 'vitest'
import type { Answer, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const ada = await farm.login('manager')

async function made(type: string, attributes: Json, relationships: Json = {}): Promise<Json> {
  const answer = await ada.post(`/api/${type.replace('--', '/')}`, { data: { type, attributes, relationships } })
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return { type, id: answer.body.data.id }
}

const patched = (path: string, data: Json) => ada.sendJson('PATCH', path, { data })
const taken = (path: string, data: Json) => ada.sendJson('DELETE', path, { data })
const ids = ({ body }: Answer): readonly string[] => body.data.map(({ id }: Json) => id)
const pointers = ({ body }: Answer): readonly string[] => body.errors.map(({ source }: Json) => source.pointer)

const [goat, cow, unit] = [
  await made('asset--group', { name: 'Goats' }),
  await made('asset--group', { name: 'Cows' }),
  await made('taxonomy_term--unit', { name: 'kg' }),
]
const unknown = { type: 'asset--group', id: '5d0e0f5c-3f5f-4b1e-9a86-0a2f6f0f7a11' }

async function assetsOfNewLog(): Promise<string> {
  const log = await made('log--activity', { name: 'Count' }, { asset: { data: [goat] } })
  return `/api/log/activity/${log.id}/relationships/asset`
}

describe('the address of a relationship', () => {
  test('adds, replaces, takes out and empties', async () => {
    const path = await assetsOfNewLog()
    expect(ids(await ada.post(path, { data: [{ ...cow, meta: { drupal_internal__target_id: '2' } }] }))).toEqual([
      goat.id,
      cow.id,
    ])
    expect(ids(await patched(path, [cow]))).toEqual([cow.id])
    expect(ids(await taken(path, [cow]))).toEqual([])
    await patched(path, [goat, cow])
    expect(ids(await patched(path, []))).toEqual([])
  })

  test('points into what was sent, also where more is there already', async () => {
    const path = await assetsOfNewLog()
    const added = await ada.post(path, { data: [cow, unknown] })
    expect([added.status, pointers(added)]).toEqual([404, ['/data/1']])
    const replaced = await patched(path, [unknown, goat])
    expect([replaced.status, pointers(replaced)]).toEqual([404, ['/data/0']])
    const nameless = await ada.post(path, { data: [cow, { type: 'asset--group' }] })
    expect([nameless.status, pointers(nameless)]).toEqual([400, ['/data/1']])
    const amount = await made('quantity--standard', { label: 'Heads' })
    const units = `/api/quantity/standard/${amount.id}/relationships/units`
    const one = await patched(units, { type: 'taxonomy_term--unit', id: unknown.id })
    expect([one.status, pointers(one)]).toEqual([404, ['/data']])
  })

  test('refuses targets of another type with 400, and names those that there are', async () => {
    const path = await assetsOfNewLog()
    for (const answer of [await ada.post(path, { data: [goat, unit] }), await patched(path, [goat, unit])]) {
      expect([answer.status, pointers(answer)]).toEqual([400, ['/data/1/type']])
      expect(answer.body.errors[0].detail).toContain('asset--animal')
    }
    expect(ids(await ada.get(path))).toEqual([goat.id])
  })

  test('refuses a request without a body with 400, whatever type it names', async () => {
    const path = await assetsOfNewLog()
    for (const headers of [{}, { 'content-type': 'application/vnd.api+json' }]) {
      for (const method of ['DELETE', 'PATCH', 'POST']) {
        expect([method, (await ada.send(method, path, { headers })).status]).toEqual([method, 400])
      }
    }
  })
})

describe('what a revision led to and is gone', () => {
  test('is shown as missing, is valid by the schema, and can be sent back', async () => {
    const shed = await made('asset--group', { name: 'Shed' })
    const { type, id } = await made('log--activity', { name: 'Paint' }, { asset: { data: [shed, goat] } })
    const path = `/api/log/activity/${id}`
    await patched(path, { type, id, relationships: { asset: { data: [goat] } } })
    await ada.delete(`/api/asset/group/${shed.id}`)
    const { asset } = (await ada.get(`${path}?resourceVersion=id:1`)).body.data.relationships
    expect(asset.data).toMatchObject([{ type: 'unknown', id: 'missing' }, goat])
    const back = await patched(path, { type, id, relationships: { asset: { data: asset.data } } })
    expect([back.status, ids(await ada.get(`${path}/relationships/asset`))]).toEqual([200, [goat.id]])
    expect((await ada.get(`${path}?resourceVersion=id:1&include=asset`)).body.included).toMatchObject([goat])
  })
})
