import { beforeAll, describe, expect, it } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { figuresIn, logsOf, of, Season, weight } from './season.ts'

const second = (iso: string): number => Date.parse(iso) / 1000
const now = second('2026-06-16T10:00:00+02:00')

let farm: FarmUnderTest
let client: Client

describe('the history of a field', () => {
  const logs: Record<string, string> = {}
  let bed: string
  let other: string
  let carrots: string
  let kale: string

  beforeAll(async () => {
    farm = await openFarm()
    farm.setClock(now)
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
    client = await farm.login('worker')
    const season = new Season(client)
    bed = await season.area('Bed 3')
    other = await season.area('Bed 4')
    carrots = await season.planting('Carrots in spring', 'Carrots')
    kale = await season.planting('Kale after', 'Kale')
    logs.sown = await season.move(second('2026-03-01T23:30:00+01:00'), carrots, bed)
    logs.away = await season.move(second('2026-05-01T08:00:00+02:00'), carrots, other)
    logs.kale = await season.move(second('2026-05-02T08:00:00+02:00'), kale, bed)
    logs.inside = await season.harvest(second('2026-04-10T08:00:00+02:00'), {
      asset: of(carrots),
      quantity: [weight('3', 'kg')],
    })
    logs.after = await season.harvest(second('2026-05-10T08:00:00+02:00'), { asset: of(carrots) })
    logs.elsewhere = await season.harvest(second('2026-04-11T08:00:00+02:00'), { asset: of(carrots), area: of(other) })
    const hoeing = {
      name: '=Hoed',
      type: 'farm_activity',
      timestamp: second('2026-04-12T08:00:00+02:00'),
      area: of(bed),
    }
    logs.hoed = await client.create('log', { ...hoeing, done: 1 })
    logs.planned = await client.create('log', { ...hoeing, name: 'To hoe', done: 0 })
  })

  const told = (query = ''): Promise<Json> => client.read(`/reports/field-history.json?area=${bed}${query}`)

  it('tells what was there, from when until when', async () => {
    const { stays, area } = await told()
    expect(area).toEqual({ id: bed, name: 'Bed 3' })
    expect(stays).toMatchObject([
      { asset: { id: carrots }, crops: [{ name: 'Carrots' }], from: '2026-03-01', until: '2026-05-01', log: logs.sown },
      { asset: { id: kale }, crops: [{ name: 'Kale' }], from: '2026-05-02', until: null, log: logs.kale },
    ])
  })

  it('tells what was done there, by the area of the log or where its assets were', async () => {
    const { done } = await told()
    expect(done.map(({ id }: Json) => id)).toEqual([logs.sown, logs.inside, logs.hoed, logs.kale])
    expect(done[1]).toMatchObject({ day: '2026-04-10', amounts: [{ measure: 'weight', value: '3', unit: 'kg' }] })
  })

  it('counts by type, crop or asset, and lists the logs of each figure', async () => {
    const { lines } = await told()
    expect(lines.map(({ log_types, logs: { count } }: Json) => [log_types[0].type, count])).toEqual([
      ['farm_activity', 3],
      ['farm_harvest', 1],
    ])
    for (const query of ['', '&group=crop', '&group=asset', '&type=farm_harvest', '&from=2026-04-01&to=2026-04-30'])
      for (const figure of figuresIn(await told(query)))
        expect(await logsOf(farm, client, figure), figure.list).toHaveLength(figure.count)
    expect((await told('&type=farm_harvest')).logs.count).toBe(1)
  })

  it('is of the days that are asked for', async () => {
    const { stays, done } = await told('&from=2026-04-11&to=2026-04-12')
    expect(stays.map(({ asset }: Json) => asset.id)).toEqual([carrots])
    expect(done.map(({ id }: Json) => id)).toEqual([logs.hoed])
    expect((await told('&from=2026-03-02&to=2026-03-02')).done).toEqual([])
    expect((await told('&from=2026-03-01&to=2026-03-01')).done).toHaveLength(1)
  })

  it('is a sheet that no spreadsheet works out', async () => {
    const { text } = await client.get(`/reports/field-history.csv?area=${bed}`)
    const rows = text.trim().split('\r\n')
    expect(rows).toHaveLength(1 + 2 + 4)
    expect(rows[1]).toMatch(/^there,2026-03-01,2026-05-01,Carrots in spring,planting,Carrots,/)
    expect(text).toContain(",'=Hoed,")
  })

  it.each(['', 'area=', 'area=Bed', 'area=0', 'area=999999', 'area=1', 'area=9&area=9', 'area[ne]=1', 'within=1'])(
    'refuses %s',
    async (query) => {
      expect((await client.get(`/reports/field-history.json?${query}`)).status).toBe(400)
    },
  )

  it('refuses two groups and unknown ones', async () => {
    for (const group of ['type,crop', 'colour', 'area'])
      expect((await client.get(`/reports/field-history.json?area=${bed}&group=${group}`)).status).toBe(400)
  })

  it.each(['field-history.type.0.1.all', 'field-history.soil-1.0.1.all', 'field-history.type-x.0.1.all'])(
    'refuses the figure %s',
    async (figure) => {
      expect((await client.get(`/log.json?report=${figure}`)).status).toBe(400)
    },
  )
})
