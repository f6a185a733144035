import { beforeAll, describe, expect, it } from 'vitest'
import { comingAndGoing } from '../../src/farm/bundle-names.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { administrator } from '../access/flow.ts'
import type { Client, Json } from '../harness/client.ts'
import { bindAnew, type FarmUnderTest, openFarm } from '../harness/farm.ts'

const second = (iso: string): number => Date.parse(iso) / 1000
const now = second('2026-06-16T10:00:00+02:00')
const day = 86_400

/** Nothing is made without an id. */
const of = (id: string | undefined) => [{ id }]

let farm: FarmUnderTest
let client: Client
const ids: Record<string, string> = {}

const log = (type: string, timestamp: number, fields: Json = {}) =>
  client.create('log', { name: type, type, timestamp, done: 1, ...fields })
const quantity = (measure: string, value: string, unit: string, label?: string) => ({
  ...{ measure, value, unit: { name: unit } },
  ...(label === undefined ? {} : { label }),
})
const register = (name: string, query = ''): Promise<Json> => client.read(`/reports/${name}.json?${query}`)
const cellsOf = async (name: string, query = ''): Promise<Json[]> =>
  (await register(name, query)).rows.map(({ cells }: Json) => cells)
const logsAt = async (address: string): Promise<string[]> =>
  (await client.read(address.slice(farm.base.length))).list.map(({ id }: Json) => id)

const square = 'POLYGON ((7 51, 7.0014 51, 7.0014 51.0009, 7 51.0009, 7 51))'

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  await farm.installation.database.write(async (tx) => {
    await writeFarmSetting(tx, 'timezone', 'Europe/Berlin')
    await writeFarmSetting(tx, 'holding_numbers', 'Cattle: DE 09 1\nSheep: DE 09 2')
  })
  client = await farm.login('worker')
  const animal = (name: string, more: Json = {}) =>
    client.create('farm_asset', { name, type: 'animal', animal_type: { name: 'Cattle' }, ...more })
  ids.rosa = await animal('Rosa', { tag: [{ id: 'DE 1', type: 'Ear tag' }], animal_sex: 'F' })
  ids.alma = await animal('Alma', { date: second('2020-03-01T12:00:00Z') })
  ids.calf = await animal('Calf')
  ids.flock = await animal('Steers')
  ids.never = await animal('Never seen')
  ids.north = await client.create('taxonomy_term', {
    ...{ name: 'North', vocabulary: 'farm_areas', area_type: 'field', geofield: [{ geom: square }] },
  })
  ids.wheat = await client.create('farm_asset', { name: 'Wheat 26', type: 'planting', crop: [{ name: 'Wheat' }] })
  ids.sown = await log('farm_seeding', now - 200 * day, {
    ...{ asset: of(ids.wheat), movement: { area: of(ids.north) }, lot_number: 'S 1' },
    quantity: [quantity('weight', '180', 'kg')],
  })
})

