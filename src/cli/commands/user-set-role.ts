import { setRole } from '../../access/accounts.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { Misuse } from '../misuse.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { one } from '../option.ts'
import { readWord } from '../parsing.ts'
import { say } from '../terminal.ts'
import { readRole, roleWords } from '../user-options.ts'

export const userSetRole = command({
  words: 'user set-role',
  summary: 'Change what an account may do',
  takes: { NAME: "The account's name" },
  mayTake: ['ROLE', `${roleWords}; can also be given as --role`],
  options: { role: one(roleWords, readRole, { help: 'What the account may do' }), ...existingFarmOptions },
  async run({ names: { NAME: name }, extra, options }) {
    const role = extra === undefined ? options.role : readWord('ROLE', extra, readRole)
    if (role === undefined) throw new Misuse(`furrow user set-role needs a role: ${roleWords}.`)
    await inExistingFarm(options, (installation) => setRole(installation, name, role))
    say(`${name} is now ${role === null ? 'without a role' : role}.`)
  },
})
