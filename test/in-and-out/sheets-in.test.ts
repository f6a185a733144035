import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { faultsOf, results, sendSheet, taken } from './sheet-client.ts'

let farm: FarmUnderTest
let ada: Client

beforeAll(async () => {
  farm = await openFarm()
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
  ada = await farm.login('worker')
})

const second = (iso: string): string => String(Date.parse(iso) / 1000)

describe('a sheet', () => {
  test('makes records, and says what became of each row and how it was read', async () => {
    const outcome = await taken(
      ada,
      '/log?type=farm_harvest',
      'name,timestamp,done,quantity.value,quantity.unit,notes\nKale,2024-05-01T08:00,yes,12.5,kg,"two\nlines"\nBeans,2024-05-02,no,,,\n',
    )
    expect(outcome.counts).toEqual({ created: 2, changed: 0, unchanged: 0, fault: 0, done: 1, planned: 1 })
    expect(outcome.found).toMatchObject({
      encoding: 'utf-8',
      separator: 'comma',
      head_row: 1,
      match: null,
      timezone: 'Europe/Berlin',
      columns: expect.arrayContaining([{ column: 'quantity.value', field: 'quantity.value', decimal: '.' }]),
    })
    expect(outcome.rows.map(({ row }: { row: number }) => row)).toEqual([2, 3])
    const [kale, beans] = await Promise.all(
      outcome.rows.map(({ id, uuid }: { id: string; uuid: string }) =>
        ada.read(`/log/${uuid}.json`).then((log) => [id, log]),
      ),
    )
    expect(kale).toEqual([
      outcome.rows[0].id,
      expect.objectContaining({
        name: 'Kale',
        type: 'farm_harvest',
        done: '1',
        timestamp: second('2024-05-01T08:00:00+02:00'),
        notes: { value: 'two\nlines', format: 'farm_format' },
        quantity: [expect.objectContaining({ value: '12.5', unit: expect.objectContaining({ name: 'kg' }) })],
      }),
    ])
    expect(beans[1]).toMatchObject({ done: '0', timestamp: second('2024-05-02T12:00:00+02:00'), quantity: [] })
  })

  test('is one set of changes, which is undone as one', async () => {
    const answer = await sendSheet(ada, '/farm_asset?type=group', 'name\nHerd one\nHerd two\n')
    const set = answer.headers.get('change-set')
    expect((await ada.read(`/sets/${set}.json`)).counts).toEqual({ farm_asset: { create: 2 } })
    expect((await ada.send('POST', `/changes/${set}/undo`)).status).toBe(200)
    expect(await ada.ids('/farm_asset.json?name=Herd one')).toEqual([])
  })
})

