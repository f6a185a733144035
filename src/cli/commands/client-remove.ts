import { removeClient } from '../../access/oauth/registration.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { say } from '../terminal.ts'

export const clientRemove = command({
  words: 'client remove',
  summary: 'Remove a client and end its tokens',
  takes: { ID: 'The client id' },
  options: existingFarmOptions,
  async run({ names: { ID: id }, options }) {
    await inExistingFarm(options, (installation) => removeClient(installation, id))
    say(`${id} is gone, and its tokens with it.`)
  },
})
