import { beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../src/access/sweeping.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { journalOf, rowCounts } from '../records/rows.ts'
import { png, textFile } from '../records/sample-files.ts'

const day = 86_400
const start = Math.floor(Date.now() / 1000)

let farm: FarmUnderTest
let manager: Client
let worker: Client

beforeAll(async () => {
  farm = await openFarm()
  manager = await farm.login('manager')
  worker = await farm.login('worker')
})

const activity = (body: object = {}) => ({ name: 'Fed', type: 'farm_activity', timestamp: '1700000000', ...body })

/** Removes a record and gives what the trash says of it. */
async function trashed(type: string, id: string, by: Client = worker): Promise<Json> {
  const answer = await by.delete(`/${type}/${id}`)
  expect(answer, answer.text).toMatchObject({ status: 200 })
  const { list } = await by.read('/trash.json')
  const entry = list.find((one: Json) => one.resource === type && one.id === id)
  expect(entry).toBeDefined()
  return entry
}

const restore = (uuid: string, query = '', by: Client = worker) => by.send('POST', `/trash/${uuid}/restore${query}`)

async function restored(uuid: string, query = ''): Promise<Json> {
  const answer = await restore(uuid, query)
  expect(answer, answer.text).toMatchObject({ status: 200 })
  return answer.body
}

const fileIds = (entry: Json): string[] => entry.files.map((file: Json) => file.id)

describe('a record that was removed comes back', () => {
  it('with its id, UUID, author, times, photos and quantities, at its next revision', async () => {
    farm.setClock(start)
    const asset = await worker.create('farm_asset', { name: 'Bella', type: 'equipment' })
    const area = await worker.create('taxonomy_term', { name: 'North', vocabulary: 'farm_areas' })
    const id = await worker.create(
      'log',
      activity({
        done: '1',
        asset: [{ id: asset }],
        images: [png('a photo')],
        files: [textFile('a note')],
        movement: { area: [{ id: area }] },
        inventory: [{ asset: { id: asset }, value: '3' }],
        quantity: [{ value: '1.50', unit: { name: 'kg' } }],
      }),
    )
    const before = await worker.read(`/log/${id}.json?files=link`)
    const inventoryOf = async () => (await worker.read(`/farm_asset/${asset}.json`)).inventory
    const locationOf = async () => (await worker.read(`/farm_asset/${asset}.json`)).location
    const [inventory, location] = [await inventoryOf(), await locationOf()]
    farm.setClock(start + 100)
    const entry = await trashed('log', id)
    expect([await inventoryOf(), await locationOf()]).not.toEqual([inventory, location])
    farm.setClock(start + 200)
    const answer = await restore(entry.uuid)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('change-set')).toMatch(/^[\da-f-]{36}$/)
    const uri = `${farm.base}/log/${id}`
    expect(answer.body).toEqual({
      restored: [{ uri, id, resource: 'log', name: 'Fed', uuid: entry.uuid }],
      left_out: [],
      same_name: [],
    })
    const after = await worker.read(`/log/${id}.json?files=link`)
    expect(after).toEqual({ ...before, changed: String(start + 200) })
    expect([await inventoryOf(), await locationOf()]).toEqual([inventory, location])
    const photo = await worker.get(new URL(after.images[0]).pathname)
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(await worker.ids(`/log.json?asset=${asset}`)).toEqual([id])
    const entries = (await journalOf(farm)).filter((one) => one.record_type === 'log' && one.record_id === Number(id))
    expect(entries.map(({ verb, revision }) => [verb, revision])).toEqual([
      ['create', 1],
      ['remove', 2],
      ['restore', 3],
    ])
    expect(JSON.parse(entries[2]?.after ?? '').values.quantity).toEqual(
      JSON.parse(entries[0]?.after ?? '').values.quantity,
    )
    expect((await worker.get(`/trash/${entry.uuid}.json`)).status).toBe(404)
    farm.setClock(null)
  })

  it('again and again, and new records still get new ids', async () => {
    const id = await worker.create('log', activity({ images: [png('again')] }))
    for (let round = 0; round < 3; round += 1) {
      const { uuid } = await trashed('log', id)
      await restored(uuid)
      expect((await worker.put(`/log/${id}`, { name: `Round ${round}` })).status).toBe(200)
    }
    expect(Number(await worker.create('log', activity()))).toBeGreaterThan(Number(id))
    expect(await worker.ids('/log.json?name=Round 2')).toEqual([id])
  })

  it('is counted and listed as before', async () => {
    const count = async () => new URL((await worker.read('/log.json?limit=1')).last).searchParams.get('page')
    const id = await worker.create('log', activity())
    const before = await count()
    const { uuid } = await trashed('log', id)
    expect(await count()).not.toBe(before)
    await restored(uuid)
    expect(await count()).toBe(before)
  })

  it('once: the second who tries is told that it is there', async () => {
    const id = await worker.create('log', activity())
    const { uuid } = await trashed('log', id)
    const answers = await Promise.all([restore(uuid), restore(uuid), restore(uuid, '', manager)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      type: 'urn:furrow:refusal:not-restorable',
      detail: `log ${id} is there, and not in the trash.`,
    })
  })

  it('with an Idempotency-Key once, and the answer again', async () => {
    const { uuid } = await trashed('log', await worker.create('log', activity()))
    const headers = { 'idempotency-key': 'restore it' }
    const send = () => worker.send('POST', `/trash/${uuid}/restore`, { headers })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.headers.get('change-set')).toBe(first.headers.get('change-set'))
  })

  it('with If-Match only as it was looked at', async () => {
    const id = await worker.create('log', activity())
    const { uuid } = await trashed('log', id)
    const seen = (await worker.get(`/trash/${uuid}.json`)).headers.get('etag') ?? ''
    await restored(uuid)
    await trashed('log', id)
    const send = (tag: string) => worker.send('POST', `/trash/${uuid}/restore`, { headers: { 'if-match': tag } })
    expect((await send(seen)).status).toBe(412)
    const now = (await worker.get(`/trash/${uuid}.json`)).headers.get('etag') ?? ''
    expect((await send(now)).status).toBe(200)
  })
})

