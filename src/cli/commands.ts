import type { Command } from './command.ts'
import { backup } from './commands/backup.ts'
import { clientAdd } from './commands/client-add.ts'
import { clientList } from './commands/client-list.ts'
import { clientRemove } from './commands/client-remove.ts'
import { clientRevoke } from './commands/client-revoke.ts'
import { clientRotateSecret } from './commands/client-rotate-secret.ts'
import { clientSet } from './commands/client-set.ts'
import { clientShow } from './commands/client-show.ts'
import { clientTokens } from './commands/client-tokens.ts'
import { configSet } from './commands/config-set.ts'
import { configShow } from './commands/config-show.ts'
import { demo } from './commands/demo.ts'
import { doctor } from './commands/doctor.ts'
import { events } from './commands/events.ts'
import { exportFarm } from './commands/export.ts'
import { exportSheet } from './commands/export-sheet.ts'
import { history } from './commands/history.ts'
import { importFarm } from './commands/import.ts'
import { importFarmos } from './commands/import-farmos.ts'
import { importMap } from './commands/import-map.ts'
import { importSheet } from './commands/import-sheet.ts'
import { invite } from './commands/invite.ts'
import { restore } from './commands/restore.ts'
import { schema } from './commands/schema.ts'
import { serve } from './commands/serve.ts'
import { sets } from './commands/sets.ts'
import { trashEmpty } from './commands/trash-empty.ts'
import { trashList } from './commands/trash-list.ts'
import { trashRestore } from './commands/trash-restore.ts'
import { undo } from './commands/undo.ts'
import { userAdd } from './commands/user-add.ts'
import { userBlock } from './commands/user-block.ts'
import { userList } from './commands/user-list.ts'
import { userRemove } from './commands/user-remove.ts'
import { userSetPassword } from './commands/user-set-password.ts'
import { userSetRole } from './commands/user-set-role.ts'
import { userUnblock } from './commands/user-unblock.ts'
import { verify } from './commands/verify.ts'

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
