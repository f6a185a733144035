import { describe, expect, it, test } from 'vitest'
import { comingAndGoing } from '../../src/farm/bundle-names.ts'
import { expectAccessible, expectNoOverflow } from '../harness/accessibility.ts'
import { bindAnew, openFarm } from '../harness/farm.ts'
import { handOf, logsNamed, now, plantEntryFarm } from './app-entry-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const { herd, rosa, bella, hill, north } = await plantEntryFarm(manager)

const hand = await handOf(farm, manager)
const { page } = hand

const assetsNamed = async (name: string) =>
  (await manager.read(`/farm_asset.json?name=${encodeURIComponent(name)}&with=inventory`)).list
const field = (label: string | RegExp) => page.getByLabel(label, { exact: typeof label === 'string' })
const idsIn = (references: readonly { readonly id: string }[]) => references.map(({ id }) => id)

describe('a herd of forty', () => {
  it('is made by a range of tags inside Move without signal, and moves at once', async () => {
    await hand.device.begin(page, '/add/move')
    await hand.link('Make a herd')
    await field('Name').waitFor()
    await hand.device.loseServer()
    await field('Name').fill('Ewes')
    await field('Tags, such as 101–140').fill('UK 0101–0140')
    await page.getByText('new 40').first().waitFor()
    await hand.row(/^Species or breed/)
    await page.getByRole('searchbox').fill('Sheep')
    await hand.button(/Sheep/)
    await hand.row(/^Where it is/)
    await hand.row(/^Hill 1/)
    await hand.button('Save the herd with 40 head')
    await hand.says('Ewes to…')
    await hand.row(/^North 3/)
    await hand.says('Ewes (40) are now in North 3')
    expect(hand.taps).toBeLessThanOrEqual(12)
  })

  it('is treated by one entry: the log has the total, and the dose of each', async () => {
    await hand.button('That’s right')
    await hand.link('Add')
    await hand.link(/^Treat/)
    await hand.link('A whole herd')
    await hand.row(/^Ewes/)
    await field('Product').fill('Wormer')
    await field('Days withheld: Meat').fill('14')
    await hand.type('2.5')
    await page.getByText('100 ml in all').waitFor()
    await hand.link('Leave some out')
    await hand.row(/^UK 0140/)
    await hand.button('Go on')
    await page.getByText('97.5 ml in all').waitFor()
    await page.locator('.strip').getByRole('link', { name: 'Treat' }).waitFor()
    await hand.button('Save 2.5 ml')
    await hand.says('Wormer for Ewes')
    await page.getByText('97.5 ml', { exact: false }).waitFor()
    await hand.device.restoreSignal()
    const [log] = await logsNamed(manager, 'Wormer for Ewes')
    expect(log.asset).toHaveLength(39)
    expect(log.quantity).toMatchObject([
      { measure: 'volume', value: '97.5', label: 'Wormer' },
      { measure: 'volume', value: '2.5', label: 'per head' },
      { measure: 'time', value: '14', label: 'withhold meat' },
    ])
    const [made] = await assetsNamed('Ewes')
    expect((await manager.read(`/farm_asset/${made.id}.json?with=members`)).members).toHaveLength(40)
    const [first] = await assetsNamed('UK 0101')
    expect(first.tag).toMatchObject([{ id: 'UK 0101' }])
    expect(idsIn(first.location)).toEqual([north])
  })
})

