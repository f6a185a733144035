import { wide } from '../look/wide.ts'
import { untilSettled } from '../sync/status.ts'
import { shownSoon } from './screens.tsx'

/** So that a tap shows at once: once the first screen is there, what may be next comes too, a part whenever nothing else is to do. */
export async function fetchSoon(): Promise<void> {
  const [first] = shownSoon
  // On a desk a page stands beside the list at once.
  if (wide.peek()) await first.fetch()
  await untilSettled()
  for (const part of shownSoon) {
    await untilIdle()
    await part.fetch()
  }
}

const patience = 2_000

function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: patience })
    else setTimeout(resolve, patience)
  })
}
