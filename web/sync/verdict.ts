import { isOfFarm } from '../store/taken.ts'
import type { Answer, Failure } from './ask.ts'

/** What an answer means for what was sent. */
export type Verdict =
  /** The server has it. */
  | 'taken'
  /** Nobody knows: the same again, after a pause. */
  | 'again'
  /** The server failed at it: the same again, but not for ever without a person. */
  | 'failed'
  /** Nobody is logged in: nothing goes out until the same account is. */
  | 'log-in'
  /** The account may not: nothing goes out until somebody gives it the right. */
  | 'no-right'
  /** The token of the session has aged: once more with a new one. */
  | 'new-token'
  /** It was changed meanwhile: compare. */
  | 'compare'
  /** What was to be changed is not there. */
  | 'missing'
  | 'too-large'
  /** A person has to look at it. */
  | 'refused'

export function verdictOn(answer: Answer<unknown>): Verdict {
  if (answer.failure === null) return 'taken'
  if (answer.failure === 'unauthenticated') return 'log-in'
  if (answer.failure === 'busy' || answer.status === null) return 'again'
  if (answer.status === 401) return 'again'
  if (answer.status === 403) return ofForbidden(answer)
  if (answer.status >= 500 || isOfNobody(answer)) return 'failed'
  return byStatus[answer.status] ?? 'refused'
}

const byStatus: Readonly<Record<number, Verdict>> = { 404: 'missing', 412: 'compare', 413: 'too-large' }

/** Something on the way has answered: that is no word of the farm. What is too large for it stays so. */
const isOfNobody = ({ status, type }: Failure): boolean => status !== 413 && !isOfFarm(type)

/** A wall on the way may say 403 as well. */
function ofForbidden({ type }: Failure): Verdict {
  if (type === 'urn:furrow:refusal:csrf-failed') return 'new-token'
  return isOfFarm(type) ? 'no-right' : 'again'
}
