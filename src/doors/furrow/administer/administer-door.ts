import type { FastifyInstance, FastifyRequest } from 'fastify'
import { rightsOf } from '../../../access/caller.ts'
import { type AccessEvent, accessEvents, type EventView, listEvents } from '../../../access/events.ts'
import { changeSettings, viewOfSettings } from '../../../access/farm-settings.ts'
import type { Installation } from '../../../access/installation.ts'
import {
  invite,
  listInvitations,
  makePasswordLink,
  type OpenInvitation,
  revokeInvitation,
} from '../../../access/invitations.ts'
import { checkLogin } from '../../../access/login.ts'
import { confirmSession } from '../../../access/sessions.ts'
import { offeredLayers } from '../../../farm/offered-layers.ts'
import type { Records } from '../../../records/records.ts'
import { Refusal } from '../../../refusal.ts'
import { readFarmSettings, readLastBackup } from '../../../storage/settings.ts'
import { version } from '../../../version.ts'
import { addressesForOthers, addressToHandOn } from '../../http/addresses-for-others.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { readBody, readForm } from '../../http/body.ts'
import type { ScriptAccess } from '../../http/browser-security.ts'
import { callerOf, visitorOf } from '../../http/caller.ts'

import { addBackup, runOwnCommand } from './backup.ts'
import { addClients } from './clients.ts'
import { addPeople } from './people.ts'
import { bodyIn, invalid, managerOf, membersIn, numberIn, roleIn, sendPlainJson, wholeNumberAsked } from './requests.ts'

/** A script of another origin has a token of its own; nothing here is for a page of somebody else's. */
export const administerScriptAccess: readonly ScriptAccess[] = [{ paths: /^\/administer(?:\/|$)/, openTo: 'nobody' }]

/** Running the farm: who may enter, what it is called, what leaves it. Each route asks for the right to administer (`administering`). */
export function administerDoor(app: FastifyInstance, installation: Records): void {
  addConfirmation(app, installation)
  addPeople(app, installation)
  addInvitations(app, installation)
  addClients(app, installation)
  addEvents(app, installation)
  addSettings(app, installation)
  addBackup(app, installation)
  addDoctor(app, installation)
}

/** A password that is shown again lets its session administer for a while. It counts as a login, so that nobody can try passwords here. */
function addConfirmation(app: FastifyInstance, installation: Installation): void {
  app.post('/administer/confirmation', async (request, reply) => {
    const caller = await callerOf(request, installation)
    const ofRole = rightsOf({ role: caller.role, isService: false }, null)
    if (caller.carrier !== 'cookie' || !ofRole.has('administer')) {
      throw new Refusal('forbidden', 'Only the session of a manager can be confirmed.')
    }
    const password = readForm(request).values.get('password') ?? ''
    const shown = await checkLogin(installation, { name: caller.name, password, ...visitorOf(request, installation) })
    if (shown?.uid !== caller.uid) throw new Refusal('wrong-password', 'This is not your password: type it again.')
    const until = await confirmSession(installation, shown, caller.bond)
    return sendPlainJson(reply, { confirmed_until: String(until) })
  })
}

/** How many events an answer has. */
const perAnswer = { usual: 100, most: 1000 } as const

/** What happened to accounts, clients and tokens, newest first. */
function addEvents(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/events.json', async (request, reply) => {
    await managerOf(request, installation)
    const asked = bodyIn(request, ['kind', 'since', 'limit'])
    const since = wholeNumberAsked(asked('since'), { name: 'since', least: 0, most: 253_402_300_799 })
    const most = wholeNumberAsked(asked('limit'), { name: 'limit', least: 1, most: perAnswer.most })
    const question = { kinds: asked('kind').map(kindOf), since: since ?? 0, most: most ?? perAnswer.usual }
    return sendPlainJson(reply, { events: (await listEvents(installation, question)).map(eventOf) })
  })
}

function kindOf(word: string): AccessEvent {
  const kind = accessEvents.find((known) => known === word)
  if (kind !== undefined) return kind
  throw new Refusal('bad-query', `"${word}" is no kind of event: ${accessEvents.join(', ')} are.`)
}

const eventOf = ({ at, kind, uid, user, client, address, actor, by }: EventView) => ({
  at: String(at),
  kind,
  user: uid === null ? null : { id: String(uid), name: user },
  by: actor === null ? null : { id: String(actor), name: by },
  client,
  address,
})

/** A farm that takes longer is looked at from the command line. */
const patienceMs = 60_000

interface Verdict {
  /** Null where the doctor did not come to an end. */
  readonly sound: boolean | null
  readonly sentence: string
  /** What the doctor said of what it found. */
  readonly findings: readonly string[]
  readonly at: string
}

/** What `furrow doctor` says of the farm. It looks once, however many ask meanwhile. */
function addDoctor(app: FastifyInstance, installation: Installation): void {
  let looking: Promise<Verdict> | undefined
  app.get('/administer/doctor.json', async (request, reply) => {
    await managerOf(request, installation)
    looking ??= lookAt(installation).finally(() => {
      looking = undefined
    })
    return sendPlainJson(reply, await looking)
  })
}

const tooLong = 'The doctor did not come to an end in a minute: run `furrow doctor` where the server runs.'

async function lookAt({ settings, clock }: Installation): Promise<Verdict> {
  const { code, output, complaint } = await runOwnCommand(['doctor'], settings, AbortSignal.timeout(patienceMs))
  const at = String(clock())
  if (code === 0) return { sound: true, sentence: output.split('\n')[0] ?? '', findings: [], at }
  if (code === null) return { sound: null, sentence: tooLong, findings: [], at }
  const findings = output.split('\n').filter((line) => line !== '')
  return { sound: findings.length === 0 ? null : false, sentence: lastLineOf(complaint), findings, at }
}

/** Without the name of the program before it. */
const lastLineOf = (text: string): string => (text.trim().split('\n').at(-1) ?? '').replace(/^furrow(?: doctor)?: /, '')

/** What the farm says about itself, and what whoever runs it wants to know of the server. */
function addSettings(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/settings.json', async (request, reply) => {
    await managerOf(request, installation)
    return sendPlainJson(reply, await told(request, installation))
  })

  app.put('/administer/settings.json', async (request, reply) => {
    const { uid } = await managerOf(request, installation)
    const base = baseAddressOf(request, installation)
    await changeSettings(installation, { given: givenIn(request), base, uid, address: request.address })
    return sendPlainJson(reply, await told(request, installation))
  })
}

function givenIn(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const tree = readBody(request)
  if (tree !== null && typeof tree === 'object' && !Array.isArray(tree)) return tree as Record<string, unknown>
  throw new Refusal('unreadable-body', 'An object with settings was expected.')
}

async function told(request: FastifyRequest, installation: Installation) {
  const { database, farm, settings } = installation
  const [kept, lastBackup] = await database.read((snapshot) =>
    Promise.all([readFarmSettings(snapshot), readLastBackup(snapshot)]),
  )
  return {
    settings: viewOfSettings(kept),
    languages: farm.languages.map(({ language, native }) => ({ language, native })),
    offered_layers: offeredLayers,
    event_days: settings.eventDays,
    last_backup: lastBackup === null ? null : String(lastBackup),
    addresses: addressesForOthers(request, installation),
    version,
  }
}

/** Links by which somebody gets an account, or a new password. The key stands behind the #: no server and no log ever sees it. */
function addInvitations(app: FastifyInstance, installation: Installation): void {
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
    return sendPlainJson(reply, { id: String(id), link, expires: String(expires) }, 201)
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
    return sendPlainJson(reply, { id: String(id), link, expires: String(expires) }, 201)
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
