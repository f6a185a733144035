import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
let worker: Client

beforeAll(async () => {
  worker = await farm.login('worker')
})

const log = (more: object) => ({ type: 'farm_activity', timestamp: 100, ...more })

const revert = (path: string, revision: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  worker.send('POST', `${path}/revert`, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ revision }),
  })

describe('reverting a record', () => {
  it('makes it what it was, as a new revision, photos and quantities included', async () => {
    const area = await worker.create('taxonomy_term', { name: 'Yard', vocabulary: 'farm_areas', area_type: 'field' })
    const asset = await worker.create('farm_asset', { name: 'Cart', type: 'equipment' })
    const id = await worker.create(
      'log',
      log({
        name: 'Move',
        done: 1,
        asset: [{ id: asset }],
        movement: { area: [{ id: area }] },
        quantity: [{ measure: 'weight', value: '3', unit: { name: 'tons' }, label: 'load' }],
        images: [dot],
        log_category: [{ name: 'Animals' }],
      }),
    )
    const path = `/log/${id}`
    const { changed: _, ...first } = await worker.read(`${path}.json`)
    const located = await worker.read(`/farm_asset/${asset}.json`)
    await worker.put(path, { name: 'Nothing', done: 0, asset: [], movement: null, quantity: [], images: [] })
    expect((await worker.read(`/farm_asset/${asset}.json`)).location).toEqual([])
    const answer = await revert(path, 1)
    expect(answer.status).toBe(200)
    const { changed: __, ...now } = answer.body
    expect(now).toEqual(first)
    expect(await worker.read(`/farm_asset/${asset}.json`)).toEqual(located)
    const [image] = (await worker.read(`${path}.json?files=link`)).images
    expect((await worker.get(new URL(image).pathname)).status).toBe(200)
    expect((await worker.read(`${path}/history.json`)).revisions[0]).toMatchObject({
      revision: 3,
      verb: 'update',
      set: answer.headers.get('change-set'),
    })
    expect(answer.headers.get('etag')).toMatch(/^"3\./)
  })

  it('to what it already is changes nothing', async () => {
    const id = await worker.create('log', log({ name: 'Same' }))
    expect((await revert(`/log/${id}`, 1)).headers.get('etag')).toMatch(/^"1\./)
    expect((await worker.read(`/log/${id}/history.json`)).revisions).toHaveLength(1)
  })

  it('keeps to If-Match, and is carried out once under an Idempotency-Key', async () => {
    const id = await worker.create('log', log({ name: 'First' }))
    const tag = (await worker.get(`/log/${id}.json`)).headers.get('etag') ?? ''
    await worker.put(`/log/${id}`, { name: 'Second' })
    expect((await revert(`/log/${id}`, 1, { 'if-match': tag })).status).toBe(412)
    const once = await revert(`/log/${id}`, 1, { 'idempotency-key': 'back to the first' })
    await worker.put(`/log/${id}`, { name: 'Third' })
    const again = await revert(`/log/${id}`, 1, { 'idempotency-key': 'back to the first' })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('change-set')).toBe(once.headers.get('change-set'))
    expect((await worker.read(`/log/${id}.json`)).name).toBe('Third')
  })

  it('names what it would refer to and is not there any more', async () => {
    const gone = await worker.create('farm_asset', { name: 'Old plough', type: 'equipment' })
    const id = await worker.create('log', log({ name: 'Grease', asset: [{ id: gone }] }))
    await worker.put(`/log/${id}`, { asset: [] })
    await worker.delete(`/farm_asset/${gone}`)
    const refused = await revert(`/log/${id}`, 1)
    expect(refused.body).toMatchObject({
      status: 409,
      type: 'urn:furrow:refusal:not-restorable',
      errors: [{ field: 'asset', message: expect.stringContaining(`asset ${gone} lies in the trash`) }],
    })
    expect((await worker.read(`/log/${id}.json`)).asset).toEqual([])
  })

  it('refuses to make an asset its own ancestor, and a group its own member', async () => {
    const parent = await worker.create('farm_asset', { name: 'Sow', type: 'compost' })
    const child = await worker.create('farm_asset', { name: 'Piglet', type: 'compost', parent: [{ id: parent }] })
    await worker.put(`/farm_asset/${child}`, { parent: [] })
    await worker.put(`/farm_asset/${parent}`, { parent: [{ id: child }] })
    expect((await revert(`/farm_asset/${child}`, 1)).body).toMatchObject({ status: 409, errors: [{ field: 'parent' }] })
    const [one, two] = [
      await worker.create('farm_asset', { name: 'One', type: 'group' }),
      await worker.create('farm_asset', { name: 'Two', type: 'group' }),
    ]
    const joins = (member: string, group: string) =>
      log({ name: 'Join', done: 1, asset: [{ id: member }], membership: { group: [{ id: group }] } })
    const first = await worker.create('log', joins(one, two))
    await worker.put(`/log/${first}`, { done: 0 })
    await worker.create('log', joins(two, one))
    const refused = await revert(`/log/${first}`, 1)
    expect(refused.body).toMatchObject({ status: 409, errors: [{ field: 'membership.group' }] })
    expect((await worker.read(`/log/${first}.json`)).done).toBe('0')
  })

  it('refuses a removed record, and says how to restore it', async () => {
    const id = await worker.create('log', log({ name: 'Thrown away' }))
    const { uuid } = await worker.read(`/log/${id}/history.json`)
    await worker.delete(`/log/${id}`)
    const refused = await revert(`/log/${id}`, 1)
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining(`/trash/${uuid}/restore`) } })
  })

  it.each([
    [0, 422],
    ['x', 422],
    [undefined, 422],
    [2, 422],
    ['1', 200],
  ])('to revision %j answers %i', async (revision, status) => {
    const id = await worker.create('log', log({ name: 'Plain' }))
    expect((await revert(`/log/${id}`, revision)).status).toBe(status)
  })

  it('answers 404 for a missing record, and takes nothing beside the revision', async () => {
    expect((await revert('/log/987654', 1)).status).toBe(404)
    const id = await worker.create('log', log({ name: 'Plain' }))
    const more = await worker.post(`/log/${id}/revert`, { revision: 1, name: 'x' })
    expect(more.body).toMatchObject({ status: 422, errors: [{ field: 'name', allowed: ['revision'] }] })
  })
})
