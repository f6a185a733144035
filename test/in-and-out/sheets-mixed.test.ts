import { beforeAll, describe, expect, test } from 'vitest'
import { fileFormats } from '../../src/formats/file-formats.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { bindAnew, type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { book, year } from './farm-sheets.ts'

let farm: FarmUnderTest
let ada: Client

beforeAll(async () => {
  farm = await openFarm()
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
  ada = await farm.login('worker')
})

const send = (path: string, rows: string) =>
  ada.send('POST', path, {
    headers: { 'content-type': fileFormats.csv.mediaType },
    body: book(rows)
      .map((cells) => cells.join(';'))
      .join('\r\n'),
  })

const diaries = {
  German: `Ackerschlagkartei ${year}
Datum|Schlag|Kultur|Maßnahme|Mittel|Menge|Einheit|Bemerkung
02.10.${year - 1}|Langer Acker|Winterweizen|Grubbern||||zweimal
05.10.${year - 1}|Langer Acker|Winterweizen|Aussaat|Elixer|180|kg|
15.03.${year}|Langer Acker|Winterweizen|1. Gabe Düngung|KAS|250|kg|
22.04.${year}|Langer Acker|Winterweizen|Pflanzenschutz|Moddus|0,3|l|
03.06.${year}|Langer Acker|Winterweizen|Feldtag||||Nachbarn da
28.07.${year}|Langer Acker|Winterweizen|Ernte||48,5|t|`,
  Spanish: `Cuaderno ${year}
Fecha|Parcela|Cultivo|Labor|Producto|Cantidad|Unidad|Observaciones
15/01/${year}|El Alto|Cebada|Arado||||
20/01/${year}|El Alto|Cebada|Siembra|Meseta|160|kg|
25/02/${year}|El Alto|Cebada|Abonado|NAC 27|200|kg|
17/04/${year}|El Alto|Cebada|Tratamiento herbicida|Axial|1,2|l|
19/05/${year}|El Alto|Cebada|Visita||||perito
25/06/${year}|El Alto|Cebada|Cosecha||21,4|t|`,
  English: `Field diary ${year}
Date|Field|Crop|Task|Product|Amount|Unit|Notes
14/03/${year}|Top Field|Barley|Ploughing||||
28/03/${year}|Top Field|Barley|Drilling|Planet|170|kg|
16/04/${year}|Top Field|Barley|Spraying|Ally|30|g|
18/05/${year}|Top Field|Barley|Fertiliser|Nitram|210|kg|
22/05/${year}|Top Field|Barley|School visit||||
17/08/${year}|Top Field|Barley|Harvest||19.5|t|`,
} as const

describe('a field diary becomes logs of the type that each row names', () => {
  test.each(Object.entries(diaries))('in %s', async (_language, rows) => {
    const answer = await send('/log?type=farm_activity&kinds=1&again=0', rows)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.summary.types).toEqual({ farm_activity: 2, farm_seeding: 1, farm_input: 2, farm_harvest: 1 })
    const guess = answer.body.found.columns.find(({ field }: Json) => field === 'type')
    expect(guess).toMatchObject({ because: 'content' })
    const again = await send('/log?type=farm_harvest&kinds=1&again=0', rows)
    expect(again.status, again.text).toBe(200)
    expect(again.body.counts).toMatchObject({ created: 0, recorded: 6 })
  })

  test('and keeps the words of a row as its name, and cells without a field as notes', async () => {
    const seedings = (await ada.read('/log.json?type=farm_seeding&sort=id')).list
    expect(seedings.map(({ name }: Json) => name)).toEqual([
      ...['Aussaat Winterweizen', 'Siembra Cebada', 'Drilling Barley'],
    ])
    expect(seedings[0].notes.value).toContain('Mittel: Elixer')
    expect(seedings[0].movement.area).toMatchObject([{ name: 'Langer Acker' }])
    const [visit] = (await ada.read('/log.json?type=farm_activity&name=Feldtag Winterweizen')).list
    expect(visit.notes.value).toContain('Nachbarn da')
  })

  test('and the reports show what was harvested and applied last year', async () => {
    const period = `from=${year}-01-01&to=${year}-12-31`
    const harvests = JSON.stringify(await ada.read(`/reports/harvest.json?${period}`))
    for (const crop of ['Winterweizen', 'Cebada', 'Barley']) expect(harvests).toContain(crop)
    const inputs = JSON.stringify(await ada.read(`/reports/inputs.json?${period}`))
    for (const material of ['KAS', 'Moddus', 'Axial', 'Nitram']) expect(inputs).toContain(material)
  })

  test('without a type too; a type alone says what all rows are, and so does a column that names them', async () => {
    const guessed = await send('/log?dry_run=1', diaries.English)
    expect(guessed.body.summary.types).toMatchObject({ farm_seeding: 1, farm_harvest: 1 })
    const said = await send(
      '/log?type=farm_activity&dry_run=1&others=notes',
      diaries.English.replaceAll('Product', 'Remark'),
    )
    expect(said.body.summary.types).toEqual({ farm_activity: 6 })
    const named = await send('/log?type=farm_input&kinds=1&dry_run=1&map[Task]=name', diaries.English)
    expect(named.body.summary.types).toEqual({ farm_input: 6 })
  })
})

