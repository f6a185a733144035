import { clientTokens as tokensOf } from '../../access/oauth/token-list.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { sayTable } from '../terminal.ts'
import { timeOf } from '../time-of.ts'
import { holderOption, holderWord } from '../token-holder.ts'

export const clientTokens = command({
  words: 'client tokens',
  summary: 'List what clients and users hold tokens for, never the tokens themselves',
  takes: {},
  mayTake: holderWord,
  options: { ...holderOption, ...existingFarmOptions },
  async run({ extra: client, options }) {
    const granted = await inExistingFarm(options, (installation) =>
      tokensOf(installation, { client, user: options.user }),
    )
    sayTable(
      ['CLIENT', 'USER', 'SINCE', 'UNTIL', 'SCOPE'],
      granted.map(({ client: id, user, created, ends, scope }) => [id, user, timeOf(created), timeOf(ends), scope]),
    )
  },
})
