import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setRole, unblockAccount } from '../../../access/accounts.ts'
import type { Installation } from '../../../access/installation.ts'
import { makePasswordLink } from '../../../access/invitations.ts'
import { listPeople } from '../../../access/people.ts'
import type { MoveCredentials, MoveJob, MoveRun } from '../../../records/moving/move-job.ts'
import { addressToHandOn } from '../../http/addresses-for-others.ts'
import {
  answer,
  answerAs,
  arrayOf,
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
import { administer, conflict, id, invalidContent, listAnswer, listed, role, seconds, texts } from './description.ts'
import { invalid, managerOf, membersIn, roleIn, sendPlainJson } from './requests.ts'

/** Moving in from another server, while this one runs. */
export function addMovingIn(app: FastifyInstance, installation: Installation, job: MoveJob): void {
  const send = async () => documentOf(installation, job)

  app.get('/administer/move-in.json', async (request, reply) => {
    await managerOf(request, installation)
    return sendPlainJson(reply, await send())
  })

  app.post('/administer/move-in.json', async (request, reply) => {
    await managerOf(request, installation)
    const members = membersIn(request, ['address', 'user', 'password', 'token'])
    await job.look(addressIn(members.address), credentialsIn(members))
    return sendPlainJson(reply, await send())
  })

  app.post('/administer/move-in/run', async (request, reply) => {
    await managerOf(request, installation)
    const { what, theirs, ours } = membersIn(request, ['what', 'theirs', 'ours'])
    const step = steps.find((one) => one === what)
    if (step === undefined) throw invalid('what', `"what" is one of ${steps.join(', ')}.`, steps)
    const answers = { theirs: recordsIn('theirs', theirs), ours: recordsIn('ours', ours) }
    if (step === 'pause') await job.pause()
    else if (step === 'go-on') await job.goOn()
    else if (step === 'end') await job.end()
    else if (step === 'allow-recording') await job.setRecording('allowed')
    else if (step === 'stop-recording') await job.setRecording('off')
    else await job.start(step, answers)
    return sendPlainJson(reply, await send())
  })

  app.get('/administer/move-in/since.json', async (request, reply) => {
    await managerOf(request, installation)
    const { own, changed, untouched } = await job.recordedSince()
    return sendPlainJson(reply, { own, changed, untouched } satisfies DocumentOf<typeof sinceSchema>)
  })

  app.get('/administer/move-in/report.txt', async (request, reply) => {
    await managerOf(request, installation)
    return reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .send(await job.report())
  })

  app.post('/administer/move-in/invitations.json', async (request, reply) => {
    const { uid: by } = await managerOf(request, installation)
    const wanted = peopleIn(request)
    const arrived = new Map((await job.arrivedAccounts()).map((account) => [account.uid, account]))
    const strange = wanted.find(({ uid }) => arrived.get(uid)?.canBeInvited !== true)
    if (strange !== undefined)
      throw invalid('people', `Account ${strange.uid} did not come along, is nobody's, or is blocked over there.`)
    const base = addressToHandOn(request, installation)
    const invitations: DocumentOf<typeof invitationSchema>[] = []
    for (const { uid, role } of wanted) {
      await setRole(installation, { uid, by }, role)
      await unblockAccount(installation, { uid, by })
      const { key, expires } = await makePasswordLink(installation, { uid, by, holds: 'a week' })
      invitations.push({ id: String(uid), link: `${base}/new-password#${key}`, expires: String(expires) })
    }
    return sendPlainJson(reply, { invitations }, 201)
  })
}

const runs = ['move', 'follow', 'last', 'undo'] as const satisfies readonly MoveRun[]
const steps = [...runs, 'pause', 'go-on', 'end', 'allow-recording', 'stop-recording'] as const

function addressIn(value: unknown): string {
  const url = typeof value === 'string' && URL.canParse(value.trim()) ? new URL(value.trim()) : null
  const isPlain = url !== null && url.username + url.password + url.search + url.hash === ''
  if (url === null || !isPlain || !/^https?:$/.test(url.protocol))
    throw invalid('address', 'Give the address of the other server, such as https://farm.example, and nothing else.')
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url.href
}

const mostCharacters = 16_384

function credentialsIn({ user, password, token }: Readonly<Record<string, unknown>>): MoveCredentials {
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= mostCharacters
  if (isText(user) && isText(password) && token === undefined) return { user, password }
  if (isText(token) && user === undefined && password === undefined) return { token: token.trim() }
  throw invalid('user', 'Give "user" and "password" of the other server, or a "token".', ['user', 'password', 'token'])
}

const mostRecords = 10_000

function recordsIn(field: string, value: unknown): readonly string[] {
  if (value === undefined) return []
  const isList = Array.isArray(value) && value.length <= mostRecords
  if (isList && value.every((one) => one === 'all' || /^(?:log|asset|term) [1-9]\d{0,14}$/.test(String(one))))
    return value.map(String)
  throw invalid(field, `"${field}" lists records such as "log 12", or says "all".`)
}

function peopleIn(request: FastifyRequest) {
  const { people } = membersIn(request, ['people'])
  if (!Array.isArray(people) || people.length > 1000) throw invalid('people', '"people" is a list of at most 1,000.')
  return people.map((person: unknown) => {
    const { id, role } = (person ?? {}) as Readonly<Record<string, unknown>>
    if (typeof id !== 'string' || !/^[1-9]\d{0,14}$/.test(id))
      throw invalid('people', 'Each of "people" has an "id" and a "role".')
    return { uid: Number(id), role: roleIn(role) }
  })
}

async function documentOf(installation: Installation, job: MoveJob): Promise<DocumentOf<typeof moveSchema>> {
  const { loggedIn, verdict, ...state } = await job.state()
  const arrived = new Map((await job.arrivedAccounts()).map((account) => [account.uid, account]))
  const people = arrived.size === 0 ? [] : await listPeople(installation)
  return {
    ...state,
    logged_in: loggedIn,
    recording: job.trial()?.recording ?? true,
    verdict: verdict === null ? null : { ...verdict, at: String(verdict.at) },
    accounts: people.flatMap(({ uid, name, role, blocked }) => {
      const account = arrived.get(uid)
      if (account === undefined) return []
      return [{ id: String(uid), name, role, blocked, can_be_invited: account.canBeInvited }]
    }),
  }
}

const count = { type: 'integer', minimum: 0 } as const

const moveSchema = completeObject({
  status: described('`stopped`: log in and start the same run again', {
    enum: ['none', 'ready', 'running', 'paused', 'stopped', 'moved', 'switched', 'undone'],
  }),
  address: text,
  logged_in: described('Whether the next run needs no login', yesOrNo),
  recording: described('False in a trial in which no manager has allowed it', yesOrNo),
  run: nullable({ enum: runs }),
  outlook: nullable(
    completeObject({
      interface: { enum: ['1.x', 'api'] },
      pages: described('Requests, at most', count),
      seconds: { type: 'number' },
      unknown: described(
        'Types that this farm does not know: their records come as activities, the rest as text',
        texts,
      ),
      others: described('Types of the other server that are not moved', texts),
      without_private_files: yesOrNo,
    }),
  ),
  progress: nullable(
    completeObject({
      phase: { enum: ['read', 'files', 'write', 'compare', 'remove'] },
      done: count,
      total: described('0 if unknown', count),
      pages: count,
      seconds: count,
    }),
  ),
  trouble: nullable(text),
  counts: nullable(completeObject({ created: count, updated: count, removed: count })),
  verdict: nullable(
    completeObject({
      at: seconds,
      lost: count,
      changed: count,
      groups: arrayOf(
        completeObject({
          kind: { enum: ['lost', 'changed', 'elsewhere'] },
          cause: described('As in docs/moving-in.md', text),
          count,
          examples: texts,
        }),
      ),
    }),
  ),
  questions: arrayOf(
    completeObject({
      record: text,
      type: described('As in the catalogue; empty if it is on neither side', text),
      name: text,
      sentence: text,
      sides: described(
        'Fields that differ, as the record interface has them; long texts are cut',
        arrayOf(completeObject({ field: text, there: {}, here: {} })),
      ),
    }),
  ),
  accounts: described(
    'Accounts that came along',
    arrayOf(completeObject({ id, name: text, role: nullable(role), blocked: yesOrNo, can_be_invited: yesOrNo })),
  ),
})

const sinceSchema = completeObject({
  own: described('Records made here; they stay', count),
  changed: described('Records that came along and were changed here; they stay', count),
  untouched: described('Records that an undo takes back', count),
})

const invitationSchema = completeObject({
  id,
  link: described('Told once; for a week', { type: 'string', format: 'uri' }),
  expires: seconds,
})

const moveAnswer = {
  '200': answer('The move as it is now', 'json', moveSchema),
  ...refusedOften,
  ...conflict,
  ...invalidContent,
}

const secret = { type: 'string', format: 'password' } as const
const records = { type: 'array', items: text } as const

export const movingInDescription: DoorDescription = {
  paths: {
    '/administer/move-in.json': {
      get: administer({
        id: 'readMove',
        summary: 'How far the move from another server is',
        responses: listAnswer('The move', moveSchema),
      }),
      post: administer({
        id: 'lookAtSource',
        summary: 'Log in to another server and find out what a move would be; the password is not kept',
        body: objectOf({
          properties: { address: { type: 'string', format: 'uri' }, user: text, password: secret, token: secret },
          required: ['address'],
        }),
        responses: moveAnswer,
      }),
    },
    '/administer/move-in/run': {
      post: administer({
        id: 'runMove',
        summary:
          'Move in, bring later changes, switch, take everything back, pause, go on, end, allow recording or stop it',
        body: objectOf({
          properties: { what: { enum: steps }, theirs: records, ours: records },
          required: ['what'],
        }),
        responses: moveAnswer,
      }),
    },
    '/administer/move-in/since.json': {
      get: administer({
        id: 'readRecordedSince',
        summary: 'What people recorded since the move',
        responses: listAnswer('Numbers of records', sinceSchema),
      }),
    },
    '/administer/move-in/report.txt': {
      get: administer({
        id: 'readMoveReport',
        summary: 'Every difference that the last comparison found, a line each',
        responses: { '200': answerAs('The report', 'text/plain', text), ...refusedOften },
      }),
    },
    '/administer/move-in/invitations.json': {
      post: administer({
        id: 'inviteArrived',
        summary: 'Unblock accounts that came along, give them a role, and make a link for each to choose a password',
        body: objectOf({
          properties: { people: { type: 'array', items: completeObject({ id, role }) } },
          required: ['people'],
        }),
        responses: {
          '201': answer('The links', 'json', listed('invitations', invitationSchema)),
          ...refusedOften,
          ...conflict,
          ...invalidContent,
        },
      }),
    },
  },
}
