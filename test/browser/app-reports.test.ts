import { expect, test } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { keptByWorker, openDevice } from '../harness/app.ts'
import type { Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { of, Season, weight } from '../reports/season.ts'

const farm = await openFarm({ engine: 'sqlite' })
await farm.installation.database.write((tx) => writeFarmSetting(tx, 'name', 'Hill Farm'))
const manager = await farm.login()
const now = Math.floor(Date.now() / 1000)
const day = 86_400
const season = new Season(manager)
const north = await season.area('North', 'POLYGON ((8 50, 8.001 50, 8.001 50.001, 8 50.001, 8 50))')
const carrots = await season.planting('Early carrots', 'Carrots')
const kale = await season.planting('Winter kale', 'Kale')
const rosa = await manager.create('farm_asset', { name: 'Rosa', type: 'animal', animal_type: { name: 'Cow' } })
await season.move(now - 5 * day, carrots, north)
const picked = [
  await season.harvest(now - 2 * day, { name: 'Picked a few', asset: of(carrots), quantity: [weight('33.5', 'kg')] }),
  await season.harvest(now - day, { name: 'Picked for Ann', asset: of(carrots), quantity: [weight('12', 'lb')] }),
]
await season.harvest(now - day, {
  name: 'Cut kale',
  asset: of(kale),
  area: of(north),
  lot_number: '',
  quantity: [{ measure: 'count', value: '40', unit: { name: 'bunch' } }],
})
const treat = { type: 'farm_medical', asset: of(rosa) }
await manager.create('log', {
  ...treat,
  name: 'Drenched Rosa',
  timestamp: now - day,
  done: 1,
  quantity: [{ measure: 'time', value: '9', unit: { name: 'days' }, label: 'withhold meat' }],
})
const device = await openDevice(farm)
await device.logIn(manager.login)
const page = await device.openLoaded()

/** The report is of a year: at its beginning it is of the days before, too. */
const lately = `from=${new Date((now - 30 * day) * 1000).toISOString().slice(0, 10)}`
const button = (name: string | RegExp) => page.getByRole('button', { name })
const heading = (name: string | RegExp, level = 1) => page.getByRole('heading', { level, name }).waitFor()

test('the harvest is reached from More, says what was converted and what has no lot, and each figure opens its logs', async () => {
  await device.begin(page, '/more')
  await page.getByRole('link', { name: /^Reports/ }).click()
  await heading('Reports')
  await expectAccessible(page, 'reports')
  await page.getByRole('link', { name: /^Harvest/ }).click()
  await heading('Harvest')
  await device.begin(page, `/reports/harvest?${lately}`)
  await page
    .getByRole('row', { name: /^Carrots/ })
    .getByText('12 lb counted as 5.443 kg')
    .first()
    .waitFor()
  await expectAccessible(page, 'harvest')
  await device.begin(page, `/reports/harvest?${lately}`)
  await page.locator('.banner').getByText('1 harvest has no lot.').waitFor()
  await page.getByRole('link', { name: 'Look at them before you print' }).click()
  await page.getByRole('link', { name: /Cut kale/ }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/app/records')
  await page.goBack()
  const figures = (await manager.read(`/reports/harvest.json?${lately}`)).lines.flatMap(figuresOf)
  expect(figures).not.toEqual([])
  for (const figure of figures) {
    await device.begin(page, `/reports/harvest?${lately}`)
    const asked = new URLSearchParams({ figure: figure.list.split('?')[1] })
    await page.locator(`a[href$="${asked}"]`).first().click()
    await expect.poll(() => page.locator('a.row[href*="/app/log/"]').count()).toBe(figure.count)
  }
  expect(device.complaints).toEqual([])
})

const figuresOf = ({ logs, amounts }: Json): readonly Json[] => [logs, ...amounts.map((one: Json) => one.logs)]

test('what it shows is chosen: days, lines, units and filters, and all of it stands in the address', async () => {
  await device.begin(page, `/reports/harvest?${lately}`)
  await button('By crop').click()
  await button('Area').click()
  await button('US customary').click()
  await page.getByLabel('Only logs with').selectOption({ label: 'Assets' })
  await page.getByLabel('Is', { exact: true }).fill('carr')
  await button('Early carrots').click()
  await expectAccessible(page, 'harvest: options')
  await page.keyboard.press('Escape')
  await page
    .getByRole('row', { name: /^North/ })
    .getByText('85.855 lb')
    .first()
    .waitFor()
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toMatchObject({ group: 'area', units: 'us', asset: carrots })
  await button(/^Assets?: Early carrots/).click()
  await page
    .getByRole('row', { name: /^North/ })
    .getByText('40 bunch')
    .waitFor()
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  expect(csv.suggestedFilename()).toMatch(/^harvest-.*\.csv$/)
  expect(device.complaints).toEqual([])
})

test('on a desk the logs of a figure stand beside the report', async () => {
  await device.begin(page, `/reports/harvest?${lately}`, 1280)
  await heading(/^38.943 kg of Carrots/, 2)
  await page.getByRole('row', { name: /^Kale/ }).getByRole('link', { name: '40 bunch' }).click()
  await heading('40 bunch of Kale', 2)
  await page
    .locator('.book')
    .getByRole('link', { name: /Cut kale/ })
    .waitFor()
  await expectAccessible(page, 'harvest on a desk')
  expect(new URL(page.url()).pathname).toBe('/app/reports/harvest')
})

test('inputs lead from what is withheld to the treatment, and a field has its history, from its page', async () => {
  await device.begin(page, `/reports/inputs?${lately}`)
  await expectAccessible(page, 'inputs')
  const withheld = page.getByRole('row', { name: /^meat/ })
  await withheld.getByRole('link', { name: 'Drenched Rosa' }).click()
  await heading('Drenched Rosa')
  await device.begin(page, `/area/${north}`)
  await page.getByRole('link', { name: 'Field history as a report' }).click()
  await heading('Field history of North')
  await page.getByRole('link', { name: 'Cut kale' }).waitFor()
  await expectAccessible(page, 'field history')
  await device.begin(page, '/reports/field-history')
  await page.getByRole('link', { name: 'North' }).waitFor()
  await page.getByLabel('Of which area?').fill('nowhere')
  await page.getByText('No area has this name.').waitFor()
  await page.getByLabel('Of which area?').fill('nor')
  await page.getByRole('link', { name: 'North' }).click()
  await heading('Field history of North')
  expect(device.complaints).toEqual([])
})

test('on paper it is a document with a head and a map, and nothing of the app', async () => {
  await device.begin(page, `/reports/harvest?${lately}`)
  await page
    .getByRole('row', { name: /^Carrots/ })
    .first()
    .waitFor()
  await page.emulateMedia({ media: 'print' })
  const paper = page.locator('.paper')
  await expect.poll(() => paper.isVisible()).toBe(true)
  const words = await paper.innerText()
  for (const said of ['Hill Farm', 'Harvest', 'Made on', '12 lb counted as 5.443 kg', 'Map of the fields'])
    expect(words).toContain(said)
  expect(await paper.locator('.paper-map text').allTextContents()).toContain('North')
  for (const other of ['.bar', '.strip', '.rep-in']) expect(await page.locator(other).isVisible()).toBe(false)
  expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
  await page.emulateMedia({ media: 'screen' })
})

test('a link shows the report to somebody without an account, until it is ended', async () => {
  await device.begin(page, `/reports/harvest?${lately}`)
  await button('Share').click()
  await page.getByLabel('With the names of people').check()
  await expectAccessible(page, 'sharing')
  await button('Make a link').click()
  const link = await page.getByLabel('The link, shown only now').inputValue()
  expect(link).toMatch(/\/shared-report#[\w-]{43}$/)
  const visitor = await openDevice(farm)
  const visited = await visitor.context.newPage()
  await visited.goto(visitor.line.base + new URL(link).pathname + new URL(link).hash)
  await visited.getByRole('heading', { level: 1, name: 'Harvest' }).waitFor()
  await visited.getByText('None of its 3 logs has changed since.').waitFor()
  await visited
    .getByRole('row', { name: /Picked for Ann/ })
    .getByText(manager.login.name)
    .waitFor()
  await expectAccessible(visited, 'shared report')
  await visited.goto(`${visitor.line.base}/shared-report?language=de${new URL(link).hash}`)
  await visited.getByRole('heading', { level: 1, name: 'Ernte' }).waitFor()
  expect(await visited.locator('html').getAttribute('lang')).toBe('de')
  await visited.goto(visitor.line.base + new URL(link).pathname + new URL(link).hash)
  await manager.put(`/log/${picked[0]}`, { lot_number: 'B' })
  await visited.reload()
  await visited.getByText('1 of its logs has changed since.').waitFor()
  await device.begin(page, '/reports')
  await button('Show the links').click()
  await button(/^End the link to Harvest/).click()
  await page.getByText('No report is shared.').waitFor()
  await visited.reload()
  await visited.getByText(/There is no such report, or its time is over/).waitFor()
  expect(device.complaints).toEqual([])
})

test('everything for an inspector leads to what is missing, prints the ticked photos alone, and comes as a ZIP', async () => {
  const photo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await season.harvest(now - day, { name: 'Washed', asset: of(carrots), images: [`data:image/png;base64,${photo}`] })
  await device.begin(page, `/reports/inspection?${lately}`)
  await page.getByText('Harvests without a lot').first().waitFor()
  await page.getByRole('checkbox', { name: /Washed/ }).check()
  await page.waitForURL(/photos=\d+/)
  await page.locator('.paper figure img').waitFor({ state: 'attached' })
  await button('ZIP').click()
  const zip = page.getByRole('dialog', { name: 'ZIP' })
  await zip.getByText('Print pages').waitFor()
  const address = (people: string) =>
    expect.stringMatching(new RegExp(`^/reports/inspection.zip\\?.*photos=.*people=${people}$`))
  const link = zip.getByRole('link', { name: 'ZIP' })
  await expect.poll(() => link.getAttribute('href')).toEqual(address('1'))
  await zip.getByRole('checkbox').uncheck()
  await expect.poll(() => link.getAttribute('href')).toEqual(address('0'))
  await expectAccessible(page, 'inspection: ZIP')
  await zip.getByRole('button', { name: 'Close' }).click()
})

test('without signal it says so', async () => {
  await device.begin(page, `/reports/harvest?${lately}`)
  await keptByWorker(page)
  await device.loseServer()
  await page.getByRole('link', { name: 'Reports' }).first().click()
  await page.getByRole('link', { name: /^Inputs/ }).click()
  await heading('Inputs')
  await page.getByText('This needs signal.').waitFor()
  await page.reload()
  await page.getByText('This needs signal.').waitFor()
  await device.restoreSignal()
})
