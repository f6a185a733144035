import { beforeAll, describe, expect, it } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { figuresIn, logsOf, of, Season, weight } from './season.ts'

const second = (iso: string): number => Date.parse(iso) / 1000
const now = second('2026-06-16T10:00:00+02:00')

/** A field of 0.002° by 0.001° at 50° north, reckoned by the radii of curvature: 143.4 m by 111.2 m. */
const field = 'POLYGON ((8 50, 8.002 50, 8.002 50.001, 8 50.001, 8 50))'

let farm: FarmUnderTest
let client: Client
let season: Season

async function open(): Promise<void> {
  farm = await openFarm()
  farm.setClock(now)
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
  client = await farm.login('worker')
  season = new Season(client)
}

const report = (query = ''): Promise<Json> => client.read(`/reports/harvest.json?${query}`)
const lineOf = (told: Json, ...crops: string[]): Json =>
  told.lines.find((line: Json) => line.crops.map(({ name }: Json) => name).join() === crops.join())

describe('the harvest report', () => {
  let bed3: string
  let bed4: string
  let carrots: string
  let kale: string
  let hens: string
  const logs: Record<string, string> = {}

  beforeAll(async () => {
    await open()
    bed3 = await season.area('Bed 3', field)
    bed4 = await season.area('Bed 4')
    carrots = await season.planting('Early carrots', 'Carrots')
    kale = await season.planting('Kale row', 'Kale')
    hens = await client.create('farm_asset', { name: 'Hens', type: 'group' })
    await season.move(second('2026-04-01T08:00:00Z'), carrots, bed4)
    await season.move(second('2026-06-05T00:00:00+02:00'), carrots, bed3)
    logs.first = await season.harvest(second('2026-06-03T09:00:00+02:00'), {
      asset: of(carrots),
      quantity: [weight('33.5', 'kg')],
    })
    logs.pounds = await season.harvest(second('2026-06-06T09:00:00+02:00'), {
      asset: of(carrots),
      quantity: [weight('10', 'lb'), weight('500', 'g')],
    })
    logs.late = await season.harvest(second('2026-06-15T23:30:00+02:00'), {
      asset: of(carrots),
      area: of(bed4),
      lot_number: '',
      quantity: [weight('1', 'kg')],
    })
    logs.next = await season.harvest(second('2026-06-16T00:30:00+02:00'), {
      asset: of(carrots),
      quantity: [weight('1000', 'kg')],
    })
    await season.harvest(now, { asset: of(carrots), done: 0, quantity: [weight('7000', 'kg')] })
    logs.two = await season.harvest(second('2026-06-10T09:00:00+02:00'), {
      asset: of(carrots, kale),
      area: of(bed3, bed4),
      quantity: [weight('12', 'kg')],
    })
    logs.bunches = await season.harvest(second('2026-06-10T10:00:00+02:00'), {
      asset: of(kale),
      quantity: [
        { measure: 'count', value: '30', unit: { name: 'bunch' } },
        { measure: 'count', value: '4', unit: { name: 'Bunch' } },
        { measure: 'count', value: '2', unit: { name: 'bunch' }, label: 'second choice' },
        { measure: 'temperature', value: '18', unit: { name: '°C' } },
      ],
    })
    logs.eggs = await season.harvest(second('2026-06-10T11:00:00+02:00'), {
      asset: of(hens),
      quantity: [{ measure: 'count', value: '300', unit: { name: 'eggs' } }],
    })
    logs.bare = await season.harvest(second('2026-06-11T11:00:00+02:00'), { lot_number: '  ' })
  })

  const upTo15 = 'from=2026-06-01&to=2026-06-15'

  it('counts done harvests of these days by the clocks of the farm', async () => {
    const told = await report(upTo15)
    expect(told).toMatchObject({ from: '2026-06-01', to: '2026-06-15', time_zone: 'Europe/Berlin', group: ['crop'] })
    expect(told.logs.count).toBe(7)
    const through16 = await report('from=2026-06-01&to=2026-06-16')
    expect(lineOf(through16, 'Carrots').amounts[0]).toMatchObject({ value: '1.04', unit: 't', rounded: true })
    expect((await report('from=2026-06-16&to=2026-06-16')).logs.count).toBe(1)
  })

  it('joins pounds and grams with kilograms exactly, says so, and tells pounds to who asks', async () => {
    const [amount] = lineOf(await report(upTo15), 'Carrots').amounts
    // 33.5 + 1 + 10 × 0.45359237 + 0.5
    expect(amount).toMatchObject({ measure: 'weight', value: '39.536', unit: 'kg', rounded: true })
    expect(amount.joined).toEqual([
      { unit: 'kg', value: '34.5', factor: '1/1', counted: '34.5' },
      { unit: 'lb', value: '10', factor: '45359237/100000000', counted: '4.536' },
      { unit: 'g', value: '500', factor: '1/1000', counted: '0.5' },
    ])
    const [pounds] = lineOf(await report(`${upTo15}&units=us`), 'Carrots').amounts
    // 35 / 0.45359237 + 10
    expect(pounds).toMatchObject({ value: '87.162', unit: 'lb' })
  })

  it('leaves several crops in one log together, as a line of their own', async () => {
    const line = lineOf(await report(upTo15), 'Carrots', 'Kale')
    expect(line.amounts).toHaveLength(1)
    expect(line.amounts[0]).toMatchObject({ value: '12', yield: null })
    expect(await logsOf(farm, client, line.amounts[0].logs)).toEqual([logs.two])
  })

  it('keeps labels, measures and units that have no factor apart, and makes no sum of temperatures', async () => {
    const amounts = lineOf(await report(upTo15), 'Kale').amounts
    expect(amounts.map(({ measure, label, value, unit }: Json) => [measure, label, value, unit])).toEqual([
      ['count', '', '34', 'bunch'],
      ['count', 'second choice', '2', 'bunch'],
      ['temperature', '', null, '°C'],
    ])
  })

  it('tells harvests without a planting by the type of the asset', async () => {
    const told = await report(upTo15)
    const eggs = told.lines.find((line: Json) => line.asset_types.some(({ type }: Json) => type === 'group'))
    expect(eggs).toMatchObject({ crops: [], assets: [{ id: hens, name: 'Hens' }], amounts: [{ value: '300' }] })
    const nothing = told.lines.find((line: Json) => line.assets.length === 0)
    expect(await logsOf(farm, client, nothing.logs)).toEqual([logs.bare])
  })

  it('takes the area of the log, else where the planting then was', async () => {
    const told = await report(`${upTo15}&group=area`)
    const areas = Object.fromEntries(
      await Promise.all(
        told.lines.map(async (line: Json) => [
          line.areas.map(({ name }: Json) => name).join('+'),
          await logsOf(farm, client, line.logs),
        ]),
      ),
    )
    expect(areas).toEqual({
      'Bed 3': [logs.pounds],
      'Bed 4': [logs.first, logs.late],
      'Bed 3+Bed 4': [logs.two],
      '': [logs.bunches, logs.eggs, logs.bare],
    })
  })

  it('tells crops apart by area as well', async () => {
    const told = await report(`${upTo15}&group=crop,area`)
    const carrotLines = told.lines.filter(({ crops }: Json) => crops.length === 1 && crops[0].name === 'Carrots')
    expect(carrotLines.map((line: Json) => [line.areas[0].name, line.amounts[0].value])).toEqual([
      ['Bed 3', '5.036'],
      ['Bed 4', '34.5'],
    ])
  })

  it('counts harvests without a lot and without an amount, and lists them', async () => {
    const told = await report(upTo15)
    expect(told.no_lot.count).toBe(2)
    expect(await logsOf(farm, client, told.no_lot)).toEqual([logs.late, logs.bare])
    expect(lineOf(told, 'Carrots').no_lot.count).toBe(1)
    expect(await logsOf(farm, client, told.no_amount)).toEqual([logs.bare])
  })

  it('tells each week from Monday on', async () => {
    const [{ weeks }] = lineOf(await report(upTo15), 'Carrots').amounts
    expect(weeks.map(({ monday, value }: Json) => [monday, value])).toEqual([
      ['2026-06-01', '38.536'],
      ['2026-06-15', '1'],
    ])
    expect(await logsOf(farm, client, weeks[0].logs)).toEqual([logs.first, logs.pounds])
  })

  it('reckons the yield of a planting by where it is today, and has none where nothing is drawn', async () => {
    const told = await report(upTo15)
    const [{ yield: found }] = lineOf(told, 'Carrots').amounts
    const size = Number(found.square_metres)
    expect(Math.abs(size / (143.4 * 111.2) - 1)).toBeLessThan(0.001)
    expect(found).toMatchObject({ unit: 'kg/ha', value: (39.5359237 / (size / 10_000)).toFixed(3) })
    expect(told.yields.map(({ planting, value }: Json) => [planting.name, value])).toEqual([
      ['Early carrots', '39.536'],
    ])
    expect(lineOf(told, 'Kale').amounts[0].yield).toBeNull()
    const { yields } = await report(`${upTo15}&units=us`)
    const pounds = 35 / 0.45359237 + 10
    expect(yields[0].yield).toMatchObject({ unit: 'lb/acre', value: (pounds / (size / 4046.8564224)).toFixed(3) })
  })

  it('carries with every figure the address that lists its logs, also with filters', async () => {
    for (const query of [upTo15, `${upTo15}&group=planting`, `${upTo15}&asset=${carrots}&asset[ne]=${kale}`]) {
      for (const figure of figuresIn(await report(query)))
        expect(await logsOf(farm, client, figure), figure.list).toHaveLength(figure.count)
    }
    const filtered = await report(`${upTo15}&asset=${kale}&quantity[measure]=weight`)
    expect(await logsOf(farm, client, filtered.logs)).toEqual([logs.two])
  })

  it('lists a figure as a sheet and on a map, too, and nothing where there is no such figure', async () => {
    const { list } = lineOf(await report(upTo15), 'Carrots').logs
    const path = list.slice(farm.base.length)
    expect((await client.get(path.replace('.json', '.csv'))).text.trim().split('\r\n')).toHaveLength(4)
    expect((await client.get(path.replace('.json', '.geojson'))).status).toBe(200)
    const gone = await client.read(`/log.json?report=harvest.crop.0.1.nothing`)
    expect(gone.list).toEqual([])
  })

  it('is a sheet with a row for each amount', async () => {
    const { text, headers } = await client.get(`/reports/harvest.csv?${upTo15}`)
    expect(headers.get('content-disposition')).toContain('harvest-2026-06-01-2026-06-15.csv')
    const rows = text.trim().split('\r\n')
    expect(rows[0]).toMatch(/^from,to,crops,/)
    expect(rows).toHaveLength(1 + 7)
    expect(rows.find((row) => row.includes('Carrots,'))).toContain(',weight,,39.536,kg,')
    const marked = await client.stream(`/reports/harvest.csv?${upTo15}&sep=semicolon&bom=1`, {})
    expect(Buffer.from(await marked.arrayBuffer()).toString()).toMatch(/^\uFEFFfrom;to;/)
  })
})

