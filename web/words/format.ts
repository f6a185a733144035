import { signal } from '@preact/signals'
import { locale, timeZone } from './locale.ts'

/** Unix seconds. */
type Seconds = number

const kept = new Map<string, Intl.DateTimeFormat>()

function written(at: Seconds, options: Intl.DateTimeFormatOptions): string {
  return formatOf(options).format(at * 1000)
}

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale.value, timeZone.value, options])
  const known = kept.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(locale.value, { timeZone: timeZone.value, ...options })
  kept.set(key, format)
  return format
}

const ahead = signal(0)
let isCompared = false

/** Sets the milliseconds by which the device's clock is ahead of the farm's. */
export function setClockAhead(milliseconds: number): void {
  ahead.value = milliseconds
}

/** Like `setClockAhead`, after an answer of the server. */
export function noteComparedClock(milliseconds: number): void {
  setClockAhead(milliseconds)
  isCompared = true
}

/** True if the server's time is known since the app started. */
export const isClockCompared = (): boolean => isCompared

export const clockAhead = (): number => ahead.peek()

/** Current time on the farm's clock. */
export function now(): Seconds {
  return onFarm(Date.now())
}

/** Farm time of a device time in milliseconds. Readers are updated when the clock difference changes. */
export function onFarm(moment: number): Seconds {
  return Math.floor((moment - ahead.value) / 1000)
}

/** "10:42" */
export function clock(at: Seconds): string {
  return written(at, { hour: '2-digit', minute: '2-digit' }).replace(/\u202f/g, ' ')
}

/** "10:42" and '', or "8:11" and "AM", by locale. */
export function clockAndHalf(at: Seconds): readonly [clock: string, half: string] {
  const parts = formatOf({ hour: 'numeric', minute: '2-digit' }).formatToParts(at * 1000)
  const half = parts.find(({ type }) => type === 'dayPeriod')?.value ?? ''
  if (half === '') return [clock(at), '']
  const figures = parts.filter(({ type }) => type !== 'dayPeriod').map(({ value }) => value)
  return [figures.join('').trim(), half]
}

/** "Tuesday": it begins a line, also in languages that write it small. */
export function weekday(at: Seconds): string {
  const name = written(at, { weekday: 'long' })
  return name.charAt(0).toLocaleUpperCase() + name.slice(1)
}

/** "16 June", with the year if it is not this one. */
export function day(at: Seconds): string {
  return written(at, { day: 'numeric', month: 'long', ...yearUnlessThis(at) })
}

/** "16 June 2026", in any year. */
export function dayAndYear(at: Seconds): string {
  return written(at, { day: 'numeric', month: 'long', year: 'numeric' })
}

/** "16 Jun", with the year if it is not this one. */
export function shortDay(at: Seconds): string {
  return written(at, { day: 'numeric', month: 'short', ...yearUnlessThis(at) })
}

/** "Monday 15 June", with the year if it is not this one. */
export function dayOfWeek(at: Seconds): string {
  return `${weekday(at)} ${day(at)}`
}

/** "16 June, 10:42" */
export function dayAndClock(at: Seconds): string {
  return `${day(at)}, ${clock(at)}`
}

/** "Jun" */
export function shortMonth(at: Seconds): string {
  return written(at, { month: 'short' })
}

/** "16" */
export function dayOfMonth(at: Seconds): string {
  return written(at, { day: 'numeric' })
}

export function year(at: Seconds): string {
  return written(at, { year: 'numeric' })
}

function yearUnlessThis(at: Seconds): Intl.DateTimeFormatOptions {
  return isoDay(at).slice(0, 4) === isoDay(now()).slice(0, 4) ? {} : { year: 'numeric' }
}

/** "2026-06-16" on the farm, as addresses hold it. */
export function isoDay(at: Seconds): string {
  return partsOf(at).slice(0, 10)
}

/** "07:30" on the farm, in 24 hours, as fields for an hour hold it. */
export function isoClock(at: Seconds): string {
  return partsOf(at).slice(11, 16)
}

/** Calendar days of the farm between two times. */
export function daysBetween(from: Seconds, to: Seconds): number {
  return Math.round((dayNumber(to) - dayNumber(from)) / 86_400_000)
}

/** Same time of day, some calendar days later, also across clock changes. */
export function daysLater(at: Seconds, days: number): Seconds {
  const date = new Date(dayNumber(at) + days * 86_400_000).toISOString().slice(0, 10)
  return farmTime(`${date}${partsOf(at).slice(10)}`)
}

/** 167 on 16 June */
export function dayOfYear(at: Seconds): number {
  return Math.round((dayNumber(at) - Date.UTC(Number(isoDay(at).slice(0, 4)), 0, 1)) / 86_400_000) + 1
}

/** Start of the farm's day. */
export function startOfDay(at: Seconds): Seconds {
  return farmTime(isoDay(at))
}

/** Time of "2026-05-03" or "2026-05-03T12:00:00" on the farm's clock. */
export function farmTime(written: string): Seconds {
  const asUtc = Date.parse(`${written.length === 10 ? `${written}T00:00:00` : written}Z`) / 1000
  const first = asUtc - offsetAt(asUtc)
  const second = asUtc - offsetAt(first)
  return isoDay(second) === written.slice(0, 10) ? second : first
}

function offsetAt(at: Seconds): number {
  return Date.parse(`${partsOf(at)}Z`) / 1000 - Math.floor(at)
}

function dayNumber(at: Seconds): number {
  return Date.parse(`${isoDay(at)}T00:00:00Z`)
}

const figures: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
}

function partsOf(at: Seconds): string {
  const key = `sv ${timeZone.value}`
  let format = kept.get(key)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { ...figures, timeZone: timeZone.value })
    kept.set(key, format)
  }
  return format.format(at * 1000).replace(' ', 'T')
}

const figureFormats = new Map<string, Intl.NumberFormat>()

/** A number with at most this many decimals, by locale. */
export function figure(value: number, decimals = 0): string {
  const key = `${locale.value} ${decimals}`
  const format = figureFormats.get(key) ?? new Intl.NumberFormat(locale.value, { maximumFractionDigits: decimals })
  figureFormats.set(key, format)
  return format.format(value)
}

/** Decimal separator: "." or ",". */
export function decimalSign(): string {
  return figure(0.5, 1).replace(/\p{N}/gu, '')
}

/** "4.1 GB" */
export function bytes(count: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(count, 1)) / 3))
  const unit = units[step] ?? 'byte'
  return (count / 1000 ** step).toLocaleString(locale.value, { style: 'unit', unit, maximumFractionDigits: 1 })
}
