import { backup } from './backup.ts'
import { clientAdd } from './client-add.ts'
import { clientList } from './client-list.ts'
import { clientRemove } from './client-remove.ts'
import { clientRevoke } from './client-revoke.ts'
import { clientRotateSecret } from './client-rotate-secret.ts'
import { clientSet } from './client-set.ts'
import { clientShow } from './client-show.ts'
import { clientTokens } from './client-tokens.ts'
import type { Command } from './command.ts'
import { configSet } from './config-set.ts'
import { configShow } from './config-show.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { events } from './events.ts'
import { exportFarm } from './export.ts'
import { importFarm } from './import.ts'
import { restore } from './restore.ts'
import { schema } from './schema.ts'
import { serve } from './serve.ts'
import { userAdd } from './user-add.ts'
import { userBlock } from './user-block.ts'
import { userList } from './user-list.ts'
import { userRemove } from './user-remove.ts'
import { userSetPassword } from './user-set-password.ts'
import { userSetRole } from './user-set-role.ts'
import { userUnblock } from './user-unblock.ts'
import { verify } from './verify.ts'

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
  clientAdd,
  clientList,
  clientShow,
  clientSet,
  clientRotateSecret,
  clientTokens,
  clientRevoke,
  clientRemove,
  events,
  demo,
  backup,
  verify,
  restore,
  doctor,
  exportFarm,
  importFarm,
]
