import { findAccount } from '../../storage/access/account-rows.ts'
import {
  deleteAccessTokensOfFamily,
  endFamily,
  findRefreshToken,
  lockFamily,
  spendRefreshToken,
} from '../../storage/access/token-rows.ts'
import type { Transaction } from '../../storage/database.ts'
import { principalOf } from '../caller.ts'
import { note } from '../events.ts'
import type { Installation } from '../installation.ts'
import { hashOf } from '../secrets.ts'
import { type ClientRequest, giveTo } from './client-authentication.ts'
import { beyondTheRole, type OAuthClient, requestedScope, scopeGiven } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { parameter, requiredParameter } from './parameters.ts'
import { continueFamily, type Issuer, type TokenResponse } from './tokens.ts'

/** A refresh token reused this soon comes from another tab or a lost answer. Later it means theft. */
const innocentSeconds = 60

/** RFC 6749 section 6, with rotation: the previous pair stops working (spec 5.2). */
export async function refreshGrant(
  installation: Installation,
  client: OAuthClient,
  request: ClientRequest,
): Promise<TokenResponse> {
  const hash = hashOf(requiredParameter(request.parameters, 'refresh_token'))
  const asked = parameter(request.parameters, 'scope')
  const refreshed = await giveTo(installation, client, (tx, issuer) =>
    refresh(tx, issuer, { installation, client, hash, asked }),
  )
  if (refreshed === 'beyond') throw beyondTheRole()
  if (!refreshed) throw new OAuthRefusal('invalid_grant', 'Invalid refresh token')
  return refreshed
}

interface Refresh {
  readonly installation: Installation
  readonly client: OAuthClient
  readonly hash: string
  readonly asked: string | undefined
}

/** Null and 'beyond' are refusals that must be committed, because they revoke tokens. */
async function refresh(
  tx: Transaction,
  issuer: Issuer,
  { installation, client, hash, asked }: Refresh,
): Promise<TokenResponse | 'beyond' | null> {
  const { now } = issuer
  const found = await findRefreshToken(tx, hash)
  if (!found || found.client !== client.id) return null
  // Asked together, they are answered in this order: the token as it is once the family is locked.
  const [, token, account] = await Promise.all([
    lockFamily(tx, found.family),
    findRefreshToken(tx, hash),
    findAccount(tx, found.uid),
  ])
  if (!token) return null
  const { family, uid, created } = token
  if (token.rotated !== null) {
    if (now - token.rotated <= innocentSeconds) return null
    await endFamily(tx, family)
    await note(tx, 'refresh-token-reused', { at: now, uid, client: client.id })
    return null
  }
  if (token.expires <= now || !account || account.blocked) {
    await endFamily(tx, family)
    return null
  }
  const given = (scope: string) =>
    scopeGiven(installation.farm, principalOf(account), { grant: token.grant_type, scope })
  if (given(token.scope) === '') {
    await endFamily(tx, family)
    return 'beyond'
  }
  const wanted = asked === undefined ? token.scope : requestedScope(installation.farm, client, asked)
  if (!wanted.split(' ').every((name) => token.scope.split(' ').includes(name))) {
    throw new OAuthRefusal('invalid_scope', 'The scope goes beyond what was granted')
  }
  const scope = given(wanted)
  if (scope === '') throw beyondTheRole()
  if (!(await spendRefreshToken(tx, hash, now))) return null
  await deleteAccessTokensOfFamily(tx, family)
  return continueFamily(tx, { issuer, client, account, scope, family, granted: token.scope, created })
}
