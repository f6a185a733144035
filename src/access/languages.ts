import type { Farm } from '../farm/farm.ts'
import { Refusal } from '../refusal.ts'

/** Answers the language code that was given, if this farm knows it. */
export function knownLanguage({ languages }: Farm, code: string): string {
  const codes = languages.map(({ language }) => language)
  if (codes.includes(code)) return code
  throw new Refusal('invalid-content', `This farm does not know the language "${code}": it knows ${codes.join(', ')}.`)
}
