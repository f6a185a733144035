import { beforeAll, describe, expect, it } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client } from '../harness/client.ts'
import { recordsOfCsv, rowsOfCsv } from '../harness/csv.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

let farm: FarmUnderTest
let client: Client

const sheet = async (path: string, separator = ',') => {
  const answer = await client.get(path)
  expect(answer, answer.text).toMatchObject({ status: 200 })
  return recordsOfCsv(answer.text, separator)
}

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login('manager')
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
})

const photo = `data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC`

describe('a list of logs as a sheet', () => {
  it('has every field of a harvest, in cells that people read', async () => {
    const area = await client.create('taxonomy_term', { name: 'North field', vocabulary: 'farm_areas' })
    const kale = await client.create('farm_asset', { name: 'Kale 2024', type: 'planting', crop: [{ name: 'Kale' }] })
    const id = await client.create('log', {
      name: 'Picked kale',
      type: 'farm_harvest',
      timestamp: '1714543200',
      done: '1',
      asset: [{ id: kale }],
      area: [{ id: area }],
      geofield: [{ geom: 'POINT (7.1 50.2)' }, { geom: 'POINT (7.2 50.3)' }],
      flags: ['priority', 'review'],
      log_category: [{ name: 'Harvests' }, { name: 'Two; halves' }],
      lot_number: 'K-17',
      notes: { value: 'wet,\n"muddy"', format: 'farm_format' },
      images: [photo],
      movement: { area: [{ id: area }], geometry: 'POINT (1 2)' },
      quantity: [
        { measure: 'weight', value: '12.50', unit: { name: 'kg' }, label: 'kale' },
        { measure: 'count', value: '3' },
      ],
      inventory: [{ asset: { id: kale }, value: '-2' }],
      data: '{"a":1}',
    })
    const { body } = await client.get(`/log/${id}.json?with=uuid,version&files=link`)
    const [row] = await sheet(`/log.csv?id=${id}`)
    const { name } = client.login
    expect(row).toMatchObject({
      id,
      type: 'farm_harvest',
      name: 'Picked kale',
      timestamp: '2024-05-01T08:00:00+02:00',
      done: 'yes',
      asset: 'Kale 2024',
      area: 'North field',
      geofield: 'POINT (7.1 50.2); POINT (7.2 50.3)',
      flags: 'priority; review',
      log_category: 'Harvests; "Two; halves"',
      lot_number: 'K-17',
      notes: 'wet,\n"muddy"',
      images: body.images[0],
      'movement.area': 'North field',
      'movement.geometry': 'POINT (1 2)',
      'membership.group': '',
      inventory: `[{"asset":{"id":"${kale}","name":"Kale 2024"},"value":"-2"}]`,
      data: '{"a":1}',
      uid: name,
      log_owner: name,
      uuid: body.uuid,
      version: body.version,
      mother: '',
    })
    expect(JSON.parse(row?.quantity ?? '')).toEqual([
      { measure: 'weight', value: '12.50', unit: { name: 'kg' }, label: 'kale' },
      { measure: 'count', value: '3' },
    ])
  })
})

const term = (vocabulary: string, name: string, more: object = {}) =>
  client.create('taxonomy_term', { name, vocabulary, ...more })

const newLog = (name: string, more: object = {}) =>
  client.create('log', { name, type: 'farm_activity', timestamp: '1700000000', done: '0', ...more })

