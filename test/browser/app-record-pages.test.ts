import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import beehives from '../../examples/beehives.mjs'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { expectAccessible, expectNoOverflow } from '../harness/accessibility.ts'
import { type Device, keptByWorker, openDeviceFor } from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { day, type HillFarm, plantHillFarm } from './app-record-farm.ts'
import { onePerEngine } from './one-per-engine.ts'

interface Opened {
  readonly manager: Client
  readonly device: Device
  readonly page: Page
  readonly planted: HillFarm
}

/** One farm and one device for all tests that leave its records alone. */
const hillFarm = onePerEngine(async (engine): Promise<Opened> => {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  const planted = await plantHillFarm(manager)
  const device = await openDeviceFor(farm, manager.login)
  return { device, page: await device.openLoaded(), planted, manager }
})

const usual = 'sqlite'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const goTo = async ({ device, page }: Pick<Opened, 'device' | 'page'>, path: string) => {
  await page.goto(`${device.line.base}/app${path}`)
}
/** With signal, whatever became of the test before. */
const begin = async (): Promise<Opened> => {
  const opened = await hillFarm(usual)
  await opened.device.restoreSignal()
  return opened
}

test.each(atLeastOn(usual))(
  '%s: where an animal is, since when and why, is two taps away, with a server and without',
  async (engine) => {
    const opened = await hillFarm(engine)
    const { device, page, planted } = opened
    await keptByWorker(page)
    for (const way of ['with a server', 'without'] as const) {
      if (way === 'without') await device.loseServer()
      await goTo(opened, `/asset/${planted.milkers}`)
      await page.getByRole('link', { name: /^117/ }).click()
      await heading(page, '117')
      const where = page.getByRole('region', { name: 'Where it is' })
      await expect.poll(() => where.innerText()).toMatch(/In North 3\s+since .+\s+because it moved with Milkers/)
      await where.getByRole('link', { name: 'because it moved with Milkers' }).click()
      await heading(page, 'Milkers to North 3')
      await page.getByText('Recorded by').waitFor()
      await expect.poll(() => page.locator('.facts').first().innerText()).toMatch(/From\s+Hill 1/)
    }
    expect(device.complaints).toEqual([])
  },
)

test('an asset has its groups, its weights as a line with a table, its plans, its tag, its photos and its offspring', async () => {
  const opened = await begin()
  const { page, planted } = opened
  await goTo(opened, `/asset/${planted.cow}`)
  await heading(page, '117')
  expect(await page.locator('.record-head').innerText()).toContain('tag DE 01 117')
  await page.getByRole('link', { name: 'Milkers, 2' }).waitFor()
  const chart = page.getByRole('img', { name: /^Weight: from 598 kg on .+ to 648 kg on / })
  await chart.waitFor()
  await page.getByText('All 3 figures').click()
  await expect.poll(() => page.locator('.figures tbody td.num').allInnerTexts()).toEqual(['648', '612', '598'])
  await page
    .getByRole('link', { name: /Milk withheld.*Due/ })
    .first()
    .waitFor()
  expect(await page.getByText('DE 01 117, Left ear').count()).toBe(1)
  await page.getByRole('region', { name: 'Offspring' }).getByRole('link', { name: /188/ }).click()
  await heading(page, '188')
  await page.getByRole('region', { name: 'Parents' }).getByRole('link', { name: /117/ }).waitFor()
})

test('a timeline has the logs of the groups of that time, and what is older than the copy from the server', async () => {
  const opened = await begin()
  const { device, page, planted } = opened
  await goTo(opened, `/asset/${planted.cow}`)
  const happened = page.getByRole('region', { name: 'What happened' })
  const names = () => happened.locator('.row .t b').allInnerTexts()
  await happened.getByRole('link', { name: /Milked.*with Milkers · 884 litres/ }).waitFor()
  await expect
    .poll(names)
    .toEqual([
      '<img src=x onerror=alert(1)>',
      'Milked',
      'Milkers to North 3',
      'Weighed',
      'Weighed',
      'Milkers to Hill 1',
      'Weighed',
      'Form the Milkers',
      'Grows up with the Heifers',
    ])
  await happened.getByRole('link', { name: /Milkers to North 3.*with Milkers · from Hill 1/ }).waitFor()
  device.line.fate = ({ url }) => (url?.startsWith('/log.json') ? 'cut' : 'pass')
  await page.getByRole('button', { name: 'Older' }).click()
  await page.getByText('What is older needs signal.').waitFor()
  device.line.fate = () => 'pass'
  await page.getByRole('button', { name: 'Older' }).click()
  await happened.getByRole('link', { name: /Calved long ago/ }).waitFor()
  expect((await names()).filter((name) => name === 'Calved long ago')).toHaveLength(1)
  expect(await page.getByRole('button', { name: 'Older' }).count()).toBe(0)
})

