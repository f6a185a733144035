import { beforeAll, describe, expect, test } from 'vitest'
import { fileFormats } from '../../src/formats/file-formats.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { archiveOf, asSheets } from '../harness/workbook.ts'
import { faultsOf, taken } from './sheet-client.ts'

let ada: Client

beforeAll(async () => {
  const farm = await openFarm()
  await farm.installation.database.write(async (tx) => {
    await writeFarmSetting(tx, 'timezone', 'Europe/Berlin')
    await writeFarmSetting(tx, 'language', 'de')
  })
  ada = await farm.login('worker')
})

/** Day, name, area and amount of each log. */
const logsOf = async (outcome: Json): Promise<string[]> => {
  const logs: Json[] = await Promise.all(outcome.rows.map(({ id }: Json) => ada.read(`/log/${id}.json`)))
  return logs.map(({ timestamp, name, area, quantity: [{ value, unit }] }) =>
    [
      new Date(Number(timestamp) * 1000).toISOString().slice(0, 10),
      name,
      area[0]?.name ?? '-',
      `${value} ${unit?.name ?? ''}`.trim(),
    ].join(', '),
  )
}

const harvests = '/log?type=farm_harvest'

describe('a grid becomes rows', () => {
  test('of crops down and days across, with its sums left out', async () => {
    const book = [
      'Ernte 2024 in kg;;;;',
      'Beet;Kultur;03.06.2024;10.06.2024;17.06.2024;Summe',
      'Beet 1;Salat;12,5;;8;20,5',
      ';Spinat;0;3;-;3',
      'Summe;;12,5;3;8;23,5',
    ].join('\n')
    const outcome = await taken(ada, harvests, book)
    expect(await logsOf(outcome)).toEqual([
      '2024-06-03, Ernte Salat, Beet 1, 12.5 kg',
      '2024-06-17, Ernte Salat, Beet 1, 8 kg',
      '2024-06-10, Ernte Spinat, Beet 1, 3 kg',
    ])
    expect(outcome.found.notes).toContainEqual({ what: 'grid', count: 3, rows: [2] })
    expect(outcome.rows.map(({ row, place }: Json) => [row, place])).toEqual([
      [3, 'C3'],
      [4, 'E3'],
      [5, 'D4'],
    ])
  })

  test('of months across, whose year is asked for once', async () => {
    const book = 'Crop,Unit,Jan,Feb,March,Total\nLeek,kg,4,,6,10\nKale,bunch,,7,,7\n'
    expect(await faultsOf(ada, harvests, book)).toEqual([expect.stringContaining('2 Date: has no year')])
    expect(await logsOf(await taken(ada, `${harvests}&year=2023`, book))).toEqual([
      '2023-01-15, Ernte Leek, -, 4 kg',
      '2023-03-15, Ernte Leek, -, 6 kg',
      '2023-02-15, Ernte Kale, -, 7 bunch',
    ])
  })

  test('of days down and crops across, with units in the headers', async () => {
    const book = 'Fecha;Tomate (kg);Pepino (piezas);Notas\n01/07/2023;12,5;30;sol\n15/07/2023;8;;\n'
    expect(await logsOf(await taken(ada, harvests, book))).toEqual([
      '2023-07-01, Ernte Tomate, -, 12.5 kg',
      '2023-07-01, Ernte Pepino, -, 30 piezas',
      '2023-07-15, Ernte Tomate, -, 8 kg',
    ])
  })

  test('of calendar weeks across', async () => {
    const book = 'Erntemengen 2022 (kg);;;\nKultur;KW 23;KW 24;KW 25\nBohnen;5;6;\n'
    expect(await logsOf(await taken(ada, harvests, book))).toEqual([
      '2022-06-09, Ernte Bohnen, -, 5 kg',
      '2022-06-16, Ernte Bohnen, -, 6 kg',
    ])
  })
})

describe('sheets of one workbook', () => {
  const send = (path: string, sheets: Readonly<Record<string, readonly (readonly string[])[]>>) =>
    ada.send('POST', path, {
      headers: { 'content-type': fileFormats.xlsx.mediaType },
      body: archiveOf(asSheets(sheets)),
    })

  test('named by months are read together, and give their month to days that are numbers alone', async () => {
    const head = ['Tag', 'Kultur', 'Menge', 'Einheit']
    const answer = await send(harvests, {
      'Mai 2021': [head, ['3', 'Lauch', '5', 'kg'], ['', 'Kohl', '6', 'kg'], ['Summe', '', '11', '']],
      'Juni 2021': [['Erntebuch'], head, ['12.', 'Lauch', '7', 'kg']],
      Adressen: [
        ['Kunde', 'Ort'],
        ['Huber', 'Wald'],
      ],
    })
    expect(answer.status, answer.text.slice(0, 1500)).toBe(200)
    expect(answer.body.found).toMatchObject({ together: true, alike: ['Mai 2021', 'Juni 2021'] })
    expect(await logsOf(answer.body)).toEqual([
      '2021-05-03, Ernte Lauch, -, 5 kg',
      '2021-05-03, Ernte Kohl, -, 6 kg',
      '2021-06-12, Ernte Lauch, -, 7 kg',
    ])
    expect(answer.body.rows[2].place).toBe('Juni 2021 A3')
  })

  test('with other names are offered together', async () => {
    const sheets = {
      Nord: [
        ['Datum', 'Kultur', 'Menge'],
        ['2021-08-01', 'Mangold', '5 kg'],
      ],
      Süd: [
        ['Datum', 'Kultur', 'Menge'],
        ['2021-08-02', 'Mangold', '6 kg'],
      ],
    }
    const alone = await send(`${harvests}&dry_run=1`, sheets)
    expect(alone.body.counts.created).toBe(1)
    expect(alone.body.found.alike).toEqual(['Nord', 'Süd'])
    expect((await send(`${harvests}&dry_run=1&sheet=*`, sheets)).body.counts.created).toBe(2)
  })
})

describe('columns that no header explains', () => {
  test('are guessed by their cells: days, units, names that the farm knows', async () => {
    await ada.create('taxonomy_term', { name: 'Hang', vocabulary: 'farm_areas' })
    const book = 'Wann denn;Kultur;Stelle;Zahl;Maß\n03.06.2020;Rübe;Hang;12;kg\n04.06.2020;Rübe;Hang;13;kg\n'
    const outcome = await taken(ada, harvests, book)
    expect(outcome.found.columns.map(({ field, because }: Json) => `${field} ${because}`)).toEqual([
      'timestamp content',
      'crop synonym',
      'area content',
      'quantity.value content',
      'quantity.unit content',
    ])
    expect(await logsOf(outcome)).toContain('2020-06-04, Ernte Rübe, Hang, 13 kg')
  })

  test('are all columns of a book without headers', async () => {
    const book = '03.06.2019;Rübe;12,5 kg\n04.06.2019;Möhre;13 kg\n'
    const outcome = await taken(ada, harvests, book)
    expect(outcome.found.head_row).toBe(0)
    expect(await logsOf(outcome)).toEqual(['2019-06-03, Ernte Rübe, -, 12.5 kg', '2019-06-04, Ernte Möhre, -, 13 kg'])
  })
})
