import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { Client, type Json } from '../harness/client.ts'
import { recordsOfCsv, rowsOfCsv } from '../harness/csv.ts'
import { emptyPlace } from '../harness/databases.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { png } from '../records/sample-files.ts'
import { furrow, serve } from './built-furrow.ts'

describe.each(atLeastOn('postgres'))('a farm leaves %s as sheets, beside a running server', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'furrow-sheets-'))
  const inFolder = (name: string) => join(folder, name)
  let env: Record<string, string>
  let client: Client
  let token: string
  let address: string

  const command = (...args: string[]) => furrow(['export', ...args], { env })

  const api = async (path: string, data: object): Promise<Json> => {
    const response = await fetch(`${address}/api/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data }),
    })
    expect(response.status, await response.clone().text()).toBe(201)
    return response.json()
  }

  beforeAll(async () => {
    const { data, database } = await emptyPlace(engine)
    env = { FURROW_DATA: data, FURROW_DATABASE: database ?? '' }
    address = (await serve([], { env })).address
    const password = 'green fields 42'
    await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin'], { env, input: password })
    const body = new URLSearchParams({ grant_type: 'password', client_id: 'farm', username: 'ada', password })
    const answer = (await (await fetch(`${address}/oauth/token`, { method: 'POST', body })).json()) as Json
    token = answer.access_token
    client = new Client(address, { authorization: `Bearer ${token}` })
    await furrow(['config', 'set', 'timezone', 'Europe/Berlin'], { env })
    const area = await client.create('taxonomy_term', {
      name: 'North field',
      vocabulary: 'farm_areas',
      area_type: 'field',
      geofield: 'POLYGON ((7 50, 8 50, 8 51, 7 50))',
    })
    const kale = await client.create('farm_asset', { name: 'Kale', type: 'planting', crop: [{ name: 'Kale' }] })
    await client.create('log', {
      name: 'Kale: =picked/2024',
      type: 'farm_harvest',
      timestamp: '1714543200',
      done: '1',
      asset: [{ id: kale }],
      movement: { area: [{ id: area }] },
      notes: 'two\nlines',
      images: [png('kale')],
      quantity: [{ measure: 'weight', value: '12.5', unit: { name: 'kg' } }],
    })
    await client.create('log', { name: 'Weeded', type: 'farm_activity', timestamp: '1714543201' })
    await api('quantity/standard', { type: 'quantity--standard', attributes: { label: 'waits' } })
    await api('log/lab_test', {
      type: 'log--lab_test',
      attributes: {
        name: 'pH',
        lab_test_type: 'tissue',
        status: 'abandoned',
        notes: { value: 'x', format: 'plain_text' },
      },
    })
  })

  it('furrow export sheet writes what the address of the list answers', async () => {
    const file = inFolder('harvests.csv')
    const options = ['--filter', 'type=farm_harvest', '--filter', 'timestamp[ge]=1', '--refs', 'id', '--times', 'unix']
    expect(await command('sheet', 'log', file, ...options)).toMatchObject({
      code: 0,
      stdout: `${file} is written: 1 row.\n`,
    })
    const { text } = await client.get('/log.csv?type=farm_harvest&timestamp[ge]=1&refs=id&times=unix')
    expect(readFileSync(file, 'utf8')).toBe(text.replace(`${address}/file/`, '/file/'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const based = await command(
      'sheet',
      'log',
      '--filter',
      'type=farm_harvest',
      '--base-url',
      address,
      '--fields',
      'images',
    )
    expect(based.stdout).toBe((await client.get('/log.csv?type=farm_harvest&fields=images')).text)
  })

  it('prints a sheet where no file is named, with every option of the address', async () => {
    const options = [
      '--fields',
      'name,quantity',
      '--rows',
      'quantity',
      '--head',
      'label',
      '--sep',
      'semicolon',
      '--bom',
    ]
    const { stdout } = await command('sheet', 'log', ...options, '--sort', 'name', '--direction', 'desc')
    const { text } = await client.get(
      '/log.csv?fields=name,quantity&rows=quantity&head=label&sep=semicolon&bom=1&sort=name&direction=desc',
    )
    expect(stdout.replace(/^\uFEFF/, '')).toBe(text)
    expect(stdout).toMatch(/^\uFEFFName;/)
    expect((await command('sheet', 'farm_asset', '--as-of', '1714543199', '--fields', 'location')).stdout).toBe(
      (await client.get('/farm_asset.csv?as_of=1714543199&fields=location')).text,
    )
  })

  it('writes empty sheets to fill in', async () => {
    const { stdout } = await command('sheet', 'farm_asset', '--template', 'animal', '--head', 'label')
    expect(stdout).toBe((await client.get('/sheets/farm_asset/animal.csv?head=label')).text)
    expect(await command('sheet', 'farm_asset', '--template', 'unicorn')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There is no type "unicorn": it is one of animal, /),
    })
  })

  it('overwrites nothing, and leaves nothing half done', async () => {
    const file = inFolder('mine.csv')
    writeFileSync(file, 'mine')
    expect(await command('sheet', 'log', file)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching('is there already'),
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(await command('sheet', 'log', inFolder('no/where.csv'))).toMatchObject({ code: 1 })
    const other = inFolder('other.csv')
    expect(await command('sheet', 'log', other, '--filter', 'colour=red')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/colour: is not a field that can be filtered/),
    })
    expect(existsSync(other)).toBe(false)
    for (const wrong of [['logs'], ['log', other, '--sep', 'pipe'], ['log', other, '--filter', 'type']])
      expect(await command('sheet', ...wrong), wrong.join(' ')).toMatchObject({ code: 2 })
  })

  it('furrow export --as sheets writes every record, its maps and photos, and a page that explains them', async () => {
    const directory = inFolder('everything')
    const { code, stdout, stderr } = await command(directory, '--as', 'sheets')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^ +1 {2}logs\/farm_harvest\.csv$/m)
    expect(stdout).toMatch(/^ +1 {2}photos and files$/m)
    expect(stdout.trimEnd().endsWith('is written and verified; its README.md says what is what.')).toBe(true)
    const sheet = (name: string) => recordsOfCsv(readFileSync(join(directory, name), 'utf8').replace(/^\uFEFF/, ''))
    const [harvest] = sheet('logs/farm_harvest.csv')
    expect(harvest).toMatchObject({
      name: 'Kale: =picked/2024',
      timestamp: '2024-05-01T08:00:00+02:00',
      status: 'done',
      asset: 'Kale',
      'movement.area': 'North field',
      notes: 'two\nlines',
      'notes.format': 'farm_format',
      images: expect.stringMatching(/^files\/Kale-picked-2024-\d+\.png$/),
      other_fields: '',
    })
    expect(readFileSync(join(directory, harvest?.images ?? ''))).toEqual(bytesOf(png('kale')))
    expect(sheet('files.csv')).toMatchObject([{ path: harvest?.images, mime: 'image/png', damaged: 'no' }])
    expect(sheet('logs/farm_lab_test.csv')).toMatchObject([
      { name: 'pH', lab_test_type: 'tissue', status: 'abandoned', notes: 'x', 'notes.format': 'plain_text' },
    ])
    expect(sheet('assets/planting.csv')).toMatchObject([{ name: 'Kale', crop: 'Kale', location: 'North field' }])
    expect(sheet('terms/farm_areas.csv')).toMatchObject([{ name: 'North field', area_type: 'field', assets: 'Kale' }])
    expect(sheet('quantities.csv')).toMatchObject([
      { log: harvest?.id, measure: 'weight', value: '12.5', unit: 'kg' },
      { log: '', label: 'waits' },
    ])
    expect(sheet('users.csv')).toMatchObject([{ name: 'ada', role: 'manager', blocked: 'no' }])
    expect(sheet('farm.csv')).toContainEqual({ name: 'timezone', value: 'Europe/Berlin' })
    const map = (name: string) => JSON.parse(readFileSync(join(directory, 'maps', name), 'utf8'))
    expect(map('areas.geojson')).toMatchObject({
      type: 'FeatureCollection',
      features: [{ geometry: { type: 'Polygon' }, properties: { name: 'North field', area_type: 'field' } }],
    })
    expect(map('assets.geojson').features).toMatchObject([
      { geometry: { type: 'Polygon' }, properties: { name: 'Kale' } },
    ])
    expect(map('logs.geojson').features).toEqual([])
    const readme = readFileSync(join(directory, 'README.md'), 'utf8')
    for (const name of readdirSync(directory)) if (name !== 'README.md') expect(readme).toContain(name)
    const all = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    for (const { parentPath, name } of all)
      expect(readFileSync(join(parentPath, name), 'utf8'), name).not.toMatch(/argon2|password_hash/)
  })

  it('furrow export --as sheets --format xlsx writes workbooks, which say unchanged when they come back', async () => {
    const directory = inFolder('workbooks')
    const { code, stdout, stderr } = await command(directory, '--as', 'sheets', '--format', 'xlsx')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^ +1 {2}logs\/farm_harvest\.xlsx$/m)
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(['users.xlsx', 'quantities.xlsx', 'files.xlsx']))
    expect(readFileSync(join(directory, 'README.md'), 'utf8')).toContain('They are Excel workbooks')
    for (const [resource, path] of [
      ['farm_asset', 'assets/planting.xlsx'],
      ['taxonomy_term', 'terms/farm_areas.xlsx'],
      ['log', 'logs/farm_lab_test.xlsx'],
    ] as const) {
      const args = ['import', 'sheet', resource, join(directory, path), '--author', 'ada', '--others', 'skip']
      const back = await furrow(args, { env })
      expect(back.stdout, back.stderr).toContain('0 created, 0 changed, 1 unchanged.')
    }
    const lines = await command(inFolder('lines'), '--format', 'xlsx')
    expect(lines).toMatchObject({ code: 2, stderr: expect.stringContaining('--format is for --as sheets') })
  })

  it('every sheet of the whole farm has a row for each record', async () => {
    const directory = inFolder('counted')
    await command(directory, '--as', 'sheets')
    for (const [place, resource] of [
      ['logs', 'log'],
      ['assets', 'farm_asset'],
      ['terms', 'taxonomy_term'],
    ] as const) {
      const uuids = readdirSync(join(directory, place)).flatMap((name) =>
        recordsOfCsv(readFileSync(join(directory, place, name), 'utf8').replace(/^\uFEFF/, '')).map(({ uuid }) => uuid),
      )
      const { list } = await client.read(`/${resource}.json?limit=1000&with=uuid`)
      expect(uuids.toSorted(), place).toEqual(list.map(({ uuid }: Json) => uuid).toSorted())
    }
    for (const name of ['users.csv', 'quantities.csv', 'vocabularies.csv'])
      expect(new Set(rowsOfCsv(readFileSync(join(directory, name), 'utf8')).map((row) => row.length)).size).toBe(1)
  })

  it('writes into a new or an empty directory only', async () => {
    const mine = mkdtempSync(inFolder('mine-'))
    writeFileSync(join(mine, 'diary.txt'), 'mine')
    expect(await command(mine, '--as', 'sheets')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching('is not empty and is left as it is'),
    })
    expect(readdirSync(mine)).toEqual(['diary.txt'])
    const empty = mkdtempSync(inFolder('empty-'))
    expect(await command(empty, '--as', 'sheets')).toMatchObject({ code: 0 })
    expect(readdirSync(empty)).toContain('README.md')
    expect(await command(inFolder('x'), '--as', 'excel')).toMatchObject({ code: 2 })
  })
})

const bytesOf = (uri: string): Buffer => Buffer.from(uri.split(',')[1] ?? '', 'base64')
