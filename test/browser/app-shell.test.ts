import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Engine } from '../../src/storage/database.ts'
import { expectAccessible, expectNoOverflow, someFor, widths } from '../harness/accessibility.ts'
import { type Device, frames, openDevice, openDeviceFor, openOutbox, saysInTheStrip } from '../harness/app.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { plantSmallFarm, type SmallFarm } from './app-farm.ts'
import { onePerEngine } from './one-per-engine.ts'

interface Opened {
  readonly farm: FarmUnderTest
  readonly device: Device
  readonly page: Page
  readonly planted: SmallFarm
}

const usual = 'sqlite'

/** One farm and one device for all tests that only look. */
const smallFarm = onePerEngine(async (engine): Promise<Opened> => {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  const planted = await plantSmallFarm(manager)
  const device = await openDeviceFor(farm, manager.login)
  return { farm, device, planted, page: await device.openLoaded() }
})

async function begin(path = '/', width = 360, engine: Engine = usual): Promise<Opened> {
  const opened = await smallFarm(engine)
  await opened.device.begin(opened.page, path, width)
  return opened
}

const focusedText = (page: Page) => page.evaluate<string>('document.activeElement.textContent')
const place = (page: Page) => page.evaluate<string>('location.pathname + location.search')

test.each(atLeastOn(usual))(
  '%s: each screen has an address, a title and a heading that takes the focus',
  async (engine) => {
    const { device, page, planted } = await begin('/', 360, engine)
    await page.getByRole('link', { name: 'Records', exact: true }).click()
    await expect.poll(() => focusedText(page)).toBe('Records')
    expect(await page.title()).toMatch(/^Records · /)
    await page.getByRole('link', { name: /Herd to Hill/ }).click()
    await expect.poll(() => focusedText(page)).toBe('Herd to Hill')
    await expect.poll(() => place(page)).toBe(`/app/log/${planted.move}`)
    await page.goBack()
    await expect.poll(() => place(page)).toBe('/app/records')
    await expect.poll(() => focusedText(page)).toBe('Records')
    await page.goForward()
    await expect.poll(() => page.title()).toMatch(/^Herd to Hill · /)
    const tab = await device.open(`/log/${planted.move}`)
    await tab.getByRole('heading', { level: 1, name: 'Herd to Hill' }).waitFor()
    await tab.locator('.strip .up').click()
    await tab.getByRole('link', { name: 'Entries', exact: true }).waitFor()
    await tab.close()
    expect(device.complaints).toEqual([])
  },
)

test('an address that there is not says so, and leads on', async () => {
  const { page } = await begin('/tractors/7')
  await page.getByText('There is no page at this address.').last().waitFor()
  await page.getByRole('link', { name: 'Go to Today' }).click()
  await page.getByRole('heading', { name: 'Recorded' }).waitFor()
})

test.each(['/log/%E0', '/%E0', '/map?at=2026-13-45', '/?at=2026-02-31', '/area/%25?at=yesterday'])(
  '%s is no address of ours, and breaks nothing',
  async (path) => {
    const { device, page } = await begin(path)
    await page.getByRole('main').waitFor()
    expect(device.complaints).toEqual([])
  },
)

