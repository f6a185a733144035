import { showClient } from '../../access/oauth/registration.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { sayTable } from '../terminal.ts'

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
