import { Refusal } from '../../refusal.ts'

/** A new password, which nobody sees while it is typed: twice the same, or a slip of the finger would shut its owner out. */
export function typedTwice(values: ReadonlyMap<string, string>, name: string): string {
  const password = values.get(name) ?? ''
  if (values.get('again') !== password) throw new Refusal('invalid-content', 'The two new passwords are not the same.')
  return password
}
