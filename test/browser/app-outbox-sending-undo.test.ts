import { beforeEach, expect, test } from 'vitest'
import { openOutbox, saysInTheStrip, stored } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { countOf, deviceOf, newLog, save, saveWithPhotos, undo, waitingOn } from './app-outbox-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const device = await deviceOf(farm, manager.login)
const page = await device.openLoaded()
page.setDefaultTimeout(8000)

beforeEach(() => {
  device.line.fate = () => 'pass'
  device.line.asked.length = 0
})

const nothingWaits = () => expect.poll(() => waitingOn(page)).toEqual([])
const writes = () => device.line.asked.filter((line) => !line.startsWith('GET'))

test('undo drops entries that were never sent', async () => {
  await device.loseServer()
  const saved = await save(page, newLog('Never said'))
  await undo(page, saved)
  await nothingWaits()
  await device.restoreSignal()
  await saysInTheStrip(page, /^Sent/)
  expect(writes()).toEqual([])
})

test('undo of a sent set is carried out on the farm', async () => {
  const log = newLog('Sent, then undone')
  const saved = await save(page, log)
  await nothingWaits()
  await undo(page, saved)
  await nothingWaits()
  expect(writes()).toEqual([
    expect.stringMatching(/^POST \/log\?/),
    expect.stringMatching(/^POST \/changes\/[^/]+\/undo$/),
  ])
  expect((await manager.get(`/log/${log.uuid}.json`)).status).toBe(404)
  // The stream may tell of the creation just then; its removal follows.
  await expect.poll(async () => (await stored(page, 'record')).map(({ uuid }) => uuid)).not.toContain(log.uuid)
})

test('undo also removes a set whose answer was lost', async () => {
  const log = newLog('Lost, then undone')
  device.line.fate = ({ method, url = '' }) => (method === 'POST' && url.startsWith('/log') ? 'lost' : 'pass')
  const saved = await save(page, log)
  await expect.poll(async () => (await waitingOn(page))[0]?.tries).toBeGreaterThan(0)
  await undo(page, saved)
  device.line.fate = () => 'pass'
  await page.evaluate('furrow.sendNow()')
  await nothingWaits()
  expect((await manager.get(`/log/${log.uuid}.json`)).status).toBe(404)
})

test('a set that may have arrived and is refused later waits for the user together with its undo', async () => {
  const log = newLog('Refused late')
  const body = { type: 'urn:furrow:refusal:conflict' }
  const isOwn = ({ method, url = '' }: { method?: string | undefined; url?: string | undefined }) =>
    method === 'POST' && url.startsWith('/log?')
  device.line.fate = (request) => (isOwn(request) ? 'lost' : 'pass')
  const saved = await save(page, log)
  await expect.poll(async () => (await waitingOn(page))[0]?.tries).toBeGreaterThan(1)
  device.line.fate = (request) => (isOwn(request) ? { answered: { status: 409, body } } : 'pass')
  await undo(page, saved)
  await saysInTheStrip(page, /^1 needs you$/)
  device.line.fate = () => 'pass'
  await openOutbox(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await nothingWaits()
  expect((await manager.get(`/log/${log.uuid}.json`)).status).toBe(404)
})

test('undo restores changed fields and removed records', async () => {
  const log = newLog('Before the change')
  await save(page, log)
  await nothingWaits()
  const changed = await save(page, { verb: 'change', type: 'log', uuid: log.uuid, fields: { name: 'After it' } })
  await nothingWaits()
  expect(await countOf(manager, 'After it')).toBe(1)
  await undo(page, changed)
  await nothingWaits()
  expect(await countOf(manager, 'Before the change')).toBe(1)
  const removed = await save(page, { verb: 'remove', type: 'log', uuid: log.uuid })
  await nothingWaits()
  await undo(page, removed)
  await nothingWaits()
  expect(await countOf(manager, 'Before the change')).toBe(1)
})

test('undo of a set removes its sent photos', async () => {
  const log = newLog('With photos, undone')
  await saveWithPhotos(page, log, [300, 200])
  await saysInTheStrip(page, /^Sent/)
  const [sent] = (await stored<{ set: string; entry: { record: string } }>(page, 'sent')).filter(
    ({ entry }) => entry.record === log.uuid,
  )
  await undo(page, { set: sent?.set ?? '' })
  await nothingWaits()
  expect((await manager.get(`/log/${log.uuid}.json`)).status).toBe(404)
})

test('undo of a set removes a photo whose answer was lost', async () => {
  const log = newLog('Photo lost, undone')
  device.line.fate = ({ method, url = '' }) => (method === 'POST' && url.includes('/images') ? 'lost' : 'pass')
  await saveWithPhotos(page, log, [200])
  const photos = async () =>
    (await stored<{ record: string; set: string; state: string }>(page, 'photo')).filter(
      ({ record }) => record === log.uuid,
    )
  await expect.poll(async () => (await photos())[0]?.state).toBe('frozen')
  await expect.poll(async () => (await manager.read(`/log/${log.uuid}.json?files=link`)).images).toHaveLength(1)
  device.line.fate = () => 'pass'
  await undo(page, { set: (await photos())[0]?.set ?? '' })
  await nothingWaits()
  expect((await manager.get(`/log/${log.uuid}.json`)).status).toBe(404)
  expect((await photos()).filter(({ state }) => state !== 'sent')).toEqual([])
})

test('undo of a record that another user has changed since asks the user', async () => {
  const log = newLog('Changed by another')
  const saved = await save(page, log)
  await nothingWaits()
  await manager.put(`/log/${log.uuid}`, { name: 'Theirs now' })
  await undo(page, saved)
  await saysInTheStrip(page, /^1 needs you$/)
  expect(await countOf(manager, 'Theirs now')).toBe(1)
})
