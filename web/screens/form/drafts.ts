import { type Draft, resumed } from '../../form/use-draft.ts'
import { addressOf, route } from '../../look/router.ts'
import { draftsUnder } from '../../store/drafts.ts'

const beginning = 'form '

/** A draft is kept under the address of its form. */
export function draftKey(): string {
  const { path, query } = route.value
  const plain = new URLSearchParams(query)
  plain.delete(resumed)
  return beginning + addressOf({ path, query: plain })
}

export interface UnfinishedForm {
  readonly to: string
  readonly draft: Draft
}

/** All forms that were left without saving, the latest first. */
export async function unfinishedForms(): Promise<readonly UnfinishedForm[]> {
  const drafts = await draftsUnder<Draft>(beginning)
  return drafts
    .map(([key, draft]) => ({ to: resuming(key.slice(beginning.length)), draft }))
    .sort((one, other) => other.draft.at - one.draft.at)
}

const resuming = (form: string): string => `${form}${form.includes('?') ? '&' : '?'}${resumed}=1`
