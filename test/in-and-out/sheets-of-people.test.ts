import { beforeAll, describe, expect, test } from 'vitest'
import { comingAndGoing } from '../../src/farm/bundle-names.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { bindAnew, type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { faultsOf, sendSheet, taken } from './sheet-client.ts'

let farm: FarmUnderTest
let ada: Client

beforeAll(async () => {
  farm = await openFarm()
  await farm.installation.database.write(async (tx) => {
    await writeFarmSetting(tx, 'timezone', 'Europe/Berlin')
    await writeFarmSetting(tx, 'language', 'de')
  })
  ada = await farm.login('worker')
})

const logs = (outcome: Json): Promise<Json[]> =>
  Promise.all(outcome.rows.map(({ id }: Json) => ada.read(`/log/${id}.json`)))

describe('a harvest book', () => {
  test('in German is understood at first sight: crops become plantings, and the report has the year', async () => {
    const book = [
      'Erntebuch 2024;;;;;',
      'Datum;Kultur;Schlag;Menge;Einheit;Bemerkung',
      '03.06.2024;Salat;Beet 1;12,5;kg;schön',
      ';Spinat;;3;Kiste;',
      '10.06.2024;Salat;Beet 1;8;kg;',
      'Summe;;;23,5;;',
    ].join('\r\n')
    const outcome = await taken(ada, '/log?type=farm_harvest', book)
    expect(outcome.counts).toMatchObject({ created: 3, fault: 0, done: 3, planned: 0 })
    expect(outcome.found).toMatchObject({
      head_row: 2,
      notes: expect.arrayContaining([
        { what: 'title', count: 1, rows: [1] },
        { what: 'totals', count: 1, rows: [6] },
        { what: 'filled', column: 'Datum', count: 1, rows: [4] },
      ]),
    })
    expect(outcome.found.columns.map(({ field, because }: Json) => [field, because])).toEqual([
      ['timestamp', 'synonym'],
      ['crop', 'synonym'],
      ['area', 'synonym'],
      ['quantity.value', undefined],
      ['quantity.unit', 'synonym'],
      ['notes', 'synonym'],
    ])
    const [first, second, third] = await logs(outcome)
    expect(first).toMatchObject({
      name: 'Ernte Salat',
      area: [{ name: 'Beet 1' }],
      movement: { area: [{ name: 'Beet 1' }] },
    })
    expect(second).toMatchObject({ name: 'Ernte Spinat', timestamp: first?.timestamp })
    expect(third?.asset).toEqual(first?.asset)
    const planting = await ada.read(`/farm_asset/${first?.asset[0].id}.json`)
    expect(planting).toMatchObject({ type: 'planting', name: '2024 Salat Beet 1', archived: third?.timestamp })
    const report = await ada.read('/reports/harvest.json?from=2024-01-01&to=2024-12-31')
    expect(JSON.stringify(report)).toContain('"20.5"')
    const again = await taken(ada, '/log?type=farm_harvest&dry_run=1', book)
    expect(again.would_create ?? []).toEqual([])
  })

  test('in Spanish and English, with units in the headers', async () => {
    const spanish = 'Fecha,Cultivo,Parcela,Cantidad (kg),Observaciones\n2023-05-01,Tomate,Norte,10,\n'
    const [tomato] = await logs(await taken(ada, '/log?type=farm_harvest', spanish))
    expect(tomato).toMatchObject({ quantity: [{ measure: 'weight', value: '10', unit: { name: 'kg' } }] })
    const english = 'Harvest date,Crop,Variety,Field,Weight (lb),Bunches,Notes\n2023-06-01,Kale,Red,Hill,4.5,7,x\n'
    const [kale] = await logs(await taken(ada, '/log?type=farm_harvest', english))
    expect(kale.quantity).toMatchObject([
      { measure: 'weight', value: '4.5', unit: { name: 'lb' } },
      { value: '7', unit: { name: 'Bunches' } },
    ])
    expect((await ada.read(`/farm_asset/${kale.asset[0].id}.json`)).crop).toMatchObject([{ name: 'Kale Red' }])
  })

  test('asks once for the year of days that have none', async () => {
    const book = 'Ernte 2023\nDatum;Kultur;Menge\n3.6.;Salat;12 kg\n'
    expect(await faultsOf(ada, '/log?type=farm_harvest', book)).toEqual([
      '3 Datum: has no year; say it, such as year=2023',
    ])
    const untitled = book.replace('Ernte 2023\n', '')
    const { body } = await sendSheet(ada, '/log?type=farm_harvest&file=Ernte_2019.csv', untitled)
    expect(body.rows[0].faults[0].allowed).toEqual(['year=2019'])
    const thisYear = new Date().getFullYear()
    const asked = (await sendSheet(ada, '/log?type=farm_harvest', untitled)).body.rows[0].faults[0]
    expect(asked.allowed).toEqual([`year=${thisYear}`, `year=${thisYear - 1}`])
    const [log] = await logs(await taken(ada, '/log?type=farm_harvest&year=2023', book))
    expect(log.timestamp).toBe(String(Date.parse('2023-06-03T12:00:00+02:00') / 1000))
  })

  test('keeps columns that nobody knows in the notes, or leaves them out, as the sender says', async () => {
    const book = 'Datum;Kultur;Menge;Bemerkung;Mondphase\n3.6.2023;Rettich;12 kg;gut;Regen\n'
    expect(await faultsOf(ada, '/log?type=farm_harvest', book)).toEqual([
      expect.stringContaining('1 Mondphase: is not the name'),
    ])
    const [log] = await logs(await taken(ada, '/log?type=farm_harvest&others=notes', book))
    expect(log.notes.value).toBe('gut\nMondphase: Regen')
    const outcome = await taken(ada, '/log?type=farm_harvest&others=skip&dry_run=1', book)
    expect(outcome.counts.created).toBe(1)
  })

  test('says of cancelled rows that they are abandoned, and never late', async () => {
    const book = 'Date,Task,Status\n2023-05-01,Hoe,Completed\n2023-05-02,Weed,Cancelled\n2023-05-03,Mow,Open\n'
    const outcome = await taken(ada, '/log?type=farm_activity', book)
    expect(outcome.counts).toMatchObject({ created: 3 })
    const statuses = await Promise.all(
      outcome.rows.map(({ uuid }: Json) =>
        ada.read(`/api/log/activity/${uuid}`).then(({ data }) => data.attributes.status),
      ),
    )
    expect(statuses).toEqual(['done', 'abandoned', 'pending'])
  })
})

