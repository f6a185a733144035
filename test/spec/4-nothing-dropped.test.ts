import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { png, textFile } from '../records/sample-files.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

const log = (more: Json = {}) => ({ name: 'L', type: 'farm_activity', timestamp: '1', ...more })

const refusedAt = (answer: Answer): Json => {
  expect(answer.status, answer.text).toBe(422)
  return answer.body.errors.map(({ field }: Json) => field)
}

describe('2.9 a file is kept however its address is given', () => {
  const forms: readonly [string, (address: string) => unknown][] = [
    ['uri', (uri) => ({ uri })],
    ['url', (url) => ({ url })],
    ['src', (src) => ({ src })],
    ['file.uri', (uri) => ({ file: { uri } })],
    ['file.url', (url) => ({ file: { url } })],
    ['a reference', (uri) => ({ uri, id: uri.split('/').at(-2), resource: 'file' })],
  ]

  it.each(shareOfThisEngine(forms))('keeps a file that an update names by %s', async (_name, form) => {
    const { id } = (await client.post('/log', log({ images: [png('a')] }))).body
    const { images } = await client.read(`/log/${id}.json?files=link`)
    const changed = await client.put(`/log/${id}?files=link`, { images: images.map(form), name: 'Changed' })
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body.images).toEqual(images)
    const operations = [{ method: 'PUT', path: `/log/${id}`, body: { images: images.map(form) } }]
    expect((await client.post('/batch', { operations })).status).toBe(200)
    expect((await client.read(`/log/${id}.json?files=link`)).images).toEqual(images)
    expect((await client.get(new URL(images[0]).pathname)).status).toBe(200)
  })

  it.each(
    shareOfThisEngine([
      ['<item resource="file">', '</item>'],
      ['<item><uri>', '</uri></item>'],
      ['<item><file><uri>', '</uri></file></item>'],
    ]),
  )('in XML: %s', async (before, behind) => {
    const { id } = (await client.post('/log', log({ files: [textFile('a')] }))).body
    const { files } = await client.read(`/log/${id}.json?files=link`)
    const body = `<log><files>${before}${files[0]}${behind}</files></log>`
    const answer = await client.send('PUT', `/log/${id}`, { headers: { 'content-type': 'application/xml' }, body })
    expect(answer.status, answer.text).toBe(200)
    expect((await client.read(`/log/${id}.json?files=link`)).files).toEqual(files)
  })

  it('a data URI is taken from data', async () => {
    const { id } = (await client.post('/log', log({ images: [{ data: png('b') }] }))).body
    expect((await client.read(`/log/${id}.json`)).images).toEqual([png('b')])
  })

  it.each(
    shareOfThisEngine([
      [{ uri: 'https://elsewhere.example/file/1/photo.png' }, 'images[0]'],
      [{ url: 'https://elsewhere.example/photo.png' }, 'images[0].url'],
      [{ src: '/etc/passwd' }, 'images[0].src'],
      [{ data: 'https://elsewhere.example/photo.png' }, 'images[0].data'],
      [{ file: { uri: 'photo.png' } }, 'images[0].file.uri'],
      [{ file: 'photo.png' }, 'images[0].file'],
      [{ colour: 'red' }, 'images[0]'],
      [{ file: { colour: 'red' } }, 'images[0].file'],
      [{ id: null, colour: 'red' }, 'images[0]'],
      [{ uri: 5 }, 'images[0].uri'],
      [{ data: { colour: 'red' } }, 'images[0].data'],
    ]),
  )('%j is refused, and the files stay', async (image, field) => {
    const { id } = (await client.post('/log', log({ images: [png('a')] }))).body
    expect(refusedAt(await client.put(`/log/${id}`, { images: [image] }))).toEqual([field])
    expect((await client.read(`/log/${id}.json`)).images).toEqual([png('a')])
  })

  it.each(
    shareOfThisEngine([
      { id: null },
      { fid: '' },
      { file: { id: null } },
      { id: '', uri: '', resource: 'file' },
      {},
      null,
      '',
    ]),
  )('%j is an empty template and means none', async (image) => {
    const { id } = (await client.post('/log', log({ images: [png('a')] }))).body
    expect((await client.put(`/log/${id}`, { images: [image] })).status).toBe(200)
    expect((await client.read(`/log/${id}.json`)).images).toEqual([])
  })
})

