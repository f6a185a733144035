import type { Grant } from '../../farm/people/clients.ts'
import type { Installation } from '../installation.ts'
import { authorizationCodeGrant } from './authorization-code-grant.ts'
import { authenticateClient, type ClientRequest } from './client-authentication.ts'
import { clientCredentialsGrant } from './client-credentials-grant.ts'
import type { OAuthClient } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { refuseRepeated, requiredParameter } from './parameters.ts'
import { passwordGrant } from './password-grant.ts'
import { refreshGrant } from './refresh-grant.ts'
import type { TokenResponse } from './tokens.ts'

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
