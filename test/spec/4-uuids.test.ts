import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { withFlag, withLogType } from '../../src/farm/additions.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Client, Json } from '../harness/client.ts'
import { engineUnderTest, placeWithTables } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'

const past = 1_600_000_000
const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

let farm: FarmUnderTest
let worker: Client
let other: Client

beforeAll(async () => {
  farm = await openFarm()
  worker = await farm.login('worker')
  other = await farm.login('worker')
})

const log = (fields: object = {}) => ({ name: 'Weeding', type: 'farm_activity', timestamp: past, ...fields })
const xml = (client: Client, path: string, body: string, method = 'POST') =>
  client.send(method, path, { headers: { 'content-type': 'application/xml', accept: 'application/json' }, body })
const count = async (query: string) => (await worker.ids(`/log.json?limit=1000&${query}`)).length

describe('a client may give a new record its UUID', () => {
  test('shows the UUID in lower case with=uuid, and finds the record by it', async () => {
    const uuid = randomUUID()
    const made = await worker.post('/log?with=uuid,version', log({ uuid: uuid.toUpperCase() }))
    expect([made.status, made.body.uuid]).toEqual([201, uuid])
    expect(made.headers.get('change-set')).toMatch(/^[\da-f-]{36}$/)
    const { id } = made.body
    for (const path of [`/log/${uuid}`, `/log/${uuid.toUpperCase()}.json`, `/log/${id}.json`]) {
      expect(await worker.read(`${path}?with=uuid`)).toMatchObject({ id, uuid })
    }
    expect((await worker.get(`/log/${uuid}.xml?with=uuid,version`)).text).toMatch(
      new RegExp(`<uuid>${uuid}</uuid><version>1\\.[\\w-]+</version>`),
    )
    expect((await worker.read(`/log.json?with=version,uuid&id=${id}`)).list[0]).toMatchObject({ uuid })
    expect(await worker.read(`/log/${id}.json`)).not.toHaveProperty('uuid')
  })

  test('also to assets and terms, and in XML', async () => {
    const [asset, term, inXml] = [randomUUID(), randomUUID(), randomUUID()]
    await worker.create('farm_asset', { name: 'Herd', type: 'group', uuid: asset })
    await worker.create('taxonomy_term', { name: 'Yard', vocabulary: 'farm_areas', uuid: term })
    const body = `<log><name>Mowing</name><type>farm_activity</type><timestamp>${past}</timestamp><uuid>${inXml}</uuid></log>`
    expect((await xml(worker, '/log', body)).status).toBe(201)
    expect((await worker.read(`/farm_asset/${asset}.json`)).name).toBe('Herd')
    expect((await worker.read(`/taxonomy_term/${term}.json`)).name).toBe('Yard')
    expect((await worker.read(`/log/${inXml}`)).name).toBe('Mowing')
  })

  test('refuses the nil UUID, and everything that is no UUID', async () => {
    const nil = '00000000-0000-0000-0000-000000000000'
    for (const uuid of [nil, nil.replaceAll('0', 'f'), nil.replaceAll('0', 'F'), 'U', 5, {}, `{${randomUUID()}}`]) {
      const answer = await worker.post('/log', log({ uuid }))
      expect([answer.status, answer.body.errors?.[0].field]).toEqual([422, 'uuid'])
    }
    const { body } = await worker.post('/log', { uuid: nil })
    expect(body.errors.map((fault: Json) => fault.field)).toEqual(['type', 'name', 'timestamp', 'uuid'])
    const free = randomUUID()
    expect((await worker.post('/log', log({ uuid: free, bogus: 1 }))).status).toBe(422)
    expect((await worker.post('/log', log({ uuid: free }))).status).toBe(201)
    for (const empty of [null, '']) expect((await worker.post('/log', log({ uuid: empty }))).status).toBe(201)
  })
})