test('keys lead to the search, the map and the list of keys', async () => {
  const { page } = await begin('/', 1280)
  await page.getByRole('heading', { name: 'Recorded' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.type('117')
  await expect.poll(() => page.locator('.pane').first().locator('.row .t b').allInnerTexts()).toEqual(['Rosa'])
  await expect.poll(() => place(page)).toBe('/app/records?q=117')
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedText(page)).toBe('Rosa')
  await page.keyboard.press('m')
  await expect.poll(() => place(page)).toBe('/app/map')
  await page.keyboard.press('t')
  await expect.poll(() => place(page)).toMatch(/^\/app\/map\?at=\d{4}-\d\d-\d\d$/)
})

test('what is typed right after the key for finding is typed into its field', async () => {
  const { page } = await begin('/', 1280)
  const isInField = `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true })) &&
    document.activeElement.matches('[data-find]')`
  expect(await page.evaluate(isInField)).toBe(true)
})

test('keys rest behind a dialog, and where they were switched off', async () => {
  const { device, page } = await begin('/map', 1280)
  const expectRest = async () => {
    for (const key of ['m', 't', '/', '?']) await page.keyboard.press(key)
    await frames(page)
    await expect.poll(() => place(page)).toBe('/app/map')
    expect(await page.evaluate('document.activeElement.matches("[data-find]")')).toBe(false)
  }
  await page.getByRole('button', { name: 'Layers' }).click()
  await page.getByRole('dialog').waitFor()
  await expectRest()
  expect(await page.getByRole('dialog').count()).toBe(1)
  await device.begin(page, '/more')
  await page.getByRole('button', { name: 'Off', exact: true }).click()
  await device.begin(page, '/map', 1280)
  await expectRest()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await device.begin(page, '/more')
  await page.getByRole('button', { name: 'On', exact: true }).click()
})

test('by keyboard alone one comes past the bars to the page', async () => {
  const { page } = await begin()
  await page.keyboard.press('Tab')
  await page.getByRole('link', { name: 'Skip to the page' }).waitFor()
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('main')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
})

test('on a desk the list stays beside what was chosen from it', async () => {
  const { page, planted } = await begin('/', 1280)
  await page.getByRole('heading', { level: 1, name: 'Mend the fence' }).waitFor()
  await page.getByRole('link', { name: /Herd to Hill/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Herd to Hill' }).waitFor()
  await expect.poll(() => place(page)).toBe(`/app/log/${planted.move}`)
  const chosen = page.locator('.row[aria-current]')
  expect(await chosen.count()).toBe(1)
  await expect.poll(() => chosen.innerText()).toContain('Herd to Hill')
  await page.getByRole('heading', { name: 'Recorded' }).waitFor()
})

test('a theme stays chosen, and the device’s own is followed where none is', async () => {
  const { device, page } = await begin()
  const theme = () => page.evaluate('document.documentElement.dataset.theme')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(theme).toBe('dark')
  await page.goto(`${device.line.base}/app/more`)
  await page.getByRole('button', { name: 'Sun' }).click()
  expect(await theme()).toBe('sun')
  await page.reload()
  await expect.poll(theme).toBe('sun')
  await page.getByRole('button', { name: 'Device', exact: true }).click()
  expect(await theme()).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
})

test.each(atLeastOn(usual))(
  '%s: whoever has no role is told whom to ask, and sees nothing of the farm',
  async (engine) => {
    const { farm } = await smallFarm(engine)
    const nobody = await farm.login(null)
    const device = await openDeviceFor(farm, nobody.login)
    const page = await device.open('/records')
    await page.getByText('Ask a manager of the farm').last().waitFor()
    expect(await page.content()).not.toContain('Herd')
    await page.getByRole('link', { name: 'Your account' }).click()
    await page.getByText('No role on this farm yet').waitFor()
  },
)

test('a deep link asks for a login, and the login leads back to it', async () => {
  const { farm, planted } = await smallFarm(usual)
  const worker = await farm.login('worker')
  const device = await openDevice(farm)
  const page = await device.open(`/log/${planted.move}`)
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('User name').fill(worker.login.name)
  await page.getByLabel('Password').fill(worker.login.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Herd to Hill' }).waitFor()
  await expect.poll(() => place(page)).toBe(`/app/log/${planted.move}`)
})

test('logged out, nothing of the farm is on the screen or comes back', async () => {
  const { farm } = await smallFarm(usual)
  const viewer = await farm.login('viewer')
  const device = await openDeviceFor(farm, viewer.login)
  const page = await device.openLoaded('/more')
  await page.getByRole('link', { name: 'Log out' }).click()
  await page.getByLabel('User name').waitFor()
  await page.goto(`${device.line.base}/app/`)
  await page.getByText('Log in to see the farm.').last().waitFor()
  expect(await page.content()).not.toContain('Herd')
})

test('this device says of what time its copy is and what it lacks for offline', async () => {
  const { device, page } = await begin()
  await openOutbox(page)
  await page.getByText(/^(?:today|of) .*\d/).waitFor()
  await page.getByText('The farm is loaded').waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'is so' }).count()).toBeGreaterThanOrEqual(4)
  device.line.target = null
  await page.reload().catch(() => {})
  await saysInTheStrip(page, /^Offline, copy of/)
})

const screens = [
  '/',
  '/records',
  '/records?of=assets',
  '/records?of=areas',
  '/records?of=terms',
  '/records?q=h',
  '/more',
  '/outbox',
  '/nowhere',
]

test('every screen of the shell is accessible, in each theme, on a phone and on a desk', async () => {
  const { device, page } = await smallFarm(usual)
  for (const path of screens) {
    await device.begin(page, path)
    await expectAccessible(page, path)
  }
  await device.begin(page, '/records')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expectAccessible(page, 'the filters')
})

test('every screen fits on 320 pixels, with text at twice its size too', async () => {
  const { device, page } = await smallFarm(usual)
  for (const path of screens) {
    await device.begin(page, path, 320)
    await expectNoOverflow(page, path)
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    await expectNoOverflow(page, `${path} with large text`)
  }
})

test('nothing moves while a screen opens', async () => {
  const { device, page } = await smallFarm(usual)
  await page.addInitScript(`window.shifted = 0
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shifted += value })
      .observe({ type: 'layout-shift', buffered: true })`)
  for (const path of ['/', '/records', '/records?of=areas', '/more', '/outbox']) {
    for (const width of someFor(path, widths)) {
      await device.begin(page, path, width)
      await frames(page, rounds({ short: 4, long: 20 }))
      expect(await page.evaluate<number>('window.shifted'), `${path} at ${width} px`).toBeLessThanOrEqual(0.02)
    }
  }
})