test('what was in an area on a day is said by its page, from the copy and, before that, from the server', async () => {
  const opened = await begin()
  const { page, planted } = opened
  const isoDay = (daysAgo: number) => new Date((planted.now - daysAgo * day) * 1000).toISOString().slice(0, 10)
  await goTo(opened, `/area/${planted.hill}`)
  await heading(page, 'Hill 1')
  await page.getByText(/Nothing is here\. Rested for 9 days\./).waitFor()
  await page.getByLabel('As it was on').fill(isoDay(30))
  await page.getByRole('link', { name: /^Milkers, 2/ }).waitFor()
  expect(new URL(page.url()).searchParams.get('at')).toBe(isoDay(30))
  const ribbon = page.getByRole('img', { name: /days grazed since/ })
  const lastMonth = (daysAgo: number) =>
    new Intl.DateTimeFormat('en-US', { month: 'short' }).format((planted.now - daysAgo * day) * 1000)
  await expect.poll(() => ribbon.locator('g text').last().textContent()).toBe(lastMonth(30))
  await page.getByText('1 stay').click()
  await expect.poll(() => page.locator('.figures tbody').innerText()).toMatch(/Milkers, 2.*51 days/s)
  await goTo(opened, `/area/${planted.north}?at=${isoDay(650)}`)
  await page.getByRole('link', { name: /^117/ }).waitFor()
  await page.getByRole('link', { name: 'Back to today' }).click()
  await page.getByRole('link', { name: /^Milkers, 2.*since .*from Hill 1/ }).waitFor()
})

