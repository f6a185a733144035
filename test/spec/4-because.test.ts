import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const now = 1_700_000_000
const day = 86_400

let farm: FarmUnderTest
let client: Client
let barn: string
let field: string
let herd: string

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  client = await farm.login('worker')
  barn = await client.create('taxonomy_term', { name: 'Barn', vocabulary: 'farm_areas' })
  field = await client.create('taxonomy_term', {
    name: 'Field',
    vocabulary: 'farm_areas',
    geofield: [{ geom: 'POINT (1 2)' }],
  })
  herd = await client.create('farm_asset', { name: 'Herd', type: 'group' })
})

const animal = (name: string) => client.create('farm_asset', { name, type: 'animal', animal_type: { name: 'Cow' } })

const log = (name: string, asset: string, fields: object) =>
  client.create('log', { name, type: 'farm_activity', done: 1, asset: [{ id: asset }], timestamp: now, ...fields })

const to = (id: string) => ({ movement: { area: [{ id }] } })

async function because(asset: string, query = ''): Promise<Record<string, Json>> {
  const { values } = await client.read(`/farm_asset/${asset}/because.json${query}`)
  return Object.fromEntries(values.map((one: Json) => [one.field, one]))
}

describe('because.json', () => {
  it('names the log that decided, who wrote it and when, and why others did not', async () => {
    const cow = await animal('Elsa')
    const first = await log('Out', cow, { timestamp: now - 9 * day, ...to(field) })
    const twin = await log('In', cow, { timestamp: now - 5 * day, ...to(field) })
    const decisive = await log('Really in', cow, { timestamp: now - 5 * day, ...to(barn) })
    const undone = await log('Out again', cow, { timestamp: now - day, done: 0, ...to(field) })
    const looked = await log('Looked', cow, { timestamp: now - 2 * day })
    const planned = await log('To the show', cow, { timestamp: now + day, ...to(field) })
    const { uuid } = await farm.installation.database.read((tables) =>
      tables.selectFrom('log').select('uuid').where('id', '=', Number(decisive)).executeTakeFirstOrThrow(),
    )
    const { location, geometry } = await because(cow)
    expect(location.value).toEqual((await client.read(`/farm_asset/${cow}.json`)).location)
    expect(location.decided_by).toEqual([
      {
        uri: `${farm.base}/log/${decisive}`,
        id: decisive,
        resource: 'log',
        uuid,
        name: 'Really in',
        timestamp: String(now - 5 * day),
        who: { uid: expect.stringMatching(/^\d+$/), name: client.login.name },
      },
    ])
    expect(location.sentence).toBe(
      `The latest done log that moves it says so: log ${decisive}, “Really in”, of 2023-11-09 22:13 UTC.`,
    )
    const others = location.others.map((other: Json) => [other.log.id, other.code, other.sentence])
    expect(others).toEqual([
      [planned, 'not-yet', 'This log is planned: its time, 2023-11-15 22:13 UTC, has not come yet.'],
      [
        undone,
        'not-done',
        'This log is not done yet. Once it is marked as done, it counts from 2023-11-13 22:13 UTC on.',
      ],
      [twin, 'same-second', expect.stringContaining(`the higher number counts: log ${decisive}`)],
      [first, 'earlier', expect.stringContaining(`a later one counts: log ${decisive}`)],
      [looked, 'says-nothing', 'This log says nothing of where it went.'],
    ])
    expect(geometry).toMatchObject({ value: '', decided_by: [{ id: decisive }] })
    expect(geometry.sentence).toContain('gives no shape')
  })

  it('says so where nothing was decided, or is not any more', async () => {
    const hen = await animal('Hen')
    expect(await because(hen)).toMatchObject({
      location: { value: [], decided_by: [], more: 0, others: [], sentence: 'No done log says where it is.' },
      geometry: { value: '', decided_by: [], sentence: 'No done log says where it is.' },
      group: { value: [], decided_by: [], sentence: 'No done log puts it into a group.' },
      inventory: { value: '0', decided_by: [], sentence: 'No done log says how much there is of it, so it is 0.' },
    })
    const gone = await log('Moved', hen, to(barn))
    expect((await because(hen)).location.decided_by).toMatchObject([{ id: gone }])
    await client.delete(`/log/${gone}`)
    expect((await because(hen)).location).toMatchObject({
      value: [],
      decided_by: [],
      others: [{ log: { id: gone }, code: 'removed', sentence: expect.stringContaining('lies in the trash') }],
    })
  })

  it('lists the latest logs that add up to an inventory, how many more, and what does not count', async () => {
    const hay = await client.create('farm_asset', { name: 'Hay', type: 'equipment' })
    const added: string[] = []
    for (let nth = 0; nth < 7; nth += 1)
      added.push(
        await log(`Bale ${nth}`, herd, {
          timestamp: now - 10 + nth,
          inventory: [{ asset: { id: hay }, value: '1.5' }],
        }),
      )
    const undone = await log('Eaten', herd, { done: 0, inventory: [{ asset: { id: hay }, value: '-1' }] })
    const { inventory } = await because(hay)
    expect(inventory).toMatchObject({ value: '10.5', more: 2, sentence: '7 done logs add up to it.' })
    expect(inventory.decided_by.map(({ id }: Json) => id)).toEqual(added.toReversed().slice(0, 5))
    expect(inventory.others).toMatchObject([{ log: { id: undone }, code: 'not-done' }])
  })

  it('goes back in time', async () => {
    const cow = await animal('Berta')
    const first = await log('Out', cow, { timestamp: now - 9 * day, ...to(field) })
    const later = await log('In', cow, { timestamp: now - 5 * day, ...to(barn) })
    const asked = now - 6 * day
    const { location, geometry } = await because(cow, `?as_of=${asked}`)
    expect(location).toMatchObject({ value: [{ name: 'Field' }], decided_by: [{ id: first }] })
    expect(location.others).toMatchObject([{ log: { id: later }, code: 'not-yet' }])
    expect(location.others[0].sentence).toContain('and 2023-11-08 22:13 UTC was asked for')
    expect(geometry.sentence).toContain('as they are drawn today')
    expect((await client.read(`/farm_asset/${cow}/because.json?as_of=${asked}`)).as_of).toBe(String(asked))
    expect((await client.read(`/farm_asset/${cow}/because.json`)).as_of).toBeNull()
  })

  it('tells of an area for each asset which log put it there, in pages', async () => {
    const pen = await client.create('taxonomy_term', { name: 'Pen', vocabulary: 'farm_areas' })
    const goats: string[] = []
    for (const name of ['Ada', 'Ida', 'Uma']) goats.push(await animal(name))
    const early = await log('Before', goats[0] ?? '', { timestamp: now - 2 * day, ...to(barn) })
    const herded = await log('Herded', '', {
      asset: goats.map((id) => ({ id })),
      timestamp: now - day,
      ...to(pen),
      membership: { group: [{ id: herd }] },
    })
    const page = await client.read(`/taxonomy_term/${pen}/because.json?limit=2`)
    expect(page.values).toMatchObject([{ field: 'assets', value: goats.map((id) => ({ id })), decided_by: [] }])
    expect(page.values[0].sentence).toBe('3 assets are there, and the list says for each which log put it there.')
    expect(page.list.map(({ asset }: Json) => asset.id)).toEqual(goats.slice(0, 2))
    expect(page.list[0]).toMatchObject({
      field: 'location',
      value: [{ id: pen, name: 'Pen' }],
      decided_by: [{ id: herded }],
      others: [{ log: { id: early }, code: 'earlier' }],
    })
    expect(page.next).toBe(`${farm.base}/taxonomy_term/${pen}/because?limit=2&page=1`)
    const second = await client.read(page.next.slice(farm.base.length))
    expect(second.list.map(({ asset }: Json) => asset.id)).toEqual(goats.slice(2))
    expect((await client.get(`/taxonomy_term/${pen}/because.json?limit=2&page=2`)).status).toBe(404)
    const group = await client.read(`/farm_asset/${herd}/because.json`)
    expect(group.list.map(({ asset, field, decided_by }: Json) => [asset.id, field, decided_by[0].id])).toEqual(
      goats.map((id) => [id, 'group', herded]),
    )
    expect((await client.read(`/taxonomy_term/${pen}/because.json?as_of=${now - 3 * day}`)).list).toEqual([])
  })

  it('is the same tree in XML, and has a tag of its bytes', async () => {
    const cow = await animal('Cora')
    await log('In', cow, to(barn))
    const { text } = await client.get(`/farm_asset/${cow}/because.xml`)
    expect(text).toMatch(/^<\?xml[^>]*>\n<because><self>.*<values><item><field>location<\/field><value><item resource=/)
    expect(text).toContain('<who><uid>')
    const answer = await client.get(`/farm_asset/${cow}/because`)
    const tag = answer.headers.get('etag') ?? ''
    expect((await client.get(`/farm_asset/${cow}/because`, { 'if-none-match': tag })).status).toBe(304)
    await log('Out', cow, to(field))
    expect((await client.get(`/farm_asset/${cow}/because`, { 'if-none-match': tag })).status).toBe(200)
  })

  it('finds what may be expected to decide among many logs, and reads few of them', async () => {
    const cow = await animal('Ruth')
    const decisive = await log('In', cow, { timestamp: now - day, ...to(barn) })
    const operations = Array.from({ length: 150 }, (_, nth) => ({
      method: 'POST',
      path: '/log',
      body: { name: `Milk ${nth}`, type: 'farm_activity', timestamp: now - 150 + nth, done: 1, asset: [{ id: cow }] },
    }))
    expect((await client.post('/batch', { operations })).status).toBe(200)
    const { location } = await because(cow)
    expect(location.decided_by).toMatchObject([{ id: decisive }])
    expect(location.others.map((one: Json) => one.log.name)).toEqual([149, 148, 147, 146, 145].map((n) => `Milk ${n}`))
  })

  it('is refused where nothing follows from logs, and where it could not be understood', async () => {
    const crop = await client.create('taxonomy_term', { name: 'Kale', vocabulary: 'farm_crops' })
    expect((await client.get(`/taxonomy_term/${crop}/because.json`)).status).toBe(404)
    expect((await client.get('/farm_asset/99999/because.json')).status).toBe(404)
    expect((await client.get('/farm_asset/x/because.json')).status).toBe(404)
    expect((await client.get('/log/1/because.json')).status).toBe(404)
    expect((await client.post(`/farm_asset/${herd}/because.json`, {})).status).toBe(405)
    for (const query of [`as_of=${now + 1}`, 'as_of=x', 'limit=0', 'page=-1', 'with=group', 'page[]=1'])
      expect((await client.get(`/farm_asset/${herd}/because.json?${query}`)).status, query).toBe(400)
  })
})
