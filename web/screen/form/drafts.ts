import type { Draft } from '../../form/use-draft.ts'
import { address } from '../../look/router.ts'
import { draftsUnder } from '../../store/drafts.ts'

const beginning = 'form '

/** A draft is kept under the address of its form. */
export const draftKey = (): string => beginning + address.value

export interface Unfinished {
  readonly to: string
  readonly draft: Draft
}

/** All forms that were left without saving, the latest first. */
export async function unfinished(): Promise<readonly Unfinished[]> {
  const drafts = await draftsUnder<Draft>(beginning)
  return drafts
    .map(([key, draft]) => ({ to: key.slice(beginning.length), draft }))
    .sort((one, other) => other.draft.at - one.draft.at)
}
