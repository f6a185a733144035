import { expect, test } from 'vitest'
import { prepareFirstRun } from '../../src/access/first-run.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { copiesOn, openDevice, saysInTheStrip, stored } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { rowCounts } from '../records/rows.ts'

const farm = await openFarm({ engine: 'sqlite' })
const device = await openDevice(farm)
const page = await device.context.newPage()

test('the demo needs no account, sends nothing, and is gone when it is left', async () => {
  const before = await rowCounts(farm)
  await page.goto(device.line.base + (await prepareFirstRun(farm.installation)))
  await page.getByRole('link', { name: 'Look around in a demo farm' }).click()
  await saysInTheStrip(page, /^Demo/)
  await page.getByRole('heading', { name: 'Due today' }).waitFor()
  await expectAccessible(page, 'demo: today')
  const asked = device.line.asked.length
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await page.locator('canvas').first().waitFor()
  await page.goto(`${device.line.base}/app/map?at=2026-05-01`)
  await saysInTheStrip(page, /^Demo/)
  await page.goto(`${device.line.base}/app/trash`)
  await page.getByText('This needs signal.').waitFor()
  await page.goto(`${device.line.base}/app/settings`)
  await page.getByText('Only a manager of this farm can do this').waitFor()
  await page.goto(`${device.line.base}/app/add/observe`)
  await page.getByLabel('What did you see?').fill('Only in the demo')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.goto(`${device.line.base}/app/`)
  await page.getByText('Only in the demo').waitFor()
  await saysInTheStrip(page, /^Demo/)
  expect(await stored(page, 'outbox', 'furrow-demo-0')).toHaveLength(1)
  await page.waitForTimeout(2_000)
  const told = device.line.asked.slice(asked).filter((one) => !/^GET \/(?:app\/|furrow)/.test(one))
  expect(told).toEqual([])
  expect(await rowCounts(farm)).toEqual(before)
  await page.getByRole('link', { name: 'Demo · Leave the demo' }).click()
  await page.getByText('There is no account yet.').waitFor()
  expect(await copiesOn(page)).not.toContain('furrow-demo-0')
  await page.goto(`${device.line.base}/app/`)
  await page.getByRole('heading', { name: 'Log in to see the farm.' }).waitFor()
  expect(device.complaints).toEqual([])
})

test('the login page of an empty farm leads there, too; that of another does not', async () => {
  const manager = await farm.login()
  const login = async () => (await farm.anonymous.get('/user/login', { accept: 'text/html' })).text
  expect(await login()).toContain('/app/?demo=1')
  await manager.post('/log', { name: 'Rain', type: 'farm_observation', timestamp: 1_700_000_000 })
  expect(await login()).not.toContain('/app/?demo=1')
})