describe('the harvest report of an odd farm', () => {
  beforeAll(open)

  it('rounds to three places, or three digits of what is small, half to even', async () => {
    const at = second('2026-01-05T12:00:00Z')
    const values = { a: '0.00050005', b: '0.012345', c: '-0.00012345', d: '2.00051', e: '10.000' }
    for (const [label, value] of Object.entries(values))
      await season.harvest(at, { quantity: [weight(value, 'kg', label)] })
    const [{ amounts }] = (await report()).lines
    expect(amounts.map(({ value, rounded }: Json) => [value, rounded])).toEqual([
      ['0.0005', true],
      ['0.0123', true],
      ['-0.000123', true],
      ['2.001', true],
      ['10', false],
    ])
  })

  it('adds thirds of the newer generation without losing anything', async () => {
    const fraction = { value: { numerator: 1, denominator: 3 } }
    const data = { type: 'quantity--standard', attributes: { measure: 'volume', label: 'thirds', ...fraction } }
    const ids = []
    for (let count = 0; count < 3; count += 1) {
      const { body, text } = await client.send('POST', '/api/quantity/standard', {
        headers: { 'content-type': 'application/vnd.api+json' },
        body: JSON.stringify({ data }),
      })
      expect(body.data, text).toBeDefined()
      ids.push({ type: 'quantity--standard', id: body.data.id })
    }
    const attributes = { name: 'Juice', timestamp: '2026-02-02T10:00:00+00:00', status: 'done' }
    const log = { type: 'log--harvest', attributes, relationships: { quantity: { data: ids } } }
    await client.send('POST', '/api/log/harvest', {
      headers: { 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: log }),
    })
    const told = await report('from=2026-02-02&to=2026-02-02')
    expect(told.lines[0].amounts[0]).toMatchObject({ label: 'thirds', value: '1', rounded: false })
  })

  it('adds an amount without a measure to those of its unit, and tells beds by the square metre', async () => {
    const at = second('2026-04-04T12:00:00Z')
    const bed = await season.area('Bed 1', 'POLYGON ((7 51, 7.0001 51, 7.0001 51.0001, 7 51))')
    const leeks = await season.planting('Leeks', 'Leek')
    await season.move(at - 86_400, leeks, bed)
    await season.harvest(at, { asset: of(leeks), quantity: [weight('2', 'kg')] })
    await season.harvest(at, { asset: of(leeks), quantity: [{ value: '12.5', unit: { name: 'kg' } }] })
    await season.harvest(at, { asset: of(leeks), quantity: [{ value: '3', unit: { name: 'bunch' } }] })
    const told = await report('from=2026-04-04&to=2026-04-04')
    expect(told.lines[0].amounts).toMatchObject([
      { measure: '', value: '3', unit: 'bunch' },
      { measure: 'weight', value: '14.5', unit: 'kg', yield: { unit: 'kg/m²' } },
    ])
  })

  it('says a word that means several units, or none, as it was written', async () => {
    const at = second('2026-03-03T12:00:00Z')
    for (const unit of ['ton', 'tonnes', 'Mg', 'lbs.', 'stone', 'KG'])
      await season.harvest(at, { quantity: [weight('1', unit)] })
    for (const unit of ['gallon', 'L', 'oz'])
      await season.harvest(at, { quantity: [{ measure: 'volume', value: '1', unit: { name: unit } }] })
    const [{ amounts }] = (await report('from=2026-03-03&to=2026-03-03')).lines
    expect(amounts.map(({ unit, value }: Json) => `${value} ${unit}`)).toEqual([
      '1 gallon',
      '1 l',
      '1 oz',
      '1 Mg',
      '1 stone',
      '1 ton',
      '1.001 t',
    ])
  })

  it('keeps spreadsheets from working out what people wrote', async () => {
    const at = second('2026-03-10T12:00:00Z')
    const sum = await season.planting('=1+1', '=HYPERLINK("x")')
    await season.harvest(at, { asset: of(sum), quantity: [weight('1', '@kg', '-2+3')] })
    const { text } = await client.get('/reports/harvest.csv?from=2026-03-10&to=2026-03-10')
    const [, row = ''] = text.trim().split('\r\n')
    expect(row).toContain(`"'=HYPERLINK(""x"")"`)
    for (const cell of ["'=1+1", "'@kg", "'-2+3"]) expect(row).toContain(`,${cell},`)
    expect(row).not.toMatch(/,[=@]/)
  })

  it('begins a day where its clocks begin it', async () => {
    const short = second('2026-03-29T00:00:00+01:00')
    await season.harvest(short, { name: 'first second' })
    await season.harvest(second('2026-03-30T00:00:00+02:00') - 1, { name: 'last second of a day of 23 hours' })
    expect((await report('from=2026-03-29&to=2026-03-29')).logs.count).toBe(2)
    expect((await report('from=2026-03-30&to=2026-03-30')).logs.count).toBe(0)
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Asia/Beirut'))
    // There clocks go from 0:00 to 1:00 on that day.
    expect((await report('from=2026-03-29&to=2026-03-29')).logs.count).toBe(1)
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
    expect((await report('from=2026-03-29&to=2026-03-29')).logs.count).toBe(2)
  })

  it('has a tag that holds until something changes', async () => {
    const address = '/reports/harvest.json?from=2026-05-01&to=2026-05-31'
    const etag = (await client.get(address)).headers.get('etag') ?? ''
    expect((await client.get(address, { 'if-none-match': etag })).status).toBe(304)
    await season.harvest(second('2026-05-05T12:00:00Z'), {})
    const after = await client.get(address, { 'if-none-match': etag })
    expect(after.status).toBe(200)
    expect(after.body.logs.count).toBe(1)
  })

  it.each([
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=0000-01-01', 'from'],
    ['to=2026-05-01&from=2026-05-02', 'to'],
    ['from=2026-05-01&from=2026-05-02', 'from'],
    ['group=colour', 'group'],
    ['group=crop,crop', 'group'],
    ['group=material', 'group'],
    ['units=imperial', 'units'],
    ['page=2', 'page'],
    ['sort=name', 'sort'],
    ['as_of=5', 'as_of'],
    ['report=harvest.crop.0.1.all', 'report'],
    ['timestamp[ge]=5', 'timestamp'],
    ['from[ge]=5', 'from'],
    ['sep=tab', 'sep'],
    ['nonsense=1', 'nonsense'],
    ['asset=carrots', 'asset'],
    ['files=link', 'files'],
  ])('refuses %s', async (query, field) => {
    const answer = await client.get(`/reports/harvest.json?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].field).toBe(field)
  })

  it.each([
    'harvest',
    'harvest.crop.0.1',
    'harvest.soil.0.1.all',
    'eggs.crop.0.1.all',
    'harvest.crop.a.b.all',
    'harvest.crop.0.1.all.x',
    '',
  ])('refuses a figure that no report has given: %s', async (figure) => {
    expect((await client.get(`/log.json?report=${figure}`)).status).toBe(400)
  })

  it('refuses figures in lists of other records', async () => {
    expect((await client.get('/farm_asset.json?report=harvest.crop.0.1.all')).status).toBe(400)
  })

  it('takes the whole calendar', async () => {
    const told = await report('from=0001-01-01&to=9999-12-31')
    expect(told).toMatchObject({ from: '0001-01-01', to: '9999-12-31' })
    expect(figuresIn(told)).not.toEqual([])
    for (const figure of figuresIn(told)) expect(await logsOf(farm, client, figure)).toHaveLength(figure.count)
  })

  it('is of this year up to today, unless other days are asked for', async () => {
    expect(await report()).toMatchObject({ from: '2026-01-01', to: '2026-06-16' })
    expect(await report('to=2024-05-05')).toMatchObject({ from: '2024-01-01', to: '2024-05-05' })
    farm.setClock(second('2026-06-16T23:30:00Z'))
    client = await farm.login('worker')
    expect(await report()).toMatchObject({ to: '2026-06-17' })
  })
})
