import { expect, test } from 'vitest'
import {
  copiesOn,
  keptByWorker,
  openDevice,
  openDeviceFor,
  putInStore,
  saysInTheStrip,
  stored,
} from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { plantSmallFarm } from './app-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const planted = await plantSmallFarm(manager)

const day = 86_400_000

/** A device that has loaded everything, and whose worker holds the app. */
async function newDevice() {
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.openLoaded()
  await keptByWorker(page)
  return { device, page }
}

let shared: ReturnType<typeof newDevice> | undefined

/** The same one for all tests that leave its copy there: with signal, and with the manager before it. */
async function loadedDevice() {
  shared ??= newDevice()
  const { device, page } = await shared
  await device.restoreSignal()
  await device.logIn(manager.login)
  await device.begin(page, '/')
  return { device, page }
}

test('without signal and with a dead server the app opens at any address, and says of what time it is', async () => {
  const { device, page } = await loadedDevice()
  await device.context.setOffline(true)
  await page.reload()
  await saysInTheStrip(page, /^Offline, copy of /)
  await page.getByText('Mend the fence').first().waitFor()

  await device.context.setOffline(false)
  device.line.target = null
  const deep = await device.open(`/asset/${planted.rosa}`)
  await deep.getByRole('heading', { name: 'Rosa' }).waitFor()
  await saysInTheStrip(deep, /^Offline, copy of /)

  device.line.target = farm.base
  await saysInTheStrip(deep, /^Sent/)
  await deep.close()
  expect(device.complaints).toEqual([])
})

test('the worker answers for nothing but the app', async () => {
  const { device, page } = await loadedDevice()
  device.line.target = null
  for (const path of ['/me.json', '/log.json', '/user/login', '/changes', '/app/files.json'])
    expect(await page.evaluate(`fetch('${path}').then(() => 'answered', () => 'no answer')`), path).toBe('no answer')
  const kept = (await page.evaluate(
    'caches.keys().then(([name]) => caches.open(name)).then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))',
  )) as string[]
  expect(kept.filter((path) => !path.startsWith('/app/'))).toEqual([])
})

test('after 30 days without contact the copy is locked, and it opens again for whoever logs in', async () => {
  const { device, page } = await newDevice()
  device.line.target = null
  await page.clock.setSystemTime(Date.now() + 29 * day)
  await page.reload()
  await page.getByText('Mend the fence').first().waitFor()
  await saysInTheStrip(page, /^Offline, copy of /)
  await page.clock.setSystemTime(Date.now() + 31 * day)
  await page.evaluate('dispatchEvent(new Event("online"))')
  await saysInTheStrip(page, /^Locked/)
  await page.reload()
  await saysInTheStrip(page, /^Locked/)
  expect(await page.getByText('Mend the fence').count()).toBe(0)
  expect(await stored(page, 'record')).not.toHaveLength(0)

  device.line.target = farm.base
  await page.clock.setSystemTime(Date.now())
  await page.reload()
  await saysInTheStrip(page, /^Sent/)
  await page.getByText('Mend the fence').first().waitFor()
})

test('a session that was ended elsewhere stops the device at its next contact', async () => {
  const worker = await farm.login('worker')
  const device = await openDeviceFor(farm, worker.login)
  const page = await device.openLoaded()
  await expect.poll(() => device.line.streams).toBe(1)
  await farm.installation.database.write((tx) => tx.deleteFrom('session').execute())
  await saysInTheStrip(page, /^Locked/)
  expect(await page.getByText('Mend the fence').count()).toBe(0)
  const login = await page
    .getByRole('link', { name: /Log in/ })
    .last()
    .getAttribute('href')
  expect(login).toBe('/user/login?destination=%2Fapp%2F')

  await device.logIn(worker.login)
  await page.reload()
  await saysInTheStrip(page, /^Sent/)
})

test('a device clock that is wrong is noticed', async () => {
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.context.newPage()
  await page.clock.setSystemTime(Date.now() + 10 * 60_000)
  await page.goto(`${device.line.base}/app/`)
  await page.getByText('The clock of this device is 10 minutes fast.').waitFor()
})

test('each account has a copy of its own, and so has another farm at the same address', async () => {
  const { device, page } = await loadedDevice()
  const viewer = await farm.login('viewer')
  await device.logIn(viewer.login)
  await page.reload()
  await saysInTheStrip(page, /^Sent/)
  expect(await copiesOn(page)).toHaveLength(2)

  const other = await openFarm({ engine: 'sqlite' })
  const owner = await other.login()
  await owner.create('log', {
    name: 'Elsewhere',
    type: 'farm_activity',
    timestamp: Math.floor(Date.now() / 1000),
    done: '1',
  })
  device.line.target = other.base
  await device.logIn(owner.login)
  await page.reload()
  await page.getByText('Elsewhere').first().waitFor()
  expect(await page.getByText('Mend the fence').count()).toBe(0)
  expect(new Set(await copiesOn(page)).size).toBe(3)
})

const withoutWorkers = `delete Navigator.prototype.serviceWorker; delete Navigator.prototype.locks; delete crypto.randomUUID
  Object.defineProperty(window, 'isSecureContext', { value: false })`

test('over plain http there is no worker: the app says so once, and works while it is online', async () => {
  const device = await openDevice(farm)
  await device.context.addInitScript(withoutWorkers)
  await device.logIn(manager.login)
  const page = await device.openLoaded()
  await page.getByText(/over plain http/).waitFor()
  await page.getByText('Mend the fence').first().waitFor()
  await expect.poll(() => device.line.streams).toBe(1)

  await page.reload()
  await saysInTheStrip(page, /^Sent/)
  expect(await page.getByText(/over plain http/).count()).toBe(0)
})

test('over plain http one tab speaks for all: it hands that on when it is left, and falls silent when it has lost it', async () => {
  const device = await openDevice(farm)
  await device.context.addInitScript(withoutWorkers)
  await device.logIn(manager.login)
  const page = await device.openLoaded()
  const speaker = async () => (await stored<{ tab?: string }>(page, 'meta')).find(({ tab }) => tab !== undefined)?.tab
  const before = await speaker()
  expect(before).toBeDefined()
  await page.clock.install()
  await page.reload()
  await expect.poll(() => device.line.streams).toBe(1)
  // A turn that nobody handed on would last half a minute.
  await expect.poll(speaker).not.toBe(before)
  await expect.poll(() => device.line.streams).toBe(1)

  const other = { tab: 'another', until: Date.now() + 600_000 }
  await putInStore(page, 'meta', { key: 'lease', value: other })
  await page.clock.fastForward(11_000)
  await expect.poll(() => device.line.streams).toBe(0)
  expect(await stored(page, 'meta')).toContainEqual(other)
  await putInStore(page, 'meta', { key: 'lease', value: { ...other, until: 0 } })
  await page.clock.fastForward(61_000)
  await expect.poll(() => device.line.streams).toBe(1)
})

test('where a browser registers no worker, the app opens all the same', async () => {
  const device = await openDevice(farm)
  await device.context.addInitScript(
    'if (navigator.serviceWorker) navigator.serviceWorker.register = async () => undefined',
  )
  const page = await device.open()
  await saysInTheStrip(page, /^Log in/)
  expect(device.complaints).toEqual([])
})
