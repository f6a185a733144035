import { describe, expect, test } from 'vitest'
import { sweep } from '../../src/access/sweeping.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { type Answer, Client, type Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const ada = await farm.login('manager')
const ben = await farm.login('worker')
const viewer = await farm.login('viewer')

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const upload = (
  client: Client,
  path: string,
  { name = 'bean.png', bytes = pixel, headers = {} }: Partial<{ name: string; bytes: Buffer; headers: object }> = {},
): Promise<Answer> =>
  client.send('POST', `/api/${path}`, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `file; filename="${name}"`,
      ...headers,
    },
    body: new Uint8Array(bytes),
  })

const sent = async (client: Client, path: string, name?: string): Promise<Json> => {
  const answer = await upload(client, path, name === undefined ? {} : { name })
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return answer.body.data
}

const make = (client: Client, path: string, relationships: object = {}, name = 'Seen'): Promise<Answer> =>
  client.post(`/api/${path}`, { data: { type: path.replace('/', '--'), attributes: { name }, relationships } })

const change = (client: Client, path: string, data: object): Promise<Answer> =>
  client.sendJson('PATCH', `/api/${path}`, { data })

const files = (...identifiers: object[]) => ({ data: identifiers })
const idOf = ({ id }: Json, meta?: object) => ({ type: 'file--file', id, ...(meta === undefined ? {} : { meta }) })

