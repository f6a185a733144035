import type { FastifyInstance } from 'fastify'
import { listAccounts } from '../../../access/accounts.ts'
import { requireRight } from '../../../access/caller.ts'
import type { Records } from '../../../records/records.ts'
import { callerOf } from '../../http/caller.ts'
import { drawConfig } from '../config/draw-config.ts'
import { shortListRoutes } from '../short-list/short-list.ts'
import { changeUser } from './user-change.ts'
import { drawUser, userAttributes } from './user-resource.ts'

/** Who can be named as an author or owner. Oneself is seen by everybody who may enter: the entry document links there. */
export function userRoutes(app: FastifyInstance, installation: Records): void {
  shortListRoutes(app, installation, {
    type: 'user--user',
    searchable: userAttributes,
    all: async (request) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'read-records')
      return (await listAccounts(installation)).map((account) => drawUser(caller, account))
    },
    one: async (request, uuid) => {
      const caller = await callerOf(request, installation)
      const found = (await listAccounts(installation)).find((account) => account.uuid === uuid)
      requireRight(caller, found?.uid === caller.uid ? 'enter' : 'read-records')
      return found === undefined ? undefined : drawUser(caller, found)
    },
    draw: (things) => drawConfig(installation.farm, things),
    change: (request, uuid) => changeUser(installation, request, uuid),
  })
}
