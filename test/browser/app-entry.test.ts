import { describe, expect, it, test } from 'vitest'
import { keptByWorker, saysInTheStrip, stored } from '../harness/app.ts'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { withOrigin } from '../harness/jpeg-origin.ts'
import { day, handOf, logsNamed, now, plantEntryFarm } from './app-entry-farm.ts'

const ids = (references: readonly { id: string }[]) => references.map(({ id }) => id)

test.each(engines)(
  '%s: a herd is moved with four taps and no signal, each of it named, and the card says what changed',
  async (engine) => {
    const farm = await openFarm({ engine })
    const manager = await farm.login()
    const { herd, rosa, bella, north } = await plantEntryFarm(manager)
    const hand = await handOf(farm, manager)
    await keptByWorker(hand.page)
    await hand.device.loseServer()

    await hand.link('Add')
    await hand.link(/^Move/)
    await hand.row(/^Milkers, 2/)
    await hand.row(/^North 3/)
    await hand.says('Milkers (2) are now in North 3')
    expect(hand.taps).toBe(4)
    await hand.page.getByText('were 4 days in Hill 1, which now rests').waitFor()
    await hand.page.getByText(/^Saved on this device/).waitFor()
    await hand.open(`/area/${north}`)
    await hand.page
      .getByRole('link', { name: /Milkers/ })
      .first()
      .waitFor()

    await hand.device.restoreSignal()
    const [move] = await logsNamed(manager, 'Milkers to North 3')
    expect(ids(move.asset)).toEqual([herd, rosa, bella])
    expect(ids(move.movement.area)).toEqual([north])
    expect(move.done).toBe('1')
    expect(hand.device.complaints).toEqual([])
  },
)

test('a harvest, a repair and feed need no record beforehand, and an unusual amount is asked about', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  const { bed, carrots, herd, rosa, bella } = await plantEntryFarm(manager)
  await manager.create('taxonomy_term', { name: 'Leek', vocabulary: 'farm_crops' })
  for (const index of [1, 2, 3, 4, 5]) {
    const log = { name: `Harvest ${index}`, type: 'farm_harvest', timestamp: now() - index * day, done: '1' }
    const quantity = [{ measure: 'count', value: String(10 + index), unit: { name: 'bunches' } }]
    await manager.create('log', { ...log, asset: [{ id: carrots }], quantity })
    const milk = [{ measure: 'volume', value: '30', unit: { name: 'litres' } }]
    await manager.create('log', { ...log, name: 'Milk', asset: [{ id: rosa }], quantity: milk })
  }
  const namesOf = (assets: readonly { id: string }[]) =>
    Promise.all(ids(assets).map(async (id) => (await manager.read(`/farm_asset/${id}.json`)).name))
  const hand = await handOf(farm, manager)
  const { page } = hand

  await hand.open('/add/harvest')
  await hand.button('Another crop')
  await hand.row(/^Leek/)
  await page.getByRole('heading', { name: 'New planting: Leek · where?' }).waitFor()
  await hand.row(/^Bed 3/)
  await hand.type('7')
  await hand.button('Save 7 kg')
  await hand.says('7 kg of Leek, Bed 3')
  const [leeks] = await logsNamed(manager, 'Harvest Leek')
  expect(await namesOf(leeks.asset)).toEqual(['Leek, Bed 3'])
  expect([ids(leeks.area), ids(leeks.movement.area)]).toEqual([[bed], [bed]])

  await hand.open('/add/harvest?of=places')
  await hand.row(/^Bed 3/)
  await hand.type('2')
  await hand.button('Save 2 kg')
  await hand.says('2 kg of Bed 3')
  const [bare] = await logsNamed(manager, 'Harvest Bed 3')
  expect([bare.asset, ids(bare.area)]).toEqual([[], [bed]])

  await hand.open('/add/maintain')
  await page.getByRole('searchbox').fill('Baler')
  await hand.row(/^New: Baler/)
  await page.getByRole('heading', { name: 'Baler' }).waitFor()
  await hand.button('Save')
  await hand.says(/^Maintained/)
  const [repair] = await logsNamed(manager, 'Maintenance, Baler')
  expect(await namesOf(repair.asset)).toEqual(['Baler'])

  await hand.open('/add/input?new=Hay')
  await hand.button('Animals')
  await page.getByRole('heading', { name: 'Who got it?' }).waitFor()
  await hand.row(/^Milkers/)
  await hand.button('Go on')
  await hand.type('3')
  await hand.button('Save 3 kg')
  const [hay] = await logsNamed(manager, 'Hay, Milkers')
  expect([ids(hay.asset), hay.area]).toEqual([[herd, rosa, bella], []])

  await hand.open(`/add/harvest?asset=${carrots}`)
  await hand.type('131')
  await hand.button('Save 131 bunches')
  await page.getByText('131 bunches is far more than usual, which is about 13 bunches. Is it right?').waitFor()
  await hand.button('Yes, save 131 bunches')
  await hand.says('131 bunches of Carrots')
  expect(hand.device.complaints).toEqual([])
})

