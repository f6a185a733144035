import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, expectNoOverflow, violations } from '../harness/accessibility.ts'
import { frames, openDeviceFor, saysInTheStrip } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { plantSmallFarm } from './app-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const small = await plantSmallFarm(manager)
const device = await openDeviceFor(farm, manager.login)
const page = await device.openLoaded()

const goTo = (path: string) => page.goto(`${device.line.base}/app${path}`)
const heading = (on: Page, name: string) => on.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const press = (on: Page, name: string) => on.getByRole('button', { name, exact: true }).click()

test.each(atLeastOn('postgres'))(
  '%s: what is removed is taken back by undo, and comes back from the trash',
  async (engine) => {
    const own = await openFarm({ engine })
    const worker = await own.login('worker')
    const log = await worker.create('log', { name: 'Mended the gate', type: 'farm_activity', timestamp: 1_600_000_000 })
    const phone = await openDeviceFor(own, worker.login)
    const on = await phone.openLoaded(`/log/${log}`)
    await heading(on, 'Mended the gate')
    await press(on, 'Remove')
    await on.getByText('Mended the gate is removed').waitFor()
    await expect.poll(async () => (await worker.get(`/log/${log}.json`)).status).toBe(404)
    await press(on, 'Undo')
    await expect.poll(async () => (await worker.get(`/log/${log}.json`)).status).toBe(200)
    await saysInTheStrip(on, /^Sent/)

    await worker.delete(`/log/${log}`)
    await on.goto(`${phone.line.base}/app/log/${log}`)
    await press(on, 'Bring back')
    await heading(on, 'Mended the gate')
    await worker.delete(`/log/${log}`)
    await on.goto(`${phone.line.base}/app/trash`)
    await press(on, 'Bring back: Mended the gate')
    await on.getByText('Mended the gate is back').waitFor()
    await expect.poll(async () => (await worker.get(`/log/${log}.json`)).status).toBe(200)
    expect(phone.complaints).toEqual([])
  },
  60_000,
)

test.each([
  ['asset', '/add/asset/equipment', 'Seed drill'],
  ['area', '/add/area/farm_areas', 'Far paddock'],
])('the page of a new %s asks the farm nothing about it before the farm has it', async (_, form, name) => {
  const phone = await openDeviceFor(farm, manager.login)
  const on = await phone.openLoaded(form)
  phone.line.fate = ({ method }) => (method === 'POST' ? 'cut' : 'pass')
  phone.line.asked.length = 0
  await on.getByRole('textbox', { name: /^Name/ }).fill(name)
  await press(on, 'Save')
  await heading(on, name)
  const uuid = new URL(on.url()).pathname.split('/').at(-1) ?? ''
  expect(uuid).toMatch(/^[\da-f-]{36}$/)
  await on.getByText('Nothing is recorded here yet.').first().waitFor()
  await frames(on, 10)
  expect(await on.getByText('The farm could not answer').count()).toBe(0)
  expect(phone.line.asked.filter((asked) => asked.includes(uuid))).toEqual([])
  phone.line.fate = () => 'pass'
  await saysInTheStrip(on, /^Sent/)
  await expect.poll(() => phone.line.asked.some((asked) => asked.includes('/log.json'))).toBe(true)
  expect(await on.getByText('The farm could not answer').count()).toBe(0)
})

test('a record is as it was at an earlier revision, by its history', async () => {
  await manager.put(`/farm_asset/${small.rosa}`, { name: 'Rose' })
  await manager.put(`/farm_asset/${small.rosa}`, { name: 'Rosalind', flags: ['review'] })
  await goTo(`/asset/${small.rosa}?show=history`)
  await heading(page, 'Rosalind')
  const created = page.getByRole('listitem').filter({ hasText: 'recorded it' })
  await created.getByRole('button', { name: 'As it was then' }).click()
  await heading(page, 'Rosa')
  expect(await manager.read(`/farm_asset/${small.rosa}.json`)).toMatchObject({ name: 'Rosa', flags: [] })
})

test('what cannot be as it was says why', async () => {
  const gone = await manager.create('farm_asset', { name: 'Cart', type: 'equipment' })
  const log = await manager.create('log', {
    name: 'Carted',
    type: 'farm_activity',
    timestamp: 1_600_000_000,
    equipment: [{ id: gone }],
  })
  await manager.put(`/log/${log}`, { equipment: [] })
  await manager.delete(`/farm_asset/${gone}`)
  await goTo(`/log/${log}?show=history`)
  await press(page, 'As it was then')
  expect(await page.getByRole('alert').innerText()).toMatch(/equipment|Cart/)
})

