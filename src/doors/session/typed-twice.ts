import { Refusal } from '../../refusal.ts'
import type { PageWords } from '../../words/page-words.ts'

/** A new password, which nobody sees while it is typed: twice the same, or a slip of the finger would shut its owner out. */
export function typedTwice(values: ReadonlyMap<string, string>, name: string, { say }: PageWords): string {
  const password = values.get(name) ?? ''
  if (values.get('again') !== password) throw new Refusal('invalid-content', say('account.two-passwords'))
  return password
}