describe('with a few taps', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  const planted = await plantEntryFarm(manager)
  const { rosa, bella, north, hill, bed, carrots, herd } = planted
  const hand = await handOf(farm, manager)
  const { page } = hand

  it('a harvest is four of them, with a lot and the unit that was used last', async () => {
    hand.taps = 0
    await hand.link('Add')
    await hand.link(/^Harvest/)
    await hand.row(/^Carrots/)
    await hand.type('18.5')
    await hand.button('Save 18.5 kg')
    await hand.says('18.5 kg of Carrots')
    expect(hand.taps).toBe(4)
    const [log] = await logsNamed(manager, 'Harvest Carrots')
    expect(log.quantity).toMatchObject([{ measure: 'weight', value: '18.5' }])
    expect(log.lot_number).toMatch(new RegExp(`^\\d{4}-\\d{3}-${carrots}$`))
    expect(ids(log.area)).toEqual([bed])

    await hand.open(`/add/harvest?asset=${carrots}`)
    await hand.button('crates')
    await hand.type('3')
    await hand.button('Save 3 crates')
    await hand.says('3 crates of Carrots')
    await hand.open(`/add/harvest?asset=${carrots}`)
    await page.getByRole('button', { name: 'crates', pressed: true }).waitFor()
  })

  it('an observation is three and the shutter, with time and place filled in', async () => {
    await hand.open('/')
    hand.taps = 0
    await hand.link('Add')
    const camera = page.waitForEvent('filechooser')
    await hand.link(/^Observe/)
    await (await camera).setFiles('web/icons/icon-192.png')
    await page.locator('.new-photos img').waitFor()
    await page.getByRole('button', { name: 'North 3' }).waitFor()
    await hand.button('Save')
    await hand.says('Noted: Observation, North 3')
    expect(hand.taps).toBe(3)
    const [log] = await logsNamed(manager, 'Observation, North 3')
    expect(ids(log.area)).toEqual([north])
    expect(Number(log.timestamp)).toBeGreaterThan(now() - 600)
    await expect.poll(async () => (await manager.read(`/log/${log.id}.json`)).images.length).toBe(1)
  })

  it('an observation keeps its note and its photo while a place is chosen for it', async () => {
    await hand.open('/')
    await hand.link('Add')
    const camera = page.waitForEvent('filechooser')
    await hand.link(/^Observe/)
    await (await camera).setFiles('web/icons/icon-192.png')
    await page.locator('.new-photos img').waitFor()
    await page.getByLabel('What did you see?').fill('Flea beetles')
    await hand.button('North 3')
    await hand.row(/^Bed 3/)
    await page.getByRole('button', { name: 'Bed 3' }).waitFor()
    expect(await page.getByLabel('What did you see?').inputValue()).toBe('Flea beetles')
    await page.reload()
    await page.locator('.new-photos img').waitFor()
    await hand.button('Save')
    await hand.says(/^Noted: Flea beetles/)
    const [log] = await logsNamed(manager, 'Flea beetles')
    expect(ids(log.area)).toEqual([bed])
    await expect.poll(async () => (await manager.read(`/log/${log.id}.json`)).images.length).toBe(1)
  })

  it('when and where a photo was taken is offered, used only by a tap, and never sent with it', async () => {
    const plain: string = await page.evaluate(`(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 })
      canvas.getContext('2d').fillRect(8, 8, 20, 20)
      return canvas.toDataURL('image/jpeg').split(',')[1]
    })()`)
    const noted = { taken: '2026:05:14 08:12:00', offset: '+02:00' }
    const onTheHill = { latitude: [50, 0, 18, 'N'], longitude: [7, 0, 18, 'E'] } as const
    const photo = withOrigin(Buffer.from(plain, 'base64'), { ...noted, ...onTheHill })
    const choose = async (note: string) => {
      await hand.open('/add/observe')
      await page.getByRole('button', { name: 'North 3' }).waitFor()
      const chooser = page.waitForEvent('filechooser')
      await hand.button('From this device')
      await (await chooser).setFiles({ name: 'slug.jpg', mimeType: 'image/jpeg', buffer: photo })
      await page.getByLabel('What did you see?').fill(note)
    }
    const offer = page.getByRole('button', { name: /^Taken May 14.* · Hill 1: use it$/ })
    const saved = async (name: string) => {
      await hand.button('Save')
      await hand.says(`Noted: ${name}`)
      const [log] = await logsNamed(manager, name)
      await expect.poll(async () => (await manager.read(`/log/${log.id}.json`)).images.length).toBe(1)
      return log
    }

    await choose('Slugs today')
    await offer.waitFor()
    const unused = await saved('Slugs today')
    expect(Number(unused.timestamp)).toBeGreaterThan(now() - 600)
    expect(unused.geofield).toEqual([])

    await choose('Slugs in May')
    await offer.tap()
    await offer.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Hill 1' }).waitFor()
    const used = await saved('Slugs in May')
    expect(Number(used.timestamp)).toBe(Date.parse('2026-05-14T08:12:00+02:00') / 1000)
    expect(ids(used.area)).toEqual([hill])
    expect(used.geofield).toMatchObject([{ geom: expect.stringMatching(/^POINT ?\(7\.005\d* 50\.005\d*\)$/) }])
    const [address] = (await manager.read(`/log/${used.id}.json?files=link`)).images
    const sent = await fetch(address, { headers: { authorization: `Bearer ${manager.login.token}` } })
    expect(Buffer.from(await sent.arrayBuffer()).includes('Exif')).toBe(false)
  })

  it('animals are weighed one after another on one screen, by the digits of their tags', async () => {
    await hand.open('/add/weigh')
    for (const [tag, weight] of [
      ['117', '655'],
      ['118', '603.5'],
    ]) {
      hand.taps = 0
      await hand.type(tag ?? '')
      await page.getByLabel('Weight, kg').waitFor()
      await hand.type(weight ?? '')
      await hand.button('Save, next animal')
      await page.getByText(`${tag === '118' ? 'DE 118' : tag} weighed, ${weight} kg`).waitFor()
      expect(hand.taps).toBe(1)
    }
    const [log] = await logsNamed(manager, 'Weigh Rosa')
    expect(log).toMatchObject({ type: 'farm_observation', quantity: [{ measure: 'weight', value: '655' }] })
    expect(ids(log.asset)).toEqual([rosa])
    expect((await logsNamed(manager, 'Weigh Bella'))[0].quantity[0].value).toBe('603.5')
  })

  it('a treatment with days of withholding makes a second log, to be done when they are over', async () => {
    await hand.open('/add/treat')
    await page.getByLabel('Product').fill('Penicillin')
    await page.getByLabel('Days withheld: Meat').fill('4')
    await page.getByLabel('Tag or name').focus()
    hand.taps = 0
    await hand.type('117')
    await page.getByLabel('Dose, ml').waitFor()
    await hand.type('5')
    await hand.button('Save, next animal')
    await page.getByText(/117 treated, Penicillin 5 ml, withheld to/).waitFor()
    expect(hand.taps).toBe(1)
    const [given] = await logsNamed(manager, 'Penicillin for Rosa')
    expect(given).toMatchObject({ type: 'farm_medical', done: '1' })
    expect(given.quantity).toMatchObject([
      { label: 'Penicillin', value: '5', measure: 'volume' },
      { label: 'withhold meat', value: '4', measure: 'time' },
    ])
    const [over] = await logsNamed(manager, 'Withholding over: Rosa')
    expect(over.done).toBe('0')
    expect(Number(over.timestamp)).toBe(Number(given.timestamp) + 4 * day)
  })

  it('what is given stays while the next animal is chosen by its name', async () => {
    await hand.open('/add/treat')
    await page.getByLabel('Product').fill('Drench')
    await hand.link('Choose')
    await hand.row(/^Bella/)
    await page.getByLabel('Dose, ml').waitFor()
    expect(await page.getByLabel('Product').inputValue()).toBe('Drench')
    await page.locator('.strip').getByRole('link', { name: 'Treat' }).waitFor()
  })

  it('a crop by its name and a place make a planting and its log together', async () => {
    await hand.open('/add/seed')
    await page.getByRole('searchbox').fill('Leek')
    await hand.button('New: Leek')
    await hand.row(/^Bed 3/)
    await hand.type('25')
    await hand.button('Save 25 g')
    await hand.says('Leek sown in Bed 3')
    const [log] = await logsNamed(manager, 'Sow Leek, Bed 3')
    const planting = await manager.read(`/farm_asset/${log.asset[0].id}.json`)
    expect(planting).toMatchObject({ type: 'planting', name: 'Leek, Bed 3' })
    expect(ids(planting.location)).toEqual([bed])
  })

  it('an input is a material, the places it went to, and how much of it', async () => {
    await hand.open(`/add/input?area=${hill}`)
    await page.getByRole('searchbox').fill('Lime')
    await hand.button('New: Lime')
    await hand.type('400')
    await hand.button('Save 400 kg')
    const [log] = await logsNamed(manager, 'Lime, Hill 1')
    expect(ids(log.area)).toEqual([hill])
    expect(log.material).toMatchObject([{ name: 'Lime' }])
  })

  it('what is not done yet is a plan, with its day and whoever does it', async () => {
    await hand.open('/add/maintain')
    await hand.row(/^Tractor/)
    await page.getByLabel('What was done?').fill('Grease the loader')
    await hand.button('Not done yet')
    await page.getByLabel('What is to be done?').waitFor()
    await hand.button('In a week')
    await page.getByLabel('Who does it').selectOption({ label: manager.login.name })
    await hand.button('Save the plan')
    await hand.says('Planned: Grease the loader')
    await page.getByText(new RegExp(`^Planned for .* for ${manager.login.name}`)).waitFor()
    const [log] = await logsNamed(manager, 'Grease the loader')
    expect(log).toMatchObject({ type: 'farm_maintenance', done: '0' })
    expect(log.log_owner).toHaveLength(1)
    expect(Number(log.timestamp)).toBeGreaterThan(now() + 5 * day)
  })

  it('a plan for anybody is nobody’s own, and no plan is told as done', async () => {
    await hand.open(`/add/move?asset=${herd}&area=${hill}&plan=2031-05-20`)
    await hand.button('Plan the move to Hill 1')
    await hand.says('Planned: Milkers to Hill 1')
    expect(await page.getByText('are now in').count()).toBe(0)
    expect(await page.getByText('Leave some behind').count()).toBe(0)
    const [move] = await logsNamed(manager, 'Milkers to Hill 1')
    expect(move).toMatchObject({ done: '0', log_owner: [] })
    await hand.open('/')
    await hand.open(`/add/weigh?plan=2031-05-20`)
    await hand.type('117')
    await page.getByLabel('Weight, kg').waitFor()
    await hand.type('1')
    await hand.button('Save, next animal')
    await page.getByText('Planned: Weigh Rosa').waitFor()
  })

  it('a name that was composed can be changed', async () => {
    await hand.open(`/add/harvest?asset=${carrots}`)
    await hand.type('2')
    await hand.button('More')
    await page.getByLabel('Name').fill('First bunches')
    await page.getByRole('dialog').getByRole('button', { name: 'Done', exact: true }).tap()
    await hand.button(/^Save 2/)
    await logsNamed(manager, 'First bunches')
  })

  it('the map moves a herd in four, and what was saved is taken back by one', async () => {
    await hand.open('/')
    hand.taps = 0
    await hand.link('Map')
    await page.locator('.map[aria-busy=false]').waitFor()
    // In the middle of the farm lies North 3.
    await hand.tap(page.getByRole('application', { name: /^Map of/ }))
    await hand.link('Move here')
    await hand.row(/^Milkers/)
    await hand.says(/now in North 3/)
    expect(hand.taps).toBe(4)
    await hand.button('Undo')
    await expect.poll(async () => (await manager.read('/log.json?name=Milkers%20to%20North%203')).list.length).toBe(0)
    const { location } = await manager.read(`/farm_asset/${herd}.json`)
    expect(location).not.toHaveLength(0)
  })

  it('some are left behind on the card', async () => {
    await hand.open(`/add/move?asset=${herd}`)
    await hand.row(/^North 3/)
    await hand.link(/^Leave some behind/)
    await hand.row(/^Bella/)
    await hand.button('Save who moved')
    await page.getByText('Milkers').first().waitFor()
    await expect.poll(async () => ids((await logsNamed(manager, 'Milkers to North 3'))[0].asset)).toEqual([herd, rosa])
    expect(bella).not.toBe('')
  })

  it('what was typed is there again after the app was closed', async () => {
    await hand.open(`/add/harvest?asset=${carrots}`)
    await hand.type('77')
    await page.getByRole('button', { name: /^Save 77/ }).waitFor()
    await page.close()
    const again = await hand.device.openLoaded('/add/harvest')
    await again.getByRole('link', { name: 'Go on' }).tap()
    await again.getByRole('button', { name: /^Save 77/ }).waitFor()
  })

  it('nothing complained', () => expect(hand.device.complaints).toEqual([]))
})

