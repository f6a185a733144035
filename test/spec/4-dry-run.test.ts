import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '../access/flow.ts'
import { Listener } from '../feed/listener.ts'
import type { Answer, Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { everythingKept } from '../records/everything-kept.ts'
import { png, pngBytes } from '../records/sample-files.ts'

let farm: FarmUnderTest
let client: Client

const now = 1_700_000_000
const log = { name: 'Hoe', type: 'farm_activity', timestamp: '1', done: '1' }
/** Much that would be created on the way. */
const rich = {
  ...log,
  log_category: [{ name: 'Weeding' }, { id: '1' }],
  movement: { area: [{ name: 'North' }] },
  images: [png('x')],
  quantity: [{ value: '1', unit: { name: 'rows' } }],
}

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  client = await farm.login()
})

/** The answer to a dry run, of which nothing is left behind. */
async function dryRun(ask: () => Promise<Answer>): Promise<Answer> {
  const before = await everythingKept(farm)
  const answer = await ask()
  expect(answer.headers.get('dry-run')).toBe('1')
  expect(await everythingKept(farm)).toEqual(before)
  return answer
}

describe('4 a dry run', () => {
  it('answers as the write would, without what there would be only then, and leaves everything as it was', async () => {
    const path = '/log?with=uuid,version'
    const dry = await dryRun(() => client.post(`${path}&dry_run=1`, rich))
    expect(dry.status).toBe(201)
    for (const name of ['location', 'etag', 'change-set']) expect(dry.headers.has(name), name).toBe(false)
    const { would_create, ...shown } = dry.body
    expect(would_create).toEqual([
      { vocabulary: 'farm_log_categories', name: 'Weeding' },
      { vocabulary: 'farm_areas', name: 'North' },
      { vocabulary: 'farm_quantity_units', name: 'rows' },
    ])
    const real = await client.post(path, rich)
    expect(real).toMatchObject({ status: 201 })
    const { id, uuid, version, uri, url, ...rest } = real.body
    expect([id, uuid, version, uri, url]).not.toContain(undefined)
    const unknown = (name: string) => ({ resource: 'taxonomy_term', name })
    const [, animals] = rest.log_category
    expect(shown).toEqual({
      ...rest,
      log_category: [unknown('Weeding'), animals],
      movement: { ...rest.movement, area: [unknown('North')] },
      quantity: [{ ...rest.quantity[0], unit: unknown('rows') }],
    })
  })

  it('says in XML what it says in JSON', async () => {
    const headers = { 'content-type': 'application/xml' }
    const body =
      '<log><name>Hoe</name><type>farm_activity</type><timestamp>1</timestamp><log_category><item name="Mulching"/></log_category></log>'
    const { status, text } = await dryRun(() => client.send('POST', '/log?dry_run=1', { headers, body }))
    expect(status).toBe(201)
    expect(text).toContain(
      '<would_create><item><vocabulary>farm_log_categories</vocabulary><name>Mulching</name></item></would_create>',
    )
    expect(text).not.toMatch(/<(id|uri|url)>/)
  })
})

