import { expect, it, test } from 'vitest'
import { comingAndGoing } from '../../src/farm/bundle-names.ts'
import { keptByWorker } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { day, handOf, logsNamed, now, plantEntryFarm } from './app-entry-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const { rosa, bella, north, bed, herd } = await plantEntryFarm(manager)

const days = (label: string, value: string) => ({ measure: 'time', value, unit: { name: 'days' }, label })
const log = (name: string, type: string, more: object) =>
  manager.create('log', { name, type, timestamp: now() - day, done: '1', ...more })
const milked = (asset: string, more: object = {}) =>
  log('Milked', 'farm_harvest', {
    ...{ timestamp: now(), asset: [{ id: asset }], quantity: [{ measure: 'volume', value: '9', unit: { name: 'l' } }] },
    ...more,
  })
await log('Sprayed', 'farm_input', {
  ...{ area: [{ id: north }], material: [{ name: 'Spray' }] },
  quantity: [days('withhold grazing', '7')],
})
await log('Fumigated', 'farm_input', {
  ...{ area: [{ id: bed }], material: [{ name: 'Smoke' }] },
  quantity: [days('no entry', '9')],
})

const dora = await manager.create('farm_asset', { name: 'Dora', type: 'animal', animal_type: { name: 'Cow' } })
await log('Drenched, noted as work', 'farm_activity', { asset: [{ id: dora }], quantity: [days('withhold milk', '6')] })
await log('Limping, and injected', 'farm_observation', {
  ...{ asset: [{ id: dora }], quantity: [days('withhold meat', '8')] },
})

const hand = await handOf(farm, manager)
const { page } = hand
const notesOf = async (id: string): Promise<string> => (await manager.read(`/log/${id}.json`)).notes?.value ?? ''
const onToday = () => page.locator('.banner.needs')

it('a move into a place that may not be grazed is asked about once, and not made if the question is closed', async () => {
  await hand.open(`/add/move?asset=${herd}`)
  await hand.row(/^North 3/)
  const sheet = page.getByRole('dialog', { name: 'Withheld' })
  await sheet.getByText(/^Grazing until/).waitFor()
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await hand.row(/^North 3/)
  await sheet.getByRole('button', { name: 'Record anyway' }).tap()
  await hand.says(/Milkers \(2\) are now in North 3/)
  const [move] = await logsNamed(manager, 'Milkers to North 3')
  expect(move.notes.value).toMatch(/^Withheld \(Grazing until \d{4}-\d{2}-\d{2}\): Record anyway$/)
})

it('an entry and a plan in a place that nobody may enter ask', async () => {
  const plan = new Date((now() + day) * 1000).toISOString().slice(0, 10)
  await hand.open(`/add/input?area=${bed}&new=Lime&plan=${plan}`)
  await hand.button('Save the plan')
  await page
    .getByRole('dialog')
    .getByText(/^No entry until/)
    .waitFor()
  await hand.button('Record anyway')
  expect((await logsNamed(manager, 'Lime, Bed 3'))[0].notes.value).toContain('No entry until')
})

test('batch, supplier and reason of a treatment reach the medicine book, and days of milk end before those of meat', async () => {
  await hand.open(`/add/treat?asset=${rosa}`)
  await page.getByLabel('Product').fill('Penicillin')
  await page.getByLabel('Days withheld: Meat').fill('10')
  await page.getByLabel('Days withheld: Milk').fill('4')
  await hand.type('5')
  await hand.button('More')
  for (const [label, text] of [
    ['Batch', 'B 7'],
    ['Supplier', 'Vet Ltd'],
    ['Reason', 'Mastitis'],
  ])
    await page.getByLabel(label ?? '', { exact: true }).fill(text ?? '')
  await hand.button('Done')
  await hand.button('Save, next animal')
  await logsNamed(manager, 'Penicillin for Rosa')
  const { rows } = await manager.read('/reports/medicine-book.json')
  expect(rows[0].cells).toMatchObject({ batch: 'B 7', supplier: 'Vet Ltd', reason: 'Mastitis' })
  expect(rows[0].cells.free_from).toMatch(/^meat \S+, milk \S+$/)
})

