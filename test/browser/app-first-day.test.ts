import { expect, test } from 'vitest'
import { openFarm } from '../harness/farm.ts'
import { handOf, logsNamed } from './app-entry-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const hand = await handOf(farm, manager)
const { page } = hand

const mostTaps = 35
const mostFields = 8

test('a new farm comes to herd, move, planting and harvest with a photo by few taps and typed fields', async () => {
  let fields = 0
  const type = async (label: string | RegExp | null, text: string) => {
    fields += 1
    await (label === null ? page.getByRole('searchbox') : page.getByLabel(label, { exact: true })).fill(text)
  }
  await hand.device.begin(page, '/')
  hand.taps = 0
  await hand.tap(page.locator('.bar').getByRole('link', { name: 'Add' }))
  await hand.link(/^Move/)
  await hand.link('Make a herd')
  await type('Name', 'Milkers')
  await type('Tags, such as 101–140', '101–140')
  await hand.row(/^Species or breed/)
  await type(null, 'Cow')
  await hand.row(/Cow/)
  await hand.row(/^Where it is/)
  await type(null, 'Hill')
  await hand.row(/Hill/)
  await hand.button('Save the herd with 40 head')
  await hand.says('Milkers to…')
  // The herd has its number from here on, and the address still has its UUID.
  await page.locator('.strip').getByText(/^Sent/).waitFor()
  await type(null, 'North')
  await hand.row(/North/)
  await hand.says('Milkers (40) are now in North')
  await hand.button('That’s right')

  await hand.tap(page.locator('.bar').getByRole('link', { name: 'Add' }))
  await hand.link(/^Seed/)
  await type(null, 'Carrot')
  await hand.row(/Carrot/)
  await type(null, 'Bed 1')
  await hand.row(/Bed 1/)
  await hand.button('Save')
  await hand.button('That’s right')

  await hand.tap(page.locator('.bar').getByRole('link', { name: 'Add' }))
  await hand.link(/^Harvest/)
  await hand.row(/^Carrot, Bed 1/)
  await hand.type('18')
  const camera = page.waitForEvent('filechooser')
  await hand.button('Photo')
  const buffer = await page.screenshot({ type: 'jpeg' })
  await (await camera).setFiles({ name: 'carrots.jpg', mimeType: 'image/jpeg', buffer })
  await hand.button('Save 18 kg')
  await hand.says(/Carrot/)

  const [move] = await logsNamed(manager, 'Milkers to North')
  expect(move.asset).toHaveLength(41)
  await expect.poll(async () => (await manager.read('/log.json?type=farm_harvest')).list[0]?.images).toHaveLength(1)
  expect(hand.taps).toBeLessThanOrEqual(mostTaps)
  expect(fields).toBeLessThanOrEqual(mostFields)
})