describe('a crop that grows for several years', () => {
  const book = 'Datum;Kultur;Menge\n01.05.2022;Spargel;5 kg\n01.05.2023;Spargel;6 kg\n02.05.2023;Salat;7 kg\n'

  test('is asked about once, and is one planting over all years', async () => {
    expect(await faultsOf(ada, '/log?type=farm_harvest', book)).toEqual([
      expect.stringMatching(/^2 Kultur: grows for several years: Spargel; say perennial=all/),
    ])
    const [one, other, lettuce] = await logs(await taken(ada, '/log?type=farm_harvest&perennial=all', book))
    expect(other?.asset).toEqual(one?.asset)
    expect(await ada.read(`/farm_asset/${one?.asset[0].id}.json`)).toMatchObject({ name: 'Spargel', archived: '0' })
    expect((await ada.read(`/farm_asset/${lettuce?.asset[0].id}.json`)).name).toBe('2023 Salat')
    const later = 'Datum;Kultur;Menge\n03.05.2024;Spargel;8 kg\n'
    const [again] = await logs(await taken(ada, '/log?type=farm_harvest', later))
    expect(again?.asset).toEqual(one?.asset)
  })
})

describe('what was said about a sheet', () => {
  const path = '/log?type=farm_harvest&recall=1'

  test('is remembered for sheets with the same headers, whose new columns are named', async () => {
    const book = 'Datum;Wuchs;Menge;Mondphase\n05/04/2021;Bohnen;5 kg;Regen\n'
    expect((await sendSheet(ada, path, book)).status).toBe(422)
    await taken(ada, `${path}&dates=dmy&map[Wuchs]=crop&map[Mondphase]=`, book)
    const next = 'Datum;Wuchs;Menge;Mondphase;Bemerkung\n06/04/2021;Bohnen;5 kg;Sonne;gut\n'
    const outcome = await taken(ada, path, next)
    expect(outcome.found.remembered).toEqual({ new_columns: ['Bemerkung'] })
    expect((await logs(outcome))[0]).toMatchObject({ name: 'Ernte Bohnen', timestamp: '1617703200' })
    expect((await sendSheet(ada, '/log?type=farm_harvest', next)).status).toBe(422)
  })
})

test('faults speak the language that the reader asks for', async () => {
  const book = 'Datum;Kultur;Menge\n99.99.2023;Salat;viel\n'
  expect(await faultsOf(ada, '/log?type=farm_harvest&language=de', book)).toEqual([
    '2 Datum: "99.99.2023" ist kein Tag in der Reihenfolge dmy; schreib 2024-05-01',
    '2 Menge: "viel" ist keine Menge wie 12.5 kg',
  ])
  expect((await sendSheet(ada, '/log?type=farm_harvest&language=xx', book)).status).toBe(400)
})

