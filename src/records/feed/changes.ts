import type { FeedEntry } from '../../storage/feed/feed-place.ts'
import type { RecordNow } from '../../storage/feed/records-now.ts'
import type { FeedStep } from './feed.ts'

/** What became of a record. */
export interface Change extends FeedStep {
  readonly verb: 'create' | 'update' | 'remove'
}

/** The same, and which step is the first that is about it. */
export interface ChangeOnPage extends Change {
  readonly firstStep: number
}

const begins = ({ verb }: FeedEntry): boolean => verb === 'create' || verb === 'restore'

const verbOf = ({ isThere }: RecordNow, isNew: boolean): Change['verb'] =>
  !isThere ? 'remove' : isNew ? 'create' : 'update'

/** Each record once, in the order in which they are first met, with its last step of these. */
export function changesIn(steps: readonly FeedStep[]): readonly ChangeOnPage[] {
  const changes = new Map<RecordNow, ChangeOnPage>()
  for (const [index, { entry, now }] of steps.entries()) {
    const known = changes.get(now)
    const verb = verbOf(now, begins(entry) || known?.verb === 'create')
    changes.set(now, { entry, now, verb, firstStep: known?.firstStep ?? index })
  }
  return [...changes.values()]
}

/**
 * What a listener is told at each step: each state of a record is told of once, at the step that led to it, and nothing at the others. What
 * was made at a step that told nothing is new to the listener when it is told of; `untold` keeps that in mind from one reading to the next.
 */
export function tellingsIn(steps: readonly FeedStep[], untold: Set<string>): readonly (Change | null)[] {
  return steps.map(({ entry, now }) => {
    const key = `${entry.type} ${entry.id}`
    if (begins(entry)) untold.add(key)
    if (entry.revision !== now.revision) return null
    return { entry, now, verb: verbOf(now, untold.delete(key)) }
  })
}
