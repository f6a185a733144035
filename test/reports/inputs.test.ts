import { beforeAll, describe, expect, it } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { figuresIn, logsOf, of, Season } from './season.ts'

const second = (iso: string): number => Date.parse(iso) / 1000
const now = second('2026-06-16T10:00:00+02:00')
const day = 86_400

let farm: FarmUnderTest
let client: Client

describe('the report of inputs and treatments', () => {
  const logs: Record<string, string> = {}
  let rosa: string
  let north: string

  beforeAll(async () => {
    farm = await openFarm()
    farm.setClock(now)
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
    client = await farm.login('worker')
    north = await new Season(client).area('North')
    rosa = await client.create('farm_asset', { name: 'Rosa', type: 'animal', animal_type: { name: 'Cow' } })
    const log = (type: string, timestamp: number, fields: object) =>
      client.create('log', { name: type, type, timestamp, done: 1, ...fields })
    const litres = (value: string, unit = 'l') => [{ measure: 'volume', value, unit: { name: unit } }]
    logs.tea = await log('farm_input', now - 9 * day, {
      material: [{ name: 'Nettle tea' }],
      area: of(north),
      quantity: litres('10'),
    })
    logs.more = await log('farm_input', now - 8 * day, {
      material: [{ name: 'Nettle tea' }],
      lot_number: 'B 7',
      quantity: litres('500', 'ml'),
    })
    logs.both = await log('farm_input', now - 7 * day, {
      material: [{ name: 'Nettle tea' }, { name: 'Lime' }],
      quantity: litres('3'),
    })
    logs.dose = await log('farm_medical', now - 6 * day, {
      asset: of(rosa),
      quantity: [{ measure: 'volume', value: '20', unit: { name: 'ml' }, label: 'Ivermectin' }],
    })
    logs.later = await log('farm_medical', now - 5 * day, { name: 'Claws', asset: of(rosa) })
    logs.over = await log('farm_medical', now + 22 * day, { name: 'Withholding over: Rosa', done: 0, asset: of(rosa) })
    await log('farm_medical', now - 30 * day, { name: 'Missed before', done: 0, asset: of(rosa) })
    await log('farm_harvest', now - day, { quantity: litres('99') })
  })

  const inputs = (query = ''): Promise<Json> => client.read(`/reports/inputs.json?${query}`)
  const wordsOf = ({ materials, log_types }: Json) =>
    [...materials, ...(materials.length === 0 ? log_types.map(({ label }: Json) => ({ name: label })) : [])]
      .map(({ name }: Json) => name)
      .join('+')

  it('adds up by material, several of them together, and treatments by their type and product', async () => {
    const told = await inputs()
    const sums = told.lines.map((line: Json) => [
      wordsOf(line),
      ...line.amounts.map(({ label, value, unit }: Json) => `${label} ${value} ${unit}`.trim()),
    ])
    expect(sums).toEqual([
      ['Medical record', 'Ivermectin 20 ml'],
      ['Lime+Nettle tea', '3 l'],
      ['Nettle tea', '10.5 l'],
    ])
    expect(told.no_lot.count).toBe(4)
    expect(await logsOf(farm, client, told.lines[2].logs)).toEqual([logs.tea, logs.more])
  })

  it('tells small amounts as they were written, and no yield of what was put on a planting', async () => {
    const at = now - 200 * day
    const season = new Season(client)
    const bed = await season.area('Bed', 'POLYGON ((7 51, 7.0001 51, 7.0001 51.0001, 7 51))')
    const leeks = await season.planting('Leeks', 'Leek')
    await season.move(at - day, leeks, bed)
    const put = (name: string, quantity: object) =>
      client.create('log', {
        ...{ name, type: 'farm_input', timestamp: at, done: 1, asset: of(leeks) },
        ...{ material: [{ name }], quantity: [quantity] },
      })
    await put('Drops', { measure: 'volume', value: '0.4', unit: { name: 'ml' } })
    await put('Powder', { measure: 'weight', value: '200', unit: { name: 'mg' } })
    await put('Dust', { measure: 'weight', value: '200', unit: { name: 'mg' } })
    await put('Dust', { value: '0.3', unit: { name: 'g' } })
    await put('Trace', { measure: 'weight', value: '0.0000004', unit: { name: 'kg' } })
    const told = await inputs('from=2025-11-01&to=2025-12-31')
    const sums = told.lines.flatMap(({ amounts }: Json) => amounts.map(({ value, unit }: Json) => `${value} ${unit}`))
    expect(sums).toEqual(['0.4 ml', '500 mg', '200 mg', '0.0000004 kg'])
    expect(told.yields).toEqual([])
    expect(told.lines.flatMap(({ amounts }: Json) => amounts.map((one: Json) => one.yield))).toEqual(
      sums.map(() => null),
    )
    const us = await inputs('from=2025-11-01&to=2025-12-31&units=us')
    expect(us.lines[0].amounts).toMatchObject([{ value: '0.0135', unit: 'US fl oz' }])
  })

  it('tells what is withheld after a treatment, and until when; a planned booster withholds nothing', async () => {
    expect((await inputs()).withholding).toEqual([])
    const quantity = [
      { measure: 'time', value: '28', unit: { name: 'days' }, label: 'withhold meat' },
      { measure: 'time', value: '0', unit: { name: 'days' }, label: 'withhold milk' },
      { measure: 'volume', value: '7', unit: { name: 'ml' }, label: 'per head' },
    ]
    await client.put(`/log/${logs.later}`, { quantity })
    const told = await inputs()
    expect(told.withholding).toMatchObject([
      { id: logs.later, name: 'Claws', product: 'meat', until: '2026-07-09', assets: [{ id: rosa, name: 'Rosa' }] },
    ])
    const { list } = await client.read(told.withholding[0].list.slice(farm.base.length))
    expect(list.map(({ id }: Json) => id)).toEqual([logs.later])
    expect((await inputs('to=2026-06-09')).withholding).toEqual([])
    const amounts = told.lines.flatMap((line: Json) => line.amounts.map(({ label }: Json) => label))
    expect(amounts).not.toEqual(expect.arrayContaining(['withhold meat']))
    expect(amounts).not.toEqual(expect.arrayContaining(['per head']))
  })

  it('counts no ticked reminder, and adds up no size treated', async () => {
    const at = now - 100 * day
    const period = 'from=2026-03-01&to=2026-03-31'
    const ticked = (name: string, timestamp: number, done: 0 | 1) => ({
      ...{ method: 'POST', path: '/log' },
      body: { name, type: 'farm_medical', timestamp, done, asset: of(rosa) },
    })
    const set = { operations: [ticked('Treated', at, 1), ticked('Over', at + 4 * day, 0)] }
    const [treated, over] = (await client.post('/batch', set)).body.results
    await client.put(`/log/${over.id}`, { done: 1 })
    const lime = await client.create('log', {
      ...{ name: 'Lime', type: 'farm_input', timestamp: at, done: 1, material: [{ name: 'Lime' }], area: of(north) },
      quantity: [{ measure: 'area', value: '0.5', unit: { name: 'ha' } }],
    })
    const told = await inputs(period)
    expect(await logsOf(farm, client, told.logs)).toEqual([treated.id, lime].map(String).toSorted())
    expect(told.lines.flatMap(({ amounts }: Json) => amounts)).toEqual([])
    expect(told.no_amount.count).toBe(2)
  })

  it('is a sheet that has both', async () => {
    const { text } = await client.get('/reports/inputs.csv')
    expect(text).toContain(',Claws,')
    expect(text).toContain(',2026-07-09,')
    expect(text).toContain('Nettle tea')
  })

  it('takes filters, and lists the logs of every figure', async () => {
    const told = await inputs(`area=${north}&group=area`)
    expect(told.lines).toMatchObject([{ areas: [{ name: 'North' }], amounts: [{ value: '10' }] }])
    for (const query of ['', 'group=asset', 'group=material,area', `material=Lime`])
      for (const figure of figuresIn(await inputs(query)))
        expect(await logsOf(farm, client, figure), figure.list).toHaveLength(figure.count)
  })
})
