import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../../access/installation.ts'
import {
  invite,
  listInvitations,
  makePasswordLink,
  type OpenInvitation,
  revokeInvitation,
} from '../../../access/invitations.ts'
import { addressToHandOn } from '../../http/addresses-for-others.ts'
import {
  answer,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  described,
  nullable,
  objectOf,
  refusedOften,
  text,
} from '../../http/openapi.ts'
import {
  administer,
  conflict,
  ended,
  id,
  inPath,
  invalidContent,
  listAnswer,
  listed,
  notFound,
  role,
  seconds,
} from './description.ts'
import { invalid, managerOf, membersIn, numberIn, roleIn, sendPlainJson } from './requests.ts'

/** Links that give an account or a new password. The key is in the fragment, so that no server and no log sees it. */
export function addInvitations(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/invitations.json', async (request, reply) => {
    await managerOf(request, installation)
    return sendPlainJson(reply, { invitations: (await listInvitations(installation)).map(invitationOf) })
  })

  app.post('/administer/invitations.json', async (request, reply) => {
    const { uid: by } = await managerOf(request, installation)
    const { role, name = '' } = membersIn(request, ['role', 'name'])
    if (typeof name !== 'string') throw invalid('name', '"name" is a text.')
    const { id, key, expires } = await invite(installation, { role: roleIn(role), name, by })
    const link = `${addressToHandOn(request, installation)}/invitation#${key}`
    return sendPlainJson(reply, { id: String(id), link, expires: String(expires) } satisfies LinkDocument, 201)
  })

  app.delete('/administer/invitations/:id', async (request, reply) => {
    const { uid: by } = await managerOf(request, installation)
    await revokeInvitation(installation, { id: numberIn(request), by })
    return reply.code(204).send()
  })

  app.post('/administer/people/:id/password-link', async (request, reply) => {
    const { uid: by } = await managerOf(request, installation)
    const { id, key, expires } = await makePasswordLink(installation, { uid: numberIn(request), by })
    const link = `${addressToHandOn(request, installation)}/new-password#${key}`
    return sendPlainJson(reply, { id: String(id), link, expires: String(expires) } satisfies LinkDocument, 201)
  })
}

const invitationSchema = completeObject({
  id,
  kind: described('What the link gives: an account, or an account a new password', { enum: ['account', 'password'] }),
  name: described('For whom it is', text),
  role: nullable(role),
  user: nullable(id),
  by: nullable(completeObject({ id, name: text })),
  created: seconds,
  expires: seconds,
})

const madeLinkSchema = completeObject({
  id,
  link: described('Told once; what stands behind the # is its key', { type: 'string', format: 'uri' }),
  expires: seconds,
})

type LinkDocument = DocumentOf<typeof madeLinkSchema>

export const invitationsDescription: DoorDescription = {
  paths: {
    '/administer/people/{id}/password-link': {
      post: administer({
        id: 'makePasswordLink',
        summary: 'A link by which an account gets a new password: for a day, once',
        parameters: [inPath('id')],
        responses: {
          '201': answer('The link', 'json', madeLinkSchema),
          ...refusedOften,
          ...notFound,
          ...conflict,
          ...invalidContent,
        },
      }),
    },
    '/administer/invitations.json': {
      get: administer({
        id: 'listInvitations',
        summary: 'The links that can still be used',
        responses: listAnswer('The links, without their keys', listed('invitations', invitationSchema)),
      }),
      post: administer({
        id: 'invite',
        summary: 'A link by which somebody gets an account: for a week, once',
        body: objectOf({ properties: { role, name: described('For whom it is', text) }, required: ['role'] }),
        responses: { '201': answer('The link', 'json', madeLinkSchema), ...refusedOften, ...invalidContent },
      }),
    },
    '/administer/invitations/{id}': {
      delete: administer({
        id: 'revokeInvitation',
        summary: 'Take a link back',
        parameters: [inPath('id')],
        responses: ended('Nobody can use it any more'),
      }),
    },
  },
}

const invitationOf = ({
  id,
  kind,
  name,
  role,
  uid,
  by,
  created,
  expires,
}: OpenInvitation): DocumentOf<typeof invitationSchema> => ({
  id: String(id),
  kind,
  name,
  role,
  user: uid === null ? null : String(uid),
  by: by === null ? null : { id: String(by.uid), name: by.name },
  created: String(created),
  expires: String(expires),
})