describe('sheets as spreadsheets save them', () => {
  test('with semicolons, a byte order mark, CRLF and decimal commas', async () => {
    const rows = ['Möhren;01.05.2024 08:30;12,5 kg;"sagt ""gut"""', 'Rüben;31.12.2024;1.234,5;']
    const sheet = `\uFEFFName;Zeit;Menge;Bemerkung\r\n${rows.join('\r\n')}\r\n`
    const map = encodeURIComponent(JSON.stringify({ Zeit: 'timestamp', Menge: 'quantity.value', Bemerkung: 'notes' }))
    const outcome = await taken(ada, `/log?type=farm_harvest&map=${map}`, sheet)
    expect(outcome.found).toMatchObject({ encoding: 'utf-8', separator: 'semicolon' })
    expect(outcome.found.columns).toMatchObject([{}, { dates: 'dmy' }, { decimal: ',' }, {}])
    expect(await ada.read(`/log/${outcome.rows[0].id}.json`)).toMatchObject({
      name: 'Möhren',
      timestamp: second('2024-05-01T08:30:00+02:00'),
      notes: { value: 'sagt "gut"' },
      quantity: [{ value: '12.5', unit: { name: 'kg' } }],
    })
    expect(await ada.read(`/log/${outcome.rows[1].id}.json`)).toMatchObject({
      timestamp: second('2024-12-31T12:00:00+01:00'),
      quantity: [{ value: '1234.5' }],
    })
  })

  test('with tabs, in Windows-1252, below a title', async () => {
    const sheet = Buffer.from('Unsere Gruppen\n\nName\tBeschreibung\nKühe\tgroß\n', 'latin1')
    const path = '/farm_asset?type=Group&head_row=3&map[Beschreibung]=description&sep=tab'
    const outcome = await taken(ada, path, sheet)
    expect(outcome.found).toMatchObject({ encoding: 'windows-1252', separator: 'tab', head_row: 3 })
    expect(outcome.rows).toMatchObject([{ row: 4, result: 'created' }])
    const record = await ada.read(`/farm_asset/${outcome.rows[0].id}.json`)
    expect(record).toMatchObject({ name: 'Kühe', description: { value: 'groß' } })
  })

  test('by the labels of the catalogue, in any case, and the type in a column', async () => {
    const rows = ['Harvest,By label,2024-01-01,Yes,,L1', 'farm_activity,By name,2024-01-01,x,,']
    const outcome = await taken(
      ada,
      '/log',
      `TYPE,name,Timestamp,Done,Assigned to,Harvest lot number\n${rows.join('\n')}`,
    )
    const logs = await Promise.all(outcome.rows.map(({ id }: Json) => ada.read(`/log/${id}.json`)))
    expect(logs).toMatchObject([
      { type: 'farm_harvest', lot_number: 'L1', done: '1' },
      { type: 'farm_activity', done: '1' },
    ])
  })

  test('by what other languages call the fields', async () => {
    const german = 'Name,Zeitpunkt,Erledigt,Charge\nEin Korb,2024-01-01,1,L7\n'
    const outcome = await taken(ada, '/log?type=farm_harvest', german)
    expect(await ada.read(`/log/${outcome.rows[0].id}.json`)).toMatchObject({
      name: 'Ein Korb',
      lot_number: 'L7',
      done: '1',
    })
    const spanish = 'Nombre,Momento,Hecho\nUna cesta,2024-01-01,1\n'
    expect((await taken(ada, '/log?type=farm_harvest', spanish)).rows).toMatchObject([{ result: 'created' }])
  })

  test('a header that stands for nothing is a fault that names near ones', async () => {
    const sheet = 'name,timestamp,lot_numbr,Mondphase\na,2024-01-01,L1,Sonne\n'
    const answer = await sendSheet(ada, '/log?type=farm_harvest', sheet)
    expect(answer.status).toBe(422)
    expect(answer.body.rows[0]).toMatchObject({
      row: 1,
      faults: [{ column: 'lot_numbr', allowed: expect.arrayContaining(['lot_number']) }, { column: 'Mondphase' }],
    })
    await taken(ada, '/log?type=farm_harvest&map[lot_numbr]=lot_number&map[Mondphase]=&done=1', sheet)
  })

  test.each(
    shareOfThisEngine([
      ['=1+1', "'=1+1"],
      ["'=x", "''=x"],
      ['+49 151', "'+49 151"],
      ["'n Abend", "'n Abend"],
      ['-5', '-5'],
      ["''@home", "'''@home"],
    ]),
  )('a name %j is written as %j, and one mark is taken off', async (name, cell) => {
    const { rows } = await taken(ada, '/farm_asset?type=group', `name\n"${cell}"\n`)
    expect((await ada.read(`/farm_asset/${rows[0].id}.json`)).name).toBe(name)
  })
})

