import { Refusal } from '../../refusal.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type Html, html } from '../http/html.ts'

/** A new password, which nobody sees while it is typed: twice the same, or a slip of the finger would shut its owner out. */
export function typedTwice(values: ReadonlyMap<string, string>, name: string, { say }: PageWords): string {
  const password = values.get(name) ?? ''
  if (values.get('again') !== password) throw faultAt('again', say('account.two-passwords'))
  return password
}

export interface PasswordFault {
  /** Name of the input; of another form, or empty, if it is about none of them. */
  readonly field: string
  readonly message: string
}

export const faultAt = (field: string, message: string) =>
  new Refusal('invalid-content', message, { faults: [{ field, message }] })

export const passwordFaultOf = ({ message, details }: Refusal): PasswordFault => ({
  field: details.faults?.[0]?.field ?? '',
  message,
})

export const invalidBy = (name: string, message: string | undefined): Html | null =>
  message === undefined ? null : html` aria-invalid="true" aria-describedby="${name}-fault" autofocus`

export const faultBelow = (name: string, message: string | undefined): Html | null =>
  message === undefined ? null : html`<p class="alert" id="${name}-fault" role="alert">${message}</p>`