describe('a record that is sent again under its UUID', () => {
  test('is there once, and is answered as it is now, however long ago that was', async () => {
    farm.setClock(1_700_000_000)
    const uuid = randomUUID()
    const body = log({ uuid, name: 'Far field', images: [pixel], log_category: [{ name: 'Only once' }] })
    const first = await worker.post('/log', body)
    const { id } = first.body
    await worker.put(`/log/${id}`, { name: 'Near field', log_category: [] })
    farm.setClock(1_700_000_000 + 400 * 24 * 3600)
    const again = await worker.post('/log', body)
    farm.setClock(null)
    expect([again.status, again.body.id, again.body.name]).toEqual([200, id, 'Near field'])
    expect(again.body).toMatchObject({ uri: first.body.uri, resource: 'log' })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('change-set')).toBe(first.headers.get('change-set'))
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect((await worker.read(`/log/${id}.json?files=link`)).images).toHaveLength(1)
  })

  test('makes no term and keeps no file', async () => {
    const uuid = randomUUID()
    const category = `Gone ${uuid}`
    const body = log({ uuid, log_category: [{ name: category }], files: ['data:text/plain;base64,QUJD'] })
    const { id } = (await worker.post('/log', body)).body
    const [term] = (await worker.read(`/log/${id}.json`)).log_category
    const [file] = (await worker.read(`/log/${id}.json?files=link`)).files
    await worker.put(`/log/${id}`, { log_category: [], files: [] })
    expect((await worker.delete(`/taxonomy_term/${term.id}`)).status).toBe(200)
    expect((await worker.post('/log', body)).status).toBe(200)
    expect(await worker.ids(`/taxonomy_term.json?name=${encodeURIComponent(category)}`)).toEqual([])
    const next = await worker.create('log', log({ files: ['data:text/plain;base64,REVG'] }))
    const [later] = (await worker.read(`/log/${next}.json?files=link`)).files
    const numberOf = (address: string) => Number(new URL(address).pathname.split('/')[2])
    expect(numberOf(later)).toBe(numberOf(file) + 1)
  })

  test('may be spelled otherwise, as long as it says the same', async () => {
    const [uuid, asset] = [randomUUID(), randomUUID()]
    const herd = await worker.create('farm_asset', { name: 'Herd', type: 'group', uuid: asset })
    const body = log({
      uuid,
      done: 1,
      notes: 'Dry',
      asset: [{ id: herd }],
      log_category: [{ name: 'Animals' }],
      quantity: [{ measure: 'weight', value: 2 }],
      images: [pixel],
    })
    const { id } = (await worker.post('/log', body)).body
    const spellings = [
      Object.fromEntries(Object.entries(body).toReversed()),
      { ...body, uuid: uuid.toUpperCase(), version: '9.other', url: 'x' },
      { ...body, done: true, timestamp: String(past), asset: { uuid: asset }, log_category: { name: ' animals ' } },
      { ...body, asset: [{ uuid: asset, id: herd }, herd], notes: { value: 'Dry' }, area: [], flags: null },
      { ...body, quantity: [{ value: '2', measure: 'weight' }, { value: null }] },
    ]
    for (const spelled of spellings) {
      const again = await worker.post('/log', spelled)
      expect([again.status, again.body.id], again.text).toEqual([200, id])
    }
    const inXml = `<log><uuid>${uuid}</uuid><name>Weeding</name><type>farm_activity</type><timestamp>${past}</timestamp>
      <done>1</done><notes>Dry</notes><asset><item uuid="${asset}"/></asset><images><item>${pixel}</item></images>
      <log_category><item name="Animals"/></log_category><quantity><item><measure>weight</measure><value>2</value></item></quantity></log>`
    expect(await xml(worker, '/log', inXml)).toMatchObject({ status: 200, body: { id } })
  })

  test('is refused with the id and version of the existing record if it differs', async () => {
    const uuid = randomUUID()
    const { id } = (await worker.post('/log', log({ uuid }))).body
    await worker.put(`/log/${id}`, { name: 'Hoeing' })
    const { version } = await worker.read(`/log/${id}.json?with=version`)
    const others = [
      log({ uuid, name: 'Hoeing' }),
      log({ uuid, notes: 'wet' }),
      log({ uuid, type: 'farm_observation' }),
      log({ uuid, log_owner: [] }),
      log({ uuid, bogus: 1 }),
      log({ uuid, log_category: [{ name: `Never ${uuid}` }] }),
      { uuid },
    ]
    for (const body of others) {
      const answer = await worker.post('/log', body)
      expect(answer, answer.text).toMatchObject({ status: 409, body: { id, version } })
      expect(answer.body.type).toBe('urn:furrow:refusal:uuid-taken')
    }
    const inXml = await worker.send('POST', '/log.xml', {
      headers: { 'content-type': 'application/xml' },
      body: `<log><uuid>${uuid}</uuid></log>`,
    })
    expect(inXml.text).toContain(`<id>${id}</id><version>${version}</version>`)
    expect(await worker.ids(`/taxonomy_term.json?name=Never%20${uuid}`)).toEqual([])
    expect(await count(`uuid=${uuid}`)).toBe(1)
  })

  test('is refused where it is another account’s, of another type or removed, and no more is said', async () => {
    const [uuid, gone] = [randomUUID(), randomUUID()]
    await worker.create('log', log({ uuid, name: 'Secret' }))
    await worker.create('log', log({ uuid: gone }))
    await worker.delete(`/log/${gone}`)
    const [herd] = [{ name: 'Herd', type: 'group', uuid }]
    const cases = [
      [await other.post('/log', log({ uuid, name: 'Secret' })), 'another account'],
      [await other.post('/farm_asset', herd), 'another account'],
      [await other.post('/log', log({ uuid: gone })), 'another account'],
      [await worker.post('/farm_asset', herd), 'another type'],
      [await worker.post('/farm_asset', { uuid }), 'another type'],
      [await worker.post('/log', log({ uuid: gone })), 'removed record'],
      [await worker.post('/log', { uuid: gone }), 'removed record'],
    ] as const
    for (const [answer, why] of cases) {
      expect([answer.status, Object.keys(answer.body)]).toEqual([409, ['type', 'title', 'status', 'detail', 'errors']])
      expect(answer.body.detail).toContain(why)
      expect(answer.text).not.toContain('Secret')
    }
  })

  test('is judged by who may write before anything is said of it', async () => {
    const viewer = await farm.login('viewer')
    const uuid = randomUUID()
    await worker.create('log', log({ uuid }))
    expect((await viewer.post('/log', log({ uuid }))).status).toBe(403)
    expect((await farm.anonymous.post('/log', log({ uuid }))).status).toBe(403)
  })

  test('is its writer’s, whoever a manager names as its author', async () => {
    const manager = await farm.login('manager')
    const uuid = randomUUID()
    const body = log({ uuid, uid: { id: 1 }, created: past })
    const { id } = (await manager.post('/log', body)).body
    expect(await manager.post('/log', body)).toMatchObject({ status: 200, body: { id } })
    expect((await manager.post('/log', log({ uuid, uid: { id: 1 }, created: past + 1 }))).status).toBe(409)
    expect((await manager.post('/log', log({ uid: { uuid: randomUUID() } }))).status).toBe(422)
  })

  test.each(rounds({ short: [1], long: [1, 2, 3, 4, 5, 6, 7, 8] }))(
    'sixteen times at once, on two servers where there can be two, is one record (round %i)',
    async () => {
      const place = await placeWithTables(engineUnderTest())
      const first = await openFarm({ place })
      const second = place.database === null ? first : await openFarm({ place })
      const { login } = await first.login('worker')
      const authorization = `Bearer ${login.token}`
      const uuid = randomUUID()
      const bodyOf = (name: string) => JSON.stringify(log({ uuid, log_category: [{ name: 'Raced' }], name }))
      const send = (server: FarmUnderTest, name: string) =>
        server.anonymous.send('POST', '/log', {
          headers: { authorization, 'content-type': 'application/json' },
          body: bodyOf(name),
        })
      const answers = await Promise.all(Array.from({ length: 16 }, (_, nth) => send(nth % 2 ? first : second, 'Raced')))
      const statuses = answers.map(({ status }) => status).toSorted()
      expect(statuses).toEqual([...Array.from({ length: 15 }, () => 200), 201])
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      expect(new Set(answers.map(({ headers }) => headers.get('change-set'))).size).toBe(1)
      const mixed = await Promise.all(
        Array.from({ length: 8 }, (_, nth) => send(nth % 2 ? first : second, nth % 2 ? 'Raced' : 'Other')),
      )
      expect(mixed.map(({ status }) => status)).toEqual([409, 200, 409, 200, 409, 200, 409, 200])
      await Promise.all([first.close(), second.close()])
    },
  )
})

