import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Engine } from '../../src/storage/database.ts'
import { type Device, frames, openDeviceFor } from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { plantSmallFarm, type SmallFarm } from './app-farm.ts'
import { onePerEngine } from './one-per-engine.ts'

const day = 86_400
const now = Math.floor(Date.now() / 1000)

interface Opened {
  readonly manager: Client
  readonly device: Device
  readonly page: Page
  readonly planted: SmallFarm
}

async function openSmallFarm(engine: Engine, plant?: (manager: Client) => Promise<void>): Promise<Opened> {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  const planted = await plantSmallFarm(manager)
  await manager.create('log', {
    ...{ name: 'Carrots pulled', type: 'farm_harvest', timestamp: now - 3 * day, done: '1' },
    ...{ lot_number: '2026-167-412', flags: ['review'], area: [{ id: planted.hill }] },
  })
  await plant?.(manager)
  const device = await openDeviceFor(farm, manager.login)
  return { manager, device, planted, page: await device.openLoaded('/records') }
}

const usual = 'postgres'

/** One farm and one device for all tests that only look. */
const smallFarm = onePerEngine((engine) => openSmallFarm(engine))

async function begin(engine: Engine = usual): Promise<Opened> {
  const opened = await smallFarm(engine)
  await opened.device.begin(opened.page, '/records')
  return opened
}

const titles = (page: Page) => page.locator('.row .t b').allInnerTexts()
const place = (page: Page) => page.evaluate<string>('location.pathname + location.search')

test.each(atLeastOn(usual))('%s: one search finds names, ear tags and lots', async (engine) => {
  const { device, page } = await begin(engine)
  const find = page.getByRole('searchbox')
  for (const [words, found] of [
    ['rosa', ['Rosa', 'Rosa joins the herd']],
    ['117', ['Rosa']],
    ['2026-167', ['Carrots pulled']],
    ['hill', ['Hill', 'Herd to Hill']],
  ] as const) {
    await find.fill(words)
    await expect.poll(() => titles(page)).toEqual(found)
    await expect.poll(() => place(page)).toBe(`/app/records?q=${words}`)
  }
  await page.getByRole('link', { name: 'Areas', exact: true }).click()
  await expect.poll(() => titles(page)).toEqual(['Hill'])
  await find.fill('before')
  await page.getByRole('link', { name: 'Look in all records' }).click()
  await page.getByRole('button', { name: 'Look for older records' }).click()
  await expect.poll(() => titles(page)).toEqual(['Before the flood'])
  expect(device.complaints).toEqual([])
})

