import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const past = 1_600_000_000

describe('spec 8 is silent: reads can be asked for again cheaply, and changes made only to what was seen', () => {
  let farm: FarmUnderTest
  let worker: Client

  beforeAll(async () => {
    farm = await openFarm()
    worker = await farm.login('worker')
  })

  const log = (fields: object = {}) =>
    worker.create('log', { name: 'Weeding', type: 'farm_activity', timestamp: past, ...fields })

  const again = async (path: string) => {
    const first = await worker.get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    return { etag, status: async () => (await worker.get(path, { 'if-none-match': etag })).status }
  }

  /** On a PostgreSQL server what others do in other databases may spoil a tag, to be safe: then it is asked for again. */
  const unchanged = (path: string) =>
    expect
      .poll(async () => {
        const { etag } = await again(path)
        const { status, text, headers } = await worker.get(path, { 'if-none-match': etag })
        return { status, text, isSame: headers.get('etag') === etag }
      })
      .toEqual({ status: 304, text: '', isSame: true })

  test('an unchanged list or record is answered with 304 and no body', async () => {
    const id = await log()
    for (const path of ['/log.json', `/log/${id}.json`, '/farm_asset.json', '/taxonomy_term.json?bundle=farm_areas']) {
      await unchanged(path)
    }
  })

  test('everything else that is read has a tag, too, which stays as long as it does', async () => {
    const id = await log({ files: ['data:text/plain;base64,QUJD'] })
    const [address] = (await worker.read(`/log/${id}.json?files=link`)).files
    const download = new URL(address).pathname
    const paths = [
      ...['/farm.json', '/farm.xml', '/user.json', '/taxonomy_vocabulary.json', '/taxonomy_vocabulary/1.xml'],
      ...['/farm/areas/geojson', download, download.replace(/\/[^/]*$/, '.json')],
    ]
    for (const path of paths) {
      const { etag } = await again(path)
      for (const known of [etag, `"other", W/${etag}`, '*']) {
        const { status, text, headers } = await worker.get(path, { 'if-none-match': known })
        expect([path, status, text, headers.get('etag')]).toEqual([path, 304, '', etag])
        expect(headers.get('content-type')).toBeNull()
      }
      expect((await farm.anonymous.get(path, { 'if-none-match': etag })).status, path).toBe(403)
      expect((await worker.get(path, { 'if-none-match': '"other"' })).status, path).toBe(200)
    }
  })

  test('a changed record has another ETag', async () => {
    const [map, info] = [await again('/farm/areas/geojson'), await again('/farm.json')]
    const geofield = 'POINT (1 2)'
    await worker.create('taxonomy_term', { name: 'Yard', vocabulary: 'farm_areas', area_type: 'field', geofield })
    expect([await map.status(), await info.status()]).toEqual([200, 200])
    const other = await farm.login('worker')
    expect((await other.get('/farm.json', { 'if-none-match': (await again('/farm.json')).etag })).status).toBe(200)
  })

  test('a tag is for one format, and does not save a senseless question from its refusal', async () => {
    await log()
    const { etag } = await again('/log?limit=1')
    const xml = await worker.get('/log?limit=1', { accept: 'application/xml', 'if-none-match': etag })
    expect(xml.status).toBe(200)
    for (const senseless of ['bogus=1', 'full=5', 'page=x', 'with=bogus', 'sort=bogus']) {
      expect((await worker.get(`/log?limit=1&${senseless}`, { 'if-none-match': etag })).status, senseless).toBe(400)
    }
    expect((await worker.get('/log?limit=1', { 'if-none-match': '*' })).status).toBe(304)
  })

  test('an answer of 304 says nothing of a body, or caches would take it for the one they keep', async () => {
    const id = await log()
    for (const path of ['/log.json', `/log/${id}.json`]) {
      for (const attempt of ['first', 'second']) {
        const { status, headers } = await worker.get(path, { 'if-none-match': '*' })
        expect([status, headers.get('content-type'), headers.get('content-length')], attempt).toEqual([304, null, null])
        expect(headers.get('etag')).toMatch(/^"/)
      }
    }
  })

  test('any change of a record is seen at once, also one by somebody else', async () => {
    const id = await log()
    const list = await again('/log.json')
    const one = await again(`/log/${id}.json`)
    const other = await farm.login('worker')
    await other.put(`/log/${id}`, { name: 'Hoeing' })
    expect(await list.status()).toBe(200)
    expect(await one.status()).toBe(200)
    expect((await worker.read(`/log/${id}.json`)).name).toBe('Hoeing')
  })

  test('a term that is renamed shows its new name in what refers to it', async () => {
    const id = await log({ log_category: [{ name: 'Hedges' }] })
    const [category] = (await worker.read(`/log/${id}.json`)).log_category
    const list = await again('/log.json')
    const one = await again(`/log/${id}.json`)
    await worker.put(`/taxonomy_term/${category.id}`, { name: 'Hedgerows & "banks"' })
    expect([await list.status(), await one.status()]).toEqual([200, 200])
    expect((await worker.read(`/log/${id}.json`)).log_category[0].name).toBe('Hedgerows & "banks"')
  })

  test('what is computed changes with the time alone, and is not answered with 304 then', async () => {
    const now = 1_700_000_000
    farm.setClock(now)
    const area = await worker.create('taxonomy_term', { name: 'Meadow', vocabulary: 'farm_areas' })
    const cow = await worker.create('farm_asset', { name: 'Berta', type: 'animal', animal_type: { name: 'Cattle' } })
    await log({ timestamp: now + 60, done: 1, asset: [{ id: cow }], movement: { area: [{ id: area }] } })
    const paths = [`/farm_asset/${cow}.json`, '/farm_asset.json', `/taxonomy_term/${area}.json`]
    const before = await Promise.all(paths.map(again))
    farm.setClock(now + 59)
    for (const path of paths) await unchanged(path)
    farm.setClock(now + 60)
    expect(await Promise.all(before.map(({ status }) => status()))).toEqual([200, 200, 200])
    expect((await worker.read(paths[0] ?? '')).location).toMatchObject([{ id: area }])
    farm.setClock(null)
  })

  test('a change with If-Match is made to the revision that was read, and to no other', async () => {
    const id = await log()
    const etag = (await worker.get(`/log/${id}.json`)).headers.get('etag') ?? ''
    const change = (body: object) =>
      worker.send('PUT', `/log/${id}`, {
        headers: { 'content-type': 'application/json', 'if-match': etag },
        body: JSON.stringify(body),
      })
    expect(await change({ name: 'First' })).toMatchObject({ status: 200 })
    const late = await change({ name: 'Second' })
    expect(late.status).toBe(412)
    expect(late.body.errors).toMatchObject([{ field: 'name', message: expect.stringContaining('was changed by user') }])
    expect((await worker.read(`/log/${id}.json`)).name).toBe('First')
    const removal = await worker.send('DELETE', `/log/${id}`, { headers: { 'if-match': etag } })
    expect(removal.status).toBe(412)
    expect((await worker.send('DELETE', `/log/${id}`, { headers: { 'if-match': '*' } })).status).toBe(200)
  })

  test('changes elsewhere do not spoil an If-Match: only the record itself counts', async () => {
    const id = await log({ log_category: [{ name: 'Fences' }] })
    const etag = (await worker.get(`/log/${id}.json`)).headers.get('etag') ?? ''
    await log()
    const changed = await worker.send('PUT', `/log/${id}`, {
      headers: { 'content-type': 'application/json', 'if-match': etag },
      body: '{"name":"Mended"}',
    })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  test('a tag that the record never had is not its tag, and nothing is changed', async () => {
    const id = await log()
    const list = (await worker.get('/log.json')).headers.get('etag') ?? ''
    const current = (await worker.get(`/log/${id}.json`)).headers.get('etag') ?? ''
    for (const match of ['"abc"', '""', list, current.replace('"1.', '"7.'), 'W/"abc", "def"']) {
      const answer = await worker.send('DELETE', `/log/${id}`, { headers: { 'if-match': match } })
      expect(answer.status, match).toBe(412)
      expect(answer.body.detail).toContain('does not have the tag in If-Match')
    }
    const either = await worker.send('DELETE', `/log/${id}`, { headers: { 'if-match': `"abc", W/${current}` } })
    expect(either.status).toBe(200)
  })

  test('If-None-Match: * lets nothing be overwritten or removed that is there (RFC 9110, 13.1.2)', async () => {
    const id = await log()
    const headers = { 'content-type': 'application/json', 'if-none-match': '*' }
    const body = JSON.stringify({ name: 'Overwritten' })
    for (const method of ['PUT', 'POST', 'DELETE'] as const) {
      const answer = await worker.send(method, `/log/${id}`, { headers, ...(method === 'DELETE' ? {} : { body }) })
      expect([method, answer.status]).toEqual([method, 412])
      expect(answer.body.detail).toContain('If-None-Match')
    }
    expect(await worker.read(`/log/${id}.json`)).toMatchObject({ name: 'Weeding' })
    expect((await worker.send('PUT', '/log/999999', { headers, body })).status).toBe(404)
    const made = JSON.stringify({ name: 'New', type: 'farm_activity', timestamp: past })
    expect((await worker.send('POST', '/log', { headers, body: made })).status).toBe(201)
  })

  test('an If-Match that is no tag at all is refused by name', async () => {
    const id = await log()
    for (const match of ['nonsense', '"1", x', '*, "1"', '"']) {
      const answer = await worker.send('DELETE', `/log/${id}`, { headers: { 'if-match': match } })
      expect(answer.status, match).toBe(400)
      expect(answer.body.detail).toContain('If-Match')
    }
  })
})
