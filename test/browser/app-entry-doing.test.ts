import type { Page } from 'playwright-core'
import { describe, expect, it, test } from 'vitest'
import { expectAccessible, expectNoOverflow } from '../harness/accessibility.ts'
import { openDeviceFor } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { day, handOf, logsNamed, now, plantEntryFarm } from './app-entry-farm.ts'

const row = (page: Page, name: string) => page.locator('li.row').filter({ hasText: name })

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const { carrots, herd, rosa, bella, hill, north } = await plantEntryFarm(manager)

const hand = await handOf(farm, manager)
const { page } = hand

describe('on Today', async () => {
  const plan = (name: string, more: object = {}) =>
    manager.create('log', { name, type: 'farm_activity', done: '0', timestamp: now() - 3 * day, ...more })
  const fence = await plan('Mend the fence')
  const salt = await plan('Salt the cows')
  const pull = await plan('Pull carrots', { type: 'farm_harvest', asset: [{ id: carrots }] })
  const done = async (id: string) => (await manager.read(`/log/${id}.json`)).done

  it('a plan is done by one tap, now; one more keeps the day it was planned for', async () => {
    await hand.button('Done: Mend the fence')
    expect(hand.taps).toBe(1)
    await expect.poll(() => done(fence)).toBe('1')
    expect(Number((await manager.read(`/log/${fence}.json`)).timestamp)).toBeGreaterThan(now() - 600)
    await hand.tap(row(page, 'Mend the fence').getByRole('button', { name: /keep that day$/ }))
    await expect
      .poll(async () => Number((await manager.read(`/log/${fence}.json`)).timestamp))
      .toBeLessThan(now() - 2 * day)
  })

  it('it comes again in so many days, and all of it is taken back by one tap', async () => {
    await hand.button('Done: Salt the cows')
    const salted = row(page, 'Salt the cows')
    await salted.getByLabel('Again in how many days').fill('14')
    await hand.tap(salted.getByRole('button', { name: 'And again in' }))
    const both = await logsNamed(manager, 'Salt the cows', 2)
    const next = both.find(({ id }) => id !== salt)
    expect(Math.round((Number(next.timestamp) - now()) / day)).toBe(14)
    expect(next.done).toBe('0')
    await hand.tap(salted.getByRole('button', { name: 'Undo' }))
    await logsNamed(manager, 'Salt the cows', 1)
    await expect.poll(() => done(salt)).toBe('0')
    await expect.poll(() => page.getByRole('button', { name: 'Done: Salt the cows' }).count()).toBe(1)
  })

  it('a harvest without an amount asks for it', async () => {
    await hand.button('Done: Pull carrots')
    await hand.type('12')
    await hand.button('Save 12 kg')
    await expect.poll(() => done(pull)).toBe('1')
    const log = await manager.read(`/log/${pull}.json`)
    expect(log.quantity).toMatchObject([{ measure: 'weight', value: '12' }])
    expect(log.lot_number).toContain(`-${carrots}`)
  })

  it('nothing complained', () => expect(hand.device.complaints).toEqual([]))
})

test('several records at once are moved, done and archived, and one tap takes it back', async () => {
  for (const name of ['One', 'Two'])
    await manager.create('log', { name, type: 'farm_activity', done: '0', timestamp: now() - day })
  await hand.open('/records?of=assets&type=animal')
  await hand.button('Select')
  await hand.row(/^Rosa/)
  await hand.row(/^Bella/)
  await hand.link('Move')
  await hand.row(/^North 3/)
  await hand.says('Rosa, Bella are now in North 3')
  for (const id of [rosa, bella])
    await expect.poll(async () => (await manager.read(`/farm_asset/${id}.json`)).location[0].id).toBe(north)

  await hand.open('/records?done=no')
  await hand.button('Select')
  await hand.row(/^One/)
  await hand.row(/^Two/)
  await hand.tap(page.locator('.choosing').getByRole('button', { name: 'Done' }))
  await expect.poll(async () => (await logsNamed(manager, 'Two'))[0].done).toBe('1')
  expect((await logsNamed(manager, 'One'))[0].done).toBe('1')

  await hand.open('/records?of=assets&type=animal')
  await hand.button('Select')
  await hand.row(/^Rosa/)
  await hand.button('Archive')
  const archived = async () => (await manager.read(`/farm_asset/${rosa}.json`)).archived
  await expect.poll(async () => Number(await archived())).toBeGreaterThan(0)
  await hand.button('Undo')
  await expect.poll(async () => Number(await archived())).toBe(0)
  expect(hand.device.complaints).toEqual([])
})

