export const everyMinute = 60_000

/** A condition variable: wakes the waiter; if there is none, the next wait returns at once. */
export class WakeSignal {
  #wake: (() => void) | null = null
  #wasWoken = false

  wake(): void {
    this.#wasWoken = this.#wake === null
    this.#wake?.()
  }

  /** Returns when woken, after `pause` milliseconds, or when `until` is aborted. */
  async wait(pause: number, until?: AbortSignal): Promise<void> {
    if (!this.#wasWoken && !until?.aborted) await this.#woken(pause, until)
    this.#wasWoken = false
    this.#wake = null
  }

  #woken(pause: number, until?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        until?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, pause)
      this.#wake = wake
      until?.addEventListener('abort', wake)
    })
  }
}

const roundSignal = new WakeSignal()

/** Wakes the sender: there may be something to send, or the network is back. */
export const sendSignal = new WakeSignal()

/** Starts the next round of the sync loop now: the server may have news. */
export function syncNow(): void {
  roundSignal.wake()
}

export const isVisible = () => document.visibilityState === 'visible'

/** Starts a round and the sender as soon as the network is back or the tab is shown. */
export function watchNetworkAndTab(): void {
  addEventListener('online', syncAndSendNow)
  document.addEventListener('visibilitychange', () => isVisible() && syncAndSendNow())
}

function syncAndSendNow(): void {
  roundSignal.wake()
  sendSignal.wake()
}

/** Waits a minute, or until the network is back, the tab is shown, or `until` is aborted. */
export function untilNextRound(pause = everyMinute, until?: AbortSignal): Promise<void> {
  return roundSignal.wait(pause, until)
}

export async function untilVisible(): Promise<void> {
  while (!isVisible()) await untilNextRound()
}

const first = 2_000
const longest = 300_000

/** Milliseconds until the next try: 2, 4 … 300 seconds, or what `Retry-After` said. */
export function backoff(failures: number, retryAfter: number | null): number {
  return retryAfter === null ? Math.min(first * 2 ** (failures - 1), longest) : retryAfter * 1000
}