describe('numbers and days', () => {
  const log = (cells: string[]) => `name;timestamp;quantity.value\n${cells.map((cell) => `a;${cell}`).join('\n')}`
  const path = '/log?type=farm_harvest&sep=semicolon'

  test.each(
    shareOfThisEngine([
      ['03/04/2024', '&dates=dmy', '2024-04-03T12:00:00+02:00'],
      ['03/04/2024', '&dates=mdy', '2024-03-04T12:00:00+01:00'],
      ['2024/03/04', '&dates=dmy', '2024-03-04T12:00:00+01:00'],
      ['3.4.2024', '', '2024-04-03T12:00:00+02:00'],
      ['24-03-04', '&dates=ymd', '2024-03-04T12:00:00+01:00'],
    ]),
  )('%s with %s is %s', async (cell, dates, time) => {
    const { rows } = await taken(ada, path + dates, log([`${cell};1`]))
    expect((await ada.read(`/log/${rows[0].id}.json`)).timestamp).toBe(second(time))
  })

  test('an order that follows from another cell of the column is found, any other doubt shows both readings', async () => {
    const { rows } = await taken(ada, path, log(['03/04/2024;1', '25/04/2024;1']))
    expect((await ada.read(`/log/${rows[0].id}.json`)).timestamp).toBe(second('2024-04-03T12:00:00+02:00'))
    expect(await faultsOf(ada, path, log(['03/04/2024;1']))).toEqual([
      expect.stringMatching(/^2 timestamp: "03\/04\/2024" may be 2024-04-03 .* or 2024-03-04 .*dates=dmy or dates=mdy/),
    ])
    const asked = await sendSheet(ada, path, log(['03/04/2024;1']))
    const [fault] = asked.body.rows[0].faults
    expect(fault).toMatchObject({ value: '03/04/2024', allowed: ['dates=dmy', 'dates=mdy'] })
    const unclear = await sendSheet(ada, '/log?type=farm_harvest', 'name,notes;data\nKale,1;2\n')
    expect([unclear.status, unclear.body.errors]).toMatchObject([
      400,
      [{ field: 'sep', allowed: ['sep=comma', 'sep=semicolon', 'sep=tab'] }],
    ])
    const mixed = log(['25/04/2024;1', '04/25/2024;1'])
    expect(await faultsOf(ada, path, mixed)).toEqual([expect.stringContaining('another order')])
  })

  test('likewise a decimal sign', async () => {
    expect(await faultsOf(ada, path, log(['2024-01-01;1.234']))).toEqual([
      expect.stringMatching(/^2 quantity.value: "1.234" may be 1.234 or 1234; say decimal=. or decimal=,/),
    ])
    const valueIn = async (answer: Json) => (await ada.read(`/log/${answer.rows[0].id}.json`)).quantity[0].value
    expect(await valueIn(await taken(ada, path, log(['2024-01-01;1.234', '2024-01-01;0,5'])))).toBe('1234')
    expect(await valueIn(await taken(ada, `${path}&decimal=.`, log(['2024-01-01;1.234'])))).toBe('1.234')
    const faults = await faultsOf(ada, `${path}&decimal=,`, log(['2024-01-01;1.5']))
    expect(faults).toEqual([expect.stringContaining('decimal comma')])
  })

  test('a time is one of the farm’s clocks, has an offset, or is in Unix seconds; one that never was is a fault', async () => {
    const cells = ['2024-05-01T08:00', '2024-05-01 08:00:30', '2024-05-01T08:00Z', '1600000000', '5/13/2024 1:30 PM']
    const { rows } = await taken(ada, path, log(cells.map((cell) => `${cell};1`)))
    const logs: Json[] = await Promise.all(rows.map(({ id }: Json) => ada.read(`/log/${id}.json`)))
    expect(logs.map(({ timestamp }) => timestamp)).toEqual([
      ...[second('2024-05-01T06:00:00Z'), second('2024-05-01T06:00:30Z'), second('2024-05-01T08:00:00Z')],
      ...['1600000000', second('2024-05-13T11:30:00Z')],
    ])
    expect(await faultsOf(ada, path, log(['2024-03-31T02:30;1', '2024;1', 'soon;1', '2024-02-30;1']))).toEqual([
      expect.stringContaining('does not exist by the clocks of Europe/Berlin'),
      expect.stringContaining('may be a year'),
      expect.stringContaining('is not a time'),
      expect.stringContaining('is not a day'),
    ])
  })
})

describe('amounts', () => {
  const quantityOf = async (type: string, sheet: string, query = ''): Promise<Json> => {
    const { rows } = await taken(ada, `/log?type=${type}&done=1${query}`, sheet)
    return Promise.all(rows.map(async ({ id }: Json) => (await ada.read(`/log/${id}.json`)).quantity))
  }

  test('in two columns are a value and a unit, however the first is mapped', async () => {
    const kilograms = [{ value: '12.5', unit: { name: 'kg' } }]
    const mapped = '&map={"Menge":"quantity","Einheit":"quantity.unit"}'
    expect(
      await quantityOf('farm_harvest', 'name;timestamp;Menge;Einheit\nA;2024-01-01;12,5;kg\n', mapped),
    ).toMatchObject([kilograms])
    expect(
      await quantityOf('farm_harvest', 'name;timestamp;quantity;quantity.unit\nA;2024-01-01;12,5 kg;kg\n'),
    ).toMatchObject([kilograms])
    const twice = await faultsOf(
      ada,
      '/log?type=farm_harvest&done=1',
      'name,quantity,quantity.value,quantity.unit\nA,2024-01-01,2,kg\n',
    )
    expect(twice).toEqual([expect.stringContaining('stands for quantity.value, and so does "quantity"')])
  })

  test('without a measure have that of their unit, where it is of one alone', async () => {
    const measures = async (sheet: string, query = '') =>
      (await quantityOf('farm_observation', sheet, query)).flat().map(({ measure }: Json) => measure)
    expect(await measures('name,timestamp,quantity\nA,2024-01-01,"12.5 kg; 3 bunch; 2 l"\n')).toEqual([
      'weight',
      null,
      'volume',
    ])
    expect(
      await measures(
        'name,timestamp,quantity.value,quantity.unit\nA,2024-01-01,2,ha\nB,2024-01-01,2,bunch\nC,2024-01-01,,kg\n',
      ),
    ).toEqual(['area', null, null])
    expect(
      await measures('name,timestamp,quantity.value,quantity.measure\nA,2024-01-01,2 kg,value\nB,2024-01-01,2 kg,\n'),
    ).toEqual(['value', 'weight'])
    expect(await measures('name,timestamp,quantity.value\nA,2024-01-01,2 kg\n', '&rows=quantity')).toEqual(['weight'])
  })

  test('of a record that has them already keep their measure, or none', async () => {
    const body = {
      name: 'Kept',
      type: 'farm_observation',
      timestamp: 1,
      quantity: [{ value: '2', unit: { name: 'kg' } }],
    }
    const id = await ada.create('log', body)
    const outcome = await taken(ada, '/log', `id,quantity.value,quantity.unit\n${id},2,kg\n`)
    expect(outcome.counts).toMatchObject({ unchanged: 1 })
    expect((await ada.read(`/log/${id}.json`)).quantity).toMatchObject([{ measure: null }])
  })
})

