import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

const post = (more: Record<string, unknown>) =>
  client.post('/log', { name: 'L', type: 'farm_activity', timestamp: '1', ...more })

/** With a value that JSON.stringify could not write. */
const postLiteral = (name: string, literal: string) => {
  const rest = Object.entries({ name: '"L"', type: '"farm_activity"', timestamp: '1', [name]: literal })
  const body = `{${rest.map(([key, value]) => `"${key}":${value}`).join(',')}}`
  return client.send('POST', '/log', { headers: { 'content-type': 'application/json' }, body })
}

describe('2.1 times are Unix seconds', () => {
  it.each(
    shareOfThisEngine([
      ['1600000000', '1600000000'],
      [1600000000, '1600000000'],
      ['0', '0'],
      [-86400, '-86400'],
      [2147483647, '2147483647'],
      [2147483648, '2147483648'],
      ['-62135596800', '-62135596800'],
      ['253402300799', '253402300799'],
    ]),
  )('reads the time %o back as seconds', async (timestamp, read) => {
    expect((await post({ timestamp })).body.timestamp).toBe(read)
  })

  it.each(
    shareOfThisEngine([
      ...[
        '2020-01-01',
        '2020-01-01T00:00:00Z',
        'now',
        '1600000000.5',
        1.5,
        '012',
        '0x10',
        '1e9',
        ' 1',
        '1 ',
        '+1',
        '-0',
      ],
      ...[
        '−1',
        '１',
        true,
        {},
        [1],
        { value: '1' },
        '253402300800',
        '-62135596801',
        '9007199254740992',
        'NaN',
        'Infinity',
      ],
    ]),
  )('%o is none', async (timestamp) => {
    const answer = await post({ timestamp })
    expect(answer.status, answer.text).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field: 'timestamp' }])
  })

  it.each(shareOfThisEngine([1600000000000, '1600000000000', '-1600000000000']))(
    '%o looks like milliseconds',
    async (timestamp) => {
      expect((await post({ timestamp })).body.errors).toEqual([
        { field: 'timestamp', message: expect.stringContaining('looks like milliseconds') },
      ])
    },
  )

  it.each(
    shareOfThisEngine([
      ['1.6e9', 201],
      ['1600000000.0', 422],
      ['-0', 422],
      ['1e309', 422],
      ['9007199254740993', 422],
      ['012', 400],
      ['0x10', 400],
      ['NaN', 400],
      ['+1', 400],
      ['.5', 400],
    ]),
  )('the bare number %s gives %i', async (literal, status) => {
    expect((await postLiteral('timestamp', literal)).status).toBe(status)
  })
})

