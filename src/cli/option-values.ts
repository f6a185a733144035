import { isIP } from 'node:net'
import { isPostgresAddress } from '../storage/disk/cannot-open.ts'
import { BadValue, type ReadText } from './option.ts'

export const anyText: ReadText<string> = (text) => {
  if (text.trim() === '') throw new BadValue('some text')
  return text
}

export const oneOf =
  <const T extends string>(words: readonly T[]): ReadText<T> =>
  (text) => {
    const word = words.find((candidate) => candidate === text)
    if (word === undefined) throw new BadValue(`one of ${words.join(', ')}`)
    return word
  }

export const wholeNumber =
  (least: number, most: number): ReadText<number> =>
  (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= least && number <= most)) throw new BadValue(`a whole number from ${least} to ${most}`)
    return number
  }

/** Days since 1970-01-01. */
export const calendarDate: ReadText<number> = (text) => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  const isDate = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  if (!isDate || time < 0) throw new BadValue('a date such as 2026-06-15')
  return time / 86_400_000
}

/** A public address without its trailing slash. It has no path, because pages and cookies belong to the whole host. */
export const httpAddress: ReadText<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new BadValue('an http:// or https:// address of a whole host, without user, path, query or fragment')
  }
  return url.origin
}

export const postgresAddress: ReadText<string> = (text) => {
  if (!isPostgresAddress(text))
    throw new BadValue('a postgres:// address, with target_session_attrs=read-write or none')
  return text
}

export const pathSegment: ReadText<string> = (text) => {
  if (!/^[a-z0-9][a-z0-9_-]*$/i.test(text)) throw new BadValue('one path segment of letters, digits, _ and -')
  return text
}

export const namePattern: ReadText<RegExp> = (text) => {
  try {
    return new RegExp(text, 'u')
  } catch {
    throw new BadValue('a regular expression for user names, such as ^restws')
  }
}

export const addressRange: ReadText<string> = (text) => {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  const prefixFits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  if (bits === 0 || !prefixFits || rest.length > 0) {
    throw new BadValue('an IP address or a range such as 10.0.0.0/8 or fd00::/8')
  }
  return text
}

const secondsOfUnit: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }

/** A duration before now, or a date or time in UTC. */
export const pastMoment: ReadText<(now: number) => number> = (text) => {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return (now) => now - Number(count) * (secondsOfUnit[unit] ?? 0)
  const [, day, time = 'T00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  const milliseconds = Date.parse(`${day}${time}${zone}`)
  if (Number.isNaN(milliseconds)) throw new BadValue('a time such as 30m, 24h, 7d, 2026-11-15 or 2026-11-15T08:00Z')
  return () => Math.floor(milliseconds / 1000)
}