describe('what a removed record refers to', () => {
  it('is held back by nothing in the trash, and is named when it is missing there', async () => {
    const parent = await worker.create('farm_asset', { name: 'Herd', type: 'group' })
    const child = await worker.create('farm_asset', { name: 'Calf', type: 'group', parent: [{ id: parent }] })
    const log = await worker.create('log', activity({ asset: [{ id: child }] }))
    const entry = await trashed('log', log)
    const childEntry = await trashed('farm_asset', child)
    const parentEntry = await trashed('farm_asset', parent)
    const refused = await restore(entry.uuid)
    expect(refused).toMatchObject({
      status: 409,
      body: {
        type: 'urn:furrow:refusal:not-restorable',
        errors: [{ field: 'asset', message: `asset ${child} (Calf) lies in the trash too, under ${childEntry.uuid}` }],
      },
    })
    expect((await worker.get(`/log/${log}.json`)).status).toBe(404)
    const together = await restore(entry.uuid, '?with=referents')
    expect(together.body.restored.map((one: Json) => [one.resource, one.id])).toEqual([
      ['log', log],
      ['farm_asset', child],
      ['farm_asset', parent],
    ])
    const set = together.headers.get('change-set')
    expect((await journalOf(farm)).slice(-3)).toMatchObject([
      { verb: 'restore', set_id: set },
      { verb: 'restore', set_id: set },
      { verb: 'restore', set_id: set },
    ])
    expect((await worker.read(`/farm_asset/${child}.json`)).parent[0].id).toBe(parent)
    expect((await worker.get(`/trash/${parentEntry.uuid}.json`)).status).toBe(404)
  })

  it('is named if it is deleted for good, and dropped only on request', async () => {
    const lost = await worker.create('farm_asset', { name: 'Lost', type: 'equipment' })
    const kept = await worker.create('farm_asset', { name: 'Kept', type: 'equipment' })
    const log = await worker.create(
      'log',
      activity({ asset: [{ id: lost }, { id: kept }], movement: { area: [{ name: 'Somewhere' }] } }),
    )
    const entry = await trashed('log', log)
    const { uuid } = await trashed('farm_asset', lost)
    expect((await manager.delete(`/trash/${uuid}`)).status).toBe(200)
    for (const query of ['', '?with=referents']) {
      const { status, body } = await restore(entry.uuid, query)
      expect({ status, errors: body.errors }).toEqual({
        status: 409,
        errors: [{ field: 'asset', message: `asset ${lost} is gone for good` }],
      })
    }
    const { left_out } = await restored(entry.uuid, '?drop=missing')
    expect(left_out).toEqual([
      {
        from: { uri: `${farm.base}/log/${log}`, id: log, resource: 'log', name: 'Fed' },
        field: 'asset',
        id: lost,
        resource: 'farm_asset',
      },
    ])
    expect((await worker.read(`/log/${log}.json`)).asset.map(({ id }: Json) => id)).toEqual([kept])
  })

  it('is not left out where something has to be named', async () => {
    const lost = await worker.create('farm_asset', { name: 'Lost', type: 'planting', crop: [{ name: 'Kale' }] })
    const seeding = await worker.create('log', { ...activity(), type: 'farm_seeding', asset: [{ id: lost }] })
    const counted = await worker.create('log', activity({ inventory: [{ asset: { id: lost }, value: '1' }] }))
    const entries = [await trashed('log', seeding), await trashed('log', counted)]
    const { uuid } = await trashed('farm_asset', lost)
    await manager.delete(`/trash/${uuid}`)
    const fields = ['asset', 'inventory.asset']
    for (const [index, entry] of entries.entries()) {
      const { status, body } = await restore(entry.uuid, '?drop=missing')
      expect({ status, errors: body.errors }).toEqual({
        status: 409,
        errors: [{ field: fields[index], message: 'is required, and all that it named is gone for good' }],
      })
    }
  })

  it('a blocked owner stays', async () => {
    const owner = await farm.login('worker')
    const { user } = await owner.read('/farm.json')
    const log = await worker.create('log', activity({ log_owner: [{ id: user.uid }] }))
    const { uuid } = await trashed('log', log)
    await farm.installation.database.write((tx) =>
      tx.updateTable('account').set({ blocked: 1 }).where('uid', '=', Number(user.uid)).execute(),
    )
    await restored(uuid)
    expect((await worker.read(`/log/${log}.json`)).log_owner[0].id).toBe(user.uid)
  })

  it('a term with the name of another comes back beside it, and that is told', async () => {
    const term = await worker.create('taxonomy_term', { name: 'Chard', vocabulary: 'farm_crops' })
    const { uuid } = await trashed('taxonomy_term', term)
    const other = await worker.create('taxonomy_term', { name: 'chard', vocabulary: 'farm_crops' })
    const { same_name } = await restored(uuid)
    const reference = (id: string) => ({ uri: `${farm.base}/taxonomy_term/${id}`, id, resource: 'taxonomy_term' })
    expect(same_name).toEqual([{ ...reference(term), name: 'Chard', others: [reference(other)] }])
  })

  it('a circle of groups that it would close is refused', async () => {
    const one = await worker.create('farm_asset', { name: 'One', type: 'group' })
    const other = await worker.create('farm_asset', { name: 'Other', type: 'group' })
    const joins = (asset: string, group: string) =>
      activity({ done: '1', asset: [{ id: asset }], membership: { group: [{ id: group }] } })
    const first = await worker.create('log', joins(one, other))
    const { uuid } = await trashed('log', first)
    const second = await worker.create('log', joins(other, one))
    const refused = await restore(uuid)
    expect(refused).toMatchObject({ status: 409, body: { errors: [{ field: 'membership.group' }] } })
    await trashed('log', second)
    await restored(uuid)
  })
})

