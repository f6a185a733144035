import { beforeAll, describe, expect, test } from 'vitest'
import { fileFormats } from '../../src/formats/file-formats.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { bindAnew, type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { archiveOf, asExcelTable, asSheets } from '../harness/workbook.ts'
import { book, type FarmSheet, sheetsOfOtherPrograms, year } from './farm-sheets.ts'

let farm: FarmUnderTest
let ada: Client

beforeAll(async () => {
  farm = await openFarm()
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
  ada = await farm.login('worker')
})

const harvests = '/log?type=farm_harvest'
const animals = '/farm_asset?type=animal'

/** Sheets as farms and other programs keep them. */
const sheets: Readonly<Record<string, FarmSheet>> = {
  'a German harvest book': {
    path: harvests,
    as: 'windows csv',
    rows: book(`Erntebuch Gärtnerei ${year}|||||
Datum|Kultur|Schlag|Menge|Einheit|Bemerkung
3.6.${year}|Kopfsalat|Beet 1|12,5|kg|
|Spinat|Beet 2|3|Kisten|schön
10.6.${year}|Kopfsalat|Beet 1|8|kg|
10.6.${year}|Kopfsalat|Beet 1|8|kg|
Summe|||31,5||`),
    created: 4,
    questions: 0,
  },
  'a German workbook of crops and weeks': {
    path: harvests,
    as: 'excel',
    rows: book(`Erntemengen ${year} in kg|||
Kultur|KW 23|KW 24|KW 25
Bohnen|5|6,5|
Möhren||12|14
Summe|5|18,5|14`),
    created: 4,
    questions: 0,
  },
  'a Spanish harvest list': {
    path: harvests,
    as: 'csv',
    rows: book(`Fecha|Cultivo|Parcela|Cantidad (kg)|Cajas|Responsable|Observaciones
05/07/${year}|Tomate|Norte|1.250,5|60|Juan|
19/07/${year}|Pimiento|Sur|310|14|Ana|lluvia`),
    created: 2,
    questions: 0,
  },
  "an American grower's list": {
    path: harvests,
    as: 'other excel',
    rows: book(`Harvest Date|Crop|Variety|Bed|Weight (lb)|Bunches|Harvested By|Notes
${year}-06-14|Kale|Winterbor|B3|12.5|25|Sam|
${year}-06-21|Chard|Rainbow|B4||18||first cut`),
    created: 2,
    questions: 0,
  },
  'an export of AgriWebb': {
    path: animals,
    as: 'csv',
    rows: book(`VID|EID|Management Tag|Breed|Sex|Birth Date|Animal Class|Current Paddock|Mob|Last Weight (kg)|Last Weigh Date|Dam VID
B101|982 000123456789|M1|Angus|Female|2019-08-11|Cow|River|Breeders|580|${year}-03-01|
B102||M2|Angus|Male|2023-08-20|Steer|Hill|Steers|410.5|${year}-03-01|B101`),
    created: 2,
    questions: 0,
  },
  'an export of LiteFarm': {
    path: '/log?type=farm_activity',
    as: 'csv',
    rows: book(`Task|Status|Assignee|Due date|Completed date|Location|Crop|Notes
Weeding|Completed|Mia|${year}-05-01|${year}-05-02|North bed||
Irrigation|Abandoned||${year}-05-03||North bed||too wet
Scouting|Planned|Leo|${year + 3}-05-04||North bed||`),
    created: 3,
    questions: 0,
  },
  'a German cattle register': {
    path: animals,
    as: 'excel',
    rows: book(`Bestandsregister Rinder||||||||
Ohrmarke|Geburtsdatum|Rasse|Geschlecht|Ohrmarke Mutter|Zugang|Abgang|Abgangsgrund
DE0912345671|12.03.2020|Fleckvieh|w|DE0900000001|||
DE0912345672|02.04.${year - 1}|Fleckvieh|m|DE0912345671||15.09.${year}|Schlachtung`),
    created: 2,
    questions: 0,
  },
  'a Spanish book of cattle': {
    path: animals,
    as: 'other excel',
    rows: book(`Crotal|Sexo|Raza|Fecha de nacimiento|Crotal madre|Fecha alta|Fecha baja|Motivo
ES010203040506|H|Retinta|2021-02-03||2021-06-01||
ES010203040507|M|Retinta|${year}-02-13|ES010203040506||${year}-11-30|vendido`),
    created: 2,
    questions: 0,
  },
  'a list of sowings': {
    path: '/log?type=farm_seeding',
    as: 'csv',
    rows: book(`Crop|Variety|Bed|Date sown|Qty|Unit|Seed source|Comments
Carrot|Nantes|Bed 7|${year}-04-02|20|g|Bingenheimer|
Beet|Detroit|Bed 8|${year}-04-13|15|g|Bingenheimer|thin later`),
    created: 2,
    questions: 0,
  },
  'a German record of fertilizers': {
    path: '/log?type=farm_input',
    as: 'other excel',
    rows: book(`Datum|Schlag|Mittel|Aufwandmenge|Einheit|Bemerkung
12.03.${year}|Hinterer Acker|Kalk|2,5|t|
14.03.${year}|Hinterer Acker|Kompost|30|m³|vor Regen`),
    created: 2,
    questions: 0,
  },
  'a flock of sheep': {
    path: animals,
    as: 'csv',
    rows: book(`Tag|Breed|Sex|DOB|Mob|Paddock|Comments
0423|Merino|Ewe|2020-07-01|Maidens|House|
0424|Merino|Wether|2021-07-01|Wethers|Creek|lame`),
    created: 2,
    questions: 0,
  },
  'a book of eggs': {
    path: harvests,
    as: 'csv',
    rows: book(`Date|Hen eggs (pcs)|Duck eggs (pcs)|Total
13/02/${year}|112|14|126
14/02/${year}|108|0|108`),
    created: 3,
    questions: 0,
  },
  'a book of a broiler flock': {
    path: '/log?type=farm_observation',
    as: 'csv',
    rows: book(`House 2 - Flock 14 - placed 4 Mar ${year}||||||
Date|Age (days)|Dead|Culls|Feed (kg)|Water (l)|Avg weight (g)|Remarks
05/03/${year}|1|12|3|180|410|48|
13/03/${year}|9|4|0|620|1250|205|vet called`),
    created: 2,
    questions: 1,
  },
  'a Spanish log of vineyard sprays': {
    path: '/log?type=farm_input',
    as: 'other excel',
    rows: book(`Cuaderno de campo ${year}|||||||
Fecha tratamiento|Parcela|Cultivo|Producto comercial|Dosis|Unidad|Plaga|Aplicador
15/05/${year}|La Viña|Tempranillo|Azufre|3,5|kg/ha|Oídio|Luis
29/05/${year}|La Viña|Tempranillo|Cobre|2|l/ha|Mildiu|Luis`),
    created: 2,
    questions: 0,
  },
  'a German milk sheet with cows across': {
    path: harvests,
    as: 'excel',
    rows: book(`Milchmenge in Liter|||
Datum|Berta|Liesl|Alma
01.02.${year}|18,5|21|16
02.02.${year}|19|20,5|
Summe|37,5|41,5|16`),
    created: 5,
    questions: 0,
  },
  'a list of shares by week number': {
    path: harvests,
    as: 'csv',
    rows: book(`CSA harvest ${year}||||
Week|Crop|Bed|Pounds|Comments
Week 24|Radish|C1|22.5|
Week 24|Lettuce|C2|31|
25|Lettuce|C2|28|`),
    created: 3,
    questions: 0,
  },
  'an export of a farm app': {
    path: harvests,
    as: 'csv',
    rows: book(`Harvest ID|Crop Name|Variety Name|Location Name|Harvest Date|Harvest Quantity|Harvest Unit|Grade|Created By
8812|Tomato|Roma|GH 1|${year}-08-02T07:30:00Z|41.2|kg|A|mia@farm.example
8813|Tomato|Roma|GH 1|${year}-08-04T07:10:00Z|38|kg|B|mia@farm.example`),
    created: 2,
    questions: 1,
  },
  'a German list of hours in the orchard': {
    path: '/log?type=farm_activity',
    as: 'other excel',
    rows: book(`Winterschnitt ${year}|||||
Datum|Arbeit|Anlage|Mitarbeiter|Stunden|Bemerkung
14.01.${year}|Schnitt|Apfel Nord|Jan|6,5|
15.01.${year}|Schnitt|Apfel Nord|Jan|7|Frost
|Schnitt|Apfel Süd|Eva|5,25|
Summe Stunden||||18,75|`),
    created: 3,
    questions: 0,
  },
}