test('who had joined a herd before it moved, by a log that this phone did not have, is asked about once, by name', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  const { herd, north, hill } = await plantEntryFarm(manager)
  const hand = await handOf(farm, manager)
  await hand.open(`/add/move?asset=${herd}`)
  await keptByWorker(hand.page)
  await hand.device.loseServer()
  const ida = await manager.create('farm_asset', { name: 'Ida', type: 'animal', animal_type: { name: 'Cow' } })
  const joins = { name: 'Ida joins', type: 'farm_activity', timestamp: now() - 3600, done: '1' }
  await manager.create('log', { ...joins, asset: [{ id: ida }], membership: { group: [{ id: herd }] } })
  await hand.row(/^North 3/)
  await hand.says(/are now in North 3/)
  await hand.open(`/add/move?asset=${herd}&area=${hill}`)
  await hand.button('Move to Hill 1')
  await hand.says(/are now in Hill 1/)
  await hand.device.restoreSignal()
  await saysInTheStrip(hand.page, /^Sent/)
  await hand.button('That’s right')
  await hand.page.getByText('Ida had joined Milkers before it moved to North 3, Hill 1: move it too?').waitFor()
  expect(await hand.page.getByRole('button', { name: 'Move too' }).count()).toBe(1)
  await hand.button('Move too')
  const namesIda = async (log: string) => ids((await logsNamed(manager, log))[0].asset).includes(ida)
  await expect.poll(() => namesIda('Milkers to North 3')).toBe(true)
  await expect.poll(() => namesIda('Milkers to Hill 1')).toBe(true)
  expect(north).not.toBe(hill)
})

