import type { FastifyInstance, FastifyRequest } from 'fastify'
import { blockAccount, endAccessOf, removeAccount, setRole, unblockAccount } from '../../../access/accounts.ts'
import { listApplications } from '../../../access/applications.ts'
import type { Installation } from '../../../access/installation.ts'
import { listPeople, type PersonView, requireAccount } from '../../../access/people.ts'
import { hashOf } from '../../../access/secrets.ts'
import { endSessionOf, lastUseOf, listSessions } from '../../../access/sessions.ts'
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
  yesOrNo,
} from '../../http/openapi.ts'
import { deviceOf } from '../../http/user-agent.ts'
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
  texts,
} from './description.ts'
import { invalid, managerOf, membersIn, numberIn, partIn, roleIn, sendPlainJson, yesOrNoIn } from './requests.ts'

/** Accounts, their devices and applications. */
export function addPeople(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/people.json', async (request, reply) => {
    await managerOf(request, installation)
    return sendPlainJson(reply, { people: (await listPeople(installation)).map(personOf) })
  })

  app.post('/administer/people/:id', async (request, reply) => {
    const { uid: by } = await managerOf(request, installation)
    const whom = { uid: numberIn(request), by }
    await changeIn(request)(installation, whom)
    const person = (await listPeople(installation)).find(({ uid }) => uid === whom.uid)
    return sendPlainJson(reply, { person: person === undefined ? null : personOf(person) })
  })

  app.delete('/administer/people/:id', async (request, reply) => {
    const { uid: by } = await managerOf(request, installation)
    return sendPlainJson(reply, { outcome: await removeAccount(installation, { uid: numberIn(request), by }) })
  })

  addDevices(app, installation)
}

const personSchema = completeObject({
  id,
  name: text,
  mail: text,
  role: nullable(role),
  state: { enum: ['active', 'blocked', 'of-client'] },
  created: seconds,
  last_seen: nullable(described('When one of its sessions was last used, to the day', seconds)),
  sessions: { type: 'integer' },
})

type PersonDocument = DocumentOf<typeof personSchema>

const sessionSchema = completeObject({
  key: text,
  device: text,
  address: text,
  created: seconds,
  last_used: described('To the day', seconds),
  expires: seconds,
  this_one: described('Whether it is the session that asks', yesOrNo),
})

type SessionDocument = DocumentOf<typeof sessionSchema>

const applicationSchema = completeObject({ client: text, label: text, scopes: texts, since: seconds })

type ApplicationDocument = DocumentOf<typeof applicationSchema>

export const peopleDescription: DoorDescription = {
  paths: {
    '/administer/people.json': {
      get: administer({
        id: 'listPeople',
        summary: 'Every account of the farm',
        responses: listAnswer('The accounts', listed('people', personSchema)),
      }),
    },
    '/administer/people/{id}': {
      post: administer({
        id: 'changePerson',
        summary: 'Give an account another role, block or unblock it; the last manager stays',
        parameters: [inPath('id')],
        body: {
          ...objectOf({ properties: { role: nullable(role), blocked: yesOrNo } }),
          minProperties: 1,
          maxProperties: 1,
        },
        responses: {
          '200': answer('The account as it is now', 'json', completeObject({ person: nullable(personSchema) })),
          ...refusedOften,
          ...notFound,
          ...conflict,
          ...invalidContent,
        },
      }),
      delete: administer({
        id: 'removePerson',
        summary: 'Remove an account; one that has recorded something is blocked and kept',
        parameters: [inPath('id')],
        responses: {
          '200': answer('What became of it', 'json', completeObject({ outcome: { enum: ['removed', 'kept'] } })),
          ...refusedOften,
          ...notFound,
          ...conflict,
          ...invalidContent,
        },
      }),
    },
    '/administer/people/{id}/sessions.json': {
      get: administer({
        id: 'listSessionsOfPerson',
        summary: 'The devices that an account is logged in on',
        parameters: [inPath('id')],
        responses: { ...listAnswer('The sessions', listed('sessions', sessionSchema)), ...notFound },
      }),
    },
    '/administer/people/{id}/sessions': {
      delete: administer({
        id: 'endAccessOfPerson',
        summary: 'End every session and token of an account',
        parameters: [inPath('id')],
        responses: ended('They are ended'),
      }),
    },
    '/administer/people/{id}/sessions/{key}': {
      delete: administer({
        id: 'endSessionOfPerson',
        summary: 'End one session of an account',
        parameters: [inPath('id'), inPath('key', text)],
        responses: ended('It is ended'),
      }),
    },
    '/administer/people/{id}/applications.json': {
      get: administer({
        id: 'listApplicationsOfPerson',
        summary: 'The applications that can act for an account',
        parameters: [inPath('id')],
        responses: { ...listAnswer('The applications', listed('applications', applicationSchema)), ...notFound },
      }),
    },
  },
}

function addDevices(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/people/:id/sessions.json', async (request, reply) => {
    const caller = await managerOf(request, installation)
    const uid = await requireAccount(installation, numberIn(request))
    const own = caller.carrier === 'cookie' ? hashOf(caller.bond) : null
    const words = await request.server.wordsFor(request)
    const sessions = (await listSessions(installation, uid)).map(
      (session): SessionDocument => ({
        key: session.hash,
        device: deviceOf(session.agent, words),
        address: session.address,
        created: String(session.created),
        last_used: String(lastUseOf(session)),
        expires: String(session.expires),
        this_one: session.hash === own,
      }),
    )
    return sendPlainJson(reply, { sessions })
  })

  app.delete('/administer/people/:id/sessions', async (request, reply) => {
    const { uid: by } = await managerOf(request, installation)
    await endAccessOf(installation, { uid: numberIn(request), by })
    return reply.code(204).send()
  })

  app.delete('/administer/people/:id/sessions/:key', async (request, reply) => {
    const { uid: by } = await managerOf(request, installation)
    await endSessionOf(installation, { uid: numberIn(request), by }, partIn(request, 'key'))
    return reply.code(204).send()
  })

  app.get('/administer/people/:id/applications.json', async (request, reply) => {
    await managerOf(request, installation)
    const uid = await requireAccount(installation, numberIn(request))
    const applications = (await listApplications(installation, uid)).map(
      ({ since, ...application }): ApplicationDocument => ({
        ...application,
        since: String(since),
      }),
    )
    return sendPlainJson(reply, { applications })
  })
}

type Change = (installation: Installation, whom: { readonly uid: number; readonly by: number }) => Promise<void>

/** One change per request, so that each can be undone by itself. */
function changeIn(request: FastifyRequest): Change {
  const members = membersIn(request, ['role', 'blocked'])
  const [member, ...others] = Object.keys(members)
  if (member === undefined || others.length > 0)
    throw invalid(others[0] ?? 'role', 'Change one thing at a time: "role" or "blocked".', ['role', 'blocked'])
  if (member === 'blocked') return yesOrNoIn('blocked', members.blocked) ? blockAccount : unblockAccount
  const role = members.role === null ? null : roleIn(members.role)
  return (installation, whom) => setRole(installation, whom, role)
}

const personOf = ({ uid, name, mail, role, created, lastSeen, sessions, ...person }: PersonView): PersonDocument => ({
  id: String(uid),
  name,
  mail,
  role,
  state: stateOf(person),
  created: String(created),
  last_seen: lastSeen === null ? null : String(lastSeen),
  sessions,
})

function stateOf({
  blocked,
  isService,
}: Pick<PersonView, 'blocked' | 'isService'>): 'active' | 'blocked' | 'of-client' {
  if (blocked) return 'blocked'
  return isService ? 'of-client' : 'active'
}
