import { randomUUID } from 'node:crypto'

let second = 0
let count = 0

/**
 * A UUID for a record that is made now: the time, a count within the second, and 48 random bits. In order of time, so that the index of all
 * of them grows at its end instead of everywhere. Its version digit is 4: clients of the newer generation refuse all above 5.
 */
export function newUuid(now: number): string {
  count = now === second ? count + 1 : 0
  second = now
  const time = (now * 1000).toString(16).padStart(12, '0')
  const high = ((count >> 14) & 0xfff).toString(16).padStart(3, '0')
  const low = (0x8000 | (count & 0x3fff)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-4${high}-${low}-${randomUUID().slice(24)}`
}
