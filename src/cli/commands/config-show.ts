import { readFarmSettings } from '../../storage/settings.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { sayTable } from '../terminal.ts'

export const configShow = command({
  words: 'config show',
  summary: 'Show what the farm says about itself',
  takes: {},
  options: existingFarmOptions,
  run: ({ options }) =>
    inExistingFarm(options, async ({ database }) => {
      const settings = await database.read(readFarmSettings)
      sayTable(
        ['NAME', 'VALUE'],
        Object.entries(settings).map(([name, value]) => [name, String(value)]),
      )
    }),
})
