import { afterEach, expect, test } from 'vitest'
import { records } from '../../src/words/en/records.ts'
import { bytes, clock, day, dayOfYear, daysBetween, farmTime, isoDay, startOfDay } from '../../web/words/format.ts'
import { locale, localeFor, timeZone } from '../../web/words/locale.ts'
import { addWords, say } from '../../web/words/say.ts'

afterEach(() => {
  timeZone.value = 'UTC'
  locale.value = 'en-GB'
})
locale.value = 'en-GB'

test('placeholders are filled, and a count chooses between one and several', () => {
  expect(say('today.days-late', { count: 1 })).toBe('1 day late')
  expect(say('today.days-late', { count: 1200 })).toBe('1,200 days late')
  addWords(records)
  expect(say('records.none-named', { text: '{count}' })).toBe('Nothing is called “{count}”.')
})

test("an invalid locale of the browser falls back to the language's own", () => {
  expect(localeFor('en', ['de-DE', 'en-AU', 'en-US'])).toBe('en-AU')
  expect(localeFor('en', ['en-US@posix', 'en'])).toBe('en')
  expect(localeFor('en', ['en-US@posix'])).toBe('en-GB')
  expect(localeFor('en', ['de-DE'])).toBe('en-GB')
  expect([localeFor('de', ['en-GB', 'de-AT']), localeFor('de', ['en-GB'])]).toEqual(['de-AT', 'de'])
})

test('a day is the farm’s day, wherever the device is', () => {
  const lateInLondon = Date.UTC(2026, 5, 15, 23, 30) / 1000
  expect([isoDay(lateInLondon), clock(lateInLondon)]).toEqual(['2026-06-15', '23:30'])
  timeZone.value = 'Europe/Berlin'
  expect([isoDay(lateInLondon), clock(lateInLondon)]).toEqual(['2026-06-16', '01:30'])
  expect(dayOfYear(lateInLondon)).toBe(167)
})

test('days are counted by the calendar, also where clocks are put forward and back', () => {
  timeZone.value = 'Europe/Berlin'
  const summerBegins = farmTime('2026-03-29')
  const nextDay = farmTime('2026-03-30')
  expect(nextDay - summerBegins).toBe(23 * 3600)
  expect(daysBetween(summerBegins, nextDay)).toBe(1)
  expect(startOfDay(nextDay - 1)).toBe(summerBegins)
  expect(farmTime('2026-10-26') - farmTime('2026-10-25')).toBe(25 * 3600)
  expect(isoDay(farmTime('2026-10-25T12:00:00'))).toBe('2026-10-25')
})

test('a day begins an hour late where the clocks go forward at midnight', () => {
  timeZone.value = 'America/Santiago'
  const begins = farmTime('2026-09-06')
  expect([isoDay(begins), clock(begins), isoDay(begins - 1)]).toEqual(['2026-09-06', '01:00', '2026-09-05'])
})

test('the year is said where it is not this one', () => {
  const lastYear = farmTime(`${new Date().getUTCFullYear() - 1}-06-16`)
  expect(day(lastYear)).toMatch(/^16 June \d{4}$/)
})

test("hours follow the device's format", () => {
  locale.value = 'en-US'
  expect(clock(Date.UTC(2026, 5, 15, 15, 30) / 1000)).toBe('03:30 PM')
})

test('file sizes use a fitting unit', () => {
  expect(bytes(4_100_000_000)).toBe('4.1 GB')
  expect(bytes(0)).toBe('0 byte')
})
