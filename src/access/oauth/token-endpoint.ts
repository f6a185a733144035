import type { Grant } from '../../farm/people/clients.ts'
import { findAccount, lockAccountToAdmit } from '../../storage/access/account-rows.ts'
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
import { checkLogin } from '../login.ts'
import { hashOf } from '../secrets.ts'
import { authorizationCodeGrant } from './authorization-code-grant.ts'
import { authenticateClient, type ClientRequest, giveTo } from './client-authentication.ts'
import { beyondTheRole, type OAuthClient, requestedScope, scopeGiven, scopeWithin } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { parameter, refuseRepeated, requiredParameter } from './parameters.ts'
import { continueFamily, type Issuer, issueTokens, type TokenResponse } from './tokens.ts'

type GrantAnswer = (installation: Installation, client: OAuthClient, request: ClientRequest) => Promise<TokenResponse>

const grants: Readonly<Record<Grant, GrantAnswer>> = {
  authorization_code: authorizationCodeGrant,
  refresh_token: refreshGrant,
  password: passwordGrant,
  client_credentials: clientCredentialsGrant,
}

/** RFC 6749 section 3.2. */
export async function answerTokenRequest(installation: Installation, request: ClientRequest): Promise<TokenResponse> {
  refuseRepeated(request.parameters)
  const type = requiredParameter(request.parameters, 'grant_type')
  if (!isGrant(type)) throw new OAuthRefusal('unsupported_grant_type', 'This grant type is not supported')
  const client = await authenticateClient(installation, request)
  const isSwitchedOff = type === 'password' && !installation.settings.passwordGrant
  if (isSwitchedOff || !client.grants.includes(type)) {
    throw new OAuthRefusal('unauthorized_client', `This client may not use the grant ${type}`)
  }
  const { access_token, expires_in, token_type, scope, refresh_token } = await grants[type](
    installation,
    client,
    request,
  )
  const response = { access_token, expires_in, token_type, scope }
  return refresh_token === undefined ? response : { ...response, refresh_token }
}

function isGrant(type: string): type is Grant {
  return Object.hasOwn(grants, type)
}

/** RFC 6749 section 4.4: the client acts as its own service account. */
async function clientCredentialsGrant(
  installation: Installation,
  client: OAuthClient,
  { parameters, address }: ClientRequest,
): Promise<TokenResponse> {
  const uid = client.serviceUid
  if (client.secretHash === null || uid === null) {
    throw new OAuthRefusal('unauthorized_client', 'This client has no secret of its own')
  }
  const requestedScopes = requestedScope(installation.farm, client, parameter(parameters, 'scope'))
  const issued = await giveTo(installation, client, async (tx, issuer) => {
    const account = await lockAccountToAdmit(tx, uid)
    if (!account) return null
    const scope = scopeWithin(installation.farm, principalOf(account), requestedScopes)
    if (scope === '') return null
    return issueTokens(tx, { issuer, client, account, scope, grant: 'client_credentials', address })
  })
  if (!issued) throw new OAuthRefusal('invalid_scope', 'The service account of this client covers none of the scopes')
  return issued
}

/** RFC 6749 section 4.3. */
export async function passwordGrant(
  installation: Installation,
  client: OAuthClient,
  request: ClientRequest,
): Promise<TokenResponse> {
  const name = requiredParameter(request.parameters, 'username')
  const password = requiredParameter(request.parameters, 'password')
  const requestedScopes = requestedScope(installation.farm, client, parameter(request.parameters, 'scope'))
  const { address, loginFailed } = request
  const account = await checkLogin(installation, { name, password, client: client.id, address, loginFailed })
  if (!account) throw wrongPassword()
  const issued = await giveTo(installation, client, async (tx, issuer) => {
    const current = await lockAccountToAdmit(tx, account.uid)
    if (!current || current.password_hash !== account.password_hash) return null
    const scope = scopeGiven(installation.farm, principalOf(current), { grant: 'password', scope: requestedScopes })
    if (scope === '') throw beyondTheRole()
    return issueTokens(tx, { issuer, client, account: current, scope, grant: 'password', address })
  })
  if (!issued) throw wrongPassword()
  return issued
}

function wrongPassword(): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', 'Invalid username and password combination')
}

/** A refresh token reused this soon comes from another tab or a lost answer. Later it means theft. */
const innocentSeconds = 60

/** RFC 6749 section 6, with rotation: the previous pair stops working (spec 5.2). */
async function refreshGrant(
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
