import type { FastifyInstance, FastifyRequest } from 'fastify'
import { blockAccount, endAccessOf, removeAccount, setRole, unblockAccount } from '../../../access/accounts.ts'
import { listApplications } from '../../../access/applications.ts'
import type { Installation } from '../../../access/installation.ts'
import { listPeople, type PersonView, requireAccount } from '../../../access/people.ts'
import { hashOf } from '../../../access/secrets.ts'
import { endSessionOf, lastUseOf, listSessions } from '../../../access/sessions.ts'
import { deviceOf } from '../../http/user-agent.ts'
import { invalid, managerOf, membersIn, numberIn, partIn, roleIn, sendPlainJson, yesOrNoIn } from './requests.ts'

/** Who may enter the farm, by which devices and applications. */
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

function addDevices(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/people/:id/sessions.json', async (request, reply) => {
    const caller = await managerOf(request, installation)
    const uid = await requireAccount(installation, numberIn(request))
    const own = caller.carrier === 'cookie' ? hashOf(caller.bond) : null
    const words = await request.server.wordsFor(request)
    const sessions = (await listSessions(installation, uid)).map((session) => ({
      key: session.hash,
      device: deviceOf(session.agent, words),
      address: session.address,
      created: String(session.created),
      last_used: String(lastUseOf(session)),
      expires: String(session.expires),
      this_one: session.hash === own,
    }))
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
    const applications = (await listApplications(installation, uid)).map(({ since, ...application }) => ({
      ...application,
      since: String(since),
    }))
    return sendPlainJson(reply, { applications })
  })
}

type Change = (installation: Installation, whom: { readonly uid: number; readonly by: number }) => Promise<void>

/** One thing at a time, so that one thing can be taken back. */
function changeIn(request: FastifyRequest): Change {
  const members = membersIn(request, ['role', 'blocked'])
  const [member, ...others] = Object.keys(members)
  if (member === undefined || others.length > 0)
    throw invalid(others[0] ?? 'role', 'Change one thing at a time: "role" or "blocked".', ['role', 'blocked'])
  if (member === 'blocked') return yesOrNoIn('blocked', members.blocked) ? blockAccount : unblockAccount
  const role = members.role === null ? null : roleIn(members.role)
  return (installation, whom) => setRole(installation, whom, role)
}

const personOf = ({ uid, name, mail, role, created, lastSeen, sessions, ...person }: PersonView) => ({
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