describe('cells', () => {
  it.each(
    shareOfThisEngine([
      ['=1+1', "'=1+1"],
      ['+49 151 2345', "'+49 151 2345"],
      ['-5', '-5'],
      ['-5.25', '-5.25'],
      ['-5+3', "'-5+3"],
      ['@SUM(A1)', "'@SUM(A1)"],
      ["'=x", "''=x"],
      ["''=x", "'''=x"],
      ['\tx', "'\tx"],
      ['\n=1+1', "'\n=1+1"],
      ['＝1+1', "'＝1+1"],
      ["O'Hara", "O'Hara"],
      ['a\r\nb', 'a\r\nb'],
      ['"quoted", and more', '"quoted", and more'],
      [' around ', ' around '],
      ['日本語 🌱 ﬁ', '日本語 🌱 ﬁ'],
    ]),
  )('a text %j is the cell %j', async (text, cell) => {
    const id = await newLog('Formula', { data: text })
    expect(await sheet(`/log.csv?id=${id}&fields=data`)).toMatchObject([{ data: cell }])
  })

  it('a name that another asset has too comes with its number, also in another case', async () => {
    const make = (name: string) => client.create('farm_asset', { name, type: 'equipment' })
    const [first, second] = [await make('Tractor'), await make('tractor ')]
    const [third, own] = [await make('Cart #3'), await make('Plough')]
    const id = await newLog('Ploughed', { asset: [first, second, third, own].map((one) => ({ id: one })) })
    expect(await sheet(`/log.csv?id=${id}&fields=asset`)).toMatchObject([
      { asset: `Tractor #${first}; tractor  #${second}; Cart #3 #${third}; Plough` },
    ])
    expect(await sheet(`/log.csv?id=${id}&fields=asset&refs=id`)).toMatchObject([
      { asset: [first, second, third, own].join('; ') },
    ])
  })

  it('terms of one name are told apart within their vocabulary only', async () => {
    const [one, other] = [await term('farm_areas', 'Twin'), await term('farm_areas', 'Twin')]
    await term('farm_crops', 'Lonely')
    const lonely = await term('farm_areas', 'Lonely')
    const id = await newLog('Here and there', { area: [{ id: one }, { id: other }, { id: lonely }] })
    expect(await sheet(`/log.csv?id=${id}&fields=area`)).toMatchObject([
      { area: `Twin #${one}; Twin #${other}; Lonely` },
    ])
  })

  it('times are those of the clocks of the farm, in summer and in winter, or Unix seconds', async () => {
    const id = await newLog('Winter', { timestamp: '1704092400' })
    const [row] = await sheet(`/log.csv?id=${id}`)
    expect(row?.timestamp).toBe('2024-01-01T08:00:00+01:00')
    expect(row?.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00$/)
    expect(await sheet(`/log.csv?id=${id}&times=unix`)).toMatchObject([{ timestamp: '1704092400' }])
    const season = await term('farm_season', 'Spring', { date_range: { value: '1704092400', value2: '1714543200' } })
    expect(await sheet(`/taxonomy_term.csv?tid=${season}&fields=date_range`)).toMatchObject([
      { date_range: '2024-01-01T08:00:00+01:00/2024-05-01T08:00:00+02:00' },
    ])
  })

  it('of an animal: yes and no, several names, tags, archived or not', async () => {
    const id = await client.create('farm_asset', {
      name: 'Rosa',
      type: 'animal',
      animal_type: { name: 'Cow' },
      animal_nicknames: ['Rosie', 'Ro; sa'],
      animal_castrated: true,
      animal_sex: 'F',
      date: '1704092400',
      tag: [{ id: '17', location: 'left ear' }],
    })
    const [row] = await sheet(`/farm_asset.csv?id=${id}&with=group`)
    expect(row).toMatchObject({
      animal_type: 'Cow',
      animal_nicknames: 'Rosie; "Ro; sa"',
      animal_castrated: 'yes',
      animal_sex: 'F',
      date: '2024-01-01T08:00:00+01:00',
      tag: '[{"id":"17","location":"left ear"}]',
      archived: '',
      location: '',
      group: '',
      crop: '',
    })
    await client.put(`/farm_asset/${id}`, { archived: '1714543200', animal_castrated: false })
    expect(await sheet(`/farm_asset.csv?id=${id}`)).toMatchObject([
      { archived: '2024-05-01T08:00:00+02:00', animal_castrated: 'no' },
    ])
  })

  it('what is worked out is that of the time that is asked for', async () => {
    const [byre, hill] = [await term('farm_areas', 'Byre'), await term('farm_areas', 'Hill')]
    const cow = await client.create('farm_asset', { name: 'Lotte', type: 'animal', animal_type: { name: 'Cow' } })
    const move = (area: string, timestamp: string) =>
      newLog('Moved', { timestamp, done: '1', asset: [{ id: cow }], movement: { area: [{ id: area }] } })
    await move(byre, '1600000000')
    await move(hill, '1650000000')
    expect(await sheet(`/farm_asset.csv?id=${cow}`)).toMatchObject([{ location: 'Hill' }])
    expect(await sheet(`/farm_asset.csv?id=${cow}&as_of=1620000000`)).toMatchObject([{ location: 'Byre' }])
    expect(await sheet('/farm_asset.csv?location=Byre&as_of=1620000000&fields=id')).toMatchObject([{ id: cow }])
    expect(await sheet(`/taxonomy_term.csv?tid=${hill}`)).toMatchObject([{ assets: 'Lotte', vocabulary: 'farm_areas' }])
  })
})