describe('whether new logs are done', () => {
  /** 23:30 in Berlin. */
  const now = Date.parse('2026-03-10T22:30:00Z') / 1000
  const send = async (query: string, sheet: string): Promise<Json> => {
    farm.setClock(now)
    const client = await farm.login('worker')
    const answer = await sendSheet(client, `/log?${query}`, sheet)
    farm.setClock(null)
    return answer.body
  }
  const doneOf = async ({ rows }: Json): Promise<string[]> =>
    Promise.all(rows.map(async ({ id }: Json) => (await ada.read(`/log/${id}.json`)).done))
  const days = 'name,timestamp\nA,2025-06-01\nB,2026-03-10T23:59\nC,2026-03-11T00:00\nD,2026-03-10T00:00\n'

  test('follows from their day on the farm, where no column says it', async () => {
    const outcome = await send('type=farm_activity', days)
    expect(outcome.counts).toMatchObject({ created: 4, done: 3, planned: 1 })
    expect(await doneOf(outcome)).toEqual(['1', '1', '0', '1'])
    expect((await send('type=farm_activity&dry_run=1', days)).counts).toMatchObject({ done: 3, planned: 1 })
  })

  test.each([
    ['1', 4],
    ['0', 0],
    ['day', 3],
  ])('done=%s says it for all', async (word, done) => {
    const outcome = await send(`type=farm_activity&done=${word}`, days)
    expect(outcome.counts).toMatchObject({ done, planned: 4 - done })
    expect((await doneOf(outcome)).filter((one) => one === '1')).toHaveLength(done)
  })

  test('is what a column says; an empty cell of it means no, or what done= says', async () => {
    const sheet = 'name,timestamp,done\nA,2025-06-01,no\nB,2025-06-01,\n'
    expect((await send('type=farm_activity', sheet)).counts).toMatchObject({ done: 0, planned: 2 })
    expect((await send('type=farm_activity&done=1', sheet)).counts).toMatchObject({ done: 1, planned: 1 })
  })

  test('never changes a record that is there', async () => {
    const id = await ada.create('log', { name: 'Late', type: 'farm_activity', timestamp: 1_600_000_000, done: '0' })
    const outcome = await send('done=1', `id,name,timestamp\n${id},Later,2020-01-01\n`)
    expect(outcome.counts).toEqual({ created: 0, changed: 1, unchanged: 0, fault: 0 })
    expect(await ada.read(`/log/${id}.json`)).toMatchObject({ name: 'Later', done: '0' })
  })

  test('is asked once of harvests of the past without an amount', async () => {
    const sheet = 'name,timestamp,quantity\nA,2025-06-01,3 kg\nB,2025-06-02,\nC,2025-06-03,\n'
    const refused = await send('type=farm_harvest&on_fault=skip', sheet)
    expect(refused).toMatchObject({
      status: 422,
      rows: [{ row: 3, faults: [{ column: 'done', allowed: ['done=1', 'done=0', 'done=day'] }] }],
      counts: { faults: 1 },
    })
    expect((await send('type=farm_harvest&done=day', sheet)).counts).toMatchObject({ done: 3 })
    expect((await send('type=farm_harvest&done=0', sheet)).counts).toMatchObject({ planned: 3 })
    const later = 'name,timestamp\nA,2027-06-01\n'
    expect((await send('type=farm_harvest', later)).counts).toMatchObject({ planned: 1 })
  })

  test.each([
    ['in a header', 'name,Planned date\nA,2025-06-01\n', '&map[Planned date]=timestamp', 1, 'Planned date'],
    [
      'in a header',
      'name;timestamp;Geplante Menge\nA;2025-06-01;2 kg\n',
      '&map[Geplante Menge]=quantity',
      1,
      'Geplante Menge',
    ],
    ['in a title', 'Anbauplan 2025\nname,timestamp\nA,2025-06-01\n', '&head_row=2&sep=comma', 1, 'Anbauplan 2025'],
    ['in a title', 'Siembra planificada;\nname;timestamp\nA;2025-06-01\n', '&head_row=2', 1, 'Siembra planificada'],
  ])('is asked once where a plan is spoken of %s', async (_where, sheet, query, row, value) => {
    const refused = await send(`type=farm_activity${query}`, sheet)
    expect(refused, JSON.stringify(refused)).toMatchObject({ status: 422, rows: [{ row, faults: [{ value }] }] })
    expect(refused.rows[0].faults[0].allowed).toContain('done=0')
    expect((await send(`type=farm_activity&done=0${query}`, sheet)).counts).toMatchObject({ done: 0, planned: 1 })
  })

  test('is not asked of plants and plantations, nor where every row is of a record that is there', async () => {
    const map = '&map[Plant]=name&map[Planting]=notes&map[Plantation]=data'
    const plants = await send(`type=farm_activity${map}`, 'Plant,Planting,Plantation,timestamp\nA,b,c,2025-06-01\n')
    expect(plants.counts, JSON.stringify(plants)).toMatchObject({ done: 1 })
    const [{ id }] = plants.rows
    const again = await send('map[Plan]=notes', `id,Plan\n${id},other\n`)
    expect(again.counts, JSON.stringify(again)).toMatchObject({ changed: 1 })
  })
})

