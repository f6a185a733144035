import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import beehives from '../../examples/beehives.mjs'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { keptByWorker, openDeviceFor, saysInTheStrip } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { plantSmallFarm } from './app-farm.ts'

const farm = await openFarm({ engine: 'sqlite', farm: await beehives(stockFarm, kit) })
const manager = await farm.login()
const small = await plantSmallFarm(manager)
const device = await openDeviceFor(farm, manager.login)
const page = await device.openLoaded()

const gif = 'R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs='
const goTo = (path: string) => page.goto(`${device.line.base}/app${path}`)
const field = (on: Page, name: string) => on.locator(`[data-field="${name}"]`)
const heading = (on: Page, name: string) => on.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const saveIt = (on: Page) => on.getByRole('button', { name: 'Save', exact: true }).click()

async function choose(on: Page, name: string, found: string): Promise<void> {
  await field(on, name)
    .getByRole('button', { name: /^Choose/ })
    .click()
  await on.getByRole('searchbox', { name: /^Name/ }).fill(found)
  await on.locator('dialog .row').first().click()
  const done = on.getByRole('button', { name: 'Done', exact: true })
  if (await done.isVisible()) await done.click()
}

test.each(atLeastOn('postgres'))(
  '%s: any log is written in its form without signal, to the digit, and is on the farm when the signal is back',
  async (engine) => {
    const own = await openFarm({ engine })
    const writer = await own.login()
    const { rosa, hill } = await plantSmallFarm(writer)
    const phone = await openDeviceFor(own, writer.login)
    const on = await phone.openLoaded('/add/log')
    await keptByWorker(on)
    await on.getByRole('link', { name: 'Medical record' }).click()
    await heading(on, 'New: Medical record')
    await phone.loseServer()
    await choose(on, 'asset', '117')
    await on.getByText('More fields').click()
    await choose(on, 'area', 'Hill')
    await field(on, 'timestamp').getByRole('button', { name: 'Date' }).click()
    await on.getByLabel('When: date').fill('2026-05-03')
    await field(on, 'quantity').getByLabel('Quantity: Measure').selectOption('volume')
    await field(on, 'quantity').getByRole('textbox', { name: 'Quantity: Value' }).fill('18,50')
    await field(on, 'notes').getByLabel('Notes').fill('Left hind foot\nAgain on Friday')
    const chooser = on.waitForEvent('filechooser')
    await field(on, 'images').getByRole('button', { name: 'Photo', exact: true }).click()
    await (await chooser).setFiles({ name: 'foot.gif', mimeType: 'image/gif', buffer: Buffer.from(gif, 'base64') })
    await field(on, 'images').getByRole('img', { name: 'foot.gif' }).waitFor()
    await saveIt(on)
    await heading(on, 'Medical record: Rosa, Hill')
    await saysInTheStrip(on, /waiting$/)
    await phone.restoreSignal()
    await saysInTheStrip(on, /^Sent/)
    const [id] = await writer.ids('/log.json?type=farm_medical')
    expect(await writer.read(`/log/${id}.json`)).toMatchObject({
      name: 'Medical record: Rosa, Hill',
      timestamp: String(Date.UTC(2026, 4, 3, 12) / 1000),
      done: '1',
      asset: [{ id: rosa }],
      area: [{ id: hill }],
      quantity: [{ measure: 'volume', value: '18.50' }],
      notes: { value: 'Left hind foot\nAgain on Friday' },
    })
    await expect.poll(async () => (await writer.read(`/log/${id}.json?files=link`)).images).toHaveLength(1)
    expect(phone.complaints).toEqual([])
  },
  120_000,
)

test('what is wrong is told at its field before anything is saved, and the cursor goes there', async () => {
  await goTo('/add/asset/animal')
  await heading(page, 'New: Animal')
  await saveIt(page)
  await page.getByText('2 fields need another look.').waitFor()
  expect(await field(page, 'name').innerText()).toContain('This is needed.')
  expect(await field(page, 'animal_type').innerText()).toContain('This is needed.')
  expect(await page.evaluate(`document.activeElement.closest('[data-field]').dataset.field`)).toBe('name')
  await field(page, 'name').locator('input').fill('Berta')
  expect(await field(page, 'name').innerText()).not.toContain('This is needed.')
})

test('an edit sends only what was changed, by the keyboard alone', async () => {
  await goTo(`/log/${small.move}/edit`)
  await heading(page, 'Herd to Hill')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await field(page, 'name').locator('input').focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('Herd up the hill')
  await page.keyboard.press('Enter')
  expect((await sent).postDataJSON()).toEqual({ name: 'Herd up the hill' })
  await heading(page, 'Herd up the hill')
  await page.getByText('Herd up the hill is saved').waitFor()
})

test('what was being written is offered after the browser was killed, and is in the form only by a tap', async () => {
  const before = await device.open(`/asset/${small.rosa}/edit`)
  await field(before, 'name').locator('input').fill('Rosa the second')
  const key = `form /asset/${small.rosa}/edit`
  await expect.poll(() => before.evaluate<string[]>(`(${drafts})()`)).toContain(key)
  await before.close({ runBeforeUnload: false })
  const after = await device.open(`/asset/${small.rosa}/edit`)
  await after.getByText(/^Begun .*: Rosa the second$/).waitFor()
  expect(await field(after, 'name').count()).toBe(0)
  await after.getByRole('button', { name: 'Go on' }).click()
  expect(await field(after, 'name').locator('input').inputValue()).toBe('Rosa the second')
  await after.reload()
  await field(after, 'name').waitFor()
  expect(await field(after, 'name').locator('input').inputValue()).toBe('Rosa the second')
  await after.goto(`${device.line.base}/app/asset/${small.rosa}/edit`)
  await after.getByRole('button', { name: 'Start new' }).click()
  expect(await field(after, 'name').locator('input').inputValue()).toBe('Rosa')
  await expect.poll(() => after.evaluate<string[]>(`(${drafts})()`)).not.toContain(key)
  await after.close()
})