test('only paddocks and fields are called grazed, not the houses that animals are in', async () => {
  for (const [place, type, who] of [
    ['Hen House', 'building', 'Hens'],
    ['Beck', 'paddock', 'Ewes'],
  ]) {
    const area = await manager.create('taxonomy_term', { name: place, vocabulary: 'farm_areas', area_type: type })
    const asset = await manager.create('farm_asset', { name: who, type: 'animal', animal_type: { name: who } })
    const at = { type: 'farm_activity', timestamp: now() - day, done: '1' }
    await manager.create('log', { ...at, name: place, asset: [{ id: asset }], movement: { area: [{ id: area }] } })
  }
  await hand.device.begin(page, `/add/move?asset=${herd}`)
  const place = (name: string) => page.locator('button.row').filter({ hasText: name })
  await place('Beck').filter({ hasText: 'Ewes here' }).getByText('grazed').waitFor()
  await place('Hen House').filter({ hasText: 'Hens here' }).waitFor()
  expect(await place('Hen House').innerText()).not.toContain('grazed')
})

test('a herd is moved by keys alone', async () => {
  await hand.device.begin(page, '/')
  const tabTo = async (name: RegExp) => {
    for (let tabs = 0; tabs < 30; tabs++) {
      if (name.test(String(await page.evaluate('document.activeElement.innerText')))) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Nothing to tab to: ${name}`)
  }
  await page.keyboard.press('a')
  await page.getByRole('dialog').waitFor()
  await tabTo(/^Move/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Who moves?' }).waitFor()
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('milk')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Milkers to…' }).waitFor()
  await tabTo(/^North 3/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Milkers (2) are now in North 3' }).waitFor()
  await tabTo(/^Undo/)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await manager.read('/log.json?name=Milkers%20to%20North%203')).list.length).toBe(0)
})

test('a viewer finds no way to record, and a typed address says whom to ask', async () => {
  const plan = { name: 'Trim the hedge', type: 'farm_activity', done: '0', timestamp: now() - day }
  await manager.create('log', plan)
  const viewer = await farm.login('viewer')
  const device = await openDeviceFor(farm, viewer.login)
  const seen = await device.openLoaded()
  await seen.getByText('Trim the hedge').waitFor()
  const ways = seen.locator('a[href*="/add"], button[aria-label^="Done:"], button:has-text("Select")')
  for (const path of ['/', `/map?area=${hill}`, `/area/${hill}`, `/asset/${rosa}`, '/records?of=assets']) {
    await seen.goto(`${device.line.base}/app${path}`)
    await seen.locator('h1').first().waitFor({ state: 'attached' })
    expect(await ways.count(), path).toBe(0)
  }
  await seen.keyboard.press('a')
  expect(seen.url()).not.toContain('/add')
  for (const path of ['/add', '/add/move', '/add/harvest?asset=1']) {
    await seen.goto(`${device.line.base}/app${path}`)
    await seen.getByText('Ask one of its managers.').waitFor()
  }
  await seen.close()
})

test('with text at twice its size what is harvested stands above the figure', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${hand.device.line.base}/app/add/harvest?asset=${carrots}`)
  await page.locator('.pad').waitFor()
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  const [what, figure] = [page.locator('.flow > .row .t'), page.locator('.flow > .grow')]
  const space = async () => {
    const overflow = await what.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
    const [above, below] = [await what.boundingBox(), await figure.boundingBox()]
    return [overflow, Number(below?.y) - Number(above?.y) - Number(above?.height)]
  }
  await expect.poll(space).toEqual([0, 0])
})

test('every page of an entry is clean to those who do not see it, and fits 320 px', async () => {
  await manager.create('log', { name: 'Grit the yard', type: 'farm_activity', done: '0', timestamp: now() - day })
  const { device } = hand
  const pages: readonly (readonly [path: string, shown: string])[] = [
    ['/add', '.tile'],
    ['/add/move', '.row'],
    [`/add/move?asset=${herd}&plan=2030-05-20`, '.row'],
    [`/add/move?asset=${herd}&area=${north}`, '.main-do'],
    [`/add/harvest?asset=${carrots}`, '.pad'],
    ['/add/observe', 'textarea'],
    ['/add/weigh', '.pad'],
    [`/add/treat?asset=${rosa}`, '.pad'],
    [`/add/seed?new=Leek&area=${hill}`, '.pad'],
    ['/add/maintain', '.row'],
    ['/records?of=assets&select=1,2', '.choosing'],
  ]
  for (const [path, shown] of pages) {
    await page.goto(`${device.line.base}/app${path}`)
    await page.locator(shown).first().waitFor()
    await expectAccessible(page, path)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoOverflow(page, `${path} at 320 px`)
  }
  await page.goto(`${device.line.base}/app/`)
  await page.getByRole('button', { name: 'Done: Grit the yard' }).click()
  await row(page, 'Grit the yard').getByRole('button', { name: 'Undo' }).waitFor()
  await expectNoOverflow(page, 'what was ticked, at 320 px')
  await page.goto(`${device.line.base}/app/add/move?asset=${herd}`)
  await page.locator('button.row').first().click()
  await page.getByRole('button', { name: 'That’s right' }).waitFor()
  await expectAccessible(page, 'the card')
})