describe('references in cells', () => {
  test('are names, numbers, UUIDs and ear tags; two that are meant are a fault that lists them', async () => {
    const word = randomUUID().slice(0, 8)
    const animal = { type: 'animal', animal_type: { name: 'Sheep' } }
    const tag = [{ id: `DE ${word}`, type: 'Ear tag' }]
    const one = await ada.create('farm_asset', { ...animal, name: `Dolly ${word}`, tag })
    const two = await ada.create('farm_asset', { ...animal, name: `Molly ${word}` })
    const twin = await ada.create('farm_asset', { ...animal, name: `Molly ${word}` })
    const { uuid } = await ada.read(`/farm_asset/${one}.json?with=uuid`)
    const cells = [`Dolly ${word}`, one, `#${one}`, uuid, `de ${word}`, `Molly ${word} #${two}; #${one}`]
    const rowOf = (cell: string) => `x,2024-01-01,${cell},${ada.login.name}`
    const sheet = `name,timestamp,asset,log_owner\n${cells.map(rowOf).join('\n')}\n`
    const { rows } = await taken(ada, '/log?type=farm_activity', sheet)
    const logs: Json[] = await Promise.all(rows.map(({ id }: Json) => ada.read(`/log/${id}.json`)))
    const assets = logs.map(({ asset }) => asset.map(({ id }: Json) => id))
    expect(assets).toEqual([[one], [one], [one], [one], [one], [two, one]])
    const bad = [`Molly ${word}`, '#987654', `Dolly ${word} #${two}`, 'Nobody at all', randomUUID()]
    const wrong = `name,timestamp,asset\n${bad.map((cell) => `x,2024-01-01,${cell}`).join('\n')}`
    const answer = await sendSheet(ada, '/log?type=farm_activity', wrong)
    expect(answer.status).toBe(422)
    expect(answer.body.rows.map(({ faults }: Json) => faults[0])).toMatchObject([
      { column: 'asset', value: bad[0], allowed: [`Molly ${word} #${two}`, `Molly ${word} #${twin}`] },
      { message: expect.stringContaining('there is no asset with the id 987654') },
      { message: expect.stringContaining(`is called "Molly ${word}"`) },
      { message: expect.stringContaining('there is no asset called') },
      { message: expect.stringContaining('there is no asset with the UUID') },
    ])
  })

  test('rows name rows above them by ear tag', async () => {
    const sheet =
      'name,animal_type,tag.id,parent\nHanna,Sheep,DE 01 1,\nIda,Sheep,DE 01 2,DE 01 1\nJan,Sheep,DE 01 3,"DE 01 1; DE 01 2"\n'
    const { rows } = await taken(ada, '/farm_asset?type=animal', sheet)
    const [hanna, ida, jan] = rows.map(({ id }: Json) => id)
    expect((await ada.read(`/farm_asset/${ida}.json`)).parent).toMatchObject([{ id: hanna }])
    expect((await ada.read(`/farm_asset/${jan}.json`)).parent).toMatchObject([{ id: hanna }, { id: ida }])
    const two = 'name,animal_type,tag,parent\nKai,Sheep,X 9,\nX 9,Sheep,X 8,\nLea,Sheep,X 7,X 9\n'
    expect(await faultsOf(ada, '/farm_asset?type=animal', two)).toEqual([
      expect.stringContaining('"X 9" may be one of several'),
    ])
  })

  test('rows name rows above them, by name and by UUID, and terms are made by name', async () => {
    const word = randomUUID().slice(0, 8)
    const [mother, child] = [randomUUID(), randomUUID()]
    const sheet = [
      'uuid,name,animal_type,parent,animal_nicknames',
      `${mother},Mother ${word},Breed ${word},,"Nick; ""a; b"""`,
      `${child},Child ${word},Breed ${word},Mother ${word},`,
      `,Grandchild ${word},Breed ${word},${child},`,
    ].join('\n')
    const { rows } = await taken(ada, '/farm_asset?type=animal', sheet)
    const made: Json[] = await Promise.all(rows.map(({ id }: Json) => ada.read(`/farm_asset/${id}.json`)))
    const parents = made.map(({ parent }) => parent.map(({ id }: Json) => id))
    expect(parents).toEqual([[], [rows[0].id], [rows[1].id]])
    expect(made[0].animal_nicknames).toEqual(['Nick', 'a; b'])
    expect(await ada.ids(`/taxonomy_term.json?name=Breed ${word}`)).toHaveLength(1)
    const terms = `name,parent\nUpper ${word},\nLower ${word},Upper ${word}\n`
    const outcome = await taken(ada, '/taxonomy_term?vocabulary=farm_crops', terms)
    const lower = await ada.read(`/taxonomy_term/${outcome.rows[1].id}.json`)
    expect(lower.parent).toMatchObject([{ id: outcome.rows[0].id }])
    expect(await ada.ids(`/taxonomy_term.json?name=Upper ${word}`)).toHaveLength(1)
  })
})

