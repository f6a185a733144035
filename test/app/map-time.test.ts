import './english-words.ts'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { momentOf } from '../../web/look/day.ts'
import { blocksOf, ribbonParts } from '../../web/look/place/ribbon.tsx'
import { dayAfter, dayNumberIn, monthsOf, yearOf } from '../../web/map/map-state.ts'
import { restStep } from '../../web/map/rest.tsx'
import { timeZone } from '../../web/words/locale.ts'

beforeAll(() => {
  timeZone.value = 'UTC'
})

const day = 86_400
const year = { from: 0, until: 365 * day, now: 170 * day }

describe('the ribbon of stays', () => {
  test('has blocks for stays and gaps with days of rest between them, up to now', () => {
    const stays = [
      { from: 93 * day, until: 99 * day },
      { from: 129 * day, until: 136 * day },
      { from: 167 * day, until: null },
    ]
    expect(ribbonParts(stays, year).map(({ kind, days, lasts }) => [kind, days, lasts])).toEqual([
      ['rest', 93, false],
      ['stay', 6, false],
      ['rest', 30, false],
      ['stay', 7, false],
      ['rest', 31, false],
      ['stay', 3, true],
    ])
  })

  test('counts whole days of rest, as the page of the area does', () => {
    const [, , rest] = ribbonParts([{ from: 100 * day, until: 149.4 * day }], year)
    expect(rest).toMatchObject({ kind: 'rest', days: 20 })
  })

  test("merges stays of a herd's members, and stays without a gap, into one block", () => {
    const herd = [0, 0.2, 0.4].map((late) => ({ from: (10 + late) * day, until: 14 * day }))
    expect(blocksOf([...herd, { from: 14.5 * day, until: 20 * day }], year.now)).toEqual([
      { from: 10 * day, until: 20 * day },
    ])
  })

  test('is cut at the ends of the year, with parts as fractions of it', () => {
    const [first, second] = ribbonParts([{ from: -20 * day, until: 73 * day }], year)
    expect(first).toMatchObject({ kind: 'stay', start: 0, end: 0.2 })
    expect(second).toMatchObject({ kind: 'rest', start: 0.2, days: 97 })
    expect(ribbonParts([{ from: -20 * day, until: -10 * day }], year)).toEqual([
      { kind: 'rest', start: 0, end: 170 / 365, days: 170, lasts: false },
    ])
  })

  test('ends at the present', () => {
    const parts = ribbonParts([{ from: 300 * day, until: null }], year)
    expect(parts.every(({ end }) => end <= 170 / 365)).toBe(true)
  })
})

describe('the moment that a day stands for', () => {
  afterEach(() => void vi.useRealTimers())

  test.each(['09:30', '16:25'])('is its noon, and now for today, at %s', (clock) => {
    vi.useFakeTimers({ now: Date.parse(`2026-05-03T${clock}:00Z`), toFake: ['Date'] })
    expect(momentOf('2026-05-02')).toBe(Date.parse('2026-05-02T12:00:00Z') / 1000)
    expect(momentOf('2026-05-03')).toBe(Date.now() / 1000)
    expect(momentOf('2026-05-04')).toBe(Date.now() / 1000)
  })
})

describe('the days of the slider', () => {
  test('go over months, years and leap days', () => {
    expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01')
    expect(dayAfter('2024-03-01', -1)).toBe('2024-02-29')
    expect(dayAfter('2026-03-28', 2)).toBe('2026-03-30')
  })

  test('are counted from the first of January', () => {
    expect(dayNumberIn('2026-01-01')).toBe(1)
    expect(dayNumberIn('2026-05-03')).toBe(123)
    expect(yearOf('2024-05-03')).toEqual({ first: '2024-01-01', last: '2024-12-31', days: 366 })
    expect(monthsOf('2026-05-03')).toHaveLength(12)
    expect(monthsOf('2026-05-03')[4]).toBe('2026-05-01')
  })
})

test('the colours of rest go from grazed to long ago, without one for areas never grazed', () => {
  expect(restStep('grazed')).toBe('grazed')
  expect([0, 14, 15, 30, 31, 400].map(restStep)).toEqual(['short', 'short', 'some', 'some', 'long', 'long'])
  expect(restStep(undefined)).toBeUndefined()
})
