import { expect, test } from 'vitest'
import { metresBetween, squareMetresOf } from '../../src/fields/wkt/size.ts'
import { type Device, keptByWorker, openPhone, saysInTheStrip } from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { areasNamed, cornersOf, slide, theMap } from './app-draw-farm.ts'
import { Hand } from './app-entry-farm.ts'
import { plantMapFarm } from './app-map-farm.ts'
import { onePerEngine } from './one-per-engine.ts'

const usual = 'sqlite'
const inTheFarm = { longitude: 8.2085, latitude: 47.1007 }

interface Opened {
  readonly device: Device
  readonly hand: Hand
  readonly manager: Client
  readonly garden: string
}

/** One farm and one phone for all tests. */
const opened = onePerEngine(async (engine): Promise<Opened> => {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  const { garden } = await plantMapFarm(manager)
  const device = await openPhone(farm, inTheFarm)
  await device.logIn(manager.login)
  const page = await device.openLoaded('/map')
  await keptByWorker(page)
  return { device, hand: new Hand(page, device), manager, garden }
})

test.each(atLeastOn(usual))(
  '%s: a field is drawn with a thumb and 20 beds are made in it, without signal; all of it arrives once',
  async (engine) => {
    const { device, hand, manager } = await opened(engine)
    const { page } = hand
    await device.loseServer()
    await page.goto(`${device.line.base}/app/map`)
    hand.taps = 0
    await hand.link('New area')
    await theMap(page).waitFor()
    await slide(page, [-60, -70])
    await hand.button('Add corner')
    for (const way of [
      [-80, 0],
      [0, -50],
      [80, 0],
    ] as const) {
      await slide(page, way)
      await hand.button('Add corner')
    }
    await page.getByText(/ha$/).waitFor()
    await hand.button('Finish')
    await page.getByLabel('Name', { exact: true }).fill('Mill Field')
    await hand.button('Save Mill Field')
    await hand.link('Make beds in it')
    await hand.button('Make 20 beds')
    await page.getByText('20 beds in Mill Field').waitFor()
    expect(hand.taps).toBe(9)
    expect(new URL(page.url()).pathname).toBe('/app/map')
    await page.getByRole('heading', { level: 2, name: 'Mill Field' }).waitFor()

    await device.restoreSignal()
    const [field] = await areasNamed(manager, 'Mill Field')
    const corners = cornersOf(field)
    expect(corners).toHaveLength(5)
    expect(field.area_type).toBe('field')
    for (let number = 1; number <= 20; number++) {
      const [bed] = await areasNamed(manager, `Mill Field ${number}`)
      expect(bed).toMatchObject({ area_type: 'bed', parent: [{ id: field.tid }] })
      const [one, other, third] = cornersOf(bed)
      expect(metresBetween(other ?? [0, 0], third ?? [0, 0])).toBeCloseTo(0.75, 2)
      expect(metresBetween(one ?? [0, 0], other ?? [0, 0])).toBeGreaterThan(50)
    }
    expect(device.complaints).toEqual([])
  },
)

test('one tap takes all beds back, and nothing else', async () => {
  const { device, hand, manager, garden } = await opened(usual)
  const { page } = hand
  await device.begin(page, `/area/${garden}`)
  await hand.link('Make beds')
  await page.getByLabel('How many').fill('7')
  await page.getByText('Garden 1 to Garden 7').waitFor()
  await hand.button('Make 7 beds')
  await areasNamed(manager, 'Garden 7')
  await hand.button('Undo')
  await page.getByText('Taken back').waitFor()
  for (let number = 1; number <= 7; number++) await areasNamed(manager, `Garden ${number}`, 0)
  await areasNamed(manager, 'Garden')
})

test('too many beds, and those that reach out of the area, are told before anything is made', async () => {
  const { device, hand, garden } = await opened(usual)
  const { page } = hand
  await device.begin(page, `/draw/${garden}/beds`)
  await page.getByLabel('How many').fill('201')
  await page.getByText(/at most 200 beds/).waitFor()
  expect(await page.getByRole('button', { name: /^Make/ }).isDisabled()).toBe(true)
  await page.getByLabel('How many').fill('3')
  await page.getByLabel('Length, m').fill('400')
  await page.getByText('3 of them reach out of Garden.').waitFor()
})

