import { expect, test } from 'vitest'
import { openDeviceFor } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { day, plantHillFarm } from './app-record-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const planted = await plantHillFarm(manager)
const long = (daysAgo: number) => planted.now - daysAgo * day
const done = (name: string, daysAgo: number, more: object) =>
  manager.create('log', { name, type: 'farm_activity', timestamp: long(daysAgo), done: '1', ...more })

async function openDesk(path: string) {
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.openLoaded('/')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${device.line.base}/app${path}`)
  return { device, page, list: page.locator('.split > .pane').first() }
}

test('on a desk an animal stands beside its herd, unless it was chosen from another list', async () => {
  const { page, list } = await openDesk(`/asset/${planted.cow}`)
  await list.getByRole('heading', { level: 1, name: 'Milkers' }).waitFor()
  await list.getByText('2 in North 3').waitFor()
  const eye = list.getByRole('region', { name: 'Needs an eye' })
  expect(await eye.getByRole('link').allInnerTexts()).toEqual([expect.stringMatching(/^117\nMilk withheld/)])
  await list.getByLabel('Name or tag').fill('118')
  await list.getByRole('link', { name: /^118/ }).click()
  await page.waitForURL(/\/asset\/\d+$/)
  expect(await list.locator('[aria-current]').innerText()).toMatch(/^118/)

  await page.getByRole('link', { name: 'Records', exact: true }).click()
  await list.getByRole('link', { name: 'Stock', exact: true }).click()
  await list.getByRole('link', { name: /^117/ }).click()
  await page.getByRole('heading', { level: 1, name: '117' }).waitFor()
  expect(await list.getByRole('link', { name: 'Stock', exact: true }).count()).toBe(1)
})

test('a line of figures goes on behind the copy, where there is signal', async () => {
  const weight = [{ measure: 'weight', value: '311', unit: { name: 'kg' } }]
  await done('Weighed as a heifer', 520, { asset: [{ id: planted.cow }], quantity: weight })
  const { device, page } = await openDesk(`/asset/${planted.cow}`)
  const chart = page.getByRole('region', { name: 'Weight' })
  await chart.getByText('All 3 figures').waitFor()
  device.line.fate = ({ url }) => (url?.startsWith('/log.json') ? 'cut' : 'pass')
  await chart.getByRole('button', { name: 'Earlier figures' }).click()
  await chart.getByText('What is older needs signal.').waitFor()
  device.line.fate = () => 'pass'
  await chart.getByRole('button', { name: 'Earlier figures' }).click()
  await chart.getByText('All 4 figures').waitFor()
  expect(await chart.getByRole('button', { name: 'Earlier figures' }).count()).toBe(0)
})

test('a herd is told of as one also on a day before the copy', async () => {
  const dry = await manager.create('farm_asset', { name: 'Dry cows', type: 'group' })
  const cow = { type: 'animal', animal_type: { name: 'Dairy cow' } }
  const ids = await Promise.all(['201', '202'].map((name) => manager.create('farm_asset', { name, ...cow })))
  const asset = ids.map((id) => ({ id }))
  await done('Form the dry cows', 610, { asset, membership: { group: [{ id: dry }] } })
  await done('Dry cows to Hill 1', 600, { asset, movement: { area: [{ id: planted.hill }] } })
  await done('Dry cows to North 3', 590, { asset, movement: { area: [{ id: planted.north }] } })
  const { page } = await openDesk(`/area/${planted.hill}?at=${new Date(long(595) * 1000).toISOString().slice(0, 10)}`)
  await page.getByRole('link', { name: /^Dry cows, 2/ }).waitFor()
  expect(await page.getByRole('link', { name: /^20[12]/ }).count()).toBe(0)
})

test('the plan of an area says how long its sides are', async () => {
  const { page } = await openDesk(`/area/${planted.north}`)
  await expect
    .poll(() => page.locator('.record-map .length').allTextContents())
    .toEqual(['143 m', '167 m', '143 m', '167 m'])
})
