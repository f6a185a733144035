import { blockAccount } from '../../access/accounts.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { say } from '../terminal.ts'

export const userBlock = command({
  words: 'user block',
  summary: 'Refuse an account everywhere, at once',
  takes: { NAME: "The account's name" },
  options: existingFarmOptions,
  async run({ names: { NAME: name }, options }) {
    await inExistingFarm(options, (installation) => blockAccount(installation, name))
    say(`${name} is blocked: no login, no session, no token.`)
  },
})