/** Every write there is, each of something that it could be done to. */
async function everyWrite(): Promise<readonly (readonly [method: string, path: string, init: RequestInit])[]> {
  const json = (body: unknown, type = 'application/json') => ({
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  })
  const text = (type: string, body: string) => ({ headers: { 'content-type': type }, body })
  const api = (body: unknown) => json(body, 'application/vnd.api+json')
  const photo = { headers: { 'content-type': 'image/png' }, body: new Uint8Array(pngBytes(1, 1, 'slip')) }
  const upload = {
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'file; filename="slip.txt"' },
    body: 'slip',
  }
  const made = await client.post('/log?with=uuid', log)
  const { id, uuid } = made.body
  await client.put(`/log/${id}`, { name: 'Later' })
  const set = (await client.post('/log', log)).headers.get('change-set')
  const gone = (await client.post('/log?with=uuid', log)).body
  await client.delete(`/log/${gone.id}`)
  const term = await client.create('taxonomy_term', { name: 'Unused', vocabulary: 'farm_areas' })
  const file = (await client.send('POST', '/api/log/activity/file', upload)).body.data
  const asset = (await client.post('/farm_asset?with=uuid', { name: 'Plough', type: 'equipment' })).body
  const point = '{"type":"Feature","properties":{"name":"Slip"},"geometry":{"type":"Point","coordinates":[7,51]}}'
  const kml =
    '<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Slip</name><Point><coordinates>7,51</coordinates></Point></Placemark></kml>'
  const assets = `/api/log/activity/${uuid}/relationships/asset`
  const link = api({ data: [{ type: 'asset--equipment', id: asset.uuid }] })
  const renamed = { type: 'file--file', id: file.id, attributes: { filename: 'other.txt' } }
  return [
    ['POST', '/log', json(log)],
    ['POST', '/log.json', json(log)],
    [
      'POST',
      '/log.xml',
      text('application/xml', '<log><name>L</name><type>farm_activity</type><timestamp>1</timestamp></log>'),
    ],
    ['POST', '/farm_asset', json({ name: 'Slip', type: 'equipment' })],
    ['POST', '/taxonomy_term', json({ name: 'Slip', vocabulary: 'farm_areas' })],
    ['PUT', `/log/${id}`, json({ name: 'Slip' })],
    ['POST', `/log/${uuid}`, json({ name: 'Slip' })],
    ['DELETE', `/log/${id}`, {}],
    ['DELETE', `/taxonomy_term/${term}`, {}],
    ['POST', `/log/${id}/revert`, json({ revision: 1 })],
    ['POST', `/log/${id}/images`, photo],
    ['POST', `/log/${id}/files`, upload],
    ['POST', '/batch', json({ operations: [{ method: 'POST', path: '/log', body: log }] })],
    ['POST', '/log', text('text/csv', 'name,type,timestamp\nSlip,farm_activity,2024-05-01\n')],
    ['POST', '/farm_asset', text('text/csv', 'name,type\nSlip,equipment\n')],
    ['POST', '/taxonomy_term', text('text/csv', 'name,vocabulary\nSlip,farm_areas\n')],
    ['POST', '/taxonomy_term', text('application/geo+json', point)],
    ['POST', '/taxonomy_term', text('application/vnd.google-earth.kml+xml', kml)],
    ['POST', `/changes/${set}/undo`, {}],
    ['POST', `/trash/${gone.uuid}/restore`, {}],
    ['DELETE', `/trash/${gone.uuid}`, {}],
    ['DELETE', '/trash', {}],
    ['POST', '/api/log/activity', api({ data: { type: 'log--activity', attributes: { name: 'Slip' } } })],
    [
      'PATCH',
      `/api/log/activity/${uuid}`,
      api({ data: { type: 'log--activity', id: uuid, attributes: { name: 'Slip' } } }),
    ],
    ['DELETE', `/api/log/activity/${uuid}`, {}],
    ['POST', assets, link],
    ['PATCH', assets, link],
    ['DELETE', assets, link],
    ['POST', '/api/log/activity/file', upload],
    ['POST', `/api/log/activity/${uuid}/file`, upload],
    ['PATCH', `/api/file/file/${file.id}`, api({ data: renamed })],
  ]
}

