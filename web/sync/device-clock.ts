import { noteComparedClock } from '../words/format.ts'
import { dismiss, notice } from './status.ts'

/** The server says whole seconds. */
const unnoticed = 2000
const tolerated = 120_000

/** The server said its time, in Unix seconds, between two times of this device. */
export function compareClocks(serverTime: number, asked: number, answered: number): void {
  const ahead = (asked + answered) / 2 - (serverTime * 1000 + 500)
  noteComparedClock(Math.abs(ahead) > unnoticed ? ahead : 0)
  if (Math.abs(ahead) > tolerated) notice({ kind: 'clock-off', minutes: Math.round(ahead / 60_000) })
  else dismiss('clock-off')
}
