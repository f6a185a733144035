import type { Caller } from './caller.ts'

/** What a request brought along to say who it is from. */
export interface Credentials {
  readonly authorization: string | undefined
  /** The value of the session cookie. */
  readonly cookie: string | undefined
  readonly csrfToken: string | undefined
  readonly method: string
  readonly address: string
  readonly agent: string
}

export interface Identified extends Caller {
  /** The session or bearer value: CSRF tokens are made from it. */
  readonly bond: string
  /** When a bearer's token ends by itself. */
  readonly expires?: number
}