test('a hostile note is only words, its link is safe, its photo is shown and its file is saved', async () => {
  const opened = await begin()
  const { device, page, planted } = opened
  await goTo(opened, `/log/${planted.hostile}`)
  await heading(page, '<img src=x onerror=alert(1)>')
  await expect.poll(() => page.locator('.note').innerText()).toBe('Gate open\npress the vet (https://vet.example/a)')
  const link = page.locator('.note a')
  expect(
    await link.evaluateAll((all) => all.map((one) => [one.getAttribute('href'), one.getAttribute('rel')])),
  ).toEqual([['https://vet.example/a', 'noopener noreferrer']])
  const widthOfPhoto = () => page.evaluate('document.querySelector(".photos img")?.naturalWidth')
  await expect.poll(widthOfPhoto).toBe(1)
  await page.locator('.photos button').click()
  await page.getByRole('dialog').getByRole('link', { name: 'Save' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.locator('.downloads a').getAttribute('download')).not.toBe('')
  expect(await page.title()).not.toContain('owned')
  expect(device.complaints).toEqual([])
})

test('a record tells who changed what in the words of the farm, how programs call it, and who removed it', async () => {
  const opened = await begin()
  const { page, manager } = opened
  const area = (name: string) => manager.create('taxonomy_term', { name, vocabulary: 'farm_areas', area_type: 'field' })
  const [first, second] = [await area('South 5'), await area('South 6')]
  const bull = await manager.create('farm_asset', { name: 'Bull', type: 'animal', animal_type: { name: 'Bull' } })
  const moved = await manager.create('log', {
    ...{ name: 'Bull to the south', type: 'farm_activity', timestamp: opened.planted.now - day, done: '1' },
    ...{ asset: [{ id: bull }], movement: { area: [{ id: first }] } },
  })
  await manager.put(`/log/${moved}`, { name: 'Bull away', movement: { area: [{ id: second }] } })
  await goTo(opened, `/log/${moved}?show=history`)
  const changed = page.locator('.changes > li', { hasText: 'changed it' })
  await expect.poll(() => changed.locator('.facts').innerText()).toMatch(/Movement.*South 5.*→.*South 6/s)
  await page.getByText('Number and address').click()
  await page.getByRole('link', { name: new RegExp(`/log/${moved}\\.json$`) }).waitFor()
  const { uuid } = await manager.read(`/log/${moved}.json?with=uuid`)
  await goTo(opened, `/log/${uuid}`)
  await heading(page, 'Bull away')
  await manager.delete(`/log/${moved}`)
  await goTo(opened, `/log/${moved}`)
  await page.getByText(new RegExp(`${manager.login.name} removed this on`)).waitFor()
  await goTo(opened, '/log/99999')
  await page.getByText('There is nothing here.').waitFor()
})

test('because.json says which log decided and why others did not; without signal the page says what it lacks', async () => {
  const opened = await begin()
  const { device, page, planted } = opened
  await goTo(opened, `/asset/${planted.cow}?show=why`)
  const reason = page.locator('.reason').first()
  await reason.waitFor()
  await expect.poll(() => reason.innerText()).toMatch(/Location\s+Milkers to North 3.+Milkers to Hill 1 is earlier/s)
  await keptByWorker(page)
  const { target } = device.line
  device.line.target = null
  await page.reload()
  await heading(page, '117')
  await page.getByText('This needs signal.').waitFor()
  await goTo(opened, '/log/99999')
  await page.getByText('This needs signal.').waitFor()
  device.line.target = target
})

test('what a module adds appears by itself, on its assets, its logs and its areas', async () => {
  const farm = await openFarm({ engine: 'sqlite', farm: await beehives(stockFarm, kit) })
  const manager = await farm.login()
  const apiary = await manager.create('taxonomy_term', {
    name: 'Orchard',
    vocabulary: 'farm_areas',
    area_type: 'apiary',
  })
  const hive = await manager.create('farm_asset', {
    name: 'Hive 3',
    type: 'hive',
    bee_breed: [{ name: 'Buckfast' }],
    hive_system: 'dadant',
    queen_marked: true,
    flags: ['swarming'],
    queen_hatched: Date.UTC(2026, 4, 3) / 1000,
  })
  const inspected = await manager.create('log', {
    name: 'Opened the hive',
    type: 'farm_observation',
    timestamp: Math.floor(Date.now() / 1000) - day,
    done: '1',
    asset: [{ id: hive }],
    movement: { area: [{ id: apiary }] },
    brood_frames: 7,
    queen_seen: true,
  })
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.openLoaded(`/asset/${hive}`)
  await heading(page, 'Hive 3')
  await page.getByText('Number and address').waitFor()
  await expect
    .poll(() => page.locator('article').innerText())
    .toMatch(
      /Hive\b.+About to swarm.+In Orchard.+Breed\s+Buckfast\s+System\s+Dadant\s+Queen is marked\s+yes\s+Queen hatched\s+(May 3|3 May)/s,
    )
  await goTo({ device, page }, `/log/${inspected}`)
  await heading(page, 'Opened the hive')
  await page.getByText('Number and address').waitFor()
  await expect
    .poll(() => page.locator('.facts').first().innerText())
    .toMatch(/Frames with brood\s+7\s+Queen seen\s+yes/)
  await goTo({ device, page }, `/area/${apiary}`)
  await page.getByText('Apiary').first().waitFor()
  await page.getByRole('link', { name: /^Hive 3.*since/ }).waitFor()
})

test('the pages of records are clean for axe, and nothing has to be scrolled sideways', async () => {
  const opened = await begin()
  const { page, planted } = opened
  const pages = [
    `/asset/${planted.cow}`,
    `/area/${planted.north}?show=ids`,
    `/log/${planted.hostile}?show=history`,
    `/asset/${planted.milkers}?show=why`,
  ]
  for (const path of pages) {
    await page.setViewportSize({ width: 320, height: 740 })
    await goTo(opened, path)
    await page.getByText('Number and address').waitFor()
    await expectNoOverflow(page, `${path} at 320 px`)
    await expectAccessible(page, path)
  }
})
