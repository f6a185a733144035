import { expect, test } from 'vitest'
import { copiesOn, keptByWorker, openDeviceFor, saysInTheStrip, stored } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { plantSmallFarm } from './app-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
await plantSmallFarm(manager)

const note = (name: string) =>
  manager.create('log', { name, type: 'farm_activity', timestamp: Math.floor(Date.now() / 1000) - 60, done: '1' })

async function loadedDevice() {
  const device = await openDeviceFor(farm, manager.login)
  return { device, page: await device.openLoaded() }
}

test('two tabs share one stream, and the second goes on when the first is closed', async () => {
  const { device, page: first } = await loadedDevice()
  const second = await device.openLoaded()
  await expect.poll(() => device.line.streams).toBe(1)
  await note('Heard by both')
  await first.getByText('Heard by both').waitFor()
  await second.getByText('Heard by both').waitFor()
  expect(device.line.streams).toBe(1)
  await first.close()
  await expect.poll(() => device.line.streams).toBe(1)
  await note('Heard by the second')
  await second.getByText('Heard by the second').waitFor()
  expect(device.complaints).toEqual([])
})

test('a tab that begins while the server is away tells the other once it has met it', async () => {
  const { device, page: first } = await loadedDevice()
  await keptByWorker(first)
  await expect.poll(() => device.line.streams).toBe(1)
  device.line.target = null
  const second = await device.open()
  await saysInTheStrip(second, /^Offline/)
  await saysInTheStrip(first, /^Offline/)
  device.line.target = farm.base
  for (const page of [second, first]) await page.locator('.strip').getByText(/^Sent/).waitFor()
})

test('log out takes the copy away and ends the session, in every tab', async () => {
  const { device, page } = await loadedDevice()
  const other = await device.openLoaded()
  await page.goto(`${device.line.base}/app/log-out`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL(/\/user\/login$/)
  await saysInTheStrip(other, /^Log in/)
  await expect.poll(() => copiesOn(other)).toEqual([])
  expect(await other.evaluate('fetch("/me.json").then(({ status }) => status)')).toBe(403)
})

test('log out without signal locks the copy, and the session ends first at the next contact', async () => {
  const { device, page } = await loadedDevice()
  await keptByWorker(page)
  device.line.target = null
  await page.goto(`${device.line.base}/app/log-out`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await saysInTheStrip(page, /^Locked/)
  expect(await stored(page, 'record')).not.toHaveLength(0)
  await page.goto(`${device.line.base}/app/`)
  await saysInTheStrip(page, /^Locked/)

  device.line.target = farm.base
  device.line.fate = ({ url = '' }) => (url.startsWith('/user/logout') ? 'cut' : 'pass')
  await page.reload()
  await expect.poll(() => device.line.asked.some((line) => line.startsWith('POST /user/logout'))).toBe(true)
  await saysInTheStrip(page, /^Locked/)
  await page.goto('about:blank')
  device.line.fate = () => 'pass'
  device.line.asked.length = 0
  await page.goto(`${device.line.base}/app/`)
  await saysInTheStrip(page, /^Log in/)
  expect(device.line.asked.filter((line) => /json|logout/.test(line)).slice(0, 2)).toEqual([
    'GET /me.json',
    expect.stringMatching(/^POST \/user\/logout\?token=/),
  ])
  await expect.poll(() => copiesOn(page)).toEqual([])
  expect(await page.evaluate('fetch("/me.json").then(({ status }) => status)')).toBe(403)
})

test('"Remove this farm from this device" leaves nothing of it', async () => {
  const { device, page } = await loadedDevice()
  await keptByWorker(page)
  await page.goto(`${device.line.base}/app/more`)
  await page.getByRole('button', { name: 'Remove this farm from this device' }).click()
  await page.waitForURL(/\/user\/login$/)
  await expect.poll(() => copiesOn(page)).toEqual([])
  await expect.poll(() => page.evaluate('caches.keys()')).toEqual([])
  expect(await page.evaluate('Object.keys(localStorage).filter((key) => /last-opened|leaving/.test(key))')).toEqual([])
})

test('removed without signal, the farm does not come back with it', async () => {
  const { device, page } = await loadedDevice()
  await keptByWorker(page)
  await page.goto(`${device.line.base}/app/more`)
  device.line.target = null
  await page.getByRole('button', { name: 'Remove this farm from this device' }).click()
  await saysInTheStrip(page, /^Log in/)
  await expect.poll(() => copiesOn(page)).toEqual([])
  device.line.target = farm.base
  await page.reload()
  await saysInTheStrip(page, /^Log in/)
  expect(await page.evaluate('fetch("/me.json").then(({ status }) => status)')).toBe(403)
})

test('a new version waits for a tap, or for the next start', async () => {
  const { device, page } = await loadedDevice()
  await keptByWorker(page)
  const script = await (await device.context.request.get(`${device.line.base}/app/sw.js`)).text()
  const cached = () => page.evaluate('caches.keys()') as Promise<string[]>
  const [before = ''] = await cached()
  const newer = (name: string) =>
    device.line.replaced.set('/app/sw.js', script.replaceAll(before.replace('furrow-app-', ''), name))

  newer('Second')
  await page.evaluate('navigator.serviceWorker.getRegistration("/app/").then((registration) => registration.update())')
  await page.getByText('A new version of the app is here.').waitFor()
  expect(await cached()).toContain(before)
  // This is the tab that installed the first worker.
  await page.evaluate('window.isOld = true')
  await page.getByRole('button', { name: 'Use it now' }).click()
  await expect.poll(() => page.evaluate('"isOld" in window')).toBe(false)
  await expect.poll(cached).toEqual(['furrow-app-Second'])
  await saysInTheStrip(page, /^Sent/)

  newer('Third')
  await page.evaluate('navigator.serviceWorker.getRegistration("/app/").then((registration) => registration.update())')
  await page.getByText('A new version of the app is here.').waitFor()
  const isWaiting = 'navigator.serviceWorker.getRegistration("/app/").then(({ waiting }) => waiting !== null)'
  await expect.poll(() => page.evaluate(isWaiting)).toBe(true)
  // While a debugger is attached, Chromium may not notice that the worker before is idle: each start tries again.
  const startAgain = async () => {
    await page.reload()
    await saysInTheStrip(page, /^Sent/)
    return cached()
  }
  await expect.poll(startAgain, { timeout: 120_000, interval: 3_000 }).toEqual(['furrow-app-Third'])
  await saysInTheStrip(page, /^Sent/)
})
