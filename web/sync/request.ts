import {
  type Credential,
  type ProblemDocument,
  problemIn,
  type RequestHeaders,
  secondsToWait,
  sendWith,
  sessionCredential,
} from '../../src/client/requests.ts'
import { inDemo } from '../store/local-storage.ts'
import { memory } from '../store/memory.ts'
import { type ContentFault, isFarmRefusal } from '../store/outbox-entry.ts'
import type { Me } from '../store/record.ts'
import { clockAhead, noteComparedClock } from '../words/format.ts'
import { dismiss, notice } from './status.ts'

type FailureName = 'offline' | 'unauthenticated' | 'forbidden' | 'gone' | 'not-found' | 'busy' | 'failed'

export interface Failure {
  readonly failure: FailureName
  readonly status: number | null
  /** URN of the refusal, such as `urn:furrow:refusal:conflict`; '' if a proxy answered. */
  readonly type: string
  /** Message of the server. */
  readonly detail: string
  readonly errors: readonly ContentFault[]
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | null
  readonly requestId: string | null
  /** The whole problem document. */
  readonly refusal?: ProblemDocument
}

export interface Success<T> {
  readonly failure: null
  readonly status: number
  readonly body: T
  readonly headers: Headers
  readonly size: number
}

export type Answer<T> = Success<T> | Failure

export interface RequestOptions {
  readonly signal?: AbortSignal
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Blob
  /** Timeout in milliseconds. */
  readonly patience?: number
}

export const usualPatience = 30_000

/** Requests data that is not in the copy. Never throws: failures have names. */
export const askServer = <T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> => send<T>(path, options)

/** Sends a change in the current session. */
export const tellServer = <T>(path: string, options: RequestOptions): Promise<Answer<T>> =>
  send<T>(path, options, currentSession)

async function send<T>(path: string, options: RequestOptions, credential?: Credential): Promise<Answer<T>> {
  if (inDemo()) return offlineFailure
  const { method = 'GET', headers = {}, body = null, patience = usualPatience } = options
  let sentAt = 0
  let receivedAt = 0
  try {
    const attempt = async (admitted: RequestHeaders): Promise<Response> => {
      const timeout = AbortSignal.timeout(patience)
      const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout])
      sentAt = Date.now()
      // No HTTP cache: it may be from before a restore, and the copy has the data.
      const answered = await fetch(path, {
        cache: 'no-store',
        method,
        signal,
        body,
        headers: { accept: 'application/json', ...headers, ...admitted },
      })
      receivedAt = Date.now()
      return answered
    }
    const answer = await (credential === undefined ? attempt({}) : sendWith(credential, attempt))
    const text = await answer.text()
    if (!answer.ok) return failureOf(answer, text)
    const content = (text === '' ? null : JSON.parse(text)) as T
    // A captive portal has its own clock, and does not answer JSON.
    compareClocks(Date.parse(answer.headers.get('date') ?? '') / 1000, sentAt, receivedAt)
    return { failure: null, status: answer.status, body: content, headers: answer.headers, size: text.length }
  } catch {
    return offlineFailure
  }
}

const currentSession = sessionCredential({
  current: () => memory.me.peek()?.csrf_token ?? null,
  renew: renewMe,
})

export const offlineFailure: Failure = {
  failure: 'offline',
  status: null,
  type: '',
  detail: '',
  errors: [],
  retryAfter: null,
  requestId: null,
}

/** Ends a sync round after a failed request. */
export class ServerFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.failure)
    this.failure = failure
  }
}

export async function askServerOrThrow<T>(path: string, options: RequestOptions = {}): Promise<Success<T>> {
  const answer = await askServer<T>(path, options)
  if (answer.failure !== null) throw new ServerFailure(answer)
  return answer
}

function failureOf(answer: Response, text: string): Failure {
  const refusal = problemIn(text)
  const { type = '', detail = '' } = refusal
  return {
    failure: failureName(answer.status, type),
    status: answer.status,
    type,
    detail,
    errors: (refusal.errors ?? []) as readonly ContentFault[],
    retryAfter: secondsToWait(answer.headers),
    requestId: answer.headers.get('x-request-id'),
    refusal,
  }
}

