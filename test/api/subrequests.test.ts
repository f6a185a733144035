import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer, Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const path = '/subrequests?_format=json'
let farm: FarmUnderTest
let manager: Client

beforeAll(async () => {
  farm = await openFarm()
  manager = await farm.login('manager')
})

const view = (uri: string, more: object = {}) => ({ requestId: 'a', action: 'view', uri, ...more })
const ask = (parts: readonly object[], client = manager): Promise<Answer> => client.post(path, parts)
const statusOf = (part: Json): number => part.headers.status[0]

describe('POST /subrequests', () => {
  test('answers each of several requests as its own address would', async () => {
    const answer = await ask([view('/api/flag/flag'), view('/api/nothing', { requestId: 'b' })])
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      207,
      expect.stringMatching(/^application\/json/),
    ])
    expect(Object.keys(answer.body)).toEqual(['a', 'b'])
    expect(answer.body.a.headers).toMatchObject({
      status: [200],
      'content-type': ['application/vnd.api+json'],
      'content-id': ['<a>'],
    })
    expect(answer.body.a.body).toBe((await manager.get('/api/flag/flag')).text)
    expect([statusOf(answer.body.b), JSON.parse(answer.body.b.body).errors[0].status]).toEqual([404, '404'])
  })

  test.each(['application/json', 'application/vnd.api+json'])('takes %s, with every form of address', async (type) => {
    const uris = [
      `${farm.base}/api/flag/flag?filter[label]=Needs Review`,
      '/api/flag/flag',
      'api/flag/flag?page[limit]=1',
    ]
    const parts = uris.map((uri, at) => view(uri, { requestId: `$r.${at}::x-y`, waitFor: [] }))
    const { body } = await manager.send('POST', path, {
      headers: { 'content-type': type },
      body: JSON.stringify(parts),
    })
    expect(Object.values<Json>(body).map((part) => JSON.parse(part.body).data.length)).toEqual([1, 3, 1])
  })

  test('fills tokens with what others were answered with, and asks once for each value', async () => {
    const { body } = await ask([
      view('/api/flag/flag/{{all.body@$.data[*].id}}', { requestId: 'each', waitFor: ['all'] }),
      view('/api/flag/flag?sort=label', { requestId: 'all' }),
      view('/api/flag/flag?filter%5Bid%5D=%7B%7Bone.body%40%24.data%5B0%5D.id%7D%7D', { waitFor: ['one'] }),
      view('/api/flag/flag?filter[label]=Monitor', { requestId: 'one' }),
      view('/api/flag/flag?filter[id]={{one.body@$.data[0].attributes.nothing}}', {
        requestId: 'none',
        waitFor: ['one'],
      }),
    ])
    expect(Object.keys(body)).toEqual([
      'all',
      'each#uri{0}',
      'each#uri{1}',
      'each#uri{2}',
      'one',
      'a#uri{0}',
      'none#uri{0}',
    ])
    const label = (id: string) => JSON.parse(body[id].body).data.attributes.label
    expect([0, 1, 2].map((at) => label(`each#uri{${at}}`))).toEqual(['Monitor', 'Needs Review', 'Priority'])
    expect(body['each#uri{0}'].headers['content-id']).toEqual(['<each#uri{0}>'])
    expect(JSON.parse(body['a#uri{0}'].body).data).toMatchObject([{ attributes: { label: 'Monitor' } }])
    expect(JSON.parse(body['none#uri{0}'].body).data).toEqual([])
  })

  test('multiplies up to 200, and what would be more is refused by itself', async () => {
    const values = (name: string) => `{{all.body@$.data[*].attributes.${name}}}`
    const three = ['label', 'langcode', 'status', 'drupal_internal__id', 'dependencies'].map(values)
    const times = (tokens: number) => `/api/flag/flag?x1=${three.slice(0, tokens).join('')}`
    const { body } = await ask([
      view('/api/flag/flag', { requestId: 'all' }),
      view(times(4), { requestId: 'many', waitFor: ['all'] }),
      view(times(5), { requestId: 'over', waitFor: ['all'] }),
      view('/api', { requestId: 'last' }),
    ])
    const many = Object.keys(body).filter((id) => id.startsWith('many#uri'))
    expect([many.length, many.at(-1), Object.keys(body).length]).toEqual([81, 'many#uri{80}', 84])
    expect([statusOf(body['many#uri{80}']), statusOf(body.over), statusOf(body.last)]).toEqual([200, 413, 200])
  })

  test.each([
    '/log.json',
    '/farm.json',
    '/subrequests?_format=json',
    '/oauth/token',
    'https://other.example/user/login',
    '/alink',
  ])('leads nowhere but to the interface: %s is 404', async (uri) => {
    const { status, body } = await ask([view(uri), view('/api', { requestId: 'b' })])
    expect([status, statusOf(body.a), statusOf(body.b)]).toEqual([207, 404, 200])
  })

  test('asks with the credentials of the whole, and with no others', async () => {
    const nobody = await farm.login(null)
    const authorization = `Bearer ${manager.login.token}`
    const { body } = await ask(
      [view('/api', { headers: { authorization } }), view('/api/flag/flag', { requestId: 'b' })],
      nobody,
    )
    expect(JSON.parse(body.a.body).meta.links.me.meta.id).toBe((await nobody.get('/api')).body.meta.links.me.meta.id)
    expect(statusOf(body.b)).toBe(403)
    const stranger = await ask([view('/api', { headers: { authorization } })], farm.anonymous)
    expect([stranger.status, stranger.headers.get('content-type')]).toEqual([401, 'application/vnd.api+json'])
    expect((await ask([view('/api')], await farm.login('manager', 'farm_info'))).status).toBe(403)
  })

  test('takes every method, and a header of its own for each', async () => {
    const [first] = (await manager.get('/api/flag/flag')).body.data
    const { headers } = await manager.get(`/api/flag/flag/${first.id}`)
    const parts = ['exists', 'discover', 'create', 'update', 'replace', 'delete'].map((action) => ({
      requestId: action,
      action,
      uri: '/api/flag/flag',
      ...(action === 'create' ? { body: '{}' } : {}),
    }))
    const known = view(`/api/flag/flag/${first.id}`, {
      headers: { 'If-None-Match': headers.get('etag'), 'Accept-Encoding': 'gzip', Host: 'evil', Connection: 'upgrade' },
    })
    const { body } = await ask([...parts, known])
    expect(Object.values<Json>(body).map(statusOf)).toEqual([200, 204, 405, 405, 405, 405, 304])
    expect(body.create.headers.allow).toEqual(['GET, HEAD, OPTIONS'])
    expect(Object.values<Json>(body).every((part) => typeof part.body === 'string')).toBe(true)
  })

  test.each([
    ['no list', {}, 400],
    ['an unknown action', [view('/api', { action: 'look' })], 400],
    ['waiting for nobody', [view('/api', { waitFor: ['b'] })], 400],
    ['waiting in a circle', [view('/api', { waitFor: ['b'] }), view('/api', { requestId: 'b', waitFor: ['a'] })], 400],
    ['too many', Array.from({ length: 201 }, (_, at) => view('/api', { requestId: String(at) })), 413],
  ])('refuses the whole where it makes no sense: %s', async (_what, tree, status) => {
    const answer = await manager.post(path, tree)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/vnd.api+json'])
    expect(answer.body.errors[0].status).toBe(String(status))
  })

  test('refuses other formats, types and methods', async () => {
    expect((await manager.post('/subrequests?_format=xml', [])).status).toBe(400)
    expect((await manager.post('/subrequests', [view('/api')])).status).toBe(207)
    const answer = await manager.send('POST', path, { headers: { 'content-type': 'text/plain' }, body: '[]' })
    expect(answer.status).toBe(415)
    expect((await manager.get(path)).status).toBe(405)
  })

  test('keeps the order of its parts, and any name', async () => {
    const ids = ['2', '1', '__proto__', 'constructor', '$ROOT.0::$create:x.y', 'ä "quoted"']
    const { text } = await ask(ids.map((requestId) => view('/api/flag/flag', { requestId })))
    const places = ids.map((id) => text.indexOf(`${JSON.stringify(id)}:{"headers"`))
    expect(places.every((place) => place >= 0)).toBe(true)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  test('has a line in the log for each of its parts, and is one request under way', async () => {
    farm.lines.length = 0
    const answer = await ask(Array.from({ length: 50 }, (_, at) => view('/api/flag/flag', { requestId: `r${at}` })))
    expect(Object.values<Json>(answer.body).map(statusOf)).toEqual(Array(50).fill(200))
    const lines = farm.lines.map((line) => JSON.parse(line))
    expect(lines.filter((line) => line.path === '/api/flag/flag')).toHaveLength(50)
    expect(lines.find((line) => line.path === '/subrequests')).toMatchObject({ status: 207 })
    expect(new Set(lines.map((line) => line.id)).size).toBe(51)
    expect(lines.every((line) => line.address === '127.0.0.1')).toBe(true)
  })

  const create = (requestId: string, uri: string, data: object, more: object = {}) => ({
    requestId,
    action: 'create',
    uri,
    body: JSON.stringify({ data }),
    ...more,
  })

  const harvest = (name: string) => {
    const unit = '{{unit.body@$.data.id}}'
    const meta = { drupal_internal__target_id: '{{unit.body@$.data.attributes.drupal_internal__id}}' }
    const units = { data: { type: 'taxonomy_term--unit', id: unit, meta } }
    const quantity = { data: [{ type: 'quantity--standard', id: '{{amount.body@$.data.id}}' }] }
    return [
      create(
        'log',
        '/api/log/harvest',
        { type: 'log--harvest', attributes: { name }, relationships: { quantity } },
        { waitFor: ['amount'] },
      ),
      create(
        'amount',
        'api/quantity/standard',
        { type: 'quantity--standard', attributes: { value: { decimal: '2.5' } }, relationships: { units } },
        { waitFor: ['unit'] },
      ),
      create('unit', `${farm.base}/api/taxonomy_term/unit`, {
        type: 'taxonomy_term--unit',
        attributes: { name: 'crates "big"' },
      }),
    ]
  }

  test('makes records that lean on each other', async () => {
    const { body } = await ask(harvest('Picked beans'))
    expect(Object.keys(body)).toEqual(['unit', 'amount#body{0}', 'log#body{0}'])
    expect(Object.values<Json>(body).map(statusOf)).toEqual([201, 201, 201])
    const log = JSON.parse(body['log#body{0}'].body).data
    const { body: read } = await manager.get(`/api/log/harvest/${log.id}?include=quantity,quantity.units`)
    expect(read.included.map((one: Json) => one.attributes.name ?? one.attributes.value.decimal)).toEqual([
      '2.5',
      'crates "big"',
    ])
    expect(body['log#body{0}'].headers.location[0]).toContain(log.id)
  })

  test('carries each out by itself, by its own right', async () => {
    const { body } = await ask([
      create('good', '/api/taxonomy_term/season', { type: 'taxonomy_term--season', attributes: { name: 'One' } }),
      create(
        'bad',
        '/api/taxonomy_term/season',
        { type: 'taxonomy_term--season', attributes: {} },
        { waitFor: ['good'] },
      ),
      create(
        'after',
        '/api/taxonomy_term/season',
        { type: 'taxonomy_term--season', attributes: { name: 'Two' } },
        { waitFor: ['bad'] },
      ),
    ])
    expect(Object.values<Json>(body).map(statusOf)).toEqual([201, 422, 201])
    expect(JSON.parse(body.bad.body).errors[0].source).toEqual({ pointer: '/data/attributes/name' })
    const viewer = await farm.login('viewer')
    const refused = await ask([...harvest('Not allowed'), view('/api/flag/flag')], viewer)
    expect(Object.values<Json>(refused.body).map(statusOf)).toEqual([403, 403, 403, 200])
  })

  test('is done once under a key, however often it is sent', async () => {
    const send = () =>
      manager.send('POST', path, {
        headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: JSON.stringify(harvest('Sent twice')),
      })
    const [first, second] = [await send(), await send()]
    const ids = ({ body }: Answer) => Object.values<Json>(body).map((part) => JSON.parse(part.body).data.id)
    expect(ids(second)).toEqual(ids(first))
    expect(second.body.unit.headers['idempotent-replayed']).toEqual(['true'])
  })
})