describe('an address takes a UUID in place of an id', () => {
  test('to read, change and remove', async () => {
    const uuid = randomUUID()
    const id = await worker.create('farm_asset', { name: 'Herd', type: 'group', uuid })
    expect((await worker.put(`/farm_asset/${uuid}.json`, { name: 'Flock' })).body).toMatchObject({ id, name: 'Flock' })
    expect((await worker.post(`/farm_asset/${uuid}`, { name: 'Pack' })).body).toMatchObject({ id, name: 'Pack' })
    expect((await worker.delete(`/farm_asset/${uuid}`)).status).toBe(200)
    for (const method of ['get', 'delete'] as const) {
      expect((await worker[method](`/farm_asset/${uuid}`)).status).toBe(404)
    }
  })

  test('never creates a missing record', async () => {
    const uuid = randomUUID()
    const asset = randomUUID()
    await worker.create('farm_asset', { name: 'Herd', type: 'group', uuid: asset })
    for (const unknown of [uuid, asset]) {
      expect((await worker.get(`/log/${unknown}.json`)).status).toBe(404)
      expect((await worker.put(`/log/${unknown}`, log())).status).toBe(404)
      expect((await worker.post(`/log/${unknown}`, log())).status).toBe(404)
      expect((await worker.delete(`/log/${unknown}`)).status).toBe(404)
    }
    for (const path of ['/user/', '/taxonomy_vocabulary/', '/file/'])
      expect((await worker.get(path + uuid)).status).toBe(404)
    expect(await count(`uuid=${uuid}`)).toBe(0)
  })

  test('accepts its own UUID in a change, but no other', async () => {
    const uuid = randomUUID()
    const id = await worker.create('log', log({ uuid }))
    const record = await worker.read(`/log/${id}.json?with=uuid,version`)
    expect((await worker.put(`/log/${id}`, { ...record, name: 'Echoed' })).status).toBe(200)
    for (const same of [{ uuid: uuid.toUpperCase() }, { version: 'any' }, { uuid: null }])
      expect((await worker.put(`/log/${id}`, same)).status).toBe(200)
    for (const another of [randomUUID(), 'x']) {
      const answer = await worker.put(`/log/${id}`, { uuid: another })
      expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'uuid'])
    }
  })
})

