import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

let farm: FarmUnderTest
let client: Client
let ids: string[]

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  ids = []
  for (let nth = 0; nth < 120; nth += 1) {
    ids.push(
      await client.create('log', {
        name: `Log ${String(120 - nth).padStart(3, '0')}`,
        type: nth % 4 === 0 ? 'farm_harvest' : 'farm_activity',
        timestamp: String(1000 + ((nth * 37) % 120)),
        done: nth % 2,
        ...(nth % 4 === 0 ? { lot_number: `lot ${nth % 8}` } : {}),
      }),
    )
  }
})

const linksOf = ({ list: _, ...links }: Json) =>
  Object.fromEntries(Object.entries<string>(links).map(([name, link]) => [name, link.replace(farm.base, '')]))

describe('4 the envelope of a list', () => {
  it('has absolute links without extension, each with its page, around the records', async () => {
    const body = await client.read('/log.json?limit=50&page=1')
    expect(Object.keys(body)).toEqual(['self', 'first', 'last', 'prev', 'next', 'list'])
    for (const [name, link] of Object.entries<string>(body)) {
      if (name !== 'list') expect(link.startsWith(`${farm.base}/log?`), link).toBe(true)
    }
    expect(linksOf(body)).toEqual({
      self: '/log?limit=50&page=1',
      first: '/log?limit=50&page=0',
      last: '/log?limit=50&page=2',
      prev: '/log?limit=50&page=0',
      next: '/log?limit=50&page=2',
    })
  })

  it('has no prev on the first page and no next on the last', async () => {
    expect(linksOf(await client.read('/log.json?limit=60'))).toEqual({
      self: '/log?limit=60&page=0',
      first: '/log?limit=60&page=0',
      last: '/log?limit=60&page=1',
      next: '/log?limit=60&page=1',
    })
    expect(linksOf(await client.read('/log.json?limit=60&page=1'))).not.toHaveProperty('next')
  })

  it('repeats the question as it was asked, empty segments aside', async () => {
    const { self } = linksOf(await client.read('/log.json?&type%5B%5D=farm_harvest&&page=0&name[ct]=Log%201&'))
    expect(self).toBe('/log?type%5B%5D=farm_harvest&name[ct]=Log%201&page=0')
  })

  it('leads through all records, each once', async () => {
    const seen: string[] = []
    let next: string | undefined = `${farm.base}/log?limit=7`
    while (next !== undefined) {
      const page: Json = await client.read(next.replace(farm.base, ''))
      seen.push(...page.list.map((record: Json) => record.id))
      next = page.next
    }
    expect(seen).toEqual(ids)
  })

  it('is an empty page where nothing matches', async () => {
    const body = await client.read('/log.json?name=nothing')
    expect(body.list).toEqual([])
    expect(linksOf(body)).toEqual({
      self: '/log?name=nothing&page=0',
      first: '/log?name=nothing&page=0',
      last: '/log?name=nothing&page=0',
    })
  })

  it.each(shareOfThisEngine(['/log', '/log/', '/log.json/', '/log.json?']))('is the same at %s', async (path) => {
    const body = await client.read(path)
    expect(body.list).toHaveLength(100)
    expect(linksOf(body).last).toBe('/log?page=1')
  })
})