const drafts = `async () => {
  const name = (await indexedDB.databases()).map(({ name }) => name).find((name) => name.startsWith('furrow-'))
  const settled = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result) })
  const opened = await settled(indexedDB.open(name))
  const keys = await settled(opened.transaction('draft').objectStore('draft').getAllKeys())
  opened.close()
  return keys
}`

test('what the server finds later opens in the form, at its field, and goes out once it is mended', async () => {
  const doomed = await manager.create('farm_asset', { name: 'Doomed', type: 'equipment' })
  await goTo(`/add/farm_observation?asset=${doomed}`)
  await field(page, 'asset').getByText('Doomed').waitFor()
  await device.loseServer()
  await field(page, 'name').locator('input').fill('Seen, but of what')
  await saveIt(page)
  await saysInTheStrip(page, /waiting$/)
  await manager.delete(`/farm_asset/${doomed}`)
  await device.restoreSignal()
  await saysInTheStrip(page, /needs you$/)
  await page.getByRole('link', { name: 'Edit' }).click()
  await field(page, 'asset').locator('.fault').waitFor()
  await field(page, 'asset')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await saveIt(page)
  await saysInTheStrip(page, /^Sent/)
  expect(await manager.ids('/log.json?name=Seen, but of what')).toHaveLength(1)
})

test('what a module brings has its form without a line of code', async () => {
  await goTo('/add/asset')
  await page.getByRole('link', { name: 'Hive', exact: true }).click()
  await heading(page, 'New: Hive')
  await field(page, 'name').locator('input').fill('Linden 4')
  await page.getByText('More fields').click()
  await field(page, 'hive_system').getByRole('button', { name: 'Dadant' }).click()
  await field(page, 'queen_marked').getByRole('switch').check()
  await choose(page, 'bee_breed', 'Buckfast')
  await saveIt(page)
  await heading(page, 'Linden 4')
  await saysInTheStrip(page, /^Sent/)
  const [id] = await manager.ids('/farm_asset.json?type=hive')
  expect(await manager.read(`/farm_asset/${id}.json`)).toMatchObject({
    name: 'Linden 4',
    hive_system: 'dadant',
    queen_marked: true,
    bee_breed: { name: 'Buckfast' },
  })
  await goTo('/add/log/farm_observation')
  await page.getByText('More fields').click()
  await field(page, 'brood_frames').getByRole('button', { name: 'Frames with brood: one more' }).click()
  expect(await field(page, 'brood_frames').locator('input').inputValue()).toBe('1')
  expect(await field(page, 'flags').getByRole('button', { name: 'About to swarm' }).count()).toBe(1)
})

test('what is referred to before it is there is made in place: a word by its name, an asset by its form, in one set', async () => {
  await goTo('/add/log/farm_seeding')
  await field(page, 'asset')
    .getByRole('button', { name: /^Choose/ })
    .click()
  await page.getByRole('searchbox', { name: 'Name or tag' }).fill('Leeks of the bed')
  await page.getByRole('button', { name: 'New: Leeks of the bed' }).click()
  const sheet = page.getByRole('dialog', { name: 'New: Leeks of the bed' })
  await field(page, 'crop')
    .getByRole('button', { name: /^Choose/ })
    .click()
  const crops = page.getByRole('dialog', { name: 'Crop/variety' })
  await crops.getByRole('searchbox', { name: 'Name' }).fill('Leek')
  await page.getByRole('button', { name: 'New: Leek', exact: true }).click()
  await crops.getByRole('button', { name: 'Done' }).click()
  const sent = page.waitForRequest((request) => request.url().endsWith('/batch'))
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  const done = page.getByRole('button', { name: 'Done', exact: true })
  if (await done.isVisible()) await done.click()
  await saveIt(page)
  await heading(page, 'Seeding: Leeks of the bed')
  expect((await sent).postDataJSON().operations).toHaveLength(2)
  await saysInTheStrip(page, /^Sent/)
  const [log] = await manager.ids('/log.json?type=farm_seeding')
  const seeding = await manager.read(`/log/${log}.json`)
  expect(await manager.read(`/farm_asset/${seeding.asset[0].id}.json`)).toMatchObject({
    name: 'Leeks of the bed',
    crop: [{ name: 'Leek' }],
  })
})

test('a photo that the browser cannot read is refused in words when it is picked, and the text is saved', async () => {
  await goTo('/add/log/farm_observation')
  await page.getByRole('button', { name: 'Start new' }).click()
  await field(page, 'name').locator('input').fill('Seen without its photo')
  await page.getByText('More fields').click()
  const chooser = page.waitForEvent('filechooser')
  await field(page, 'images').getByRole('button', { name: 'From this device' }).click()
  await (await chooser).setFiles([
    { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') },
    { name: 'hare.gif', mimeType: 'image/gif', buffer: Buffer.from(gif, 'base64') },
  ])
  await page.getByText('IMG_1.HEIC was not added: this browser cannot read it.', { exact: false }).waitFor()
  await field(page, 'images').getByRole('img', { name: 'hare.gif' }).waitFor()
  expect(await field(page, 'images').getByRole('img').count()).toBe(1)
  await page.getByRole('button', { name: 'All right' }).click()
  await saveIt(page)
  await heading(page, 'Seen without its photo')
  await saysInTheStrip(page, /^Sent/)
  expect(await manager.ids('/log.json?name=Seen without its photo')).toHaveLength(1)
})

test('the pages complained about nothing', () => {
  expect(device.complaints).toEqual([])
})
