import { accessEvents, type EventView, listEvents } from '../access/events.ts'
import { knownLanguage, knownLanguages } from '../access/locales.ts'
import type { Farm } from '../farm/farm.ts'
import { didYouMean } from '../fields/suggestions.ts'
import { type FarmSettingName, farmSettingNames, readFarmSettings, writeFarmSetting } from '../storage/settings.ts'
import { backup, backupList, backupVerify, restore, verify } from './backups.ts'
import { sets, undo } from './change-sets.ts'
import {
  clientAdd,
  clientList,
  clientRemove,
  clientRevoke,
  clientRotateSecret,
  clientSet,
  clientShow,
  clientTokens,
} from './clients.ts'
import { type Command, command, existingFarmOptions, farmOptions, Misuse } from './command.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { inExistingFarm, inInstallation } from './existing-farm.ts'
import { exportSheet } from './export-sheet.ts'
import { history } from './history.ts'
import { importFarmos } from './import-farmos.ts'
import { importMap } from './import-map.ts'
import { importSheet } from './import-sheet.ts'
import { flag, many, one, oneOrElse } from './option.ts'
import { oneOf, pastMoment, wholeNumber } from './option-values.ts'
import { schema } from './schema.ts'
import { serve } from './serve.ts'
import { say, sayJson, sayTable, timeOf } from './terminal.ts'
import { trashEmpty, trashList, trashRestore } from './trash.ts'
import { invite, userAdd, userBlock, userList, userRemove, userSetPassword, userSetRole, userUnblock } from './users.ts'
import { compact, exportFarm, importFarm } from './whole-farm.ts'

const configShow = command({
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

/** Settings whose value must be checked against the catalogue. */
const forms: { readonly [Name in FarmSettingName]?: (farm: Farm, given: string) => string } = {
  language: knownLanguage,
  languages: knownLanguages,
}

const configSet = command({
  words: 'config set',
  summary: 'Change what the farm says about itself',
  takes: {
    NAME: farmSettingNames.join(', '),
    VALUE:
      'The new value; metric or us for system_of_measurement, de,es for languages, 0 to 36500 for trash_days, Europe/Berlin for timezone, JSON for map_layers, 1 to 9 for withholding_factor, 0 to 999 for tag_days',
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

const asJson = ({ at, ...event }: EventView) => ({ time: timeOf(at), ...event })

const asCells = ({ at, kind, uid, user, client, address, actor, by }: EventView): string[] => [
  timeOf(at),
  kind,
  user ?? idOf(uid),
  client ?? '-',
  address ?? '-',
  by ?? idOf(actor),
]

const idOf = (uid: number | null): string => (uid === null ? '-' : `(id ${uid})`)

const events = command({
  words: 'events',
  summary: 'List logins, failed logins and changes to accounts, clients and tokens, newest first',
  takes: {},
  options: {
    kind: many('K', oneOf(accessEvents), { help: 'Only events of this kind, such as login-failed' }),
    since: one('WHEN', pastMoment, { help: 'Only events since then: 30m, 24h, 7d, 2026-11-15 or 2026-11-15T08:00Z' }),
    limit: oneOrElse('N', wholeNumber(1, 100_000), { help: 'At most so many', fallback: '100' }),
    json: flag({ help: 'As JSON, for programs' }),
    ...existingFarmOptions,
  },
  async run({ options: { kind = [], since, limit, json, ...farm } }) {
    const found = await inExistingFarm(farm, (installation) =>
      listEvents(installation, { kinds: kind, since: since?.(installation.clock()) ?? 0, most: limit }),
    )
    if (json) sayJson(found.map(asJson))
    else sayTable(['TIME', 'KIND', 'USER', 'CLIENT', 'ADDRESS', 'BY'], found.map(asCells))
  },
})

/** Every command, in the order of `furrow help`. A new command is its file and one line here. */
export const commands: readonly Command[] = [
  serve,
  configShow,
  configSet,
  schema,
  userAdd,
  userList,
  userSetRole,
  userSetPassword,
  userBlock,
  userUnblock,
  userRemove,
  invite,
  clientAdd,
  clientList,
  clientShow,
  clientSet,
  clientRotateSecret,
  clientTokens,
  clientRevoke,
  clientRemove,
  events,
  history,
  sets,
  undo,
  trashList,
  trashRestore,
  trashEmpty,
  demo,
  backup,
  backupList,
  backupVerify,
  verify,
  restore,
  compact,
  doctor,
  exportSheet,
  exportFarm,
  importMap,
  importSheet,
  importFarm,
  importFarmos,
]

function settingNamed(given: string): FarmSettingName {
  const name = farmSettingNames.find((candidate) => candidate === given.replaceAll('-', '_'))
  if (name === undefined)
    throw new Misuse(
      `There is no setting "${given}": it is one of ${farmSettingNames.join(', ')}.${didYouMean(given, farmSettingNames)}`,
    )
  return name
}
