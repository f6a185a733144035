import { beforeEach, expect, test } from 'vitest'
import { saysInTheStrip, stored } from '../harness/app.ts'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { plantSmallFarm } from './app-farm.ts'
import { countOf, deviceOf, newLog, save, waitingOn } from './app-outbox-farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const manager = await farm.login()
const small = await plantSmallFarm(manager)

const device = await deviceOf(farm, manager.login)
const page = await device.openLoaded()

beforeEach(() => {
  device.line.fate = () => 'pass'
  device.line.asked.length = 0
})

test.each(engines)(
  '%s: what is saved is sent at once, and the record is in the copy with its number',
  async (engine) => {
    const own = await openFarm({ engine })
    const writer = await own.login()
    await plantSmallFarm(writer)
    const device = await deviceOf(own, writer.login)
    const page = await device.openLoaded()
    const log = newLog('Sent at once')
    await save(page, log)
    await expect.poll(() => waitingOn(page)).toEqual([])
    expect(await countOf(writer, 'Sent at once')).toBe(1)
    const [kept] = (await stored(page, 'record')).filter(({ uuid }) => uuid === log.uuid)
    expect(kept).toMatchObject({ id: (await writer.read(`/log/${log.uuid}.json`)).id, name: 'Sent at once' })
    expect(await stored(page, 'sent')).toMatchObject([{ entry: { record: log.uuid }, changeSet: expect.any(String) }])
    expect(device.complaints).toEqual([])
  },
)

test('without signal it waits, is said in the strip, shows at once, and goes out in order when the signal is back', async () => {
  await device.loseServer()
  const [first, second] = [newLog('First of two'), newLog('Second of two')]
  await save(page, first)
  await save(page, second)
  await save(page, { verb: 'change', type: 'log', uuid: first.uuid, fields: { name: 'First, edited' } })
  await saysInTheStrip(page, /^2 waiting$/)
  await page.getByText('First, edited').waitFor()
  await device.restoreSignal()
  await saysInTheStrip(page, /^Sent/)
  expect(device.line.asked.filter((line) => /^(?:POST|PUT) \/log/.test(line))).toHaveLength(2)
  const [one, other] = await Promise.all([first, second].map(({ uuid }) => manager.read(`/log/${uuid}.json`)))
  expect(Number(one.id)).toBeLessThan(Number(other.id))
  expect(await countOf(manager, 'First, edited')).toBe(1)
  expect(await countOf(manager, 'Second of two')).toBe(1)
})

test('an answer that is lost after the commit makes nothing twice', async () => {
  const keys: unknown[] = []
  device.line.fate = ({ method, url = '', headers }) => {
    if (method !== 'POST' || !url.startsWith('/log')) return 'pass'
    keys.push(headers['idempotency-key'])
    return keys.length < 3 ? 'lost' : 'pass'
  }
  await save(page, newLog('Answer lost'))
  await expect.poll(() => waitingOn(page)).toEqual([])
  expect(keys).toEqual(Array(3).fill(expect.stringMatching(/^[\da-f-]{36}$/)))
  expect(new Set(keys).size).toBe(1)
  expect(await countOf(manager, 'Answer lost')).toBe(1)
})

test('what belongs together is one batch, and is there once though its answer is lost', async () => {
  let lost = 0
  device.line.fate = ({ url = '' }) => (url.startsWith('/batch') && lost++ === 0 ? 'lost' : 'pass')
  const bed = {
    verb: 'make',
    type: 'asset',
    bundle: 'equipment',
    uuid: crypto.randomUUID(),
    fields: { name: 'Cart' },
  } as const
  const log = newLog('Cart bought', { asset: [{ uuid: bed.uuid }] })
  const { set } = await save(page, bed, log)
  await expect.poll(() => waitingOn(page)).toEqual([])
  expect(await countOf(manager, 'Cart bought')).toBe(1)
  expect((await manager.read(`/log/${log.uuid}.json`)).asset).toHaveLength(1)
  expect((await manager.read(`/sets/${set}.json`)).entries).toHaveLength(2)
})

