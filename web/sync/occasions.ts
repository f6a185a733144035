import { Bell } from './bell.ts'

export const everyMinute = 60_000

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
document.addEventListener('visibilitychange', () => isVisible() && lookAround())

export const isVisible = () => document.visibilityState === 'visible'

/** Waits for the next minute, for the network, for somebody who looks, or for `until`. */
export function nextOccasion(pause = everyMinute, until?: AbortSignal): Promise<void> {
  return news.wait(pause, until)
}

export async function untilVisible(): Promise<void> {
  while (!isVisible()) await nextOccasion()
}
