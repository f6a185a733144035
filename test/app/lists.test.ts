import './english-words.ts'
import { beforeAll, expect, test } from 'vitest'
import { summaryOf } from '../../web/look/names.ts'
import { match } from '../../web/look/router.ts'
import { daysOf } from '../../web/screens/records/list-rows.tsx'
import { plansOf } from '../../web/screens/today/plans.ts'
import { memory } from '../../web/store/memory.ts'
import type { LocalRecord } from '../../web/store/record.ts'
import { timeZone } from '../../web/words/locale.ts'

beforeAll(() => {
  timeZone.value = 'UTC'
})

const today = Date.UTC(2026, 5, 16) / 1000
const hour = 3600
const tomorrow = today + 24 * hour

function log(name: string, timestamp: number, owner?: string): LocalRecord {
  const fields = { timestamp: String(timestamp), ...(owner === undefined ? {} : { log_owner: [{ id: owner }] }) }
  return { uuid: name, type: 'log', id: '1', bundle: 'farm_activity', name, version: '1', fields }
}

const names = (logs: readonly LocalRecord[]) => logs.map(({ name }) => name)

test('a row says what was recorded, and its type only if the name lacks it', () => {
  const named = (type: 'asset' | 'term', id: string, name: string): [string, LocalRecord] => [
    id,
    { ...log(name, 0), type, id },
  ]
  memory.assets.value = new Map([named('asset', '5', 'Cow 12')])
  memory.terms.value = new Map([named('term', '7', 'Hill 2')])
  const quantity = [{ value: '18.5', unit: { id: '1', name: 'kg' } }]
  const moved = { asset: [{ id: '5' }], movement: { area: [{ id: '7' }] } }
  const row = (name: string, fields: object) => summaryOf({ ...log(name, 0), bundle: 'Harvest', fields: { ...fields } })
  expect(row('Harvest carrots', { quantity, area: [{ id: '7' }] })).toBe('18.5 kg · Hill 2')
  expect(row('Evening', moved)).toBe('Harvest · Cow 12 → Hill 2')
  expect(row('Harvest carrots, Hill 2', { quantity, area: [{ id: '7' }], lot_number: '9' })).toBe('18.5 kg · lot 9')
  expect(summaryOf({ ...log('Cow 12 to Hill 2', 0), fields: moved })).toBe('')
  expect(summaryOf({ ...log('Evening', 0), fields: moved })).toBe('Cow 12 → Hill 2')
})

test('plans are late before today, due today, and next after it', () => {
  const pending = [
    log('tomorrow', tomorrow),
    log('tonight', tomorrow - 1),
    log('this morning', today),
    log('last night', today - 1),
    log('in a week', today + 7 * 24 * hour),
  ]
  const { late, due, next } = plansOf(pending, { today, tomorrow, account: '3' })
  expect(names(late)).toEqual(['last night'])
  expect(names(due)).toEqual(['this morning', 'tonight'])
  expect(names(next)).toEqual(['tomorrow', 'in a week'])
})

test('one’s own plans come first, then anybody’s, then those of others', () => {
  const pending = [
    log('hers', today - 9 * hour, '4'),
    log('mine', today - hour, '3'),
    log('nobody’s', today - 5 * hour),
  ]
  expect(names(plansOf(pending, { today, tomorrow, account: '3' }).late)).toEqual(['mine', 'nobody’s', 'hers'])
})

test('logs stand under their day, and a page goes on with the day of the page before', () => {
  const logs = [log('a', tomorrow - 1), log('b', today + hour), log('c', today - hour)]
  const days = daysOf(logs, undefined)
  expect(days.map(({ day, logs, goesOn }) => [day, names(logs), goesOn])).toEqual([
    ['2026-06-16', ['a', 'b'], false],
    ['2026-06-15', ['c'], false],
  ])
  expect(daysOf(logs.slice(1), logs[0]).map(({ goesOn }) => goesOn)).toEqual([true, false])
})

test('an address names a screen and its record', () => {
  expect(match('/log/:id', '/log/77')).toEqual({ id: '77' })
  expect(match('/log/:id', '/log')).toBeNull()
  expect(match('/log/:id', '/log/')).toBeNull()
  expect(match('/log/:id', '/asset/77')).toBeNull()
  expect(match('/log/:id', '/log/%E0')).toBeNull()
  expect(match('/', '/')).toEqual({})
})