describe('2.1 text', () => {
  it.each(
    shareOfThisEngine([
      'plain',
      '<b>markup</b> & "quotes" \\ / \' entities &amp;',
      'e\u0301 and \u00e9',
      'İıſK ß Σς',
      '🌾👩‍🌾',
      'zero\u200bwidth\ufeff',
      'कृषि 農業 الزراعة',
      '{{x}} %s %00 \\u0000 $1',
      "Robert'); DROP TABLE log;--",
      '__proto__',
    ]),
  )('%j comes back as it was written', async (value) => {
    const notes = { value, format: 'farm_format' }
    const { body } = await post({ name: `n${value}`, notes, data: value, flags: [value] })
    const expected = { name: `n${value}`, notes, data: value, flags: [value] }
    expect(body).toMatchObject(expected)
    expect(await client.read(`/log/${body.id}.json`)).toMatchObject(expected)
    const found = await client.read(`/log.json?id=${body.id}&data=${encodeURIComponent(value)}`)
    expect(found.list).toMatchObject([expected])
  })

  it.each(
    shareOfThisEngine(['\u0000', '\u0001', '\u0008', '\u000b', '\u001f', '\ufffe', '\uffff', '\ud800', '\udc00x']),
  )('with the character %j is refused by its name, wherever it stands', async (character) => {
    const escaped = `"\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}"`
    for (const name of ['name', 'data', 'notes']) {
      const answer = await postLiteral(name, escaped)
      expect(answer.status).toBe(400)
      expect(answer.body.detail).toMatch(/U\+[0-9A-F]{4}/)
    }
  })

  it.each(
    shareOfThisEngine([
      ['a number', '5', '5'],
      ['a long number', '123456789012345678901234567890', '123456789012345678901234567890'],
    ]),
  )('may be sent as %s', async (_what, literal, read) => {
    const answer = await postLiteral('name', literal)
    expect(answer.status).toBe(201)
    expect(answer.body.name).toBe(read)
  })

  it.each(shareOfThisEngine([true, {}, ['x'], { value: 'x' }]))('may not be sent as %o', async (name) => {
    expect(
      (await post({ name: typeof name === 'object' && Object.keys(name).length === 0 ? { a: 1 } : name })).status,
    ).toBe(422)
  })

  it.each(shareOfThisEngine(['a'.repeat(255), '🌾'.repeat(255), 'é'.repeat(255)]))(
    'a name has up to 255 characters',
    async (name) => {
      expect((await post({ name })).body.name).toBe(name)
      const answer = await post({ name: `${name}x` })
      expect(answer.body.errors).toEqual([{ field: 'name', message: 'is longer than 255 characters' }])
    },
  )

  it('nothing that is sent beside the value of a rich text is dropped in silence', async () => {
    const read = { value: 'x', format: 'farm_format' }
    const harmless = [{ summary: '' }, { summary: null }, { safe_value: '<p>x</p>' }, { processed: '<p>x</p>' }]
    for (const more of harmless) {
      expect((await post({ notes: { ...read, ...more } })).body.notes).toEqual(read)
    }
    expect((await post({ notes: { summary: '', format: 'farm_format' } })).body.notes).toEqual([])
    const { id } = (await post({ notes: read })).body
    for (const [notes, field] of [
      [{ ...read, summary: 'In short' }, 'notes.summary'],
      [{ value: null, summary: 'In short' }, 'notes.summary'],
      [{ ...read, safe_summary: 'In short' }, 'notes.safe_summary'],
      [{ ...read, text: 'More' }, 'notes.text'],
      [{ summary: 'In short' }, 'notes'],
    ] as const) {
      for (const answer of [await post({ notes }), await client.put(`/log/${id}`, { notes })]) {
        expect(answer.status, JSON.stringify(notes)).toBe(422)
        expect(answer.body.errors).toMatchObject([{ field }])
      }
    }
    expect((await client.read(`/log/${id}.json`)).notes).toEqual(read)
  })

  it('a term takes no more beside the value of its description', async () => {
    const term = (description: unknown) => ({ name: 'Kale', vocabulary: 'farm_crops', description })
    const answer = await client.post('/taxonomy_term', term({ value: 'Green', summary: 'In short' }))
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field: 'description.summary', allowed: ['value', 'format'] }])
    const kept = await client.post('/taxonomy_term', term({ value: 'Green', format: 'farm_format', summary: '' }))
    expect(kept.body.description).toBe('Green')
  })

  it('rich text is an object, or a bare string, in one format', async () => {
    const read = { value: 'x', format: 'farm_format' }
    for (const notes of ['x', { value: 'x' }, { value: 'x', format: '' }, { ...read, safe_value: '<p>x</p>' }]) {
      expect((await post({ notes })).body.notes).toEqual(read)
    }
    for (const notes of [null, [], '', {}, { value: null, format: 'farm_format' }]) {
      expect((await post({ notes })).body.notes).toEqual([])
    }
    const answer = await post({ notes: { value: 'x', format: 'full_html' } })
    expect(answer.body.errors).toMatchObject([{ field: 'notes.format', allowed: ['farm_format'] }])
    expect((await post({ notes: { value: 5 } })).body.errors).toMatchObject([{ field: 'notes.value' }])
  })

  it('data is a string of any shape', async () => {
    for (const data of ['', '{"a":1}', '<a/>', '- a: b']) expect((await post({ data })).body.data).toBe(data)
    expect((await post({ data: { a: 1 } })).body.errors).toMatchObject([{ field: 'data' }])
  })
})

