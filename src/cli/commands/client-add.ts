import { addClient } from '../../access/oauth/registration.ts'
import { changeFrom, clientOptions } from '../client-options.ts'
import { saySecret } from '../client-secret.ts'
import { command } from '../command.ts'
import { farmOptions } from '../farm-options.ts'
import { inInstallation } from '../open-installation.ts'
import { flag, required } from '../option.ts'
import { anyText } from '../option-values.ts'
import { say } from '../terminal.ts'

export const clientAdd = command({
  words: 'client add',
  summary: 'Register an OAuth client, a program that may ask for tokens',
  takes: { ID: 'The client id' },
  options: {
    label: required('L', anyText, { help: 'The name that users are shown when they are asked to agree' }),
    ...clientOptions,
    secret: flag({ help: 'Give it a secret, printed once, for a client that can keep one' }),
    ...farmOptions,
  },
  async run({ names: { ID: id }, options }) {
    const { label, secret: keepsSecret } = options
    const { secret } = await inInstallation(options, (installation) =>
      addClient(installation, { ...changeFrom(options), id, label, secret: keepsSecret }),
    )
    say(`${id} is registered.`)
    if (secret !== null) saySecret(secret)
  },
})
