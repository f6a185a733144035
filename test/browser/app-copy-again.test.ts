import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDeviceFor, putInStore, saysInTheStrip, stored } from '../harness/app.ts'
import { Client } from '../harness/client.ts'
import { emptyDirectory, placeWithTables } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { fairFarm } from '../modules/every-kind.ts'
import { plantSmallFarm } from './app-farm.ts'

const now = () => Math.floor(Date.now() / 1000)

const note = (client: Client, name: string) =>
  client.create('log', { name, type: 'farm_activity', timestamp: now() - 60, done: '1' })

test('after a backup was put back everything is loaded again, and what only the device has stays', async () => {
  const place = await placeWithTables('sqlite')
  const saved = join(await emptyDirectory(), 'saved')
  const before = await openFarm({ engine: 'sqlite', place })
  const manager = await before.login()
  await plantSmallFarm(manager)
  const device = await openDeviceFor(before, manager.login)
  await before.close()
  await cp(place.data, saved, { recursive: true })

  const lost = await openFarm({ engine: 'sqlite', place })
  device.line.target = lost.base
  const writer = new Client(lost.base, { authorization: `Bearer ${manager.login.token}` })
  await note(writer, 'Lost with the disk')
  const page = await device.openLoaded()
  await page.getByText('Lost with the disk').waitFor()
  await putInStore(page, 'draft', { key: 'entry', value: { waits: true } })
  await lost.close()
  await cp(saved, place.data, { recursive: true })

  const back = await openFarm({ engine: 'sqlite', place })
  device.line.target = back.base
  await note(new Client(back.base, { authorization: `Bearer ${manager.login.token}` }), 'After the restore')
  device.line.fate = ({ url }) => (url === '/changes' ? 'cut' : 'pass')
  await page.reload()
  await saysInTheStrip(page, /^Offline, copy of /)
  await page.getByText('Lost with the disk').waitFor()
  device.line.fate = () => 'pass'
  await page.reload()
  await page.getByText('After the restore').waitFor()
  await saysInTheStrip(page, /^Sent/)
  const names = (await stored(page, 'record')).map(({ name }) => name)
  expect(names).not.toContain('Lost with the disk')
  expect(names).toContain('Mend the fence')
  expect(await stored(page, 'draft')).toEqual([{ waits: true }])
  expect(device.complaints).toEqual([])
})

test.each(atLeastOn('postgres'))('%s: another catalogue is read, and everything is loaded again', async (engine) => {
  const place = await placeWithTables(engine)
  const before = await openFarm({ engine, place })
  const manager = await before.login()
  await plantSmallFarm(manager)
  const device = await openDeviceFor(before, manager.login)
  const page = await device.openLoaded()
  await before.close()

  const after = await openFarm({ engine, place, farm: fairFarm })
  device.line.target = after.base
  device.line.asked.length = 0
  await page.evaluate('dispatchEvent(new Event("online"))')
  await expect.poll(() => device.line.asked).toContain('GET /catalogue.json')
  const stays = (line: string) => line.startsWith('GET /stays')
  await expect.poll(() => device.line.asked.filter(stays).length).toBeGreaterThanOrEqual(2)
  await saysInTheStrip(page, /^Sent/)
  expect(device.line.asked.some((line) => line.startsWith('GET /taxonomy_term.json'))).toBe(true)
  expect((await stored(page, 'record')).map(({ name }) => name)).toContain('Mend the fence')
})

test('a device without room keeps the logs of 90 days, says so, and has all again when there is room', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  await plantSmallFarm(manager)
  const day = 86_400
  const notes = 'Long words. '.repeat(5_000)
  const [type, done] = ['farm_observation', '1']
  const noteOf = (age: number) => ({ name: `Note ${age}`, type, timestamp: now() - age * 4.75 * day, done, notes })
  for (let first = 1; first <= 80; first += 10) {
    const ages = Array.from({ length: 10 }, (_, more) => first + more)
    const operations = ages.map((age) => ({ method: 'POST', path: '/log', body: noteOf(age) }))
    expect((await manager.post('/batch', { operations })).status).toBe(200)
  }
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.context.newPage()
  const session = await device.context.newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: device.line.base, quotaSize: 2_200_000 })
  await page.goto(`${device.line.base}/app/`)
  await page.getByText('It now keeps finished logs of the last 90 days only.', { exact: false }).waitFor()
  await saysInTheStrip(page, /^Sent/)
  const kept = (await stored(page, 'record')).filter(({ name }) => name.startsWith('Note'))
  expect(kept.map(({ name }) => name).sort()).toEqual(
    Array.from({ length: 18 }, (_, index) => `Note ${index + 1}`).sort(),
  )

  await session.send('Storage.overrideQuotaForOrigin', { origin: device.line.base })
  await putInStore(page, 'meta', { key: 'fullAt', value: Date.now() - 2 * day * 1000 })
  await page.reload()
  const notes400 = async () => (await stored(page, 'record')).filter(({ name }) => name.startsWith('Note')).length
  await expect.poll(notes400).toBe(80)
})
