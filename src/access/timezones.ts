import { Refusal } from '../refusal.ts'

/** Where nobody has said another. */
export const usualTimezone = 'UTC'

/** Answers the name of a time zone that was given, if there is one of that name. */
export function knownTimezone(name: string): string {
  if (isZone(name)) return name
  throw new Refusal(
    'invalid-content',
    `There is no time zone "${name.slice(0, 100)}": write one such as Europe/Berlin.`,
  )
}

/** By the IANA database that came with Node.js, which also takes bare offsets: those are no names. */
function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,99}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