describe('coming and going', () => {
  it('sells an animal on the day that is entered, with the customer', async () => {
    await hand.device.begin(page, `/add?asset=${rosa}`)
    await hand.button('Sold')
    await field('Sold to').fill('Maple Dairy')
    await hand.button('Yesterday')
    await hand.button('Sold: save 1')
    await hand.says('Sold Rosa (1)')
    await page.getByText('and sent.').waitFor()
    await bindAnew(farm)
    const [log] = await logsNamed(manager, 'Sold Rosa (1)')
    expect(log).toMatchObject({ type: 'farm_sale', customer: 'Maple Dairy', done: '1' })
    const { archived } = await manager.read(`/farm_asset/${rosa}.json`)
    expect(archived).toBe(log.timestamp)
    expect(Number(archived)).toBeLessThan(now() - 3600)
  })

  it('buys a flock by head, loses some of it, and the register adds them up', async () => {
    await hand.device.begin(page, '/add/animals/arrived')
    await hand.button('By head')
    await field('How many head').fill('42')
    await hand.row(/^Species or breed/)
    await page.getByRole('searchbox').fill('Hens')
    await hand.button(/Hens/)
    await hand.row(/^Where it is/)
    await hand.row(/^Hill 1/)
    await field('Bought from').fill('Hatchery')
    await hand.button('Arrived: save 42')
    await hand.says('42 Hens arrived')
    await page.getByText('and sent.').waitFor()
    await bindAnew(farm)
    const [bought] = await logsNamed(manager, '42 Hens arrived')
    expect(bought).toMatchObject({ type: 'farm_purchase', seller: 'Hatchery', inventory: [{ value: '42' }] })
    const [flock] = await assetsNamed('Hens')

    await hand.device.begin(page, `/add/animals/died?asset=${flock.id}`)
    await field('How many of Hens (42)').fill('2')
    await hand.button('Died: save 2')
    await hand.says('Died: Hens (2)')
    const [death] = await logsNamed(manager, 'Died: Hens (2)')
    expect(death.inventory).toMatchObject([{ value: '-2' }])
    const category = await manager.read(`/taxonomy_term/${death.log_category[0].id}.json?with=uuid`)
    expect(category).toMatchObject({ name: 'Death', uuid: comingAndGoing.died.uuid })
    expect(await assetsNamed('Hens')).toMatchObject([{ inventory: '40', archived: '0' }])
    const { rows } = await manager.read('/reports/animals.json')
    expect(rows.find(({ cells }: { cells: { name: string } }) => cells.name === 'Hens').cells.head).toBe('40')
  })

  it('has a calf born in its mother’s herd and place, in one set', async () => {
    await hand.device.begin(page, `/add/animals/born?asset=${bella}`)
    await field('Tag of number 1').fill('DE 300')
    await hand.button('Female')
    await hand.button('Born: save 1')
    await hand.says('1 born to Bella')
    const [birth] = await logsNamed(manager, '1 born to Bella')
    expect(birth).toMatchObject({ type: 'farm_birth', mother: { id: bella } })
    const [calf] = await assetsNamed('DE 300')
    expect(calf).toMatchObject({ animal_sex: 'F', date: birth.timestamp })
    expect(idsIn(calf.parent)).toEqual([bella])
    expect(idsIn(calf.location)).toEqual([hill])
    const group = (await manager.read(`/farm_asset/${calf.id}.json?with=group`)).group
    expect(idsIn(group)).toEqual([herd])
  })
})

test('animals are entered one after the other, into a herd', async () => {
  await hand.device.begin(page, `/add/animals/new?herd=${herd}`)
  await hand.row(/^Species or breed/)
  await hand.row(/^Cow/)
  for (const tag of ['DE 401', 'DE 402']) {
    await field('Tag').fill(tag)
    await hand.button('Save, next animal')
    await expect.poll(() => field('Tag').inputValue()).toBe('')
  }
  await page.getByText('2 entered').waitFor()
  await expect.poll(async () => (await assetsNamed('DE 402')).length).toBe(1)
  const { members } = await manager.read(`/farm_asset/${herd}.json?with=members`)
  const [last] = await assetsNamed('DE 402')
  expect(idsIn(members)).toContain(last.id)
})

test('a selection in Records goes into a herd, and stays in its others', async () => {
  const dry = await manager.create('farm_asset', { name: 'Dry cows', type: 'group' })
  await hand.device.begin(page, '/records?of=assets&type=animal')
  await hand.button('Select')
  await hand.row(/^Bella/)
  await hand.link('Into a herd')
  await hand.row(/^Dry cows/)
  await page.getByRole('button', { name: 'Also stay in Milkers' }).waitFor()
  await hand.button('Save the herd with 1 head')
  await logsNamed(manager, 'Dry cows: 1 animal joined')
  const { group } = await manager.read(`/farm_asset/${bella}.json?with=group`)
  expect(idsIn(group).toSorted()).toEqual([herd, dry].toSorted())
})