describe('a reference takes a UUID in place of an id', () => {
  const uuids = { herd: randomUUID(), yard: randomUUID(), crop: randomUUID(), gone: randomUUID() }
  let ids: Record<keyof typeof uuids, string>

  beforeAll(async () => {
    ids = {
      herd: await worker.create('farm_asset', { name: 'Herd', type: 'group', uuid: uuids.herd }),
      yard: await worker.create('taxonomy_term', { name: 'Yard', vocabulary: 'farm_areas', uuid: uuids.yard }),
      crop: await worker.create('taxonomy_term', { name: 'Oats', vocabulary: 'farm_crops', uuid: uuids.crop }),
      gone: await worker.create('farm_asset', { name: 'Gone', type: 'group', uuid: uuids.gone }),
    }
    await worker.delete(`/farm_asset/${ids.gone}`)
  })

  test('works in a record and in its parts, in JSON and in XML', async () => {
    const id = await worker.create(
      'log',
      log({
        done: 1,
        asset: [{ uuid: uuids.herd.toUpperCase() }],
        movement: { area: [{ uuid: uuids.yard }] },
        inventory: [{ asset: { uuid: uuids.herd }, value: 3 }],
      }),
    )
    expect(await worker.read(`/log/${id}.json`)).toMatchObject({
      asset: [{ id: ids.herd }],
      movement: { area: [{ id: ids.yard, name: 'Yard' }] },
      inventory: [{ asset: { id: ids.herd } }],
    })
    const inXml = `<log><name>Moved</name><type>farm_activity</type><timestamp>${past}</timestamp>
      <asset><item uuid="${uuids.herd}"/></asset><movement><area><item><uuid>${uuids.yard}</uuid></item></area></movement></log>`
    const moved = await xml(worker, '/log', inXml)
    expect(moved.body).toMatchObject({ asset: [{ id: ids.herd }], movement: { area: [{ id: ids.yard }] } })
    expect((await worker.put(`/log/${id}`, { asset: { uuid: uuids.herd } })).status).toBe(200)
    const planting = await worker.create('farm_asset', { name: 'P', type: 'planting', crop: { uuid: uuids.crop } })
    expect((await worker.read(`/farm_asset/${planting}.json`)).crop).toMatchObject([{ id: ids.crop }])
    expect((await worker.put(`/taxonomy_term/${uuids.yard}`, { parent: [{ uuid: uuids.yard }] })).status).toBe(422)
  })

  test('where the name is given as well the UUID decides, and where the id says otherwise nothing is made', async () => {
    const named = { log_category: [], area: [{ uuid: uuids.yard, name: 'Not this one' }] }
    const id = await worker.create('log', log(named))
    expect((await worker.read(`/log/${id}.json`)).area).toMatchObject([{ id: ids.yard, name: 'Yard' }])
    await worker.create('log', log({ asset: [{ id: ids.herd, uuid: uuids.herd }] }))
    const odds = await worker.post('/log', log({ asset: [{ id: ids.herd }, { id: '1', uuid: uuids.herd }] }))
    expect([odds.status, odds.body.errors[0].field]).toEqual([422, 'asset[1].uuid'])
  })

  test('refuses a UUID that is unknown, removed, of another kind or of a type without UUIDs', async () => {
    const wrong: Record<string, [object, string]> = {
      unknown: [{ asset: [{ uuid: randomUUID() }] }, 'asset[0].uuid'],
      removed: [{ asset: [{ uuid: uuids.gone }] }, 'asset[0].uuid'],
      'a term': [{ asset: [{ uuid: uuids.yard }] }, 'asset[0].uuid'],
      'of another vocabulary': [{ area: [{ uuid: uuids.crop }] }, 'area[0]'],
      malformed: [{ movement: { area: [{ uuid: 'x' }] } }, 'movement.area[0].uuid'],
      'a user': [{ log_owner: [{ uuid: uuids.herd }] }, 'log_owner[0].uuid'],
      'a file': [{ files: [{ uuid: uuids.herd }] }, 'files[0]'],
    }
    for (const [why, [fields, field]] of Object.entries(wrong)) {
      const answer = await worker.post('/log', log(fields))
      expect([why, answer.status, answer.body.errors?.[0].field]).toEqual([why, 422, field])
    }
    const removed = await worker.post('/log', log({ asset: [{ uuid: uuids.gone }] }))
    expect(removed.body.detail).toContain('was removed')
  })

  test('a filter also takes UUIDs: one value, several, or none', async () => {
    const another = randomUUID()
    await worker.create('farm_asset', { name: 'Other herd', type: 'group', uuid: another })
    const [first, second, own] = [randomUUID(), randomUUID(), randomUUID()]
    const a = await worker.create('log', log({ name: own, uuid: first, asset: [{ uuid: uuids.herd }] }))
    const b = await worker.create('log', log({ name: own, uuid: second, asset: [{ uuid: another }] }))
    const moved = { movement: { area: [{ uuid: uuids.yard }] }, asset: [{ uuid: another }], done: 1 }
    const c = await worker.create('log', log({ name: own, ...moved }))
    const found = (query: string) => worker.ids(`/log.json?name=${own}&${query}`)
    expect(await found(`uuid=${first.toUpperCase()}`)).toEqual([a])
    expect(await found(`uuid[]=${first}&uuid[]=${second}`)).toEqual([a, b])
    expect(await found(`uuid=${first}&uuid=${randomUUID()}`)).toEqual([a])
    expect(await found(`uuid[ne]=${first}`)).toEqual([b, c])
    expect(await found(`uuid[ne]=${randomUUID()}`)).toEqual([a, b, c])
    expect(await found(`asset[uuid]=${uuids.herd}`)).toEqual([a])
    expect(await found(`asset[uuid]=${uuids.herd}&asset[uuid]=${another}`)).toEqual([a, b, c])
    expect(await found(`asset[uuid][ne]=${another}`)).toEqual([a])
    expect(await found(`asset[uuid]=${uuids.herd}&asset=999999`)).toEqual([a])
    expect(await found(`movement[area][uuid]=${uuids.yard}`)).toEqual([c])
    expect((await worker.read(`/farm_asset.json?location[uuid]=${uuids.yard}&uuid=${another}`)).list).toHaveLength(1)
    for (const nothing of [`asset[uuid]=${randomUUID()}`, `asset[uuid]=${uuids.yard}`, `uuid=${uuids.herd}`, 'uuid='])
      expect(await found(nothing)).toEqual([])
    const refused = [
      'uuid=x',
      'uuid[gt]=1',
      'asset[uuid]=1',
      `log_owner[uuid]=${first}`,
      `name[uuid]=${first}`,
      'sort=uuid',
    ]
    for (const query of refused) expect((await worker.get(`/log.json?${query}`)).status, query).toBe(400)
    expect((await worker.get(`/log.json?uuid[sw]=${first}`)).status).toBe(400)
  })
})

