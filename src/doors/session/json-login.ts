import type { FastifyReply, FastifyRequest } from 'fastify'
import { csrfTokenFor } from '../../access/secrets.ts'
import type { Installation } from '../../access/installation.ts'
import { checkLogin } from '../../access/login.ts'
import { roles } from '../../farm/people/roles.ts'
import { Refusal } from '../../refusal.ts'
import type { Account } from '../../storage/access/account-rows.ts'
import type { Form } from '../http/body.ts'
import { valueInQuery } from '../http/query.ts'
import { visitorOf } from '../http/visitor.ts'
import { startSession } from './start-session.ts'

/** Programs of the newer generation ask so; people send the form. */
export const asksForJson = (request: FastifyRequest): boolean => valueInQuery(request.url, '_format') === 'json'

/** A login that is answered with who it is, and with what changes and the logout have to carry. */
export async function logInForJson(
  request: FastifyRequest,
  reply: FastifyReply,
  { installation, form }: { readonly installation: Installation; readonly form: Form },
): Promise<FastifyReply> {
  const typed = { name: requiredIn(form, 'name'), password: requiredIn(form, 'pass') }
  const account = await checkLogin(installation, { ...typed, ...visitorOf(request, installation) })
  const session = account && (await startSession(request, reply, { installation, proven: account }))
  if (!account || session === null) {
    throw new Refusal('wrong-password', 'Nobody here has this user name with this password.')
  }
  const token = await csrfTokenFor(installation.database, session)
  // One token is enough: once it has been in the address of a logout, there is no session that it is good for.
  const answer = { current_user: currentUser(account), csrf_token: token, logout_token: token }
  return reply
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify(answer))
}

function requiredIn({ values }: Form, name: string): string {
  const value = values.get(name)
  if (value) return value
  throw new Refusal('bad-request', `"${name}" is missing: a login takes {"name": "…", "pass": "…"}.`)
}

const currentUser = ({ uid, name, role }: Account) => ({
  uid: String(uid),
  name,
  roles: ['authenticated', ...(role === null ? [] : [roles[role].newer])],
})
