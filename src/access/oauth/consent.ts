import type { Scope } from '../../farm/people/scopes.ts'
import { Refusal } from '../../refusal.ts'
import { lockAccountToAdmit } from '../../storage/access/account-rows.ts'
import {
  findPendingAuthorization,
  insertCode,
  insertPendingAuthorization,
  type PendingAuthorization,
  takePendingAuthorization,
} from '../../storage/access/code-rows.ts'
import { sweepExpired } from '../../storage/access/expiry.ts'
import { findSessionAccount } from '../../storage/access/session-rows.ts'
import type { Transaction } from '../../storage/database.ts'
import { type Caller, principalOf } from '../caller.ts'
import { note } from '../events.ts'
import type { Installation } from '../installation.ts'
import { hashOf, newSecret } from '../secrets.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { isRegistered } from './client-rules.ts'
import { clientToAdmit, scopesNamed, scopeWithin } from './clients.ts'
import { RedirectedRefusal, type ReturnAddress } from './oauth-refusal.ts'

const timeToDecide = 600

/** The consent page's contents. */
export interface ConsentQuestion {
  /** Identifies the request in the form; its parameters stay on the server. */
  readonly id: string
  readonly scopes: readonly Scope[]
}

export interface Asker {
  readonly caller: Caller
  /** The session value: the user who decides must be the user who was asked. */
  readonly session: string
}

export async function askForConsent(
  installation: Installation,
  request: AuthorizationRequest,
  asker: Asker,
): Promise<ConsentQuestion> {
  const { client, returnAddress, redirectUriSent, challenge } = request
  const scope = scopeWithin(installation.farm, { role: asker.caller.role, isService: false }, request.scope)
  if (scope === '') throw beyondTheRole(returnAddress)
  const id = newSecret()
  const now = installation.clock()
  await installation.database.write(async (tx) => {
    await sweepExpired(tx, now)
    await insertPendingAuthorization(tx, {
      hash: hashOf(id),
      session: hashOf(asker.session),
      client: client.id,
      redirect_uri: returnAddress.redirectUri,
      redirect_uri_sent: redirectUriSent ? 1 : 0,
      scope,
      state: returnAddress.state,
      challenge,
      expires: now + timeToDecide,
    })
  })
  return { id, scopes: scopesNamed(installation.farm, scope) }
}

interface ConsentDecision extends Asker {
  readonly id: string
  readonly answer: 'approve' | 'deny'
}

interface ApprovedGrant {
  readonly code: string
  readonly returnAddress: ReturnAddress
}

/** Works once. A denial, or a consent that is no longer possible, is reported to the client. */
export async function decide(installation: Installation, decision: ConsentDecision): Promise<ApprovedGrant> {
  const hash = hashOf(decision.id)
  const pending = await installation.database.read((snapshot) => findPendingAuthorization(snapshot, hash))
  if (!pending || pending.expires <= installation.clock()) throw overAlready()
  if (pending.session !== hashOf(decision.session)) {
    throw new Refusal('forbidden', 'Somebody else was asked. Go back to the application and start again.')
  }
  const outcome = await installation.database.write(async (tx) => {
    if (!(await takePendingAuthorization(tx, hash))) return null
    return decision.answer === 'approve' ? giveCode(installation, tx, { pending, uid: decision.caller.uid }) : 'denied'
  })
  const returnAddress = { redirectUri: pending.redirect_uri, state: pending.state }
  if (outcome === null || outcome === 'over') throw overAlready()
  if (outcome === 'gone') throw new Refusal('bad-request', 'The application is no longer known to this farm.')
  if (outcome === 'beyond') throw beyondTheRole(returnAddress)
  if (outcome === 'denied') {
    throw new RedirectedRefusal('access_denied', 'The user denied access to your application', returnAddress)
  }
  return { code: outcome.code, returnAddress }
}

interface Approval {
  readonly pending: PendingAuthorization
  readonly uid: number
}

async function giveCode(
  installation: Installation,
  tx: Transaction,
  { pending, uid }: Approval,
): Promise<{ code: string } | 'gone' | 'over' | 'beyond'> {
  const now = installation.clock()
  const client = await clientToAdmit(installation, tx, pending.client)
  if (!client || client.disabled || !isRegistered(pending.redirect_uri, client.redirectUris)) return 'gone'
  await lockAccountToAdmit(tx, uid)
  // A new password, a logout or a block may have ended the session meanwhile.
  const account = await findSessionAccount(tx, pending.session, now)
  if (account?.uid !== uid) return 'over'
  const requestedScopes = pending.scope.split(' ').filter((name) => client.scopes.includes(name))
  const scope = scopeWithin(installation.farm, principalOf(account), requestedScopes.join(' '))
  if (scope === '') return 'beyond'
  const code = newSecret()
  await insertCode(tx, {
    hash: hashOf(code),
    client: client.id,
    uid,
    redirect_uri: pending.redirect_uri,
    redirect_uri_sent: pending.redirect_uri_sent,
    scope,
    challenge: pending.challenge,
    expires: now + client.codeLifetime,
    used: null,
    family: null,
  })
  await note(tx, 'consent-given', { at: now, uid, client: client.id })
  return { code }
}

function overAlready(): Refusal {
  return new Refusal('bad-request', 'This request was decided already, or too long ago. Go back to the application.')
}

function beyondTheRole(returnAddress: ReturnAddress): RedirectedRefusal {
  return new RedirectedRefusal(
    'access_denied',
    'The role of this user covers none of the requested scopes',
    returnAddress,
  )
}