test('a dam that stands further down becomes the parent', async () => {
  const register = `Ohrmarke|Geburtsdatum|Rasse|Geschlecht|Ohrmarke Mutter
DE0912300003|01.04.${year}|Fleckvieh|w|DE0912300002
DE0912300002|02.04.${year - 2}|Fleckvieh|w|DE0912300001
DE0912300001|12.03.2019|Fleckvieh|w|DE0900000009`
  const answer = await send('/farm_asset?type=animal&again=0', register)
  expect(answer.body.rows.map(({ row }: Json) => row)).toEqual([2, 3, 4])
  const animal = async (tag: string) => (await ada.read(`/farm_asset.json?name=${tag}`)).list[0]
  const [calf, cow, grandmother] = await Promise.all(['3', '2', '1'].map((one) => animal(`DE091230000${one}`)))
  expect(calf.parent).toMatchObject([{ id: cow.id }])
  expect(cow.parent).toMatchObject([{ id: grandmother.id }])
  expect(grandmother).toMatchObject({ parent: [], description: { value: expect.stringContaining('DE0900000009') } })
  expect((await send('/farm_asset?type=animal&again=0', register)).body.counts).toMatchObject({ unchanged: 3 })
})

describe('an animal that a sheet calls sold', () => {
  test.each([
    ['Status', 'Sold', 'farm_sale'],
    ['Status', 'Verkauft', 'farm_sale'],
    ['Estado', 'Vendido', 'farm_sale'],
    ['Status', 'Died', 'farm_activity'],
    ['Status', 'geschlachtet', 'farm_activity'],
  ])('by %s %s asks once for the day, and is archived on it', async (header, word, type) => {
    const tag = `XX-${word}`
    const sheet = `Tag|Breed|Sex|${header}\n${tag}|Angus|F|${word}\n${tag}-2|Angus|F|${word}\n${tag}-3|Angus|F|Active`
    const asked = await send('/farm_asset?type=animal&again=0', sheet)
    expect(asked.status).toBe(422)
    const faults = asked.body.rows.flatMap(({ faults: each }: Json) => each)
    expect(faults).toHaveLength(1)
    expect(faults[0].allowed).toContain(`left=${year}-12-31`)
    const answer = await send(`/farm_asset?type=animal&again=0&left=${year}-11-05`, sheet)
    expect(answer.body.counts).toMatchObject({ created: 3 })
    const [animal] = (await ada.read(`/farm_asset.json?name=${tag}`)).list
    expect(animal.archived).toBe(String(Date.parse(`${year}-11-05T12:00:00+01:00`) / 1000))
    await bindAnew(farm)
    const logs = (await ada.read(`/log.json?asset=${animal.id}`)).list
    expect(logs.map((log: Json) => log.type)).toContain(type)
    const [present] = (await ada.read(`/farm_asset.json?name=${tag}-3`)).list
    expect(present).toMatchObject({ archived: '0', description: { value: expect.stringContaining('Active') } })
    expect((await send('/farm_asset?type=animal&again=0', sheet)).body.counts).toMatchObject({ created: 0, changed: 0 })
  })
})
