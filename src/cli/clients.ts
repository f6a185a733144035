import {
  addClient,
  type ClientChange,
  listClients,
  removeClient,
  rotateSecret,
  setClient,
  showClient,
} from '../access/oauth/registration.ts'
import { revokeTokens, type TokenHolder, clientTokens as tokensOf } from '../access/oauth/token-list.ts'
import { formsOfExpiresIn, grants } from '../farm/people/clients.ts'
import { command, existingFarmOptions, farmOptions, Misuse } from './command.ts'
import { inExistingFarm, inInstallation } from './existing-farm.ts'
import { flag, many, type OptionValues, one, required } from './option.ts'
import { anyText, oneOf, wholeNumber } from './option-values.ts'
import { say, sayTable, timeOf } from './terminal.ts'

const lifetime = wholeNumber(1, 31_536_000)

/** Options of both `client add` and `client set`. */
const clientOptions = {
  'redirect-uri': many('URI', anyText, {
    help: 'Where the user may be sent back to with a code; http:// for localhost, 127.0.0.1 and [::1] only',
  }),
  grant: many('G', oneOf(grants), { help: `A grant it may use: ${grants.join(', ')}` }),
  scope: many('S', anyText, { help: 'A scope it may ask for' }),
  'default-scope': many('S', anyText, {
    help: 'A scope it gets when it asks for none; if none is named, a new client gets those of --scope',
  }),
  origin: many('O', anyText, { help: 'A web origin whose scripts may call this server, such as https://app.example' }),
  pkce: one('required|optional', oneOf(['required', 'optional']), { help: 'Whether an authorization needs PKCE' }),
  'expires-in': one(formsOfExpiresIn.join('|'), oneOf(formsOfExpiresIn), {
    help: 'How expires_in is written in token responses; by-scope: a number for role scopes, else a string',
  }),
  'access-lifetime': one('S', lifetime, { help: 'How many seconds an access token lives' }),
  'refresh-lifetime': one('S', lifetime, { help: 'How many seconds a refresh token lives' }),
  'code-lifetime': one('S', wholeNumber(1, 600), { help: 'How many seconds an authorization code lives' }),
}

const changeFrom = (values: OptionValues<typeof clientOptions>): ClientChange => ({
  redirectUris: values['redirect-uri'],
  grants: values.grant,
  scopes: values.scope,
  defaultScopes: values['default-scope'],
  origins: values.origin,
  pkce: values.pkce,
  expiresIn: values['expires-in'],
  accessLifetime: values['access-lifetime'],
  refreshLifetime: values['refresh-lifetime'],
  codeLifetime: values['code-lifetime'],
})

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

const changeOptions = {
  label: one('L', anyText, { help: 'The name that users are shown when they are asked to agree' }),
  ...clientOptions,
  disable: flag({ help: 'Refuse the client and end its tokens', opposite: 'enable' }),
  enable: flag({ help: 'Admit a disabled client again', opposite: 'disable' }),
}

const nothingToChange = (): Misuse => {
  const names = Object.keys(changeOptions).map((name) => `--${name}`)
  return new Misuse(`furrow client set needs to know what to change: ${names.join(', ')}. Nothing was changed.`)
}

export const clientSet = command({
  words: 'client set',
  summary: 'Change a client; a list that is given replaces the one before, an empty value empties it',
  takes: { ID: 'The client id' },
  options: { ...changeOptions, ...existingFarmOptions },
  async run({ names: { ID: id }, options }) {
    const { label, disable, enable } = options
    const change = { label, disabled: disable || enable ? disable : undefined, ...changeFrom(options) }
    if (Object.values(change).every((value) => value === undefined)) throw nothingToChange()
    await inExistingFarm(options, (installation) => setClient(installation, id, change))
    say(`${id} is changed.`)
  },
})

export const clientList = command({
  words: 'client list',
  summary: 'List the OAuth clients',
  takes: {},
  options: existingFarmOptions,
  async run({ options }) {
    const clients = await inExistingFarm(options, listClients)
    sayTable(
      ['ID', 'LABEL', 'STATE', 'GRANTS'],
      clients.map(({ id, label, disabled, grants }) => [id, label, disabled ? 'disabled' : 'active', grants.join(' ')]),
    )
  },
})

export const clientShow = command({
  words: 'client show',
  summary: 'Show everything about one client but its secret',
  takes: { ID: 'The client id' },
  options: existingFarmOptions,
  async run({ names, options }) {
    const client = await inExistingFarm(options, (installation) => showClient(installation, names.ID))
    sayTable(
      ['NAME', 'VALUE'],
      [
        ['id', client.id],
        ['label', client.label],
        ['state', client.disabled ? 'disabled' : 'active'],
        ['registration', client.declaration === null ? 'by command' : 'came with the installation'],
        ['redirect-uri', client.redirectUris.join(' ')],
        ['grant', client.grants.join(' ')],
        ['scope', client.scopes.join(' ')],
        ['default-scope', client.defaultScopes.join(' ')],
        ['origin', client.origins.join(' ')],
        ['secret', client.secretHash === null ? 'none' : 'yes'],
        ['pkce', client.pkce],
        ['expires-in', client.expiresIn],
        ['access-lifetime', `${client.accessLifetime} s`],
        ['refresh-lifetime', `${client.refreshLifetime} s`],
        ['code-lifetime', `${client.codeLifetime} s`],
      ],
    )
  },
})

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

/** Arguments that select tokens: by client, by user, or by both. */
const holderWord = ['ID', 'The client id'] as const

const holderOption = { user: one('NAME', anyText, { help: "Only this account's tokens" }) }

export const clientTokens = command({
  words: 'client tokens',
  summary: 'List what clients and users hold tokens for, never the tokens themselves',
  takes: {},
  mayTake: holderWord,
  options: { ...holderOption, ...existingFarmOptions },
  async run({ extra: client, options }) {
    const granted = await inExistingFarm(options, (installation) =>
      tokensOf(installation, { client, user: options.user }),
    )
    sayTable(
      ['CLIENT', 'USER', 'SINCE', 'UNTIL', 'SCOPE'],
      granted.map(({ client: id, user, created, ends, scope }) => [id, user, timeOf(created), timeOf(ends), scope]),
    )
  },
})

export const clientRevoke = command({
  words: 'client revoke',
  summary: 'End tokens at once, of a client, of a user, or of one user with one client',
  takes: {},
  mayTake: holderWord,
  options: { ...holderOption, ...existingFarmOptions },
  async run({ extra: client, options }) {
    const holder = holderFrom(client, options.user)
    const ended = await inExistingFarm(options, (installation) => revokeTokens(installation, holder))
    say(`${ended} ${ended === 1 ? 'login or consent' : 'logins or consents'} ended, with all tokens.`)
  },
})

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

function saySecret(secret: string): void {
  say('Its secret, which is not kept here and cannot be shown again:', '', `  ${secret}`, '')
}

function holderFrom(client: string | undefined, user: string | undefined): TokenHolder {
  if (client === undefined && user === undefined)
    throw new Misuse('Name a client ID, an account with --user NAME, or both.')
  return { client, user }
}
