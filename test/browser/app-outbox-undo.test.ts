import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openStorage, openStore, type StorePage } from './store-page.ts'

interface Entry {
  readonly method: string
  readonly record: string
  readonly body: Readonly<Record<string, unknown>>
  readonly undoes?: string
  readonly tag: string | null
}

const [cow, move] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']

const make = (uuid: string, fields: object, type = 'log') => ({
  ...{ verb: 'make', type, bundle: type === 'log' ? 'farm_activity' : 'animal', uuid },
  fields: { name: 'made', ...fields },
})
const change = (uuid: string, fields: object) => ({ verb: 'change', type: 'log', uuid, fields })
const kept = (uuid: string, id: string, fields: object = {}, version = '1.farm') => ({
  ...{ uuid, type: 'log', id, bundle: 'farm_activity', name: 'made', version, fields },
})

async function save(tab: StorePage, ...changes: readonly object[]): Promise<string> {
  const set = randomUUID()
  await tab.call('save', { set, changes, photos: ['a photo'] })
  return set
}

const outbox = async (tab: StorePage) =>
  (await tab.call<Entry[]>('outbox')).map(({ method, record, body }) => [method, record, body])

test('what was never on the wire is as if it had not been said, with its photos', async () => {
  const tab = await openStore(await openStorage())
  const set = await save(tab, make(cow, {}, 'asset'), make(move, { asset: [{ id: cow }] }))
  await tab.call('takeBack', set)
  expect(await outbox(tab)).toEqual([])
  expect(await tab.call('photoTexts')).toEqual([])
  expect(await tab.call('asset', cow)).toBeUndefined()
})

test('an edit is taken out of the creation that it was merged into', async () => {
  const tab = await openStore(await openStorage())
  await save(tab, make(move, { done: '0' }))
  const set = await save(tab, change(move, { done: '1', notes: 'late' }))
  await tab.call('takeBack', set)
  expect(await outbox(tab)).toEqual([['POST', move, { name: 'made', done: '0' }]])
})

test('what is needed by something else is not dropped from under it', async () => {
  const tab = await openStore(await openStorage())
  const set = await save(tab, make(cow, {}, 'asset'))
  await save(tab, make(move, { asset: [{ id: cow }] }))
  await tab.call('takeBack', set)
  expect((await outbox(tab)).map(([method, record]) => [method, record])).toEqual([
    ['POST', cow],
    ['POST', move],
    ['DELETE', cow],
  ])
})

test('of what may be on the farm the contrary is written behind it, and shown at once', async () => {
  const tab = await openStore(await openStorage())
  const [dry, gone] = [randomUUID(), randomUUID()]
  const loaded = [kept(dry, '3', { notes: { value: 'dry' } }), kept(gone, '4', { flags: ['review'] })]
  await tab.call('commit', { loaded })
  const set = await save(tab, make(move, {}), change(dry, { notes: { value: 'wet' }, flags: ['review'] }), {
    verb: 'remove',
    type: 'log',
    uuid: gone,
  })
  await tab.call('freeze', 1, 2, 3)
  await tab.call('takeBack', set)
  const entries = await tab.call<Entry[]>('outbox')
  expect(entries.slice(3).map(({ method, record, body }) => [method, record, body])).toEqual([
    ['RESTORE', gone, {}],
    ['PUT', dry, { notes: { value: 'dry' }, flags: null }],
    ['DELETE', move, {}],
  ])
  expect(new Set(entries.slice(3).map(({ undoes }) => undoes))).toEqual(new Set([set]))
  expect(await tab.call('log', move)).toBeUndefined()
  expect(await tab.call('log', '3')).toMatchObject({ fields: { notes: { value: 'dry' } } })
  expect(await tab.call('log', '4')).toMatchObject({ fields: { flags: ['review'] } })
})

test('what was sent is put back on the version that it made, or compared where somebody has changed it since', async () => {
  const tab = await openStore(await openStorage())
  const dry = randomUUID()
  await tab.call('commit', { loaded: [kept(dry, '3', { notes: { value: 'dry' } })] })
  const sent = async (version: string, notes: string) => {
    const set = await save(tab, change(dry, { notes: { value: notes } }))
    const [{ n } = { n: 0 }] = await tab.call<{ n: number }[]>('outbox')
    const answered = kept(dry, '3', { notes: { value: notes } }, version)
    await tab.call('settle', { entries: [n], kept: [answered], removed: [], changeSet: version })
    return set
  }
  await tab.call('takeBack', await sent('2.farm', 'wet'))
  const [first] = await tab.call<(Entry & { n: number })[]>('outbox')
  expect(first).toMatchObject({ method: 'PUT', tag: '2.farm', body: { notes: { value: 'dry' } } })
  await tab.call('discard', first?.n)
  const set = await sent('3.farm', 'flooded')
  await tab.call('commit', { kept: [kept(dry, '3', { notes: { value: 'drained' } }, '4.farm')] })
  await tab.call('takeBack', set)
  expect(await tab.call('outbox')).toMatchObject([{ tag: null, base: { notes: { value: 'flooded' } } }])
})

test('a person who discards a creation discards its photos', async () => {
  const tab = await openStore(await openStorage())
  await save(tab, make(move, {}))
  await tab.call('discard', 1)
  expect(await tab.call('outbox')).toEqual([])
  expect(await tab.call('photoTexts')).toEqual([])
})
