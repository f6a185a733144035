import { withoutExponent } from '../../fields/exact-decimal.ts'

/** How the number of a cell is shown. */
export interface NumberStyle {
  readonly shows: 'number' | 'percent' | 'date' | 'date-time' | 'time' | 'text'
  /** Places behind the point that are always shown. */
  readonly places: number
  /** What its format puts behind the number, such as a unit. */
  readonly behind: string
}

export const plainStyle: NumberStyle = { shows: 'number', places: 0, behind: '' }

/** Formats that are known by their number (ECMA-376, 18.8.30); days of East Asia are among those from 27 on. */
const builtIn: Readonly<Record<number, string>> = {
  ...{ 0: 'General', 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%', 11: '0.00E+00' },
  ...{ 14: 'm/d/yyyy', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy', 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM' },
  ...{ 20: 'h:mm', 21: 'h:mm:ss', 22: 'm/d/yyyy h:mm', 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0', 49: '@' },
}

const isEastAsianDate = (id: number): boolean => (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

/** The style of a format by its number, and its code where the workbook declares one. */
export const styleOf = (id: number, code: string | undefined): NumberStyle =>
  code === undefined && isEastAsianDate(id)
    ? { shows: 'date', places: 0, behind: '' }
    : styleOfCode(code ?? builtIn[id] ?? '')

/** Longer ones are not looked at. */
const longestCode = 1_000

function styleOfCode(code: string): NumberStyle {
  const [positive = ''] = code.slice(0, longestCode).split(';')
  if (positive.trim() === '@') return { ...plainStyle, shows: 'text' }
  const bare = positive
    .replace(/"[^"]*"/g, '')
    .replace(/[\\_*]./gs, '')
    .replace(/\[(?![hms]+\])[^\]]*\]/gi, '')
  const isDate = /[yd]/i.test(bare) || (/m/i.test(bare) && !/[hs]/i.test(bare))
  const isTime = /[hs]/i.test(bare)
  if (/general/i.test(bare) || !(isDate || isTime)) return numberStyle(positive, bare)
  return { ...plainStyle, shows: isDate ? (isTime ? 'date-time' : 'date') : 'time' }
}

function numberStyle(code: string, bare: string): NumberStyle {
  const places = /\.(0+)/.exec(bare)?.[1]?.length ?? 0
  const behind = /[0#?]\s*(?:\\ )?"\s*([^"]{1,40}?)\s*"\s*$/.exec(code)?.[1] ?? ''
  return { shows: bare.includes('%') ? 'percent' : 'number', places, behind }
}

/** The day after which both systems of a workbook count alike. */
const lastSerial = 2_958_465
const secondsOfDay = 86_400

/** What cannot be shown: spreadsheets fill such a cell with `#`. */
export const noDate = '#DATE!'

/** A number as its spreadsheet shows it, but for the habits of a country: `12.50`, `7.5 %`, `2025-05-01T08:30`. */
export function shownNumber(text: string, { shows, places, behind }: NumberStyle, epoch: 1900 | 1904): string {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return '#NUM!'
  if (shows === 'date' || shows === 'date-time' || shows === 'time') return shownTime(number, shows, epoch)
  const plain = shows === 'percent' ? `${padded(number * 100, places)} %` : padded(number, places)
  return behind === '' ? plain : `${plain} ${behind}`
}

/** As many digits as a spreadsheet keeps. What has more is shown with an exponent, as it shows them. */
const keptDigits = 15

function padded(number: number, places: number): string {
  const kept = Number(number.toPrecision(keptDigits))
  if (Math.abs(kept) >= 10 ** keptDigits) return kept.toExponential().toUpperCase()
  const plain = withoutExponent(String(kept))
  const [, fraction = ''] = plain.split('.')
  if (fraction.length >= places) return plain
  return `${fraction === '' ? `${plain}.` : plain}${'0'.repeat(Math.min(places, 10) - fraction.length)}`
}

function shownTime(number: number, shows: 'date' | 'date-time' | 'time', epoch: 1900 | 1904): string {
  const seconds = Math.round(number * secondsOfDay)
  const [days, rest] = [Math.floor(seconds / secondsOfDay), seconds % secondsOfDay]
  if (seconds < 0) return noDate
  const clock = new Date(rest * 1000).toISOString().slice(11, rest % 60 === 0 ? 16 : 19)
  if (shows === 'time' && days === 0) return clock
  const serial = days + (epoch === 1904 ? 1462 : 0)
  // There was no 29 February 1900, which the first spreadsheets did not know.
  if (serial > lastSerial || serial === 60) return noDate
  const date = new Date(Date.UTC(1899, 11, serial < 60 ? 31 : 30) + serial * secondsOfDay * 1000)
  const day = date.toISOString().slice(0, 10)
  return shows === 'date' || rest === 0 ? day : `${day}T${clock}`
}

/** The number of a day and time in a workbook that counts from 1900; undefined before March 1900. */
export function serialOf(local: string): number | undefined {
  const serial = (Date.parse(`${local}Z`) - Date.UTC(1899, 11, 30)) / (secondsOfDay * 1000)
  return serial > 60 && serial <= lastSerial ? serial : undefined
}
