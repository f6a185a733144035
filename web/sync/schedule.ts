export const everyMinute = 60_000

/** Wakes whoever waits; rung while nobody does, it lets the next one pass at once. */
export class WakeSignal {
  #wake: (() => void) | null = null
  #wasRung = false

  ring(): void {
    this.#wasRung = this.#wake === null
    this.#wake?.()
  }

  /** Until it rings, until so many milliseconds are over, or until `until`. */
  async wait(pause: number, until?: AbortSignal): Promise<void> {
    if (!this.#wasRung && !until?.aborted) await this.#rung(pause, until)
    this.#wasRung = false
    this.#wake = null
  }

  #rung(pause: number, until?: AbortSignal): Promise<void> {
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

/** Rung when there may be something to send, or somebody to send it to. */
export const sendSignal = new WakeSignal()

/** Do not wait any longer, or not at all the next time: there may be news. */
export function syncNow(): void {
  roundSignal.ring()
}

function syncAndSendNow(): void {
  roundSignal.ring()
  sendSignal.ring()
}

addEventListener('online', syncAndSendNow)

export const isVisible = () => document.visibilityState === 'visible'

document.addEventListener('visibilitychange', () => isVisible() && syncAndSendNow())

/** Waits for the next minute, for the network, for somebody who looks, or for `until`. */
export function untilNextRound(pause = everyMinute, until?: AbortSignal): Promise<void> {
  return roundSignal.wait(pause, until)
}

export async function untilVisible(): Promise<void> {
  while (!isVisible()) await untilNextRound()
}

const first = 2_000
const longest = 300_000

/** 2, 4 … 300 seconds after one failure after the other, or when the server has said. */
export function backoff(failures: number, retryAfter: number | null): number {
  return retryAfter === null ? Math.min(first * 2 ** (failures - 1), longest) : retryAfter * 1000
}
