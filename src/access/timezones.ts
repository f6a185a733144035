import { isTimezone } from '../fields/time-zone.ts'
import { Refusal } from '../refusal.ts'

/** Where nobody has said another. */
export const usualTimezone = 'UTC'

/** Answers the name of a time zone that was given, if there is one of that name. */
export function knownTimezone(name: string): string {
  if (isTimezone(name)) return name
  throw new Refusal(
    'invalid-content',
    `There is no time zone "${name.slice(0, 100)}": write one such as Europe/Berlin.`,
  )
}
