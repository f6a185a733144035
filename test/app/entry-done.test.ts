import './english-words.ts'
import { describe, expect, it } from 'vitest'
import { otherWith, suggestedLot } from '../../web/entries/amount.ts'
import {
  daysUntilAgain,
  doneAt,
  doneChange,
  lacksAmount,
  repeatedPlan,
  wasForAnotherDay,
} from '../../web/entries/done.ts'
import { beforeWords, movedWords } from '../../web/entries/entry-words.ts'
import type { LocalRecord } from '../../web/store/record.ts'

const day = 86_400
const noon = Date.UTC(2026, 5, 16, 12) / 1000
const plan = (at: number, more: Partial<LocalRecord> = {}): LocalRecord => ({
  uuid: 'u',
  type: 'log',
  id: '1',
  bundle: 'farm_activity',
  name: 'Salt the cows',
  version: '1',
  fields: {
    timestamp: String(at),
    done: '0',
    asset: [{ id: '5' }],
    uid: { id: '1' },
    created: '7',
    images: ['/a.jpg'],
  },
  ...more,
})

describe('a plan that is ticked', () => {
  it('is done now if it was for another day', () => {
    expect(doneAt(plan(noon - 3 * day), noon)).toBe(noon)
    expect(doneAt(plan(noon + 3 * day), noon)).toBe(noon)
    expect(wasForAnotherDay(plan(noon - 3 * day), noon)).toBe(true)
  })
  it('keeps its hour if it was for today and that hour is over', () => {
    expect(doneAt(plan(noon - 3600), noon)).toBe(noon - 3600)
    expect(doneAt(plan(noon + 3600), noon)).toBe(noon)
    expect(wasForAnotherDay(plan(noon - 3600), noon)).toBe(false)
  })
  it('changes nothing else', () => {
    expect(doneChange(plan(noon), noon).fields).toEqual({ done: '1', timestamp: String(noon) })
  })
  it('is repeated on another day, without what belongs to the first alone', () => {
    const next = repeatedPlan(plan(noon), noon + 14 * day)
    expect(next).toMatchObject({ verb: 'make', bundle: 'farm_activity' })
    expect(next.verb === 'make' && next.fields).toEqual({
      name: 'Salt the cows',
      log_owner: [],
      asset: [{ id: '5' }],
      timestamp: String(noon + 14 * day),
      done: '0',
    })
  })
  it('suggests the interval since the last time, else a week', () => {
    const last = { ...plan(noon - 10 * day), uuid: 'before' }
    expect(daysUntilAgain(plan(noon), [last])).toBe(10)
    expect(daysUntilAgain(plan(noon), [{ ...last, name: 'Another' }])).toBe(7)
  })
  it('asks for an amount, if it is a harvest without one, or has one that is empty', () => {
    const with_ = (bundle: string, quantity: unknown) => lacksAmount({ bundle, fields: { quantity } })
    expect(with_('farm_harvest', undefined)).toBe(true)
    expect(with_('farm_harvest', [{ value: '5' }])).toBe(false)
    expect(with_('farm_input', [{ unit: { name: 'kg' } }])).toBe(true)
    expect(with_('farm_activity', undefined)).toBe(false)
  })
})

describe('a lot', () => {
  it('is suggested as year, day of the year and number of the planting', () => {
    expect(suggestedLot(noon, { id: '412', uuid: 'ab12cd34-0000' })).toBe('2026-167-412')
    expect(suggestedLot(Date.UTC(2026, 0, 9, 12) / 1000, { id: '4', uuid: 'x' })).toBe('2026-009-4')
  })
  it('is reported if another planting has it already', () => {
    const harvest = (uuid: string, asset: string, lot: string) =>
      plan(noon, { uuid, bundle: 'farm_harvest', fields: { asset: [{ id: asset }], lot_number: lot } })
    const own = harvest('own', '5', '2026-1')
    expect(otherWith('2026-1', own, [own, harvest('same planting', '5', '2026-1')])).toBeNull()
    expect(otherWith('2026-1', own, [own, harvest('longer', '6', '2026-12')])).toBeNull()
    expect(otherWith('2026-1', own, [own, harvest('other', '6', '2026-1')])).toMatchObject({ lot: '2026-1' })
  })
  it('contains the start of the UUID before the planting has a number', () => {
    expect(suggestedLot(noon, { id: 'ab12cd34-0000', uuid: 'ab12cd34-0000' })).toBe('2026-167-ab12')
  })
})

describe('the card after a move', () => {
  it('says who is where now, and where they were for how long', () => {
    const moved = {
      who: 'Milkers',
      as: 'group',
      count: 42,
      to: 'North 3',
      from: { place: 'Hill 1', days: 4 },
      restsNow: 'rests',
    } as const
    expect(movedWords(moved)).toBe('Milkers (42) are now in North 3')
    expect(beforeWords(moved)).toBe('were 4 days in Hill 1, which now rests')
    expect(beforeWords({ ...moved, restsNow: 'holds-others' })).toBe('were 4 days in Hill 1')
  })
  it('counts no days of a stay that began today', () => {
    const moved = { count: 42, from: { place: 'Paddock 8', days: 0 }, restsNow: 'rests' } as const
    expect(beforeWords(moved)).toBe('came from Paddock 8, which now rests')
    expect(beforeWords({ ...moved, count: 1, restsNow: 'holds-others' })).toBe('came from Paddock 8')
  })
  it('uses the singular for one animal', () => {
    const moved = {
      who: 'Rosa',
      as: 'animals',
      count: 1,
      to: 'Byre',
      from: { place: 'Hill 1', days: 1 },
      restsNow: 'rests',
    } as const
    expect(movedWords(moved)).toBe('Rosa is now in Byre')
    expect(movedWords({ ...moved, who: 'Rosa, Bella', count: 2 })).toBe('Rosa, Bella are now in Byre')
    expect(beforeWords(moved)).toBe('was 1 day in Hill 1, which now rests')
  })
})
