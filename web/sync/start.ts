import { inDemo } from '../store/local-storage.ts'
import { memory } from '../store/memory.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import { tellTabs } from '../store/tab-channel.ts'
import { runAsLeader } from './leader-election.ts'
import { identify } from './login.ts'
import type { Failure } from './request.ts'
import { backoff, isVisible, untilNextRound, untilVisible, watchNetworkAndTab } from './schedule.ts'
import { registerServiceWorker } from './service-worker.ts'
import { copyOf, lockIfExpired, session, sessionEnd, showLastSession } from './session.ts'
import { setStatus } from './status.ts'
import { checkPhotoSpace } from './storage-quota.ts'
import { runSync } from './sync-loop.ts'

/** Shows the local copy, then keeps it up to date while the tab is visible. */
export function startSync(): void {
  const demo = new URLSearchParams(location.search).get('demo')
  if (demo !== null || inDemo()) return void import('./demo.ts').then(({ startDemo }) => startDemo(demo))
  watchNetworkAndTab()
  void registerServiceWorker()
  void checkPhotoSpace()
  void stayInTouch()
}

async function stayInTouch(): Promise<void> {
  await showLastSession().catch(console.error)
  let failures = 0
  for (;;) {
    await untilVisible()
    const failure = await visit()
    failures = failure === null ? 0 : failures + 1
    if (isVisible()) await untilNextRound(failure === null ? undefined : backoff(failures, failure.retryAfter))
  }
}

/** Runs until the tab is hidden, the user logs out, or the server does not answer. */
async function visit(): Promise<Pick<Failure, 'retryAfter'> | null> {
  const over = sessionEnd()
  try {
    if (session.copy !== null && memory.database !== null) await lockIfExpired(session.copy)
    const { copy, failure } = await identify()
    if (copy !== null) await takePart(copy, AbortSignal.any([over, untilHidden()]))
    return failure?.failure === 'unauthenticated' ? null : failure
  } catch (error) {
    // A logout closes the database while writes are under way.
    if (over.aborted) return null
    console.error(error)
    setStatus({ kind: 'offline', copyOf: null })
    return { retryAfter: null }
  }
}

/** Until this tab is hidden: follows the leader, and becomes the leader when that tab gives up. */
async function takePart(copy: OpenCopy, until: AbortSignal): Promise<void> {
  const at = await copyOf(copy)
  if (at !== null) setStatus({ kind: 'sent', at })
  tellTabs({ kind: 'what-status' })
  await runAsLeader(copy, until, (leadership) => runSync(copy, leadership))
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
