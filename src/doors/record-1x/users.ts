import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listAccounts } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import type { Records } from '../../records/records.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { sendShortSheet } from './sheets/short-sheet.ts'
import { type ShortList, sendOneOfShortList, sendShortList } from './short-list.ts'

/** Who can be named as an author or owner (spec 2.7): id and name of all, the mail address of oneself only. */
export function userRoutes(app: FastifyInstance, installation: Records): void {
  for (const path of ['/user', '/user.json', '/user.xml']) {
    app.get(path, async (request, reply) => sendShortList(request, reply, await usersFor(installation, request)))
  }
  app.get('/user.csv', async (request, reply) => sendShortSheet(request, reply, await usersFor(installation, request)))
  app.get('/user/:id', async (request, reply) =>
    sendOneOfShortList(request, reply, await usersFor(installation, request)),
  )
}

async function usersFor(installation: Records, request: FastifyRequest): Promise<ShortList> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  const base = baseAddressOf(request, installation)
  const all = (await listAccounts(installation)).map(({ uid, name, mail }) => {
    const user = { uid: String(uid), id: String(uid), name, url: `${base}/user/${uid}` }
    return uid === caller.uid ? { ...user, mail } : user
  })
  return { type: 'user', base, all, names: ['uid', 'id', 'name'] }
}
