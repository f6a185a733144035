import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let client: Client
let id: string

const body = { name: 'A log', type: 'farm_activity', timestamp: '1000' }

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  id = await client.create('log', body)
})

describe('4 one record', () => {
  it.each([(one: string) => `/log/${one}.json`, (one: string) => `/log/${one}`, (one: string) => `/log/${one}.json/`])(
    'is read at its address, with and without extension',
    async (pathOf) => {
      const answer = await client.get(pathOf(id))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      expect(answer.body).toMatchObject({ id, name: 'A log' })
    },
  )

  it.each(['/log/999999.json', '/log/0.json', '/log/-1.json', '/log/1.5', '/log/01.json', '/log/abc.json', '/log/1e0'])(
    'is not at %s',
    async (path) => {
      expect((await client.get(path)).status).toBe(404)
      expect((await client.put(path, { name: 'x' })).status).toBe(404)
      expect((await client.delete(path)).status).toBe(404)
    },
  )

  it.each(['/log/9007199254740993.json', '/log/99999999999999999999', '/log/__proto__', '/log/%00', '/log/1%2F2'])(
    'nor at %s',
    async (path) => {
      expect([400, 404]).toContain((await client.get(path)).status)
    },
  )

  it('is not found under another type', async () => {
    const asset = await client.create('farm_asset', { name: 'A', type: 'group' })
    expect(await client.read(`/farm_asset/${asset}.json`)).toMatchObject({ type: 'group' })
    expect((await client.get('/field_collection_item/1.json')).status).toBe(404)
  })
})

describe('4 writing', () => {
  it('a new record answers 201 with its address and itself', async () => {
    const answer = await client.post('/log', body)
    expect(answer.status).toBe(201)
    const address = `${farm.base}/log/${answer.body.id}`
    expect(answer.headers.get('location')).toBe(address)
    expect(answer.body).toMatchObject({ ...body, uri: address, url: address, resource: 'log' })
    expect(answer.body.id).toMatch(/^\d+$/)
  })

  it('an update answers 200 with the record as it is now', async () => {
    const answer = await client.put(`/log/${id}`, { notes: 'Rain' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(await client.read(`/log/${id}.json`))
    expect(answer.body.notes).toEqual({ value: 'Rain', format: 'farm_format' })
  })

  it.each(['/log.json', '/log/', '/log.json/', '/log?page=x&colour=red'])('POST %s creates as well', async (path) => {
    expect((await client.post(path, body)).status).toBe(201)
  })

  it.each(['', '.json', '/', '?colour=red&page=x', '.json?files=link'])(
    'PUT and POST to a record with %j behind it update it',
    async (tail) => {
      const put = await client.put(`/log/${id}${tail}`, { name: `Put ${tail}` })
      expect(put).toMatchObject({ status: 200, body: { id, name: `Put ${tail}` } })
      const post = await client.post(`/log/${id}${tail}`, { name: 'Posted' })
      expect(post).toMatchObject({ status: 200, body: { id, name: 'Posted' } })
    },
  )

  it('a removal answers 200 and an empty list, also with an extension, a query and a Content-Type', async () => {
    for (const tail of ['', '.json', '/', '?colour=red']) {
      const gone = await client.create('log', body)
      const headers = { 'content-type': 'application/json' }
      expect(await client.send('DELETE', `/log/${gone}${tail}`, { headers })).toMatchObject({ status: 200, body: [] })
      expect((await client.get(`/log/${gone}.json`)).status).toBe(404)
    }
  })
})

describe('4 methods', () => {
  it.each([
    ['DELETE', '/log', 'GET, HEAD, POST, OPTIONS'],
    ['PUT', '/log', 'GET, HEAD, POST, OPTIONS'],
    ['PATCH', '/log/1', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['DELETE', '/farm_asset.json', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/farm.json', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/taxonomy_vocabulary/1', 'GET, HEAD, OPTIONS'],
    ['PUT', '/file/1', 'GET, HEAD, OPTIONS'],
  ])('%s %s does not work, and the answer says what does', async (method, path, allow) => {
    const answer = await client.sendJson(method, path, {})
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe(allow)
    expect(answer.body.type).toBe('urn:furrow:refusal:method-not-allowed')
  })

  it.each(['/log.json', '/farm.json', '/taxonomy_vocabulary'])('HEAD %s is GET without the body', async (path) => {
    const [head, get] = [await client.send('HEAD', path), await client.get(path)]
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  })

  it('HEAD of a record that is not there is 404', async () => {
    expect((await client.send('HEAD', '/log/999999.json')).status).toBe(404)
  })

  it.each(['/log', '/log/1.json', '/farm.json'])('OPTIONS %s names the methods to anybody', async (path) => {
    const answer = await farm.anonymous.send('OPTIONS', path)
    expect([200, 204]).toContain(answer.status)
    expect(answer.headers.get('allow')).toContain('GET')
    expect(answer.text).toBe('')
  })

  it.each(['/', '/logs.json', '/log.tsv', '/log.json.json', '/LOG.json', '/node.json', '/farm_asset/1/2/3'])(
    'there is nothing at %s',
    async (path) => {
      const answer = await client.get(path)
      expect([404, 302, 200]).toContain(answer.status)
      if (path !== '/') expect(answer.status).toBe(404)
    },
  )
})

describe('1 formats', () => {
  it.each([{}, { accept: '*/*' }, { accept: 'json' }, { accept: 'text/html,*/*;q=0.8' }, { accept: 'image/png' }])(
    'a list without extension is JSON for %o',
    async (headers) => {
      const answer = await client.get('/log', headers as Record<string, string>)
      expect(answer.status).toBe(200)
      expect(answer.body).toHaveProperty('list')
    },
  )

  it('a Content-Type on a read does no harm', async () => {
    expect((await client.get('/log.json', { 'content-type': 'application/json' })).status).toBe(200)
    expect((await client.get(`/log/${id}.json`, { 'content-type': 'application/json' })).status).toBe(200)
  })

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])(
    'a body of type %s is not understood',
    async (type) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
      const sent = Buffer.from(JSON.stringify(body))
      expect((await client.send('POST', '/log', { headers, body: sent })).status).toBe(415)
      expect((await client.send('PUT', `/log/${id}`, { headers, body: sent })).status).toBe(415)
    },
  )

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'a body of type %s is',
    async (type) => {
      const headers = { 'content-type': type }
      expect((await client.send('POST', '/log', { headers, body: JSON.stringify(body) })).status).toBe(201)
    },
  )
})
