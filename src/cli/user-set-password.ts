import { setPassword } from '../access/accounts.ts'
import { command } from './command.ts'
import { farmOptions } from './farm-options.ts'
import { inHouse } from './open-house.ts'
import { askForPassword, say } from './terminal.ts'
import { passwordOptions } from './user-options.ts'

export const userSetPassword = command({
  words: 'user set-password',
  summary: 'Give an account a new password and end its sessions and tokens',
  takes: { NAME: "The account's name" },
  options: { ...passwordOptions, ...farmOptions },
  async run({ names: { NAME: name }, options }) {
    const password = await askForPassword(options['password-stdin'] ? 'stdin' : 'terminal')
    await inHouse(options, (house) =>
      setPassword(house, { name, password, allowWeakPassword: options['allow-weak-password'] }),
    )
    say(`${name} has a new password.`)
  },
})