describe('the input register', () => {
  beforeAll(async () => {
    ids.lime = await client.create('taxonomy_term', {
      ...{ name: 'Lime', vocabulary: 'farm_materials', description: 'DE-009' },
    })
    ids.spread = await log('farm_input', now - 20 * day, {
      ...{ area: of(ids.north), material: of(ids.lime), input_purpose: 'pH', input_method: 'Spreader' },
      ...{ lot_number: 'L 7', quantity: [quantity('weight', '500', 'kg'), quantity('area', '0.5', 'ha')] },
    })
    ids.again = await log('farm_input', now - 10 * day, {
      ...{ area: of(ids.north), material: of(ids.lime) },
      quantity: [quantity('weight', '1', 't'), quantity('time', '3', 'days', 'withhold harvest')],
    })
    ids.bare = await log('farm_input', now - 9 * day, { area: of(ids.north), material: of(ids.lime) })
  })

  it('has a line for each log, with crop, approval, size, rate and withholding, and marks an assumed size', async () => {
    const rows = await cellsOf('input-register')
    expect(rows).toHaveLength(3)
    expect(rows[0]).toMatchObject({
      ...{ day: '2026-05-27', time: '10:00', place: 'North', crop: 'Wheat', product: 'Lime', approval: 'DE-009' },
      ...{ purpose: 'pH', amount: '500 kg', size: '0.5 ha', rate: '1000 kg/ha', method: 'Spreader', lot: 'L 7' },
    })
    expect(rows[0].who).not.toBe('')
    expect(rows[0].entered).toBe('2026-06-16')
    expect(rows[1].withholding).toBe('harvest 3 d')
    expect(rows[1].amount).toBe('1 t')
    expect(rows[1].size).toMatch(/^0\.\d+ ha \(assumed/)
  })

  it('names what is missing, leads there, and sums up by product and hectare', async () => {
    const { missing, sums, logs, head } = await register('input-register')
    expect(missing).toMatchObject([{ column: 'amount', count: 1 }])
    expect(await logsAt(missing[0].list)).toEqual([ids.bare])
    expect(await logsAt(logs.list)).toHaveLength(3)
    expect(sums).toMatchObject([{ of: 'Lime', amount: '1.5 t', count: 3 }])
    expect(head.holding_numbers).toContain('Cattle: DE 09 1')
  })

  it('comes as a sheet in the reader’s language', async () => {
    const { text } = await client.get('/reports/input-register.csv?language=de')
    expect(text.split('\r\n')[0]).toMatch(/^Tag,Uhrzeit,Fläche oder Ort,Tiere,Kultur,Mittel,Zulassungsnummer/)
    expect((await register('input-register', 'language=es')).columns[0].label).toBe('Día')
    expect((await register('input-register', 'language=de')).sums).toMatchObject([{ amount: '1,5 t' }])
    expect((await cellsOf('input-register', 'language=de'))[0]).toMatchObject({ size: '0,5 ha', approval: 'DE-009' })
    expect((await client.get('/reports/input-register.json?group=area')).status).toBe(400)
  })
})

describe('the medicine book', () => {
  it('has first and last day, doses, each withholding also when 0, and what is missing', async () => {
    const given = (at: number) =>
      log('farm_medical', at, {
        ...{ asset: of(ids.rosa), vet: 'Dr. Wolf', notes: 'Batch: B 12\nReason: Mastitis' },
        quantity: [
          quantity('volume', '40', 'ml', 'Penicillin'),
          quantity('volume', '20', 'ml', 'per head'),
          quantity('time', '10', 'days', 'withhold meat'),
          quantity('time', '0', 'days', 'withhold milk'),
        ],
      })
    const [first, second, later] = [await given(now - 5 * day), await given(now - 4 * day), await given(now - 2 * day)]
    const bare = await log('farm_medical', now - day, { asset: of(ids.alma) })
    const told = await register('medicine-book')
    expect(told.rows.map(({ logs }: Json) => logs)).toEqual([[first, second], [later], [bare]])
    expect(told.rows[0].cells).toMatchObject({
      ...{ day: '2026-06-11', last_day: '2026-06-12', animals: 'Rosa DE 1', product: 'Penicillin', batch: 'B 12' },
      ...{ dose_each: '20 ml', dose_all: '40 ml', reason: 'Mastitis', vet: 'Dr. Wolf' },
      ...{ withholding: 'meat 10 d, milk 0 d', free_from: 'meat 2026-06-22, milk 2026-06-12' },
    })
    expect(told.rows[2].cells.withholding).toBe('withholding not recorded')
    expect(told.rows[2].missing).toEqual(['product', 'batch', 'dose_all', 'reason', 'vet', 'withholding'])
    expect(await logsAt(told.missing.find(({ column }: Json) => column === 'withholding').list)).toEqual([bare])
  })
})

describe('the registers of animals', () => {
  const category = (which: keyof typeof comingAndGoing) => of(ids[which])

  beforeAll(async () => {
    for (const [which, { uuid, name }] of Object.entries(comingAndGoing))
      ids[which] = await client.create('taxonomy_term', { uuid, name, vocabulary: 'farm_log_categories' })
    await log('farm_activity', now - 400 * day, { asset: of(ids.rosa), log_category: category('arrived') })
    await log('farm_birth', now - 30 * day, { asset: of(ids.calf), mother: { id: ids.rosa } })
    await log('farm_observation', now - 100 * day, { asset: of(ids.alma) })
    const operations = [
      {
        ...{ name: 'Bought', type: 'farm_purchase', timestamp: now - 50 * day, done: 1, seller: 'Huber' },
        ...{ asset: of(ids.flock), inventory: [{ asset: { id: ids.flock }, value: '42' }] },
      },
      {
        ...{ name: 'Sold', type: 'farm_sale', timestamp: now - 15 * day, done: 1, customer: 'Meier' },
        ...{ asset: of(ids.flock), inventory: [{ asset: { id: ids.flock }, value: '-2' }] },
      },
    ].map((body) => ({ method: 'POST', path: '/log', body }))
    expect((await client.post('/batch', { operations })).status).toBe(200)
    await bindAnew(farm)
    await log('farm_activity', now - 3 * day, { asset: of(ids.calf), log_category: category('died') })
    await client.put(`/farm_asset/${ids.calf}`, { archived: now - 3 * day })
  })

  const on = async (iso: string) =>
    (await cellsOf('animals', `to=${iso}`)).map(({ name, since_by, head }) => [name, since_by, head].join(', '))

  it('count an animal from its birth or arrival, else from its first log or birth date, until it is archived', async () => {
    expect(await on('2026-06-16')).toEqual([
      'Rosa, arrival, 1',
      'Alma, since when not recorded, 1',
      'Steers, purchase, 40',
    ])
    expect(await on('2026-06-10')).toContain('Calf, birth, 1')
    expect(await on('2026-05-16')).toEqual([
      'Rosa, arrival, 1',
      'Alma, since when not recorded, 1',
      'Steers, purchase, 42',
    ])
    expect(await on('2020-02-29')).toEqual([])
    expect((await cellsOf('animals', 'to=2026-06-16'))[1]).toMatchObject({ since: '2020-03-01', born: '2020-03-01' })
    expect((await register('animals', 'to=2026-06-16')).sums).toMatchObject([{ of: 'Cattle', amount: '42' }])
  })

  it('balance: what was there, and came, and did not go, is there', async () => {
    const heads = async (iso: string) =>
      (await cellsOf('animals', `to=${iso}`)).reduce((sum, { head }) => sum + Number(head), 0)
    const events = await cellsOf('comings-and-goings', 'from=2026-04-01&to=2026-06-16')
    const told = events.map(({ day, what, animals, head, partner }) => [day, what, animals, head, partner].join(', '))
    expect(told).toEqual([
      '2026-04-27, bought, Steers, 42, Huber',
      '2026-05-17, born, Calf, 1, ',
      '2026-06-01, sold, Steers, 2, Meier',
      '2026-06-13, died, Calf, 1, ',
    ])
    expect(await heads('2026-06-16')).toBe((await heads('2026-03-31')) + 42 + 1 - 2 - 1)
  })

  it('say so where nobody recorded why an animal left, or when it came', async () => {
    await client.put(`/farm_asset/${ids.alma}`, { archived: now - day })
    const { rows } = await register('comings-and-goings', 'from=2020-01-01')
    const words = rows.map(({ cells }: Json) => `${cells.day} ${cells.what} ${cells.animals}`)
    expect(words).toContain('2026-06-15 left, reason not recorded Alma')
    expect(words).toContain('2020-03-01 came, arrival not recorded Alma')
  })
})

describe('the registers of fields', () => {
  it('tell crop, size, seeding, inputs and harvest of each field', async () => {
    await log('farm_harvest', now - 2 * day, { asset: of(ids.wheat), quantity: [quantity('weight', '900', 'kg')] })
    await log('farm_harvest', now - day, { asset: of(ids.wheat), quantity: [quantity('weight', '2', 't')] })
    const rows = await cellsOf('field-register', 'from=2025-11-01')
    expect(rows).toMatchObject([
      { place: 'North', year: '2025', crop: 'Wheat', seeding: '2025-11-28', inputs: '', harvest: '' },
      { place: 'North', year: '2026', crop: 'Wheat', seeding: '', harvest: '2.9 t' },
    ])
    expect(rows[1].inputs).toContain('2026-05-27 Lime 500 kg')
  })

  it('tell of seed which lot was sown where, and that its source is missing', async () => {
    const { rows, missing } = await register('seed-register', 'from=2025-11-01')
    expect(rows).toMatchObject([
      { cells: { day: '2025-11-28', crop: 'Wheat', lot: 'S 1', amount: '180 kg', place: 'North' }, logs: [ids.sown] },
    ])
    expect(missing).toMatchObject([{ column: 'source', count: 1 }])
  })
})

describe('everything for an inspector', () => {
  it('has all registers on one page, a map, and what is missing with the way there', async () => {
    const { registers, missing, places, head } = await register('inspection', 'from=2025-11-01&language=de')
    expect(registers.map(({ report }: Json) => report)).toHaveLength(6)
    expect(registers[0].columns[0].label).toBe('Tag')
    expect(missing.map(({ what, count }: Json) => `${what} ${count}`)).toEqual([
      'harvest-lot 2',
      'input-amount 1',
      'treatment-withholding 1',
      'seed-source 1',
    ])
    for (const { list, count } of missing) expect(await logsAt(list)).toHaveLength(count)
    expect(places.map(({ name }: Json) => name)).toEqual(['North'])
    expect(head.holding_numbers).toContain('Sheep')
  })
})

describe('a link to a register', () => {
  it('is frozen, and names people only where its maker says so', async () => {
    const manager = await administrator(farm)
    const shared = async (people: boolean) => {
      const made = await manager.post('/administer/report-links.json', {
        report: 'medicine-book',
        people,
        query: 'language=de',
      })
      expect(made, made.text).toMatchObject({ status: 201 })
      const key = made.body.link.split('#')[1]
      return (await client.post('/shared-report.json', { key })).body.document.report
    }
    const [named, unnamed] = [await shared(true), await shared(false)]
    expect(named.rows[0].cells).toMatchObject({ vet: 'Dr. Wolf', product: 'Penicillin' })
    expect(JSON.stringify(unnamed)).not.toContain('Dr. Wolf')
    expect(unnamed.columns.map(({ name }: Json) => name)).not.toContain('who')
    expect(unnamed.head.holding_numbers).toContain('DE 09 1')
  })
})
