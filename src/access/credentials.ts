import type { Caller } from './caller.ts'

/** Where an attempt to log in comes from. */
export interface Visitor {
  readonly address: string
  /** Hears that a login failed, or was refused because too many had: the log line of the request says so. */
  readonly loginFailed: (how: 'failed' | 'refused') => void
}

/** What a request brought along to say who it is from. */
export interface Credentials extends Visitor {
  readonly authorization: string | undefined
  /** The value of the session cookie. */
  readonly cookie: string | undefined
  readonly csrfToken: string | undefined
  readonly method: string
  readonly agent: string
}

export interface IdentifiedCaller extends Caller {
  /** The session or bearer value: CSRF tokens are made from it. */
  readonly bond: string
  /** When a bearer's token ends by itself. */
  readonly expires?: number
}