describe('columns', () => {
  const head = async (path: string) => rowsOfCsv((await client.get(path)).text)[0] ?? []

  it('of one type are its own, of several all of theirs; each is called as records show it', async () => {
    const harvests = await head('/log.csv?type=farm_harvest')
    expect(harvests.slice(0, 5)).toEqual(['id', 'type', 'name', 'timestamp', 'done'])
    expect(harvests.slice(-5)).toEqual(['uid', 'created', 'changed', 'uuid', 'version'])
    expect(harvests).toContain('movement.area')
    expect(harvests).not.toContain('mother')
    expect(await head('/log.csv?type=farm_seeding')).not.toContain('area')
    expect(await head('/log.csv?type[]=farm_birth&type[]=farm_seeding')).toEqual(
      expect.arrayContaining(['mother', 'seed_source', 'area']),
    )
    const { body } = await client.get('/farm.json')
    expect(Object.keys(body.resources)).toHaveLength(3)
    for (const [resource, bundles] of Object.entries<Record<string, { fields: object }>>(body.resources)) {
      expect(bundles).not.toEqual({})
      for (const [bundle, { fields }] of Object.entries(bundles)) {
        const columns = (await head(`/${resource}.csv?bundle=${bundle}`)).map((name) => name.split('.')[0])
        expect(columns, `${resource} ${bundle}`).toEqual(expect.arrayContaining(Object.keys(fields)))
      }
    }
  })

  it('of an unknown type are those that all have, and no rows', async () => {
    const rows = rowsOfCsv((await client.get('/log.csv?type=farm_nothing')).text)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toContain('timestamp')
  })

  it('have labels of their own on request', async () => {
    expect(await head('/log.csv?type=farm_harvest&head=label')).toEqual(
      expect.arrayContaining(['Log ID', 'Name', 'Done', 'Harvest lot number', 'Movement: Area', 'UUID']),
    )
    for (const path of ['/log.csv?', '/farm_asset.csv?with=group,inventory&', '/taxonomy_term.csv?']) {
      const labels = await head(`${path}head=label`)
      expect(new Set(labels).size, path).toBe(labels.length)
    }
  })

  it('are those that are chosen, in that order, and what a sheet is known by when it comes back', async () => {
    expect(await head('/log.csv?fields=name,movement,id')).toEqual([
      'name',
      'movement.area',
      'movement.geometry',
      'id',
      'uuid',
      'version',
    ])
  })

  it('a row for each quantity, and one for a log that has none', async () => {
    const id = await newLog('Weighed', {
      quantity: [
        { measure: 'weight', value: '5', unit: { name: 'kg' }, label: 'a' },
        { measure: 'weight', value: '6.0', unit: { name: 'kg' } },
      ],
    })
    const none = await newLog('Not weighed')
    const rows = await sheet(`/log.csv?id[]=${id}&id[]=${none}&rows=quantity&fields=id,name,quantity`)
    const weight = { id, name: 'Weighed', 'quantity.measure': 'weight', 'quantity.unit': 'kg' }
    expect(rows).toMatchObject([
      { ...weight, 'quantity.value': '5', 'quantity.label': 'a' },
      { ...weight, 'quantity.value': '6.0', 'quantity.label': '' },
      { id: none, name: 'Not weighed', 'quantity.measure': '', 'quantity.value': '' },
    ])
  })
})

