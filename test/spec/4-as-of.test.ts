import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const now = 1_700_000_000
const day = 86_400

let farm: FarmUnderTest
let client: Client
let barn: string
let field: string
let herd: string
let cow: string

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  client = await farm.login('worker')
  barn = await client.create('taxonomy_term', {
    name: 'Barn',
    vocabulary: 'farm_areas',
    geofield: [{ geom: 'POINT (1 2)' }],
  })
  field = await client.create('taxonomy_term', { name: 'Field', vocabulary: 'farm_areas' })
  herd = await client.create('farm_asset', { name: 'Herd', type: 'group' })
  cow = await client.create('farm_asset', { name: 'Elsa', type: 'animal', animal_type: { name: 'Cow' } })
  await log({ timestamp: now - 10 * day, movement: { area: [{ id: barn }] }, membership: { group: [{ id: herd }] } })
  await log({ timestamp: now - 5 * day, movement: { area: [{ id: field }] }, inventory: [{ asset: cow, value: '2' }] })
})

const log = (fields: object) =>
  client.create('log', { name: 'Log', type: 'farm_activity', done: 1, asset: [{ id: cow }], ...fields })

afterEach(() => farm.setClock(now))

const tagOf = (answer: Answer) => answer.headers.get('etag') ?? ''

describe('as_of', () => {
  it.each([
    [now - 11 * day, [], '', '0', []],
    [now - 10 * day, ['Barn'], 'POINT (1 2)', '0', ['Herd']],
    [now - 5 * day - 1, ['Barn'], 'POINT (1 2)', '0', ['Herd']],
    [now - 5 * day, ['Field'], '', '2', ['Herd']],
    [now, ['Field'], '', '2', ['Herd']],
  ])('%i shows an asset as it was then, that second included', async (second, places, shape, level, groups) => {
    const path = `/farm_asset/${cow}.json?with=inventory,group&as_of=${second}`
    for (const shown of [
      await client.read(path),
      (await client.read(`/farm_asset.json?id=${cow}${path.slice(path.indexOf('&'))}&with=inventory,group`)).list[0],
    ]) {
      expect(shown.location.map(({ name }: Json) => name)).toEqual(places)
      expect(shown.geometry ?? '').toBe(shape)
      expect(shown.inventory).toBe(level)
      expect(shown.group.map(({ id }: Json) => id)).toEqual(groups.map(() => herd))
    }
  })

  it('finds by what was computed then, in areas and groups too', async () => {
    const before = `as_of=${now - 6 * day}`
    expect(await client.ids(`/farm_asset.json?location=Barn&${before}`)).toEqual([cow])
    expect(await client.ids('/farm_asset.json?location=Barn')).toEqual([])
    expect(await client.ids(`/taxonomy_term.json?assets=${cow}&${before}`)).toEqual([barn])
    expect(await client.ids(`/farm_asset.json?group=${herd}&as_of=${now - 20 * day}`)).toEqual([])
    expect(await client.ids(`/farm_asset.json?members=${cow}&${before}`)).toEqual([herd])
    expect((await client.read(`/taxonomy_term/${barn}.json?${before}`)).assets).toMatchObject([{ id: cow }])
    expect((await client.read(`/farm_asset/${herd}.json?with=members&${before}`)).members).toMatchObject([{ id: cow }])
  })

  it('is the same in XML', async () => {
    const { text } = await client.get(`/farm_asset/${cow}.xml?as_of=${now - 6 * day}`)
    expect(text).toContain('name="Barn"')
    expect((await client.get(`/farm_asset.xml?id=${cow}&as_of=${now - 6 * day}`)).text).toContain('name="Barn"')
  })

  it('lists what was made later too, and shows areas as they are drawn today', async () => {
    const drawn = await client.create('taxonomy_term', { name: 'Drawn', vocabulary: 'farm_areas' })
    const calf = await client.create('farm_asset', { name: 'Calf', type: 'animal', animal_type: { name: 'Cow' } })
    await log({ timestamp: now - 3 * day, asset: [{ id: calf }], movement: { area: [{ id: drawn }] } })
    await client.put(`/taxonomy_term/${drawn}`, { geofield: [{ geom: 'POINT (5 5)' }] })
    expect(await client.ids(`/farm_asset.json?name=Calf&as_of=${now - 100 * day}`)).toEqual([calf])
    expect((await client.read(`/farm_asset/${calf}.json?as_of=${now - 2 * day}`)).geometry).toBe('POINT (5 5)')
  })

  it('counts an asset as archived from that second on, and never before', async () => {
    const ox = await client.create('farm_asset', { name: 'Ox', type: 'equipment', archived: String(now - 2 * day) })
    await log({
      timestamp: now - 4 * day,
      asset: [{ id: ox }],
      movement: { area: [{ id: barn }] },
      membership: { group: [{ id: herd }] },
    })
    const there = async (second: number) => [
      (await client.read(`/taxonomy_term/${barn}.json?as_of=${second}`)).assets.map(({ id }: Json) => id).includes(ox),
      (await client.ids(`/taxonomy_term.json?assets=${ox}&as_of=${second}`)).includes(barn),
      (await client.ids(`/farm_asset.json?members=${ox}&as_of=${second}`)).includes(herd),
    ]
    expect(await there(now - 2 * day - 1)).toEqual([true, true, true])
    expect(await there(now - 2 * day)).toEqual([false, false, false])
    // Today what says that it is archived is, also where it names a day to come.
    await client.put(`/farm_asset/${ox}`, { archived: String(now + day) })
    expect(await there(now)).toEqual([true, true, true])
    expect(await client.ids(`/taxonomy_term.json?assets=${ox}`)).toEqual([])
  })

  it('stands in the links of a list', async () => {
    const { self, next } = await client.read(`/farm_asset.json?limit=1&as_of=${now - day}`)
    expect([self, next]).toEqual(
      [0, 1].map((page) => `${farm.base}/farm_asset?limit=1&as_of=${now - day}&page=${page}`),
    )
  })

  it('has a tag of its own, which no coming time of a log and no other past changes', async () => {
    const paths = [`/farm_asset/${cow}.json`, '/farm_asset.json', '/taxonomy_term.json']
    await log({ timestamp: now + 50, movement: { area: [{ id: barn }] } })
    for (const path of paths) {
      farm.setClock(now)
      const asked = `${path}?as_of=${now - day}`
      const others = [path, `${path}?as_of=${now - day - 1}`, `${path}?as_of=${now}`]
      const tag = tagOf(await client.get(asked))
      for (const other of others) expect(tagOf(await client.get(other))).not.toBe(tag)
      const plain = tagOf(await client.get(path))
      // On a PostgreSQL server what others do in other databases may spoil a tag, to be safe: then it is asked for again.
      await expect
        .poll(async () => {
          farm.setClock(now)
          const before = tagOf(await client.get(asked))
          farm.setClock(now + 50)
          const { status, headers } = await client.get(asked, { 'if-none-match': before })
          return [status, headers.get('etag') === before]
        })
        .toEqual([304, true])
      expect((await client.get(path, { 'if-none-match': plain })).status).toBe(200)
    }
    farm.setClock(now)
    expect((await client.read(`/farm_asset/${cow}.json?as_of=${now}`)).location).toMatchObject([{ name: 'Field' }])
  })

  it('follows a log that is written, edited and deleted late', async () => {
    const second = now - 8 * day
    const path = `/farm_asset/${cow}.json?as_of=${second}`
    const list = `/farm_asset.json?location=Field&as_of=${second}`
    const before = await client.get(path)
    expect([before.body.location[0].name, await client.ids(list)]).toEqual(['Barn', []])
    const late = await log({ timestamp: second, movement: { area: [{ id: field }] } })
    const after = await client.get(path, { 'if-none-match': tagOf(before) })
    expect([after.status, after.body.location[0].name, await client.ids(list)]).toEqual([200, 'Field', [cow]])
    await client.put(`/log/${late}`, { done: 0 })
    expect((await client.read(path)).location[0].name).toBe('Barn')
    await client.put(`/log/${late}`, { done: 1 })
    expect(await client.ids(list)).toEqual([cow])
    await client.delete(`/log/${late}`)
    expect([(await client.read(path)).location[0].name, await client.ids(list)]).toEqual(['Barn', []])
  })

  it('reads beside the present without either taking the place of the other', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await client.read(`/farm_asset.json?id=${cow}`)).list[0].location[0].name).toBe('Field')
      const past = await client.read(`/farm_asset.json?id=${cow}&as_of=${now - 6 * day}`)
      expect(past.list[0].location[0].name).toBe('Barn')
    }
  })

  it('lets a record be changed by the tag it was read with', async () => {
    const tag = tagOf(await client.get(`/farm_asset/${cow}.json?as_of=${now - day}`))
    const put = async (flags: readonly string[]) => {
      const headers = { 'if-match': tag, 'content-type': 'application/json' }
      return (await client.send('PUT', `/farm_asset/${cow}`, { headers, body: JSON.stringify({ flags }) })).status
    }
    expect([await put(['monitor']), await put(['priority'])]).toEqual([200, 412])
  })

  it('changes nothing for a term that is no area', async () => {
    const crop = await client.create('taxonomy_term', { name: 'Kale', vocabulary: 'farm_crops' })
    const past = await client.read(`/taxonomy_term/${crop}.json?as_of=${now - day}`)
    expect(past).toEqual(await client.read(`/taxonomy_term/${crop}.json`))
  })
})

