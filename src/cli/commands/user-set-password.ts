import { requireAccountWithPassword, setPassword } from '../../access/accounts.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { askForPassword, say } from '../terminal.ts'
import { passwordOptions } from '../user-options.ts'

export const userSetPassword = command({
  words: 'user set-password',
  summary: 'Give an account a new password and end its sessions and tokens',
  takes: { NAME: "The account's name" },
  options: { ...passwordOptions, ...existingFarmOptions },
  async run({ names: { NAME: name }, options }) {
    await inExistingFarm(options, (installation) => requireAccountWithPassword(installation, name))
    const password = await askForPassword(options['password-stdin'] ? 'stdin' : 'terminal')
    await inExistingFarm(options, (installation) =>
      setPassword(installation, { name, password, allowWeakPassword: options['allow-weak-password'] }),
    )
    say(`${name} has a new password.`)
  },
})
