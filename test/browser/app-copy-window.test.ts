import { expect, test } from 'vitest'
import { keptByWorker, openDeviceFor, stored } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { plantSmallFarm } from './app-farm.ts'

const day = 86_400
const now = Math.floor(Date.now() / 1000)
const isoDay = (daysAgo: number) => new Date((now - daysAgo * day) * 1000).toISOString().slice(0, 10)

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const planted = await plantSmallFarm(manager)

const done = (name: string, daysAgo: number, more: object) =>
  manager.create('log', { name, type: 'farm_activity', timestamp: now - daysAgo * day, done: '1', ...more })
const counted = (asset: string, value: string) => ({ inventory: [{ asset: { id: asset }, value }] })

async function openLoaded(path: string) {
  const device = await openDeviceFor(farm, manager.login)
  return { device, page: await device.openLoaded(path) }
}

test('how many there are follows also when a log from before the copy is changed or removed', async () => {
  const hens = await manager.create('farm_asset', { name: 'Hens', type: 'group' })
  const first = await done('Hens bought', 600, counted(hens, '40'))
  const second = await done('Hens counted', 550, counted(hens, '7'))
  const { device, page } = await openLoaded('/')
  await expect.poll(() => device.line.streams).toBe(1)
  const inventory = async () => (await stored(page, 'record')).find(({ name }) => name === 'Hens')?.fields.inventory
  expect(await inventory()).toBe('47')
  await manager.put(`/log/${second}`, { inventory: [] })
  await expect.poll(inventory).toBe('40')
  await manager.delete(`/log/${first}`)
  await expect.poll(inventory).toBe('0')
  await page.goto(`${device.line.base}/app/asset/${hens}`)
  await page.getByRole('region', { name: 'What happened' }).waitFor()
  expect(await page.getByText('40', { exact: true }).count()).toBe(0)
})

test('a second tab takes the copy as it is, and loads nothing again', async () => {
  const { device } = await openLoaded('/')
  device.line.asked.length = 0
  await device.openLoaded(`/asset/${planted.rosa}`)
  const lists = device.line.asked.filter((line) => /^GET \/(log|farm_asset|taxonomy_term|catalogue)\.json/.test(line))
  expect(lists).toEqual([])
})

test('of a day before the copy nobody says that nothing was there', async () => {
  const { device, page } = await openLoaded('/')
  await page.goto(`${device.line.base}/app/asset/${planted.rosa}?at=${isoDay(650)}`)
  const words = 'This day is from before the copy on this device.'
  await page.getByText(words).waitFor()
  await page.goto(`${device.line.base}/app/map?area=${planted.hill}&at=${isoDay(650)}`)
  await page.getByText(words).first().waitFor()
  expect(await page.getByText(/^Nothing was/).count()).toBe(0)
  const slider = page.getByRole('slider')
  await slider.press('ArrowLeft')
  await expect.poll(() => (new URL(page.url()).searchParams.get('at') ?? '') >= isoDay(400)).toBe(true)
})

const many = Array.from({ length: 52 }, (_, index) => index)
const newArea = (name: string) =>
  manager.create('taxonomy_term', { name, vocabulary: 'farm_areas', area_type: 'paddock' })

test('all logs of one second come from the server, however many there are', async () => {
  const pen = await newArea('Pen')
  await Promise.all(many.map((count) => done(`Line ${count}`, 450, { area: [{ id: pen }] })))
  const { page } = await openLoaded(`/area/${pen}`)
  await expect.poll(() => page.getByRole('link', { name: /Line \d/ }).count()).toBe(many.length)
})

test('an area lists as many stays as it says', async () => {
  const fold = await newArea('Fold')
  const ram = await manager.create('farm_asset', { name: 'Ram', type: 'group' })
  const movement = { asset: [{ id: ram }], movement: { area: [{ id: fold }] } }
  await Promise.all(many.map((count) => done('Ram comes', count + 1, movement)))
  const { page } = await openLoaded(`/area/${fold}`)
  const list = page.locator('details', { has: page.getByText(`${many.length} stays`) })
  await list.getByText(`${many.length} stays`).click()
  await list.getByRole('button', { name: 'Older' }).click()
  await expect.poll(() => list.locator('tbody tr').count()).toBe(many.length)
  expect(await list.getByRole('button', { name: 'Older' }).count()).toBe(0)
})

test('a clock that is wrong is still corrected after a start without signal', async () => {
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.context.newPage()
  const behind = Date.now() - 3_600_000
  await page.clock.setSystemTime(behind)
  await page.goto(`${device.line.base}/app/`)
  await page.getByText('The clock of this device is 60 minutes slow.').waitFor()
  await keptByWorker(page)
  await done('To the byre', 10 / 1440, { asset: [{ id: planted.herd }], movement: { area: [{ id: planted.byre }] } })
  await page.reload()
  await expect.poll(async () => (await stored(page, 'record')).map(({ name }) => name)).toContain('To the byre')
  await device.loseServer()
  await page.goto(`${device.line.base}/app/asset/${planted.herd}`)
  await page.getByRole('link', { name: 'Byre', exact: true }).waitFor()
})
