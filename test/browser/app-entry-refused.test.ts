import type { CDPSession } from 'playwright-core'
import { describe, expect, it, test } from 'vitest'
import { openPhone, saysInTheStrip } from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { Hand, handOf, now, plantEntryFarm, standing } from './app-entry-farm.ts'

/** A herd of more than can be moved at once. */
async function plantLargeHerd(manager: Client): Promise<string> {
  const flock = await manager.create('farm_asset', { name: 'Flock', type: 'group' })
  for (let share = 0; share < 6; share += 1) {
    const sheep = Array.from({ length: 900 }, () => crypto.randomUUID())
    const more = { name: 'Sheep', type: 'animal', animal_type: { name: 'Sheep' } }
    const joins = { name: 'They join', type: 'farm_activity', timestamp: now() - 3600, done: '1' }
    const membership = { group: [{ id: flock }] }
    const made = await manager.post('/batch', {
      operations: [
        ...sheep.map((uuid) => ({ method: 'POST', path: '/farm_asset', body: { uuid, ...more } })),
        { method: 'POST', path: '/log', body: { ...joins, asset: sheep.map((uuid) => ({ uuid })), membership } },
      ],
    })
    expect(made.status).toBe(200)
  }
  return flock
}

/** What is said is seen, and lies over no button. */
async function isSeenBeside({ page }: Hand, button: string): Promise<void> {
  const said = await page.getByRole('alert').boundingBox()
  const save = await page.getByRole('button', { name: button, exact: true }).boundingBox()
  if (said === null || save === null) throw new Error('One of them is not seen.')
  expect(said.height).toBeGreaterThan(20)
  expect(said.y + said.height).toBeLessThanOrEqual(save.y)
  expect(save.y + save.height).toBeLessThanOrEqual(740)
}

test('that too many would move at once is said at the button that moves them', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  const { north } = await plantEntryFarm(manager)
  const flock = await plantLargeHerd(manager)
  const hand = await handOf(farm, manager)
  const { page } = hand
  await hand.open(`/add/move?asset=${flock}&area=${north}`)
  await hand.button('Move to North 3')
  await page.getByRole('alert').getByText('5,401 animals are too many for one move.', { exact: false }).waitFor()
  await isSeenBeside(hand, 'Move to North 3')
  expect((await manager.read('/log.json?name=Flock%20to%20North%203')).list).toEqual([])
  await hand.open('/add/move')
  expect(await page.getByRole('alert').innerText()).toBe('')
  expect(hand.device.complaints).toEqual([])
})

/** Something else on the device takes all the room that there is. */
const fill = `(async () => {
  const [{ name }] = await indexedDB.databases()
  const opened = await new Promise((resolve) => { indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result) })
  const put = (value, key) => new Promise((resolve) => {
    const transaction = opened.transaction('draft', 'readwrite')
    transaction.objectStore('draft').put(value, key)
    transaction.oncomplete = () => resolve(true)
    transaction.onabort = () => resolve(false)
  })
  const random = (length) => Array.from({ length }, () => Math.random().toString(36)[2]).join('')
  let count = 0
  for (const length of [300_000, 30_000, 3_000, 300]) while (await put(random(length), 'other ' + count)) count += 1
  opened.close()
})()`

describe('on a device that is full, at Save, is said', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  const { carrots, herd, north, rosa } = await plantEntryFarm(manager)
  const plan = { name: 'Pull carrots', type: 'farm_harvest', timestamp: now() - 3600, done: '0' }
  const planned = await manager.create('log', { ...plan, asset: [{ id: carrots }] })
  const device = await openPhone(farm, standing)
  await device.logIn(manager.login)
  const page = await device.context.newPage()
  const hand = new Hand(page, device)
  const session: CDPSession = await device.context.newCDPSession(page)
  const grant = (quotaSize: number) =>
    session.send('Storage.overrideQuotaForOrigin', { origin: device.line.base, quotaSize })
  await grant(4_000_000)
  await hand.open('/')
  await saysInTheStrip(page, /^Sent/)

  /** Not kept while the device is full, and kept as it was typed once there is room. */
  async function isRefusedOnce(button: string, room: number): Promise<void> {
    await page.evaluate(fill)
    await hand.button(button)
    await page
      .getByRole('alert')
      .getByText(/^That could not be kept on this device: .* no room left/)
      .waitFor()
    await isSeenBeside(hand, button)
    await grant(room)
    await hand.button(button)
  }

  it('that a harvest was not kept; what was typed stays', async () => {
    await hand.open(`/add/harvest?asset=${carrots}`)
    await hand.type('18')
    await isRefusedOnce('Save 18 kg', 6_000_000)
    await hand.says('18 kg of Carrots')
  })

  it('the same of an animal in a race', async () => {
    await hand.open(`/add/weigh?asset=${rosa}`)
    await page.getByLabel('Weight, kg').waitFor()
    await hand.type('655')
    await isRefusedOnce('Save, next animal', 8_000_000)
    await page.getByText('117 weighed, 655 kg').waitFor()
  })

  it('the same of who was left behind', async () => {
    await hand.open(`/add/move?asset=${herd}&area=${north}`)
    await hand.button('Move to North 3')
    await hand.link(/^Leave some behind/)
    await hand.row(/^Bella/)
    await isRefusedOnce('Save who moved', 10_000_000)
    await hand.says(/now in North 3/)
  })

  it('the same of a plan that is done', async () => {
    await hand.open(`/add/done?log=${planned}`)
    await hand.type('7')
    await isRefusedOnce('Save 7 kg', 12_000_000)
    await expect.poll(async () => (await manager.read(`/log/${planned}.json`)).done).toBe('1')
  })
})