const bytesOf = ({ as, rows }: FarmSheet): Buffer => {
  const separator = rows.flat().some((cell) => cell.includes(',')) ? ';' : ','
  const csv = rows.map((cells) => cells.join(separator)).join('\r\n')
  switch (as) {
    case 'csv':
      return Buffer.from(csv)
    case 'windows csv':
      return Buffer.from(csv, 'latin1')
    case 'excel':
      return archiveOf(asExcelTable(rows))
    case 'other excel':
      return archiveOf(asSheets({ Sheet1: rows }))
  }
}

const send = (sheet: FarmSheet, more = '') =>
  ada.send('POST', `${sheet.path}&again=0${more}`, {
    headers: { 'content-type': fileFormats[sheet.as.endsWith('csv') ? 'csv' : 'xlsx'].mediaType },
    body: bytesOf(sheet),
  })

/** What a person answers: the first that is offered, and for unknown columns that they belong to the notes. */
function answerTo({ rows }: Json, answers: FarmSheet['answers'] = {}): string {
  const faults: Json[] = rows.flatMap((row: Json) => row.faults)
  const offered = faults.flatMap(({ allowed = [] }) => allowed).find((one: string) => /^\w+=./.test(one))
  if (offered === undefined) {
    expect(faults.map(({ column, message }) => `${column} ${message}`)).toEqual(
      faults.map(() => expect.stringContaining('is not the name or the label of a field')),
    )
    return '&others=notes'
  }
  const [name, value] = offered.split('=')
  return `&${name}=${encodeURIComponent(answers[name] ?? value)}`
}

