import { describe, expect, test } from 'vitest'
import { type KeptDatabase, keptDatabases, putDatabase, takeDatabase } from './kept-database.ts'
import { openStorage, openStore, openTab } from './store-page.ts'

const name = 'furrow-farm-1'
const never = ['outbox', 'photo', 'sent', 'draft'] as const

const rowsIn = ({ stores }: KeptDatabase, store: string) => stores.find((one) => one.name === store)?.rows ?? []
const shapes = ({ stores }: KeptDatabase) => stores.map(({ rows: _, ...shape }) => shape)

interface Row {
  readonly value: { readonly name: string; readonly type: string }
}

describe.each(keptDatabases())('the database that version $version has left on a device', (kept) => {
  test('opens with everything in it, and what waits is still first to go', async () => {
    const storage = await openStorage()
    const tab = await openTab(storage)
    await putDatabase(tab.page, name, kept)
    await tab.call('open', 'farm')
    const now = await takeDatabase(tab.page, name)
    for (const store of never) expect(rowsIn(now, store), store).toEqual(rowsIn(kept, store))
    expect(rowsIn(now, 'record')).toEqual(rowsIn(kept, 'record'))
    expect(rowsIn(now, 'stay')).toEqual(rowsIn(kept, 'stay'))
    expect(await tab.call('outbox')).toEqual(rowsIn(kept, 'outbox').map(({ value }) => value))
    const assets = (rowsIn(kept, 'record') as Row[]).filter(({ value }) => value.type === 'asset')
    expect(await tab.call('names')).toEqual(expect.arrayContaining(assets.map(({ value }) => value.name)))
  })

  test('takes further entries behind those that wait', async () => {
    const storage = await openStorage()
    const tab = await openTab(storage)
    await putDatabase(tab.page, name, kept)
    await tab.call('open', 'farm')
    const fields = { name: 'One more', timestamp: '1790000500', done: '1' }
    const uuid = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb'
    await tab.call('save', {
      set: uuid,
      changes: [{ verb: 'make', type: 'log', bundle: 'farm_activity', uuid, fields }],
    })
    const entries = await tab.call<{ n: number; name: string }[]>('outbox')
    expect(entries).toHaveLength(rowsIn(kept, 'outbox').length + 1)
    expect(entries.at(-1)?.name).toBe('One more')
    expect(await tab.call('logs', { limit: 1 })).toEqual(['One more'])
  })
})

test('the database of this version is kept for the next: whoever changes its stores has to raise its version', async () => {
  const tab = await openStore(await openStorage())
  const now = await takeDatabase(tab.page, name)
  const last = keptDatabases().at(-1)
  expect(last?.version, 'keep one in test/fixtures/app with takeDatabase()').toBe(now.version)
  expect(shapes(now)).toEqual(last === undefined ? [] : shapes(last))
  for (const store of never) expect(rowsIn(last as KeptDatabase, store).length, store).toBeGreaterThan(0)
})
