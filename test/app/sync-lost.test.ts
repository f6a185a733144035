import { expect, test } from 'vitest'
import type { Entry, SentEntry } from '../../web/store/outbox-entry.ts'
import type { LocalRecord } from '../../web/store/record.ts'
import { selectLost } from '../../web/sync/restore-check.ts'
import { entryOf, kept } from './outbox-entries.ts'

let last = 0

function sent(record: string, more: Partial<Entry> = {}, changeSet: string | null = 'lost'): SentEntry {
  last += 1
  const entry = entryOf(last, record, { body: { name: record }, ...more })
  return { n: last, set: entry.set, changeSet, edition: 'before', sentAt: 0, entry }
}

const made = (record: string, changeSet = 'lost') => sent(record, {}, changeSet)
const removed = (record: string, more: Partial<Entry> = {}, changeSet: string | null = 'lost') =>
  sent(record, { method: 'DELETE', body: {}, ...more }, changeSet)
const back = (record: string) => sent(record, { method: 'RESTORE', body: {} })
const renamed = (record: string, name: string, changeSet = 'lost') =>
  sent(record, { method: 'PUT', body: { name } }, changeSet)

/** What is offered, of a farm that has these records and knows the set `kept`. */
async function offered(rows: readonly SentEntry[], ...there: readonly LocalRecord[]): Promise<string[]> {
  const lost = await selectLost(rows, {
    record: (uuid) => there.find((one) => one.uuid === uuid),
    knowsSet: async (changeSet) => changeSet === 'kept',
  })
  return lost.map(({ entry }) => `${entry.method} ${entry.record}`)
}

test('a restore offers entries that are missing or differ', async () => {
  expect(await offered([made('hare'), renamed('hare', 'two hares')])).toEqual(['POST hare', 'PUT hare'])
  expect(await offered([made('hare'), renamed('hare', 'two hares')], kept('hare', '1'))).toEqual(['PUT hare'])
})

test('a record that was created and removed here is not created again', async () => {
  expect(await offered([made('hare'), removed('hare')])).toEqual([])
  expect(await offered([made('hare'), removed('hare', { undoes: 'set 1' }, null)])).toEqual([])
})

test('a lost removal is offered, without the changes before it', async () => {
  expect(await offered([renamed('hare', 'two hares'), removed('hare')], kept('hare', '1'))).toEqual(['DELETE hare'])
})

test('a lost removal needs no confirmation if nobody has changed the record', async () => {
  const row = removed('hare', { tag: '1.before', base: { name: 'hare', changed: '50' } })
  const tagOn = async (changed: string) => {
    const now = kept('hare', '1', { version: '1.after', fields: { changed } })
    return (await selectLost([row], { record: () => now, knowsSet: async () => false }))[0]?.entry.tag
  }
  expect(await tagOn('50')).toBe('1.after')
  expect(await tagOn('51')).toBe('1.before')
})

test('an entry that others have changed or removed since is not offered', async () => {
  expect(await offered([made('hare', 'kept')])).toEqual([])
  expect(await offered([renamed('hare', 'mine', 'kept')], kept('hare', '1', { name: 'hers' }))).toEqual([])
  expect(await offered([removed('hare', {}, 'kept')], kept('hare', '1'))).toEqual([])
})

test('changes of others with the same revision number hide nothing', async () => {
  const hers = kept('hare', '1', { name: 'hers', version: '9.after' })
  expect(await offered([renamed('hare', 'mine')], hers)).toEqual(['PUT hare'])
})

test('a record restored from the trash is created again, or restored again', async () => {
  expect(await offered([made('hare'), removed('hare'), back('hare')])).toEqual(['POST hare'])
  expect(await offered([made('hare', 'kept'), removed('hare', {}, 'kept'), back('hare')])).toEqual(['RESTORE hare'])
})