describe('4 a dry run is asked for by dry_run=1, so and not otherwise', () => {
  let writes: Awaited<ReturnType<typeof everyWrite>>
  beforeAll(async () => {
    writes = await everyWrite()
  })

  it('is accepted by every write', async () => {
    for (const [method, path, init] of writes) {
      const { status, text } = await dryRun(() => client.send(method, `${path}?dry_run=1`, init))
      expect(status, `${method} ${path} ${text}`).toBeLessThan(300)
    }
  })

  it.each(
    shareOfThisEngine([
      ...[
        'dry_run=true',
        'dry_run=0',
        'dry_run',
        'dry_run=',
        'dry_run=01',
        'dry_run=1.0',
        'dry_run=%201',
        'dry_run=yes',
      ],
      ...[
        'dry_run=1%20',
        'dry_run=%2B1',
        'dry_run="1"',
        'dry_run=1,1',
        'dry_run=%EF%BC%91',
        'dry_run=1%00',
        'dry_run==1',
      ],
      ...['dryrun=1', 'dry-run=1', 'DRY_RUN=1', 'Dry_Run=1', 'dryRun=1', 'dry%20run=1', 'dry=1', 'x-dry-run=1'],
      ...['_dry_run=1', '%20dry_run=1', 'dry_run%20=1', 'dry__run=1', 'dry.run=1', 'dry_run_=1', 'is_dry_run=1'],
      ...['dry_run[]=1', 'dry_run[eq]=1', 'dry_run%5B%5D=1', 'options[dry_run]=1', '[dry_run]=1'],
      ...['dry_run=1&dry_run=1', 'dry_run=1&dryrun=1', 'dry_run=1&dry_run=0', 'dry_run=0&dry_run=1', 'dry%5Frun=2'],
      ...['dry%5Frun=1&dry_run=1', 'dry_run=1;dry_run=1', 'dry_run%3D1', 'dry%255Frun=1', '%2564ry_run=1'],
      ...['with=uuid&dry_run=on', 'with=uuid?dry_run=1', '?dry_run=1', 'with=uuid;dry_run=1', 'with=uuid%26dry_run=1'],
      ...['x=1%3Fdry_run%3D1', 'x=1%253Bdry_run=1', 'dry_run=%', '%FFdry_run=1'],
    ]),
  )('%s is refused, and nothing is done', async (query) => {
    const before = await everythingKept(farm)
    for (const [method, path, init] of writes) {
      const answer = await client.send(method, `${path}?${query}`, init)
      expect(answer.status, `${method} ${path} ${answer.text}`).toBe(400)
      expect(answer.text).toMatch(/dry_run=1|given twice|could not be understood/)
      expect(answer.headers.has('dry-run')).toBe(false)
    }
    expect(await everythingKept(farm)).toEqual(before)
  })

  it.each(
    shareOfThisEngine([
      '&dry_run=1',
      ';dry_run=1',
      '%3Fdry_run=1',
      '/dry_run=1',
      '/dry_run',
      '%26dry_run=1',
      ',dry_run=1',
    ]),
  )('in the path, as %s, it leads nowhere', async (behind) => {
    const before = await everythingKept(farm)
    for (const [method, path, init] of writes) {
      const { status, text } = await client.send(method, `${path}${behind}`, init)
      expect(status, `${method} ${path}${behind} ${text}`).toBeGreaterThanOrEqual(400)
      expect(status, text).toBeLessThan(500)
    }
    expect(await everythingKept(farm)).toEqual(before)
  })

  it.each(
    shareOfThisEngine([
      ['application/json', '{"dry_run": 1}'],
      ['application/json', '{"dryRun": true}'],
      ['application/x-www-form-urlencoded', 'dry_run=1'],
      ['text/plain', 'Dry-Run: 1'],
    ]),
  )('a write that needs no body refuses it in one: %s', async (type, body) => {
    const before = await everythingKept(farm)
    for (const [method, path] of writes.filter(([, , init]) => init.body === undefined)) {
      const answer = await client.send(method, path, { headers: { 'content-type': type }, body })
      expect([answer.status, answer.text], `${method} ${path}`).toEqual([
        400,
        expect.stringContaining('dry_run=1 in the address'),
      ])
    }
    expect(await everythingKept(farm)).toEqual(before)
  })

  it('a sheet may have a column that is called so', async () => {
    const sheet = { headers: { 'content-type': 'text/csv' }, body: 'name,type,Dry run\nTap,equipment,x\n' }
    const taken = await client.send('POST', '/farm_asset?map[Dry run]=', sheet)
    expect(taken.status, taken.text).toBe(200)
  })

  it('the name may be percent-encoded, and stand behind others', async () => {
    expect((await dryRun(() => client.post('/log?with=uuid&dry%5Frun=%31', log))).status).toBe(201)
  })

  it.each(
    shareOfThisEngine([
      ['JSON', '/log', 'application/json', JSON.stringify({ ...log, dry_run: 1 })],
      ['JSON, spelled otherwise', '/log', 'application/json', JSON.stringify({ ...log, dryRun: true })],
      [
        'XML',
        '/log',
        'application/xml',
        '<log><name>L</name><type>farm_activity</type><timestamp>1</timestamp><dry_run>1</dry_run></log>',
      ],
      [
        'a batch',
        '/batch',
        'application/json',
        JSON.stringify({ dry_run: true, operations: [{ method: 'POST', path: '/log', body: log }] }),
      ],
      [
        'JSON:API',
        '/api/log/activity',
        'application/vnd.api+json',
        JSON.stringify({ dry_run: 1, data: { type: 'log--activity' } }),
      ],
      [
        'the meta of JSON:API',
        '/api/log/activity',
        'application/vnd.api+json',
        JSON.stringify({ meta: { dry_run: 1 }, data: { type: 'log--activity' } }),
      ],
      [
        'the meta of a resource',
        '/api/log/activity',
        'application/vnd.api+json',
        JSON.stringify({ data: { type: 'log--activity', attributes: { name: 'L' }, meta: { dry_run: 1 } } }),
      ],
    ]),
  )('in the body, here %s, it is refused with the right spelling', async (_, path, type, body) => {
    const before = await everythingKept(farm)
    const answer = await client.send('POST', path, { headers: { 'content-type': type }, body })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('dry_run=1 in the address')])
    expect(await everythingKept(farm)).toEqual(before)
  })

  it.each(
    shareOfThisEngine([
      ['a form', '/log', 'application/x-www-form-urlencoded', 'name=L&type=farm_activity&timestamp=1&dry_run=1', 415],
      [
        'an operation of a batch',
        '/batch',
        'application/json',
        JSON.stringify({ operations: [{ method: 'POST', path: '/log?dry_run=1', body: log }] }),
        422,
      ],
      [
        'an operation of a batch, beside its body',
        '/batch',
        'application/json',
        JSON.stringify({ operations: [{ method: 'POST', path: '/log', body: log, dry_run: 1 }] }),
        422,
      ],
      [
        'the options of a batch',
        '/batch',
        'application/json',
        JSON.stringify({ options: { dry_run: 1 }, operations: [{ method: 'POST', path: '/log', body: log }] }),
        422,
      ],
      [
        'the attributes of a resource',
        '/api/log/activity',
        'application/vnd.api+json',
        JSON.stringify({ data: { type: 'log--activity', attributes: { name: 'L', dry_run: 1 } } }),
        422,
      ],
      [
        'a part of /subrequests, beside its address',
        '/subrequests?_format=json',
        'application/json',
        JSON.stringify([{ requestId: 'a', uri: '/log', action: 'create', body: JSON.stringify(log), dry_run: 1 }]),
        400,
      ],
    ]),
  )('in %s nothing is done either', async (_, path, type, body, status) => {
    const before = await everythingKept(farm)
    expect((await client.send('POST', path, { headers: { 'content-type': type }, body })).status).toBe(status)
    expect(await everythingKept(farm)).toEqual(before)
  })

  it.each(shareOfThisEngine(['Dry-Run', 'X-Dry-Run', 'dry_run', 'DryRun', 'X-Furrow-Dry-Run']))(
    'the header %s of a request is refused with the right spelling',
    async (name) => {
      const before = await everythingKept(farm)
      for (const [method, path, init] of writes) {
        const answer = await client.send(method, path, { ...init, headers: { ...init.headers, [name]: '1' } })
        expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('dry_run=1 in the address')])
      }
      expect(await everythingKept(farm)).toEqual(before)
    },
  )

  it.each(shareOfThisEngine(['/user/login', '/oauth/token', '/subrequests', '/user/logout']))(
    'is refused where there is none: %s',
    async (path) => {
      const answer = await client.post(`${path}?dry_run=1`, {})
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('is not possible here')])
    },
  )
})