describe('2.1 geometry is Well-Known Text, read back as it was written', () => {
  it.each(
    shareOfThisEngine([
      ...['POINT (1 2)', 'POINT(1 2)', 'point (1.50 -2e1)', 'POINT EMPTY', 'POINT Z (1 2 3)', 'LINESTRING (0 0, 1 1)'],
      ...['POLYGON ((0 0, 0 1, 1 1, 0 0))', 'MULTIPOINT ((1 2), (3 4))', 'GEOMETRYCOLLECTION (POINT (1 2))'],
      'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))',
    ]),
  )('reads %s back to the letter', async (wkt) => {
    for (const geofield of [wkt, [wkt], { geom: wkt }, [{ geom: wkt, geo_type: 'point', lat: '2' }]]) {
      expect((await post({ geofield })).body.geofield).toEqual([{ geom: wkt }])
    }
    expect((await post({ movement: { geometry: wkt } })).body.movement.geometry).toBe(wkt)
  })

  it.each(
    shareOfThisEngine([
      ...[
        'POINT (1)',
        'POINT (1 2',
        'POINT 1 2',
        'SRID=4326;POINT (1 2)',
        'POLYGON ((0 0, 0 1, 1 1, 2 2))',
        'CIRCLE (1 2)',
      ],
      ...[
        'POINT (1e400 2)',
        'POINT (NaN 2)',
        'POINT (181 0)',
        'POINT (0 91)',
        '{"type":"Point"}',
        'POINT (1 2) x',
        'x',
      ],
      `${'GEOMETRYCOLLECTION ('.repeat(10_000)}POINT (1 2)${')'.repeat(10_000)}`,
    ]),
  )('%.40s is none', async (geofield) => {
    const answer = await post({ geofield })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field: 'geofield[0]' }])
  })

  it.each(shareOfThisEngine([5, true, { lat: 1, lon: 2 }, { geom: 5 }]))('nor is %o', async (geofield) => {
    expect((await post({ geofield: [geofield] })).status).toBe(422)
  })

  it('none is none', async () => {
    for (const geofield of [null, '', [], {}, [{ geom: '' }], { geom: null }]) {
      expect((await post({ geofield })).body.geofield).toEqual([])
    }
  })
})

describe('2.1 a text is shown to the letter, also one that spells an escape', () => {
  const spelled = ['n1', 'f1', ''].flatMap((inside) =>
    ['', '\\', '\\\\', '1', 'ü'].map((before) => String.raw`${before}\u0001\u0002${inside}\u0003`),
  )

  it.each(shareOfThisEngine(spelled))('shows %s to the letter', async (text) => {
    const { status, body } = await post({ name: text, notes: `${text}${text}` })
    expect(status).toBe(201)
    for (const read of [body, await client.read(`/log/${body.id}.json`)]) {
      expect(read).toMatchObject({ name: text, notes: { value: `${text}${text}` } })
    }
  })
})

