import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { frames, stored } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { type Hand, handOf, logsNamed, plantEntryFarm } from './app-entry-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const { carrots, bed } = await plantEntryFarm(manager)

const photo = 'web/icons/icon-192.png'

const choosePhoto = async (page: Page, tap: () => Promise<void>) => {
  const chooser = page.waitForEvent('filechooser')
  await tap()
  await (await chooser).setFiles(photo)
}

const imagesOf = async (id: string): Promise<number> => (await manager.read(`/log/${id}.json`)).images.length

/** Photos of this device cannot be looked at before `look` is called. */
async function slowPhotos({ page }: Hand): Promise<void> {
  await page.addInitScript(`
    const decode = createImageBitmap
    const looked = new Promise((resolve) => { globalThis.look = resolve })
    globalThis.createImageBitmap = async (...given) => { await looked; return decode(...given) }
  `)
}

const look = (page: Page) => page.evaluate('look()')

describe('a photo that is still being looked at when somebody saves', async () => {
  const hand = await handOf(farm, manager)
  const { page } = hand
  await slowPhotos(hand)

  it.each([
    [
      'an observation',
      '/add/observe',
      'From this device',
      'What did you see?',
      'Noted: Seen in haste',
      'Seen in haste',
    ],
    [
      'a maintenance',
      `/add/maintain?area=${bed}`,
      'From this device',
      'What was done?',
      'Maintained: Done in haste',
      'Done in haste',
    ],
  ])('is saved with %s, which is not called saved before', async (_, path, choose, question, saved, name) => {
    await hand.open(path)
    await choosePhoto(page, () => hand.button(choose))
    await page.getByLabel(question).fill(name)
    await hand.button('Save')
    await page.getByRole('button', { name: 'Saving …', disabled: true }).waitFor()
    await frames(page)
    expect(await page.getByRole('heading', { name: saved }).count()).toBe(0)
    expect(await stored(page, 'outbox')).toEqual([])
    await look(page)
    await hand.says(saved)
    const [log] = await logsNamed(manager, name)
    await expect.poll(() => imagesOf(log.id)).toBe(1)
  })

  it('is saved with a harvest', async () => {
    await hand.open(`/add/harvest?asset=${carrots}`)
    await choosePhoto(page, () => hand.button('Photo'))
    await hand.type('7')
    await page.getByRole('button', { name: '1 photo' }).waitFor()
    await hand.button(/^Save 7/)
    await look(page)
    await hand.says(/^7 kg of Carrots/)
    const [log] = await logsNamed(manager, 'Harvest Carrots')
    await expect.poll(() => imagesOf(log.id)).toBe(1)
  })

  it('is saved with a form', async () => {
    await hand.open('/add/log/farm_observation')
    await page.getByLabel('Name').fill('By a form in haste')
    await page.getByText('More fields').tap()
    await choosePhoto(page, () => hand.button('From this device'))
    await hand.button('Save')
    await look(page)
    await hand.says('By a form in haste')
    const [log] = await logsNamed(manager, 'By a form in haste')
    await expect.poll(() => imagesOf(log.id)).toBe(1)
  })

  it('follows the entry that it was taken in when that was saved before it came', async () => {
    await hand.open('/')
    await hand.link('Add')
    const chooser = page.waitForEvent('filechooser')
    await hand.link(/^Observe/)
    const camera = await chooser
    await page.getByLabel('What did you see?').fill('The photo comes after')
    await hand.button('Save')
    await hand.says('Noted: The photo comes after')
    await camera.setFiles(photo)
    await look(page)
    const [log] = await logsNamed(manager, 'The photo comes after')
    await expect.poll(() => imagesOf(log.id)).toBe(1)
    await hand.open('/add/observe')
    await page.getByLabel('What did you see?').waitFor()
    expect(await page.locator('.new-photos img').count()).toBe(0)
  })
})

