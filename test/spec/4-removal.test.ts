import { beforeAll, describe, expect, it } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { journalOf, rowCounts } from '../records/rows.ts'
import { png } from '../records/sample-files.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

const log = (more: Record<string, unknown> = {}) => ({ name: 'L', type: 'farm_activity', timestamp: '1', ...more })
const term = (vocabulary: string, more: Record<string, unknown> = {}) => ({ name: 'T', vocabulary, ...more })
const asset = (more: Record<string, unknown> = {}) => ({ name: 'A', type: 'group', ...more })

/** What sentences call a record of each type. */
const named = { log: 'log', farm_asset: 'asset', taxonomy_term: 'term' }

describe('4 what others refer to cannot be removed, and the answer names them', () => {
  it.each(
    shareOfThisEngine([
      ['farm_asset', asset(), 'log', (id: string) => log({ asset: [{ id }] })],
      ['farm_asset', asset(), 'log', (id: string) => log({ inventory: [{ asset: { id }, value: '1' }] })],
      ['farm_asset', asset(), 'log', (id: string) => log({ membership: { group: [{ id }] } })],
      ['farm_asset', asset(), 'farm_asset', (id: string) => asset({ parent: [{ id }] })],
      ['taxonomy_term', term('farm_areas'), 'log', (id: string) => log({ movement: { area: [{ id }] } })],
      ['taxonomy_term', term('farm_areas'), 'log', (id: string) => log({ area: [{ id }] })],
      ['taxonomy_term', term('farm_areas'), 'taxonomy_term', (id: string) => term('farm_areas', { parent: [{ id }] })],
      ['taxonomy_term', term('farm_quantity_units'), 'log', (id: string) => log({ quantity: [{ unit: { id } }] })],
      [
        ...(['taxonomy_term', term('farm_crops'), 'farm_asset'] as const),
        (id: string) => ({ name: 'P', type: 'planting', crop: [{ id }] }),
      ],
    ] as const),
  )('keeps a %s %j while it is referred to by a %s', async (type, body, referrerType, referring) => {
    const id = await client.create(type, body)
    const referrer = await client.create(referrerType, referring(id))
    const refused = await client.delete(`/${type}/${id}`)
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain(`: ${named[referrerType]} ${referrer} still refers to it`)
    expect(refused.body.errors).toMatchObject([{ field: `${referrerType}/${referrer}` }])
    expect((await client.get(`/${type}/${id}.json`)).status).toBe(200)
    await client.delete(`/${referrerType}/${referrer}`)
    expect((await client.delete(`/${type}/${id}`)).status).toBe(200)
  })

  it('names the first few of many', async () => {
    const id = await client.create('farm_asset', asset())
    for (let nth = 0; nth < 8; nth += 1) await client.create('log', log({ asset: [{ id }] }))
    const { body } = await client.delete(`/farm_asset/${id}`)
    expect(body.errors).toHaveLength(5)
    expect(body.detail).toContain('and others')
  })

  it('names a record once that refers in several ways, with all of them', async () => {
    const id = await client.create('farm_asset', asset())
    const both = { asset: [{ id }], inventory: [{ asset: { id }, value: '1' }] }
    const referrers = [await client.create('log', log(both)), await client.create('log', log(both))]
    const { body } = await client.delete(`/farm_asset/${id}`)
    const [one, other] = referrers
    expect(body.detail).toBe(
      `asset ${id} cannot be deleted: log ${one}, log ${other} still refer to it. Change or delete those first.`,
    )
    const message = 'refers to it in asset, inventory.asset'
    expect(body.errors).toEqual(referrers.map((referrer) => ({ field: `log/${referrer}`, message })))
    await client.delete(`/log/${other}`)
    const alone = await client.delete(`/farm_asset/${id}`)
    expect(alone.body.detail).toContain(`log ${one} still refers to it`)
    expect(alone.body.errors).toEqual([{ field: `log/${one}`, message }])
  })

  it('a record that refers in several ways takes the place of no other', async () => {
    const id = await client.create('farm_asset', asset())
    const both = { asset: [{ id }], inventory: [{ asset: { id }, value: '1' }] }
    for (let nth = 0; nth < 5; nth += 1) await client.create('log', log(both))
    const five = await client.delete(`/farm_asset/${id}`)
    expect(five.body.errors).toHaveLength(5)
    expect(five.body.detail).not.toContain('and others')
    await client.create('log', log(both))
    expect((await client.delete(`/farm_asset/${id}`)).body.detail).toContain('and others still refer')
  })

  it('a record that refers to itself can go', async () => {
    const id = await client.create('taxonomy_term', term('farm_crops'))
    expect((await client.put(`/taxonomy_term/${id}`, { companions: [{ id }] })).status).toBe(200)
    expect((await client.delete(`/taxonomy_term/${id}`)).status).toBe(200)
  })
})

