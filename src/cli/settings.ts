import { knownLanguage, knownLanguages } from '../access/locales.ts'
import type { Farm } from '../farm/farm.ts'
import { isMeant } from '../fields/nearest.ts'
import { type FarmSettingName, farmSettingNames, readFarmSettings, writeFarmSetting } from '../storage/settings.ts'
import { Misuse, command, existingFarmOptions, farmOptions } from './command.ts'
import { inExistingFarm, inInstallation } from './existing-farm.ts'
import { say, sayTable } from './terminal.ts'

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

/** What the catalogue has to know. */
const forms: { readonly [Name in FarmSettingName]?: (farm: Farm, given: string) => string } = {
  language: knownLanguage,
  languages: knownLanguages,
}

export const configSet = command({
  words: 'config set',
  summary: 'Change what the farm says about itself',
  takes: {
    NAME: farmSettingNames.join(', '),
    VALUE:
      'The new value; metric or us for system_of_measurement, de,es for languages, 0 to 36500 for trash_days, Europe/Berlin for timezone, JSON for map_layers',
  },
  options: farmOptions,
  run({ names, options }) {
    const name = settingNamed(names.NAME)
    return inInstallation(options, async ({ database, farm }) => {
      const value = forms[name]?.(farm, names.VALUE) ?? names.VALUE
      await database.write((tx) => writeFarmSetting(tx, name, value))
      say(`${name} is now ${value}.`)
    })
  },
})

function settingNamed(given: string): FarmSettingName {
  const name = farmSettingNames.find((candidate) => candidate === given.replaceAll('-', '_'))
  if (name === undefined)
    throw new Misuse(
      `There is no setting "${given}": it is one of ${farmSettingNames.join(', ')}.${isMeant(given, farmSettingNames)}`,
    )
  return name
}