describe('the same list', () => {
  it('every cell says what the JSON of the same list says', async () => {
    for (const resource of ['log', 'farm_asset', 'taxonomy_term']) {
      const { list } = await client.read(`/${resource}.json?limit=1000&with=uuid,version`)
      const rows = await sheet(`/${resource}.csv?refs=id&times=unix`)
      expect(rows.map(({ id }) => id)).toEqual(list.map(({ id }: { id: string }) => id))
      for (const [index, one] of list.entries()) {
        for (const [name, value] of Object.entries(one)) {
          const cell = rows[index]?.[name]
          if (cell !== undefined) expect(`${name} ${cell}`).toBe(`${name} ${await naiveCell(name, value)}`)
        }
      }
    }
  })

  it('has the same filters, orders and refusals', async () => {
    const ids = async (query: string) => (await sheet(`/log.csv?${query}`)).map(({ id }) => id)
    for (const query of [
      'type=farm_activity',
      'name[ct]=weigh',
      'timestamp[ge]=1704000000&sort=timestamp&direction=DESC',
      'done=1',
      'asset=',
    ])
      expect(await ids(query), query).toEqual(await client.ids(`/log.json?limit=1000&${query}`))
    for (const query of ['colour=red', 'sort=colour', 'timestamp[xx]=1', 'as_of=5'])
      expect(await client.get(`/log.csv?${query}`), query).toMatchObject({ status: 400 })
  })

  it.each(
    shareOfThisEngine([
      ['head=title', ['name', 'label']],
      ['refs=uuid', ['name', 'id']],
      ['sep=pipe', ['comma', 'semicolon', 'tab']],
      ['bom=yes', ['0', '1']],
      ['times=clock', ['iso', 'unix', 'local']],
      ['rows=notes', ['inventory', 'quantity']],
    ]),
  )('%s is refused, and what is allowed is named', async (query, allowed) => {
    const { status, body } = await client.get(`/log.csv?${query}`)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field: query.split('=')[0], allowed }])
  })

  it.each(
    shareOfThisEngine([
      'page=0',
      'limit=5',
      'full=0',
      'fields=nothing',
      'files=inline',
      'head=name&head=label',
      'with=nothing',
    ]),
  )('%s is refused', async (query) => {
    expect(await client.get(`/log.csv?${query}`)).toMatchObject({ status: 400 })
  })
})

describe('a file', () => {
  it('for a German spreadsheet has semicolons and says that it is UTF-8', async () => {
    const id = await newLog('Käse; 5,5 kg')
    const response = await client.stream(`/log.csv?id=${id}&fields=name&sep=semicolon&bom=1`, {})
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(bytes.toString('utf8').split('\r\n')[1]).toMatch(/^"Käse; 5,5 kg";[\da-f-]{36};/)
    expect((await client.get(`/log.csv?id=${id}&fields=name&sep=%3B`)).text).toMatch(/^name;uuid;version\r\n/)
    expect((await client.get(`/log.csv?id=${id}&fields=name&sep=tab`)).text).toMatch(/^name\tuuid\tversion\r\n/)
  })

  it('is one to be saved, under a name of its own, and not sent twice', async () => {
    const { headers } = await client.get('/log.csv?type=farm_harvest')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="farm_harvest-\d{4}-\d\d-\d\d\.csv"$/)
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect(await client.get('/log.csv?type=farm_harvest', known)).toMatchObject({ status: 304, text: '' })
    await newLog('One more', { type: 'farm_harvest' })
    expect(await client.get('/log.csv?type=farm_harvest', known)).toMatchObject({ status: 200 })
    expect(await client.send('HEAD', '/log.csv?type=farm_harvest')).toMatchObject({ status: 200, text: '' })
  })

  it('is for those who may read records', async () => {
    const paths = ['/log.csv', '/farm_asset.csv', '/taxonomy_term.csv', '/user.csv', '/taxonomy_vocabulary.csv']
    const all = [...paths, '/sheets/log/farm_harvest.csv']
    const viewer = await farm.login('viewer')
    for (const path of all) expect(await viewer.get(path), path).toMatchObject({ status: 200 })
    for (const nobody of [farm.anonymous, await farm.login(null), await farm.login('manager', 'farm_info')])
      for (const path of all) expect(await nobody.get(path), path).toMatchObject({ status: 403 })
  })
})

