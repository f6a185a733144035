import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Client } from '../harness/client.ts'
import { emptyDirectory, engines, placeWithTables } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { Listener } from './listener.ts'

const logged = (client: Client, name: string) =>
  client.create('log', { type: 'farm_activity', name, timestamp: 1_700_000_000 })

const statusOf = async (client: Client, cursor: string) => (await client.get(`/changes?since=${cursor}`)).status

test('a database file that is put back by hand is noticed, however much is written to it afterwards', async () => {
  const place = await placeWithTables('sqlite')
  const copy = join(await emptyDirectory(), 'copy')
  const before = await openFarm({ engine: 'sqlite', place })
  const manager = await before.login()
  await logged(manager, 'In both')
  const old = (await manager.read('/changes')).next
  await before.close()
  await cp(place.data, copy, { recursive: true })

  const lost = await openFarm({ engine: 'sqlite', place })
  const writer = new Client(lost.base, bearer(manager))
  await logged(writer, 'Lost')
  const cursor = (await writer.read('/changes')).next
  await lost.close()
  await cp(copy, place.data, { recursive: true })

  const back = await openFarm({ engine: 'sqlite', place })
  const reader = new Client(back.base, bearer(manager))
  expect(await statusOf(reader, cursor)).toBe(410)
  for (const name of ['Another', 'And another']) await logged(reader, name)
  expect(await statusOf(reader, cursor)).toBe(410)
  const { changes } = await reader.read(`/changes?since=${old}`)
  expect(changes.map(({ record }: { record: { name: string } }) => record.name)).toEqual(['Another', 'And another'])
})

const bearer = ({ login }: Client) => ({ authorization: `Bearer ${login.token}` })

test.each(engines)('%s: a farm that takes the place of another tells listeners to begin anew', async (engine) => {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  const { next, edition } = await manager.read('/changes')
  const listener = await Listener.open(manager, '/changes')
  await expect.poll(() => listener.lastId).not.toBe('')
  await farm.installation.database.write((tx) => tx.updateTable('edition').set({ value: 'AnotherFarm1' }).execute())
  await listener.ended
  expect(listener.events).toMatchObject([{ event: 'reset', id: '' }])
  expect(await statusOf(manager, next)).toBe(410)
  expect((await manager.read('/changes')).edition).not.toBe(edition)
})

test('a dump that is loaded into another cluster goes on with new cursors, and those from before are gone', async () => {
  const place = await placeWithTables('postgres')
  const first = await openFarm({ engine: 'postgres', place })
  const manager = await first.login()
  await logged(manager, 'Before the move')
  const cursor = (await manager.read('/changes')).next
  // Another cluster has numbered the transactions, and has come further than this one.
  await first.installation.database.write(async (tx) => {
    await tx.updateTable('setting').set({ value: '1' }).where('name', '=', 'journal_cluster').execute()
    const xids = { xid: 9_000_000_000 } as Record<string, number>
    await tx.updateTable('journal').set(xids).execute()
  })
  await first.close()

  const moved = await openFarm({ engine: 'postgres', place })
  const reader = new Client(moved.base, bearer(manager))
  expect(await statusOf(reader, cursor)).toBe(410)
  const { changes, next } = await reader.read('/changes?since=0')
  const namesOf = (all: readonly { record: { name: string } }[]) => all.map(({ record }) => record.name)
  expect(namesOf(changes)).toContain('Before the move')
  await logged(reader, 'After the move')
  const after = await reader.read(`/changes?since=${next}`)
  expect(namesOf(after.changes)).toEqual(['After the move'])
  expect((await reader.read(`/changes?since=${after.next}`)).changes).toEqual([])
})

test('the entries of a batch of which each counts for itself bear one transaction', async () => {
  const farm = await openFarm({ engine: 'postgres' })
  const manager = await farm.login()
  const body = { type: 'farm_activity', name: 'One of three', timestamp: 1_700_000_000 }
  const operations = [body, { type: 'nothing' }, body].map((one) => ({ method: 'POST', path: '/log', body: one }))
  const done = await manager.post('/batch', { atomic: false, operations })
  const set = done.headers.get('change-set') ?? ''
  const entries = await farm.installation.database.read((snapshot) =>
    snapshot.selectFrom('journal').selectAll().where('set_id', '=', set).execute(),
  )
  expect(entries).toHaveLength(2)
  const xids = entries.map((entry) => (entry as unknown as { xid: number }).xid)
  expect(new Set(xids).size).toBe(1)
  expect(xids[0]).toBeGreaterThan(0)
})
