import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listAccounts } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import { Refusal } from '../../refusal.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { readQuery } from '../http/query.ts'
import { sendList, sendOne } from './answer.ts'
import type { Document } from './document.ts'
import { fewLike } from './few.ts'
import { envelopeOf, pageOf, pagingIn } from './paging.ts'
import type { RecordHouse } from './record-house.ts'
import { recordIdIn } from './record-id.ts'

/** Who can be named as an author or owner (spec 2.7): id and name of all, the mail address of oneself only. */
export function userRoutes(app: FastifyInstance, house: RecordHouse): void {
  for (const path of ['/user.json', '/user.xml']) {
    app.get(path, async (request, reply) => {
      const all = await usersFor(house, request)
      const entries = readQuery(request.url)
      const paging = pagingIn(entries)
      const { last, list } = pageOf(fewLike(all, entries, ['uid', 'id', 'name']), paging)
      const base = baseAddressOf(request, house)
      return sendList(request, reply, { item: 'user', envelope: envelopeOf(request, base, { ...paging, last, list }) })
    })
  }
  app.get('/user/:id', async (request, reply) => {
    const id = recordIdIn(request)
    const tree = (await usersFor(house, request)).find((one) => one.uid === String(id))
    if (tree === undefined) throw new Refusal('not-found', `There is no user ${id}.`)
    return sendOne(request, reply, { root: 'user', tree })
  })
}

async function usersFor(house: RecordHouse, request: FastifyRequest): Promise<readonly Document[]> {
  const caller = await callerOf(request, house)
  requireRight(caller, 'read-records')
  const base = baseAddressOf(request, house)
  return (await listAccounts(house)).map(({ uid, name, mail }) => {
    const user = { uid: String(uid), id: String(uid), name, url: `${base}/user/${uid}` }
    return uid === caller.uid ? { ...user, mail } : user
  })
}
