import { setTimeout as pause } from 'node:timers/promises'
import { inMebibytes, mebibyte } from '../../src/fields/byte-size.ts'
import { Refusal } from '../../src/refusal.ts'
import { codeOf, messageOf } from '../../src/storage/sql/errors.ts'
import { version } from '../../src/version.ts'

interface Patience {
  /** Pause after each failure; after the last one the client gives up. */
  readonly pausesMs: readonly number[]
  /** Timeout of an answer. */
  readonly answerMs: number
}

const usualPatience: Patience = {
  pausesMs: [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000],
  answerMs: 60_000,
}

const longestPauseMs = 120_000

const mostRedirects = 5

const passing = new Set([408, 425, 429, 500, 502, 503, 504])

/** More than a page of 100 records with all their data. */
const mostText = 80 * mebibyte

export const resumeAdvice = 'What has been read is kept: run the same command again with --resume.'

interface RequestOptions extends Pick<RequestInit, 'method' | 'body'> {
  readonly headers?: Readonly<Record<string, string>>
  /** Timeout of the whole answer. */
  readonly patienceMs?: number
}

/** Adaptive concurrency, one to four requests: fewer after trouble, more without. */
class ConcurrencyLimit {
  #open = 2
  #busy = 0
  #inARow = 0
  readonly #waiting: (() => void)[] = []

  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.#busy >= this.#open) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
      this.#waiting.shift()?.()
    }
  }

  succeeded(): void {
    this.#inARow += 1
    if (this.#inARow < calm || this.#open === most) return
    this.#inARow = 0
    this.#open += 1
    this.#waiting.shift()?.()
  }

  failed(): void {
    this.#inARow = 0
    this.#open = Math.max(1, this.#open >> 1)
  }
}

/** Answers in a row without trouble before one more request is allowed. */
const calm = 20

const most = 4

/** The way to the other server. */
export interface Connection {
  /** Sends one request and follows no redirect. */
  request(url: URL, init: RequestInit): Promise<Response>
  /** Waits while the work is paused, and throws once it has ended. */
  ready(): Promise<void>
  /** Ends requests and waiting. */
  readonly signal?: AbortSignal
}

const direct: Connection = { request: (url, init) => fetch(url, init), ready: async () => {} }

/** Without a trailing slash, for display and for appending paths. */
export const withoutSlash = (url: URL): string => url.href.replace(/\/$/, '')

/** Requests to one host only, retried while the failure may be temporary. */
export class HttpClient {
  readonly base: URL
  readonly #lanes = new ConcurrencyLimit()
  readonly #patience: Patience
  readonly #connection: Connection
  #isKnown = false

  constructor(base: URL, patience: Patience = usualPatience, connection: Connection = direct) {
    this.base = base
    this.#patience = patience
    this.#connection = connection
  }

  /** Sends a request; `take` reads the whole body. A failure on the way is retried. */
  send<T>(path: string, init: RequestOptions, take: (answer: Response) => Promise<T>): Promise<T> {
    return this.#lanes.run(() => this.#again(new URL(withoutSlash(this.base) + path), init, take))
  }

  async #again<T>(url: URL, init: RequestOptions, take: (answer: Response) => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures += 1) {
      await this.#connection.ready()
      const outcome = await this.#once(url, init, take)
      if (!(outcome instanceof TransientFailure)) {
        this.#isKnown = true
        this.#lanes.succeeded()
        return outcome
      }
      this.#lanes.failed()
      if (outcome.isOfAddress && !this.#isKnown)
        throw new Refusal('conflict', `${url.host} ${outcome.message}. Look at the address.`)
      const wait = this.#patience.pausesMs[failures]
      if (wait === undefined)
        throw new Refusal('busy', `${url.host} ${outcome.message}, ${failures + 1} times. ${resumeAdvice}`)
      await this.#pause(Math.min(Math.max(wait, outcome.retryAfterMs), longestPauseMs))
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#connection
    // Whoever ended the work is told by `ready`.
    await pause(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => {})
  }

  async #once<T>(
    url: URL,
    init: RequestOptions,
    take: (answer: Response) => Promise<T>,
  ): Promise<T | TransientFailure> {
    try {
      const answer = await this.#redirected(url, init)
      if (!passing.has(answer.status)) return await take(answer)
      await answer.body?.cancel()
      const seconds = Number(answer.headers.get('retry-after') ?? 0)
      return new TransientFailure(`answers ${answer.status} to ${url.pathname}`, (seconds || 0) * 1000)
    } catch (error) {
      if (error instanceof Refusal) throw error
      return new TransientFailure(troubleOf(error), 0, isOfAddress(error))
    }
  }

  async #redirected(url: URL, init: RequestOptions): Promise<Response> {
    let at = url
    for (let steps = 0; steps <= mostRedirects; steps += 1) {
      const { patienceMs = this.#patience.answerMs, ...request } = init
      const timeout = AbortSignal.timeout(patienceMs)
      const ended = this.#connection.signal
      const signal = ended === undefined ? timeout : AbortSignal.any([timeout, ended])
      const headers = { 'user-agent': `Furrow/${version}`, ...request.headers }
      const answer = await this.#connection.request(at, { ...request, headers, redirect: 'manual', signal })
      const location = answer.headers.get('location')
      if (answer.status < 300 || answer.status > 399 || location === null || init.method === 'POST') return answer
      await answer.body?.cancel()
      at = this.#onSameHost(at, location)
    }
    throw new Refusal('conflict', `${url.host} sends from ${url.pathname} in a circle. Look at the address.`)
  }

  #onSameHost(from: URL, location: string): URL {
    const to = new URL(location, from)
    const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname
    if (to.origin === from.origin || isUpgrade) return to
    throw new RedirectElsewhere(
      'conflict',
      `${from.host} sends from ${from.pathname} to ${to.origin}, and nothing is asked of another host. If the farm is there, give that address.`,
    )
  }
}

/** A redirect to another host, which is never followed. */
export class RedirectElsewhere extends Refusal {}

/** The body as text, up to a size limit. */
export async function responseText(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    if (bytes > mostText)
      throw new Refusal(
        'too-large',
        `${answer.url} answers with more than ${inMebibytes(mostText)}. Nothing was changed.`,
      )
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

const isOfAddress = (error: unknown): boolean =>
  wrongAddress.test(codeOf(error instanceof Error && error.cause !== undefined ? error.cause : error))

class TransientFailure {
  readonly message: string
  readonly retryAfterMs: number

  /** A server that never answered may not exist, so it is not retried. */
  readonly isOfAddress: boolean

  constructor(message: string, retryAfterMs: number, isOfAddress = false) {
    this.message = message
    this.retryAfterMs = retryAfterMs
    this.isOfAddress = isOfAddress
  }
}

const wrongAddress =
  /^(ENOTFOUND|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ERR_TLS_\w+|ERR_SSL_\w+|\w*CERT\w*|UNABLE_TO_\w+)$/

function troubleOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'takes too long to answer'
  if (error instanceof SyntaxError) return 'sends half an answer'
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return `cannot be reached (${messageOf(cause)})`
}