test('on foot only a position that is good and new makes a corner', async () => {
  const { device, hand, manager } = await opened(usual)
  const { page } = hand
  const stand = (metres: readonly [number, number], accuracy: number) =>
    device.context.setGeolocation({
      longitude: inTheFarm.longitude + metres[0] / 75_800,
      latitude: inTheFarm.latitude + metres[1] / 111_200,
      accuracy,
    })
  await device.begin(page, '/draw')
  await stand([0, 0], 25)
  await hand.button('Walk it')
  await page.getByText('±25 m: too rough for a corner. It has to be ±10 m or better.').waitFor()
  const add = page.getByRole('button', { name: /^Add corner/ })
  expect(await add.isDisabled()).toBe(true)
  for (const [at, spot] of (
    [
      [0, 0],
      [40, 0],
      [40, 30],
    ] as const
  ).entries()) {
    await stand(spot, 4 + at)
    await hand.button(`Add corner here, ±${4 + at} m`)
  }
  await page.getByText('The last position is too old. Wait for the next one.').waitFor()
  expect(await add.isDisabled()).toBe(true)
  await hand.button('Finish')
  await page.getByLabel('Name', { exact: true }).fill('Walked')
  await hand.button('Save Walked')
  await page.getByText('The farm has it.').waitFor()
  const [walked] = await areasNamed(manager, 'Walked')
  const size = squareMetresOf({ areas: [[cornersOf(walked).flat()]] })
  expect(Math.abs(size / 600 - 1)).toBeLessThan(0.01)
})

test('a tap on a corner chooses it, and it goes where the map is slid', async () => {
  const { device, hand } = await opened(usual)
  const { page } = hand
  await device.begin(page, '/draw')
  await theMap(page).waitFor()
  await hand.button('On the map')
  for (const way of [
    [-60, -40],
    [-80, 0],
  ] as const) {
    await slide(page, way)
    await hand.button('Add corner')
  }
  const before = await page.locator('.draw-figures').innerText()
  await page.getByRole('application').tap()
  await page.getByRole('heading', { name: 'Corner 2 of 2' }).waitFor()
  await slide(page, [-80, 0])
  await hand.button('Put it here')
  await page.getByText(/corner 3$/).waitFor()
  expect(await page.locator('.draw-figures').innerText()).not.toBe(before)
  await page.reload()
  await hand.button('Start new')
  await page.getByText('No corner yet').waitFor()
})

test('a shape that is half drawn outlasts a page that is killed, and is offered again', async () => {
  const { device, hand, manager } = await opened(usual)
  await device.begin(hand.page, '/draw')
  const page = await device.open('/draw')
  const other = new Hand(page, device)
  await theMap(page).waitFor()
  await other.button('On the map')
  for (const way of [
    [-60, -40],
    [-40, 0],
  ] as const) {
    await slide(page, way)
    await other.button('Add corner')
  }
  await page.goto('chrome://crash').catch(() => {})
  await device.begin(hand.page, '/map')
  await hand.link('Go on drawing')
  await hand.page.getByText(/^Begun/).waitFor()
  await hand.page.getByText(/corner 3$/).waitFor()
  await slide(hand.page, [0, -60])
  await hand.button('Add corner')
  await hand.button('Finish')
  await hand.page.getByLabel('Name', { exact: true }).fill('Half Drawn')
  await hand.button('Save Half Drawn')
  const [drawn] = await areasNamed(manager, 'Half Drawn')
  expect(cornersOf(drawn)).toHaveLength(4)
  await saysInTheStrip(hand.page, /^Sent/)
  await hand.button('Undo')
  await areasNamed(manager, 'Half Drawn', 0)
  await hand.page.getByRole('link', { name: 'New area' }).waitFor()
})
