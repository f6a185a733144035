import './english-words.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { momentIn, offersOf, secondsOf } from '../../web/forms/time-controls.tsx'
import { daysLater, isoClock, isoDay } from '../../web/words/format.ts'
import { timeZone } from '../../web/words/locale.ts'

const inUtc = (written: string) => Date.parse(`${written}Z`) / 1000

afterEach(() => {
  timeZone.value = 'UTC'
})

describe('a date', () => {
  test.each([
    ['Europe/Zurich', '2026-06-16', '2026-06-16T10:00:00'],
    ['Europe/Zurich', '2026-12-16', '2026-12-16T11:00:00'],
    ['America/Denver', '2026-06-16', '2026-06-16T18:00:00'],
    ['Pacific/Auckland', '2026-06-16', '2026-06-16T00:00:00'],
    // On these days clocks are changed in the night.
    ['Europe/Zurich', '2026-03-29', '2026-03-29T10:00:00'],
    ['Europe/Zurich', '2026-10-25', '2026-10-25T11:00:00'],
  ])('without an hour is noon on the farm, in %s on %s', (zone, date, utc) => {
    timeZone.value = zone
    expect(momentIn(date, '')).toBe(inUtc(utc))
  })

  test('with an hour is that hour on the farm, and is read back unchanged', () => {
    timeZone.value = 'Europe/Zurich'
    const at = momentIn('2026-06-16', '07:30') ?? 0
    expect(at).toBe(inUtc('2026-06-16T05:30:00'))
    expect([isoDay(at), isoClock(at)]).toEqual(['2026-06-16', '07:30'])
  })

  test('that is incomplete is no time', () => {
    expect([momentIn('', '07:30'), momentIn('2026-06', ''), momentIn('20261-06-01', '')]).toEqual([null, null, null])
  })
})

describe('so many days later', () => {
  test('is the same hour of that day on the farm, also where clocks change in between', () => {
    timeZone.value = 'Europe/Zurich'
    expect(daysLater(inUtc('2026-03-27T22:30:00'), 4)).toBe(inUtc('2026-03-31T21:30:00'))
    expect(daysLater(inUtc('2026-10-23T22:30:15'), 4)).toBe(inUtc('2026-10-27T23:30:15'))
    expect(daysLater(inUtc('2026-12-30T10:00:00'), 3)).toBe(inUtc('2027-01-02T10:00:00'))
    expect(daysLater(inUtc('2026-06-16T10:00:00'), 0)).toBe(inUtc('2026-06-16T10:00:00'))
  })

  test('stays on that day at an hour that the clock change skips', () => {
    timeZone.value = 'Europe/Zurich'
    expect(isoDay(daysLater(inUtc('2026-03-28T01:30:00'), 1))).toBe('2026-03-29')
  })
})

describe('times by one tap', () => {
  test('are now, this morning and yesterday by the clock of the farm', () => {
    timeZone.value = 'America/Denver'
    const now = inUtc('2026-06-16T18:30:00')
    expect(offersOf('past', now)).toEqual([
      { name: 'now', at: 'now' },
      { name: 'this-morning', at: inUtc('2026-06-16T14:00:00') },
      { name: 'yesterday', at: inUtc('2026-06-15T18:00:00') },
    ])
  })

  test('are today and yesterday for a day without an hour, such as a date of birth', () => {
    const offers = offersOf('day', inUtc('2026-06-16T18:30:00'))
    expect(offers).toEqual([
      { name: 'today', at: inUtc('2026-06-16T12:00:00') },
      { name: 'yesterday', at: inUtc('2026-06-15T12:00:00') },
    ])
  })

  test('omit a morning in the future', () => {
    expect(offersOf('past', inUtc('2026-06-16T05:00:00')).map(({ name }) => name)).toEqual(['now', 'yesterday'])
  })

  test('are yesterday and tomorrow also across a change of clocks', () => {
    timeZone.value = 'Europe/Zurich'
    const [, yesterday] = offersOf('past', inUtc('2026-03-29T22:30:00')).slice(-2)
    expect(yesterday?.at).toBe(inUtc('2026-03-29T10:00:00'))
    const plans = offersOf('plan', inUtc('2026-10-24T21:30:00'))
    expect(plans.map(({ at }) => at)).toEqual([
      inUtc('2026-10-24T10:00:00'),
      inUtc('2026-10-25T11:00:00'),
      inUtc('2026-10-31T11:00:00'),
    ])
  })

  test('use the time of saving for "now"', () => {
    expect([secondsOf('now', 77), secondsOf(5, 77)]).toEqual([77, 5])
  })
})
