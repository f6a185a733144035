import { describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import type { Answer } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { addressOf, details, JsonApiClient, pointers, to } from './json-api-client.ts'

const farm = await openFarm()
const manager = await farm.login('manager')
const ada = new JsonApiClient(manager)
const jsonApi = 'application/vnd.api+json'

const post = (body: string, type = jsonApi): Promise<Answer> =>
  manager.send('POST', '/api/log/birth', { headers: { 'content-type': type }, body })
const nothingMade = async () => expect((await ada.get('/api/log/birth')).body.data).toEqual([])

function expectErrors(answer: Answer, status: number): void {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, jsonApi])
  expect(answer.body.jsonapi).toEqual({
    version: '1.0',
    meta: { links: { self: { href: 'http://jsonapi.org/format/1.0/' } } },
  })
  expect(answer.body.data).toBeUndefined()
  for (const error of answer.body.errors)
    expect(error).toMatchObject({
      status: String(status),
      title: expect.any(String),
      code: expect.any(String),
      detail: expect.any(String),
    })
}

describe('every no is a JSON:API document', () => {
  test('every kind of refusal has that form', async () => {
    const bed = await ada.made('asset/land', { name: 'Bed', land_type: 'bed' })
    await ada.made('log/observation', {}, { location: to([bed]) })
    const viewer = new JsonApiClient(await farm.login('viewer'))
    const stale = { 'if-match': '"0.nothing"' }
    expectErrors(await post('{'), 400)
    expectErrors(await ada.get('/api/log/birth?nonsense=1'), 400)
    expectErrors(await farm.anonymous.get('/api/log/birth'), 401)
    expectErrors(await viewer.make('log/birth'), 403)
    expectErrors(await ada.get('/api/log/dragon'), 404)
    expectErrors(await ada.get('/api/nothing/at/all/there'), 404)
    expectErrors(await manager.send('PUT', addressOf(bed), { body: '{}' }), 405)
    expectErrors(await ada.make('flag/flag'), 405)
    expectErrors(await ada.drop(bed), 409)
    expectErrors(await ada.change(bed, { attributes: { name: 'x' } }, stale), 412)
    expectErrors(
      await post(`{"data": {"type": "x", "attributes": {"notes": "${'x'.repeat(limits.plainBytes)}"}}}`),
      413,
    )
    expectErrors(await post('<log/>', 'application/xml'), 415)
    expectErrors(await ada.make('log/birth', { attributes: { colour: 'red' } }), 422)
    expectErrors(await ada.get('/api/flag/flag?resourceVersion=id:1'), 501)
    await nothingMade()
  })

  test('whatever is accepted: nothing is 406', async () => {
    for (const accept of ['text/html', 'application/xml', 'image/png', 'application/json', jsonApi, '*/*;q=0', 'x']) {
      const list = await ada.get('/api/log/birth', { accept })
      expect([accept, list.status, list.headers.get('content-type')]).toEqual([accept, 200, jsonApi])
      expectErrors(await ada.get('/api/log/dragon', { accept }), 404)
    }
  })

  test('405 tells what does work', async () => {
    const bed = await ada.made('asset/land', { name: 'Bed', land_type: 'bed' })
    for (const [method, path, allowed] of [
      ['PUT', addressOf(bed), ['GET', 'PATCH', 'DELETE']],
      ['DELETE', '/api/log/birth', ['GET', 'POST']],
      ['PATCH', '/api/log/birth', ['GET', 'POST']],
      ['POST', '/api', ['GET']],
      ['POST', '/api/flag/flag', ['GET']],
    ] as const) {
      const refused = await manager.send(method, path)
      expect([method, path, refused.status]).toEqual([method, path, 405])
      const allow = (refused.headers.get('allow') ?? '').split(', ')
      expect(allow).toEqual(expect.arrayContaining([...allowed]))
      expect(allow).not.toContain(method)
    }
  })
})

