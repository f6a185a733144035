import { tellTabs } from '../store/channel.ts'
import { inDemo } from '../store/demo.ts'
import { memory } from '../store/memory.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import type { Failure } from './ask.ts'
import { meet } from './meet.ts'
import { isVisible, nextOccasion, untilVisible } from './occasions.ts'
import { pauseAfter } from './pauses.ts'
import { lookForRoom } from './room.ts'
import { keepUp } from './rounds.ts'
import { keepShell } from './shell.ts'
import { copyOf, lockIfDue, opened, showLast, visitOver } from './shown.ts'
import { setStatus } from './status.ts'
import { takeTurn } from './turn.ts'

/** Shows the copy of this device, and keeps it as the server is for as long as somebody looks. */
export function startSync(): void {
  const demo = new URLSearchParams(location.search).get('demo')
  if (demo !== null || inDemo()) return void import('./demo.ts').then(({ startDemo }) => startDemo(demo))
  void keepShell()
  void lookForRoom()
  void stayInTouch()
}

async function stayInTouch(): Promise<void> {
  await showLast().catch(console.error)
  let failures = 0
  for (;;) {
    await untilVisible()
    const failure = await visit()
    failures = failure === null ? 0 : failures + 1
    if (isVisible()) await nextOccasion(failure === null ? undefined : pauseAfter(failures, failure.retryAfter))
  }
}

/** Until nobody looks, whoever is there leaves, or the server does not answer. */
async function visit(): Promise<Pick<Failure, 'retryAfter'> | null> {
  const over = visitOver()
  try {
    if (opened.copy !== null && memory.database !== null) await lockIfDue(opened.copy)
    const { copy, failure } = await meet()
    if (copy !== null) await takePart(copy, AbortSignal.any([over, untilHidden()]))
    return failure?.failure === 'unauthenticated' ? null : failure
  } catch (error) {
    // Whoever leaves takes the database away from under what is still being written.
    if (over.aborted) return null
    console.error(error)
    setStatus({ kind: 'offline', copyOf: null })
    return { retryAfter: null }
  }
}

/** Until this tab is hidden: hears what the tab says that has the turn, and has it when that one lets go. */
async function takePart(copy: OpenCopy, until: AbortSignal): Promise<void> {
  const at = await copyOf(copy)
  if (at !== null) setStatus({ kind: 'sent', at })
  tellTabs({ kind: 'what-status' })
  await takeTurn(copy, until, (turn) => keepUp(copy, turn))
}

function untilHidden(): AbortSignal {
  const controller = new AbortController()
  const look = () => {
    if (isVisible()) return
    document.removeEventListener('visibilitychange', look)
    controller.abort()
  }
  document.addEventListener('visibilitychange', look)
  look()
  return controller.signal
}
