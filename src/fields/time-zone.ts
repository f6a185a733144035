/** Whether there is a time zone of that name: by the IANA database that came with Node.js, which also takes bare offsets: those are no names. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,99}$/.test(name)) return false
  try {
    offsetsIn(name)
    return true
  } catch {
    return false
  }
}

const known = new Map<string, Intl.DateTimeFormat>()

function offsetsIn(zone: string): Intl.DateTimeFormat {
  const before = known.get(zone)
  if (before !== undefined) return before
  const offsets = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  known.set(zone, offsets)
  return offsets
}

/** By how many seconds the clocks of the zone were ahead of UTC in that second. */
export function offsetAt(zone: string, second: number): number {
  if (zone === 'UTC') return 0
  const [, sign, hours, minutes, seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(offsetsIn(zone).format(second * 1000)) ?? []
  if (sign === undefined) return 0
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -offset : offset
}

/** That second by the clocks of the zone, with their offset: `2024-05-01T08:00:00+02:00`. */
export function isoTime(second: number, zone: string): string {
  const offset = offsetAt(zone, second)
  const local = spelled(second + offset)
  // Neither the seconds of old local times nor a year of five digits can be written so.
  if (offset % 60 !== 0 || local === undefined) return `${spelled(second)}Z`
  const minutes = Math.abs(offset) / 60
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

function spelled(second: number): string | undefined {
  const text = new Date(second * 1000).toISOString()
  return /^(?!0000)\d{4}-/.test(text) ? text.slice(0, 19) : undefined
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')
