import { unblockAccount } from '../../access/accounts.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { say } from '../terminal.ts'

export const userUnblock = command({
  words: 'user unblock',
  summary: 'Let a blocked account log in again',
  takes: { NAME: "The account's name" },
  options: existingFarmOptions,
  async run({ names: { NAME: name }, options }) {
    await inExistingFarm(options, (installation) => unblockAccount(installation, name))
    say(`${name} can log in again.`)
  },
})
