import { type FeedStep, recordKey } from './feed.ts'

/** What became of a record. */
export interface Change extends FeedStep {
  readonly verb: 'create' | 'update' | 'remove'
}

const begins = ({ entry }: FeedStep): boolean => entry.verb === 'create' || entry.verb === 'restore'

/** Each record once, in the order in which they are first met, with its last step of these. */
export function changesIn(steps: readonly FeedStep[]): readonly Change[] {
  const changes = new Map<string, Change>()
  for (const step of steps) {
    const key = recordKey(step.entry)
    const isNew = begins(step) || changes.get(key)?.verb === 'create'
    changes.set(key, { ...step, verb: !step.now.isThere ? 'remove' : isNew ? 'create' : 'update' })
  }
  return [...changes.values()]
}

/**
 * What a listener is told at each step: each state of a record is told of once, at the step that led to it, and nothing at the others. What
 * was made at a step that told nothing is new to the listener when it is told of; `untold` keeps that in mind from one reading to the next.
 */
export function tellingsIn(steps: readonly FeedStep[], untold: Set<string>): readonly (Change | null)[] {
  return steps.map((step) => {
    const key = recordKey(step.entry)
    if (begins(step)) untold.add(key)
    if (step.entry.revision !== step.now.revision) return null
    const isNew = untold.delete(key)
    return { ...step, verb: !step.now.isThere ? 'remove' : isNew ? 'create' : 'update' }
  })
}
