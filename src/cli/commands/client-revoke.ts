import { revokeTokens } from '../../access/oauth/token-list.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { say } from '../terminal.ts'
import { holderFrom, holderOption, holderWord } from '../token-holder.ts'

export const clientRevoke = command({
  words: 'client revoke',
  summary: 'End tokens at once, of a client, of a user, or of one user with one client',
  takes: {},
  mayTake: holderWord,
  options: { ...holderOption, ...existingFarmOptions },
  async run({ extra: client, options }) {
    const holder = holderFrom(client, options.user)
    const ended = await inExistingFarm(options, (installation) => revokeTokens(installation, holder))
    say(`${ended} ${ended === 1 ? 'login or consent' : 'logins or consents'} ended, with all tokens.`)
  },
})