describe('as_of is refused', () => {
  const refused = async (answer: Answer) => {
    expect([answer.status, answer.body?.errors?.[0]?.field], answer.text).toEqual([400, 'as_of'])
    return answer.body.errors[0].message
  }

  it('refuses a time in the future, and allows it once it has come', async () => {
    expect(await refused(await client.get(`/farm_asset.json?as_of=${now + 1}`))).toContain('future')
    expect(await refused(await client.get(`/farm_asset/${cow}.json?as_of=${now + 1}`))).toContain('future')
    farm.setClock(now + 1)
    expect((await client.get(`/farm_asset.json?as_of=${now + 1}`)).status).toBe(200)
    farm.setClock(now)
    expect(await refused(await client.get(`/farm_asset.json?as_of=${now + 1}`))).toContain('future')
  })

  it.each([
    'as_of=',
    'as_of',
    'as_of=yesterday',
    'as_of=1.5',
    'as_of=2023-05-03',
    'as_of=1&as_of=2',
    'as_of=1e9',
    'as_of=%201',
  ])('where it is no whole number, or given twice: %s', async (query) => {
    await refused(await client.get(`/farm_asset.json?${query}`))
    await refused(await client.get(`/taxonomy_term/${barn}.json?${query}`))
  })

  it.each([-62_135_596_801, -8_640_000_000_001, -9_007_199_254_740_991, 253_402_300_800, 9_007_199_254_740_991])(
    'beyond the years 1 to 9999: %i',
    async (second) => {
      for (const path of ['/farm_asset.json', `/farm_asset/${cow}.json`, `/farm_asset/${cow}/because.json`])
        await refused(await client.get(`${path}?as_of=${second}`))
      const { status, body } = await client.get(`/api/asset/animal?as_of=${second}`)
      expect([status, body.errors[0].source]).toEqual([400, { parameter: 'as_of' }])
    },
  )

  it('not in the first second of the year 1', async () => {
    for (const path of ['/farm_asset.json', `/farm_asset/${cow}/because.json`, '/api/asset/animal'])
      expect((await client.get(`${path}?as_of=-62135596800`)).status).toBe(200)
  })

  it.each(['as_of[]=1', 'as_of[ge]=1'])('in brackets: %s', async (query) => {
    await refused(await client.get(`/farm_asset.json?${query}`))
    await refused(await client.get(`/farm_asset/${cow}.json?${query}`))
  })

  it.each([
    '/log.json',
    '/log/1.json',
    '/user.json',
    '/user/1.json',
    '/taxonomy_vocabulary.json',
    '/taxonomy_vocabulary/1.xml',
  ])('of what no log says anything: %s', async (path) => {
    const answer = await client.get(`${path}?as_of=${now - day}`, { accept: 'application/json' })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('as_of')])
  })

  it('on a write, which leaves everything as it is', async () => {
    const query = `?as_of=${now - day}`
    const body = { name: 'New', type: 'equipment' }
    const before = await client.ids('/farm_asset.json')
    await refused(await client.post(`/farm_asset${query}`, body))
    await refused(await client.put(`/farm_asset/${cow}${query}`, { name: 'Else' }))
    await refused(await client.post(`/farm_asset/${cow}${query}`, { name: 'Else' }))
    await refused(await client.delete(`/farm_asset/${cow}${query}`))
    await refused(await client.post(`/batch${query}`, { operations: [{ method: 'POST', path: '/farm_asset', body }] }))
    expect(await client.ids('/farm_asset.json')).toEqual(before)
    expect((await client.read(`/farm_asset/${cow}.json`)).name).toBe('Elsa')
  })

  it('after the right to read: who may not, learns nothing else', async () => {
    expect((await farm.anonymous.get('/farm_asset.json?as_of=x')).status).toBe(403)
    expect((await (await farm.login('viewer')).delete(`/farm_asset/${cow}?as_of=1`)).status).toBe(403)
  })
})
