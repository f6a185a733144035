import type { Command } from './command.ts'
import { backup, exportFarm, importFarm, restore, verify } from './backups.ts'
import { clientAdd, clientList, clientRemove, clientRevoke, clientRotateSecret, clientSet, clientShow, clientTokens } from './clients.ts'







import { configSet, configShow } from './settings.ts'

import { demo } from './commands/demo.ts'
import { doctor } from './doctor.ts'
import { events } from './events.ts'

import { exportSheet } from './export-sheet.ts'
import { history } from './history.ts'

import { importFarmos } from './commands/import-farmos.ts'
import { importMap } from './import-map.ts'
import { importSheet } from './commands/import-sheet.ts'
import { invite, userAdd, userBlock, userList, userRemove, userSetPassword, userSetRole, userUnblock } from './users.ts'

import { schema } from './schema.ts'
import { serve } from './serve.ts'
import { sets, undo } from './change-sets.ts'
import { trashEmpty, trashList, trashRestore } from './trash.ts'












/** Every command, in the order in which `furrow help` lists them. A new one is its file and one line here. */
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
  verify,
  restore,
  doctor,
  exportSheet,
  exportFarm,
  importMap,
  importSheet,
  importFarm,
  importFarmos,
]
