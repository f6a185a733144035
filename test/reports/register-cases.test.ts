import { beforeAll, describe, expect, it } from 'vitest'
import { comingAndGoing } from '../../src/farm/bundle-names.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const second = (iso: string): number => Date.parse(`${iso}+02:00`) / 1000
const now = second('2026-06-16T10:00:00')
const day = 86_400

let farm: FarmUnderTest
let client: Client

const of = (...ids: readonly string[]) => ids.map((id) => ({ id }))
const quantity = (measure: string | undefined, value: string, unit: string, label?: string) => ({
  ...{ value, unit: { name: unit } },
  ...(measure === undefined ? {} : { measure }),
  ...(label === undefined ? {} : { label }),
})
const logFields = (name: string, type: string, at: number, more: Json = {}) => ({
  ...{ name, type, timestamp: at, done: 1 },
  ...more,
})
const log = (name: string, type: string, at: number, more: Json = {}) =>
  client.create('log', logFields(name, type, at, more))
const together = async (...bodies: readonly Json[]) => {
  const operations = bodies.map((body) => ({ method: 'POST', path: '/log', body }))
  const { status, body } = await client.post('/batch', { operations })
  expect(status).toBe(200)
  return body.results.map(({ id }: Json) => id as string)
}
const asset = (name: string, type: string, more: Json = {}) => client.create('farm_asset', { name, type, ...more })
const animal = (name: string) => asset(name, 'animal', { animal_type: { name: 'Cattle' } })
const register = (name: string, query = ''): Promise<Json> => client.read(`/reports/${name}.json?${query}`)
const cellsOf = async (name: string, query = ''): Promise<Json[]> =>
  (await register(name, query)).rows.map(({ cells }: Json) => cells)

const field = (name: string, east: number) =>
  client.create('taxonomy_term', {
    ...{ name, vocabulary: 'farm_areas', area_type: 'field' },
    geofield: [{ geom: `POLYGON ((${east} 51, ${east}.0014 51, ${east}.0014 51.0009, ${east} 51.0009, ${east} 51))` }],
  })

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
  client = await farm.login('worker')
})

