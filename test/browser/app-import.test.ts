import { expect, test } from 'vitest'
import { expectAccessible, expectNoOverflow } from '../harness/accessibility.ts'
import { keptByWorker, openDevice } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { plantSmallFarm } from './app-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
await plantSmallFarm(manager)
const device = await openDevice(farm)
await device.logIn(manager.login)
const page = await device.openLoaded()

const button = (name: string | RegExp) => page.getByRole('button', { name })
const column = (name: RegExp) => page.getByRole('combobox', { name })
const file = (name: string, content: string | Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) })
const harvests = async () => {
  const { body } = await manager.get('/log.json?type=farm_harvest&sort=name')
  return body.list.map(({ name }: { name: string }) => name)
}

/** As a German spreadsheet writes it: Windows-1252, semicolons, decimal commas. */
const german = Buffer.from(
  'Datum;Name;Menge;Beet;Notess\r\n01.05.2024;Grünkohl;12,5 kg;Hill;schön\r\n40.05.2024;Bohnen;3 kg;;\r\n03.05.2024;Lauch;"1,5 kg";;"a;b"\r\n',
  'latin1',
)

test('a sheet: columns assigned, a cell mended, imported once although the answer was lost, and undone', async () => {
  await device.begin(page, '/more')
  await page.getByRole('link', { name: /^Import/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
  await expectAccessible(page, 'import')
  await file('ernte.csv', german)
  await page.getByLabel('Each row is').selectOption({ label: 'Harvest' })
  await button('Check').click()
  await page.getByRole('heading', { name: 'What does this column stand for?' }).waitFor()
  await expectAccessible(page, 'import: columns')
  await button('Perhaps Notes').click()
  await button('Check again').click()
  await page.getByText('2 new · 1 refused').waitFor()
  const wrong = page.getByRole('textbox', { name: 'Datum, row 3' })
  expect(await wrong.inputValue()).toBe('40.05.2024')
  expect(await wrong.getAttribute('aria-describedby')).not.toBeNull()
  await page.getByRole('cell', { name: '40.05.2024' }).getByText('is not a day').waitFor()
  await expectAccessible(page, 'import: problems')
  await wrong.fill('2.5.2024')
  await button('Check again').click()
  await page.getByText('3 new', { exact: true }).waitFor()
  device.line.fate = ({ url = '' }) => (url.startsWith('/log?') && !url.includes('dry_run') ? 'lost' : 'pass')
  await button('Import 3 records').click()
  await page.getByText('No answer came.').waitFor()
  device.line.mend()
  await button('Import 3 records').click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  expect(await harvests()).toEqual(['Bohnen', 'Grünkohl', 'Lauch'])
  const { body } = await manager.get('/log.json?name=Lauch')
  expect(body.list[0]).toMatchObject({ notes: { value: 'a;b' }, quantity: [{ value: '1.5', unit: { name: 'kg' } }] })
  await expectAccessible(page, 'import: done')
  await button('Undo').click()
  await page.getByText('Taken back.').waitFor()
  expect(await harvests()).toEqual([])
  expect(device.complaints).toEqual([])
})

test('done or planned: counted, turned by a tap, and asked once where the sheet speaks of a plan', async () => {
  await device.begin(page, '/import')
  await file('ernte.csv', 'Name,Timestamp,Quantity\nKale,2024-05-01,2 kg\nLeek,2099-05-01,3 kg\n')
  await page.getByLabel('Each row is').selectOption({ label: 'Harvest' })
  await button('Check').click()
  await page.getByText('1 done · 1 planned').waitFor()
  await expectAccessible(page, 'import: done or planned')
  await button('All planned').click()
  await page.getByText('0 done · 2 planned').waitFor()
  await button('Each by its day').click()
  await page.getByText('1 done · 1 planned').waitFor()
  await button('Change').click()
  await file('plan.csv', 'Name,Timestamp,Planned\nKale,2024-05-01,2 kg\n')
  await button('Check').click()
  await page.getByText('The sheet says “Planned”. Are these logs planned, or were they done?').waitFor()
  await button('All planned').click()
  await page.getByText('0 done · 1 planned').waitFor()
  expect(device.complaints).toEqual([])
})

test('amount and unit in two columns are one quantity, and a column that is still unclear says why', async () => {
  await device.begin(page, '/import')
  await file('ernte.csv', 'Name;Timestamp;Menge;Spalte 4\nKale;2024-05-01;12,5;Kübel\n')
  await page.getByLabel('Each row is').selectOption({ label: 'Harvest' })
  await button('Check').click()
  await column(/^Spalte 4/).selectOption({ label: 'Quantity' })
  await button('Check again').click()
  await page.getByText('stands for quantity, and so does "Menge"').waitFor()
  await column(/^Spalte 4/).selectOption({ label: 'Quantity: Unit' })
  await button('Check again').click()
  await page.getByText('1 new', { exact: true }).waitFor()
  expect(device.complaints).toEqual([])
})

test('a question of the farm is answered by a tap, and the right rows are imported without the wrong ones', async () => {
  await device.begin(page, '/import')
  await page
    .getByLabel('Or paste cells')
    .fill('Name\tTimestamp\tQuantity: Value\nKale\t03/04/2024\t1.234 crates\nLeek\tsoon\t2 crates\n')
  await page.getByLabel('Each row is').selectOption({ label: 'Harvest' })
  await button('Use this text').click()
  await button('Check').click()
  await button('Month first').click()
  await button('1.234,5').click()
  await page.getByText('1 new · 1 refused').waitFor()
  await page.getByText('Also made, because it names them: crates.').waitFor()
  await button('Import the 1 that is right').click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  const { body } = await manager.get('/log.json?name=Kale')
  expect(body.list).toMatchObject([
    { timestamp: String(Date.UTC(2024, 2, 4, 12) / 1000), quantity: [{ value: '1234' }] },
  ])
  await page.getByRole('link', { name: 'Show the records' }).click()
  await expect.poll(() => page.url()).toContain('/app/records?of=logs&type=farm_harvest')
  expect(device.complaints).toEqual([])
})

const kml = (at: string) => `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><name>River block</name><Placemark><name>Long meadow</name>
<ExtendedData><Data name="use"><value>paddock</value></Data></ExtendedData><Point><coordinates>${at}</coordinates></Point>
</Placemark></Folder></Document></kml>`

test('a map becomes areas, once it is clear where they lie', async () => {
  await device.begin(page, '/import')
  await file('drone.kml', kml('50.01,7.01'))
  await button('Check').click()
  await page.getByText('more than 100 km from every area of the farm, at longitude and latitude 50.01 7.01').waitFor()
  await button('Change').click()
  await file('drone.kml', kml('7.01,50.01'))
  await button('Check').click()
  await page.getByText('2 new', { exact: true }).waitFor()
  await page.getByText('Left out: property use (1)').waitFor()
  await page.getByText('How it is read').click()
  await page.getByLabel('Property with the type').selectOption('use')
  await button('Check again').click()
  await expectAccessible(page, 'import: map')
  await button('Import 2 records').click()
  await page.getByRole('link', { name: 'Show the records' }).click()
  await page.getByRole('link', { name: /Long meadow/ }).waitFor()
  const { body } = await manager.get('/taxonomy_term.json?name=Long%20meadow')
  expect(body.list).toMatchObject([{ area_type: 'paddock', parent: [{ name: 'River block' }] }])
  expect(device.complaints).toEqual([])
})

test('a map whose features are not all right is taken without the wrong ones, and one with nothing in it says so', async () => {
  await device.begin(page, '/import')
  const features = [
    { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [7.01, 50.01] } },
    { type: 'Feature', properties: { area_type: 'moon' }, geometry: { type: 'Point', coordinates: [7.02, 50.01] } },
  ]
  await file('map.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
  await button('Check').click()
  await page.getByText('1 new · 1 refused').waitFor()
  await page.getByText('new · named by the farm').waitFor()
  await page.getByText(/^refused · area_type: /).waitFor()
  await expectAccessible(page, 'import: map with problems')
  await button('Import the 1 that is right').click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  await button('Import something else').click()
  await file('empty.geojson', '{"type": "FeatureCollection", "features": []}')
  await button('Check').click()
  await page.getByText('There is nothing in it that the farm can take.').waitFor()
  expect(device.complaints).toEqual([])
})

const square = (east: number, size = 0.001) => [
  [east, 50],
  [east + size, 50],
  [east + size, 50 + size],
  [east, 50 + size],
  [east, 50],
]

test('the preview of a map is a map: a tapped shape shows its row, and areas of the same name are updated', async () => {
  await manager.create('taxonomy_term', {
    name: 'Old orchard',
    vocabulary: 'farm_areas',
    area_type: 'field',
    geofield: 'POLYGON ((7.001 50, 7.002 50, 7.002 50.001, 7.001 50))',
  })
  await device.begin(page, '/import')
  const names = Array.from({ length: 24 }, (_, at) => (at === 22 ? 'Old orchard' : `Plot ${at}`))
  const features = names.map((name, at) => ({
    type: 'Feature',
    properties: { name, ...(at === 23 ? { area_type: 'moon' } : {}) },
    geometry: { type: 'Polygon', coordinates: [square(7 + at * 0.0012)] },
  }))
  await file('plots.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
  await button('Check').click()
  await page.getByText('23 new · 1 refused').waitFor()
  const map = page.getByRole('img', { name: 'The shapes of the file, over the areas of the farm' })
  const shapes = map.locator('[data-feature]')
  expect(await shapes.count()).toBe(24)
  const refused = map.locator('[data-feature="23"]')
  expect(await refused.getAttribute('stroke')).not.toBe(await shapes.first().getAttribute('stroke'))
  await expectAccessible(page, 'import: map of the preview')
  await expectNoOverflow(page, 'import: map of the preview')
  expect(await page.getByText('Plot 21').count()).toBe(1)
  const rows = page.locator('main li.row bdi')
  expect(await rows.allTextContents()).not.toContain('Plot 21')
  await map.locator('[data-feature="21"]').click()
  await page.locator('bdi:focus', { hasText: 'Plot 21' }).waitFor()
  expect(await rows.first().textContent()).toBe('Plot 21')
  await page.getByText('1 would be a second area of its name.').waitFor()
  await button('Update these areas').click()
  await page.getByText('22 new · 1 changed · 1 refused').waitFor()
  await button('Make new areas instead').click()
  await page.getByText('23 new · 1 refused').waitFor()
  await button('Update these areas').click()
  await button('Import the 23 that are right').click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  const { body } = await manager.get('/taxonomy_term.json?name=Old%20orchard')
  expect(body.list).toMatchObject([
    { name: 'Old orchard', area_type: 'field', geofield: [{ geom: expect.stringContaining('50.001') }] },
  ])
  await button('Undo').click()
  await page.getByText('Taken back.').waitFor()
  expect(device.complaints).toEqual([])
})

test('what is no sheet and no map gets a sentence that says what to do, and so does a place without signal', async () => {
  await device.begin(page, '/import')
  for (const [name, content, words] of [
    ['herd.xls', '\xd0\xcf\x11\xe0\xa1\xb1', /workbook.*\.xlsx.*paste/],
    ['empty.csv', ' \n', /nothing in it/],
    ['photo.jpg', '\xff\xd8\xff\0', /neither a sheet .* nor a map/],
  ] as const) {
    await file(name, Buffer.from(content, 'latin1'))
    await page.getByRole('alert').getByText(words).waitFor()
  }
  await file('farm_harvest-2024.csv', 'name,"timestamp\n')
  expect(await page.getByLabel('Each row is').inputValue()).toBe('log/farm_harvest')
  await button('Check').click()
  await page.getByRole('alert').getByText('never closed').waitFor()
  await keptByWorker(page)
  await device.loseServer()
  await page.reload()
  await page.getByText('This needs signal: the farm itself looks at what you bring.').waitFor()
  await file('drone.kml', kml('7,50'))
  await button('Check').click()
  await page.getByRole('alert').getByText('This needs signal.').waitFor()
  await device.restoreSignal()
})

const many = rounds({ short: 1_200, long: 10_000 })

test(`${many} rows: the last one is shown with its problem, and so many are taken back here`, async () => {
  await device.begin(page, '/import')
  const rows = Array.from({ length: many }, (_, index) => `Row ${index},2024-05-01,${index === many - 1 ? 'no' : 1}`)
  await file('farm_observation.csv', `name,timestamp,quantity.value\n${rows.join('\n')}\n`)
  await button('Check').click()
  await page.getByRole('textbox', { name: `quantity.value, row ${many + 1}` }).fill('3')
  await expectNoOverflow(page, 'a long sheet')
  await button('Check again').click()
  await button(/^Import 1\d*,\d+ records/).click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  const lines = async () =>
    (await manager.get('/log.csv?type=farm_observation&fields=name')).text.trim().split('\n').length
  expect(await lines()).toBe(many + 1)
  await button('Undo').click()
  await page.getByText('Taken back.').waitFor({ timeout: rounds({ short: 60_000, long: 300_000 }) })
  expect(await lines()).toBe(1)
  expect(device.complaints).toEqual([])
})

test('a viewer is led to the export, not to the import, and is told whom to ask at its address', async () => {
  const viewer = await farm.login('viewer')
  const other = await openDevice(farm)
  await other.logIn(viewer.login)
  const on = await other.openLoaded('/more')
  expect(await on.getByRole('link', { name: /^Import/ }).count()).toBe(0)
  await on.getByRole('link', { name: /^Export/ }).click()
  await on.getByRole('heading', { level: 1, name: 'Export' }).waitFor()
  await expectAccessible(on, 'export')
  const links = await on.locator('main a[download]').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(links).toHaveLength(14)
  for (const link of links) expect((await viewer.get(link ?? '')).status, String(link)).toBe(200)
  await on.goto(`${other.line.base}/app/import`)
  await on.getByText('Ask one of its managers.').waitFor()
  expect(await on.locator('input[type=file]').count()).toBe(0)
  expect(other.complaints).toEqual([])
})
