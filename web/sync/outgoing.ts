import { amend, discard } from '../store/amend.ts'
import type { CopyDatabase } from '../store/database.ts'
import type { Entry, Problem } from '../store/entry.ts'
import { entriesOf } from '../store/outbox.ts'
import { provesNotTaken } from '../store/taken.ts'
import type { Failure } from './ask.ts'
import type { Author } from './wire-request.ts'

/** Whose entries go out: one's own, or, by a manager, those of somebody who cannot send them any more. */
export interface Outgoing {
  readonly database: CopyDatabase
  readonly author: Author | null
}

/** What became of one thing that was sent. */
export type Step =
  /** On to the next one. */
  | { readonly kind: 'next' }
  /** Everything waits for so many seconds, or as long as it takes after one failure more. */
  | { readonly kind: 'pause'; readonly retryAfter: number | null }
  /** Everything waits for a person. */
  | { readonly kind: 'rest'; readonly why: 'log-in' | 'no-right' }

export const next: Step = { kind: 'next' }
export const pause = ({ retryAfter }: Pick<Failure, 'retryAfter'>): Step => ({ kind: 'pause', retryAfter })

export function problemOf(failure: Failure, more: Partial<Problem> = {}): Problem {
  const { status, type, detail, errors, requestId } = failure
  return { status, type, detail, errors, requestId, ...more }
}

/** A set is sent as one, so a person looks at it as one; the fault stands at the entry that has it. */
export async function needsPerson(
  { database }: Outgoing,
  set: readonly Entry[],
  problems: ReadonlyMap<number, Problem>,
): Promise<Step> {
  const [first] = problems.values()
  if (first !== undefined && (await isUndone(database, set, first))) return next
  const ofSet = first === undefined ? null : ofOthers(first)
  await amend(database, ...set.map(({ n }) => [n, { state: 'needs-you', problem: problems.get(n) ?? ofSet }] as const))
  return next
}

/** What is there to decide is decided at the entry that has the fault. */
const ofOthers = ({ status, type, detail, requestId }: Problem): Problem => ({
  status,
  type,
  detail,
  errors: [],
  requestId,
})

/** What the server did not take, and a person has taken back meanwhile, concerns nobody any more. */
async function isUndone(database: CopyDatabase, set: readonly Entry[], problem: Problem): Promise<boolean> {
  const undoing = (await entriesOf(database)).filter(({ undoes }) => undoes !== undefined && undoes === set[0]?.set)
  if (undoing.length === 0 || !set.every(({ tries }) => provesNotTaken(problem, tries))) return false
  await discard(
    database,
    [...set, ...undoing].map(({ n }) => n),
  )
  return true
}
