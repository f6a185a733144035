import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Engine } from '../../src/storage/database.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { expectAccessible, violations } from '../harness/accessibility.ts'
import { type Device, frames, keptByWorker, openDevice, openDeviceFor } from '../harness/app.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { day, type MapFarm, plantMapFarm } from './app-map-farm.ts'
import { onePerEngine } from './one-per-engine.ts'

interface Opened {
  readonly device: Device
  readonly page: Page
  readonly planted: MapFarm
}

/** One farm and one device for all tests that only look. */
const openedFarm = onePerEngine(async (engine): Promise<Opened> => {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  const planted = await plantMapFarm(manager)
  const device = await openDeviceFor(farm, manager.login)
  return { device, page: await device.openLoaded('/map'), planted }
})

const usual = 'postgres'

/** With signal, whatever became of the test before. */
async function mapFarm(engine: Engine = usual): Promise<Opened> {
  const opened = await openedFarm(engine)
  await opened.device.restoreSignal()
  return opened
}

async function goTo({ device, page }: Opened, path: string, width = 360): Promise<void> {
  await page.setViewportSize({ width, height: 740 })
  await page.goto(`${device.line.base}/app${path}`)
}

const theMap = (page: Page) => page.getByRole('application', { name: /^Map of/ })
const loaded = (page: Page) => page.locator('.map[aria-busy=false]').waitFor()

/** Where a place of the farm is on the screen while the map shows the whole farm: 720 m fill its width but for 24 pixels on each side. */
async function placeOf(page: Page, [east, north]: readonly [number, number]) {
  const box = await theMap(page).boundingBox()
  if (box === null) throw new Error('there is no map')
  const scale = (box.width - 48) / 720
  return { x: box.x + 24 + (east + 20) * scale, y: box.y + box.height / 2 - (north - 190) * scale }
}

async function tap(page: Page, place: readonly [number, number]): Promise<void> {
  const { x, y } = await placeOf(page, place)
  await page.mouse.click(x, y)
}

const onNorth2 = [310, 220] as const
const onHill = [540, 220] as const

test.each(atLeastOn(usual))(
  '%s: a tap on an area says who is there, since when and from where, also without a server',
  async (engine) => {
    const opened = await mapFarm(engine)
    const { device, page, planted } = opened
    await keptByWorker(page)
    for (const way of ['with a server', 'without'] as const) {
      if (way === 'without') await device.loseServer()
      await goTo(opened, '/map')
      await loaded(page)
      await tap(page, onNorth2)
      const sheet = page.getByRole('region', { name: 'North 2' })
      await sheet.getByText('Thistles topped').waitFor()
      await expect
        .poll(() => sheet.innerText())
        .toMatch(/North 2\s+Paddock · 3\.6 ha\s+All about it\s+Milkers, 2\s+since .+ · from Hill\s+Thistles topped/)
      expect(new URL(page.url()).search).toBe(`?area=${planted.north2}`)
      await sheet.getByRole('link', { name: 'Hill, to the east' }).click()
      await page.getByRole('heading', { name: 'Hill', level: 2 }).waitFor()
      await sheet.waitFor({ state: 'detached' })
      await page.goBack()
      await sheet.waitFor()
      await sheet.getByRole('link', { name: 'Close' }).click()
      await sheet.waitFor({ state: 'detached' })
    }
    expect(device.complaints).toEqual([])
  },
)

