import { draftParameter, type FormDraft } from '../../forms/use-form.ts'
import { addressOf, route } from '../../look/router.ts'
import { draftsUnder } from '../../store/drafts.ts'

const beginning = 'form '

/** Drafts are stored under the address of their form. */
export function draftKey(): string {
  const { path, query } = route.value
  const plain = new URLSearchParams(query)
  plain.delete(draftParameter)
  return beginning + addressOf({ path, query: plain })
}

export interface UnfinishedForm {
  readonly to: string
  readonly draft: FormDraft
}

/** Drafts of all forms, the latest first. */
export async function unfinishedForms(): Promise<readonly UnfinishedForm[]> {
  const drafts = await draftsUnder<FormDraft>(beginning)
  return drafts
    .map(([key, draft]) => ({ to: resuming(key.slice(beginning.length)), draft }))
    .sort((one, other) => other.draft.at - one.draft.at)
}

const resuming = (form: string): string => `${form}${form.includes('?') ? '&' : '?'}${draftParameter}=1`
