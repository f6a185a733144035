export const everyMinute = 60_000

/** Wakes whoever waits; rung while nobody does, it lets the next one pass at once. */
export class Bell {
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

const news = new Bell()

/** Rung when there may be something to send, or somebody to send it to. */
export const errand = new Bell()

/** Do not wait any longer, or not at all the next time: there may be news. */
export function wakeUp(): void {
  news.ring()
}

function lookAround(): void {
  news.ring()
  errand.ring()
}

addEventListener('online', lookAround)

export const isVisible = () => document.visibilityState === 'visible'

document.addEventListener('visibilitychange', () => isVisible() && lookAround())

/** Waits for the next minute, for the network, for somebody who looks, or for `until`. */
export function nextOccasion(pause = everyMinute, until?: AbortSignal): Promise<void> {
  return news.wait(pause, until)
}

export async function untilVisible(): Promise<void> {
  while (!isVisible()) await nextOccasion()
}