describe('an upload for a record to come', () => {
  test('is answered with the file, is named by the record that comes, and is downloaded at its address', async () => {
    const answer = await upload(ada, 'log/observation/image', { name: 'leaf.JPG' })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toBe('application/vnd.api+json')
    const { data } = answer.body
    expect(answer.headers.get('location')).toBe(`${farm.base}/api/file/file/${data.id}`)
    const { drupal_internal__fid: fid } = data.attributes
    expect(data).toMatchObject({
      type: 'file--file',
      attributes: {
        filename: 'leaf.JPG',
        filemime: 'image/jpeg',
        filesize: pixel.length,
        status: false,
        uri: { value: `private://${fid}/leaf.JPG`, url: `/file/${fid}/leaf.JPG` },
      },
      relationships: { uid: { data: { type: 'user--user' } } },
    })
    const made = await make(ada, 'log/observation', { image: files(idOf(data)) })
    expect(made.status).toBe(201)
    expect(made.body.data.relationships.image.data).toEqual([
      {
        type: 'file--file',
        id: data.id,
        meta: { alt: null, title: null, width: 1, height: 1, drupal_internal__target_id: fid },
      },
    ])
    const read = await viewer.get(`/api/file/file/${data.id}`)
    expect(read.body.data.attributes.status).toBe(true)
    const bytes = await viewer.stream(data.attributes.uri.url, {})
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(pixel)
    const older = await viewer.get(`/log/${made.body.data.attributes.drupal_internal__id}.json?files=link`)
    expect(older.body.images).toEqual([`${farm.base}${data.attributes.uri.url}`])
  })

  test('is seen, downloaded and taken over by whoever sent it, and by nobody else', async () => {
    const data = await sent(ben, 'asset/equipment/file', 'manual.pdf')
    const { url } = data.attributes.uri
    for (const [client, status] of [
      [ben, 200],
      [ada, 404],
      [viewer, 404],
    ] as const) {
      expect((await client.get(`/api/file/file/${data.id}`)).status).toBe(status)
      expect((await client.get(`/api/file/file/${data.id}/uid`)).status).toBe(status)
      expect((await client.get(url)).status).toBe(status)
      const listed = await client.get(`/api/file/file?filter[id]=${data.id}`)
      expect(listed.body.data).toHaveLength(status === 200 ? 1 : 0)
    }
    const stolen = await make(ada, 'asset/equipment', { file: files(idOf(data)) })
    expect(stolen.status).toBe(404)
    const older = await ada.post('/farm_asset', { type: 'equipment', name: 'Thief', files: [{ uuid: data.id }] })
    expect(older.status).toBe(422)
    expect((await make(ben, 'asset/equipment', { file: files(idOf(data)) })).status).toBe(201)
    expect((await make(ada, 'asset/equipment', { file: files(idOf(data)) })).status).toBe(201)
  })

  test('goes after a day, and stays where a record names it by then', async () => {
    const other = await openFarm()
    const eve = await other.login('worker')
    const now = Math.floor(Date.now() / 1000)
    other.setClock(now)
    const [forgotten, named, late] = [
      await sent(eve, 'log/activity/file', 'a.txt'),
      await sent(eve, 'log/activity/file', 'b.txt'),
      await sent(eve, 'log/activity/file', 'c.txt'),
    ]
    expect((await make(eve, 'log/activity', { file: files(idOf(named)) })).status).toBe(201)
    const sweptAt = async (time: number) => {
      other.setClock(time)
      await sweep(other.installation)
      const token = await other.token(eve.login.name, eve.login.password, 'user_access')
      const client = new Client(other.base, { authorization: `Bearer ${token}` })
      const seen = async ({ id }: Json) => (await client.get(`/api/file/file/${id}`)).status
      return { client, seen: [await seen(forgotten), await seen(named), await seen(late)] }
    }
    expect((await sweptAt(now + 86_399)).seen).toEqual([200, 200, 200])
    const { client, seen } = await sweptAt(now + 86_400)
    expect(seen).toEqual([404, 200, 404])
    expect((await make(client, 'log/activity', { file: files(idOf(late)) })).status).toBe(404)
  })

  test('is none of the trash, which keeps nothing here', async () => {
    const other = await openFarm()
    const eve = await other.login('manager')
    const waiting = await sent(eve, 'log/activity/file', 'a.txt')
    await other.installation.database.write((tx) => writeFarmSetting(tx, 'trash_days', '0'))
    await sweep(other.installation)
    expect((await eve.get(`/api/file/file/${waiting.id}`)).status).toBe(200)
  })

  test('takes so many bytes of an account, and no more', async () => {
    const other = await openFarm()
    const eve = await other.login('worker')
    const first = await sent(eve, 'log/activity/file', 'a.txt')
    // As if it were so many: all but what one pixel takes.
    const size = 200 * 1024 * 1024 - pixel.length
    await other.installation.database.write((tx) => tx.updateTable('file').set({ size }).execute())
    expect((await upload(eve, 'log/activity/file')).status).toBe(201)
    const more = await upload(eve, 'log/activity/file', { bytes: Buffer.from('x') })
    expect([more.status, more.body.errors[0].code]).toEqual([413, 'too-large'])
    const others = await other.login('worker')
    expect((await upload(others, 'log/activity/file')).status).toBe(201)
    await other.installation.database.write((tx) => tx.updateTable('file').set({ size: 1 }).execute())
    expect((await make(eve, 'log/activity', { file: files(idOf(first)) })).status).toBe(201)
    expect((await upload(eve, 'log/activity/file')).status).toBe(201)
  })

  test('is named by two records at once, and comes beside others', async () => {
    const several = await Promise.all([1, 2, 3, 4].map(() => sent(ben, 'log/activity/file', 'a.txt')))
    const link = files(...several.map((one) => idOf(one)))
    const reversed = files(...several.toReversed().map((one) => idOf(one)))
    const made = await Promise.all([link, reversed, link].map((file) => make(ben, 'log/activity', { file })))
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    for (const { id } of several)
      expect((await viewer.get(`/api/file/file/${id}`)).body.data.attributes.status).toBe(true)
  })

  test('that comes again with its key is kept once', async () => {
    const headers = { 'idempotency-key': 'leaf 7' }
    const first = await upload(ada, 'log/activity/image', { headers })
    const again = await upload(ada, 'log/activity/image', { headers })
    expect([again.status, again.body.data.id]).toEqual([201, first.body.data.id])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })
})