describe('rows of records that are there', () => {
  test('are known by UUID, id, ear tag or name; an unknown UUID makes a record, an unknown id is a fault', async () => {
    const word = randomUUID().slice(0, 8)
    const cow = { type: 'animal', name: `Cow ${word}`, animal_type: { name: 'Cow' } }
    const id = await ada.create('farm_asset', { ...cow, tag: [{ id: `T${word}`, type: 'Ear tag', location: 'left' }] })
    const { uuid } = await ada.read(`/farm_asset/${id}.json?with=uuid`)
    const path = '/farm_asset?type=animal'
    const nicknames = async () => (await ada.read(`/farm_asset/${id}.json`)).animal_nicknames
    const upper = uuid.toUpperCase()
    expect(results(await taken(ada, path, `uuid,animal_nicknames\n${upper},by uuid\n`))).toEqual(['changed'])
    expect(await nicknames()).toEqual(['by uuid'])
    expect(results(await taken(ada, path, `id,animal_nicknames\n${id},by id\n`))).toEqual(['changed'])
    const byTag = `tag,animal_nicknames\nT${word},by tag\n`
    expect(results(await taken(ada, `${path}&match=tag`, byTag))).toEqual(['changed'])
    expect((await ada.read(`/farm_asset/${id}.json`)).tag).toMatchObject([{ id: `T${word}`, location: 'left' }])
    const byName = `name,animal_nicknames\nCow ${word},by name\n`
    expect(results(await taken(ada, `${path}&match=name`, byName))).toEqual(['changed'])
    expect(await nicknames()).toEqual(['by name'])
    const fresh = randomUUID()
    const outcome = await taken(ada, path, `uuid,name,animal_type\n${fresh},New,Cow\n`)
    expect(outcome.rows).toMatchObject([{ result: 'created', uuid: fresh }])
    expect(await faultsOf(ada, path, 'id,name\n987654,x\n')).toEqual([
      '2 id: there is no asset 987654; leave the cell empty to make one',
    ])
    await ada.create('farm_asset', cow)
    const twice = await faultsOf(ada, `${path}&match=name`, `name\nCow ${word}\n`)
    expect(twice).toEqual([expect.stringContaining('several records')])
    expect((await sendSheet(ada, '/log?type=farm_activity&match=name', 'name\nx\n')).status).toBe(400)
    const same = await faultsOf(ada, path, `id,name\n${id},a\n${id},b\n`)
    expect(same).toEqual([expect.stringContaining('same record as row 2')])
  })

  test('empty cells leave what is there, or clear it; what says nothing new writes nothing', async () => {
    const id = await ada.create('log', {
      ...{ name: 'Full', type: 'farm_activity', timestamp: 1_600_000_000, notes: 'Kept' },
      movement: { area: [{ name: 'North' }], geometry: 'POINT (7 51)' },
      quantity: [{ measure: 'weight', value: '5', unit: { name: 'kg' } }],
    })
    const read = () => ada.read(`/log/${id}.json`)
    const before = await read()
    const sheet = `id,name,notes,movement.area,movement.geometry,quantity.value\n${id},Full,,,,\n`
    expect(results(await taken(ada, '/log', sheet))).toEqual(['unchanged'])
    expect(await read()).toEqual(before)
    expect((await ada.read(`/log/${id}/history.json`)).revisions).toHaveLength(1)
    await taken(ada, '/log', `id,movement.area,quantity.value\n${id},South,6\n`)
    expect(await read()).toMatchObject({
      movement: { area: [{ name: 'South' }], geometry: 'POINT (7 51)' },
      quantity: [{ measure: 'weight', value: '6', unit: { name: 'kg' } }],
    })
    await taken(ada, '/log?empty=clear', `id,notes,movement.geometry,quantity\n${id},,,\n`)
    expect(await read()).toMatchObject({
      ...{ name: 'Full', notes: [], quantity: [] },
      movement: { area: [{ name: 'South' }], geometry: null },
    })
    const emptied = await faultsOf(ada, '/log?empty=clear', `id,name\n${id},\n`)
    expect(emptied).toEqual(['2 name: is required and cannot be emptied'])
  })

  test('two people edit one list: who comes second is told, and may overwrite', async () => {
    const word = randomUUID().slice(0, 8)
    await taken(ada, '/farm_asset?type=group', `name\nOne ${word}\nTwo ${word}\n`)
    const sheet = (await ada.get(`/farm_asset.csv?name[ct]=${word}&fields=name`)).text
    const first = await taken(ada, '/farm_asset', sheet.replace(`One ${word}`, `Uno ${word}`))
    expect(results(first)).toEqual(['changed', 'unchanged'])
    const late = sheet.replace(`One ${word}`, `Eins ${word}`).replace(`Two ${word}`, `Zwei ${word}`)
    expect(await faultsOf(ada, '/farm_asset', late)).toEqual([
      expect.stringMatching(/^2 version: asset \d+ has changed since/),
    ])
    expect(await ada.ids(`/farm_asset.json?name=Zwei ${word}`)).toEqual([])
    expect(results(await taken(ada, '/farm_asset?on_fault=skip', late))).toEqual(['fault', 'changed'])
    expect(results(await taken(ada, '/farm_asset?overwrite=1', late))).toEqual(['changed', 'unchanged'])
  })
})

