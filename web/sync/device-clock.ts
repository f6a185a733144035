import { clockAhead, noteComparedClock } from '../words/format.ts'
import { dismiss, notice } from './status.ts'

/** The server says whole seconds. */
const unnoticed = 2000
const tolerated = 120_000

/**
 * The server said its time, in Unix seconds, between two times of this device. A slow answer says little: what is known
 * stays unless it cannot be right any more, so that times do not jump with each answer.
 */
export function compareClocks(serverTime: number, asked: number, answered: number): void {
  if (Number.isNaN(serverTime)) return
  const ahead = (asked + answered) / 2 - (serverTime * 1000 + 500)
  const isKnown = Math.abs(ahead - clockAhead()) <= unnoticed + (answered - asked) / 2
  noteComparedClock(isKnown ? clockAhead() : Math.abs(ahead) > unnoticed ? ahead : 0)
  if (Math.abs(ahead) > tolerated) notice({ kind: 'clock-off', minutes: Math.round(ahead / 60_000) })
  else dismiss('clock-off')
}