test('a server that fails is asked ten times, then a person is told with the number of the request, and others go on', async () => {
  const troubled = newLog('Too much for the server')
  device.line.fate = ({ method, url = '' }) =>
    method === 'POST' && url.startsWith('/log')
      ? { answered: { status: 500, headers: { 'x-request-id': 'r-500' } } }
      : 'pass'
  await save(page, troubled)
  const failures = async () => (await stored<{ failures: number }>(page, 'outbox'))[0]?.failures
  for (let tries = 1; tries <= 10; tries += 1) {
    await expect.poll(failures).toBe(tries)
    await page.evaluate('furrow.sendNow()')
  }
  await saysInTheStrip(page, /^1 needs you$/)
  await page.getByText('1 needs you').click()
  await page.getByText('Request r-500').waitFor()
  device.line.fate = () => 'pass'
  await save(page, newLog('Others go on'))
  await expect.poll(() => countOf(manager, 'Others go on')).toBe(1)
  expect(await countOf(manager, 'Too much for the server')).toBe(0)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => countOf(manager, 'Too much for the server')).toBe(1)
  await saysInTheStrip(page, /^Sent/)
})

test('a server that is busy is asked again when it said, and not before, whatever is saved meanwhile', async () => {
  let refusedAt = 0
  device.line.fate = ({ method, url = '' }) => {
    if (method !== 'POST' || !url.startsWith('/log') || refusedAt > 0) return 'pass'
    refusedAt = Date.now()
    return { answered: { status: 503, headers: { 'retry-after': '4' } } }
  }
  await save(page, newLog('Busy first'))
  await expect.poll(() => refusedAt).toBeGreaterThan(0)
  await save(page, newLog('Busy still'))
  await expect.poll(() => countOf(manager, 'Busy first'), { interval: 100 }).toBe(1)
  expect(Date.now() - refusedAt).toBeGreaterThan(3900)
  await expect.poll(() => countOf(manager, 'Busy still')).toBe(1)
  expect((await stored<{ entry: { failures: number } }>(page, 'sent')).at(-1)?.entry.failures).toBe(0)
})

test('a token that has aged is renewed, and the same is sent once more', async () => {
  let refused = 0
  const body = { type: 'urn:furrow:refusal:csrf-failed' }
  device.line.fate = ({ method, url = '' }) =>
    method === 'POST' && url.startsWith('/log') && refused++ === 0 ? { answered: { status: 403, body } } : 'pass'
  await save(page, newLog('With a new token'))
  await expect.poll(() => countOf(manager, 'With a new token')).toBe(1)
  expect(device.line.asked.filter((line) => /me\.json|POST \/log\?/.test(line))).toEqual([
    expect.stringContaining('POST /log?'),
    'GET /me.json',
    expect.stringContaining('POST /log?'),
  ])
})

test('who may not record any more is told so, and nothing is lost until somebody gives the right back', async () => {
  const body = { type: 'urn:furrow:refusal:forbidden' }
  device.line.fate = ({ method, url = '' }) =>
    method === 'POST' && url.startsWith('/log') ? { answered: { status: 403, body } } : 'pass'
  await save(page, newLog('Not allowed'))
  await saysInTheStrip(page, /^1 may not be sent$/)
  await page.getByText('1 may not be sent').click()
  await page.getByText(/Nothing is lost: ask a manager/).waitFor()
  device.line.fate = () => 'pass'
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect.poll(() => countOf(manager, 'Not allowed')).toBe(1)
})

test('a moved herd is in its new place at once, and stays there when it is sent', async () => {
  device.line.fate = () => 'cut'
  const places = () =>
    page.evaluate(`furrow.placesOf('${small.herd}').map(({ place, waiting = false }) => [place, waiting])`)
  const move = newLog('To the byre', { asset: [{ id: small.herd }], movement: { area: [{ id: small.byre }] } })
  await save(page, move)
  expect(await places()).toEqual([[small.byre, true]])
  device.line.fate = ({ url = '' }) => (url.startsWith('/stays') ? 'cut' : 'pass')
  await page.evaluate('furrow.sendNow()')
  await expect.poll(() => waitingOn(page)).toEqual([])
  expect(await places()).toEqual([[small.byre, false]])
})