it('4 a removed record is gone, with all that was kept of it', async () => {
  const before = await rowCounts(farm)
  const id = await client.create('farm_asset', asset({ images: [png()], flags: ['x'] }))
  const moving = { asset: [{ id }], done: '1', movement: { geometry: 'POINT (1 2)' }, files: [png('2')] }
  const logId = await client.create('log', log({ ...moving, inventory: [{ asset: { id }, value: '1' }] }))
  await client.delete(`/log/${logId}`)
  await client.delete(`/farm_asset/${id}`)
  // Its files wait with it in the trash, where nobody is served them.
  const kept = { file: (before.file ?? 0) + 2, blob: (before.blob ?? 0) + 2, blob_chunk: (before.blob_chunk ?? 0) + 2 }
  expect(await rowCounts(farm)).toEqual({ ...before, ...kept, journal: (before.journal ?? 0) + 4 })
  expect((await client.delete(`/farm_asset/${id}`)).status).toBe(404)
  expect(await client.ids(`/farm_asset.json?id=${id}`)).toEqual([])
})

it('4 where the farm has no trash, nothing of a removed record is left but that it was there', async () => {
  const bare = await openFarm()
  await bare.installation.database.write((tx) => writeFarmSetting(tx, 'trash_days', '0'))
  const manager = await bare.login()
  const before = await rowCounts(bare)
  const id = await manager.create('farm_asset', asset({ name: 'Nothing of this', images: [png()], flags: ['x'] }))
  await manager.put(`/farm_asset/${id}`, { description: 'Nothing of that' })
  await manager.delete(`/farm_asset/${id}`)
  expect(await rowCounts(bare)).toEqual({ ...before, journal: (before.journal ?? 0) + 3 })
  expect((await journalOf(bare)).slice(-3)).toMatchObject([
    { verb: 'create', after: null, revision: 1 },
    { verb: 'update', after: null, revision: 2 },
    { verb: 'remove', after: null, revision: 3 },
  ])
})

it.each(
  shareOfThisEngine([
    ['log', log()],
    ['farm_asset', asset()],
    ['taxonomy_term', term('farm_season')],
  ] as const),
)('4 the id of a removed %s is never given again', async (type, body) => {
  const last = await client.create(type, body)
  await client.delete(`/${type}/${last}`)
  expect(Number(await client.create(type, body))).toBeGreaterThan(Number(last))
})

it('4 what is referred to and removed at the same time is either', async () => {
  for (let round = 0; round < 12; round += 1) {
    const id = await client.create('farm_asset', asset())
    const [made, removed] = await Promise.all([
      client.post('/log', log({ asset: [{ id }] })),
      client.delete(`/farm_asset/${id}`),
    ])
    const outcome = `${made.status} ${removed.status}`
    expect(['201 409', '422 200']).toContain(outcome)
    if (made.status !== 201) continue
    const [reference] = (await client.read(`/log/${made.body.id}.json`)).asset as Json[]
    expect((await client.get(`/farm_asset/${reference.id}.json`)).status).toBe(200)
  }
})
