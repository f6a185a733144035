import { beforeEach, expect, test } from 'vitest'
import { expectAccessible } from '../harness/accessibility.ts'
import { openOutbox, saysInTheStrip, stored } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import type { Fate } from '../harness/line.ts'
import { plantSmallFarm } from './app-farm.ts'
import { countOf, deviceOf, newLog, newUuid, save, saveWithPhotos, seconds, waitingOn } from './app-outbox-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const other = await farm.login()
const small = await plantSmallFarm(manager)
const device = await deviceOf(farm, manager.login)
const page = await device.openLoaded()
page.setDefaultTimeout(8000)

beforeEach(() => {
  device.line.fate = () => 'pass'
})

/** A log that both sides know. */
async function knownLog(name: string, fields: object = {}): Promise<{ uuid: string; id: string }> {
  const log = newLog(name, fields)
  await save(page, log)
  await expect.poll(() => waitingOn(page)).toEqual([])
  const { id } = await manager.read(`/log/${log.uuid}.json`)
  return { uuid: log.uuid, id }
}

const change = (uuid: string, fields: object) => save(page, { verb: 'change', type: 'log', uuid, fields })

test('changes of others in other fields are merged with the changes made here', async () => {
  const { uuid } = await knownLog('Both change it', { flags: ['review'] })
  await device.apart(
    () => change(uuid, { notes: { value: 'from the hill', format: 'farm_format' }, flags: ['review', 'monitor'] }),
    () => other.put(`/log/${uuid}`, { name: 'Both changed it', flags: ['review', 'priority'] }),
  )
  await expect.poll(() => waitingOn(page)).toEqual([])
  const { name, notes, flags } = await manager.read(`/log/${uuid}.json`)
  expect({ name, notes: notes.value, flags: flags.toSorted() }).toEqual({
    name: 'Both changed it',
    notes: expect.stringContaining('from the hill'),
    flags: ['monitor', 'priority', 'review'],
  })
})

test('a conflict is decided by the user field by field, and both versions stay until then', async () => {
  const { uuid } = await knownLog('Contested', { notes: { value: 'one', format: 'farm_format' } })
  await device.apart(
    () => change(uuid, { name: 'Mine', notes: { value: 'my words', format: 'farm_format' } }),
    () => other.put(`/log/${uuid}`, { name: 'Hers', notes: { value: 'her words', format: 'farm_format' } }),
  )
  await saysInTheStrip(page, /^1 needs you$/)
  expect((await manager.read(`/log/${uuid}.json`)).name).toBe('Hers')
  await openOutbox(page)
  await page.getByText(`You were offline, ${other.login.name} changed it meanwhile.`).waitFor()
  await page.getByText('Both are kept until you choose.').waitFor()
  await expectAccessible(page, 'a conflict in the outbox')
  const field = (name: string) => page.getByRole('group', { name })
  await field('Name').getByRole('button', { name: 'Keep mine' }).click()
  await page.reload()
  await field('Notes').getByRole('button', { name: 'Keep both' }).click()
  await field('Name')
    .getByRole('button', { name: `Keep ${other.login.name}’s` })
    .click()
  await expect.poll(() => waitingOn(page)).toEqual([])
  const { name, notes } = await manager.read(`/log/${uuid}.json`)
  expect(name).toBe('Hers')
  expect(notes.value).toMatch(/her words[\s\S]*my words/)
})

test('a change that the farm has already counts as sent, although its answer was lost', async () => {
  const { uuid } = await knownLog('Changed alike')
  await device.apart(
    () => change(uuid, { name: 'The same words' }),
    () => other.put(`/log/${uuid}`, { name: 'The same words' }),
  )
  await expect.poll(() => waitingOn(page)).toEqual([])
  expect((await manager.read(`/log/${uuid}/history.json`)).revisions).toHaveLength(2)
})

