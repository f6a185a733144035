import { effect } from '@preact/signals'
import { sending, sendNow } from './sending.ts'
import { unsent } from './waiting.ts'

/** Sends once more, and says what came of it. */
export function sentOrNot(): Promise<'all' | 'not-all'> {
  const before = sending.peek()
  sendNow()
  return new Promise((resolve) => {
    const stop = effect(() => {
      const now = sending.value
      const isOver = now !== before && now.kind !== 'under-way'
      if (unsent.value.length > 0 && !isOver) return
      resolve(unsent.value.length === 0 ? 'all' : 'not-all')
      queueMicrotask(() => stop())
    })
  })
}
