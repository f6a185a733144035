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