describe('the trash', () => {
  it('lists what was removed last first, with who, when, until when and files, by type and in pages', async () => {
    const own = await openFarm()
    const [boss, hand] = [await own.login('manager'), await own.login('worker')]
    own.setClock(start)
    const term = await hand.create('taxonomy_term', { name: 'North', vocabulary: 'farm_areas' })
    const log = await hand.create('log', activity({ images: [png('listed')] }))
    await hand.delete(`/taxonomy_term/${term}`)
    own.setClock(start + 60)
    const removal = await boss.delete(`/log/${log}`)
    const { self, list, ...links } = await hand.read('/trash.json')
    expect([self, links]).toEqual([
      `${own.base}/trash?page=0`,
      { first: `${own.base}/trash?page=0`, last: `${own.base}/trash?page=0` },
    ])
    const { uid } = (await boss.read('/farm.json')).user
    expect(list[0]).toEqual({
      uuid: expect.stringMatching(/^[\da-f-]{36}$/),
      id: log,
      resource: 'log',
      type: 'farm_activity',
      name: 'Fed',
      removed: String(start + 60),
      removed_by: { uri: `${own.base}/user/${uid}`, id: uid, resource: 'user' },
      set: removal.headers.get('change-set'),
      ends: String(start + 60 + 90 * day),
      uri: `${own.base}/trash/${list[0].uuid}`,
      files: [
        {
          id: '1',
          name: expect.stringMatching(/^farm_activity_image_/),
          mime: 'image/png',
          size: String(Buffer.from(png('listed').split(',')[1] ?? '', 'base64').length),
          uri: `${own.base}/trash/${list[0].uuid}/files/1`,
        },
      ],
    })
    expect(list.map((one: Json) => [one.resource, one.name])).toEqual([
      ['log', 'Fed'],
      ['taxonomy_term', 'North'],
    ])
    const named = async (query: string) => (await hand.read(`/trash.json?${query}`)).list.map((one: Json) => one.name)
    expect(await named('type=taxonomy_term')).toEqual(['North'])
    expect(await named('type=farm_asset')).toEqual([])
    expect(await named('limit=1&page=1')).toEqual(['North'])
    expect((await hand.get('/trash.json?limit=1&page=2')).status).toBe(404)
    const shown = await hand.get(`/trash/${list[0].uuid}.json`)
    expect(shown.body).toEqual({ ...list[0], record: expect.objectContaining({ id: log, name: 'Fed' }) })
    expect(shown.body.record.images).toEqual([list[0].files[0].uri])
    const tag = shown.headers.get('etag') ?? ''
    expect((await hand.get(`/trash/${list[0].uuid}.json`, { 'if-none-match': tag })).status).toBe(304)
  })

  it('lists what was removed in one second by its removal, whatever its number and type, on every page', async () => {
    const own = await openFarm()
    own.setClock(start)
    const hand = await own.login('worker')
    const [one, two, three] = [
      await hand.create('log', activity({ name: 'One' })),
      await hand.create('log', activity({ name: 'Two' })),
      await hand.create('farm_asset', { name: 'Three', type: 'equipment' }),
    ]
    const named = async (query = '') => (await hand.read(`/trash.json?${query}`)).list.map((entry: Json) => entry.name)
    await hand.delete(`/farm_asset/${three}`)
    await hand.delete(`/log/${two}`)
    await hand.delete(`/log/${one}`)
    expect(await named()).toEqual(['One', 'Two', 'Three'])
    const [, { uuid }] = (await hand.read('/trash.json')).list
    await hand.send('POST', `/trash/${uuid}/restore`)
    await hand.delete(`/log/${two}`)
    expect(await named()).toEqual(['Two', 'One', 'Three'])
    expect(await named('type=log')).toEqual(['Two', 'One'])
    const pages = [await named('limit=1'), await named('limit=1&page=1'), await named('limit=1&page=2')]
    expect(pages).toEqual([['Two'], ['One'], ['Three']])
  })

  it.each(
    shareOfThisEngine([
      ['GET', '/trash.json?type=user', 400],
      ['GET', '/trash.json?limit=0', 400],
      ['GET', '/trash.json?sort=name', 400],
      ['GET', '/trash/nonsense.json', 404],
      ['GET', '/trash/01900000-0000-7000-8000-000000000000.json', 404],
      ['POST', '/trash/01900000-0000-7000-8000-000000000000/restore', 404],
      ['POST', '/trash/01900000-0000-7000-8000-000000000000/restore?with=everything', 400],
      ['POST', '/trash/01900000-0000-7000-8000-000000000000/restore?drop=all', 400],
      ['POST', '/trash/01900000-0000-7000-8000-000000000000/restore?wiht=referents', 400],
      ['DELETE', '/trash/01900000-0000-7000-8000-000000000000', 404],
      ['DELETE', '/trash?older_than=-1', 400],
      ['DELETE', '/trash?older_than=99999', 400],
      ['DELETE', '/trash?olderthan=1', 400],
    ]),
  )('%s %s is refused by name', async (method, path, status) => {
    const answer = await manager.send(method, path)
    expect([answer.status, answer.body.type]).toEqual([
      status,
      `urn:furrow:refusal:${status === 404 ? 'not-found' : 'bad-query'}`,
    ])
  })

  it('has the files of what lies there, for those who may restore, and nobody is served them elsewhere', async () => {
    const script = 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4='
    const log = await worker.create('log', activity({ images: [png('kept')], files: [script] }))
    const [photo] = (await worker.read(`/log/${log}.json?files=link`)).images
    const entry = await trashed('log', log)
    const idOf = (mime: string) => entry.files.find((file: Json) => file.mime === mime).id
    const [image, other] = [idOf('image/png'), idOf('image/svg+xml')]
    expect((await worker.get(new URL(photo).pathname)).status).toBe(404)
    expect((await worker.get(`/file/${image}.json`)).status).toBe(404)
    const served = await worker.get(`/trash/${entry.uuid}/files/${image}`)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png'])
    const svg = await worker.get(`/trash/${entry.uuid}/files/${other}`)
    expect([svg.headers.get('content-type'), svg.headers.get('content-security-policy')]).toEqual([
      'application/octet-stream',
      "default-src 'none'; sandbox",
    ])
    const tag = served.headers.get('etag') ?? ''
    expect((await worker.get(`/trash/${entry.uuid}/files/${image}`, { 'if-none-match': tag })).status).toBe(304)
    const strange = await worker.create('log', activity({ images: [png('of another')] }))
    const [foreign = ''] = fileIds(await trashed('log', strange))
    expect((await worker.get(`/trash/${entry.uuid}/files/${foreign}`)).status).toBe(404)
    for (const client of [await farm.login('viewer'), farm.anonymous]) {
      expect((await client.get(`/trash/${entry.uuid}/files/${image}`)).status).toBe(403)
    }
    await restored(entry.uuid)
    expect((await worker.get(new URL(photo).pathname)).status).toBe(200)
    expect((await worker.get(`/trash/${entry.uuid}/files/${image}`)).status).toBe(404)
  })

  it('lets a file go on that another record names', async () => {
    const one = await worker.create('log', activity({ images: [png('shared')] }))
    const [photo] = (await worker.read(`/log/${one}.json?files=link`)).images
    const two = await worker.create('log', activity({ images: [photo] }))
    const entry = await trashed('log', one)
    expect((await worker.get(new URL(photo).pathname)).status).toBe(200)
    expect((await manager.delete(`/trash/${entry.uuid}`)).status).toBe(200)
    expect((await worker.get(new URL(photo).pathname)).status).toBe(200)
    expect((await worker.read(`/log/${two}.json`)).images).toEqual([png('shared')])
  })

  it('frees a file with the last record that had it; another in the trash comes back without, if that is asked for', async () => {
    const one = await worker.create('log', activity({ images: [png('of both')], files: [textFile('of one')] }))
    const [photo] = (await worker.read(`/log/${one}.json?files=link`)).images
    const two = await worker.create('log', activity({ images: [photo] }))
    const [first, last] = [await trashed('log', one), await trashed('log', two)]
    const [file] = fileIds(last)
    await manager.delete(`/trash/${last.uuid}`)
    const refused = await restore(first.uuid)
    expect([refused.status, refused.body.errors]).toEqual([
      409,
      [{ field: 'images', message: `file ${file} is gone for good` }],
    ])
    const { left_out } = await restored(first.uuid, '?drop=missing')
    expect(left_out).toMatchObject([{ field: 'images', id: file, resource: 'file' }])
    const { images, files } = await worker.read(`/log/${one}.json`)
    expect([images, files]).toEqual([[], [textFile('of one')]])
  })

  it('a file that is dropped and named at the same time is either there or refused, never lost', async () => {
    for (let round = 0; round < 6; round += 1) {
      const one = await worker.create('log', activity({ images: [png(`raced ${round}`)] }))
      const two = await worker.create('log', activity())
      const [photo] = (await worker.read(`/log/${one}.json?files=link`)).images
      const [dropped, named] = await Promise.all([
        round % 2 === 0 ? worker.delete(`/log/${one}`) : worker.put(`/log/${one}`, { images: [] }),
        manager.put(`/log/${two}`, { images: [photo] }),
      ])
      expect(dropped.status).toBe(200)
      const { status } = await worker.get(new URL(photo).pathname)
      expect([named.status, status]).toEqual(named.status === 200 ? [200, 200] : [422, 404])
    }
  })
})