describe('an upload onto a record', () => {
  test('is added to what the record has, and answered with all of it', async () => {
    const first = await sent(ada, 'asset/land/image')
    const { data } = (
      await ada.post('/api/asset/land', {
        data: {
          type: 'asset--land',
          attributes: { name: 'Meadow', land_type: 'field' },
          relationships: { image: files(idOf(first)) },
        },
      })
    ).body
    const added = await upload(ada, `asset/land/${data.id}/image`, { name: 'meadow.webp' })
    expect(added.status).toBe(200)
    expect(added.body.data.map(({ attributes }: Json) => [attributes.filename, attributes.status])).toEqual([
      ['bean.png', true],
      ['meadow.webp', true],
    ])
    expect(added.body.links.self.href).toBe(`${farm.base}/api/asset/land/${data.id}/image`)
    const related = await ada.get(`/api/asset/land/${data.id}/image`)
    expect(related.body.data).toEqual(added.body.data)
    const read = await ada.get(`/api/asset/land/${data.id}?include=image`)
    expect(read.body.data.attributes.drupal_internal__revision_id).toBe(2)
    expect(read.body.included).toEqual(added.body.data)
    const set = await ada.read(`/sets/${added.headers.get('change-set')}.json`)
    expect(set.entries).toHaveLength(1)
  })

  test('is refused where the record has changed since it was seen', async () => {
    const made = await make(ada, 'log/activity')
    const path = `log/activity/${made.body.data.id}`
    const etag = made.headers.get('etag') ?? ''
    expect((await upload(ada, `${path}/file`, { headers: { 'if-match': etag } })).status).toBe(200)
    expect((await upload(ada, `${path}/file`, { headers: { 'if-match': etag } })).status).toBe(412)
    expect((await ada.get(`/api/${path}`)).body.data.relationships.file.data).toHaveLength(1)
  })
})

describe('an upload is refused', () => {
  test('without the right to write, at names that are none, and at members that take no files', async () => {
    const { data } = (await make(ada, 'log/activity')).body
    for (const path of ['log/activity/image', `log/activity/${data.id}/image`])
      expect((await upload(viewer, path)).status).toBe(403)
    expect((await upload(farm.anonymous, 'log/activity/image')).status).toBe(401)
    const statuses = async (paths: string[]) =>
      Promise.all(paths.map((path) => upload(ada, path).then(({ status }) => status)))
    expect(await statuses(['log/activity/images', 'log/nothing/image', `log/activity/${data.id}/photo`])).toEqual([
      404, 404, 404,
    ])
    expect(await statuses([`log/harvest/${data.id}/image`])).toEqual([404])
    expect(await statuses(['log/activity/name', 'log/activity/asset', `log/activity/${data.id}/owner`])).toEqual([
      403, 403, 403,
    ])
    expect(await statuses([`log/activity/${data.id}`, 'file/file'])).toEqual([405, 405])
  })

  test('with no name in quotes, in another type, empty, or too large', async () => {
    const named = (disposition: string) =>
      upload(ada, 'log/activity/file', { headers: { 'content-disposition': disposition } }).then(({ status }) => status)
    expect(await named('file')).toBe(400)
    expect(await named('file; filename=bare.txt')).toBe(400)
    expect(await named(`file; filename*=UTF-8''%ff.txt`)).toBe(400)
    expect(await named(`file; filename*=UTF-8''a.txt`)).toBe(201)
    expect(await named('attachment; filename="a.txt"')).toBe(201)
    const typed = await upload(ada, 'log/activity/file', { headers: { 'content-type': 'image/png' } })
    expect(typed.status).toBe(415)
    expect((await upload(ada, 'log/activity/file', { bytes: Buffer.alloc(0) })).status).toBe(400)
    const large = await upload(ada, 'log/activity/file', { bytes: Buffer.alloc(10 * 1024 * 1024 + 1) })
    expect(large.status).toBe(413)
  })

  test('to images, where its name does not end like that of one; files take anything', async () => {
    for (const name of ['notes.txt', 'leaf', 'leaf.svg', 'leaf.png.exe']) {
      const answer = await upload(ada, 'log/activity/image', { name })
      expect([answer.status, answer.body.errors[0].detail]).toEqual([422, expect.stringContaining('image')])
      expect((await upload(ada, 'log/activity/file', { name })).status).toBe(201)
    }
  })
})

