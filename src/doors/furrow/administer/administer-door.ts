import type { FastifyInstance } from 'fastify'
import { rightsOf } from '../../../access/caller.ts'
import { type AccessEvent, accessEvents, type EventView, listEvents } from '../../../access/events.ts'
import type { Installation } from '../../../access/installation.ts'
import { checkLogin } from '../../../access/login.ts'
import { confirmSession } from '../../../access/sessions.ts'
import type { MoveJob } from '../../../records/moving/move-job.ts'
import type { Records } from '../../../records/records.ts'
import { Refusal } from '../../../refusal.ts'
import { readForm } from '../../http/body.ts'
import { callerOf, visitorOf } from '../../http/caller.ts'
import {
  answer,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  described,
  inBody,
  nullable,
  operation,
  refusedOften,
  text,
} from '../../http/openapi.ts'
import type { ScriptAccess } from '../../http/origin.ts'
import { addBackup, backupDescription, runOwnCommand } from './backup.ts'
import { addClients, clientsDescription } from './clients.ts'
import { administer, id, listAnswer, listed, password, seconds, valueInQuery } from './description.ts'
import { addInvitations, invitationsDescription } from './invitations.ts'
import { addMovingIn, movingInDescription } from './moving-in.ts'
import { addPeople, peopleDescription } from './people.ts'
import { bodyIn, managerOf, sendPlainJson, wholeNumberAsked } from './requests.ts'
import { addSettings, settingsDescription } from './settings.ts'

/** Not open to scripts of other origins: they use a token of their own. */
export const administerScriptAccess: readonly ScriptAccess[] = [{ paths: /^\/administer(?:\/|$)/, openTo: 'nobody' }]

/** Administration: accounts, settings, backups. Each route requires the right `administer` (`administering`). */
export function administerDoor(app: FastifyInstance, installation: Records, moves: MoveJob): void {
  addConfirmation(app, installation)
  addPeople(app, installation)
  addInvitations(app, installation)
  addClients(app, installation)
  addEvents(app, installation)
  addSettings(app, installation)
  addBackup(app, installation)
  addDoctor(app, installation)
  addMovingIn(app, installation, moves)
  app.addHook('onClose', () => moves.close())
}

/**
 * Confirming the password lets a session administer for a while. It counts as a login attempt, so that passwords cannot
 * be guessed here.
 */
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

const unixSeconds = described('Unix seconds', { type: 'string', pattern: '^[0-9]+$' })

const confirmationDescription: DoorDescription = {
  paths: {
    '/administer/confirmation': {
      post: operation({
        id: 'confirmPassword',
        summary: 'Show the password again, so that the session may administer for 15 minutes',
        tag: 'administer',
        body: inBody(password),
        responses: {
          '200': answer('It was right', 'json', completeObject({ confirmed_until: unixSeconds })),
          ...refusedOften,
        },
      }),
    },
  },
}

/** Events per answer. */
const perAnswer = { usual: 100, most: 1000 } as const

/** Events of accounts, clients and tokens, newest first. */
function addEvents(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/events.json', async (request, reply) => {
    await managerOf(request, installation)
    const query = bodyIn(request, ['kind', 'since', 'limit'])
    const since = wholeNumberAsked(query('since'), { name: 'since', least: 0, most: 253_402_300_799 })
    const most = wholeNumberAsked(query('limit'), { name: 'limit', least: 1, most: perAnswer.most })
    const question = { kinds: query('kind').map(kindOf), since: since ?? 0, most: most ?? perAnswer.usual }
    return sendPlainJson(reply, { events: (await listEvents(installation, question)).map(eventOf) })
  })
}

const somebodySchema = completeObject({ id, name: nullable(text) })

const eventSchema = completeObject({
  at: seconds,
  kind: { enum: accessEvents },
  user: nullable(described('The account that it is about', somebodySchema)),
  by: nullable(described('Whoever did it to somebody else’s account or to a client', somebodySchema)),
  client: nullable(text),
  address: nullable(text),
})

const eventsDescription: DoorDescription = {
  paths: {
    '/administer/events.json': {
      get: administer({
        id: 'listEvents',
        summary: 'Logins, failed logins and changes to accounts, clients and tokens, newest first',
        parameters: [
          { ...valueInQuery('kind', { type: 'array', items: { enum: accessEvents } }), style: 'form', explode: true },
          valueInQuery('since', seconds),
          valueInQuery('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
        ],
        responses: listAnswer('The events', listed('events', eventSchema)),
      }),
    },
  },
}

function kindOf(word: string): AccessEvent {
  const kind = accessEvents.find((known) => known === word)
  if (kind !== undefined) return kind
  throw new Refusal('bad-query', `"${word}" is no kind of event: ${accessEvents.join(', ')} are.`)
}

const eventOf = ({ at, kind, uid, user, client, address, actor, by }: EventView): DocumentOf<typeof eventSchema> => ({
  at: String(at),
  kind,
  user: uid === null ? null : { id: String(uid), name: user },
  by: actor === null ? null : { id: String(actor), name: by },
  client,
  address,
})

/** A check that takes longer must run on the command line. */
const patienceMs = 60_000

const verdictSchema = completeObject({
  sound: described('Null where the doctor did not come to an end', nullable({ type: 'boolean' })),
  sentence: text,
  findings: { type: 'array', items: text },
  at: unixSeconds,
})

type Verdict = DocumentOf<typeof verdictSchema>

const doctorDescription: DoorDescription = {
  paths: {
    '/administer/doctor.json': {
      get: operation({
        id: 'askDoctor',
        summary: 'What `furrow doctor` says of the farm, within a minute',
        tag: 'administer',
        responses: { '200': answer('Its verdict', 'json', verdictSchema), ...refusedOften },
      }),
    },
  },
}

/** The findings of `furrow doctor`. Concurrent requests share one run. */
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

/** Without the program's name in front. */
const lastLineOf = (text: string): string => (text.trim().split('\n').at(-1) ?? '').replace(/^furrow(?: doctor)?: /, '')

export const administerDescriptions: readonly DoorDescription[] = [
  { tags: [{ name: 'administer', description: 'Running the farm: people, settings, backups' }] },
  confirmationDescription,
  peopleDescription,
  invitationsDescription,
  clientsDescription,
  eventsDescription,
  settingsDescription,
  backupDescription,
  doctorDescription,
  movingInDescription,
]