describe('2 what a field cannot keep is refused in every kind, never left out', () => {
  it.each(
    shareOfThisEngine([
      ['log', log({ asset: [{ id: null, uri: 'https://elsewhere.example/farm_asset/5' }] }), 'asset[0]'],
      ['log', log({ log_category: [{ id: '', colour: 'red' }] }), 'log_category[0]'],
      ['log', log({ notes: { value: 'x', format: {} } }), 'notes.format'],
      ['log', log({ notes: { value: 'x', format: ['farm_format'] } }), 'notes.format'],
      ['log', log({ geofield: [{ geom: '', lat: '50.1', lon: '7.2' }] }), 'geofield[0]'],
      ['taxonomy_term', { name: 'S', vocabulary: 'farm_season', date_range: { value2: '5' } }, 'date_range.value'],
      ['taxonomy_term', { name: 'S', vocabulary: 'farm_season', date_range: { begin: '5' } }, 'date_range.begin'],
      [
        'taxonomy_term',
        { name: 'S', vocabulary: 'farm_season', date_range: { value: '5', end: '6' } },
        'date_range.end',
      ],
    ]),
  )('refuses to write %s %j and names the field', async (type, body, field) => {
    expect(refusedAt(await client.post(`/${type}`, body))).toEqual([field])
  })

  it.each(
    shareOfThisEngine([
      ['log', log({ asset: [{ id: null, resource: 'farm_asset' }], geofield: [{ geom: null }] })],
      ['taxonomy_term', { name: 'S', vocabulary: 'farm_season', date_range: { value: '', value2: null } }],
    ]),
  )('%s %j is a template that was left empty', async (type, body) => {
    expect((await client.post(`/${type}`, body)).status).toBe(201)
  })
})

it('2.8 an inventory adjustment says of which asset, and by how much', async () => {
  const asset = await client.create('farm_asset', { name: 'Hay', type: 'compost' })
  const inventory = [{ asset: { id: asset } }, { value: '5' }, { asset: { id: null }, value: '3' }, {}]
  expect(refusedAt(await client.post('/log', log({ inventory })))).toEqual([
    'inventory[0].value',
    'inventory[1].asset',
    'inventory[2].asset',
  ])
  expect((await client.post('/log', log({ inventory: [{ asset: { id: asset }, value: 0 }] }))).status).toBe(201)
})

it('2.1 a single reference takes a list of one, and of no more', async () => {
  const animal = (animal_type: unknown) => client.post('/farm_asset', { name: 'A', type: 'animal', animal_type })
  expect((await animal([{ name: 'Sheep' }])).body.animal_type.name).toBe('Sheep')
  expect(refusedAt(await animal([{ name: 'Sheep' }, { name: 'Goat' }]))).toEqual(['animal_type'])
})

describe('2.3 nothing descends from itself', () => {
  it('an asset is not its own ancestor, directly or over others', async () => {
    const make = (parent: readonly string[]) =>
      client.create('farm_asset', { name: 'A', type: 'compost', parent: parent.map((id) => ({ id })) })
    const first = await make([])
    const second = await make([first])
    const third = await make([second])
    for (const parent of [first, second, third]) {
      expect(refusedAt(await client.put(`/farm_asset/${first}`, { parent: [{ id: parent }] }))).toEqual(['parent'])
    }
    expect((await client.put(`/farm_asset/${third}`, { parent: [{ id: first }] })).status).toBe(200)
  })

  const group = (name: string) => client.create('farm_asset', { name, type: 'group' })
  const joining = (asset: string, into: string, more: Json = {}) =>
    log({ done: 1, asset: [{ id: asset }], membership: { group: [{ id: into }] }, ...more })

  it('a group is not its own member, directly or over others at the same moment', async () => {
    const [one, two, three] = [await group('1'), await group('2'), await group('3')]
    expect(refusedAt(await client.post('/log', joining(one, one)))).toEqual(['membership.group'])
    expect(refusedAt(await client.post('/log', joining(one, one, { done: 0 })))).toEqual(['membership.group'])
    expect((await client.post('/log', joining(one, two, { timestamp: 100 }))).status).toBe(201)
    expect((await client.post('/log', joining(two, three, { timestamp: 100 }))).status).toBe(201)
    expect(refusedAt(await client.post('/log', joining(three, one, { timestamp: 100 })))).toEqual(['membership.group'])
    const plan = await client.post('/log', joining(three, one, { timestamp: 100, done: 0 }))
    expect(plan.status).toBe(201)
    expect(refusedAt(await client.put(`/log/${plan.body.id}`, { done: 1 }))).toEqual(['membership.group'])
    expect((await client.read(`/farm_asset/${three}.json?with=group`)).group).toEqual([])
    // Before the others joined there is nothing to go round in.
    expect((await client.post('/log', joining(three, one, { timestamp: 50 }))).status).toBe(201)
  })

  it('also where one batch brings the whole circle', async () => {
    const [one, two] = [await group('1'), await group('2')]
    const operations = [joining(one, two), joining(two, one)].map((body) => ({ method: 'POST', path: '/log', body }))
    expect(refusedAt(await client.post('/batch', { operations }))).toEqual(['operations[1].body.membership.group'])
    expect((await client.read(`/log.json?asset=${one}`)).list).toEqual([])
  })
})
