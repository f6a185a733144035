import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, expectNoOverflow, violations } from '../harness/accessibility.ts'
import {
  type Device,
  keptByWorker,
  openDeviceFor,
  openDeviceSpeaking,
  openPseudoDevice,
  saysInTheStrip,
} from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { plantSmallFarm, type SmallFarm } from './app-farm.ts'

interface Opened {
  readonly farm: FarmUnderTest
  readonly manager: Client
  readonly planted: SmallFarm
  readonly device: Device
  readonly page: Page
}

async function openSmallFarm(): Promise<Opened> {
  const farm = await openFarm()
  const manager = await farm.login()
  const planted = await plantSmallFarm(manager)
  const device = await openDeviceFor(farm, manager.login)
  return { farm, manager, planted, device, page: await device.openLoaded('/more') }
}

const opening = openSmallFarm()

const chooseIn = (page: Page, language: string) => page.getByRole('button', { name: language, exact: true }).click()
const headed = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** The languages whose words the worker has. */
const keptLanguages = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const all = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const requests = (await Promise.all(all.map((cache) => cache.keys()))).flat()
    return requests.flatMap(({ url }) => /\\/app\\/([a-z]{2})-[\\w-]{8}\\.js$/.exec(url)?.[1] ?? [])
  })()`)

test('a language that is chosen in More is spoken at once, without signal, after a reload, and by the next device', async () => {
  const { farm, manager, device, page } = await opening
  await keptByWorker(page)
  expect(await keptLanguages(page)).toEqual([])
  const told = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await chooseIn(page, 'Deutsch')
  await headed(page, 'Mehr')
  expect((await told).status()).toBe(200)
  await saysInTheStrip(page, /^Gesendet/)
  expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual(['de', 'ltr'])
  await expectAccessible(page, 'More in German')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('link', { name: 'Heute', exact: true }).click()
  await page.getByText('2 Tage überfällig').first().waitFor()
  await page.getByRole('link', { name: 'Daten', exact: true }).click()
  await page.getByRole('link', { name: 'Bestand', exact: true }).click()
  await page
    .locator('.row')
    .getByText(/Gruppe|Tier/)
    .first()
    .waitFor()

  await expect.poll(() => keptLanguages(page)).toEqual(['de'])
  await device.loseServer()
  await page.reload()
  await saysInTheStrip(page, /^Ohne Netz, Stand/)
  await page.goto(`${device.line.base}/app/more`)
  await chooseIn(page, 'Español')
  await page.getByRole('alert').getByText('Diese Sprache liegt noch nicht auf dem Gerät').waitFor()
  await headed(page, 'Mehr')
  await device.restoreSignal()

  const next = await openDeviceFor(farm, manager.login)
  const other = await next.open()
  await saysInTheStrip(other, /^Gesendet/)
  await other.close()

  await page.reload()
  await chooseIn(page, 'English')
  await headed(page, 'More')
  expect([...device.complaints, ...next.complaints]).toEqual([])
})

test('before anybody logs in, the app speaks as the browser does', async () => {
  const { farm } = await opening
  const device = await openDeviceSpeaking(farm, 'es-AR')
  const page = await device.open()
  await page.getByRole('link', { name: 'Entrar', exact: true }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('es')
  await page.getByText('Entra para ver la finca.').first().waitFor()
  await page.getByRole('link', { name: 'Entrar', exact: true }).click()
  await page.getByLabel('Contraseña').fill('a wrong one')
  await page.getByLabel('Nombre de usuario').fill('nobody')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('alert').getByText('no son correctos').waitFor()
  expect(device.complaints).toEqual([])
})

/** What is shown beside the screen, or cut where nothing says that more follows. */
const cut = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('body *')].filter((box) => {
    if (box.closest('svg, canvas, .out, .skip, [hidden]') || box.childElementCount > 0 || !box.textContent.trim()) return false
    const { left, right, width } = box.getBoundingClientRect()
    if (width === 0 || box.closest('.chips, table')) return false
    const { overflowX, textOverflow } = getComputedStyle(box)
    return left < -1 || right > innerWidth + 1 || (overflowX !== 'visible' && textOverflow !== 'ellipsis' && box.scrollWidth > box.clientWidth + 1)
  }).map((box) => box.className + ': ' + box.textContent)`)

test('every screen has room for longer words that are read from right to left', async () => {
  const { farm, manager, planted } = await opening
  const device = await openPseudoDevice(farm, manager.login)
  const page = await device.open()
  await saysInTheStrip(page, /^Sé+nt/)
  expect(await page.evaluate('document.documentElement.dir')).toBe('rtl')
  const sideOf = async (text: RegExp) => (await page.locator('.bar').getByText(text).boundingBox())?.x ?? 0
  expect(await sideOf(/^Tö+dá+y$/)).toBeGreaterThan(await sideOf(/^Mö+ré+$/))
  const { hill, herd, rosa, move } = planted
  const screens = [
    ...['/', '/records', '/records?of=assets', '/records?of=areas', '/records?of=terms', '/records?q=rosa'],
    ...[
      `/log/${move}`,
      `/asset/${rosa}`,
      `/asset/${herd}`,
      `/group/${herd}`,
      `/area/${hill}`,
      '/map',
      '/map?by=rest',
      '/map?view=list',
      '/map?at=2026-01-01',
    ],
    ...['/add', '/add/move', '/add/harvest', '/add/observe', '/add/weigh', '/add/treat', '/add/seed'],
    ...['/add/transplant', '/add/input', '/add/maintain', '/add/log/farm_activity', '/add/asset/animal'],
    ...[
      `/log/${move}/edit`,
      `/asset/${rosa}/edit`,
      '/outbox',
      '/more',
      '/trash',
      '/import',
      '/export',
      '/log-out',
      '/nowhere',
    ],
  ]
  const wrong: Record<string, readonly string[]> = {}
  for (const screen of screens) {
    await page.goto(`${device.line.base}/app${screen}`)
    await expect.poll(() => page.locator('.ghost').count()).toBe(0)
    await page.locator('h1, dialog h2').first().waitFor({ state: 'attached' })
    await expectNoOverflow(page, screen)
    const found = [...(await cut(page)), ...(await violations(page))]
    if (found.length > 0) wrong[screen] = found
  }
  expect(wrong).toEqual({})
  expect(device.complaints).toEqual([])
})
