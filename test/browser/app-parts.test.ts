import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Device, openDeviceFor, processorClockOf, saysInTheStrip } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { plantSmallFarm } from './app-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const planted = await plantSmallFarm(manager)

const otherScreens = '**/app/screens-*.js'

/** As over plain http: no worker keeps the files. */
async function deviceWithoutWorker(): Promise<Device> {
  const device = await openDeviceFor(farm, manager.login)
  await device.context.route('**/app/sw.js', (route) => route.abort())
  return device
}

const tapMore = (page: Page) => page.getByRole('link', { name: 'More', exact: true }).click()
const gone = (route: Route) => route.fulfill({ status: 404, body: '' })

test('code that does not come leaves a sentence and a button, and with signal the page is there', async () => {
  const device = await deviceWithoutWorker()
  await device.context.route(otherScreens, (route) => route.abort())
  const page = await device.openLoaded()
  await tapMore(page)
  await page.getByText('This needs signal.').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Today' }).waitFor()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await device.context.unroute(otherScreens)
  // The app fetches its screens beforehand, too: the page may come before the tap.
  const tapped = async () => {
    if (await again.isVisible()) await again.click({ timeout: 1000 }).catch(() => undefined)
    return page.getByRole('heading', { level: 1, name: 'More' }).isVisible()
  }
  await expect.poll(tapped).toBe(true)
})

test('a tab from before an update of the app starts anew, once, where it is', async () => {
  const device = await deviceWithoutWorker()
  await device.context.route(otherScreens, gone)
  const page = await device.openLoaded()
  await device.context.route('**/app/app-*.js', (route) =>
    route.request().method() === 'HEAD' ? gone(route) : route.fallback(),
  )
  let starts = 0
  page.on('load', () => {
    starts += 1
  })
  // The app fetches its screens beforehand, too: a tap on a page that is just starting anew is lost.
  const tapped = async () => {
    await tapMore(page)
    const sentence = page.getByText('This needs signal.').waitFor({ timeout: 2000 })
    return sentence.then(
      () => true,
      () => false,
    )
  }
  await expect.poll(tapped, { timeout: 60_000 }).toBe(true)
  await expect.poll(() => starts).toBe(1)
  expect(new URL(page.url()).pathname).toBe('/app/more')
  await page.waitForTimeout(500)
  expect(starts).toBe(1)
})

test('soon after the first screen the others need no signal, whether or not a worker keeps them', async () => {
  const device = await deviceWithoutWorker()
  const came = new Set<string>()
  const page = await device.context.newPage()
  page.on('requestfinished', (request) => came.add(new URL(request.url()).pathname.replace(/-[\w-]{8}\.js$/, '')))
  await page.goto(`${device.line.base}/app/`)
  await saysInTheStrip(page, /^Sent/)
  await expect
    .poll(() => [...came])
    .toEqual(expect.arrayContaining(['/app/screens', '/app/entry', '/app/form', '/app/device']))
  expect([...came]).not.toContain('/app/map-screen')
  await device.loseServer()
  await page.getByRole('link', { name: 'Records', exact: true }).click()
  await page.getByRole('link', { name: /Herd to Hill/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Herd to Hill' }).waitFor()
  await tapMore(page)
  await page.getByRole('heading', { level: 1, name: 'More' }).waitFor()
})

/** How often a tap has to be waited for until its screen is there, and until it is drawn. */
const tapTo = (link: string, heading: string) => `new Promise((resolve) => {
  let turns = 0
  const look = () => {
    const isThere = document.querySelector('h1')?.textContent.includes(${JSON.stringify(heading)})
    turns += 1
    if (isThere) requestAnimationFrame(() => setTimeout(() => resolve(turns)))
    else setTimeout(look, 10)
  }
  document.querySelector(${JSON.stringify(link)}).click()
  look()
})`

test('a tap shows a screen in 100 ms of processor time, and waits for nothing', async () => {
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.openLoaded()
  const used = await processorClockOf(page)
  const taps = {
    records: tapTo('a[href="/app/records"]', 'Records'),
    log: tapTo(`a[href="/app/log/${planted.move}"]`, 'Herd to Hill'),
    more: tapTo('a[href="/app/more"]', 'More'),
  }
  const seen = Object.keys(taps).map((screen) => ({ screen, times: [] as number[], turns: [] as number[] }))
  for (let round = 0; round < rounds({ short: 4, long: 20 }); round += 1) {
    for (const [at, tap] of Object.values(taps).entries()) {
      const before = await used()
      seen[at]?.turns.push(await page.evaluate<number>(tap))
      seen[at]?.times.push((await used()) - before)
    }
  }
  for (const { screen, times, turns } of seen) {
    expect(Math.min(...times), screen).toBeLessThan(100)
    expect(Math.min(...turns), screen).toBeLessThan(10)
  }
})