describe('ending', () => {
  const contents = async (id: string) =>
    (await journalOf(farm))
      .filter((one) => one.record_type === 'log' && one.record_id === Number(id))
      .map(({ verb, revision, uid, after }) => [verb, revision, uid > 0, after === null])

  it('empties every word of it and frees its files; that it was there stays, and it comes back no more', async () => {
    const before = await rowCounts(farm)
    const log = await worker.create('log', activity({ images: [png('ending')], files: [textFile('ending')] }))
    await worker.put(`/log/${log}`, { images: [], name: 'Secret' })
    const entry = await trashed('log', log)
    expect((await worker.delete(`/trash/${entry.uuid}`)).status).toBe(403)
    expect(await manager.delete(`/trash/${entry.uuid}`)).toMatchObject({ status: 200, body: { ended: 1 } })
    expect(await contents(log)).toEqual([
      ['create', 1, true, true],
      ['update', 2, true, true],
      ['remove', 3, true, true],
    ])
    const { file, blob, blob_chunk } = await rowCounts(farm)
    expect({ file, blob, blob_chunk }).toEqual({ file: before.file, blob: before.blob, blob_chunk: before.blob_chunk })
    expect((await worker.get(`/trash/${entry.uuid}.json`)).status).toBe(404)
    expect((await manager.delete(`/trash/${entry.uuid}`)).status).toBe(404)
    expect(await restore(entry.uuid)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('ended for good') },
    })
  })

  it('comes by itself when trash_days are over, and not a second before', async () => {
    const own = await openFarm()
    const hand = await own.login('worker')
    const at = start
    own.setClock(at)
    const before = await rowCounts(own)
    const dropping = await hand.create('log', activity({ images: [png('dropped')] }))
    await hand.put(`/log/${dropping}`, { images: [] })
    const ids: string[] = []
    for (let nth = 0; nth < 3; nth += 1) ids.push(await hand.create('log', activity({ images: [png(`swept ${nth}`)] })))
    for (const id of ids) await hand.delete(`/log/${id}`)
    const count = async () =>
      own.installation.database.read(async (snapshot) => {
        const rows = await snapshot.selectFrom('identity').selectAll().where('removed', 'is not', null).execute()
        return [rows.filter(({ ended, type }) => ended === null && type === 'log').length, (await rowCounts(own)).file]
      })
    own.setClock(at + 90 * day - 1)
    await sweep(own.installation)
    expect(await count()).toEqual([3, (before.file ?? 0) + 4])
    own.setClock(at + 90 * day)
    await sweep(own.installation)
    expect(await count()).toEqual([0, before.file])
    const { blob, blob_chunk } = await rowCounts(own)
    expect([blob, blob_chunk]).toEqual([before.blob, before.blob_chunk])
    own.setClock(null)
  })

  it('comes sooner once trash_days are fewer', async () => {
    const own = await openFarm()
    const hand = await own.login('worker')
    const at = start
    own.setClock(at)
    const log = await hand.create('log', activity())
    await hand.delete(`/log/${log}`)
    own.setClock(at + 7 * day)
    await sweep(own.installation)
    const left = async () => (await (await own.login('worker')).read('/trash.json')).list.length
    expect(await left()).toBe(1)
    await own.installation.database.write((tx) => writeFarmSetting(tx, 'trash_days', '7'))
    await sweep(own.installation)
    expect(await left()).toBe(0)
    own.setClock(null)
  })

  it('empties the whole trash of any size, and keeps younger entries on request', async () => {
    const own = await openFarm()
    const boss = await own.login('manager')
    const make = async (count: number) => {
      const operations = Array.from({ length: count }, () => ({ method: 'POST', path: '/log', body: activity() }))
      const { results } = (await boss.post('/batch', { operations })).body
      const removals = results.map(({ id }: Json) => ({ method: 'DELETE', path: `/log/${id}` }))
      expect((await boss.post('/batch', { operations: removals })).status).toBe(200)
    }
    const now = Math.floor(Date.now() / 1000)
    own.setClock(now - 2 * day)
    await make(120)
    own.setClock(now)
    await make(3)
    expect(await boss.delete('/trash?older_than=1')).toMatchObject({ status: 200, body: { ended: 120 } })
    expect((await boss.read('/trash.json')).list).toHaveLength(3)
    expect((await (await own.login('worker')).delete('/trash')).status).toBe(403)
    expect(await boss.delete('/trash')).toMatchObject({ status: 200, body: { ended: 3 } })
    expect((await boss.read('/trash.json')).list).toEqual([])
    own.setClock(null)
  })
})

it.each(shareOfThisEngine(['-1', '1.5', '36501', '', 'ninety', '007']))('trash_days cannot be %j', async (value) => {
  const setting = farm.installation.database.write((tx) => writeFarmSetting(tx, 'trash_days', value))
  await expect(setting).rejects.toThrow('trash_days takes a whole number of days from 0 to 36500.')
})
