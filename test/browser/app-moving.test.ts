import { expect, test } from 'vitest'
import { farmos } from '../farmos-server/client.ts'
import { manager as there } from '../farmos-server/farms/hill-farm.ts'
import { expectAccessible, expectNoOverflow } from '../harness/accessibility.ts'
import { openDevice, openDeviceSpeaking } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { plainHillFarm } from '../in-and-out/moving-in.ts'

const later = 1_900_000_000

test('a manager moves a farmOS in from the app, sees the verdict, makes links, and takes it back', async () => {
  const old = plainHillFarm()
  const server = await farmos(old)
  const farm = await openFarm({ engine: 'sqlite', settings: { moveFromPrivate: true } })
  const manager = await farm.login()
  const device = await openDevice(farm)
  await device.logIn(manager.login)
  const page = await device.openLoaded()
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const field = (label: string) => page.getByLabel(label, { exact: true })

  await device.begin(page, '/import')
  await page.getByRole('link', { name: 'All records, photos and people of a farmOS' }).click()
  await page.getByRole('heading', { level: 1, name: 'Move in from farmOS' }).waitFor()
  await expectAccessible(page, 'moving in')
  await field('Address of the old farmOS').fill(server.address)
  await field('Name of a manager there').fill(there.name)
  await field('Password there').fill(there.password)
  await press('Look')
  await page.getByText(/^To read: about \d+ pages/).waitFor()
  await page.getByText(/^Not moved: sensor data/).waitFor()
  await expectNoOverflow(page, 'what a move would be')
  await press('Move in')
  await page.getByRole('heading', { name: 'The farm has moved in' }).waitFor({ timeout: 60_000 })
  await page.getByText('Every record is equal on both sides.').waitFor()
  await page.getByText(/^Trial beside 127.0.0.1:\d+: what you record here is not over there/).waitFor()
  await page.getByRole('link', { name: 'Add' }).click()
  await page
    .getByRole('dialog')
    .getByText(/Recording is off here: record at 127/)
    .waitFor()
  await page.keyboard.press('Escape')
  const isAllowed = page.getByLabel('People may record here during the trial')
  await isAllowed.check()
  await page.getByRole('link', { name: 'Add' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Harvest' }).waitFor()
  await page.keyboard.press('Escape')
  await press('Make a link for each')
  await page.locator('summary', { hasText: 'Link for hanna' }).click()
  const link = await field('Link for hanna').inputValue()
  expect(link).toContain('/new-password#')
  await expectAccessible(page, 'moved in')

  await press('Bring what changed there')
  await page.getByText('0 new, 0 changed, 0 removed').waitFor({ timeout: 60_000 })
  const both = old.logs.find(({ name }) => name === 'Oil')
  if (both === undefined) throw new Error('The farm has no such log.')
  Object.assign(both, { name: 'Both, there', changed: later })
  await manager.put(`/log/${both.id}`, { name: 'Both, here' })
  await press('Bring what changed there')
  await page.getByRole('heading', { name: 'Changed on both sides' }).waitFor({ timeout: 60_000 })
  const german = await openDeviceSpeaking(farm, 'de-DE')
  await german.logIn(manager.login)
  const abroad = await german.open('/moving')
  await abroad.getByRole('heading', { name: 'Auf beiden Seiten geändert' }).waitFor()
  await abroad.getByText('Wie dort: Both, there').waitFor()
  await expectNoOverflow(abroad, 'a question in German')

  await page.getByRole('button', { name: 'As here', exact: true }).click()
  await page.getByRole('heading', { name: 'Changed on both sides' }).waitFor({ state: 'detached', timeout: 60_000 })
  await press('Take the move back')
  await page.getByText(/records go into the trash\. 0 that were made here and 1 that/).waitFor()
  await press('Take it back')
  await page.getByText('The move was taken back.').waitFor({ timeout: 60_000 })
  expect(await manager.ids('/log.json')).toEqual([String(both.id)])
})
