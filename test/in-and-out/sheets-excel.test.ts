import { beforeAll, expect, test } from 'vitest'
import { fileFormats } from '../../src/formats/file-formats.ts'
import { Workbook } from '../../src/formats/xlsx/read-xlsx.ts'
import { limits } from '../../src/limits.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Answer, Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { archiveOf, asExcel } from '../harness/workbook.ts'
import { results } from './sheet-client.ts'

let farm: FarmUnderTest
let ada: Client

beforeAll(async () => {
  farm = await openFarm()
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
  ada = await farm.login('worker')
})

const sendWorkbook = (path: string, body: Uint8Array): Promise<Answer> =>
  ada.send('POST', path, { headers: { 'content-type': fileFormats.xlsx.mediaType }, body })

const text = (words: string) => `<c t="inlineStr"><is><t>${words}</t></is></c>`
const headed = (headers: readonly string[], ...rows: readonly string[]) =>
  [headers.map(text).join(''), ...rows].map((cells) => `<row>${cells}</row>`).join('')

async function fetched(path: string): Promise<Buffer> {
  const response = await ada.stream(path, {})
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(fileFormats.xlsx.mediaType)
  return Buffer.from(await response.arrayBuffer())
}

test('a workbook makes records of typed cells, beside which a text may have a decimal comma', async () => {
  const rows = headed(
    ['name', 'timestamp', 'quantity', 'lot_number'],
    `${text('Kale')}<c s="2"><v>45778.354166666664</v></c><c><v>1.234</v></c>${text('007')}`,
    `${text('Beans')}<c s="1"><v>45779</v></c>${text('12,5 kg')}<c><v>12</v></c>`,
  )
  const answer = await sendWorkbook('/log?type=farm_harvest', archiveOf(asExcel(rows)))
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.found).toMatchObject({ format: 'xlsx', sheet: 'Tabelle1', sheets: ['Tabelle1'], left_out: [] })
  const [kale, beans] = await Promise.all(answer.body.rows.map(({ id }: Json) => ada.read(`/log/${id}.json`)))
  expect(kale).toMatchObject({
    timestamp: String(Date.parse('2025-05-01T08:30:00+02:00') / 1000),
    quantity: [{ value: '1.234' }],
    lot_number: '007',
  })
  expect(beans).toMatchObject({ quantity: [{ value: '12.5', unit: { name: 'kg' } }], lot_number: '12' })
})

test('a list as a workbook, sent back, says unchanged in every row', async () => {
  const second = Date.parse('2025-10-26T02:30:00+01:00') / 1000
  const log = {
    type: 'farm_harvest',
    name: '=1+1',
    timestamp: second,
    done: 1,
    quantity: [{ measure: 'weight', value: '12.50', unit: { name: 'kg' } }],
    lot_number: '0012',
    notes: "'quoted\nlines",
  }
  await ada.create('log', log)
  for (const rows of ['', '&rows=quantity']) {
    const book = await fetched(`/log.xlsx?type=farm_harvest${rows}`)
    const answer = await sendWorkbook(`/log?type=farm_harvest${rows}`, book)
    expect(answer.status, answer.text.slice(0, 1000)).toBe(200)
    expect(new Set(results(answer.body))).toEqual(new Set(['unchanged']))
  }
})

test('an empty workbook to fill in explains its columns in the language that is asked for, and offers words', async () => {
  const book = await fetched('/sheets/log/farm_harvest.xlsx?language=de')
  const workbook = await Workbook.open(book, limits.sheet.unpackedBytes)
  const [empty, guide] = workbook.sheets
  expect(guide?.name).toBe('Spalten')
  const head = await workbook.rows(empty as never, limits.sheet)
  expect(head[0]?.cells).toContain('quantity.measure')
  const explained = await workbook.rows(guide as never, limits.sheet)
  expect(explained.find(({ cells }) => cells[0] === 'quantity.measure')?.cells[3]).toBe('Anzahl')
})

test('reports and short lists come as workbooks', async () => {
  for (const path of ['/reports/harvest.xlsx?from=2025-01-01&to=2025-12-31', '/taxonomy_vocabulary.xlsx']) {
    const workbook = await Workbook.open(await fetched(path), limits.sheet.unpackedBytes)
    const [sheet] = workbook.sheets
    expect((await workbook.rows(sheet as never, limits.sheet)).length, path).toBeGreaterThan(1)
  }
})

test.each([
  ['a formula without a result', `${text('x')}<c><f>1+1</f></c>`, 'is a formula whose result was not saved'],
  ['an error', `${text('x')}<c t="e"><v>#REF!</v></c>`, 'is an error of the spreadsheet'],
  ['a number that is no day', `${text('x')}<c s="1"><v>-4</v></c>`, 'stands for no day'],
  ['a tag that lost its digits', '<c><v>2.7600012345678901E+17</v></c>', 'has lost digits'],
])('%s is a fault in its cell', async (_, cells, message) => {
  const body = archiveOf(asExcel(headed(['name', 'timestamp'], cells)))
  const answer = await sendWorkbook('/log?type=farm_activity', body)
  expect(answer.status).toBe(422)
  expect(JSON.stringify(answer.body.rows)).toContain(message)
})

test('a sheet is chosen by name or number, and a wrong one is answered with those that there are', async () => {
  const body = archiveOf(asExcel(headed(['name'], text('One'))))
  for (const sheet of ['tabelle1', '1'])
    expect((await sendWorkbook(`/farm_asset?type=group&dry_run=1&sheet=${sheet}`, body)).status).toBe(200)
  const answer = await sendWorkbook('/farm_asset?type=group&sheet=2', body)
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Tabelle1')])
})

test('a cell is read as the sender puts it right', async () => {
  const body = archiveOf(asExcel(headed(['name', 'timestamp'], `${text('Kale')}${text('gestern')}`)))
  const answer = await sendWorkbook('/log?type=farm_activity&dry_run=1&cell[2][2]=2025-05-01', body)
  expect(answer.status).toBe(200)
  expect(answer.body.shown).toEqual([
    { row: 1, cells: ['name', 'timestamp'] },
    { row: 2, cells: ['Kale', '2025-05-01'] },
  ])
})

test.each([
  ['.xls', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'save it as Excel workbook (.xlsx)'],
  ['a text', Buffer.from('name\nKale\n'), 'zip archive'],
])('%s is refused in words that say what to do', async (_, body, message) => {
  const answer = await sendWorkbook('/farm_asset?type=group', body)
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)])
})
