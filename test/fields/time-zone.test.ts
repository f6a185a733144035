import { expect, it } from 'vitest'
import { isoTime, isTimezone } from '../../src/fields/time.ts'

it.each([
  [1_714_543_200, 'Europe/Berlin', '2024-05-01T08:00:00+02:00'],
  [1_704_092_400, 'Europe/Berlin', '2024-01-01T08:00:00+01:00'],
  [1_714_543_200, 'UTC', '2024-05-01T06:00:00+00:00'],
  [1_714_543_200, 'America/St_Johns', '2024-05-01T03:30:00-02:30'],
  // The hour that comes twice.
  [1_729_987_200, 'Europe/Berlin', '2024-10-27T02:00:00+02:00'],
  [1_729_990_800, 'Europe/Berlin', '2024-10-27T02:00:00+01:00'],
  // Local times of old had seconds, and the ends of time have no other year.
  [-3_000_000_000, 'Europe/Berlin', '1874-12-07T18:40:00Z'],
  [-62_135_596_800, 'America/New_York', '0001-01-01T00:00:00Z'],
  [253_402_300_799, 'Europe/Berlin', '9999-12-31T23:59:59Z'],
])('second %d in %s is %s', (second, zone, text) => {
  expect(isoTime(second, zone)).toBe(text)
  expect(Date.parse(text) / 1000).toBe(second)
})

it('a zone is known by its name', () => {
  expect(['Europe/Berlin', 'UTC', 'Etc/GMT+5'].map(isTimezone)).toEqual([true, true, true])
  expect(['Europe/Berlim', '+02:00', '', 'x'.repeat(200)].map(isTimezone)).toEqual([false, false, false, false])
})
