import { inDemo } from '../store/demo.ts'
import type { Fault } from '../store/entry.ts'
import { isOfFarm } from '../store/taken.ts'
import { clockAhead, noteComparedClock } from '../words/format.ts'
import { dismiss, notice } from './status.ts'

type FailureName = 'offline' | 'unauthenticated' | 'forbidden' | 'gone' | 'not-found' | 'busy' | 'failed'

export interface Failure {
  readonly failure: FailureName
  readonly status: number | null
  /** The name of the refusal, such as `urn:furrow:refusal:conflict`; nothing where somebody else has answered. */
  readonly type: string
  /** What the server said of it, in its own words. */
  readonly detail: string
  readonly errors: readonly Fault[]
  /** Seconds, where the server said when to come again. */
  readonly retryAfter: number | null
  readonly requestId: string | null
  /** All that it said. */
  readonly refusal?: Refusal
}

export interface Answered<T> {
  readonly failure: null
  readonly status: number
  readonly body: T
  readonly headers: Headers
  /** Length of the body in characters. */
  readonly size: number
}

export type Answer<T> = Answered<T> | Failure

export interface AskOptions {
  readonly signal?: AbortSignal
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Blob
  /** Milliseconds. */
  readonly patience?: number
}

export const usualPatience = 30_000

/** Asks the server for what is not in the copy. Never throws: what went wrong has a name. */
export async function ask<T>(path: string, options: AskOptions = {}): Promise<Answer<T>> {
  if (inDemo()) return noAnswer
  const { method = 'GET', headers = {}, body = null, patience = usualPatience } = options
  const timeout = AbortSignal.timeout(patience)
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout])
  try {
    // What the browser kept may be from before a restore, and the copy has it anyway.
    const asked = Date.now()
    const answer = await fetch(path, {
      cache: 'no-store',
      method,
      signal,
      body,
      headers: { accept: 'application/json', ...headers },
    })
    const answered = Date.now()
    const text = await answer.text()
    if (!answer.ok) return failureOf(answer, text)
    const told = (text === '' ? null : JSON.parse(text)) as T
    // A portal on the way has a clock of its own, and answers no JSON.
    compareClocks(Date.parse(answer.headers.get('date') ?? '') / 1000, asked, answered)
    return { failure: null, status: answer.status, body: told, headers: answer.headers, size: text.length }
  } catch {
    return noAnswer
  }
}

export const noAnswer: Failure = {
  failure: 'offline',
  status: null,
  type: '',
  detail: '',
  errors: [],
  retryAfter: null,
  requestId: null,
}

/** Thrown where a whole round ends because one of its answers is none. */
export class NoAnswer extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.failure)
    this.failure = failure
  }
}

export async function answerTo<T>(path: string, options: AskOptions = {}): Promise<Answered<T>> {
  const answer = await ask<T>(path, options)
  if (answer.failure !== null) throw new NoAnswer(answer)
  return answer
}

/** Some addresses say more than these. */
interface Refusal extends Readonly<Record<string, unknown>> {
  readonly type?: string
  readonly detail?: string
  readonly errors?: readonly Fault[]
}

function failureOf(answer: Response, text: string): Failure {
  const refusal = refusalIn(text)
  const { type = '', detail = '', errors = [] } = refusal
  return {
    failure: nameOf(answer.status, type),
    status: answer.status,
    type,
    detail,
    errors,
    retryAfter: Number(answer.headers.get('retry-after')) || null,
    requestId: answer.headers.get('x-request-id'),
    refusal,
  }
}

function refusalIn(text: string): Refusal {
  try {
    return JSON.parse(text) as Refusal
  } catch {
    return {}
  }
}

/** Somebody on the way may refuse, too; who may see the copy only the server itself says. */
export function nameOf(status: number, type: string): FailureName {
  if (type.startsWith('urn:furrow:refusal:unauthenticated')) return 'unauthenticated'
  if (status === 401 || status === 403) return isOfFarm(type) ? 'forbidden' : 'offline'
  if (status === 404) return 'not-found'
  if (status === 410) return 'gone'
  if (status === 408 || status === 429 || status === 503) return 'busy'
  return status >= 500 ? 'offline' : 'failed'
}

/** The server says whole seconds. */
const unnoticed = 2000
const tolerated = 120_000

/**
 * The server said its time, in Unix seconds, between two times of this device. A slow answer says little: what is known
 * stays unless it cannot be right any more, so that times do not jump with each answer.
 */
function compareClocks(serverTime: number, asked: number, answered: number): void {
  if (Number.isNaN(serverTime)) return
  const ahead = (asked + answered) / 2 - (serverTime * 1000 + 500)
  const isKnown = Math.abs(ahead - clockAhead()) <= unnoticed + (answered - asked) / 2
  noteComparedClock(isKnown ? clockAhead() : Math.abs(ahead) > unnoticed ? ahead : 0)
  if (Math.abs(ahead) > tolerated) notice({ kind: 'clock-off', minutes: Math.round(ahead / 60_000) })
  else dismiss('clock-off')
}