test('an asset goes into the archive and out of it', async () => {
  const cow = await manager.create('farm_asset', { name: 'Cowslip', type: 'animal', animal_type: { name: 'Cow' } })
  await goTo(`/asset/${cow}`)
  await press(page, 'Archive')
  await page.getByText('Cowslip is archived').waitFor()
  await expect.poll(async () => (await manager.read(`/farm_asset/${cow}.json`)).archived).not.toBe('0')
  await press(page, 'Take out of the archive')
  await expect.poll(async () => (await manager.read(`/farm_asset/${cow}.json`)).archived).toBe('0')
  expect(await manager.read(`/farm_asset/${cow}.json`)).toMatchObject({ animal_type: { name: 'Cow' } })
})

test('the form of what was archived has all that the farm knows, also while a change of it waits', async () => {
  const cow = { name: 'Daisy', type: 'animal', animal_type: { name: 'Cow' }, archived: '1700000000' }
  const id = await manager.create('farm_asset', cow)
  device.line.fate = ({ method }) => (method === 'PUT' ? { answered: { status: 503 } } : 'pass')
  await goTo(`/asset/${id}`)
  await press(page, 'Take out of the archive')
  await page.getByRole('button', { name: 'Archive', exact: true }).waitFor()
  await goTo(`/asset/${id}/edit`)
  await page.locator('[data-field="animal_type"]').getByText('Cow', { exact: true }).waitFor()
  device.line.fate = () => 'pass'
  await goTo(`/asset/${id}`)
  await saysInTheStrip(page, /^Sent/)
  expect(await manager.read(`/farm_asset/${id}.json`)).toMatchObject({ archived: '0', animal_type: { name: 'Cow' } })
})

test('a viewer finds no button, and an address that was typed says whom to ask', async () => {
  const viewer = await farm.login('viewer')
  const own = await openDeviceFor(farm, viewer.login)
  const on = await own.openLoaded(`/asset/${small.rosa}?show=history`)
  await on.getByText(/recorded it/).waitFor()
  for (const name of ['Remove', 'Archive', 'As it was then'])
    expect(await on.getByRole('button', { name }).count(), name).toBe(0)
  expect(await on.getByRole('link', { name: 'Edit' }).count()).toBe(0)
  for (const path of [`/asset/${small.rosa}/edit`, '/add/farm_activity', '/add/log', '/add/asset/animal']) {
    await on.goto(`${own.line.base}/app${path}`)
    await on.getByText('Ask one of its managers.').waitFor()
    expect(await on.locator('form').count(), path).toBe(0)
  }
})

test('every type of log and asset and every vocabulary has its form, which reads well for all', async () => {
  const catalogue = await manager.read('/catalogue.json')
  const all = Object.entries<object>(catalogue.types).flatMap(([type, bundles]) =>
    Object.keys(bundles).map(
      (bundle) => `/add/${{ log: 'log', farm_asset: 'asset', taxonomy_term: 'term' }[type]}/${bundle}`,
    ),
  )
  expect(all.length).toBeGreaterThan(20)
  for (const path of rounds<readonly string[]>({ short: all.filter((_, index) => index % 9 === 0), long: all })) {
    await goTo(path)
    await page.getByText('More fields').click()
    await page.setViewportSize({ width: 320, height: 740 })
    await expectNoOverflow(page, path)
    expect(await violations(page), path).toEqual([])
  }
})

test('forms, their sheets, the choice of what to add and the trash are accessible in each theme', async () => {
  await goTo(`/asset/${small.rosa}/edit`)
  await page.getByText('More fields').click()
  await expectAccessible(page, 'the form of an animal')
  await goTo('/add/log/farm_harvest')
  await page.getByRole('button', { name: 'Choose: Assets' }).click()
  await expectAccessible(page, 'the sheet of assets')
  await goTo('/add/log')
  await heading(page, 'What is it?')
  await expectAccessible(page, 'what can be added')
  await goTo('/trash')
  await heading(page, 'Trash')
  await expectAccessible(page, 'the trash')
  expect(device.complaints).toEqual([])
})