test('a lot that another planting got meanwhile is told of once it is sent, until somebody has said that it is right', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  const { carrots } = await plantEntryFarm(manager)
  const leeks = await manager.create('farm_asset', { name: 'Leeks', type: 'planting', crop: [{ name: 'Leek' }] })
  const hand = await handOf(farm, manager)
  const { page } = hand
  await hand.open(`/add/harvest?asset=${carrots}`)
  await keptByWorker(page)
  await hand.device.loseServer()
  await hand.type('18')
  await hand.button('Save 18 kg')
  await hand.says('18 kg of Carrots')
  await hand.button('That’s right')
  const [waiting] = await stored<{ body: { lot_number: string } }>(page, 'outbox')
  const lot = waiting?.body.lot_number ?? ''
  const harvest = { name: 'Leeks', type: 'farm_harvest', timestamp: now() - 60, done: '1', asset: [{ id: leeks }] }
  await manager.create('log', { ...harvest, lot_number: lot })
  await hand.device.restoreSignal()
  const told = page.getByText(`Lot ${lot} is on a harvest of Leeks already.`)
  await told.waitFor()
  await page.getByRole('link', { name: 'Change', exact: true }).waitFor()
  await page.reload()
  await told.waitFor()
  await hand.button('That’s right')
  await told.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('Harvest Carrots').first().waitFor()
  expect(await told.count()).toBe(0)
})
