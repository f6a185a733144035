import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const past = 1_600_000_000
const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
const other = Buffer.concat([gif, Buffer.from('another')])
/** As a header carries it that is sent in UTF-8. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

describe('files are added to a record one at a time', () => {
  let farm: FarmUnderTest
  let worker: Client

  beforeAll(async () => {
    farm = await openFarm()
    worker = await farm.login('worker')
  })

  const log = (fields: object = {}) =>
    worker.create('log', { name: 'Weeding', type: 'farm_activity', timestamp: past, ...fields })
  const add = (path: string, headers: Record<string, string> = {}, body: Uint8Array = gif) =>
    worker.send('POST', path, { headers: { 'content-type': 'image/gif', ...headers }, body: new Uint8Array(body) })
  const images = async (id: string): Promise<string[]> => (await worker.read(`/log/${id}.json?files=link`)).images

  test('bytes are added to the present files, and each is a revision with its set', async () => {
    const [uuid, own] = [randomUUID(), randomUUID()]
    const id = await log({ uuid: own, images: [`data:image/gif;base64,${other.toString('base64')}`] })
    const [there] = await images(id)
    const answer = await add(`/log/${own}/images?uuid=${uuid.toUpperCase()}`)
    const { version } = await worker.read(`/log/${id}.json?with=version`)
    expect(answer.status, answer.text).toBe(201)
    const number = answer.body.id
    expect(answer.body).toEqual({ id: number, uuid, uri: `${farm.base}/file/${number}`, resource: 'file', version })
    expect(version).toMatch(/^2\./)
    expect(answer.headers.get('etag')?.startsWith(`"${version}.`)).toBe(true)
    expect(answer.headers.get('location')).toBe(answer.body.uri)
    expect(answer.headers.get('change-set')).toMatch(/^[\da-f-]{36}$/)
    const [first, second = ''] = await images(id)
    expect(first).toBe(there)
    expect(second).toContain(`/file/${number}/farm_activity_image_`)
    const download = await fetch(second, { headers: { authorization: `Bearer ${worker.login.token}` } })
    expect(Buffer.from(await download.arrayBuffer())).toEqual(gif)
    expect((await worker.read(`/file/${number}.json`)).mime).toBe('image/gif')
  })

  test('under its UUID once, also if it was taken away since, and elsewhere not at all', async () => {
    const uuid = randomUUID()
    const [id, another] = [await log(), await log()]
    const first = await add(`/log/${id}/images?uuid=${uuid}`)
    const again = await add(`/log/${id}/images?uuid=${uuid}`)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('change-set')).toBe(first.headers.get('change-set'))
    await worker.put(`/log/${id}`, { images: [] })
    const late = await add(`/log/${id}/images?uuid=${uuid}`, { 'if-match': first.body.version })
    expect([late.status, late.body.id]).toEqual([200, first.body.id])
    expect(late.body.version).toMatch(/^3\./)
    expect(await images(id)).toEqual([])
    const asset = await worker.create('farm_asset', { name: 'Herd', type: 'group' })
    for (const path of [`/log/${another}/images`, `/farm_asset/${asset}/images`]) {
      const elsewhere = await add(`${path}?uuid=${uuid}`)
      expect([elsewhere.status, elsewhere.body.type]).toEqual([409, 'urn:furrow:refusal:uuid-taken'])
    }
    const taken = randomUUID()
    await log({ uuid: taken })
    expect((await add(`/log/${id}/images?uuid=${taken}`)).status).toBe(409)
    expect((await worker.post('/log', { name: 'X', type: 'farm_activity', timestamp: 1, uuid })).status).toBe(409)
  })

  test('without a UUID each time anew, also the same bytes', async () => {
    const id = await log()
    for (const _ of [1, 2]) expect((await add(`/log/${id}/images`)).status).toBe(201)
    expect(await images(id)).toHaveLength(2)
  })

  test('sixteen times at once under one UUID is one photo, and under sixteen are sixteen', async () => {
    const [id, another, uuid] = [await log(), await log(), randomUUID()]
    const answers = await Promise.all(Array.from({ length: 16 }, () => add(`/log/${id}/images?uuid=${uuid}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 15 }, () => 200), 201])
    expect(await images(id)).toHaveLength(1)
    await Promise.all(Array.from({ length: 16 }, () => add(`/log/${another}/images?uuid=${randomUUID()}`)))
    expect(await images(another)).toHaveLength(16)
  })

  test('to assets and areas alike, and to what has no such field not at all', async () => {
    const asset = await worker.create('farm_asset', { name: 'Herd', type: 'group' })
    const area = await worker.create('taxonomy_term', { name: 'Yard', vocabulary: 'farm_areas' })
    const season = await worker.create('taxonomy_term', { name: '2020', vocabulary: 'farm_season' })
    for (const path of [`/farm_asset/${asset}`, `/taxonomy_term/${area}`]) {
      expect((await add(`${path}/images`)).status).toBe(201)
      expect((await add(`${path}/files`)).status).toBe(201)
    }
    const none = await add(`/taxonomy_term/${season}/images`)
    expect([none.status, none.body.detail]).toEqual([404, expect.stringContaining('which has no images')])
    for (const path of ['/log/999999', `/log/${randomUUID()}`, '/log/x', `/log/${asset}9`])
      expect((await add(`${path}/images`)).status).toBe(404)
    expect((await worker.get(`/farm_asset/${asset}/images`)).status).toBe(405)
  })

  test('under the name that their sender gives them, without what leads elsewhere', async () => {
    const named: readonly (readonly [string, string | RegExp])[] = [
      ['attachment; filename="brook.gif"', 'brook.gif'],
      ['attachment; filename=bare.gif', 'bare.gif'],
      ['attachment; filename="x.gif"; filename*=UTF-8\'\'K%C3%BChe%20%26%20Co.gif', 'Kühe & Co.gif'],
      ["attachment; filename*=UTF-8''first.gif; filename=second.gif", 'first.gif'],
      ['attachment; filename="first.gif"; filename*=UTF-8\'\'%zz', 'first.gif'],
      ['attachment; filename="first.gif"; filename*=klingon\'\'a.gif', 'first.gif'],
      ['attachment; filename="a; filename*=UTF-8\'\'b.gif"', "a; filename*=UTF-8''b.gif"],
      [`attachment; filename="${bytesOf('Grüße 日本.gif')}"`, 'Grüße 日本.gif'],
      ['attachment; filename="Gr\u00fc\u00dfe.gif"', 'Grüße.gif'],
      [`attachment; filename="${bytesOf('Ku\u0308he.gif')}"`, 'K\u00fche.gif'],
      ['attachment; filename="../../etc/passwd"', '_._.._etc_passwd'],
      ['attachment; filename="C:\\\\photos\\\\a b.gif"', 'C:_photos_a b.gif'],
      ['attachment; filename="a\\"<script>.gif"', 'a"<script>.gif'],
      ['attachment; filename=".htaccess"', '_htaccess'],
      ["attachment; filename*=UTF-8''a%0D%0Ab%00%C2%85%E2%80%AE.gif", 'a__b___.gif'],
      ["attachment; filename*=UTF-8''%E7%89%9B", '牛'],
      ["attachment; filename*=UTF-8''%zz", /^farm_activity_file_\d+\.gif$/],
      ["attachment; filename*=UTF-8''%20%20", /^farm_activity_file_\d+\.gif$/],
      ['attachment', /^farm_activity_file_\d+\.gif$/],
      [`attachment; filename="${'n'.repeat(300)}.gif"`, `${'n'.repeat(251)}.gif`],
      [`attachment; filename="${bytesOf('牛'.repeat(100))}.gif"`, `${'牛'.repeat(83)}.gif`],
    ]
    for (const [disposition, name] of named) {
      const id = await log()
      const { status, body } = await add(`/log/${id}/files`, { 'content-disposition': disposition })
      expect(status).toBe(201)
      expect((await worker.read(`/file/${body.id}.json`)).name, disposition).toEqual(
        typeof name === 'string' ? name : expect.stringMatching(name),
      )
      const { files } = await worker.read(`/log/${id}.json?files=link`)
      const put = await worker.put(`/log/${id}?with=version`, { files })
      expect([put.status, put.body.version], put.text).toEqual([200, body.version])
      for (const address of files) {
        expect(address).toMatch(/^http:\/\/[\w.:]+\/file\/\d+\/[\w.~!%-]+$/)
        const { pathname } = new URL(address)
        expect((await worker.get(pathname)).status, pathname).toBe(200)
      }
    }
  })

  test('files takes any type, images takes images, and neither takes compressed or empty bodies', async () => {
    const id = await log()
    const csv = await add(`/log/${id}/files`, { 'content-type': 'text/csv; charset=utf-8' }, Buffer.from('a,b'))
    expect((await worker.read(`/file/${csv.body.id}.json`)).mime).toBe('text/csv;charset=utf-8')
    expect((await add(`/log/${id}/files`, { 'content-type': 'application/json' }, Buffer.from('{'))).status).toBe(201)
    const svg = await add(`/log/${id}/images`, { 'content-type': 'image/svg+xml' }, Buffer.from('<svg/>'))
    expect([svg.status, svg.headers.get('content-type')]).toEqual([201, 'application/json; charset=utf-8'])
    const asXml = await add(`/log/${id}/images`, { accept: 'application/xml' })
    expect(asXml.text).toMatch(/^<\?xml[^>]*>\n<file><id>\d+<\/id><uuid>/)
    for (const type of ['text/plain', 'application/octet-stream', 'multipart/mixed; boundary=x', 'nonsense']) {
      expect((await add(`/log/${id}/images`, { 'content-type': type })).status, type).toBe(415)
    }
    expect((await add(`/log/${id}/images`, { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await add(`/log/${id}/images?as_of=5`)).status).toBe(400)
    const untyped = await worker.send('POST', `/log/${id}/files`, { body: new Uint8Array(gif) })
    expect([untyped.status, untyped.body.detail]).toEqual([415, expect.stringContaining('Content-Type')])
    expect((await add(`/log/${id}/images`, {}, Buffer.alloc(0))).status).toBe(400)
    for (const uuid of ['x', '', '00000000-0000-0000-0000-000000000000']) {
      const answer = await add(`/log/${id}/images?uuid=${uuid}`)
      expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'uuid'])
    }
  })

  test('within the limits of files, and only if the record is as it was seen', async () => {
    const id = await log()
    const large = await add(`/log/${id}/files`, {}, Buffer.alloc(10 * 1024 * 1024 + 1))
    expect([large.status, large.body.detail]).toEqual([413, expect.stringContaining('10 MiB')])
    const { version } = await worker.read(`/log/${id}.json?with=version`)
    const first = await add(`/log/${id}/images`, { 'if-match': version })
    expect(first.status).toBe(201)
    expect((await add(`/log/${id}/images`, { 'if-match': version })).status).toBe(412)
    expect((await add(`/log/${id}/images`, { 'if-match': first.body.version })).status).toBe(201)
    for (let nth = 3; nth <= 20; nth += 1) expect((await add(`/log/${id}/images`)).status).toBe(201)
    const tooMany = await add(`/log/${id}/images?uuid=${randomUUID()}`)
    expect([tooMany.status, tooMany.body.errors[0].field]).toEqual([422, 'images'])
    expect(await images(id)).toHaveLength(20)
    const heavy = await log()
    const half = Buffer.alloc(10 * 1024 * 1024)
    for (const status of [201, 201, 422]) expect((await add(`/log/${heavy}/files`, {}, half)).status).toBe(status)
  })

  test('a repeated Idempotency-Key adds the file once', async () => {
    const id = await log()
    const key = { 'idempotency-key': randomUUID() }
    const first = await add(`/log/${id}/images`, key)
    const again = await add(`/log/${id}/images`, key)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(await images(id)).toHaveLength(1)
  })

  test('a file can be named by its UUID as by its id', async () => {
    const id = await log()
    const { uuid, id: number } = (await add(`/log/${id}/images`)).body
    const another = await log({ images: [{ uuid }] })
    expect((await images(another))[0]).toContain(`/file/${number}/`)
    expect(await worker.ids(`/log.json?images[uuid]=${uuid}`)).toEqual([id, another])
    await log({ images: [{ uuid, id: number }] })
    for (const wrong of [{ uuid, id: '999' }, { uuid: 'x' }, { uuid: randomUUID() }]) {
      const body = { name: 'X', type: 'farm_activity', timestamp: past, images: [wrong] }
      expect((await worker.post('/log', body)).status).toBe(422)
    }
  })

  describe('as the file of a form', () => {
    const form = (...files: readonly (readonly [string, string, string | Uint8Array<ArrayBuffer>])[]) => {
      const body = new FormData()
      for (const [name, type, bytes] of files) body.append('file', new Blob([bytes], { type }), name)
      return body
    }
    const post = (path: string, body: FormData) => worker.send('POST', path, { body })
    /** Line by line, as it goes over the wire. */
    const raw = (
      path: string,
      lines: readonly (string | Buffer)[],
      contentType = 'multipart/form-data; boundary=xYx',
    ) => add(path, { 'content-type': contentType }, Buffer.concat(lines.map((line) => Buffer.from(line))))
    const head = 'Content-Disposition: form-data; name="file"; filename="a.gif"\r\nContent-Type: image/gif\r\n\r\n'

    test('alone, under its name and type, and once under its UUID', async () => {
      const [id, uuid] = [await log(), randomUUID()]
      const bytes = new Uint8Array(Buffer.concat([gif, Buffer.from('\r\n--\r\n\r\n--x')]))
      const answer = await post(`/log/${id}/images?uuid=${uuid}`, form(['Kühe "日本".gif', 'image/gif', bytes]))
      expect(answer.status, answer.text).toBe(201)
      const file = await worker.read(`/file/${answer.body.id}.json`)
      expect([file.name, file.mime, file.size]).toEqual(['Kühe "日本".gif', 'image/gif', String(bytes.length)])
      const download = await worker.stream(new URL(file.url).pathname, {})
      expect(new Uint8Array(await download.arrayBuffer())).toEqual(bytes)
      const again = await post(`/log/${id}/images?uuid=${uuid}`, form(['b.gif', 'image/gif', bytes]))
      expect([again.status, again.body]).toEqual([200, answer.body])
      expect((await post(`/log/${id}/images?dry_run=1`, form(['c.gif', 'image/gif', bytes]))).status).toBe(201)
      expect(await images(id)).toHaveLength(1)
    })

    test('has the type of its name if the sender gives none', async () => {
      const id = await log()
      for (const type of ['', 'application/octet-stream']) {
        const answer = await post(`/log/${id}/images`, form(['a.webp', type, new Uint8Array(gif)]))
        expect((await worker.read(`/file/${answer.body.id}.json`)).mime).toBe('image/webp')
      }
    })

    test('is read in the forms of many programs', async () => {
      const id = await log()
      const end = '\r\n--xYx--\r\n'
      const written: readonly (readonly [readonly (string | Buffer)[], string?])[] = [
        [['--xYx\r\n', head, gif, end]],
        [['preamble\r\n--xYx \t\r\n', head, gif, end, 'epilogue']],
        [['--xYx\r\n', head, gif, end], 'multipart/form-data; charset=utf-8; boundary="xYx"'],
        [['--xYx\r\n', `Content-Transfer-Encoding: binary\r\n${head.toLowerCase()}`, gif, end]],
        [['--xYx\r\n', head, gif, '\r\n--xYxx\r\n', end]],
      ]
      for (const [lines, type] of written) {
        const answer = await raw(`/log/${id}/images`, lines, type)
        expect(answer.status, answer.text).toBe(201)
        expect((await worker.read(`/file/${answer.body.id}.json`)).name).toBe('a.gif')
      }
    })

    test('is refused like a raw body, and if it is not alone or cannot be read', async () => {
      const id = await log()
      const image = ['a.gif', 'image/gif', new Uint8Array(gif)] as const
      const large = await post(`/log/${id}/files`, form(['a.bin', 'a/b', new Uint8Array(10 * 1024 * 1024 + 1)]))
      expect([large.status, large.body.detail]).toEqual([413, expect.stringContaining('10 MiB')])
      const text = await post(`/log/${id}/images`, form(['a.txt', 'text/plain', 'a']))
      expect([text.status, text.body.detail]).toEqual([415, expect.stringContaining('images only')])
      const typed = await post(`/log/${id}/files`, form(['a.txt', 'multipart/mixed', 'a']))
      expect(typed.status).toBe(415)
      const empty = await post(`/log/${id}/files`, form(['a.txt', 'text/plain', '']))
      expect([empty.status, empty.body.detail]).toEqual([400, expect.stringContaining('empty')])
      const field = new FormData()
      field.append('file', 'not a file')
      const besides = form(image)
      besides.append('note', 'beside it')
      const broken: readonly (readonly [Promise<{ status: number; body: { detail: string } }>, string])[] = [
        [post(`/log/${id}/files`, form(image, image)), 'more than one part'],
        [post(`/log/${id}/files`, besides), 'more than one part'],
        [post(`/log/${id}/files`, field), 'no filename'],
        [post(`/log/${id}/files`, new FormData()), 'no part'],
        [raw(`/log/${id}/files`, [gif]), 'boundary'],
        [raw(`/log/${id}/files`, [gif], 'multipart/form-data'), 'names no boundary'],
        [raw(`/log/${id}/files`, [gif], `multipart/form-data; boundary=${'x'.repeat(71)}`), 'names no boundary'],
        [raw(`/log/${id}/files`, ['--xYx\r\n', head, gif]), 'ends before'],
        [raw(`/log/${id}/files`, ['--xYx\n', head.replaceAll('\r', ''), gif, '\n--xYx--']), 'boundary'],
        [raw(`/log/${id}/files`, ['--xYx\r\n\r\n', gif, '\r\n--xYx--']), 'headers of its part'],
        [raw(`/log/${id}/files`, ['--xYx\r\nA: b\r\n\r\n', gif, '\r\n--xYx--']), 'no Content-Disposition'],
        [raw(`/log/${id}/files`, [`--xYx\r\nA: ${'b'.repeat(9000)}\r\n${head}`, gif, '\r\n--xYx--']), '8192 bytes'],
        [
          raw(`/log/${id}/files`, [`--xYx\r\nContent-Transfer-Encoding: base64\r\n${head}`, 'QQ==\r\n--xYx--']),
          'base64',
        ],
        [raw(`/log/${id}/files`, ['--xYx\r\n', head, '\r\n--xYxx'.repeat(1_001), '\r\n--xYx--']), 'choose another'],
      ]
      for (const [sending, why] of broken) {
        const { status, body } = await sending
        expect([status, body.detail], why).toEqual([400, expect.stringContaining(why)])
      }
      expect((await worker.read(`/log/${id}.json?files=link`)).files).toEqual([])
    })
  })
})