test('a tap where nothing is closes the sheet, and the sheet leads to all about the area', async () => {
  const opened = await mapFarm()
  const { page, planted } = opened
  await goTo(opened, '/map')
  await loaded(page)
  await tap(page, onHill)
  const sheet = page.getByRole('region', { name: 'Hill' })
  await sheet.waitFor()
  const box = await theMap(page).boundingBox()
  await page.mouse.click((box?.x ?? 0) + 180, (box?.y ?? 0) + 100)
  await sheet.waitFor({ state: 'detached' })
  await goTo(opened, `/map?area=${planted.hill}`)
  await page.getByRole('link', { name: 'All about it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hill' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/app/area/${planted.hill}`)
})

test('the slider goes back in time without a request: strip, sheet, list and address follow', async () => {
  const opened = await mapFarm()
  const { device, page, planted } = opened
  const past = isoDay(planted.now - 20 * day)
  await goTo(opened, `/map?area=${planted.hill}&at=${past}`)
  const sheet = page.getByRole('region', { name: 'Time' })
  await sheet.getByText(/^Milkers, 2 in Hill, day 2\d of 3\d$/).waitFor()
  await expect.poll(() => sheet.innerText()).toMatch(/20 days ago/)
  await expect.poll(() => sheet.innerText()).toMatch(/Areas are drawn as they are today\./)
  await page
    .locator('.strip')
    .getByText(/^The farm on/)
    .waitFor()
  const asked = device.line.asked.length
  const slider = sheet.getByRole('slider')
  await slider.focus()
  for (let step = 0; step < 25; step++) await slider.press('ArrowLeft')
  await sheet.getByText(/^Nothing was in Hill$/).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe(isoDay(planted.now - 45 * day))
  await sheet.getByRole('button', { name: 'A day on' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe(isoDay(planted.now - 44 * day))
  const records = /^GET \/(?:stays|log|farm_asset|taxonomy_term)/
  expect(device.line.asked.slice(asked).filter((line) => records.test(line))).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
  const rows = page.getByRole('link', { name: /^North 1/ })
  await rows.getByText(/Milkers, 2/).waitFor()
  await page.locator('.strip').getByRole('link', { name: 'Back to today' }).click()
  await page.getByRole('link', { name: /^North 2.*Milkers, 2/s }).waitFor()
  expect(new URL(page.url()).search).toBe(`?area=${planted.hill}`)
})

test('on another day the sheet says who was where, and the arrow keys go on from there', async () => {
  const opened = await mapFarm()
  const { page, planted } = opened
  await goTo(opened, '/map')
  await loaded(page)
  await page.keyboard.press('t')
  const sheet = page.getByRole('region', { name: 'Time' })
  await sheet.getByText('Milkers, 2 in North 2').waitFor()
  for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowLeft')
  await sheet.getByText('Milkers, 2 in Hill').waitFor()
  await goTo(opened, `/map?at=${isoDay(planted.now - 70 * day)}`)
  await sheet.getByText('No animals were in any area.').waitFor()
})

test('play goes through the days until it is stopped', async () => {
  const opened = await mapFarm()
  const { page, planted } = opened
  const start = isoDay(planted.now - 50 * day)
  await goTo(opened, `/map?at=${start}`)
  await page.getByRole('button', { name: 'Play the season' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('at') ?? '').not.toBe(start)
  await page.getByRole('button', { name: 'Stop' }).click()
  const heading = page.getByRole('region', { name: 'Time' }).getByRole('heading')
  const stopped = await heading.innerText()
  // What still ran there would have run before this.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))')
  expect(await heading.innerText()).toBe(stopped)
})

test('the tree shows by keyboard alone what the map shows', async () => {
  const opened = await mapFarm()
  const { page, planted } = opened
  await goTo(opened, '/map', 1280)
  await page.getByRole('link', { name: /^Green Farm/ }).focus()
  for (const name of [/^Hill/, /^North 1/, /^North 2/, /^Garden/]) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toMatch(name)
  }
  await page.keyboard.press('ArrowLeft')
  expect(await page.getByRole('link', { name: /^Bed 1/ }).count()).toBe(0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused(page)).toMatch(/^Bed 1/)
  await page.keyboard.press('Enter')
  await page.locator('.row[aria-current]').getByText('Bed 1').waitFor()
  expect(new URL(page.url()).search).toBe(`?area=${planted.bed}`)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => focused(page)).toMatch(/^Garden/)
  await page.getByRole('link', { name: /^North 2/ }).focus()
  await page.keyboard.press('Enter')
  const open = page.locator('.open')
  await open.getByText('Thistles topped').waitFor()
  await expect.poll(() => open.innerText()).toMatch(/Milkers, 2\s+since .+ · from Hill/)
  const hill = await page.getByRole('link', { name: /^Hill/ }).innerText()
  expect(hill).toMatch(/4.*of rest|4 days/s)
})

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.innerText')

test('the map moves and opens an area by keys', async () => {
  const opened = await mapFarm()
  const { page } = opened
  await goTo(opened, '/map')
  await loaded(page)
  await theMap(page).focus()
  const before = await pictureAtRest(page)
  await page.keyboard.press('ArrowUp')
  expect(await pictureAtRest(page)).not.toBe(before)
  await page.keyboard.press('ArrowDown')
  expect(await pictureAtRest(page)).toBe(before)
  await page.keyboard.press('+')
  const closer = await pictureAtRest(page)
  expect(closer).not.toBe(before)
  await page.keyboard.press('-')
  expect(await pictureAtRest(page)).not.toBe(closer)
  await page.keyboard.press('Enter')
  await page.locator('.map-sheet h2').waitFor()
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H2')
})

/** Keys move the map over several frames. */
async function pictureAtRest(page: Page): Promise<string> {
  for (let last = ''; ; ) {
    await frames(page, 3)
    const seen = await page.evaluate<string>(`document.querySelector('canvas.areas').toDataURL()`)
    if (seen === last) return seen
    last = seen
  }
}

test('the second colours are days of rest, and their key says what they mean', async () => {
  const opened = await mapFarm()
  const { page } = opened
  await goTo(opened, '/map')
  await loaded(page)
  const paddock = await token(page, '--paddock')
  await expect.poll(() => coloursAt(page, onHill)).toContain(paddock)
  await page.getByRole('button', { name: 'Layers' }).click()
  await page.getByRole('radio', { name: 'Days of rest' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?by=rest')
  await expect
    .poll(() => page.getByRole('list', { name: 'Days of rest' }).innerText())
    .toMatch(/grazed\s+0–14\s+15–30\s+over 30/)
  for (const [place, step] of [
    [onHill, 'short'],
    [onNorth2, 'grazed'],
    [[100, 220], 'long'],
  ] as const)
    await expect.poll(() => coloursAt(page, place)).toContain(await token(page, `--rest-${step}`))
})

/** The colours around a place: hatches and lines lie over the one of the area. */
async function coloursAt(page: Page, place: readonly [number, number]): Promise<string[]> {
  const { x, y } = await placeOf(page, place)
  return page.evaluate(`(() => {
    const canvas = document.querySelector('canvas.areas')
    const box = canvas.getBoundingClientRect()
    const scale = canvas.width / box.width
    const { data } = canvas.getContext('2d').getImageData((${x} - box.x - 4) * scale, (${y} - box.y - 4) * scale, 8, 8)
    const colours = []
    for (let at = 0; at < data.length; at += 4)
      colours.push('#' + [data[at], data[at + 1], data[at + 2]].map((part) => part.toString(16).padStart(2, '0')).join(''))
    return [...new Set(colours)]
  })()`)
}

const token = (page: Page, name: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('${name}').trim()`)

test('a layer asks for its tiles only once somebody has chosen it, and tells nobody which page one is on', async () => {
  const asked: string[] = []
  const tiles = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.referer ?? ''}`)
    response.setHeader('content-type', 'image/gif')
    response.end(Buffer.from('R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=', 'base64'))
  })
  await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve))
  atEndOfFile(() => new Promise<void>((resolve) => void tiles.close(() => resolve())))
  const origin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  await plantMapFarm(manager)
  const layer = { name: 'Aerial', url: `${origin}/{z}/{x}/{y}.gif`, credit: '© Example', max_zoom: 18 }
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'map_layers', JSON.stringify([layer])))
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.openLoaded('/map')
  await loaded(page)
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Layers' }).click()
  await page
    .getByRole('dialog')
    .getByText(`Pictures come from ${new URL(origin).host}, which then sees where you look.`)
    .waitFor()
  await page.getByRole('radio', { name: /^Aerial/ }).check()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByText('© Example').waitFor()
  expect(new Set(asked.map((line) => line.split(' ')[1]))).toEqual(new Set([`${device.line.base}/`]))
  asked.length = 0
  await page.reload()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  expect(device.complaints.filter((complaint) => !complaint.startsWith(`elsewhere: ${origin}/`))).toEqual([])
})

test('my position is shown with its accuracy, and where it may not be had the map says why', async () => {
  const opened = await mapFarm()
  const { device, page } = opened
  await goTo(opened, '/map')
  await page.getByRole('button', { name: /^Me/ }).click()
  await page.getByText(/may not ask for your position/).waitFor()
  await device.context.grantPermissions(['geolocation'])
  await device.context.setGeolocation({ longitude: 8.203, latitude: 47.102, accuracy: 12 })
  await page.getByRole('button', { name: /^Me/ }).click()
  await page.getByText('You are here, ±12 m').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Me/ }).getAttribute('aria-pressed')).toBe('true')
  await device.context.clearPermissions()
})

test('a farm without areas says how the first ones come in, to those who may bring them', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const device = await openDevice(farm)
  const page = await device.context.newPage()
  for (const role of ['manager', 'viewer'] as const) {
    const person = await farm.login(role)
    await device.logIn(person.login)
    await device.begin(page, '/map')
    await page.getByText('No fields yet. Your plan of the farm starts with one.').waitFor()
    const howTo = page.getByRole('link', { name: 'How maps come in' })
    await expect.poll(() => howTo.count()).toBe(role === 'manager' ? 1 : 0)
    if (role === 'manager') expect(await violations(page)).toEqual([])
  }
})

test('the map is accessible in every state, on a phone and on a desk, in three themes', async () => {
  const opened = await mapFarm()
  const { device, page, planted } = opened
  const states = [
    `/map?area=${planted.north2}`,
    `/map?area=${planted.hill}&at=${isoDay(planted.now - 20 * day)}`,
    '/map?view=list',
    '/map?by=rest',
  ]
  for (const path of rounds({ short: states.slice(1, 2), long: states })) {
    await goTo(opened, path)
    await page.locator('.map-sheet, .tree, .rest-legend').first().waitFor()
    await expectAccessible(page, path)
  }
  await page.getByRole('button', { name: 'Layers' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await goTo(opened, `/map?area=${planted.north2}`, 320)
  await page.locator('.map-sheet').waitFor()
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(device.complaints).toEqual([])
})

/** The farm of the tests lives by UTC. */
const isoDay = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)