describe('4 a dry run has the guards of the write', () => {
  it('asks for rights', async () => {
    for (const other of [await farm.login('viewer'), await farm.login(null), farm.anonymous]) {
      expect((await dryRun(() => other.post('/log?dry_run=1', log))).status).toBe(403)
      expect((await dryRun(() => other.delete('/taxonomy_term/1?dry_run=1'))).status).toBe(403)
    }
    const worker = await farm.login('worker')
    expect((await dryRun(() => worker.delete('/trash?dry_run=1'))).status).toBe(403)
    expect((await dryRun(() => worker.post('/log?dry_run=1', log))).status).toBe(201)
  })

  it('names every fault', async () => {
    const body = { ...rich, timestamp: 'noon', asset: [{ id: '999' }], images: ['data:text/plain;base64,QQ=='] }
    const dry = await dryRun(() => client.post('/log?dry_run=1', body))
    const real = await client.post('/log', body)
    expect([dry.status, dry.body]).toEqual([422, real.body])
  })

  it('honours If-Match, and gives nothing that could pass for a version', async () => {
    const {
      body: { id },
      headers,
    } = await client.post('/log', log)
    const put = (match: string) =>
      dryRun(() =>
        client.send('PUT', `/log/${id}?dry_run=1&with=version`, {
          headers: { 'content-type': 'application/json', 'if-match': match },
          body: '{"name":"Dug"}',
        }),
      )
    const passed = await put(headers.get('etag') ?? '')
    expect(passed).toMatchObject({ status: 200, body: { id, name: 'Dug' } })
    expect(passed.headers.has('etag')).toBe(false)
    expect(passed.body).not.toHaveProperty('version')
    await client.put(`/log/${id}`, { name: 'Dug' })
    expect((await put(headers.get('etag') ?? '')).status).toBe(412)
    expect((await put('nonsense')).status).toBe(400)
  })

  it('refuses what others refer to, and circles', async () => {
    const area = await client.create('taxonomy_term', { name: 'Upper', vocabulary: 'farm_areas' })
    const below = await client.create('taxonomy_term', {
      name: 'Lower',
      vocabulary: 'farm_areas',
      parent: [{ id: area }],
    })
    expect((await dryRun(() => client.delete(`/taxonomy_term/${area}?dry_run=1`))).status).toBe(409)
    expect(
      (await dryRun(() => client.put(`/taxonomy_term/${area}?dry_run=1`, { parent: [{ id: below }] }))).status,
    ).toBe(422)
    expect(await dryRun(() => client.delete(`/taxonomy_term/${below}?dry_run=1`))).toMatchObject({
      status: 200,
      body: [],
    })
  })

  it('refuses a key that is none', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k'.repeat(256) }
    expect(
      (await dryRun(() => client.send('POST', '/log?dry_run=1', { headers, body: JSON.stringify(log) }))).status,
    ).toBe(400)
  })
})

