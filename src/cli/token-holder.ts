import type { TokenHolder } from '../access/oauth/token-list.ts'
import { Misuse } from './misuse.ts'
import { one } from './option.ts'
import { anyText } from './option-values.ts'

/** Whose tokens: those of a client, of a user, or of one user with one client. */
export const holderWord = ['ID', 'The client id'] as const
export const holderOption = { user: one('NAME', anyText, { help: "Only this account's tokens" }) }

export function holderFrom(client: string | undefined, user: string | undefined): TokenHolder {
  if (client === undefined && user === undefined)
    throw new Misuse('Name a client ID, an account with --user NAME, or both.')
  return { client, user }
}