describe('what is said of a file', () => {
  test('is kept with it, shown by who names it, and changed by another word only', async () => {
    const [photo, paper] = [await sent(ada, 'log/activity/image'), await sent(ada, 'log/activity/file', 'a.pdf')]
    const { body } = await make(ada, 'log/activity', {
      image: files(idOf(photo, { alt: 'A bean', title: 'Bean', width: 99 })),
      file: files(idOf(paper, { description: 'Bill' })),
    })
    const metas = ({ relationships }: Json) =>
      [relationships.image, relationships.file].map(({ data: [{ meta }] }: Json) => meta)
    expect(metas(body.data)).toEqual([
      { alt: 'A bean', title: 'Bean', width: 1, height: 1, drupal_internal__target_id: expect.any(Number) },
      { display: true, description: 'Bill', drupal_internal__target_id: expect.any(Number) },
    ])
    const path = `log/activity/${body.data.id}`
    const { type, id, relationships } = body.data
    const back = await change(ada, path, { type, id, relationships })
    expect(back.body.data.attributes.drupal_internal__revision_id).toBe(1)
    const said = await change(ada, path, {
      type,
      id,
      relationships: { image: files(idOf(photo, { alt: 'Two beans' })) },
    })
    expect(said.body.data.attributes.drupal_internal__revision_id).toBe(2)
    const read = await viewer.get(`/api/${path}`)
    expect(metas(read.body.data)[0]).toMatchObject({ alt: 'Two beans', title: 'Bean' })
    await change(ada, path, { type, id, relationships: { image: files(idOf(photo, { alt: null })) } })
    const added = await ada.post(`/api/${path}/relationships/image`, files(idOf(photo, { title: 'Last' })))
    expect(added, added.text).toMatchObject({ status: 200 })
    expect(added.body.data[0].meta).toMatchObject({ alt: null, title: 'Last' })
  })

  test('is a text, and not too long', async () => {
    const photo = await sent(ada, 'log/activity/image')
    const refused = await make(ada, 'log/activity', { image: files(idOf(photo, { alt: 7, title: 'x'.repeat(1025) })) })
    expect(refused.status).toBe(422)
    expect(refused.body.errors.map(({ source }: Json) => source.pointer)).toEqual([
      '/data/relationships/image/data/0/meta/alt',
      '/data/relationships/image/data/0/meta/title',
    ])
  })
})

