/** Every refusal of the service. A refusal is an answer; anything else that is thrown is a bug. */
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
  'recording-off': { status: 403, title: 'Recording is off' },
  'tls-required': { status: 403, title: 'Use https' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  timeout: { status: 408, title: 'The request took too long' },
  conflict: { status: 409, title: 'Others still refer to it' },
  'uuid-taken': { status: 409, title: 'The UUID stands for something already' },
  'not-restorable': { status: 409, title: 'It cannot come back as it was' },
  'not-undoable': { status: 409, title: 'It cannot be undone' },
  'move-refused': { status: 409, title: 'The farm cannot move in' },
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

/** One fault of a request: the place, the fault, and what is allowed. */
export interface RefusalFault {
  readonly field: string
  readonly message: string
  readonly allowed?: readonly string[]
  /** JSON Pointer into the body; set by a door that answers in JSON:API. */
  readonly pointer?: string
}

interface RefusalDetails {
  readonly faults?: readonly RefusalFault[]
  /** Additional members of the problem document, for programs. */
  readonly members?: Readonly<Record<string, unknown>>
  /** Methods of the Allow header, for a 405. */
  readonly allow?: readonly string[]
  readonly retryAfterSeconds?: number
  /** Parameters of the WWW-Authenticate challenge, beside the realm. */
  readonly challenge?: Readonly<Record<string, string>>
  /** The underlying error: for the log, not for the caller. */
  readonly cause?: unknown
  /** Ids and UUIDs of conflicting records: a change of one of them may make the request possible. */
  readonly inTheWay?: ReadonlySet<string>
  /** The correct address for the request. */
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
