import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

let client: Client

beforeAll(async () => {
  client = await (await openFarm()).login('viewer')
})

describe('4.1 what is not understood is refused by its name', () => {
  it.each([
    ['/log.json?colour=red', 'colour'],
    ['/log.json?_=1', '_'],
    ['/log.json?crop=Leek', 'crop'],
    ['/log.json?__proto__=1', '__proto__'],
    ['/log.json?constructor=1', 'constructor'],
    ['/log.json?toString[eq]=1', 'toString'],
    ['/log.json?hasOwnProperty=1', 'hasOwnProperty'],
    ['/log.json?url=x', 'url'],
    ['/log.json?page[]=1', 'page'],
    ['/farm_asset.json?timestamp=1', 'timestamp'],
    ['/farm_asset.json?inventory=1', 'inventory'],
    ['/taxonomy_term.json?changed=1', 'changed'],
    ['/taxonomy_term.json?sort=created', 'sort'],
  ])('refuses %s, names the parameter and says what is allowed', async (path, field) => {
    const answer = await client.get(path)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field, allowed: expect.any(Array) }])
    expect(answer.body.detail).toContain(field)
  })

  it.each([
    ['timestamp[bogus]=1', 'timestamp', 'bogus'],
    ['timestamp[__proto__]=1', 'timestamp', '__proto__'],
    ['movement[speed]=1', 'movement', 'speed'],
    ['timestamp[ct]=1', 'timestamp', 'ct'],
    ['id[sw]=1', 'id', 'sw'],
    ['asset[gt]=1', 'asset', 'gt'],
    ['done[gt]=1', 'done', 'gt'],
    ['quantity[value][ct]=1', 'quantity[value]', 'ct'],
    ['quantity[1][value][bogus]=1', 'quantity[value]', 'bogus'],
    ['log_category[ct]=till', 'log_category', 'ct'],
    ['images[lt]=5', 'images', 'lt'],
  ])('an operator that there is not: %s', async (query, field, word) => {
    const answer = await client.get(`/log.json?${query}`)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field, allowed: expect.any(Array) }])
    expect(answer.body.detail).toContain(`[${word}]`)
  })

  it.each([
    ['name[sw][ct]=x', 'name'],
    ['timestamp[ge][le]=1', 'timestamp'],
    ['quantity[value][gt][lt]=1', 'quantity[value]'],
    ['full=0&full=1', 'full'],
    ['with=uuid&with=version', 'with'],
    ['as_of=1&as_of=2', 'as_of'],
    ['files=inline&files=link', 'files'],
  ])('two where one can be meant: %s', async (query, field) => {
    const answer = await client.get(`/log.json?${query}`)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field }])
  })

  it('a form of files that there is not', async () => {
    const answer = await client.get('/log.json?files=zzz')
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field: 'files', allowed: ['inline', 'link'] }])
  })

  it.each(['archived=yes', 'archived=TRUE', 'archived=true&archived=2020-01-01'])(
    'whether something is archived is asked for with yes, no or a time: %s',
    async (query) => {
      const answer = await client.get(`/farm_asset.json?${query}`)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.body.errors).toMatchObject([{ field: 'archived', allowed: ['1', '0', 'true', 'false'] }])
      expect(answer.body.detail).toContain('Unix timestamp')
    },
  )

  it.each([
    ...['timestamp=yesterday', 'timestamp=1.5', 'timestamp=1e9', 'timestamp=0x10', 'timestamp=012', 'timestamp=%201'],
    ...['timestamp=1600000000000', 'id=x', 'id=1.5', 'id=2,3', 'asset=Tractor', 'uid=me', 'done=yes', 'images=photo'],
    ...[
      'quantity[value]=many',
      'quantity[value]=NaN',
      'inventory[asset]=x',
      'timestamp[ge]=',
      'name[ct]=',
      'changed=x',
    ],
  ])('a value that its field cannot have: %s', async (query) => {
    const answer = await client.get(`/log.json?${query}`)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors[0].field).toBe(query.replace(/(\[(ge|ct)\])?=.*/, ''))
  })

  it.each([
    ['quantity[value]=1e3', 'quantity[value]'],
    ['quantity[value][value][gt]=many', 'quantity[value]'],
    ['inventory[0][value]=x', 'inventory[value]'],
    ['field_farm_inventory[asset][ne]=x', 'field_farm_inventory[asset]'],
    ['movement[area][ge]=', 'movement[area]'],
  ])('a field inside a part by the path that was asked for: %s', async (query, path) => {
    const answer = await client.get(`/log.json?${query}`)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors[0].field).toBe(path)
    expect(answer.body.detail.startsWith(`${path}: `)).toBe(true)
  })

  it.each([
    ...['a[=1', '[a]=1', 'a]b=1', '=1', 'name=%FF', 'name=%', '%E4=1', 'name=%00', 'name=%ED%A0%80', 'name[a[b]]=1'],
  ])('what is no query: %s', async (query) => {
    const answer = await client.get(`/log.json?${query}`)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.type).toBe('urn:furrow:refusal:bad-query')
  })
})

it('4.1 the query on one record asks for forms and nothing else', async () => {
  expect((await client.get('/taxonomy_term/1.json?utm_source=x')).status).toBe(200)
  expect((await client.get('/taxonomy_term/1.json?with=group')).status).toBe(400)
})

it('8 a query has at most two hundred values', async () => {
  const values = (count: number) => Array.from({ length: count }, (_, nth) => `id[]=${nth + 1}`).join('&')
  expect((await client.get(`/log.json?${values(200)}`)).status).toBe(200)
  expect((await client.get(`/log.json?${values(201)}`)).status).toBe(400)
})