test('an archived animal of a range of tags comes back with the log of its arrival, or a new one gets its tag', async () => {
  const gone = await manager.create('farm_asset', {
    ...{
      name: 'DE 901',
      type: 'animal',
      animal_type: { name: 'Cow' },
      tag: [{ id: 'DE 901' }],
      archived: '1700000000',
    },
  })
  await hand.device.begin(page, '/add/animals/arrived')
  await field('Tags, such as 101–140').fill('DE 901')
  await hand.button('Make new animals')
  await page.locator('.row').filter({ hasText: 'Species or breed' }).waitFor()
  await hand.button('Archived animals come back')
  await hand.button('Not bought')
  await hand.button('Arrived: save 1')
  const [log] = await logsNamed(manager, '1 DE 901 arrived')
  expect(idsIn(log.asset)).toEqual([gone])
  expect((await manager.read(`/farm_asset/${gone}.json`)).archived).toBe('0')
  await manager.put(`/farm_asset/${gone}`, { archived: '1700000000' })
  await hand.device.begin(page, '/add/animals/arrived')
  await field('Tags, such as 101–140').fill('DE 901')
  await hand.button('Make new animals')
  await hand.row(/^Species or breed/)
  await page.getByRole('searchbox').fill('Cow')
  await hand.row(/^Cow/)
  await hand.button('Not bought')
  await hand.button('Arrived: save 1')
  await expect.poll(async () => (await assetsNamed('DE 901')).length).toBe(2)
  expect((await manager.read(`/farm_asset/${gone}.json`)).archived).toBe('1700000000')
})

test('an animal leaves its last herd from the herd’s page, before and after the log is sent', async () => {
  const [sick, lame] = await Promise.all(
    ['Sick cows', 'Lame cow'].map((name, at) =>
      manager.create(
        'farm_asset',
        at === 0 ? { name, type: 'group' } : { name, type: 'animal', animal_type: { name: 'Cow' } },
      ),
    ),
  )
  await manager.create('log', {
    ...{ type: 'farm_activity', name: 'Joined', timestamp: 1_700_000_000, done: 1, asset: [{ id: lame }] },
    membership: { group: [{ id: sick }] },
  })
  await hand.device.begin(page, `/asset/${sick}`)
  await hand.link('Take out')
  await hand.row(/^Lame cow/)
  await hand.device.loseServer()
  await hand.button('Take 1 out')
  await expect.poll(() => page.getByText('Lame cow').count()).toBe(0)
  await hand.device.restoreSignal()
  await logsNamed(manager, '1 animal left Sick cows')
  expect((await manager.read(`/farm_asset/${lame}.json?with=group`)).group).toEqual([])
  await page.goto(`${hand.device.line.base}/app/asset/${lame}/edit`)
  await page.getByRole('link', { name: 'Herd: none' }).waitFor()
})

test('a calf without a tag is on Today after some days, and is marked in the lists of Records and its herd', async () => {
  const calf = (name: string, days: number) =>
    manager.create('farm_asset', {
      ...{ name, type: 'animal', animal_type: { name: 'Cow' }, date: String(now() - days * 86_400) },
    })
  const [late] = [await calf('Late calf', 12), await calf('Young calf', 2)]
  const calves = await manager.create('farm_asset', { name: 'Calves', type: 'group' })
  await manager.create('log', {
    ...{ type: 'farm_activity', name: 'Joined', timestamp: 1_700_000_000, done: 1, asset: [{ id: late }] },
    membership: { group: [{ id: calves }] },
  })
  await hand.device.begin(page, '/')
  await hand.link(/^1 animal without a tag/)
  await page.getByRole('link', { name: /^Late calf.*12 days old · needs a tag$/ }).waitFor()
  await page.getByRole('link', { name: /^Young calf.*2 days old$/ }).waitFor()
  expect(await page.locator('main .row').first().innerText()).toContain('Late calf')
  await page.goto(`${hand.device.line.base}/app/asset/${calves}`)
  await hand.link('1 without a tag')
  await page.getByRole('link', { name: /^Late calf/ }).waitFor()
  expect(await page.getByRole('link', { name: /^Young calf/ }).count()).toBe(0)
  await page.getByRole('button', { name: /Calves/ }).waitFor()
})

test('every page about animals is clean to those who do not see it, and fits 320 px', async () => {
  const pages = [
    ['/add/animals/herd', '.main-do'],
    [`/add/animals/herd?herd=${herd}`, '.main-do'],
    ['/add/animals/arrived', '.main-do'],
    ['/add/animals/sold', '.row'],
    [`/add/animals/sold?asset=${herd}`, '.main-do'],
    [`/add/animals/born?asset=${bella}`, '.main-do'],
    [`/add/animals/out?from=${herd}`, '.main-do'],
    ['/add/animals/new', '.main-do'],
    [`/add/treat?asset=${herd}`, '.pad'],
    [`/add/weigh?asset=${herd}`, '.pad'],
  ] as const
  for (const [path, shown] of pages) {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${hand.device.line.base}/app${path}`)
    await page.locator(shown).first().waitFor()
    await expectAccessible(page, path)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoOverflow(page, `${path} at 320 px`)
  }
  expect(hand.device.complaints).toEqual([])
})
