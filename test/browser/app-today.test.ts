import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { keptByWorker, openDevice, openDeviceFor, saysInTheStrip } from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { onePerEngine } from './one-per-engine.ts'

const day = 86_400
const noon = Math.floor(Date.now() / 1000 / day) * day + day / 2

const plan = (client: Client, name: string, more: object) =>
  client.create('log', { name, type: 'farm_activity', done: '0', timestamp: noon, ...more })

/** The rows under a heading, each as its lines of text. */
const rowsUnder = (page: Page, heading: string) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: heading, exact: true }) })
    .locator('.t')

const titlesUnder = async (page: Page, heading: string) =>
  (await rowsUnder(page, heading).allInnerTexts()).map((text) => text.split('\n')[0])

/** Late, due, later, flagged and done: by the manager, whose device it is, and by somebody else. */
const busyFarm = onePerEngine(async (engine) => {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  const other = await farm.login('worker')
  await plan(other, 'Her fence', { timestamp: noon - 9 * day })
  await plan(manager, 'My gate', { timestamp: noon - 2 * day, flags: ['priority'] })
  await plan(manager, 'My milk samples', { type: 'farm_observation' })
  await plan(manager, 'Next week', { timestamp: noon + 7 * day })
  const calm = { type: 'farm_activity', done: '1' }
  const entry = (hours: number) => ({ name: `Entry ${hours}`, timestamp: noon - 3 * day - hours * 3600 })
  const entries = Array.from({ length: 22 }, (_, hours) => ({ ...calm, ...entry(hours + 1) }))
  const operations = entries.map((body) => ({ method: 'POST', path: '/log', body }))
  expect((await manager.post('/batch', { operations })).status).toBe(200)
  await manager.create('log', { ...calm, name: 'Blight', timestamp: noon - 40 * day, flags: ['review'] })
  await manager.create('farm_asset', { name: 'Old tractor', type: 'equipment', flags: ['monitor'] })
  const device = await openDeviceFor(farm, manager.login)
  return { manager, device, page: await device.openLoaded() }
})

const usual = 'postgres'

test.each(atLeastOn(usual))(
  '%s: Today has what is late and due, mine first, then flags and what was recorded',
  async (engine) => {
    const { device, page } = await busyFarm(engine)
    const late = rowsUnder(page, 'Late')
    await expect
      .poll(() => late.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^My gate\n2 days late · planned /),
        expect.stringMatching(/^Her fence\n9 days late · planned .* · worker-/),
      ])
    const due = rowsUnder(page, 'Due today')
    await expect.poll(() => due.allInnerTexts()).toEqual([expect.stringMatching(/^My milk samples\nObservation/)])
    await expect.poll(() => titlesUnder(page, 'Flagged')).toEqual(['Blight', 'Old tractor'])
    const entries = Array.from({ length: 20 }, (_, entry) => `Entry ${entry + 1}`)
    await expect.poll(() => titlesUnder(page, 'Recorded')).toEqual(entries)
    expect(await page.getByText('Next week').count()).toBe(0)
    expect(device.complaints).toEqual([])
  },
)

test('Today follows the farm’s clock on a phone that is three days fast, at once and also without signal', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  await plan(manager, 'Due on the farm', {})
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.context.newPage()
  await page.clock.install({ time: Date.now() + 3 * day * 1000 })
  await page.goto(`${device.line.base}/app/`)
  await expect.poll(() => titlesUnder(page, 'Due today')).toEqual(['Due on the farm'])
  expect(await titlesUnder(page, 'Late')).toEqual([])
  const weekdays = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
  await page.getByRole('heading', { level: 1, name: weekdays.format(Date.now()) }).waitFor()
  await saysInTheStrip(page, /^Sent \d+:\d\d/)
  await keptByWorker(page)
  await device.loseServer()
  await page.reload()
  await saysInTheStrip(page, /^Offline, copy of \d+:\d\d/)
  await expect.poll(() => titlesUnder(page, 'Due today')).toEqual(['Due on the farm'])
  expect(await titlesUnder(page, 'Late')).toEqual([])
})

test('a quiet day says so, and what comes next', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  await plan(manager, 'Shear the ewes', { timestamp: noon + 3 * day })
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.openLoaded()
  await page.getByText('Nothing is late, nothing is due today.').waitFor()
  await page.getByRole('link', { name: /Shear the ewes/ }).waitFor()
  await page.getByRole('link', { name: 'All plans' }).click()
  await page.getByRole('button', { name: 'Without the filter Not done' }).waitFor()
})

test('an empty farm has one sentence and one button, which leads whoever may record to the first record', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const device = await openDevice(farm)
  const page = await device.context.newPage()
  for (const [role, way] of [
    ['viewer', 'How to record'],
    ['manager', 'Add'],
  ] as const) {
    await device.logIn((await farm.login(role)).login)
    await device.begin(page, '/')
    await page.locator('.empty').getByRole('link', { name: way }).waitFor()
    expect(await page.locator('.empty p').count()).toBe(1)
  }
  for (const [of, heading] of [
    ['logs', 'What was done?'],
    ['assets', 'What is it?'],
    ['areas', /^New: /],
  ] as const) {
    await device.begin(page, `/records?of=${of}`)
    await page.locator('.empty').getByRole('link', { name: 'Add' }).click()
    await page.getByRole('heading', { name: heading }).waitFor()
  }
})

test('what another records appears without a tap', async () => {
  const { manager, page } = await busyFarm(usual)
  await plan(manager, 'Water the calves', {})
  await page.getByRole('link', { name: /Water the calves/ }).waitFor()
})