test('a slaughter and a sale that took what was withheld stay on Today until they are answered', async () => {
  const { uuid, name } = comingAndGoing.slaughtered
  await manager.create('taxonomy_term', { uuid, name, vocabulary: 'farm_log_categories' })
  await milked(herd)
  const killed = await log('Killed Rosa', 'farm_activity', {
    ...{ timestamp: now(), asset: [{ id: rosa }], log_category: [{ name }] },
  })
  const sale = { name: 'Sold Rosa', type: 'farm_sale', timestamp: now(), done: '1', asset: [{ id: rosa }] }
  const answer = await manager.post('/batch', { operations: [{ method: 'POST', path: '/log', body: sale }] })
  expect(answer.status).toBe(200)
  await hand.open('/')
  await onToday()
    .filter({ hasText: 'Killed Rosa' })
    .getByText(/Meat until/)
    .waitFor()
  await onToday().filter({ hasText: 'Milked' }).getByRole('button', { name: 'Thrown away' }).tap()
  await onToday().filter({ hasText: 'Killed Rosa' }).getByRole('button', { name: 'Kept apart' }).tap()
  const sold = onToday().filter({ hasText: 'Sold Rosa' })
  await sold.getByText(/^Tell the buyer: Rosa · Meat until .*Milk until/).waitFor()
  await sold.getByRole('button', { name: 'Buyer told' }).tap()
  await expect.poll(() => notesOf(killed)).toMatch(/^Withheld \(Meat until .*\): Kept apart$/)
  await expect.poll(() => onToday().count()).toBe(0)
})

test('a cow milked without signal, an hour after another user treated her, is asked about when the phone has signal', async () => {
  await hand.open('/')
  await keptByWorker(page)
  await hand.device.loseServer()
  await hand.open(`/add/harvest?asset=${bella}`)
  await hand.type('12')
  await hand.button('More')
  await page.getByLabel('Unit').fill('l')
  await hand.button('Done')
  await hand.button('Save 12 l')
  await hand.says(/12 l of Bella/)
  await log('Mastitis, Bella', 'farm_medical', {
    ...{ timestamp: now() - 3600, asset: [{ id: bella }], quantity: [days('withhold milk', '4')] },
  })
  await hand.device.restoreSignal()
  const [harvest] = await logsNamed(manager, 'Harvest Bella')
  await hand.open('/')
  const question = onToday().filter({ hasText: 'Harvest Bella' })
  await question.getByText(/Bella · Milk until/).waitFor()
  await question.getByRole('button', { name: 'Kept apart' }).tap()
  await expect.poll(() => notesOf(harvest.id)).toMatch(/^Withheld \(Milk until .*\): Kept apart$/)
  await question.waitFor({ state: 'detached' })
})

test('a treatment kept as an activity or an observation warns too, also without signal', async () => {
  await hand.open('/')
  await keptByWorker(page)
  await hand.device.loseServer()
  await hand.open(`/asset/${dora}`)
  await page.getByText(/^Milk until/).waitFor()
  await page.getByText(/^Meat until/).waitFor()
  await hand.open(`/add/harvest?asset=${dora}`)
  await hand.type('7')
  await hand.button('More')
  await page.getByLabel('Unit').fill('l')
  await hand.button('Done')
  await hand.button('Save 7 l')
  await page
    .getByRole('dialog', { name: 'Withheld' })
    .getByText(/Milk until/)
    .waitFor()
  await hand.button('Thrown away')
  await hand.device.restoreSignal()
  const [harvest] = await logsNamed(manager, 'Harvest Dora')
  await expect.poll(() => notesOf(harvest.id)).toMatch(/^Withheld \(Milk until .*\): Thrown away$/)
})

test('an older treatment withholds everything until its reminder was planned, also after the reminder was done', async () => {
  const cow = await manager.create('farm_asset', { name: 'Alma', type: 'animal', animal_type: { name: 'Cow' } })
  const about = { type: 'farm_medical', asset: [{ id: cow }] }
  const treated = { name: 'Treated Alma', ...about, timestamp: now() - day, done: '1' }
  const reminder = { name: 'Withholding over: Alma', ...about, timestamp: now() + 3 * day, done: '0' }
  const operations = [treated, reminder].map((body) => ({ method: 'POST', path: '/log', body }))
  expect((await manager.post('/batch', { operations })).status).toBe(200)
  const [over] = await logsNamed(manager, reminder.name)
  await manager.put(`/log/${over.id}`, { done: '1', timestamp: now() })
  const other = await handOf(farm, manager)
  await other.open(`/asset/${cow}`)
  await other.page.getByText(/^Everything until/).waitFor()
  await other.open(`/add/harvest?asset=${cow}`)
  await other.type('3')
  await other.button(/^Save 3/)
  await other.page.getByRole('dialog', { name: 'Withheld' }).getByText('Alma').waitFor()
  await other.button('Kept apart')
  await logsNamed(manager, 'Harvest Alma')
  expect([...hand.device.complaints, ...other.device.complaints]).toEqual([])
})
