import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { saysInTheStrip, stored } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { plantSmallFarm } from './app-farm.ts'
import { deviceOf, newLog, save, seconds, waitingOn } from './app-outbox-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
await plantSmallFarm(manager)
const day = 86_400
const long = (length: number) => randomBytes(length / 2).toString('hex')
for (let age = 100; age < 130; age += 1)
  await manager.create('log', {
    ...{ name: `Old ${age}`, type: 'farm_observation', timestamp: seconds() - age * day, done: '1' },
    notes: long(60_000),
  })

test('a full device gives up old logs of the copy, and never what was written', async () => {
  const device = await deviceOf(farm, manager.login)
  const page = await device.context.newPage()
  const session = await device.context.newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: device.line.base, quotaSize: 3_500_000 })
  await page.goto(`${device.line.base}/app/`)
  await saysInTheStrip(page, /^Sent/)
  const old = async () => (await stored(page, 'record')).filter(({ name }) => name.startsWith('Old')).length
  expect(await old()).toBe(30)
  await device.loseServer()
  await page.evaluate('furrow.keepDraft("log/new", { name: "half a name" })')
  const written: string[] = []
  // When a browser counts what was given up as room is its own affair: until then it may refuse more, and what it took stays.
  for (let index = 0; index < 14; index += 1) {
    const name = `Written ${index}`
    const isTaken = await save(page, newLog(name, { notes: long(300_000) })).then(
      () => true,
      (refusal) => !/QuotaExceededError/.test(String(refusal)),
    )
    if (isTaken) written.push(name)
  }
  expect(written.length).toBeGreaterThanOrEqual(3)
  expect((await waitingOn(page)).map(({ name }) => name)).toEqual(written)
  expect(await old()).toBe(0)
  await expect.poll(() => page.evaluate('furrow.photosFit.value')).toBe(false)
  expect(await stored(page, 'draft')).toEqual([{ name: 'half a name' }])
  await page.getByText('It now keeps finished logs of the last 90 days only.', { exact: false }).waitFor()
})

test('at four fifths no more photos are taken, and text is saved as ever', async () => {
  const device = await deviceOf(farm, manager.login)
  const page = await device.openLoaded()
  await device.loseServer()
  // Browsers do not tell how much they grant any more, so that nobody is known by it; a full one would say this.
  await page.evaluate('navigator.storage.estimate = async () => ({ usage: 81, quota: 100 })')
  await save(page, newLog('Written on a nearly full device'))
  await expect.poll(() => page.evaluate('furrow.photosFit.value')).toBe(false)
  expect(await page.evaluate('furrow.askForFiles({ accepts: "image", from: "camera" })')).toEqual([])
  await page.getByText('This device is nearly full', { exact: false }).waitFor()
  expect((await waitingOn(page)).map(({ name }) => name)).toEqual(['Written on a nearly full device'])
})
