import { beforeAll, describe, expect, it } from 'vitest'
import { Workbook } from '../../src/formats/xlsx/read-xlsx.ts'
import { entriesOfZip, unpacked } from '../../src/formats/zip/read-zip.ts'
import { limits } from '../../src/limits.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { administrator } from '../access/flow.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { withOrigin } from '../harness/jpeg-origin.ts'

const now = Date.parse('2026-06-16T10:00:00Z') / 1000
const day = 86_400
const square = 'POLYGON ((7 51, 7.0014 51, 7.0014 51.0009, 7 51.0009, 7 51))'
const plainJpeg = Buffer.from('ffd8ffdb00040102ffda000401020304ffd9', 'hex')
const photo = withOrigin(plainJpeg, { taken: '2026:05:14 08:12:00', latitude: [50, 1, 2, 'N'] })

let farm: FarmUnderTest
let client: Client
let shown: Json

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(now)
  await farm.installation.database.write(async (tx) => {
    await writeFarmSetting(tx, 'paper_address', 'Hill <1>')
    await writeFarmSetting(tx, 'certifier', 'Bio Control')
  })
  client = await farm.login('worker')
  const field = await client.create('taxonomy_term', {
    ...{ name: 'North', vocabulary: 'farm_areas', area_type: 'field', geofield: [{ geom: square }] },
  })
  const cow = await client.create('farm_asset', { name: 'Rosa', type: 'animal', animal_type: { name: 'Cattle' } })
  const log = (type: string, fields: Json) =>
    client.create('log', { name: type, type, timestamp: now - day, done: 1, ...fields })
  await log('farm_medical', {
    ...{ asset: [{ id: cow }], vet: 'Dr. Wolf', images: [`data:image/jpeg;base64,${photo.toString('base64')}`] },
    quantity: [{ measure: 'volume', value: '5', unit: { name: 'ml' }, label: 'Penicillin' }],
  })
  await log('farm_input', {
    ...{ area: [{ id: field }], material: [{ name: 'Lime' }] },
    quantity: [{ measure: 'weight', value: '500', unit: { name: 'kg' } }],
  })
  await log('farm_observation', { images: [`data:image/jpeg;base64,${plainJpeg.toString('base64')}`] })
  shown = await client.read('/reports/inspection.json')
})

async function archive(query: string): Promise<ReadonlyMap<string, Buffer>> {
  const response = await client.stream(`/reports/inspection.zip?${query}`, {})
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const bytes = Buffer.from(await response.arrayBuffer())
  const files = new Map<string, Buffer>()
  for (const entry of entriesOfZip(bytes)) files.set(entry.name, await unpacked(bytes, entry, 1e7))
  return files
}

describe('everything for an inspector', () => {
  it('offers the photos of its logs, none of them chosen', () => {
    expect(shown.photos).toMatchObject([{ name: 'farm_medical', day: '2026-06-15', chosen: false }])
  })

  it('is a ZIP of print pages, sheets, a map, and the chosen photos without their places and times', async () => {
    const [{ id }] = shown.photos
    const files = await archive(`photos=${id}&people=1&language=de`)
    const registers = shown.registers.map(({ report }: Json) => report)
    expect([...files.keys()].toSorted()).toEqual(
      [
        'inspection.html',
        'map.svg',
        `photos/${id}.jpg`,
        ...registers.flatMap((name: string) => [`print/${name}.html`, `sheets/${name}.xlsx`]),
      ].toSorted(),
    )
    expect(files.get(`photos/${id}.jpg`)?.equals(plainJpeg)).toBe(true)
    const page = String(files.get('inspection.html'))
    for (const words of ['Hill &lt;1&gt;', 'Bio Control', 'Arzneimittel', 'Dr. Wolf', `photos/${id}.jpg`, '<svg'])
      expect(page).toContain(words)
    expect(String(files.get('map.svg'))).toContain('North')
    const book = await client.read('/reports/medicine-book.json?language=de')
    const workbook = await Workbook.open(files.get('sheets/medicine-book.xlsx') ?? Buffer.alloc(0), 1_048_576)
    const [sheet] = workbook.sheets
    const [heads, row] = sheet === undefined ? [] : await workbook.rows(sheet, limits.sheet)
    expect(heads?.cells).toEqual(book.columns.map(({ label }: Json) => label))
    expect(row?.cells).toContain('Penicillin')
  })

  it('names people in the ZIP only if that is said', async () => {
    const pages = [...(await archive('')).values()].join('\n')
    expect(pages).toContain('Penicillin')
    expect(pages).not.toContain('Dr. Wolf')
  })

  it('keeps the chosen photos in its link, and only those', async () => {
    const manager = await administrator(farm)
    const [{ id }] = shown.photos
    const shared = async (query: string) => {
      const { body } = await manager.post('/administer/report-links.json', { report: 'inspection', query })
      return (await client.post('/shared-report.json', { key: body.link.split('#')[1] })).body.document.report
    }
    expect((await shared('')).photos).toEqual([])
    const data = `data:image/jpeg;base64,${plainJpeg.toString('base64')}`
    expect((await shared(`photos=${id}`)).photos).toMatchObject([{ id, chosen: true, data }])
  })

  it.each([
    ['photos=999', 'no log of these registers has a photo 999'],
    ['photos=one', 'is not the number of a file'],
    ['people=perhaps', 'is neither yes nor no'],
  ])('refuses %s by name', async (query, words) => {
    const { status, text } = await client.get(`/reports/inspection.zip?${query}`)
    expect([status, text]).toEqual([400, expect.stringContaining(words)])
  })
})
