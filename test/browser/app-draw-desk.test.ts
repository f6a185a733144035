import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { squareMetresOf } from '../../src/fields/wkt/size.ts'
import { expectAccessible, expectNoOverflow } from '../harness/accessibility.ts'
import { type Device, frames, openDeviceFor } from '../harness/app.ts'
import type { Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { areasNamed, cornersOf, press, theMap } from './app-draw-farm.ts'
import { type MapFarm, plantMapFarm } from './app-map-farm.ts'
import { onePerEngine } from './one-per-engine.ts'

interface Opened {
  readonly device: Device
  readonly page: Page
  readonly manager: Client
  readonly viewer: Client
  readonly planted: MapFarm
}

/** One farm and one computer for all tests. */
const opened = onePerEngine(async (engine): Promise<Opened> => {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  const viewer = await farm.login('viewer')
  const planted = await plantMapFarm(manager)
  const device = await openDeviceFor(farm, manager.login)
  return { device, page: await device.openLoaded('/map'), manager, viewer, planted }
})

const desk = () => opened('sqlite')

async function drawAt(path: string): Promise<Opened> {
  const one = await desk()
  await one.device.begin(one.page, path, 1280)
  await theMap(one.page).waitFor()
  await frames(one.page, 3)
  return one
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const sizeOf = (area: Json): number => squareMetresOf({ areas: [[cornersOf(area).flat()]] })

/** Tab by tab, as one who has no mouse. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let tabs = 0; tabs < 40; tabs++) {
    const focused = await page.evaluate<string>(
      `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText).trim()`,
    )
    if (name.test(focused)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no way to ${name}`)
}

test('a field is drawn and 20 beds are made in it by keyboard alone', async () => {
  const { page, manager } = await drawAt('/map')
  const { keyboard } = page
  await tabTo(page, /^New area/)
  await keyboard.press('Enter')
  await page.getByText('No corner yet').waitFor()
  await tabTo(page, /^Map under the cross/)
  for (const [key, times] of [
    ['ArrowDown', 14],
    ['ArrowRight', 6],
    ['ArrowDown', 4],
    ['ArrowLeft', 6],
    ['ArrowLeft', 3],
  ] as const) {
    for (let at = 0; at < times; at++) await keyboard.press(key)
    await frames(page)
    await keyboard.press('Enter')
  }
  await page.getByText(/corner 6$/).waitFor()
  await keyboard.press('Backspace')
  await page.getByText(/corner 5$/).waitFor()
  await tabTo(page, /^Finish/)
  await keyboard.press('Enter')
  await tabTo(page, /^Name/)
  await keyboard.press('ControlOrMeta+A')
  await keyboard.type('Long Field')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Long Field is on the map' }).waitFor()
  await tabTo(page, /^Make beds in it/)
  await keyboard.press('Enter')
  await tabTo(page, /^How many/)
  await keyboard.press('ControlOrMeta+A')
  await keyboard.type('20')
  await keyboard.press('Enter')
  await page.getByText('20 beds in Long Field').waitFor()
  const [field] = await areasNamed(manager, 'Long Field')
  expect(cornersOf(field)).toHaveLength(5)
  await areasNamed(manager, 'Long Field 20')
})

test('a corner near that of a neighbour is that corner, a click adds one, and the first one ends it', async () => {
  const { page, manager, planted } = await drawAt(`/draw?at=47.1033,8.2083`)
  const [hill] = (await manager.read(`/taxonomy_term.json?tid=${planted.hill}`)).list
  const [, , theirs] = cornersOf(hill)
  const box = await theMap(page).boundingBox()
  if (box === null || theirs === undefined) throw new Error('there is no map')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const metresPerPixel = 1 / 1.47
  const middle = [8.2083, 47.1033] as const
  const near = {
    x: x + ((theirs[0] - middle[0]) * 75_900) / metresPerPixel,
    y: y - ((theirs[1] - middle[1]) * 111_200) / metresPerPixel,
  }
  await page.mouse.click(near.x + 5, near.y - 6)
  await page.getByText(/corner 1$/).waitFor()
  await page.mouse.click(near.x + 150, near.y)
  await page.mouse.click(near.x + 150, near.y - 150)
  await page.getByText(/corner 3$/).waitFor()
  await page.mouse.click(near.x, near.y)
  await page.getByLabel('Name', { exact: true }).fill('Beside the Hill')
  await page.keyboard.press('Enter')
  const [drawn] = await areasNamed(manager, 'Beside the Hill')
  const [first] = cornersOf(drawn)
  expect(first?.[0]).toBeCloseTo(theirs[0], 8)
  expect(first?.[1]).toBeCloseTo(theirs[1], 8)
})

test('a side that would cross another is refused, a closing side that crosses is told, and a corner is removed', async () => {
  const { page } = await drawAt('/draw')
  for (const [key, times] of [
    ['ArrowDown', 12],
    ['ArrowRight', 6],
    ['ArrowDown', 6],
  ] as const) {
    await press(page, key, times)
    await press(page, 'Enter')
  }
  await press(page, 'ArrowUp', 9)
  await press(page, 'ArrowLeft', 3)
  await press(page, 'Enter')
  await page.getByRole('alert').getByText('This side would cross another one. Put the corner elsewhere.').waitFor()
  await press(page, 'ArrowRight', 6)
  await press(page, 'ArrowDown', 7)
  await press(page, 'Enter')
  await button(page, 'Finish').click()
  await page.getByRole('alert').getByText('Two sides cross each other. Move or remove a corner.').waitFor()
  await button(page, 'Change a corner').click()
  await page.getByRole('heading', { name: 'Corner 4 of 4' }).waitFor()
  await button(page, 'Remove').click()
  await button(page, 'Finish').click()
  await button(page, 'Back to the corners').click()
  await page.getByText(/^Slide the map/).waitFor()
  await page.reload()
  await button(page, 'Start new').click()
  await page.getByText('No corner yet').waitFor()
})

test('the shape of an area is changed: a corner moved, one more in a side, one removed, and undone', async () => {
  const { device, page, manager, planted } = await desk()
  await device.begin(page, `/area/${planted.garden}`, 1280)
  await page.getByRole('link', { name: 'Edit shape' }).click()
  await page.getByText(/4 corners$/).waitFor()
  await button(page, 'Change a corner').click()
  await button(page, 'One more behind it').click()
  await page.getByRole('heading', { name: 'Corner 5 of 5' }).waitFor()
  await press(page, 'ArrowLeft', 2)
  await press(page, 'Enter')
  await page.getByText(/5 corners$/).waitFor()
  await button(page, 'Change a corner').click()
  await button(page, 'The next corner').click()
  await page.getByRole('heading', { name: 'Corner 1 of 5' }).waitFor()
  await button(page, 'Remove').click()
  await page.getByText(/4 corners$/).waitFor()
  await button(page, 'Undo').click()
  await page.getByText(/5 corners$/).waitFor()
  await button(page, 'Save the shape').click()
  await page.getByText('Garden has its new shape').waitFor()
  await expect.poll(async () => cornersOf((await areasNamed(manager, 'Garden'))[0])).toHaveLength(6)
})

test('what is split off is a new area; the old one keeps its number, and the sizes add up', async () => {
  const { planted } = await desk()
  const { page, manager } = await drawAt(`/draw/${planted.north2}/split`)
  const [before] = await areasNamed(manager, 'North 2')
  await press(page, 'ArrowUp', 10)
  await press(page, 'Enter')
  await button(page, 'Finish').click()
  await page.getByText('The line has to go across North 2 once, from side to side.').waitFor()
  await press(page, 'ArrowRight', 3)
  await press(page, 'ArrowDown', 20)
  await press(page, 'Enter')
  await page.getByText(/split off, .* stay with North 2$/).waitFor()
  await button(page, 'Finish').click()
  await button(page, 'Save North 2 B').click()
  await page.getByText('North 2 B is split off North 2').waitFor()
  const [off] = await areasNamed(manager, 'North 2 B')
  const [rest] = await areasNamed(manager, 'North 2')
  expect(rest.tid).toBe(planted.north2)
  expect(rest.assets.map(({ id }: Json) => id)).toContain(planted.milkers)
  expect(off).toMatchObject({ area_type: 'paddock', parent: before.parent, assets: [] })
  expect(Math.abs((sizeOf(off) + sizeOf(rest)) / sizeOf(before) - 1)).toBeLessThan(0.0001)
  expect(sizeOf(off)).toBeGreaterThan(sizeOf(before) / 10)
  await button(page, 'Undo').click()
  await areasNamed(manager, 'North 2 B', 0)
  expect(cornersOf((await areasNamed(manager, 'North 2'))[0])).toEqual(cornersOf(before))
})

test('what has holes is not drawn over, and what is not drawn has no beds: each says what to do instead', async () => {
  const { device, page, manager } = await desk()
  const area = (name: string, more: object) =>
    manager.create('taxonomy_term', { name, vocabulary: 'farm_areas', area_type: 'field', ...more })
  const hole = '(8.2101 47.0901, 8.2102 47.0901, 8.2102 47.0902, 8.2101 47.0901)'
  const ring = '(8.21 47.09, 8.212 47.09, 8.212 47.091, 8.21 47.09)'
  const holed = await area('Holed', { geofield: `POLYGON (${ring}, ${hole})` })
  const undrawn = await area('Undrawn', {})
  await device.begin(page, `/draw/${holed}/shape`, 1280)
  await page
    .getByText(/several parts or holes/)
    .last()
    .waitFor()
  await page.getByRole('link', { name: 'Open the form' }).waitFor()
  await device.begin(page, `/draw/${undrawn}/beds`, 1280)
  await page.getByRole('link', { name: 'Draw its shape' }).waitFor()
  for (const id of [holed, undrawn]) await manager.delete(`/taxonomy_term/${id}`)
})

test('by size, a rectangle goes where the cross is; a single corner is a point', async () => {
  const { page, manager } = await drawAt('/draw?at=47.105,8.21')
  await button(page, 'By size').click()
  await page.getByLabel('Length, m').fill('120,5')
  await page.getByLabel('Width, m').fill('40')
  await page.getByLabel('Turned, °').fill('30')
  await page.getByText('0.48 ha').waitFor()
  await button(page, 'Put it here').click()
  await page.getByLabel('Name', { exact: true }).fill('Rectangle')
  await page.keyboard.press('Enter')
  const [rectangle] = await areasNamed(manager, 'Rectangle')
  expect(Math.abs(sizeOf(rectangle) / 4820 - 1)).toBeLessThan(0.001)
  await page.getByRole('link', { name: 'Draw the next one' }).click()
  await button(page, 'On the map').click()
  await button(page, 'Add corner').click()
  await button(page, 'Finish').click()
  await page.getByLabel('Name', { exact: true }).fill('Old Oak')
  await page.keyboard.press('Enter')
  const [oak] = await areasNamed(manager, 'Old Oak')
  expect(oak).toMatchObject({ area_type: 'landmark', geofield: [{ geom: expect.stringMatching(/^POINT/) }] })
})

test('an area that is archived leaves the map and its list, keeps its page, and comes back by one tap', async () => {
  const { device, page, manager, planted } = await desk()
  const archivedOf = async () => (await manager.read(`/taxonomy_term/${planted.bed}.json?with=archived`)).archived
  await device.begin(page, `/area/${planted.bed}`, 1280)
  await device.loseServer()
  await button(page, 'Archive').click()
  await page.getByText(/^Archived /).waitFor()
  await button(page, 'Undo').waitFor()
  await device.restoreSignal()
  await expect.poll(archivedOf).toMatch(/^\d{10}$/)
  await device.begin(page, '/map', 1280)
  await page.getByRole('link', { name: /^Garden/ }).waitFor()
  expect(await page.getByRole('link', { name: /^Bed 1/ }).count()).toBe(0)
  await device.begin(page, `/area/${planted.bed}`, 1280)
  expect(await page.getByRole('link', { name: 'Edit shape' }).count()).toBe(0)
  await button(page, 'Take out of the archive').click()
  await expect.poll(archivedOf).toBe('0')
  await device.begin(page, '/map', 1280)
  await page.getByRole('link', { name: /^Bed 1/ }).waitFor()
  await device.begin(page, `/area/${planted.bed}`, 1280)
  await button(page, 'Archive').click()
  await button(page, 'Undo').click()
  await expect.poll(archivedOf).toBe('0')
  await page.getByRole('link', { name: 'Edit shape' }).waitFor()
})

test('the screens of drawing are accessible', async () => {
  const { page, device, planted } = await drawAt('/draw')
  await expectAccessible(page, 'draw')
  await button(page, 'Add corner').click()
  await button(page, 'Change a corner').click()
  await expectAccessible(page, 'draw a chosen corner')
  await button(page, /^Leave/).click()
  await button(page, 'Finish').click()
  await expectAccessible(page, 'draw a name')
  await button(page, 'Back to the corners').click()
  await button(page, 'By size').click()
  await expectAccessible(page, 'draw by size')
  for (const what of ['shape', 'beds', 'split']) {
    await page.goto(`${device.line.base}/app/draw/${planted.hill}/${what}`)
    await theMap(page).waitFor()
    await expectAccessible(page, `draw ${what}`)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await expectNoOverflow(page, `draw ${what} in large text`)
  }
  expect(device.complaints).toEqual([])
})

test('a viewer finds no way to draw', async () => {
  const { device, page, viewer, manager, planted } = await drawAt('/map')
  await device.logIn(viewer.login)
  await device.begin(page, `/area/${planted.hill}`, 1280)
  await page.getByRole('heading', { level: 1, name: 'Hill' }).waitFor()
  expect(await page.getByRole('link', { name: /Edit shape|Make beds|New area/ }).count()).toBe(0)
  await device.begin(page, '/draw', 1280)
  await page
    .getByText(/Ask a manager of the farm/)
    .first()
    .waitFor()
  await device.logIn(manager.login)
})