describe('a book that comes again', () => {
  const head = 'Datum;Kultur;Menge'
  const crate = '03.07.2023;Porree;5 kg'

  test('adds only what is new, and never drops the second of two equal crates', async () => {
    const first = await taken(ada, '/log?type=farm_harvest&again=0', [head, crate, crate].join('\n'))
    expect(first.counts).toMatchObject({ created: 2 })
    const later = [head, crate, '04.07.2023;Porree;6 kg', crate, crate].join('\n')
    const second = await taken(ada, '/log?type=farm_harvest&again=0', later)
    expect(second.counts).toMatchObject({ created: 2, recorded: 2 })
    expect(second.rows.map(({ result }: Json) => result)).toEqual(['recorded', 'created', 'recorded', 'created'])
    await ada.send('DELETE', `/log/${first.rows[0].id}`)
    const third = await taken(ada, '/log?type=farm_harvest&again=0', later)
    expect(third.rows[0]).toMatchObject({ result: 'recorded', id: first.rows[0].id, removed: true })
    expect((await taken(ada, '/log?type=farm_harvest&dry_run=1', later)).counts).toMatchObject({ created: 4 })
  })

  test('is new where its import was taken back', async () => {
    const book = [head, '05.07.2023;Porree;7 kg'].join('\n')
    const answer = await sendSheet(ada, '/log?type=farm_harvest&again=0', book)
    await ada.send('POST', `/changes/${answer.headers.get('change-set')}/undo`)
    expect((await taken(ada, '/log?type=farm_harvest&again=0', book)).counts).toMatchObject({ created: 1 })
  })
})

test('an import of any size is undone in slices, which say how far they are', async () => {
  const rows = Array.from({ length: 400 }, (_, nth) => `03.08.2022;Zwiebel;${nth + 1} kg`)
  const answer = await sendSheet(ada, '/log?type=farm_harvest', ['Datum;Kultur;Menge', ...rows].join('\n'))
  const undo = `/changes/${answer.headers.get('change-set')}/undo?slices=1`
  expect((await ada.post(`${undo}&dry_run=1`, {})).status).toBe(400)
  let step = await ada.post(undo, {})
  while (step.body.pending > 0) step = await ada.post(undo, {})
  // The logs, their planting, and the terms that were made for them.
  expect(step.body).toMatchObject({ state: 'undone', pending: 0, left: [] })
  expect(step.body.records).toBeGreaterThan(400)
  expect((await ada.read('/log.json?name[ct]=Zwiebel')).list).toEqual([])
  expect((await ada.post(undo, {})).status).toBe(409)
})

