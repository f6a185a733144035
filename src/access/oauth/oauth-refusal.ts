import { Refusal } from '../../refusal.ts'

/** RFC 6749 sections 4.1.2.1 and 5.2, and OpenID Connect Core 3.1.2.6 for the answers to prompt=none. */
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

/** Where an answer to an authorization request goes. */
export interface ReturnAddress {
  readonly redirectUri: string
  readonly state: string | null
}

/** A no that the client is to hear: it travels back to it with the user. */
export class RedirectedRefusal extends OAuthRefusal {
  readonly returnAddress: ReturnAddress

  constructor(error: OAuthError, description: string, returnAddress: ReturnAddress) {
    super(error, description)
    this.returnAddress = returnAddress
  }
}