test('removing a removed record counts as done', async () => {
  const { uuid } = await knownLog('Removed twice')
  await device.apart(
    () => save(page, { verb: 'remove', type: 'log', uuid }),
    () => other.delete(`/log/${uuid}`),
  )
  await expect.poll(() => waitingOn(page)).toEqual([])
  // An answer of the feed from before the removal may come after it; the next one tells of the removal, too.
  await expect.poll(async () => (await stored(page, 'record')).map((row) => row.uuid)).not.toContain(uuid)
})

test('a change of a removed record says who removed it, and can be recorded again', async () => {
  const { uuid } = await knownLog('Removed meanwhile')
  await device.apart(
    () => change(uuid, { name: 'Still wanted' }),
    () => other.delete(`/log/${uuid}`),
  )
  await saysInTheStrip(page, /^1 needs you$/)
  await openOutbox(page)
  await page.getByText(new RegExp(`^${other.login.name} removed it on`)).waitFor()
  await page.getByRole('button', { name: 'Record it again' }).click()
  await expect.poll(() => waitingOn(page)).toEqual([])
  expect((await manager.read(`/log/${uuid}.json`)).name).toBe('Still wanted')
})

test('a removal is refused while references exist, with the reason, and the user can discard it', async () => {
  const { uuid } = (await stored(page, 'record')).find(({ id, type }) => id === small.rosa && type === 'asset') ?? {
    uuid: '',
  }
  await save(page, { verb: 'remove', type: 'asset', uuid })
  await saysInTheStrip(page, /^1 needs you$/)
  await openOutbox(page)
  await page.getByText('Something on the farm is in its way.').waitFor()
  await page
    .getByRole('link', { name: /^Log \d+$/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(await waitingOn(page)).toHaveLength(1)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => waitingOn(page)).toEqual([])
  expect((await manager.get(`/farm_asset/${small.rosa}.json`)).status).toBe(200)
})

test('a refused entry stays with its faults; its dependants wait, others are sent', async () => {
  const faulty = newLog('Faulty', { timestamp: 'tomorrow or so' })
  const behind = newLog('Behind it')
  await device.loseServer()
  await save(page, faulty)
  await save(page, { ...behind, fields: { ...behind.fields, notes: { value: 'x', format: 'farm_format' } } })
  await save(page, { verb: 'change', type: 'log', uuid: faulty.uuid, fields: { name: 'Faulty, named anew' } })
  await device.restoreSignal()
  await expect.poll(() => countOf(manager, 'Behind it')).toBe(1)
  await saysInTheStrip(page, /^1 needs you$/)
  expect(await waitingOn(page)).toMatchObject([
    { record: faulty.uuid, state: 'needs-you', problem: { status: 422, errors: [{ field: 'timestamp' }] } },
  ])
  await openOutbox(page)
  await page.getByText(/must be a Unix timestamp/).waitFor()
  await change(faulty.uuid, { timestamp: String(seconds()) })
  await expect.poll(() => countOf(manager, 'Faulty, named anew')).toBe(1)
  await saysInTheStrip(page, /^Sent/)
})

test('an entry that may have been executed before a refusal is not edited: later edits are queued after it', async () => {
  const [animal, log] = [newUuid(), newLog('Weighed at the gate')]
  const made = { verb: 'make', type: 'asset', bundle: 'animal', uuid: animal } as const
  const fields = { name: 'Gate cow', animal_type: { name: 'Cow' } }
  const onBatch = (fate: Fate) => {
    device.line.fate = ({ url }) => (url === '/batch' ? fate : 'pass')
  }
  onBatch('lost')
  await save(page, { ...made, fields }, { ...log, fields: { ...log.fields, asset: [{ id: animal }] } })
  await expect.poll(() => countOf(manager, 'Weighed at the gate')).toBe(1)
  await expect.poll(async () => (await waitingOn(page))[0]?.tries).toBe(2)
  onBatch({ answered: { status: 413, body: { type: 'urn:furrow:refusal:too-large' } } })
  await page.evaluate('furrow.sendNow()')
  await saysInTheStrip(page, /needs? you$/)
  await change(log.uuid, { name: 'Weighed at the new gate' })
  expect((await waitingOn(page)).map(({ method, name }) => `${method} ${name}`)).toEqual([
    'POST Gate cow',
    'POST Weighed at the gate',
    'PUT Weighed at the new gate',
  ])
  onBatch('pass')
  await openOutbox(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => waitingOn(page)).toEqual([])
  expect(await countOf(manager, 'Weighed at the new gate')).toBe(1)
  expect(await countOf(manager, 'Weighed at the gate')).toBe(0)
})

test('a proxy that knows nothing of the farm does not make a removal done', async () => {
  const { uuid } = await knownLog('Removed behind a proxy')
  device.line.fate = ({ method }) => (method === 'DELETE' ? { answered: { status: 404 } } : 'pass')
  await save(page, { verb: 'remove', type: 'log', uuid })
  await expect.poll(async () => (await waitingOn(page))[0]?.tries).toBeGreaterThan(0)
  device.line.fate = () => 'pass'
  await page.evaluate('furrow.sendNow()')
  await expect.poll(() => waitingOn(page)).toEqual([])
  expect((await manager.get(`/log/${uuid}.json`)).status).toBe(404)
})

test('a photo that is too large is made smaller once, then a person is told', async () => {
  const sizes: number[] = []
  device.line.fate = ({ url = '', headers }) => {
    if (!url.includes('/images')) return 'pass'
    sizes.push(Number(headers['content-length']))
    return { answered: { status: 413, body: { type: 'urn:furrow:refusal:too-large' } } }
  }
  await saveWithPhotos(page, newLog('With a large photo'), [2000])
  await saysInTheStrip(page, /^1 needs you$/)
  expect(sizes).toHaveLength(2)
  expect(sizes[1]).toBeLessThan(sizes[0] ?? 0)
  await openOutbox(page)
  await page.getByText(/too large for the farm/).waitFor()
  expect(await countOf(manager, 'With a large photo')).toBe(1)
  device.line.fate = () => 'pass'
  await page.getByRole('button', { name: 'Try again' }).click()
  await saysInTheStrip(page, /^Sent/)
})

test('a photo that the browser cannot decode is sent unchanged, and blocks no text', async () => {
  const log = newLog('With a photo of another kind')
  const photo = `new File(['ftypheic'], 'IMG_1.heic', { type: 'image/heic' })`
  const photos = `[{ record: '${log.uuid}', field: 'images', file: ${photo} }]`
  await page.evaluate(`furrow.save([${JSON.stringify(log)}], { photos: ${photos} })`)
  await expect.poll(() => countOf(manager, 'With a photo of another kind')).toBe(1)
  await saysInTheStrip(page, /^Sent/)
  expect((await manager.read(`/log/${log.uuid}.json?files=link`)).images).toHaveLength(1)
})

test('text is sent before photos; photos go one at a time, downscaled and without Exif data', async () => {
  device.line.asked.length = 0
  const log = newLog('Three photos')
  await device.loseServer()
  await saveWithPhotos(page, log, [2400, 1000, 800])
  await save(page, newLog('Text after it'))
  await page
    .getByText(/Three photos/)
    .first()
    .waitFor()
  await device.restoreSignal()
  await saysInTheStrip(page, /^Sent/)
  const written = device.line.asked.filter((line) => line.startsWith('POST /log'))
  expect(written.map((line) => (line.includes('/images') ? 'photo' : 'text'))).toEqual([
    'text',
    'text',
    'photo',
    'photo',
    'photo',
  ])
  const { images } = await manager.read(`/log/${log.uuid}.json?files=link`)
  expect(images).toHaveLength(3)
  const photo = await fetch(images[0], { headers: { authorization: `Bearer ${manager.login.token}` } })
  const bytes = new Uint8Array(await photo.arrayBuffer())
  expect(bytes.length).toBeLessThan(400_000)
  expect(Buffer.from(bytes).includes('Exif')).toBe(false)
})