describe('the input register', () => {
  let [north, south, herd, lime, soap] = ['', '', '', '', '']

  beforeAll(async () => {
    ;[north, south, herd] = [await field('North', 7), await field('South', 8), await asset('Dairy', 'group')]
    const material = (name: string, description = '') =>
      client.create('taxonomy_term', { name, vocabulary: 'farm_materials', description })
    ;[lime, soap] = [await material('Lime', 'DE-009'), await material('Soap')]
  })

  const put = (at: number, more: Json) => log('Put on', 'farm_input', at, more)

  it('answers where a size of 0 was written, and assumes the field', async () => {
    await put(now - 9 * day, {
      ...{ area: of(north), material: of(soap) },
      quantity: [quantity('volume', '0.4', 'ml'), quantity('area', '0', 'ha')],
    })
    const [row] = await cellsOf('input-register', `material=${soap}`)
    expect(row).toMatchObject({ amount: '0.4 ml', size: expect.stringContaining('assumed') })
    expect((await client.get('/reports/inspection.json')).status).toBe(200)
  })

  it('takes a size without a measure by its unit', async () => {
    await put(now - 8 * day, {
      ...{ area: of(south), material: of(lime) },
      quantity: [quantity(undefined, '3', 'kg'), quantity(undefined, '0.25', 'ha')],
    })
    const [row] = await cellsOf('input-register', `area=${south}`)
    expect(row).toMatchObject({ amount: '3 kg', size: '0.25 ha', rate: '12 kg/ha' })
  })

  it('divides each sum by the size of its own logs, and marks an assumed size', async () => {
    await put(now - 7 * day, {
      ...{ area: of(north), material: of(lime) },
      quantity: [quantity('count', '4', 'bags')],
    })
    const { sums } = await register('input-register', `material=${lime}`)
    expect(sums).toMatchObject([
      { of: 'Lime', amount: '3 kg', size: '0.25 ha', rate: '12 kg/ha' },
      { of: 'Lime', amount: '4 bags', size: expect.stringMatching(/^0\.9\d+ ha \(assumed/) },
    ])
  })

  it('sums up materials of one log together, each number with its product', async () => {
    await put(now - 6 * day, {
      ...{ area: of(south), material: of(lime, soap) },
      quantity: [quantity('volume', '2', 'l')],
    })
    const { rows, sums } = await register('input-register', `area=${south}&material=${soap}`)
    expect(rows[0].cells).toMatchObject({ product: 'Lime, Soap', approval: 'Lime DE-009' })
    expect(sums).toMatchObject([{ of: 'Lime, Soap', amount: '2 l' }])
  })

  it('names the herd that was fed, on no area', async () => {
    await log('Pasture', 'farm_activity', now - 20 * day, { asset: of(herd), movement: { area: of(north) } })
    await put(now - 5 * day, { asset: of(herd), material: of(soap), quantity: [quantity('count', '6', 'bales')] })
    const [row] = await cellsOf('input-register', `asset=${herd}`)
    expect(row).toMatchObject({ animals: 'Dairy', place: 'North', amount: '6 bales', size: '', rate: '' })
  })

  it('is in the field register without feed and milk, and says where a log is of several fields', async () => {
    await log('Milked', 'farm_harvest', now - 4 * day, { asset: of(herd), quantity: [quantity('volume', '20', 'l')] })
    await put(now - 3 * day, { area: of(north, south), material: of(lime), quantity: [quantity('weight', '3', 'kg')] })
    const rows = await cellsOf('field-register')
    expect(rows.map(({ harvest }) => harvest)).toEqual(['', ''])
    expect(rows[0]?.inputs).toContain('2026-06-13 Lime 3 kg (North, South)')
    expect(rows[1]?.inputs).toContain('2026-06-13 Lime 3 kg (North, South)')
    expect(JSON.stringify(rows)).not.toContain('bales')
  })
})

describe('the medicine book', () => {
  const reminder = (name: string, cow: string) =>
    logFields(name, 'farm_medical', now + 10 * day, { done: 0, asset: of(cow) })

  it('has an older reminder as the withholding of its treatment, and a ticked one as no treatment', async () => {
    const cow = await animal('Rosa')
    const given = logFields('Treated', 'farm_medical', now - 2 * day, { asset: of(cow) })
    const [treated, over] = await together(given, reminder('Over', cow))
    await client.put(`/log/${over}`, { done: 1, timestamp: now - day })
    const { rows, missing } = await register('medicine-book', `asset=${cow}`)
    expect(rows).toMatchObject([
      { logs: [treated], cells: { withholding: 'everything', free_from: 'everything 2026-06-26' } },
    ])
    expect(missing.map(({ column }: Json) => column)).not.toContain('withholding')
  })

  it('leaves out the ticked reminder of a treatment that says how long', async () => {
    const cow = await animal('Alma')
    const quantities = [quantity('time', '12', 'days', 'withhold meat')]
    const given = logFields('Treated', 'farm_medical', now - 2 * day, { asset: of(cow), quantity: quantities })
    const [treated, over] = await together(given, reminder('Over', cow))
    await client.put(`/log/${over}`, { done: 1, timestamp: now - day })
    const { rows } = await register('medicine-book', `asset=${cow}`)
    expect(rows).toMatchObject([{ logs: [treated], cells: { withholding: 'meat 12 d' } }])
  })

  it('keeps treatments with another batch apart', async () => {
    const cow = await animal('Cora')
    const dose = [quantity('volume', '20', 'ml', 'Penicillin')]
    for (const [at, notes] of [
      [now - 3 * day, 'Batch: 1'],
      [now - 2 * day, 'Batch: 2'],
      [now - day, ''],
    ] as const)
      await log('Treated', 'farm_medical', at, { asset: of(cow), quantity: dose, ...(notes === '' ? {} : { notes }) })
    const rows = await cellsOf('medicine-book', `asset=${cow}`)
    expect(rows.map(({ day, last_day, batch }) => [day, last_day, batch])).toEqual([
      ['2026-06-13', '2026-06-13', '1'],
      ['2026-06-14', '2026-06-15', '2'],
    ])
  })
})

describe('animals counted by head', () => {
  const ids: Record<string, string> = {}
  const count = (value: string, asset = ids.steers ?? '') => [{ asset: { id: asset }, value }]

  beforeAll(async () => {
    for (const { uuid, name } of Object.values(comingAndGoing))
      await client.create('taxonomy_term', { uuid, name, vocabulary: 'farm_log_categories' })
    ids.steers = await animal('Steers')
    ids.wethers = await animal('Wethers')
    ids.tagged = await animal('DE 7')
    const [steers, wethers] = [of(ids.steers), of(ids.wethers)]
    await log('Found', 'farm_observation', second('2025-05-01T08:00'), { asset: steers, inventory: count('42') })
    await log('Born', 'farm_birth', second('2026-02-01T08:00'), { asset: steers, inventory: count('3') })
    await log('Counted', 'farm_observation', second('2026-03-01T08:00'), { asset: steers, inventory: count('-2') })
    await log('Tagged', 'farm_activity', second('2026-04-01T08:00'), { asset: of(ids.tagged), inventory: count('-1') })
    const twenty = { asset: wethers, inventory: count('20', ids.wethers) }
    await log('Found', 'farm_observation', second('2025-06-01T08:00'), twenty)
    const sold = second('2026-05-01T08:00')
    await together(logFields('Sold', 'farm_sale', sold, { asset: wethers, customer: 'Huber' }))
    await client.put(`/farm_asset/${ids.wethers}`, { archived: sold })
  })

  const headsOn = async (iso: string) =>
    (await cellsOf('animals', `to=${iso}`))
      .filter(({ name }) => ['Steers', 'Wethers', 'DE 7'].includes(name))
      .reduce((sum, { head }) => sum + Number(head), 0)

  it('are there from their first log, also if more were born since', async () => {
    expect(await headsOn('2025-12-31')).toBe(62)
    expect(await headsOn('2026-06-16')).toBe(43)
  })

  it('are all gone with a sale that says no number, and a changed count has a line', async () => {
    const rows = await cellsOf('comings-and-goings', 'from=2026-01-01&to=2026-05-31')
    expect(rows.map(({ what, animals, head }) => [what, animals, head].join(', '))).toEqual([
      'born, Steers, 3',
      'counted, reason not recorded, Steers, -2',
      'sold, Wethers, 20',
    ])
  })

  it('left for a reason that nobody recorded, though some of them were sold before', async () => {
    const cows = await animal('Cows')
    const at = second('2025-05-01T08:00')
    await log('Found', 'farm_observation', at, { asset: of(cows), inventory: count('5', cows) })
    const gone = { asset: of(cows), customer: 'Ott', inventory: count('-2', cows) }
    await together(logFields('Sold', 'farm_sale', second('2026-01-10T08:00'), gone))
    await client.put(`/farm_asset/${cows}`, { archived: second('2026-06-01T08:00') })
    const rows = await cellsOf('comings-and-goings', `from=2026-01-01&asset=${cows}`)
    expect(rows.filter(({ animals }) => animals === 'Cows').map(({ what, head }) => [what, head])).toEqual([
      ['sold', '2'],
      ['left, reason not recorded', '3'],
    ])
  })
})
