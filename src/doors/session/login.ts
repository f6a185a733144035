import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkLogin } from '../../access/login.ts'
import { accountOfSession, closeSession, openSession } from '../../access/sessions.ts'
import { Refusal } from '../../refusal.ts'
import { baseAddressOf, clientAddressOf } from '../http/base-address.ts'
import { type Form, readForm } from '../http/body.ts'
import type { House } from '../http/house.ts'
import { type LoginForm, loginForm } from '../http/login-form.ts'
import { sendPage } from '../http/page.ts'
import { readQuery } from '../http/query.ts'
import { requireSameSite } from '../http/same-site.ts'
import { sessionCookie, sessionCookieOf } from '../http/session-cookie.ts'
import { localDestination } from './destination.ts'

const afterLogin = '/account'

export function addLogin(scope: FastifyInstance, house: House): void {
  scope.get('/user/login', async (request, reply) => {
    const destination = localDestination(readQuery(request.url).find(({ name }) => name === 'destination')?.value)
    const session = sessionCookieOf(request, house)
    const isLoggedIn = session !== undefined && (await accountOfSession(house, session)) !== undefined
    if (isLoggedIn) return goTo(request, reply, { house, path: destination ?? afterLogin })
    return sendLoginPage(reply, { destination })
  })

  scope.post('/user/login', async (request, reply) => {
    requireSameSite(request, house)
    return logIn(request, reply, house)
  })
}

async function logIn(request: FastifyRequest, reply: FastifyReply, house: House): Promise<FastifyReply> {
  const form = readForm(request)
  if (form.repeated.size > 0) throw new Refusal('bad-request', 'A field of the form came more than once.')
  const fromQuery = readQuery(request.url).find(({ name }) => name === 'destination')?.value
  const destination = localDestination(form.values.get('destination') ?? fromQuery)
  const name = form.values.get('name') ?? ''
  const shown = { destination, name: name.slice(0, 254) }
  const uid = await uidFor(form, request, house)
  if (uid instanceof Refusal) {
    reply.header('retry-after', String(uid.details.retryAfterSeconds ?? 1))
    return sendLoginPage(reply, { ...shown, message: uid.message }, 429)
  }
  if (uid === null) return sendLoginPage(reply, { ...shown, message: 'Unrecognised user name or password.' })
  await startSession(request, reply, { house, uid })
  return goTo(request, reply, { house, path: destination ?? afterLogin })
}

/** Null where name and password do not belong together, the refusal where there were too many attempts. */
async function uidFor({ values }: Form, request: FastifyRequest, house: House): Promise<number | Refusal | null> {
  const address = clientAddressOf(request, house)
  try {
    const account = await checkLogin(house, {
      name: values.get('name') ?? '',
      password: values.get('pass') ?? '',
      address,
    })
    return account?.uid ?? null
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'too-many-requests') return error
    throw error
  }
}

export interface Entrance {
  readonly house: House
  readonly uid: number
}

/** A new session under a new value; the one that the browser held before is over. */
export async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { house, uid }: Entrance,
): Promise<void> {
  const before = sessionCookieOf(request, house)
  const predecessor = before === undefined ? undefined : await accountOfSession(house, before)
  if (before !== undefined && predecessor) await closeSession(house, predecessor.uid, before)
  const agent = request.headers['user-agent'] ?? ''
  const value = await openSession(house, uid, { agent, address: clientAddressOf(request, house) })
  request.uid = uid
  reply.header('set-cookie', sessionCookie(request, house, value))
}

export function goTo(request: FastifyRequest, reply: FastifyReply, to: { house: House; path: string }): FastifyReply {
  return reply
    .code(302)
    .headers({ location: baseAddressOf(request, to.house) + to.path, 'cache-control': 'no-store' })
    .send()
}

function sendLoginPage(reply: FastifyReply, form: LoginForm, status = 200): FastifyReply {
  return sendPage(reply, { title: 'Log in', main: loginForm(form), status, ...formTargetOf(form) })
}

/** Who logs in for an application may be sent on to it at once, if only with a no. */
function formTargetOf({ destination }: LoginForm): { formTarget?: string } {
  const query = new URLSearchParams(destination?.split('?')[1])
  const formTarget = query.get('redirect_uri')
  return formTarget === null ? {} : { formTarget }
}