describe('files', () => {
  test('are listed, filtered, sorted and paged', async () => {
    const other = await openFarm()
    const eve = await other.login('worker')
    const named: Json[] = []
    for (const name of ['Beta.txt', 'alpha.png', 'gamma.csv']) named.push(await sent(eve, 'log/activity/file', name))
    await make(eve, 'log/activity', { file: files(...named.map((one) => idOf(one))) })
    const mine = await sent(eve, 'log/activity/file', 'delta.txt')
    const list = async (query: string): Promise<string[]> => {
      const { status, body, text } = await eve.get(`/api/file/file?${query}`)
      expect([status, text]).toEqual([200, expect.any(String)])
      return body.data.map(({ attributes }: Json) => attributes.filename)
    }
    const all = ['Beta.txt', 'alpha.png', 'gamma.csv', 'delta.txt']
    expect(await list('')).toEqual(all)
    expect(await list('sort=filename')).toEqual(['alpha.png', 'Beta.txt', 'delta.txt', 'gamma.csv'])
    expect(await list('sort=-drupal_internal__fid')).toEqual(all.toReversed())
    expect(await list('sort=-filemime,filename')).toEqual(['Beta.txt', 'delta.txt', 'gamma.csv', 'alpha.png'])
    expect(await list('filter[filename]=BETA.TXT')).toEqual(['Beta.txt'])
    expect(await list('filter[filename][operator]=CONTAINS&filter[filename][value]=TA')).toEqual([
      'Beta.txt',
      'delta.txt',
    ])
    expect(await list('filter[filemime]=text/plain')).toEqual(['Beta.txt', 'delta.txt'])
    expect(await list(`filter[filesize]=${pixel.length}`)).toEqual(all)
    expect(await list('filter[filesize][operator]=>&filter[filesize][value]=1000')).toEqual([])
    expect(await list('filter[created][operator]=>&filter[created][value]=2020-01-01')).toEqual(all)
    expect(await list('filter[status]=0')).toEqual(['delta.txt'])
    expect(await list(`filter[id]=${mine.id}`)).toEqual(['delta.txt'])
    const { drupal_internal__fid: fid, uri } = mine.attributes
    expect(await list(`filter[drupal_internal__fid]=${fid}`)).toEqual(['delta.txt'])
    expect(await list(`filter[uri.value]=${uri.value}`)).toEqual(['delta.txt'])
    expect(await list('filter[langcode]=en')).toEqual(all)
    const sender = mine.relationships.uid.data.id
    expect(await list(`filter[uid.id]=${sender}&filter[status]=1`)).toEqual(all.slice(0, 3))
    expect(await list(`filter[uid.name]=${eve.login.name}`)).toEqual(all)
    expect(await list('filter[uid.name]=nobody')).toEqual([])
    const either = 'filter[g][group][conjunction]=OR'
    const memberOf = (key: string, value: string) =>
      `filter[${key}][condition][path]=filename&filter[${key}][condition][value]=${value}&filter[${key}][condition][memberOf]=g`
    expect(await list(`${either}&${memberOf('a', 'alpha.png')}&${memberOf('b', 'gamma.csv')}`)).toEqual([
      'alpha.png',
      'gamma.csv',
    ])
    const page = (await eve.get('/api/file/file?page[limit]=3&sort=filename')).body
    expect(page.data).toHaveLength(3)
    expect(await list(new URL(page.links.next.href).search.slice(1))).toEqual(['gamma.csv'])
    for (const query of ['filter[nothing]=1', 'sort=nothing', 'filter[filesize]=many', 'include=image', 'fid=1'])
      expect((await eve.get(`/api/file/file?${query}`)).status).toBe(400)
    const logs = await eve.get('/api/log/activity?filter[file.filename]=beta.txt')
    expect(logs.body.data).toHaveLength(1)
    expect((await eve.get('/api/log/activity?filter[file.filename]=delta.txt')).body.data).toEqual([])
  })

  test('lead to who sent them, and include them', async () => {
    const data = await sent(ada, 'log/activity/file')
    const path = `/api/file/file/${data.id}`
    const read = await ada.get(`${path}?include=uid&fields[file--file]=filename,uid`)
    expect(read.body.data.attributes).toEqual({ filename: 'bean.png' })
    expect(read.body.included).toEqual([expect.objectContaining({ type: 'user--user' })])
    expect((await ada.get(`${path}/uid`)).body.data.attributes.name).toBe(ada.login.name)
    expect((await ada.get(`${path}/relationships/uid`)).body.data).toEqual(data.relationships.uid.data)
    expect((await ada.get(`${path}?resourceVersion=id:1`)).status).toBe(501)
    const again = await ada.get(path, { 'if-none-match': (await ada.get(path)).headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  test('are given another name by who sent them, which records then show', async () => {
    const data = await sent(ben, 'log/activity/image')
    const log = (await make(ben, 'log/activity', { image: files(idOf(data)) })).body.data
    const path = `file/file/${data.id}`
    const older = `/log/${log.attributes.drupal_internal__id}.json?files=link`
    expect((await ada.get(older)).text).toContain('/bean.png')
    const rename = (client: Client, filename: unknown) =>
      change(client, path, { type: 'file--file', id: data.id, attributes: { ...data.attributes, filename } })
    expect((await rename(ada, 'mine.png')).status).toBe(403)
    expect((await rename(viewer, 'mine.png')).status).toBe(403)
    const renamed = await rename(ben, 'sprout.png')
    expect([renamed.status, renamed.body.data.attributes.filename]).toEqual([200, 'sprout.png'])
    expect(renamed.body.data.attributes.uri.url).toMatch(/\/sprout\.png$/)
    expect((await ada.get(older)).text).toContain('/sprout.png')
    expect((await ada.get(`/api/log/activity/${log.id}`)).body.data.attributes.drupal_internal__revision_id).toBe(2)
    const spoken = await rename(ben, 'Spro\u0308ßling 100% #1 日本.png')
    expect([spoken.status, spoken.body.data.attributes.filename]).toEqual([200, 'Spr\u00f6ßling 100% #1 日本.png'])
    for (const name of ['a/b.png', 'a\\b.png', '.x.png', 'a\nb.png', `${'x'.repeat(252)}.png`, 'sprout.txt', '', 7]) {
      const refused = await rename(ben, name)
      expect([name, refused.status]).toEqual([name, 422])
      expect(refused.body.errors[0].source.pointer).toBe('/data/attributes/filename')
    }
    const strange = await change(ben, path, { type: 'file--file', id: data.id, attributes: { colour: 'red' } })
    expect(strange.status).toBe(422)
  })

  test('are removed by nobody', async () => {
    const data = await sent(ada, 'log/activity/file')
    expect((await ada.delete(`/api/file/file/${data.id}`)).status).toBe(403)
    expect((await ben.delete(`/api/file/file/${data.id}`)).status).toBe(404)
    expect((await ada.get(`/api/file/file/${data.id}`)).status).toBe(200)
  })
})