describe('a sheet with faults', () => {
  const rows = ['good,2024-01-01,,yes', ',2024-01-01,"[{""measure"": ""mass""}]",maybe', 'bad,,,no']
  const sheet = `name,timestamp,quantity,done\n${rows.join('\n')}\n`

  test('changes nothing, and tells all of them with row, column, value and what is allowed', async () => {
    const name = randomUUID()
    const answer = await sendSheet(ada, '/log?type=farm_harvest', sheet.replace('good', name))
    expect([answer.status, answer.body.type]).toEqual([422, 'urn:furrow:refusal:invalid-content'])
    expect(answer.body.counts).toEqual({ faults: 4, not_told: 0 })
    expect(answer.body.rows).toMatchObject([
      {
        row: 3,
        faults: [
          { column: 'done', value: 'maybe', allowed: ['yes', 'no'] },
          { column: 'quantity', allowed: expect.arrayContaining(['weight']) },
          { column: 'name', value: '', message: 'is required' },
        ],
      },
      { row: 4, faults: [{ column: 'timestamp', message: 'is required' }] },
    ])
    expect(answer.body.errors[0].field).toBe('row 3, column "done"')
    expect(await ada.ids(`/log.json?name=${name}`)).toEqual([])
  })

  test('is taken without them where that is wanted, also where they are found only in writing', async () => {
    const path = '/log?type=farm_harvest&done=1'
    const outcome = await taken(ada, `${path}&on_fault=skip`, sheet)
    expect(outcome.counts).toEqual({ created: 1, changed: 0, unchanged: 0, fault: 2, done: 1, planned: 0 })
    const word = randomUUID().slice(0, 8)
    const cells = [`a ${word},2024-01-01,`, `b ${word},2024-01-01,/file/987654/photo.png`, `c ${word},2024-01-01,`]
    const files = `name,timestamp,files\n${cells.join('\n')}\n`
    expect(await faultsOf(ada, path, files)).toEqual([expect.stringMatching(/^3 files: /)])
    expect(results(await taken(ada, `${path}&on_fault=skip`, files))).toEqual(['created', 'fault', 'created'])
    expect(await ada.ids(`/log.json?name[ct]=${word}`)).toHaveLength(2)
  })

  test('tells a thousand, and counts the rest', async () => {
    const { body } = await sendSheet(ada, '/log?type=farm_activity', `name,timestamp\n${'x,never\n'.repeat(1_200)}`)
    expect(body.counts).toEqual({ faults: 1_200, not_told: 200 })
    expect([body.errors.length, body.rows.length]).toEqual([1_000, 1_000])
  })

  test('a dry run says what would be, and keeps nothing', async () => {
    const name = randomUUID()
    const log = `name,timestamp,log_category\n${name},2024-01-01,New ${name}\n`
    const answer = await sendSheet(ada, '/log?type=farm_activity&dry_run=1', log)
    expect([answer.status, answer.headers.get('dry-run')]).toEqual([200, '1'])
    expect(answer.body).toMatchObject({
      counts: { created: 1 },
      rows: [{ row: 2, result: 'created' }],
      would_create: [{ name: `New ${name}` }],
    })
    expect(answer.body.rows[0].id).toBeUndefined()
    expect(await ada.ids(`/log.json?name=${name}`)).toEqual([])
    expect((await sendSheet(ada, '/log?dry_run=yes', 'name\nx')).status).toBe(400)
  })

  test.each(
    shareOfThisEngine([
      ...['typ=farm_activity', 'match=email', 'decimal=x', 'sep=pipe', 'empty=1', 'head_row=0'],
      ...['rows=name', 'map=x', 'type=cow'],
    ]),
  )('an option %s that makes no sense is refused by name', async (query) => {
    const answer = await sendSheet(ada, `/log?${query}`, 'name\nx\n')
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, query.split('=')[0]])
  })

  test('the same with an Idempotency-Key is taken once, and nobody sends one who may not write', async () => {
    const headers = { 'content-type': 'text/csv', 'idempotency-key': randomUUID() }
    const body = `name\nOnce ${randomUUID()}\n`
    const first = await ada.send('POST', '/farm_asset?type=group', { headers, body })
    const again = await ada.send('POST', '/farm_asset?type=group', { headers, body })
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true'])
    expect((await sendSheet(await farm.login('viewer'), '/farm_asset?type=group', body)).status).toBe(403)
    expect((await sendSheet(farm.anonymous, '/farm_asset?type=group', body)).status).toBe(403)
  })
})

