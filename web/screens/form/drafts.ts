import { draftParameter } from '../../forms/keep-typed.ts'
import type { FormDraft } from '../../forms/use-form.ts'
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

/** Drafts of all forms, by key. */
export const formDrafts = () => draftsUnder<FormDraft>(beginning)

/** Address that restores the draft of a key. */
export function formOf(key: string): string {
  const form = key.slice(beginning.length)
  return `${form}${form.includes('?') ? '&' : '?'}${draftParameter}=1`
}