/** A proxy may refuse as well; only the server decides who may see the copy. */
export function failureName(status: number, type: string): FailureName {
  if (type.startsWith('urn:furrow:refusal:unauthenticated')) return 'unauthenticated'
  if (status === 401 || status === 403) return isFarmRefusal(type) ? 'forbidden' : 'offline'
  if (status === 404) return 'not-found'
  if (status === 410) return 'gone'
  if (status === 408 || status === 429 || status === 503) return 'busy'
  return status >= 500 ? 'offline' : 'failed'
}

/** Milliseconds: the server's time has whole seconds. */
const unnoticed = 2000
const tolerated = 120_000

/**
 * Compares the server's time (Unix seconds) with two times of this device. A slow answer is imprecise: the known
 * difference stays unless it is impossible now, so that times do not jump.
 */
function compareClocks(serverTime: number, sentAt: number, receivedAt: number): void {
  if (Number.isNaN(serverTime)) return
  const ahead = (sentAt + receivedAt) / 2 - (serverTime * 1000 + 500)
  const isKnown = Math.abs(ahead - clockAhead()) <= unnoticed + (receivedAt - sentAt) / 2
  noteComparedClock(isKnown ? clockAhead() : Math.abs(ahead) > unnoticed ? ahead : 0)
  if (Math.abs(ahead) > tolerated) notice({ kind: 'clock-off', minutes: Math.round(ahead / 60_000) })
  else dismiss('clock-off')
}

/** Only for the account that owns the entries: another one may have logged in. */
export async function renewMe(): Promise<string | null> {
  const answer = await askServer<Me>('/me.json')
  const known = memory.me.peek()
  if (answer.failure !== null || known === null || answer.body.account.id !== known.account.id) return null
  memory.me.value = answer.body
  return answer.body.csrf_token
}

export const jsonHeaders = { 'content-type': 'application/json' }

/** Meaning of an answer for the sent entries. */
export type Verdict =
  /** The server has stored it. */
  | 'taken'
  /** Unknown: send the same again after a pause. */
  | 'again'
  /** Server failure: send the same again, a limited number of times. */
  | 'failed'
  /** Not logged in: wait until the same account is. */
  | 'log-in'
  /** Not permitted: wait until the account has the right. */
  | 'no-right'
  /** Changed by another user: compare. */
  | 'compare'
  /** The record does not exist. */
  | 'missing'
  | 'too-large'
  /** Refused: the user has to decide. */
  | 'refused'

export function verdictOn(answer: Answer<unknown>): Verdict {
  if (answer.failure === null) return 'taken'
  if (answer.failure === 'unauthenticated') return 'log-in'
  if (answer.failure === 'busy' || answer.status === null) return 'again'
  if (answer.status === 401) return 'again'
  if (answer.status === 403) return ofForbidden(answer)
  if (answer.status >= 500 || isOfNobody(answer)) return 'failed'
  return byStatus[answer.status] ?? 'refused'
}

const byStatus: Readonly<Record<number, Verdict>> = { 404: 'missing', 412: 'compare', 413: 'too-large' }

/** True if a proxy answered, not the farm. A 413 of a proxy is final. */
const isOfNobody = ({ status, type }: Failure): boolean => status !== 413 && !isFarmRefusal(type)

/** A firewall may answer 403 as well; a token that has ended may be renewed the next time. */
const ofForbidden = ({ type }: Failure): Verdict =>
  isFarmRefusal(type) && !type.endsWith(':csrf-failed') ? 'no-right' : 'again'

/** Early requests, each answer for one reader. */
const prefetched = new Map<string, Promise<Answer<unknown>>>()

export function prefetch<T>(path: string): Promise<Answer<T>> {
  const answer = askServer<T>(path)
  prefetched.set(path, answer)
  return answer
}

/** Answers for one account are not for the next. */
export const forgetPrefetched = (): void => prefetched.clear()

/** The early answer, else a new request. */
export async function prefetchedOrAsk<T>(path: string): Promise<Success<T>> {
  const early = prefetched.get(path) as Promise<Answer<T>> | undefined
  prefetched.delete(path)
  const answer = await early
  return answer?.failure === null ? answer : askServerOrThrow<T>(path)
}
