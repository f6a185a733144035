import type { VersionedToken } from '../storage/access/token-rows.ts'
import type { Caller } from './caller.ts'

/** The origin of a login attempt. */
export interface Visitor {
  readonly address: string
  /** Called for a failed login, and for one refused after too many failures. The request's log line records it. */
  readonly loginFailed: (how: 'failed' | 'refused') => void
}

/** Credentials of a request. */
export interface Credentials extends Visitor {
  readonly authorization: string | undefined
  /** The value of the session cookie. */
  readonly cookie: string | undefined
  readonly csrfToken: string | undefined
  readonly method: string
  readonly agent: string
  /** The token, if it was already looked up. */
  readonly lookup?: Promise<VersionedToken> | undefined
}

export interface IdentifiedCaller extends Caller {
  /** The session or bearer value; CSRF tokens are derived from it. */
  readonly bond: string
  /** Expiry of a bearer token. */
  readonly expires?: number
}
