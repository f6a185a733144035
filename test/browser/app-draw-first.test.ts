import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/accessibility.ts'
import { type Device, openDeviceFor } from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { areasNamed, cornersOf, press, theMap } from './app-draw-farm.ts'
import { onePerEngine } from './one-per-engine.ts'

interface Opened {
  readonly device: Device
  readonly page: Page
  readonly manager: Client
}

/** A farm on which nothing has been drawn yet. */
const opened = onePerEngine(async (engine): Promise<Opened> => {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  const device = await openDeviceFor(farm, manager.login)
  return { device, page: await device.openLoaded('/map'), manager }
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A triangle where the cross is, under that name. */
async function drawThere(page: Page, name: string): Promise<void> {
  await theMap(page).waitFor()
  await button(page, 'Add corner').click()
  await press(page, 'ArrowRight', 3)
  await press(page, 'Enter')
  await press(page, 'ArrowDown', 3)
  await press(page, 'Enter')
  await button(page, 'Finish').click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `${name} is on the map` }).waitFor()
}

async function firstCornerOf(manager: Client, name: string) {
  const [drawn] = await areasNamed(manager, name)
  return cornersOf(drawn)[0]
}

/** Until nothing is drawn again. */
async function takeBack({ page, manager, device }: Opened, name: string): Promise<void> {
  await areasNamed(manager, name)
  await button(page, 'Undo').click()
  await areasNamed(manager, name, 0)
  await device.begin(page, '/map')
}

test('an empty map asks where the farm is: where somebody stands, what they type, or nowhere', async () => {
  const farm = await opened('sqlite')
  const { device, page, manager } = farm
  await device.begin(page, '/map')
  await page.getByText('Where is your farm?').waitFor()
  await expectAccessible(page, 'an empty map')
  await device.begin(page, '/map')

  await button(page, 'Where I am now').click()
  await page
    .getByRole('alert')
    .getByText(/may not ask for your position/)
    .waitFor()
  await device.context.grantPermissions(['geolocation'])
  await device.context.setGeolocation({ longitude: 8.24, latitude: 47.1, accuracy: 8 })
  await button(page, 'Where I am now').click()
  await drawThere(page, 'Here')
  const here = await firstCornerOf(manager, 'Here')
  expect(here?.[0]).toBeCloseTo(8.24, 4)
  expect(here?.[1]).toBeCloseTo(47.1, 4)
  await takeBack(farm, 'Here')

  await page.getByLabel('Latitude and longitude').fill('over there')
  await button(page, 'Go').click()
  await page.getByText('Two numbers, such as 47.10, 8.24.').waitFor()
  await page.getByLabel('Latitude and longitude').fill('-33,5 70,25')
  await button(page, 'Go').click()
  await drawThere(page, 'There')
  const there = await firstCornerOf(manager, 'There')
  expect(there?.[0]).toBeCloseTo(70.25, 4)
  expect(there?.[1]).toBeCloseTo(-33.5, 4)
  await takeBack(farm, 'There')

  await page.getByRole('link', { name: /^Skip: squares/ }).click()
  await theMap(page).waitFor()
  await page
    .getByText('100 m', { exact: true })
    .or(page.getByText('50 m', { exact: true }))
    .first()
    .waitFor()
  expect(device.complaints).toEqual([])
})

test('where no area is drawn yet, the list of areas asks the same', async () => {
  const { device, page, manager } = await opened('sqlite')
  await manager.create('taxonomy_term', { name: 'North 1', vocabulary: 'farm_areas', area_type: 'paddock' })
  await device.begin(page, '/map')
  await page.getByText('None of the areas is drawn yet.').waitFor()
  await page.getByText('Where is your farm?').waitFor()
  const [north] = await areasNamed(manager, 'North 1')
  await device.begin(page, `/area/${north.tid}`)
  await page.getByRole('link', { name: 'Draw its shape' }).click()
  await theMap(page).waitFor()
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) {
    await press(page, key, 3)
    await press(page, 'Enter')
  }
  await button(page, 'Finish').click()
  await page.getByText('North 1 has its new shape').waitFor()
  await expect.poll(async () => cornersOf((await areasNamed(manager, 'North 1'))[0] ?? {})).toHaveLength(4)
})
