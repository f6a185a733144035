import { lockAccountToAdmit } from '../../storage/access/account-rows.ts'
import { type AuthorizationCode, findCode, rememberFamilyOfCode, spendCode } from '../../storage/access/code-rows.ts'
import { endFamily } from '../../storage/access/token-rows.ts'
import type { Transaction } from '../../storage/database.ts'
import { principalOf } from '../caller.ts'
import { note } from '../events.ts'
import type { Installation } from '../installation.ts'
import { hashOf } from '../secrets.ts'
import { answersChallenge } from './authorization-request.ts'
import { type ClientRequest, giveTo } from './client-authentication.ts'
import { beyondTheRole, type OAuthClient, scopeWithin } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { parameter, requiredParameter } from './parameters.ts'
import { type Issuer, issueTokens, type TokenResponse } from './tokens.ts'

/** RFC 6749 section 4.1.3. */
export async function authorizationCodeGrant(
  installation: Installation,
  client: OAuthClient,
  { parameters, address }: ClientRequest,
): Promise<TokenResponse> {
  const redemption: Redemption = {
    installation,
    client,
    address,
    hash: hashOf(requiredParameter(parameters, 'code')),
    redirectUri: parameter(parameters, 'redirect_uri'),
    verifier: parameter(parameters, 'code_verifier'),
  }
  const issued = await giveTo(installation, client, (tx, issuer) => redeem(tx, issuer, redemption))
  if (issued === 'beyond') throw beyondTheRole()
  if (!issued) throw new OAuthRefusal('invalid_grant', 'The code is unknown, used, expired or not for this request')
  return issued
}

interface Redemption {
  readonly installation: Installation
  readonly client: OAuthClient
  readonly address: string
  readonly hash: string
  readonly redirectUri: string | undefined
  readonly verifier: string | undefined
}

/** Null and 'beyond' are refusals that must be committed: a code is used up once it was sent, by anyone. */
async function redeem(
  tx: Transaction,
  issuer: Issuer,
  redemption: Redemption,
): Promise<TokenResponse | 'beyond' | null> {
  const { installation, client, address, hash } = redemption
  const { now } = issuer
  const shown = await findCode(tx, hash)
  if (!shown) return null
  // Lock order: account before code, as in a password change.
  const account = await lockAccountToAdmit(tx, shown.uid)
  const isFirst = await spendCode(tx, hash, now)
  const code = await findCode(tx, hash)
  if (!code) return null
  if (!isFirst) {
    if (code.family !== null) await endFamily(tx, code.family)
    await note(tx, 'code-used-twice', { at: now, uid: code.uid, client: code.client })
    return null
  }
  if (!account || !belongsTo(code, redemption)) return null
  const scope = scopeWithin(installation.farm, principalOf(account), code.scope)
  if (scope === '') return 'beyond'
  const issued = await issueTokens(tx, { issuer, client, account, scope, grant: 'authorization_code', address })
  await rememberFamilyOfCode(tx, hash, issued.family)
  return issued
}

function belongsTo(code: AuthorizationCode, { installation, client, redirectUri, verifier }: Redemption): boolean {
  const isSameUri = redirectUri === undefined ? code.redirect_uri_sent === 0 : redirectUri === code.redirect_uri
  return (
    code.client === client.id &&
    code.expires > installation.clock() &&
    isSameUri &&
    answersChallenge(verifier, code.challenge)
  )
}