test.each(atLeastOn(usual))('%s: filters are in the address, and back leads to what they were', async (engine) => {
  const { page, planted } = await begin(engine)
  await expect
    .poll(() => titles(page))
    .toEqual(['Mend the fence', 'Carrots pulled', 'Herd to Hill', 'Rosa joins the herd'])
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter' })
  await sheet.getByRole('button', { name: 'Harvests' }).click()
  await expect.poll(() => place(page)).toBe('/app/records?type=farm_harvest')
  await sheet.getByRole('button', { name: 'Harvests' }).click()
  await sheet.getByRole('button', { name: 'Done', exact: true }).click()
  await sheet.getByLabel('Area').fill('hi')
  await sheet.getByRole('button', { name: 'Hill' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => place(page)).toBe(`/app/records?done=yes&area=${planted.hill}`)
  await expect.poll(() => titles(page)).toEqual(['Carrots pulled', 'Herd to Hill'])
  await page.getByRole('link', { name: /Herd to Hill/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Herd to Hill' }).waitFor()
  await page.goBack()
  await expect.poll(() => titles(page)).toEqual(['Carrots pulled', 'Herd to Hill'])
  await page.getByRole('button', { name: 'Without the filter Hill' }).click()
  await page.getByRole('button', { name: 'Without the filter Done' }).click()
  await expect.poll(() => place(page)).toBe('/app/records')
})

test('three chips filter by type, by days and by all; a month is one chip', async () => {
  const { page } = await begin()
  await page.getByRole('button', { name: 'Type', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Harvests' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Days', exact: true }).click()
  const month = new Date(now * 1000).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' })
  await page.getByRole('dialog').getByRole('button', { name: month }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => place(page)).toMatch(/type=farm_harvest&from=\d{4}-\d\d-01&to=\d{4}-\d\d-(?:28|29|30|31)$/)
  await page.getByRole('button', { name: `Without the filter ${month}` }).click()
  await expect.poll(() => place(page)).toBe('/app/records?type=farm_harvest')
})

test('each kind has its list, and what is archived stands apart', async () => {
  const { device, page } = await begin()
  const at = (query: string) => page.goto(`${device.line.base}/app/records?${query}`)
  for (const [query, found] of [
    ['of=assets', ['Herd', 'Rosa']],
    ['of=assets&archived=yes', ['Sold long ago']],
    ['of=assets&type=group', ['Herd']],
    ['of=areas', ['Byre', 'Hill']],
    ['flag=review', ['Carrots pulled']],
    ['done=no', ['Mend the fence']],
    [`from=${new Date((now - 4 * day) * 1000).toISOString().slice(0, 10)}`, ['Mend the fence', 'Carrots pulled']],
  ] as const) {
    await at(query)
    await expect.poll(() => titles(page), { message: query }).toEqual(found)
  }
  await at('of=terms')
  await expect.poll(() => titles(page)).toContain('Cow')
  await at('type=farm_seeding')
  await page.getByText('There are no records like this.').waitFor()
})

test('the list is there as a sheet and as a map', async () => {
  const { page } = await begin()
  await page.goto(`${page.url()}?type=farm_harvest`)
  const share = () => page.getByRole('button', { name: 'Share' }).click()
  expect(await page.getByRole('link', { name: 'CSV' }).count()).toBe(0)
  await share()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  const stream = await (await download).createReadStream()
  let sheet = ''
  for await (const part of stream) sheet += String(part)
  expect(sheet).toContain('Carrots pulled')
  expect(sheet).not.toContain('Herd to Hill')
  await share()
  for (const format of ['GeoJSON', 'KML']) {
    const address = await page.getByRole('link', { name: format }).getAttribute('href')
    expect(address).toContain(`/log.${format.toLowerCase()}?type=farm_harvest`)
    expect((await page.request.get(new URL(address ?? '', page.url()).href)).status()).toBe(200)
  }
  await page.goto(`${page.url()}&of=terms`)
  await share()
  await page.getByRole('link', { name: 'CSV' }).waitFor()
  expect(await page.getByRole('link', { name: 'KML' }).count()).toBe(0)
})

test('logs older than the copy come from the server, by a tap', async () => {
  const { device, page } = await begin()
  await page.getByRole('button', { name: 'Look for older records' }).click()
  await expect.poll(() => titles(page)).toContain('Before the flood')
  await page.reload()
  await page.getByRole('link', { name: /Herd to Hill/ }).waitFor()
  device.line.target = null
  await page.getByRole('button', { name: 'Look for older records' }).click()
  await page.getByText('This needs signal.').waitFor()
})

const many = rounds({ short: 400, long: 20_000 })

test(`a list of ${many} logs is drawn in part, to its end, and stands where it stood`, async () => {
  const { device, page } = await openSmallFarm('sqlite', async (manager) => {
    for (let first = 0; first < many; first += 500) {
      const operations = Array.from({ length: Math.min(500, many - first) }, (_, index) => ({
        ...{ method: 'POST', path: '/log' },
        body: {
          name: `Entry ${first + index}`,
          type: 'farm_activity',
          done: '1',
          timestamp: now - 10 * day - (first + index) * 900,
        },
      }))
      expect((await manager.post('/batch', { operations })).status).toBe(200)
    }
  })
  const pane = page.locator('.pane')
  const rows = () => page.locator('.row').count()
  const last = page.getByRole('link', { name: new RegExp(`Entry ${many - 1}\\b`) })
  for (let step = 0; step < many && (await last.count()) === 0; step++) {
    await pane.evaluate((box) => box.scrollBy(0, 6_000))
    expect(await rows()).toBeLessThan(300)
    await frames(page, 1)
  }
  await last.click()
  await page.getByRole('heading', { level: 1, name: `Entry ${many - 1}` }).waitFor()
  await page.goBack()
  await last.waitFor()
  expect(await rows()).toBeLessThan(300)
  expect(device.complaints).toEqual([])
})
