import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listAccounts } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import type { RecordHouse } from '../http/record-house.ts'
import { type Few, sendFew, sendOneOfFew } from './few.ts'

/** Who can be named as an author or owner (spec 2.7): id and name of all, the mail address of oneself only. */
export function userRoutes(app: FastifyInstance, house: RecordHouse): void {
  for (const path of ['/user', '/user.json', '/user.xml']) {
    app.get(path, async (request, reply) => sendFew(request, reply, await usersFor(house, request)))
  }
  app.get('/user/:id', async (request, reply) => sendOneOfFew(request, reply, await usersFor(house, request)))
}

async function usersFor(house: RecordHouse, request: FastifyRequest): Promise<Few> {
  const caller = await callerOf(request, house)
  requireRight(caller, 'read-records')
  const base = baseAddressOf(request, house)
  const all = (await listAccounts(house)).map(({ uid, name, mail }) => {
    const user = { uid: String(uid), id: String(uid), name, url: `${base}/user/${uid}` }
    return uid === caller.uid ? { ...user, mail } : user
  })
  return { type: 'user', base, all, names: ['uid', 'id', 'name'] }
}
