import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blockAccount } from '../../src/access/accounts.ts'
import { copiesOn, keptByWorker, openOutbox, putInStore, saysInTheStrip, stored } from '../harness/app.ts'
import { Client } from '../harness/client.ts'
import { emptyDirectory, placeWithTables } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { countOf, deviceOf, newLog, save, saveWithPhotos, seconds, waitingOn } from './app-outbox-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()

const cutWrites = ({ method, url = '' }: { method?: string | undefined; url?: string | undefined }) =>
  method === 'POST' && url.startsWith('/log') ? 'cut' : 'pass'

const cutPhotos = ({ url = '' }: { url?: string | undefined }) => (url.includes('/images') ? 'cut' : 'pass')

test('a session that has ended locks the copy and keeps what waits, which goes out after the same account logs in', async () => {
  const device = await deviceOf(farm, manager.login)
  const page = await device.openLoaded()
  await device.context.clearCookies()
  await save(page, newLog('Session over'))
  await saysInTheStrip(page, /^Log in to send 1$/)
  expect(await waitingOn(page)).toHaveLength(1)
  await device.logIn(manager.login)
  await page.reload()
  await expect.poll(() => countOf(manager, 'Session over')).toBe(1)
  await saysInTheStrip(page, /^Sent/)
})

test('a blocked account finds what waits in the outbox, takes it along as a file, and loses nothing', async () => {
  const worker = await farm.login('worker')
  const device = await deviceOf(farm, worker.login)
  const page = await device.openLoaded()
  device.line.fate = cutWrites
  const logs = [newLog('Blocked 1'), newLog('Blocked 2'), newLog('Blocked 3')]
  for (const log of logs) await save(page, log)
  await saysInTheStrip(page, /^3 waiting$/)
  await page.goto(`${device.line.base}/app/outbox`)
  await page.getByRole('heading', { name: 'Waiting, 3' }).waitFor()
  await saysInTheStrip(page, /^3 waiting$/)
  await page.getByText(/^next try in \d+ s$/).waitFor()
  await page.getByText(/^Still to send: .*byte/).waitFor()
  await page.getByText(/^(?:today|of) .* · (?:this minute|\d+ minutes? ago)$/).waitFor()
  await blockAccount(farm.installation, worker.login.name)
  device.line.fate = () => 'pass'
  await page.goto(`${device.line.base}/app/outbox`)
  await saysInTheStrip(page, /^Log in to send 3$/)
  await page.getByRole('heading', { name: 'Waiting, 3' }).waitFor()
  await page.getByText('Log in to send 3.', { exact: false }).first().waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).waitFor()
  expect(await page.getByText('Everything is sent.').count()).toBe(0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  const body = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(body.operations.map((one: { body: { name: string } }) => one.body.name)).toEqual(
    logs.map(({ fields }) => (fields as { name: string }).name),
  )
  await page.goto(`${device.line.base}/app/log-out?remove=1`)
  await page.getByText('3 are not sent yet').waitFor()
  expect(await waitingOn(page)).toHaveLength(3)
})

test('log out asks what becomes of entries: sent first, nothing of the farm stays', async () => {
  const device = await deviceOf(farm, manager.login)
  const page = await device.openLoaded()
  device.line.fate = cutWrites
  await save(page, newLog('Sent before leaving'))
  await page.goto(`${device.line.base}/app/log-out`)
  await page.getByText('1 is not sent yet').waitFor()
  await page.getByRole('button', { name: 'Send, then log out' }).click()
  await page.getByText('It could not be sent now.').waitFor()
  expect(await waitingOn(page)).toHaveLength(1)
  device.line.fate = () => 'pass'
  await page.getByRole('button', { name: 'Send, then log out' }).click()
  await page.waitForURL(/\/user\/login$/)
  expect(await countOf(manager, 'Sent before leaving')).toBe(1)
  await expect.poll(() => copiesOn(page)).toEqual([])
})

test('entries that are kept at the log-out are mentioned to the next one, and a manager sends them in the author’s name', async () => {
  const worker = await farm.login('worker')
  const device = await deviceOf(farm, worker.login)
  const page = await device.openLoaded()
  let lost = 0
  device.line.fate = (request) => (cutWrites(request) === 'cut' && lost++ === 0 ? 'lost' : cutWrites(request))
  const [reached, waits] = [newLog('Reached the farm'), newLog('Never left the phone')]
  await save(page, reached)
  await save(page, waits)
  await page.goto(`${device.line.base}/app/log-out`)
  await page.getByRole('button', { name: 'Keep here, log out' }).click()
  await page.waitForURL(/\/user\/login$/)
  expect(await copiesOn(page)).toHaveLength(1)

  await blockAccount(farm.installation, worker.login.name)
  await device.logIn(manager.login)
  device.line.fate = () => 'pass'
  await page.goto(`${device.line.base}/app/`)
  await page.getByText(`2 entries of ${worker.login.name} wait on this device.`, { exact: false }).waitFor()
  await page.goto(`${device.line.base}/app/outbox`)
  await page.getByRole('button', { name: `Send in ${worker.login.name}’s name` }).click()
  await expect.poll(() => countOf(manager, 'Never left the phone')).toBe(1)
  await page.getByRole('button', { name: `Send in ${worker.login.name}’s name` }).waitFor({ state: 'detached' })
  expect(await countOf(manager, 'Reached the farm')).toBe(1)
  const uid = (await manager.read(`/log/${reached.uuid}.json`)).uid.id
  expect((await manager.read(`/log/${waits.uuid}.json`)).uid.id).toBe(uid)
})

