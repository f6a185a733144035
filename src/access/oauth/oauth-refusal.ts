import { Refusal } from '../../refusal.ts'

/** RFC 6749 sections 4.1.2.1 and 5.2; for prompt=none OpenID Connect Core 3.1.2.6. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'

export class OAuthRefusal extends Refusal {
  readonly error: OAuthError

  constructor(error: OAuthError, description: string) {
    super(error === 'invalid_client' ? 'unauthenticated-api' : 'bad-request', description)
    this.error = error
  }
}

/** The destination of an authorization response. */
export interface ReturnAddress {
  readonly redirectUri: string
  readonly state: string | null
}

/** An error that is sent to the client by redirecting the user. */
export class RedirectedRefusal extends OAuthRefusal {
  readonly returnAddress: ReturnAddress

  constructor(error: OAuthError, description: string, returnAddress: ReturnAddress) {
    super(error, description)
    this.returnAddress = returnAddress
  }
}
