import {
  type AccountView,
  addAccount,
  blockAccount,
  listAccounts,
  removeAccount,
  requireAccountWithPassword,
  requireSoundAccount,
  requireUnusedName,
  setPassword,
  setRole,
  unblockAccount,
} from '../access/accounts.ts'
import { invite as makeInvitation } from '../access/invitations.ts'
import { isOfThisMachine, listeningAddresses } from '../access/listening-addresses.ts'
import { knownLanguage } from '../access/locales.ts'
import { type RoleName, roleNames } from '../farm/people/roles.ts'
import { readFarmSettings } from '../storage/settings.ts'
import { readWord } from './arguments.ts'
import { command, existingFarmOptions, type FarmValues, farmOptions, Misuse } from './command.ts'
import { inExistingFarm, inFarmIfThere, inInstallation } from './existing-farm.ts'
import { loadFarm } from './modules.ts'
import { flag, one, type ReadText, required } from './option.ts'
import { anyText, httpAddress, oneOf } from './option-values.ts'
import { serverOptions } from './server-options.ts'
import { askForPassword, say, sayTable, timeOf } from './terminal.ts'

const words = [...roleNames, 'none'] as const

const roleWords: string = words.join('|')

/** `none` is an account without a role. */
const readRole: ReadText<RoleName | null> = (text) => {
  const word = roleWord(text)
  return word === 'none' ? null : word
}

const roleWord = oneOf(words)

const passwordOptions = {
  'password-stdin': flag({ help: 'Read the password from standard input instead of asking for it' }),
  'allow-weak-password': flag({ help: 'Take a password shorter than 8 bytes, for test machines' }),
}

export const userAdd = command({
  words: 'user add',
  summary: 'Create an account',
  takes: { NAME: 'The name to log in with' },
  options: {
    role: required(roleWords, readRole, { help: 'What the account may do' }),
    mail: one('M', anyText, { help: "The person's mail address" }),
    language: one('L', anyText, { help: "The person's language, such as en; the farm's where none is given" }),
    ...passwordOptions,
    ...farmOptions,
  },
  async run({ names: { NAME: name }, options }) {
    await refuseBeforeAsking(name, options)
    const password = await askForPassword(options['password-stdin'] ? 'stdin' : 'terminal')
    await inInstallation(options, async (installation) => {
      const farmSettings = await installation.database.read(readFarmSettings)
      await addAccount(installation, {
        name,
        password,
        role: options.role,
        mail: options.mail ?? '',
        language: knownLanguage(installation.farm, options.language ?? farmSettings.language),
        allowWeakPassword: options['allow-weak-password'],
      })
    })
    say(`${name} can log in now, ${options.role === null ? 'without a role' : `as ${options.role}`}.`)
  },
})

type UserOptions = FarmValues & { readonly mail: string | undefined; readonly language: string | undefined }

/** A new farm is made only after the password is known. */
async function refuseBeforeAsking(name: string, options: UserOptions): Promise<void> {
  requireSoundAccount({ name, mail: options.mail ?? '' })
  if (options.language !== undefined) knownLanguage(await loadFarm(options.module ?? []), options.language)
  await inFarmIfThere(options, (installation) => requireUnusedName(installation, name))
}

export const userList = command({
  words: 'user list',
  summary: 'List the accounts',
  takes: {},
  options: existingFarmOptions,
  run: ({ options }) =>
    inExistingFarm(options, async (installation) => {
      const accounts = await listAccounts(installation)
      sayTable(
        ['ID', 'NAME', 'ROLE', 'STATE', 'LANGUAGE', 'MAIL'],
        accounts.map((account) => [
          String(account.uid),
          account.name,
          account.role ?? 'none',
          stateOf(account),
          account.language,
          account.mail,
        ]),
      )
    }),
})

function stateOf({ blocked, isService }: AccountView): string {
  if (blocked) return 'blocked'
  return isService ? 'of a client' : 'active'
}

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

export const userBlock = command({
  words: 'user block',
  summary: 'Refuse an account everywhere, at once',
  takes: { NAME: "The account's name" },
  options: existingFarmOptions,
  async run({ names: { NAME: name }, options }) {
    await inExistingFarm(options, (installation) => blockAccount(installation, name))
    say(`${name} is blocked: no login, no session, no token.`)
  },
})

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

/** The address that the app shows to phones, as far as it is known without the server. */
function addressAt(host: string, port: number): string {
  if (port === 0) throw new Misuse('--port 0 names no port: give the one that the server listens on, or --base-url')
  const addresses = listeningAddresses({ host, tls: null }, port)
  return addresses.find((address) => !isOfThisMachine(address)) ?? addresses[0]
}
