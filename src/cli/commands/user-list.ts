import { type AccountView, listAccounts } from '../../access/accounts.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { sayTable } from '../terminal.ts'

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