describe('4 a dry run claims nothing', () => {
  const keyed = (key: string, path: string, body: object = log) =>
    client.send('POST', path, {
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    })

  it('no key: the same key carries the write out, and only then is it answered again', async () => {
    expect((await dryRun(() => keyed('once', '/log?dry_run=1'))).status).toBe(201)
    expect((await dryRun(() => keyed('once', '/log?dry_run=1', { ...log, name: 'Other' }))).status).toBe(201)
    const real = await keyed('once', '/log')
    expect([real.status, real.headers.has('idempotent-replayed')]).toEqual([201, false])
    const again = await dryRun(() => keyed('once', '/log?dry_run=1'))
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', real.body])
    expect(again.headers.get('location')).toBe(real.headers.get('location'))
    expect((await dryRun(() => keyed('once', '/log?dry_run=1', { ...log, name: 'Other' }))).status).toBe(422)
  })

  it('no UUID of a record, a file or a batch', async () => {
    const uuid = randomUUID()
    const body = { ...log, uuid }
    for (const _ of [1, 2]) expect((await dryRun(() => client.post('/log?dry_run=1', body))).status).toBe(201)
    const { status, body: made } = await client.post('/log', body)
    expect(status).toBe(201)
    const again = await dryRun(() => client.post('/log?dry_run=1', body))
    expect([again.status, again.headers.get('idempotent-replayed'), again.body.id]).toEqual([200, 'true', made.id])
    expect((await dryRun(() => client.post('/log?dry_run=1', { ...body, name: 'Other' }))).status).toBe(409)

    const photo = { headers: { 'content-type': 'image/png' }, body: new Uint8Array(pngBytes(1, 1, 'added')) }
    const images = `/log/${made.id}/images?uuid=${randomUUID()}`
    const dry = await dryRun(() => client.send('POST', `${images}&dry_run=1`, photo))
    expect([dry.status, dry.body, dry.headers.has('location')]).toEqual([201, { resource: 'file' }, false])
    expect((await client.send('POST', images, photo)).status).toBe(201)

    const batch = { uuid: randomUUID(), operations: [{ method: 'POST', path: '/log', body: log }] }
    const tried = await dryRun(() => client.post('/batch?dry_run=1', batch))
    expect(tried.body).toEqual({ results: [{ status: 201, resource: 'log' }] })
    expect((await client.post('/batch', batch)).headers.has('idempotent-replayed')).toBe(false)
    const repeated = await dryRun(() => client.post('/batch?dry_run=1', batch))
    expect([repeated.headers.get('idempotent-replayed'), repeated.headers.get('change-set')]).toEqual([
      'true',
      batch.uuid,
    ])
  })

  it('no number, whatever else is written meanwhile', async () => {
    const first = Number(await client.create('log', log))
    const writes = rounds({ short: 10, long: 20 })
    const answers = await Promise.all(
      Array.from({ length: 2 * writes }, (_, nth) => client.post(nth % 2 === 0 ? '/log?dry_run=1' : '/log', rich)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const ids = answers.flatMap(({ body }) => (body.id === undefined ? [] : [Number(body.id)]))
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: writes }, (_, nth) => first + 1 + nth))
    expect(await client.create('log', log)).toBe(String(first + writes + 1))
  })

  it('no event: who listens hears of the next change and of nothing before', async () => {
    const { next } = await client.read('/changes')
    const listener = await Listener.open(client, '/changes')
    await client.post('/log?dry_run=1', rich)
    expect((await client.read(`/changes?since=${next}`)).changes).toEqual([])
    const id = await client.create('log', log)
    await expect.poll(() => listener.events.length).toBeGreaterThan(0)
    expect(listener.events.map(({ data }) => [data.type, data.id])).toEqual([['log', id]])
    await listener.close()
  })

  it('nothing in memory: what is read after it is what was there before', async () => {
    const {
      body: { id },
    } = await client.post('/log', log)
    const before = await client.read(`/log/${id}.json?with=version`)
    await client.put(`/log/${id}?dry_run=1`, { name: 'Never kept', log_category: [{ name: 'Never made' }] })
    await client.post('/log?dry_run=1', rich)
    const after = await client.read(`/log/${id}.json?with=version`)
    expect(after).toEqual(before)
    expect(await client.ids('/taxonomy_term.json?name=Never%20made')).toEqual([])
    await client.put(`/log/${id}`, { name: 'Kept' })
    expect((await client.read(`/log/${id}.json`)).name).toBe('Kept')
  })
})

