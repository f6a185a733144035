import { removeAccount } from '../../access/accounts.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { say } from '../terminal.ts'

export const userRemove = command({
  words: 'user remove',
  summary: 'Remove an account; one that has recorded something is blocked and kept',
  takes: { NAME: "The account's name" },
  options: existingFarmOptions,
  async run({ names: { NAME: name }, options }) {
    const outcome = await inExistingFarm(options, (installation) => removeAccount(installation, name))
    say(outcome === 'removed' ? `${name} is gone.` : `${name} has recorded something and is blocked and kept.`)
  },
})
