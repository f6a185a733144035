import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { type Entity, type FarmOS, farmOSFor } from './farmos-2-package.ts'

const statusOf = (error: Json): number => error.response?.status
/** What the package sends, with what the farm says where it says no. */
const told = (sending: Promise<Json>): Promise<Json> =>
  sending.catch((error) => {
    throw new Error(JSON.stringify(error.response?.data ?? String(error)))
  })
const namesOf = (entities: readonly Entity[]): string[] => entities.map(({ attributes }) => attributes.name)
const identifierOf = ({ id, type }: Entity) => ({ id, type })
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const noon = '2026-06-01T12:00:00Z'

describe.each(atLeastOn('postgres'))('the farmos package 2.0.0-beta.16, unchanged, on %s', (engine) => {
  let farm: FarmUnderTest
  let login: { readonly name: string; readonly password: string }
  let client: FarmOS

  const began = Date.now()

  beforeAll(async () => {
    farm = await openFarm({ engine })
    login = (await farm.login('manager')).login
    const first = farmOSFor(farm.base)
    await first.remote.authorize(login.name, login.password)
    await first.schema.fetch()
    // As an app that is started again: with the schemas that it has kept, by which it sends times as seconds.
    client = farmOSFor(farm.base, first.schema.get())
    await client.remote.authorize(login.name, login.password)
  })

  it('logs in with the password grant and knows when its token ends', async () => {
    const { access_token, refresh_token, expires, expires_in } = client.remote.getToken()
    expect([typeof access_token, typeof refresh_token, expires_in]).toEqual(['string', 'string', 3600])
    expect(expires - 3_600_000).toBeGreaterThan(began)
    expect(expires - 3_600_000).toBeLessThanOrEqual(Date.now())
    await expect(farmOSFor(farm.base).remote.authorize(login.name, 'wrong')).rejects.toSatisfy(
      (error) => statusOf(error) === 400,
    )
  })

  it('reads about the farm and who it is', async () => {
    const { data } = await client.remote.info()
    expect(data.meta.farm).toMatchObject({ url: farm.base, version: expect.stringMatching(/^3\./) })
    const me = await client.remote.request(new URL(data.meta.links.me.href).pathname)
    expect(me.data.data.attributes.name).toBe(login.name)
  })

  it('fetches the schemas of all types that the entry document links to', async () => {
    const fresh = farmOSFor(farm.base)
    await fresh.remote.authorize(login.name, login.password)
    const { fulfilled, rejected } = await fresh.schema.fetch()
    expect(rejected).toEqual([])
    expect(fulfilled.length).toBeGreaterThan(30)
    const schemata = fresh.schema.get()
    expect(Object.keys(schemata.log)).toEqual(expect.arrayContaining(['activity', 'harvest', 'input', 'seeding']))
    expect(Object.keys(schemata.taxonomy_term).toSorted()).toEqual([
      'animal_type',
      'crop_family',
      'log_category',
      'material_type',
      'plant_type',
      'season',
      'unit',
    ])
    expect([Object.keys(schemata.user), Object.keys(schemata.file)]).toEqual([['user'], ['file']])
    expect(fresh.schema.get('log', 'harvest').properties.relationships.properties).toMatchObject({
      asset: { type: 'array', title: 'Assets' },
      location: { type: 'array' },
    })
    expect((await fresh.schema.fetch('log', 'harvest')).data.title).toBe('Harvest log')
  })

  it('creates an entity of every type of log and asset from its schema, and sends it as it is', async () => {
    const breed = client.term.create({ type: 'taxonomy_term--animal_type', name: 'Goat' })
    const crop = client.term.create({ type: 'taxonomy_term--plant_type', name: 'Kale' })
    const stuff = client.term.create({ type: 'taxonomy_term--material_type', name: 'Compost' })
    for (const term of [breed, crop, stuff]) expect((await client.term.send(term)).id).toBe(term.id)
    const needed: Json = {
      animal: { animal_type: identifierOf(breed) },
      plant: { plant_type: [identifierOf(crop)] },
      seed: { plant_type: [identifierOf(crop)] },
      material: { material_type: identifierOf(stuff) },
      land: { land_type: 'field' },
      structure: { structure_type: 'building' },
    }
    // What a product is of is a word of a vocabulary that is linked once it has a term.
    const ofAssets = Object.keys(client.schema.get('asset')).filter((name) => name !== 'product')
    const ofLogs = Object.keys(client.schema.get('log'))
    expect(ofAssets).toContain('animal')
    expect(ofLogs).toContain('harvest')
    for (const bundle of ofAssets) {
      const asset = client.asset.create({ type: `asset--${bundle}`, name: `One ${bundle}`, ...needed[bundle] })
      const sent = await told(client.asset.send(asset))
      expect(sent).toMatchObject({
        id: asset.id,
        type: asset.type,
        attributes: { name: `One ${bundle}`, status: 'active' },
      })
    }
    for (const bundle of ofLogs) {
      const log = client.log.create({ type: `log--${bundle}`, name: `One ${bundle}`, timestamp: noon })
      const sent = await told(client.log.send(log))
      expect(sent).toMatchObject({ id: log.id, attributes: { name: `One ${bundle}`, status: 'pending' } })
      expect(sent.attributes.timestamp).toBe(new Date(noon).toISOString())
    }
  })

  it('saves an animal and a treatment with all its defaults, new and read, and no register changes', async () => {
    const plain = await farm.login('worker')
    const cow = await plain.create('farm_asset', { name: 'Rosa', type: 'animal', animal_type: { name: 'Cattle' } })
    const days = { measure: 'time', value: '4', unit: { name: 'days' }, label: 'withhold milk' }
    const dose = { measure: 'volume', value: '5', unit: { name: 'ml' }, label: 'Penicillin' }
    await plain.create('log', {
      ...{ name: 'Penicillin, Rosa', type: 'farm_medical', timestamp: Math.floor(began / 1000) - 86_400, done: 1 },
      ...{ asset: [{ id: cow }], vet: 'Dr. Wolf', notes: { value: 'Batch: B 7' }, quantity: [dose, days] },
    })
    const state = async () => [
      await plain.read('/reports/inspection.json'),
      (await plain.read(`/farm_asset/${cow}.json?with=withheld`)).withheld,
    ]
    const breed = client.term.create({ type: 'taxonomy_term--animal_type', name: 'Sheep' })
    await told(client.term.send(breed))
    const ewe = client.asset.create({ type: 'asset--animal', name: 'Ewe', animal_type: identifierOf(breed) })
    const sent = await told(client.asset.send(ewe))
    const before = await state()
    expect(before[1]).toMatchObject([{ product: 'milk' }])
    await told(client.asset.send(client.asset.update(sent, { name: 'Ewe' })))
    await told(client.log.send(client.log.create({ type: 'log--medical', name: 'Booster', timestamp: noon })))
    const animals = await client.asset.fetch({ filter: { type: 'asset--animal', name: 'Rosa' } })
    await told(client.asset.send(client.asset.update(animals.data[0], { name: 'Rosa' })))
    const treatments = await client.log.fetch({ filter: { type: 'log--medical', name: 'Penicillin, Rosa' } })
    await told(client.log.send(client.log.update(treatments.data[0], { name: 'Penicillin, Rosa' })))
    expect(await state()).toEqual(before)
  })

  it('updates what it has sent', async () => {
    const local = client.log.create({ type: 'log--activity', name: 'Mend the fence' })
    const changed = client.log.update(await client.log.send(local), {
      name: 'Mend both fences',
      status: 'done',
      notes: { value: 'Two posts' },
    })
    expect((await client.log.send(changed)).attributes).toMatchObject({ name: 'Mend both fences', status: 'done' })
    const { data } = await client.log.fetch({ filter: { type: 'log--activity', id: local.id } })
    expect(data[0]).toMatchObject({ id: local.id, attributes: { name: 'Mend both fences', status: 'done' } })
    expect(data[0].attributes.notes.value).toBe('Two posts')
  })

  it('fetches by all the filters that it can say, sorted and with what belongs to it', async () => {
    const field = client.asset.create({ type: 'asset--land', name: 'Long field', land_type: 'field' })
    await client.asset.send(field)
    const days = [1, 2, 3, 4].map((day) => `2026-03-0${day}T00:00:00.000Z`)
    for (const [index, timestamp] of days.entries()) {
      const status = index % 2 === 0 ? 'done' : 'pending'
      const props = { name: `Walk ${index}`, timestamp, status, location: [identifierOf(field)] }
      await client.log.send(client.log.create({ type: 'log--observation', ...props }))
    }
    const asked = async (filter: Json, options: Json = {}) => {
      const { data, rejected } = await client.log.fetch({
        filter: { type: 'log--observation', 'location.id': field.id, ...filter },
        sort: { timestamp: 'ASC' },
        ...options,
      })
      expect(rejected.map((error: Json) => error.response?.data ?? error)).toEqual([])
      return namesOf(data)
    }
    expect(await asked({})).toEqual(['Walk 0', 'Walk 1', 'Walk 2', 'Walk 3'])
    expect(await asked({ status: 'done' })).toEqual(['Walk 0', 'Walk 2'])
    expect(await asked({ timestamp: { $gt: days[1] } })).toEqual(['Walk 2', 'Walk 3'])
    expect(await asked({ timestamp: { $gte: days[1], $lt: days[3] } })).toEqual(['Walk 1', 'Walk 2'])
    expect(await asked({ name: { $in: ['Walk 0', 'Walk 3'] } })).toEqual(['Walk 0', 'Walk 3'])
    expect(await asked({ status: { $ne: 'done' } })).toEqual(['Walk 1', 'Walk 3'])
    expect(await asked({ is_movement: false, category: null })).toEqual(['Walk 0', 'Walk 1', 'Walk 2', 'Walk 3'])
    expect(await asked({}, { limit: 2 })).toEqual(['Walk 0', 'Walk 1'])
    expect(await asked({}, { sort: { name: 'DESC' } })).toEqual(['Walk 3', 'Walk 2', 'Walk 1', 'Walk 0'])
    expect(await asked({ name: 'Walk 0' }, { include: ['location', 'owner'] })).toEqual(['Walk 0', 'Long field'])
    const either = await client.log.fetch({
      filter: {
        $or: [
          { type: 'log--observation', name: 'Walk 0' },
          { type: 'log--observation', timestamp: days[3] },
        ],
      },
    })
    expect(namesOf(either.data)).toEqual(['Walk 0', 'Walk 3'])
  })

  it('fetches all pages of more than fifty', async () => {
    const terms = Array.from({ length: 59 }, (_, index) =>
      client.term.create({ type: 'taxonomy_term--season', name: `Season ${index}` }),
    )
    for (const term of terms) await client.term.send(term)
    const fetched = async (limit: number) =>
      (await client.term.fetch({ filter: { type: 'taxonomy_term--season' }, limit })).data.length
    expect(await fetched(Number.POSITIVE_INFINITY)).toBe(59)
    expect(await fetched(52)).toBe(52)
  })

  it('sends a quantity first and then the log that it belongs to', async () => {
    const unit = client.term.create({ type: 'taxonomy_term--unit', name: 'kg' })
    await client.term.send(unit)
    const quantity = client.quantity.create({
      type: 'quantity--standard',
      measure: 'weight',
      value: { numerator: 125, denominator: 10 },
      units: identifierOf(unit),
    })
    await client.quantity.send(quantity)
    const log = client.log.create({ type: 'log--harvest', name: 'Kale', quantity: [identifierOf(quantity)] })
    const sent = await client.log.send(log)
    expect(sent.relationships.quantity).toMatchObject([identifierOf(quantity)])
    const { data } = await client.log.fetch({
      filter: { type: 'log--harvest', id: log.id },
      include: ['quantity', 'quantity.units'],
    })
    expect(data.map(({ type }: Entity) => type)).toEqual(['log--harvest', 'quantity--standard', 'taxonomy_term--unit'])
    expect(data[1].attributes.value).toEqual({ numerator: 125, denominator: 10, decimal: '12.5' })
  })

  it('sends a log together with what is found or made for it', async () => {
    const log = client.log.create({ type: 'log--input', name: 'Spread compost', status: 'done' })
    const [sent] = await client.log.send(log, {
      subrequest: {
        category: {
          $find: { type: 'taxonomy_term--log_category', name: 'Soil' },
          $createIfNotFound: true,
        },
        quantity: {
          $create: {
            type: 'quantity--standard',
            measure: 'volume',
            value: { numerator: 3, denominator: 1 },
            units: { $find: { type: 'taxonomy_term--unit', name: 'm3' }, $createIfNotFound: true },
          },
        },
      },
    })
    expect(sent).toMatchObject({ id: log.id, attributes: { name: 'Spread compost' } })
    const { data } = await client.log.fetch({
      filter: { type: 'log--input', id: log.id },
      include: ['category', 'quantity', 'quantity.units'],
    })
    const names = data.map(({ type, attributes }: Entity) => [type, attributes.name ?? attributes.measure])
    expect(names).toEqual([
      ['log--input', 'Spread compost'],
      ['taxonomy_term--log_category', 'Soil'],
      ['quantity--standard', 'volume'],
      ['taxonomy_term--unit', 'm3'],
    ])
  })

  it('sends files first and then the log that names them, and reads them back', async () => {
    const log = client.log.create({ type: 'log--observation', name: 'Rust on the beans' })
    const files = {
      image: [{ data: png, filename: 'leaf.png' }],
      file: [{ data: Buffer.from('row,plants\n1,7\n'), filename: 'count.csv' }],
    }
    const sent = await told(client.log.send(log, { files }))
    expect(sent).toMatchObject({
      id: log.id,
      relationships: { image: [{ type: 'file--file' }], file: [{ type: 'file--file' }] },
    })
    const { data } = await client.log.fetch({
      filter: { type: 'log--observation', id: log.id },
      include: ['image', 'file'],
    })
    const kept = data.filter(({ type }: Entity) => type === 'file--file').map(({ attributes }: Entity) => attributes)
    expect(kept.map(({ filename, filemime }: Json) => [filename, filemime])).toEqual([
      ['leaf.png', 'image/png'],
      ['count.csv', 'text/csv'],
    ])
    const bytes = await client.remote.request(kept[1].uri.url, { responseType: 'text', transformResponse: [] })
    expect(bytes.data).toBe('row,plants\n1,7\n')
  })

  it('finds people by their UUIDs', async () => {
    const { data } = await client.remote.info()
    const { id } = data.meta.links.me.meta
    const found = await client.user.fetch({ filter: { type: 'user--user', id } })
    expect(found.data).toMatchObject([{ id, attributes: { display_name: login.name } }])
  })

  it('updates, merges and sends what the record interface has made, with terms by name and quantities', async () => {
    const older = await farm.login('manager')
    const area = { name: 'South end', vocabulary: 'farm_areas', area_type: 'field' }
    const place = await older.create('taxonomy_term', area)
    const herd = await older.create('farm_asset', { name: 'Ewes', type: 'group' })
    const ewe = { name: 'Berta', type: 'animal', animal_type: { name: 'Sheep of ours' } }
    const animal = await older.create('farm_asset', ewe)
    const log = await older.create('log', {
      name: 'Limed',
      type: 'farm_input',
      timestamp: 1_700_000_000,
      material: [{ name: 'Dolomite' }],
      quantity: [{ measure: 'weight', value: '12', unit: { name: 'sacks' } }],
      movement: { area: [{ id: place }] },
      asset: [{ id: herd }, { id: animal }],
    })
    const uuidOf = async (path: string) => (await older.read(`${path}.json?with=uuid`)).uuid
    const entityOf = async (kind: 'log' | 'asset' | 'term' | 'quantity', filter: Json): Promise<Entity> => {
      const { data, rejected } = await client[kind].fetch({ filter })
      expect(rejected).toEqual([])
      return data[0]
    }
    const made = [
      ['log', { type: 'log--input', id: await uuidOf(`/log/${log}`) }, { status: 'done' }],
      ['asset', { type: 'asset--land', id: await uuidOf(`/taxonomy_term/${place}`) }, { name: 'Southern end' }],
      ['asset', { type: 'asset--group', id: await uuidOf(`/farm_asset/${herd}`) }, { name: 'Old ewes' }],
      ['asset', { type: 'asset--animal', id: await uuidOf(`/farm_asset/${animal}`) }, { nickname: ['Bert'] }],
      ['term', { type: 'taxonomy_term--animal_type', name: 'Sheep of ours' }, { name: 'Sheep' }],
      ['term', { type: 'taxonomy_term--unit', name: 'sacks' }, { name: 'bags' }],
      ['quantity', { type: 'quantity--standard', label: null, measure: 'weight' }, { label: 'Lime' }],
      ['quantity', { type: 'quantity--material' }, { label: 'Dolomite' }],
    ] as const
    for (const [kind, filter, props] of made) {
      const remote = await entityOf(kind, filter)
      const local = client[kind].merge(undefined as unknown as Entity, remote)
      const changed = client[kind].merge(client[kind].update(local, props), remote)
      const sent = await told(client[kind].send(changed))
      expect(sent, kind).toMatchObject({ id: remote.id, attributes: props })
    }
  })

  it('deletes what it has sent', async () => {
    const log = client.log.create({ type: 'log--activity', name: 'To be forgotten' })
    await client.log.send(log)
    expect((await client.log.delete('activity', log.id)).status).toBe(204)
    expect((await client.log.fetch({ filter: { type: 'log--activity', id: log.id } })).data).toEqual([])
    await expect(client.log.delete('activity', log.id)).rejects.toSatisfy((error) => statusOf(error) === 404)
  })

  it('refreshes its token before it is over', async () => {
    const brief = farmOSFor(farm.base)
    const { access_token } = await brief.remote.authorize(login.name, login.password)
    brief.remote.getToken().expires = Date.now()
    expect((await brief.remote.info()).data.meta.links.me.meta.id).toEqual(expect.any(String))
    expect(brief.remote.getToken().access_token).not.toBe(access_token)
  })
})