describe('2.1 texts of one line', () => {
  const controls = ['\u0009', '\n', '\r', '\u007f', '\u0085', '\u009b', '\u2028', '\u2029']
  const overrides = ['\u202a', '\u202e', '\u2066', '\u2069']
  const odd = shareOfThisEngine([...controls, ...overrides].map((character) => `a${character}b`))

  it.each(odd)('refuse %j, and notes, descriptions and data keep it', async (value) => {
    const long = { notes: { value, format: 'farm_format' }, data: value }
    expect((await post({ name: 'N', ...long })).body).toMatchObject(long)
    for (const [field, fields] of [
      ['name', { name: value }],
      ['flags[1]', { name: 'N', flags: ['priority', value] }],
      ['quantity[0].label', { name: 'N', quantity: [{ value: '1', label: value }] }],
      ['area[0]', { name: 'N', area: [{ name: value }] }],
    ] as const) {
      const refused = await post(fields)
      expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([422, field])
      expect(refused.body.errors[0].message).toContain('which a text of one line cannot have')
    }
    const term = { name: value, vocabulary: 'farm_areas' }
    expect((await client.post('/taxonomy_term', term)).status).toBe(422)
    const described = { name: 'N', vocabulary: 'farm_areas', description: value }
    expect((await client.post('/taxonomy_term', described)).status).toBe(201)
    const asset = await client.create('farm_asset', { name: 'N', type: 'equipment' })
    for (const fields of [{ name: value }, { manufacturer: value }])
      expect((await client.put(`/farm_asset/${asset}`, fields)).status).toBe(422)
    expect((await client.read(`/farm_asset/${asset}.json`)).name).toBe('N')
  })

  it.each(odd)('refuse %j by /api, batches, sheets and maps', async (value) => {
    const data = { type: 'asset--equipment', attributes: { name: value, status: 'active' } }
    const newer = await client.send('POST', '/api/asset/equipment', {
      headers: { 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data }),
    })
    expect([newer.status, newer.body.errors[0].source]).toEqual([422, { pointer: '/data/attributes/name' }])
    const body = { name: value, type: 'farm_activity', timestamp: '1' }
    const batch = await client.post('/batch', { operations: [{ method: 'POST', path: '/log', body }] })
    expect([batch.status, batch.text]).toEqual([422, expect.stringContaining('text of one line')])
    const sheet = await client.send('POST', '/log', {
      headers: { 'content-type': 'text/csv; charset=utf-8' },
      body: `name,type,timestamp\r\n"${value}",farm_activity,2026-01-01\r\n`,
    })
    expect([sheet.status, sheet.text]).toEqual([422, expect.stringContaining('text of one line')])
    const geometry = { type: 'Point', coordinates: [1, 2] }
    const feature = { type: 'Feature', properties: { name: value, area_type: 'field' }, geometry }
    const map = await client.send('POST', '/taxonomy_term', {
      headers: { 'content-type': 'application/geo+json' },
      body: JSON.stringify({ type: 'FeatureCollection', features: [feature] }),
    })
    expect([map.status, map.text]).toEqual([422, expect.stringContaining('text of one line')])
  })

  it('keep joiners and marks of direction', async () => {
    const name = 'می\u200cخواهم 👩\u200d🌾 \u200e\u200f'
    expect((await post({ name, flags: [name] })).body).toMatchObject({ name, flags: [name] })
  })

  it('may be sent back as they were kept before, and come back by restore, undo and revert', async () => {
    const kept = 'Kale\u202egnp.exe'
    const { body: log } = await post({ name: 'Kale', quantity: [{ value: '1', label: 'x' }, { value: '2' }] })
    await farm.installation.database.write(async (tx) => {
      const before = await tx.selectFrom('log').select('fields').where('id', '=', log.id).executeTakeFirstOrThrow()
      const fields = before.fields.replace('"x"', JSON.stringify(kept))
      await tx.updateTable('log').set({ name: kept, fields }).where('id', '=', log.id).execute()
    })
    const path = `/log/${log.id}`
    const read = () => client.read(`${path}.json`)
    const shown = await read()
    expect([shown.name, shown.quantity[0].label]).toEqual([kept, kept])
    expect((await client.put(path, shown)).status).toBe(200)
    const swapped = { name: kept, done: '1', quantity: shown.quantity.toReversed() }
    expect((await client.put(path, swapped)).status).toBe(200)
    expect((await client.put(path, { name: `${kept} ` })).status).toBe(422)
    const changed = await client.put(path, { name: 'Kale' })
    expect(changed.status).toBe(200)
    const set = changed.headers.get('change-set')
    expect(await client.post(`/changes/${set}/undo`, {})).toMatchObject({ status: 200 })
    expect((await read()).name).toBe(kept)
    await client.put(path, { name: 'Kale' })
    const { revisions } = await client.read(`${path}/history.json`)
    const { revision } = revisions.find(({ record }: Json) => record?.name === kept) ?? { revision: 2 }
    expect(await client.post(`${path}/revert`, { revision })).toMatchObject({ status: 200 })
    expect((await read()).name).toBe(kept)
    await client.delete(path)
    expect(await client.post(`/trash/${(await client.read('/trash.json')).list[0].uuid}/restore`, {})).toMatchObject({
      status: 200,
    })
    expect((await read()).name).toBe(kept)
  })
})
