import { lastShown } from '../look/beside.ts'
import { go, wasLedHere } from '../look/router.ts'

/** Back to where one came from. */
export function leaveEntry(): void {
  go(lastShown.peek())
}

export function leaveSheet(): void {
  if (wasLedHere()) history.back()
  else leaveEntry()
}
