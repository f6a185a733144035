/** Every way the service says no. A refusal is an answer; anything else that is thrown is a bug. */
export const refusals = {
  'unreadable-body': { status: 400, title: 'The body could not be read' },
  'bad-query': { status: 400, title: 'The query could not be understood' },
  'too-costly': { status: 400, title: 'The question takes too much work' },
  'bad-request': { status: 400, title: 'The request could not be understood' },
  'wrong-password': { status: 400, title: 'User name and password do not belong together' },
  unauthenticated: { status: 403, title: 'Log in first' },
  'unauthenticated-api': { status: 401, title: 'Log in first' },
  forbidden: { status: 403, title: 'Not allowed' },
  unconfirmed: { status: 403, title: 'Confirm your password first' },
  'csrf-failed': { status: 403, title: 'The CSRF token is missing or wrong' },
  'tls-required': { status: 403, title: 'Use https' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  timeout: { status: 408, title: 'The request took too long' },
  conflict: { status: 409, title: 'Others still refer to it' },
  'uuid-taken': { status: 409, title: 'The UUID stands for something already' },
  'not-restorable': { status: 409, title: 'It cannot come back as it was' },
  'not-undoable': { status: 409, title: 'It cannot be undone' },
  'backup-running': { status: 409, title: 'A backup is being made' },
  gone: { status: 410, title: 'No longer there' },
  'precondition-failed': { status: 412, title: 'It has changed meanwhile' },
  'too-large': { status: 413, title: 'Too large' },
  'uri-too-long': { status: 414, title: 'The address is too long' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'invalid-content': { status: 422, title: 'The content is not valid' },
  'too-many-requests': { status: 429, title: 'Too many attempts' },
  'headers-too-large': { status: 431, title: 'The request headers are too large' },
  'no-versions': { status: 501, title: 'It has no versions' },
  busy: { status: 503, title: 'Busy, try again' },
} as const

export type RefusalName = keyof typeof refusals

/** One thing that is wrong with a request: where, what, and what would be right. */
export interface RefusalFault {
  readonly field: string
  readonly message: string
  readonly allowed?: readonly string[]
  /** Where in the body it stands, as a JSON Pointer; set by a door that answers in JSON:API. */
  readonly pointer?: string
}

interface RefusalDetails {
  readonly faults?: readonly RefusalFault[]
  /** What a program needs to go on, as members of their own. */
  readonly members?: Readonly<Record<string, unknown>>
  /** Methods for a 405, as the Allow header lists them. */
  readonly allow?: readonly string[]
  readonly retryAfterSeconds?: number
  /** The parameters of a WWW-Authenticate challenge beside the realm. */
  readonly challenge?: Readonly<Record<string, string>>
  /** What was thrown by whatever could not be done: for the log, not for the caller. */
  readonly cause?: unknown
  /** Numbers and UUIDs of the records that are in the way: a change of one of them may make the request possible. */
  readonly inTheWay?: ReadonlySet<string>
  /** The address that the request should have gone to. */
  readonly instead?: string | null
}

export class Refusal extends Error {
  readonly refusal: RefusalName
  readonly details: RefusalDetails

  constructor(refusal: RefusalName, detail: string, details: RefusalDetails = {}) {
    super(detail, { cause: details.cause })
    this.name = 'Refusal'
    this.refusal = refusal
    this.details = details
  }

  get status(): number {
    return refusals[this.refusal].status
  }
}