describe('a register of animals', () => {
  test('has ear tag and chip, words of the species, and parents that the farm knows', async () => {
    const sheet = [
      'VID,EID,Breed,Sex,DOB,Dam,Comments',
      'A1,982000123456789,Angus,Cow,2019-03-01,,',
      'A2,,Angus,Steer,2022-03-01,A1,quiet',
      'A3,,Angus,Heifer,2022-04-01,X99,',
    ].join('\n')
    const outcome = await taken(ada, '/farm_asset?type=animal', sheet)
    const [cow, steer, heifer] = await Promise.all(
      outcome.rows.map(({ id }: Json) => ada.read(`/farm_asset/${id}.json`)),
    )
    expect(cow).toMatchObject({
      name: 'A1',
      animal_sex: 'F',
      tag: [
        { id: 'A1', type: 'Ear tag' },
        { id: '982000123456789', type: 'Chip' },
      ],
    })
    expect(steer).toMatchObject({
      animal_sex: 'M',
      animal_castrated: true,
      parent: [{ id: cow.id }],
      description: { value: 'quiet' },
    })
    expect(heifer).toMatchObject({ animal_sex: 'F', parent: [], description: { value: 'Dam: X99' } })
  })

  test('with weight, paddock, herd, arrival and departure makes the logs that say so, in one set', async () => {
    const sheet = [
      'Ohrmarke;Rasse;Geschlecht;Gewicht (kg);Weide;Herde;Zugang;Abgang;Abgangsgrund',
      'DE1;Limousin;Kuh;612,5;Nordweide;Mutterkühe;01.03.2022;;',
      'DE2;Limousin;Ochse;;;;;04.05.2023;verkauft',
    ].join('\n')
    expect(await faultsOf(ada, '/farm_asset?type=animal', sheet)).toEqual([
      expect.stringContaining('2 Gewicht (kg): has no day on which it was weighed'),
    ])
    const outcome = await taken(ada, '/farm_asset?type=animal&weighed=2024-02-01', sheet)
    const [cow, steer] = await Promise.all(
      outcome.rows.map(({ id }: Json) => ada.read(`/farm_asset/${id}.json?with=group`)),
    )
    expect(cow).toMatchObject({ location: [{ name: 'Nordweide' }], group: [{ resource: 'farm_asset' }] })
    expect((await ada.read(`/farm_asset/${cow.group[0].id}.json`)).name).toBe('Mutterkühe')
    expect(steer.archived).toBe(String(Date.parse('2023-05-04T12:00:00+02:00') / 1000))
    const { list } = await ada.read(`/log.json?asset=${cow.id}&sort=timestamp&direction=asc`)
    expect(list).toMatchObject([
      { type: 'farm_activity', log_category: [{ name: 'Arrival' }], done: '1' },
      { type: 'farm_observation', quantity: [{ measure: 'weight', value: '612.5', unit: { name: 'kg' } }] },
    ])
    await bindAnew(farm)
    const departures = await ada.read(`/log.json?asset=${steer.id}`)
    expect(departures.list).toMatchObject([{ type: 'farm_sale', notes: { value: 'verkauft' } }])
  })

  test('that comes again adds what is new of animals that are there, and records nothing twice', async () => {
    const head = 'Ohrmarke;Chip;Rasse;Gewicht;Gewogen am;Weide;Herde;Verkauft am'
    const first = [head, 'DE7;;Angus;400 kg;01.02.2024;Südweide;Jungvieh;', 'DE8;;Angus;;;Südweide;;'].join('\n')
    const [cow] = (await taken(ada, '/farm_asset?type=animal&again=0', first)).rows
    const same = await taken(ada, '/farm_asset?type=animal&again=0', first)
    expect(same.rows.map(({ id, result }: Json) => [id === cow.id, result])).toEqual([
      [true, 'unchanged'],
      [false, 'unchanged'],
    ])
    const later = [
      head,
      'DE7;982000000000001;Angus;455 kg;01.06.2024;Bergweide;Jungvieh;',
      'DE8;;Angus;;;;;05.07.2024',
    ].join('\n')
    const { counts, rows } = await taken(ada, '/farm_asset?type=animal&again=0', later)
    expect(counts).toMatchObject({ created: 0, changed: 2 })
    expect(await ada.read(`/farm_asset/${cow.id}.json`)).toMatchObject({
      location: [{ name: 'Bergweide' }],
      tag: [{ id: 'DE7' }, { id: '982000000000001', type: 'Chip' }],
    })
    const weights = await ada.read(`/log.json?asset=${cow.id}&type=farm_observation&sort=timestamp&direction=asc`)
    expect(weights.list.map(({ quantity: [{ value }] }: Json) => value)).toEqual(['400', '455'])
    const sold = await ada.read(`/farm_asset/${rows[1].id}.json`)
    expect(sold.archived).toBe(String(Date.parse('2024-07-05T12:00:00+02:00') / 1000))
    expect((await ada.read(`/log.json?asset=${sold.id}&type=farm_sale`)).list).toHaveLength(1)
  })

  test('names the animals that a register lacks, and does nothing to them', async () => {
    const register = '/farm_asset?type=animal&again=0'
    await taken(ada, register, 'Ear tag;Breed\nLACK1;Angus\nLACK2;Angus\nLACK3;Angus\n')
    const { counts, not_in_sheet: missing } = await taken(ada, register, 'Ear tag;Breed\nLACK1;Angus\nLACK2;Angus\n')
    expect(counts).toMatchObject({ created: 0, changed: 0, unchanged: 2 })
    const lacking = missing.animals.find(({ name }: Json) => name === 'LACK3')
    expect(missing.count).toBe(missing.animals.length)
    expect(missing.animals.map(({ name }: Json) => name)).not.toContain('LACK1')
    expect(await ada.read(`/farm_asset/${lacking.id}.json`)).toMatchObject({ name: 'LACK3', archived: '0' })
    await ada.put(`/farm_asset/${lacking.id}`, { archived: '1700000000' })
    const later = await taken(ada, register, 'Ear tag;Breed\nLACK1;Angus\nLACK2;Angus\n')
    expect(later.not_in_sheet.animals.map(({ name }: Json) => name)).not.toContain('LACK3')
    expect(await taken(ada, register, 'Ear tag;Breed\nNEW1;Angus\n')).not.toHaveProperty('not_in_sheet')
  })

  test('uses the log categories of coming and going, which every reader knows by their UUIDs', async () => {
    const sheet = 'Ear tag,Breed,Arrival date,Date of death\nUK1,Suffolk,2022-03-01,2023-01-05\n'
    const [ewe] = (await taken(ada, '/farm_asset?type=animal', sheet)).rows
    const { list } = await ada.read(`/log.json?asset=${ewe.id}&sort=timestamp&direction=asc`)
    const categories = await Promise.all(
      list.map(({ log_category: [{ id }] }: Json) => ada.read(`/taxonomy_term/${id}.json?with=uuid`)),
    )
    expect(categories.map(({ uuid }) => uuid)).toEqual([comingAndGoing.arrived.uuid, comingAndGoing.died.uuid])
  })
})
