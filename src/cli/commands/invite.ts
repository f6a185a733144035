import { invite as makeInvitation } from '../../access/invitations.ts'
import { isOfThisMachine, listeningAddresses } from '../../doors/http/listening-addresses.ts'
import { roleNames } from '../../farm/people/roles.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { Misuse } from '../misuse.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { one, required } from '../option.ts'
import { anyText, httpAddress, oneOf } from '../option-values.ts'
import { serverOptions } from '../server-options.ts'
import { say } from '../terminal.ts'
import { timeOf } from '../time-of.ts'

export const invite = command({
  words: 'invite',
  summary: 'Make a link by which somebody gets an account, once and within a week',
  takes: {},
  options: {
    role: required(roleNames.join('|'), oneOf(roleNames), { help: 'What the account may do' }),
    for: one('WHOM', anyText, { help: 'For whom it is, as a note in the list of open invitations' }),
    'base-url': one('URL', httpAddress, { help: 'The public address of this farm, which the link begins with' }),
    host: { ...serverOptions.host, help: 'Without --base-url: the address that the server listens on' },
    port: { ...serverOptions.port, help: 'Likewise its port' },
    ...existingFarmOptions,
  },
  async run({ options: { role, for: name = '', 'base-url': given, host, port, ...farm } }) {
    const base = given ?? addressAt(host, port)
    const { key, expires } = await inExistingFarm(farm, (installation) =>
      makeInvitation(installation, { role, name, by: null }),
    )
    say(
      `Whoever opens this link until ${timeOf(expires)} chooses a name and a password, as ${role}. It works once:`,
      '',
      `  ${base}/invitation#${key}`,
      '',
    )
    if (isOfThisMachine(base))
      say(
        'It works on this machine alone. Where the server listens to others, say so as it does, with --host 0.0.0.0,',
        'or give its public address with --base-url; then invite again.',
      )
  },
})

/** The address that the app offers to phones, as far as it can be told without the server. */
function addressAt(host: string, port: number): string {
  if (port === 0) throw new Misuse('--port 0 names no port: give the one that the server listens on, or --base-url')
  const addresses = listeningAddresses(host, port)
  return addresses.find((address) => !isOfThisMachine(address)) ?? addresses[0]
}