test('what waits can be exported as a body that the farm takes, which says what is not in it, and stays in the outbox', async () => {
  const device = await deviceOf(farm, manager.login)
  const page = await device.openLoaded()
  device.line.fate = cutPhotos
  await saveWithPhotos(page, newLog('Its photo waits'), [200])
  await expect.poll(() => countOf(manager, 'Its photo waits')).toBe(1)
  await expect.poll(() => waitingOn(page)).toEqual([])
  await device.loseServer()
  const log = newLog('Exported')
  await save(page, log)
  await openOutbox(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  await page.getByText('Not in the file: 1.').waitFor()
  const body = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect((await manager.post('/batch', body)).status).toBe(200)
  expect(await countOf(manager, 'Exported')).toBe(1)
  expect(await waitingOn(page)).toHaveLength(1)
  await device.restoreSignal()
  await saysInTheStrip(page, /^Sent/)
  expect(await countOf(manager, 'Exported')).toBe(1)
})

test('a clock that is a day fast is said, and what was saved before anybody knew gets the right time, in whichever tab', async () => {
  const began = seconds()
  /** Whatever the machine needs for the rest: the time is one between the beginning and now. */
  const expectRightTime = async (uuid: string) => {
    const timestamp = Number((await manager.read(`/log/${uuid}.json`)).timestamp)
    expect(timestamp).toBeGreaterThan(began - 300)
    expect(timestamp).toBeLessThan(seconds() + 300)
  }
  const device = await deviceOf(farm, manager.login)
  const page = await device.openLoaded()
  await keptByWorker(page)
  await device.loseServer()
  await page.clock.install({ time: Date.now() + 86_400_000 })
  await page.reload()
  await saysInTheStrip(page, /^Offline/)
  const [now, chosen] = [newLog('Saved now'), newLog('On a chosen day', { timestamp: '1700000000' })]
  await page.evaluate(`(() => {
    const now = ${JSON.stringify(now)}
    return furrow.save([{ ...now, fields: { ...now.fields, timestamp: String(Math.floor(Date.now() / 1000)) } }])
  })()`)
  await save(page, chosen)
  await device.restoreSignal()
  await expect.poll(() => waitingOn(page)).toEqual([])
  await page.getByText(/minutes fast\. The times that you save are put right\./).waitFor()
  await expectRightTime(now.uuid)
  expect((await manager.read(`/log/${chosen.uuid}.json`)).timestamp).toBe('1700000000')

  await device.context.setOffline(true)
  const other = newLog('Saved in another tab')
  await save(page, other)
  const [entry] = await stored<{ at: number; body: object }>(page, 'outbox')
  const fast = seconds() + 86_400
  const body = { ...entry?.body, timestamp: String(fast) }
  await putInStore(page, 'outbox', { value: { ...entry, clock: 'unsure', ahead: 0, at: fast, body } })
  await device.context.setOffline(false)
  await expect.poll(() => waitingOn(page)).toEqual([])
  await expectRightTime(other.uuid)
})

test('after a backup was put back the app offers to send again what the farm lacks: records, changes, removals and photos', async () => {
  const place = await placeWithTables('sqlite')
  const saved = join(await emptyDirectory(), 'saved')
  const before = await openFarm({ engine: 'sqlite', place })
  const writer = await before.login()
  const device = await deviceOf(before, writer.login)
  const page = await device.openLoaded()
  const [early, late] = [newLog('In the backup'), newLog('After the backup')]
  const [removed, brief, seen] = [newLog('Removed after it'), newLog('Made and removed'), newLog('Photographed')]
  device.line.fate = cutPhotos
  await save(page, early, removed)
  await saveWithPhotos(page, seen, [200])
  await expect.poll(() => waitingOn(page)).toEqual([])
  await before.close()
  await cp(place.data, saved, { recursive: true })
  const lost = await openFarm({ engine: 'sqlite', place })
  device.line.target = lost.base
  device.line.fate = () => 'pass'
  await save(page, late)
  await save(page, brief)
  await save(page, { verb: 'remove', type: 'log', uuid: removed.uuid })
  const photoStates = async () => (await stored<{ state: string }>(page, 'photo')).map(({ state }) => state)
  await expect.poll(photoStates).toEqual(['sent'])
  await save(page, { verb: 'remove', type: 'log', uuid: brief.uuid })
  await save(page, { verb: 'change', type: 'log', uuid: early.uuid, fields: { name: 'Changed after it' } })
  await expect.poll(() => waitingOn(page)).toEqual([])
  await page.reload()
  await expect.poll(() => device.line.streams).toBe(1)
  await lost.close()
  await cp(saved, place.data, { recursive: true })

  const back = await openFarm({ engine: 'sqlite', place })
  device.line.target = back.base
  await page.reload()
  await page.getByText(/lacks 4 entries that were sent from here/).waitFor()
  await page.goto(`${device.line.base}/app/outbox`)
  await page.getByRole('button', { name: 'Send again' }).click()
  const reader = new Client(back.base, { authorization: `Bearer ${writer.login.token}` })
  await expect.poll(() => countOf(reader, 'After the backup')).toBe(1)
  await expect.poll(() => countOf(reader, 'Changed after it')).toBe(1)
  const photos = async () => (await reader.read(`/log/${seen.uuid}.json?files=link`)).images
  await expect.poll(photos).toHaveLength(1)
  const gone = ['In the backup', 'Removed after it', 'Made and removed']
  expect(await Promise.all(gone.map((name) => countOf(reader, name)))).toEqual([0, 0, 0])
  expect(await stored(page, 'outbox')).toEqual([])
})
