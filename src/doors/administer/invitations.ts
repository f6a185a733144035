import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import {
  invite,
  listInvitations,
  makePasswordLink,
  type OpenInvitation,
  revokeInvitation,
} from '../../access/invitations.ts'
import { addressToHandOn } from '../http/listening-addresses.ts'
import { administering, sendJson } from './administering.ts'
import { invalid, membersIn, numberIn, roleIn } from './asked.ts'

/** Links by which somebody gets an account, or a new password. The key stands behind the #: no server and no log ever sees it. */
export function addInvitations(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/invitations.json', async (request, reply) => {
    await administering(request, installation)
    return sendJson(reply, { invitations: (await listInvitations(installation)).map(invitationOf) })
  })

  app.post('/administer/invitations.json', async (request, reply) => {
    const { uid: by } = await administering(request, installation)
    const { role, name = '' } = membersIn(request, ['role', 'name'])
    if (typeof name !== 'string') throw invalid('name', '"name" is a text.')
    const { id, key, expires } = await invite(installation, { role: roleIn(role), name, by })
    const link = `${addressToHandOn(request, installation)}/invitation#${key}`
    return sendJson(reply, { id: String(id), link, expires: String(expires) }, 201)
  })

  app.delete('/administer/invitations/:id', async (request, reply) => {
    const { uid: by } = await administering(request, installation)
    await revokeInvitation(installation, { id: numberIn(request), by })
    return reply.code(204).send()
  })

  app.post('/administer/people/:id/password-link', async (request, reply) => {
    const { uid: by } = await administering(request, installation)
    const { id, key, expires } = await makePasswordLink(installation, { uid: numberIn(request), by })
    const link = `${addressToHandOn(request, installation)}/new-password#${key}`
    return sendJson(reply, { id: String(id), link, expires: String(expires) }, 201)
  })
}

const invitationOf = ({ id, kind, name, role, uid, by, created, expires }: OpenInvitation) => ({
  id: String(id),
  kind,
  name,
  role,
  user: uid === null ? null : String(uid),
  by: by === null ? null : { id: String(by.uid), name: by.name },
  created: String(created),
  expires: String(expires),
})
