import { invite as makeInvitation } from '../../access/invitations.ts'
import { roleNames } from '../../farm/people/roles.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { one, required } from '../option.ts'
import { anyText, httpAddress, oneOf } from '../option-values.ts'
import { say } from '../terminal.ts'
import { timeOf } from '../time-of.ts'

export const invite = command({
  words: 'invite',
  summary: 'Make a link by which somebody gets an account, once and within a week',
  takes: {},
  options: {
    role: required(roleNames.join('|'), oneOf(roleNames), { help: 'What the account may do' }),
    for: one('WHOM', anyText, { help: 'For whom it is, as a note in the list of open invitations' }),
    'base-url': required('URL', httpAddress, { help: 'The public address of this farm, which the link begins with' }),
    ...existingFarmOptions,
  },
  async run({ options: { role, for: name = '', 'base-url': base, ...farm } }) {
    const { key, expires } = await inExistingFarm(farm, (installation) =>
      makeInvitation(installation, { role, name, by: null }),
    )
    say(
      `Whoever opens this link until ${timeOf(expires)} chooses a name and a password, as ${role}. It works once:`,
      '',
      `  ${base}/invitation#${key}`,
      '',
    )
  },
})