describe('4 a dry run of many changes', () => {
  it('refers to what it would make, and lists the terms of what would be kept', async () => {
    const operations = [
      { method: 'POST', path: '/farm_asset', body: { name: 'Heap', type: 'compost' }, as: 'heap' },
      { method: 'POST', path: '/log', body: { ...log, asset: [{ id: '$heap' }], log_category: [{ name: 'Turning' }] } },
      { method: 'POST', path: '/log', body: { ...log, name: '', log_category: [{ name: 'Refused' }] } },
      { method: 'POST', path: '/taxonomy_term', body: { name: 'Asked for', vocabulary: 'farm_log_categories' } },
      { method: 'PUT', path: '/farm_asset/$heap', body: { name: 'Large heap' } },
      { method: 'DELETE', path: '/log/999999' },
    ]
    const dry = await dryRun(() => client.post('/batch?dry_run=1', { atomic: false, operations }))
    expect(dry.body).toEqual({
      results: [
        { status: 201, resource: 'farm_asset' },
        { status: 201, resource: 'log' },
        { status: 422, problem: expect.objectContaining({ status: 422 }) },
        { status: 201, resource: 'taxonomy_term' },
        { status: 200, resource: 'farm_asset' },
        { status: 404, problem: expect.objectContaining({ status: 404 }) },
      ],
      would_create: [{ vocabulary: 'farm_log_categories', name: 'Turning' }],
    })
    const atomic = await dryRun(() => client.post('/batch?dry_run=1', { operations }))
    expect([atomic.status, atomic.body.errors[0].field]).toEqual([422, 'operations[2].body.name'])
    expect((await client.post('/batch', { operations })).body).toEqual(atomic.body)
  })

  it('reverts, undoes, restores and ends, and nothing of it', async () => {
    const made = await client.post('/log', log)
    const { id } = made.body
    await client.put(`/log/${id}`, { name: 'Later' })
    const reverted = await dryRun(() => client.post(`/log/${id}/revert?dry_run=1`, { revision: 1 }))
    expect(reverted).toMatchObject({ status: 200, body: { id, name: 'Hoe' } })
    const set = made.headers.get('change-set')
    expect((await dryRun(() => client.send('POST', `/changes/${set}/undo?dry_run=1`))).status).toBe(409)
    const left = await dryRun(() => client.send('POST', `/changes/${set}/undo?leave=used&dry_run=1`))
    expect(left).toMatchObject({ status: 200, body: { undoes: set, undone: [], left: [{ id }] } })
    const other = (await client.post('/log', rich)).headers.get('change-set')
    const undone = await dryRun(() => client.send('POST', `/changes/${other}/undo?dry_run=1`))
    expect(undone.body).not.toHaveProperty('set')
    expect(undone.body.undone).toMatchObject([{ type: 'log', verb: 'remove' }])
    const { uuid } = await client.read(`/log/${id}.json?with=uuid`)
    await client.delete(`/log/${id}`)
    const restored = await dryRun(() => client.send('POST', `/trash/${uuid}/restore?dry_run=1`))
    expect(restored).toMatchObject({ status: 200, body: { restored: [{ id }] } })
    expect(await dryRun(() => client.delete(`/trash/${uuid}?dry_run=1`))).toMatchObject({
      status: 200,
      body: { ended: 1 },
    })
    const held = (await client.read('/trash.json')).list.length
    expect(await dryRun(() => client.delete('/trash?dry_run=1'))).toMatchObject({ status: 200, body: { ended: held } })
    expect((await client.read('/trash.json')).list.length).toBe(held)
  })
})

it('4 a script of another origin is told that it was a dry run', async () => {
  const origin = 'https://field.example'
  await app(farm, { origins: [origin] })
  const headers = { origin, 'content-type': 'application/json' }
  const answer = await client.send('POST', '/log?dry_run=1', { headers, body: JSON.stringify(log) })
  expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toContain('Dry-Run')
})