describe('an entry that was begun and left', async () => {
  const hand = await handOf(farm, manager)
  const { page } = hand
  const leave = async () => {
    await page.goto('about:blank')
  }
  const offer = (words: RegExp) => page.locator('.banner.ask').filter({ hasText: words })

  it('is offered by its time and name, and nothing of it is in the next observation', async () => {
    await hand.open('/add/observe')
    await choosePhoto(page, () => hand.button('From this device'))
    await page.getByLabel('What did you see?').fill('Lame cow')
    await page.locator('.new-photos img').waitFor()
    await leave()
    await hand.open('/add/observe')
    await offer(/^Begun \d+:\d\d.*: Lame cow · 1 photo/).waitFor()
    expect(await page.locator('.new-photos img').count()).toBe(0)
    await page.getByLabel('What did you see?').fill('Another cow')
    await offer(/Lame cow/).waitFor({ state: 'hidden' })
    await hand.button('Save')
    await hand.says('Noted: Another cow')
    const [other] = await logsNamed(manager, 'Another cow')
    expect(other.images).toEqual([])

    await hand.open('/add/observe')
    await page.getByRole('link', { name: 'Go on' }).tap()
    await page.locator('.new-photos img').waitFor()
    expect(await page.getByLabel('What did you see?').inputValue()).toBe('Lame cow')
    await hand.button('Save')
    await hand.says('Noted: Lame cow')
    const [log] = await logsNamed(manager, 'Lame cow')
    await expect.poll(() => imagesOf(log.id)).toBe(1)
    expect(await imagesOf(other.id)).toBe(0)
    await hand.open('/add/observe')
    await page.getByLabel('What did you see?').waitFor()
    await frames(page)
    expect(await offer(/Begun/).count()).toBe(0)
  })

  it('lies in a tray on Today, which leads back to it, and discards it with a way back', async () => {
    await hand.open('/add/observe')
    await page.getByLabel('What did you see?').fill('Lame calf')
    await leave()
    await hand.open('/')
    const tray = page.locator('section').filter({ has: page.getByRole('heading', { name: '1 begun' }) })
    await tray.getByRole('link', { name: /^Begun \d+:\d\d.*: Lame calf$/ }).tap()
    await expect.poll(() => page.getByLabel('What did you see?').inputValue()).toBe('Lame calf')
    await hand.open('/')
    await tray.getByRole('button', { name: 'Discard' }).tap()
    await page.getByText('Discarded: Lame calf').waitFor()
    await hand.button('Undo')
    await tray.getByRole('link').waitFor()
    await tray.getByRole('button', { name: 'Discard' }).tap()
    await page.getByRole('heading', { name: '0 begun' }).waitFor()
    await hand.open('/add/observe')
    await page.getByLabel('What did you see?').waitFor()
    await frames(page)
    expect(await offer(/Begun/).count()).toBe(0)
  })

  it('is there again where the same page is loaded again, with its day', async () => {
    await hand.open(`/add/observe?area=${bed}`)
    await page.getByLabel('What did you see?').fill('Slugs')
    await hand.button('Not done yet')
    await page.reload()
    await page.getByRole('button', { name: 'Not done yet', pressed: true }).waitFor()
    await expect.poll(() => page.getByLabel('What is to be looked at?').inputValue()).toBe('Slugs')
    await hand.open('/add/observe')
    await page.getByRole('link', { name: 'Go on' }).tap()
    await page.getByRole('button', { name: 'Not done yet', pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Bed 3' }).waitFor()
  })

  it('goes when somebody starts new', async () => {
    await hand.open('/add/observe')
    await hand.button('Start new')
    await offer(/Begun/).waitFor({ state: 'detached' })
    await hand.open('/add/observe')
    await page.getByLabel('What did you see?').waitFor()
    await frames(page)
    expect(await offer(/Begun/).count()).toBe(0)
  })

  it.each([
    ['/add/weigh', 'Weight, kg', /Weigh Rosa · 612/],
    ['/add/treat', 'Dose, ml', / for Rosa · 612 ml/],
  ])('is offered at %s with its animal, and another animal gets nothing of it', async (path, figure, words) => {
    await hand.open(path)
    if (path === '/add/treat') await page.getByLabel('Product').fill('Drench')
    await hand.type('117')
    await page.getByLabel(figure).waitFor()
    await hand.type('612')
    await hand.button('More')
    await choosePhoto(page, () => hand.tap(page.getByRole('dialog').getByRole('button', { name: 'From this device' })))
    await page.locator('.new-photos img').waitFor()
    await leave()
    await hand.open(path)
    await offer(words).waitFor()
    if (path === '/add/treat') await page.getByLabel('Product').fill('Drench')
    await hand.type('118')
    await page.getByLabel(figure).waitFor()
    expect(await page.getByLabel(figure).inputValue()).toBe('')
    await hand.type('5')
    await hand.button('Save, next animal')
    await page.getByText(/^DE 118 .*5/).waitFor()
    await hand.open(path)
    await page.getByRole('link', { name: 'Go on' }).tap()
    await page.getByLabel(figure).waitFor()
    expect(await page.getByLabel(figure).inputValue()).toBe('612')
    await hand.button('Save, next animal')
    await page.getByText(/^117 .*612/).waitFor()
    const name = path === '/add/weigh' ? ['Weigh Bella', 'Weigh Rosa'] : ['Drench for Bella', 'Drench for Rosa']
    const [bella, rosa] = (await Promise.all(name.map((one) => logsNamed(manager, one)))).flat()
    await expect.poll(() => imagesOf(rosa.id)).toBe(1)
    expect(await imagesOf(bella.id)).toBe(0)
  })

  it('stays with the animal that was skipped', async () => {
    await hand.open('/add/weigh')
    await hand.type('117')
    await page.getByLabel('Weight, kg').waitFor()
    await hand.type('99')
    await hand.button('Skip')
    await hand.type('118')
    await page.getByLabel('Weight, kg').waitFor()
    expect(await page.getByLabel('Weight, kg').inputValue()).toBe('')
  })

  it('is offered where an address has said what it is about', async () => {
    await hand.open(`/add/harvest?asset=${carrots}`)
    await hand.type('77')
    await page.getByRole('button', { name: /^Save 77/ }).waitFor()
    await leave()
    await hand.open(`/add/harvest?asset=${carrots}`)
    await offer(/Harvest Carrots · 77 kg/).waitFor()
    expect(await page.getByRole('button', { name: /^Save 77/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Go on' }).tap()
    await page.getByRole('button', { name: /^Save 77/ }).waitFor()
  })

  it('is offered by a form before anything of it is in the form', async () => {
    await hand.open('/add/log/farm_activity')
    await page.getByLabel('Name').fill('Mend the gate')
    await leave()
    await hand.open('/add/log/farm_activity')
    await offer(/^Begun \d+:\d\d.*: Mend the gate/).waitFor()
    expect(await page.getByLabel('Name').count()).toBe(0)
    await hand.button('Go on')
    expect(await page.getByLabel('Name').inputValue()).toBe('Mend the gate')
    await leave()
    await hand.open('/add/log/farm_activity')
    await hand.button('Start new')
    expect(await page.getByLabel('Name').inputValue()).toBe('')
  })

  it('complained about nothing', () => expect(hand.device.complaints).toEqual([]))
})
