import { type RoleName, roleNames } from '../farm/people/roles.ts'
import { flag, type ReadText } from './option.ts'
import { oneOf } from './option-values.ts'

const words = [...roleNames, 'none'] as const

export const roleWords: string = words.join('|')

const roleWord = oneOf(words)

/** `none` is an account without a role. */
export const readRole: ReadText<RoleName | null> = (text) => {
  const word = roleWord(text)
  return word === 'none' ? null : word
}

export const passwordOptions = {
  'password-stdin': flag({ help: 'Read the password from standard input instead of asking for it' }),
  'allow-weak-password': flag({ help: 'Take a password shorter than 8 bytes, for test machines' }),
}
