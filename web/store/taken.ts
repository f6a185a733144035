import type { Entry, Problem } from './entry.ts'

/** Whether the server may have it: it was on the wire, and nothing proves that it was not taken. */
export function maybeTaken({ state, tries, problem }: Pick<Entry, 'state' | 'tries' | 'problem'>): boolean {
  if (state !== 'needs-you') return state === 'frozen'
  return problem === null || !provesNotTaken(problem, tries)
}

/**
 * The answer to the only try is one. After more tries an answer may have been lost that said it was taken. But the farm looks for faults
 * in the content only after it has looked whether it has carried out the same before (by the key, by the UUID of a record or of a batch, by
 * `If-Match`): so faults in it prove that no try was taken. Whatever else it refuses for may come before that, or follow from what it took.
 * What somebody on the way says proves nothing. Of a conflict it is known what the farm has.
 */
export function provesNotTaken({ status, type, conflicts }: Problem, tries: number): boolean {
  if (conflicts !== undefined) return true
  if (status === null || status >= 500 || !isOfFarm(type)) return false
  return tries === 1 || faultsInContent.has(type)
}

const faultsInContent = new Set(['urn:furrow:refusal:invalid-content', 'urn:furrow:refusal:bad-request'])

/** Whether the farm itself has refused it, and nobody on the way. */
export const isOfFarm = (type: string): boolean => type.startsWith('urn:furrow:')
