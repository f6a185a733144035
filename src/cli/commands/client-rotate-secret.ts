import { rotateSecret } from '../../access/oauth/registration.ts'
import { saySecret } from '../client-secret.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { say } from '../terminal.ts'

export const clientRotateSecret = command({
  words: 'client rotate-secret',
  summary: 'Give a client a new secret; the one before is worth nothing at once',
  takes: { ID: 'The client id' },
  options: existingFarmOptions,
  async run({ names: { ID: id }, options }) {
    const secret = await inExistingFarm(options, (installation) => rotateSecret(installation, id))
    say(`${id} has a new secret.`)
    saySecret(secret)
  },
})