describe('a sheet as farms have it comes in with at most two questions', () => {
  test.each(Object.entries({ ...sheets, ...sheetsOfOtherPrograms }))(
    '%s, and a second time adds nothing',
    async (_name, sheet) => {
      let said = ''
      let questions = 0
      let answer = await send(sheet, '&dry_run=1')
      while (answer.status === 422) {
        said += answerTo(answer.body, sheet.answers)
        questions += 1
        expect(questions, answer.text.slice(0, 1500)).toBeLessThanOrEqual(2)
        answer = await send(sheet, `&dry_run=1${said}`)
      }
      expect(answer.status, answer.text.slice(0, 1500)).toBe(200)
      expect(answer.body.counts).toMatchObject({ created: sheet.created, fault: 0 })
      expect(questions).toBe(sheet.questions)
      await send(sheet, said)
      await bindAnew(farm)
      const again = await send(sheet, said)
      expect(again.body.counts).toMatchObject({ created: 0, changed: 0, fault: 0 })
      expect((again.body.counts.recorded ?? 0) + again.body.counts.unchanged).toBe(sheet.created)
    },
  )

  test('and keeps what amounts are of, the Thursday of a week, and hours as time', async () => {
    const observed = (await ada.read('/log.json?type=farm_observation&sort=timestamp&direction=asc')).list
    const flock = observed.find(({ quantity }: Json) => quantity.length > 1)
    expect(flock.quantity.map(({ label, value, measure }: Json) => [label, value, measure])).toEqual(
      expect.arrayContaining([
        ['Feed', '180', 'weight'],
        ['Water', '410', 'volume'],
      ]),
    )
    const [radish] = (await ada.read('/log.json?type=farm_harvest&name=Harvest Radish')).list
    expect(new Date(Number(radish.timestamp) * 1000).getUTCDay()).toBe(4)
    expect(radish.quantity).toMatchObject([{ value: '22.5', measure: 'weight' }])
    const hours = (await ada.read('/log.json?type=farm_activity&name=Schnitt')).list
    expect(hours.flatMap(({ quantity }: Json) => quantity.map(({ measure }: Json) => measure))).toEqual([
      ...['time', 'time', 'time'],
    ])
  })

  test('and a register tells births from arrivals, and who has left', async () => {
    const births = (await ada.read('/log.json?type=farm_birth')).list
    expect(births.map(({ name }: Json) => name)).toContain('Birth record Resi')
    const purchases = (await ada.read('/log.json?type=farm_purchase')).list
    expect(purchases.map(({ name }: Json) => name)).toContain('Purchase ES 02 0440 123452')
    const [left] = (await ada.read('/farm_asset.json?name=DE 09 415 10021')).list
    expect(left).toMatchObject({ animal_sex: 'M', description: { value: expect.stringContaining('Huber') } })
    expect(left.archived).toBe(String(Date.parse(`${year}-02-14T12:00:00+01:00`) / 1000))
  })

  test('and a day has the time beside it, and an interval withholds', async () => {
    const sprays = (await ada.read('/log.json?type=farm_input&sort=timestamp')).list
    const roundup = sprays.find(({ material }: Json) => material[0]?.name === 'Roundup UltraMAX')
    expect(roundup.timestamp).toBe(String(Date.parse(`${year}-05-03T07:10:00+02:00`) / 1000))
    expect(roundup.quantity.map(({ label, measure, value }: Json) => [label, measure, value])).toEqual([
      ['Area', 'area', '42'],
      [null, 'rate', '1.8'],
      ['Total product', 'volume', '75.6'],
      ['withhold harvest', 'time', '14'],
    ])
    expect(roundup.notes.value).toContain('Wind (km/h): 8 NE')
    const [planting] = roundup.asset
    expect((await ada.read(`/farm_asset/${planting.id}.json`)).location).toMatchObject([{ name: 'North 40' }])
  })

  test('and makes one planting of a plan, however often it comes', async () => {
    const plantings = await ada.read(`/farm_asset.json?type=planting&name=${year + 2} Lettuce Muir 1A`)
    expect(plantings.list).toHaveLength(1)
  })

  test('and the reports show last year', async () => {
    const report = await ada.read(`/reports/harvest.json?from=${year}-01-01&to=${year}-12-31`)
    const text = JSON.stringify(report)
    for (const crop of ['Kopfsalat', 'Möhren', 'Tomate', 'Kale Winterbor', 'Hen eggs']) expect(text).toContain(crop)
    const planned = await ada.read(`/log.json?done=0&timestamp[lt]=${Math.floor(Date.now() / 1000)}`)
    // Abandoned, so it is never late.
    expect(planned.list.map(({ name }: Json) => name)).toEqual(['Irrigation'])
  })
})

test('an export without a column for it, sent back, closes no plan', async () => {
  const id = await ada.create('log', { type: 'farm_activity', name: 'Plan', timestamp: 1_600_000_000, done: 0 })
  const sheet = await ada.stream(`/log.csv?id=${id}&fields=name,timestamp`, {})
  const answer = await ada.send('POST', '/log?again=0', {
    headers: { 'content-type': 'text/csv' },
    body: await sheet.text(),
  })
  expect(answer.body.counts).toMatchObject({ unchanged: 1 })
  expect((await ada.read(`/log/${id}.json`)).done).toBe('0')
})