describe('whatever is no sheet', () => {
  const broken = Buffer.concat([Buffer.from('\uFEFFname\n'), Buffer.from([0xff, 0xfe])])
  const hostile: readonly (readonly [string, Uint8Array | string, number])[] = [
    ['nothing', '', 400],
    ['blank lines', '\n\n,,,\n', 400],
    ['a lone quote', 'name\n"x', 400],
    ['a quote in the middle', 'name\nx"y"\n', 400],
    ['something behind a quote', 'name\n"x"y\n', 400],
    ['a huge cell', `name\n${'x'.repeat(1_100_000)}`, 413],
    ['a million columns', ','.repeat(1_000_000), 413],
    ['too many rows', `name\n${'x\n'.repeat(20_001)}`, 413],
    ['NUL', 'name\na\0b\n', 422],
    ['NUL in names of others', 'name,asset,area,unknown\na,b\0,c\0,d\0\n', 422],
    ['broken UTF-8 that says it is', broken, 400],
    ['a workbook', Buffer.from('PK\x03\x04\x14\0[Content_Types].xml'), 400],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), 422],
    ['JSON', '{"name": "x"}', 400],
    ['two headers alike', 'name,Name\nx,y\n', 422],
    ['cells under no header', 'name,\nx,y\n', 422],
    ['deep JSON', `name,quantity\nx,"${'['.repeat(5_000)}"\n`, 422],
    ['a prototype', 'name,__proto__,constructor\nx,y,z\n', 422],
    ['many semicolons', `name,flags\nx,"${'a;'.repeat(50_000)}"\n`, 422],
    ['one long number', `name,quantity.value\nx,${'1'.repeat(100_000)}\n`, 422],
  ]

  test.each(shareOfThisEngine(hostile))('%s is refused, and changes nothing', async (_, sheet, status) => {
    const before = (await ada.read('/changes')).next
    const answer = await sendSheet(ada, '/log?type=farm_activity', sheet)
    expect(answer.status, answer.text.slice(0, 500)).toBe(status)
    expect((await ada.read(`/changes?since=${before}`)).changes).toEqual([])
  })
})