describe('a body that cannot be read', () => {
  test.each([
    ['is empty', ''],
    ['is space', ' \n'],
    ['ends too early', '{"data": {"type": "log--birth"'],
    ['goes on behind its end', '{"data": {"type": "log--birth"}}{}'],
    ['is in single quotes', "{'data': {'type': 'log--birth'}}"],
    ['has a comma too many', '{"data": {"type": "log--birth",}}'],
    ['has a number that is none', '{"data": {"type": "log--birth", "attributes": {"name": 012}}}'],
    ['has a word that is none', '{"data": {"type": "log--birth", "attributes": {"name": NaN}}}'],
    ['has a raw control character', '{"data": {"type": "log--birth", "attributes": {"name": "a\tb"}}}'],
  ])('refuses a body that %s, and makes nothing', async (_, body) => {
    expectErrors(await post(body), 400)
    await nothingMade()
  })

  test.each([
    ['a key twice', '{"data": {"type": "x", "attributes": {"name": "a", "name": "b"}}}', '/data/attributes/name'],
    ['NUL', '{"data": {"type": "x", "attributes": {"name": "a\\u0000b"}}}', '/data/attributes/name'],
    ['half a character', '{"data": {"type": "x", "attributes": {"name": "a\\ud800b"}}}', '/data/attributes/name'],
    ['NUL in a name', '{"data": {"type": "x", "attributes": {"a\\u0000": 1}}}', '/data/attributes'],
    [
      'half a character in a list',
      '{"data": {"type": "x", "attributes": {"flag": ["\\udc00"]}}}',
      '/data/attributes/flag/0',
    ],
  ])('has %s, which is pointed at', async (_, body, pointer) => {
    const refused = await post(body)
    expectErrors(refused, 400)
    expect(pointers(refused)).toEqual([pointer])
    await nothingMade()
  })

  test('is not UTF-8', async () => {
    const body = Buffer.from('{"data": {"type": "log--birth", "attributes": {"name": "\xff"}}}', 'latin1')
    const refused = await manager.send('POST', '/api/log/birth', { headers: { 'content-type': jsonApi }, body })
    expectErrors(refused, 400)
    await nothingMade()
  })

  test.each([
    ['levels', `{"data": ${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['keys', `{"data": {${Array.from({ length: limits.keys + 1 }, (_, at) => `"k${at}": 1`)}}}`],
  ])('has too many %s', async (_, body) => {
    expectErrors(await post(body), 413)
    await nothingMade()
  })

  test.each([
    'null',
    '[]',
    '"x"',
    '1',
    'true',
    '{}',
    '{"data": null}',
    '{"data": []}',
    '{"data": [{"type": "log--birth"}]}',
    '{"data": "x"}',
  ])('has no resource in it: %s', async (body) => {
    const refused = await post(body)
    expectErrors(refused, 400)
    expect(pointers(refused)).toEqual(['/data'])
    await nothingMade()
  })

  test.each([
    '"attributes": 5',
    '"attributes": [1]',
    '"attributes": "x"',
    '"relationships": 5',
    '"relationships": ["x"]',
  ])('has members that are no objects: %s', async (members) => {
    const refused = await post(`{"data": {"type": "log--birth", ${members}}}`)
    expectErrors(refused, 400)
    expect(pointers(refused)).toEqual([expect.stringMatching(/^\/data\/(attributes|relationships)$/)])
    await nothingMade()
  })
})

describe('the media type of a body', () => {
  const body = '{"data": {"type": "log--medical"}}'
  const send = (type: string) => manager.send('POST', '/api/log/medical', { headers: { 'content-type': type }, body })

  test.each([
    jsonApi,
    'application/json',
    `${jsonApi}; charset=utf-8`,
    `${jsonApi}; ext="https://example.org"`,
    'APPLICATION/JSON',
  ])('may be %s', async (type) => {
    expect((await send(type)).status).toBe(201)
  })

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/hal+json',
  ])('is not %s: 415 says what is', async (type) => {
    const refused = await send(type)
    expectErrors(refused, 415)
    expect(details(refused)).toEqual([expect.stringContaining('application/vnd.api+json or application/json')])
  })

  test('is a media type: what is none is 415', async () => {
    expectErrors(await send('nonsense'), 415)
  })

  test('is of bytes as they are: what is compressed is 415', async () => {
    const headers = { 'content-type': jsonApi, 'content-encoding': 'gzip' }
    expectErrors(await manager.send('POST', '/api/log/medical', { headers, body }), 415)
  })
})

describe('a question that would take too long', () => {
  test('along many names is answered, or refused where it branches too often', async () => {
    const path = (parents: number) => `/api/log/birth?filter[asset.${'parent.'.repeat(parents)}name]=x`
    expect((await ada.get(path(5))).status).toBe(200)
    const refused = await ada.get(path(8))
    expectErrors(refused, 400)
    expect(refused.body.errors[0].source).toEqual({
      parameter: 'filter[asset.parent.parent.parent.parent.parent.parent.parent.parent.name]',
    })
  })

  test('in many conditions together is refused, too', async () => {
    const many = Array.from({ length: 30 }, (_, at) => {
      const condition = `filter[f${at}][condition]`
      return `${condition}[path]=asset.parent.parent.parent.name&${condition}[value]=${at}&${condition}[memberOf]=g`
    })
    const refused = await ada.get(`/api/log/birth?filter[g][group][conjunction]=OR&${many.join('&')}`)
    expectErrors(refused, 400)
    expect(refused.body.errors[0].source).toEqual({ parameter: 'filter' })
  })
})
