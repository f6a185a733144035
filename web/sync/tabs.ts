import { type TabMessage, tellTabs } from '../store/channel.ts'
import { hideCopy } from '../store/open-copy.ts'
import { errand, wakeUp } from './occasions.ts'
import { type Sending, showSending } from './sending.ts'
import { type Status, setStatus, setUsable, status, usable } from './status.ts'

/** What another tab of the same copy says, beside what it has written. */
export function hearTab(message: TabMessage): void {
  if (message.kind === 'status') follow(message.status as Status, message.usable)
  else if (message.kind === 'what-status') tellStatus()
  else if (message.kind === 'sending') showSending(message.sending as Sending)
  else if (message.kind === 'send-now') errand.ring()
  else if (message.kind === 'left') location.reload()
}

/** Whoever asks has met the server just now: a tab that thinks it out of reach looks again. */
function tellStatus(): void {
  tellTabs({ kind: 'status', status: status.value, usable: usable.value })
  if (status.value.kind === 'offline') wakeUp()
}

function follow(told: Status, isUsable: boolean): void {
  if (told.kind === 'starting') return
  if (told.kind !== 'locked' && status.value.kind === 'locked') {
    location.reload()
    return
  }
  if (told.kind === 'locked') hideCopy()
  setUsable(isUsable)
  setStatus(told)
}