describe('the version of a record', () => {
  test('is its revision in this farm, the beginning of its tag, and what If-Match takes, with quotes and without', async () => {
    const id = await worker.create('log', log())
    const answer = await worker.get(`/log/${id}.json?with=version`)
    const { version } = answer.body
    expect(version).toMatch(/^1\.[\w-]+$/)
    const tag = answer.headers.get('etag') ?? ''
    expect(tag.startsWith(`"${version}.`)).toBe(true)
    const put = (name: string, match: string) =>
      worker.send('PUT', `/log/${id}?with=version`, {
        headers: { 'content-type': 'application/json', 'if-match': match },
        body: JSON.stringify({ name }),
      })
    const first = await put('One', version)
    expect([first.status, first.body.version]).toEqual([200, version.replace('1.', '2.')])
    expect((await put('Two', version)).status).toBe(412)
    expect((await put('Two', tag)).status).toBe(412)
    expect((await put('Two', `"${first.body.version}"`)).status).toBe(200)
    const third = await worker.read(`/log/${id}.json?with=version`)
    expect((await put('Three', `"other", ${third.version}`)).status).toBe(200)
    for (const none of ['1.other', `"9.${version.split('.')[1]}"`, '7.x, "y"'])
      expect((await put('X', none)).status).toBe(412)
    for (const bad of ['x', '1', '"1', '1.a b']) expect((await put('X', bad)).status, bad).toBe(400)
  })

  test('outlives another catalogue: no change that waited on a phone is refused for it', async () => {
    const place = await placeWithTables(engineUnderTest())
    const before = await openFarm({ place })
    const client = await before.login('worker')
    const id = await client.create('log', log())
    const read = await client.get(`/log/${id}.json`)
    await before.close()
    const shearing = { label: 'Shearing', plural: 'Shearings', fields: {} }
    const after = await openFarm({ place, farm: withLogType(withFlag(stockFarm, 'wet', 'Wet'), 'shearing', shearing) })
    const headers = {
      authorization: `Bearer ${client.login.token}`,
      'content-type': 'application/json',
      'if-match': read.headers.get('etag') ?? '',
    }
    const put = await after.anonymous.send('PUT', `/log/${id}`, { headers, body: '{"name":"Late"}' })
    expect(put.status).toBe(200)
    const tagNow = (await after.anonymous.get(`/log/${id}.json`, headers)).headers.get('etag') ?? ''
    const words = (tag: string) => tag.split('.')
    expect(words(tagNow)[1]).toBe(words(headers['if-match'])[1])
    expect(words(tagNow)[2]).not.toBe(words(headers['if-match'])[2])
    await after.close()
  })
})
