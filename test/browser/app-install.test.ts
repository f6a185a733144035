import { expect, test } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { keptByWorker, openDeviceFor } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm({ engine: 'sqlite' })

const manager = await farm.login()
const device = await openDeviceFor(farm, manager.login)
const page = await device.openLoaded()

/** The policy that the page was kept with, and will open with. */
const keptPolicy = (): Promise<string> =>
  page.evaluate("caches.match('/app/app.html').then((kept) => kept.headers.get('content-security-policy'))")

test('the app can be installed: Chromium finds nothing missing', async () => {
  await keptByWorker(page)
  const session = await device.context.newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  const { errors } = await session.send('Page.getAppManifest')
  const found = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')
  expect([found, errors]).toEqual([[], []])
  expect(device.complaints).toEqual([])
})

test('a layer that a manager adds may be asked for pictures also on a device that keeps the page', async () => {
  await keptByWorker(page)
  expect(await keptPolicy()).not.toContain('tiles.example')
  const layer = { name: 'Aerial', url: 'https://tiles.example/{z}/{x}/{y}.jpg', credit: '', max_zoom: 18 }
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'map_layers', JSON.stringify([layer])))
  await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => {})')
  await expect.poll(keptPolicy).toContain("img-src 'self' blob: https://tiles.example;")
})