describe('short lists', () => {
  it('users and vocabularies are there as sheets too, and nobody else’s mail address', async () => {
    const users = await sheet('/user.csv')
    expect(users.length).toBeGreaterThan(2)
    expect(users.filter(({ mail }) => mail !== '').map(({ name }) => name)).toEqual([client.login.name])
    expect(await sheet('/taxonomy_vocabulary.csv?machine_name=farm_crops&fields=machine_name,name')).toEqual([
      { machine_name: 'farm_crops', name: 'Farm Crops/Varieties' },
    ])
    expect(await client.get('/user.csv?fields=password')).toMatchObject({ status: 400 })
    expect(await client.get('/user.csv?rows=quantity')).toMatchObject({ status: 400 })
  })
})

describe('templates', () => {
  it('have a head with what can be filled in, and nothing else', async () => {
    const { text, headers } = await client.get('/sheets/log/farm_harvest.csv')
    const rows = rowsOfCsv(text)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.slice(0, 4)).toEqual(['type', 'name', 'timestamp', 'done'])
    expect(rows[0]).toEqual(expect.arrayContaining(['quantity.value', 'quantity.unit', 'movement.area', 'lot_number']))
    for (const name of ['id', 'uuid', 'version', 'uid', 'created', 'changed', 'images', 'files', 'quantity'])
      expect(rows[0]).not.toContain(name)
    expect(headers.get('content-disposition')).toBe('attachment; filename="farm_harvest.csv"')
    const animals = await client.get('/sheets/farm_asset/animal.csv?head=label&sep=semicolon')
    expect(animals.text).toMatch(/;Species\/breed;.*Tag ID/)
    expect((await client.get('/sheets/taxonomy_term/farm_areas.csv')).text).toMatch(/area_type/)
  })

  it('are there for what the farm knows only', async () => {
    expect(await client.get('/sheets/log/farm_nothing.csv')).toMatchObject({ status: 404 })
    expect(await client.get('/sheets/farm_asset/farm_harvest.csv')).toMatchObject({ status: 404 })
    expect(await client.get('/sheets/log/farm_harvest.csv?type=farm_harvest')).toMatchObject({ status: 400 })
  })
})

/** The cell that a JSON value makes with `refs=id&times=unix`, by its looks. */
async function naiveCell(name: string, value: unknown): Promise<string> {
  if (value === null || value === undefined) return ''
  if (name === 'archived' && value === '0') return ''
  if (name === 'done') return value === '1' ? 'yes' : 'no'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (name === 'vocabulary') {
    const { id } = value as { id: string }
    return (await client.read(`/taxonomy_vocabulary/${id}.json`)).machine_name
  }
  if (typeof value === 'string') return naiveGuard(value)
  if (Array.isArray(value)) {
    if (['quantity', 'inventory', 'tag'].includes(name)) return value.length === 0 ? '' : withoutEmpty(value)
    const each = await Promise.all(value.map((one) => naiveCell('', one)))
    return naiveGuard(each.map((one) => (one.includes(';') ? `"${one}"` : one)).join('; '))
  }
  const tree = value as Record<string, string>
  if ('geom' in tree) return tree.geom ?? ''
  if ('value2' in tree) return `${tree.value}/${tree.value2}`
  if ('value' in tree) return naiveGuard(tree.value ?? '')
  return tree.id ?? ''
}

const naiveGuard = (text: string) =>
  /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text

const withoutEmpty = (parts: unknown): string =>
  JSON.stringify(parts, (_key, value) => {
    if (value !== null && typeof value === 'object' && 'resource' in value) return { id: value.id }
    return value === null ? undefined : value
  })