describe('8 pages', () => {
  it('have a hundred records unless another number is asked for', async () => {
    expect((await client.read('/log.json')).list).toHaveLength(100)
    expect((await client.read('/log.json?page=1')).list).toHaveLength(20)
    expect((await client.read('/log.json?limit=1')).list).toHaveLength(1)
    expect((await client.read('/log.json?limit=1000')).list).toHaveLength(120)
  })

  it('end with the last record, also where it fills its page', async () => {
    expect(linksOf(await client.read('/log.json?limit=40')).last).toBe('/log?limit=40&page=2')
    expect((await client.read('/log.json?limit=40&page=2')).list).toHaveLength(40)
  })

  it.each(shareOfThisEngine(['page=2', 'limit=40&page=3', 'page=9007199254740991', 'name=nothing&page=1']))(
    'are not found beyond the last one: %s',
    async (query) => {
      const answer = await client.get(`/log.json?${query}`)
      expect(answer.status).toBe(404)
      expect(answer.body.detail).toContain('the last page is')
    },
  )

  it.each(
    shareOfThisEngine([
      ...['limit=0', 'limit=1001', 'limit=-1', 'limit=abc', 'limit=', 'limit=1.5', 'limit=1e2', 'limit=%201'],
      ...['page=-1', 'page=abc', 'page=', 'page=1.0', 'page=99999999999999999999', 'page=00'],
    ]),
  )('refuse %s by name', async (query) => {
    const answer = await client.get(`/log.json?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].field).toBe(query.split('=')[0])
  })
})

describe('4.1 a parameter of the list that is given twice', () => {
  it('leads loaders through more than two hundred terms that append a page to an address with a page', async () => {
    const names = Array.from({ length: 205 }, (_, nth) => `Crop ${nth}`)
    const operations = names.map((name) => ({
      method: 'POST',
      path: '/taxonomy_term',
      body: { name, vocabulary: 'farm_crops' },
    }))
    expect((await client.post('/batch', { operations })).status).toBe(200)
    const address = '/taxonomy_term.json?bundle=farm_crops&page=0'
    const { list, last } = await client.read(address)
    const pages = Number(new URL(last).searchParams.get('page'))
    expect([list.length, pages]).toEqual([100, 2])
    for (let page = 1; page <= pages; page += 1) {
      const next = await client.read(`${address}&page=${page}`)
      expect(linksOf(next)).toMatchObject({ self: `/taxonomy_term?bundle=farm_crops&page=${page}` })
      list.push(...next.list)
    }
    expect(list.map(({ name }: Json) => name)).toEqual(names)
  })

  it.each([
    ['page=x&page=1&limit=50', 'page=1&limit=50'],
    ['limit=5000&limit=7', 'limit=7'],
    ['sort=colour&sort=name', 'sort=name'],
    ['sort=id&direction=sideways&direction=DESC', 'sort=id&direction=DESC'],
    ['type=farm_harvest&type=farm_activity&limit=3&limit=1000', 'limit=1000'],
  ])('counts as given last: %s', async (doubled, single) => {
    expect(await client.ids(`/log.json?${doubled}`)).toEqual(await client.ids(`/log.json?${single}`))
  })

  it('is refused where its last value is not understood', async () => {
    const answer = await client.get('/log.json?limit=7&limit=5000')
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'limit'])
  })
})

describe('4 order', () => {
  const named = async (query: string, name: string): Promise<string[]> =>
    (await client.read(`/log.json?limit=1000&${query}`)).list.map((record: Json) => record[name] ?? '')

  it('is by id without a wish', async () => {
    expect(await client.ids('/log.json?limit=1000')).toEqual(ids)
    expect(await client.ids('/log.json?limit=1000&direction=DESC')).toEqual(ids.toReversed())
  })

  it.each(shareOfThisEngine(['name', 'timestamp', 'created', 'changed', 'id', 'type', 'done', 'lot_number']))(
    'is by %s where that is asked for, ties by id',
    async (sort) => {
      const up = await named(`sort=${sort}`, sort)
      const order = (a: string, b: string) => (/^\d+$/.test(a) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0)
      expect(up).toEqual(up.toSorted(order))
      const down = await named(`sort=${sort}&direction=desc`, sort)
      expect(down).toEqual(up.toSorted(order).toReversed())
    },
  )

  it.each(shareOfThisEngine(['id', 'name', 'timestamp', 'type', 'done', 'lot_number', 'changed']))(
    'by %s is the same in small pages as in one large one',
    async (sort) => {
      for (const direction of ['ASC', 'DESC']) {
        const query = `sort=${sort}&direction=${direction}`
        const paged: string[] = []
        for (let page = 0; page <= 9; page += 1)
          paged.push(...(await client.ids(`/log.json?limit=13&page=${page}&${query}`)))
        expect(paged).toEqual(await client.ids(`/log.json?limit=1000&${query}`))
      }
    },
  )

  it('by a text looks at all of it', async () => {
    const beginning = 'x'.repeat(119)
    const endings = ['🌻 late', 'y and on', 'a', 'y and off', '🌻 early', 'a later']
    const made: string[] = []
    for (const ending of endings) {
      const log = { name: 'Long', type: 'farm_harvest', timestamp: '1', lot_number: beginning + ending }
      made.push(await client.create('log', log))
    }
    const sorted = ['a', 'a later', 'y and off', 'y and on', '🌻 early', '🌻 late'].map((ending) => beginning + ending)
    expect(await named('name=Long&sort=lot_number', 'lot_number')).toEqual(sorted)
    expect(await named('name=Long&sort=lot_number&direction=DESC', 'lot_number')).toEqual(sorted.toReversed())
    for (const id of made) await client.delete(`/log/${id}`)
  })

  it('by a text is that of its characters, whatever language the database was made for, and so are gt and le', async () => {
    const made: string[] = []
    for (const text of ['zebu', 'Äpfel', '🌻', 'apple', '\ue000', 'Zaun', '_yard']) {
      const log = { name: text, type: 'farm_harvest', timestamp: '7', lot_number: text }
      made.push(await client.create('log', log))
    }
    const sorted = ['_yard', 'apple', 'Zaun', 'zebu', 'Äpfel', '\ue000', '🌻']
    for (const field of ['name', 'lot_number']) {
      expect(await named(`timestamp=7&sort=${field}`, field)).toEqual(sorted)
      expect(await named(`timestamp=7&sort=${field}&direction=DESC`, field)).toEqual(sorted.toReversed())
      expect(await named(`timestamp=7&sort=${field}&${field}[gt]=zaun`, field)).toEqual(sorted.slice(3))
      expect(await named(`timestamp=7&sort=${field}&${field}[le]=ZAUN`, field)).toEqual(sorted.slice(0, 3))
    }
    for (const id of made) await client.delete(`/log/${id}`)
  })

  it('settles ties by id in both directions', async () => {
    const odd = ids.filter((_, nth) => nth % 2 === 1)
    expect((await client.ids('/log.json?limit=1000&sort=done&direction=DESC')).slice(0, 60)).toEqual(odd)
    expect((await client.ids('/log.json?limit=1000&sort=done')).slice(60)).toEqual(odd)
  })

  it.each(
    shareOfThisEngine([
      'sort=colour',
      'sort=',
      'sort=asset',
      'sort=quantity',
      'sort=flags',
      'sort=__proto__',
      'sort=constructor',
    ]),
  )('cannot be by what has none: %s', async (query) => {
    const answer = await client.get(`/log.json?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatchObject({ field: 'sort', allowed: expect.arrayContaining(['timestamp']) })
  })

  it('has two directions', async () => {
    const answer = await client.get('/log.json?direction=sideways')
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatchObject({ field: 'direction', allowed: ['ASC', 'DESC'] })
  })
})

it('4 full=0 gives references, for terms with their names', async () => {
  const { list } = await client.read('/log.json?full=0&limit=2')
  expect(list).toEqual(ids.slice(0, 2).map((id) => ({ uri: `${farm.base}/log/${id}`, id, resource: 'log' })))
  expect((await client.read('/taxonomy_term.json?full=0&limit=1')).list).toEqual([
    { uri: `${farm.base}/taxonomy_term/1`, id: '1', resource: 'taxonomy_term', name: 'Plantings' },
  ])
  expect((await client.read('/log.json?full=1&limit=1')).list[0]).toHaveProperty('timestamp')
  expect((await client.get('/log.json?full=yes')).status).toBe(400)
})
