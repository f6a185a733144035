import { listClients } from '../../access/oauth/registration.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { sayTable } from '../terminal.ts'

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
